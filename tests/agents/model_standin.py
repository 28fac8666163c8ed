#!/usr/bin/env python3
"""A stand-in of the APIs of Anthropic, OpenAI and Google on loopback, over TLS with an authority of its own: POST /v1/messages,
/v1/responses and /v1beta/models/MODEL:streamGenerateContent, with streaming.

Usage: PYTHONPATH=tests/support model_standin.py DIRECTORY HOST COMMAND

It imitates one conversation: a request that offers the tool for shell commands (Bash, exec_command, run_shell_command) gets the call of it with COMMAND, the one
that brings the tool's result gets "done", everything else gets "ok". The events have the fields that Claude Code, Codex and the Gemini CLI need, not all that
the APIs have; tokens are not counted, keys not checked.

DIRECTORY/ca.pem       the authority, made at the start, for HOST
DIRECTORY/requests     one line a request: METHOD PATH
DIRECTORY/keys         the key of each
DIRECTORY/results      what the tool answered
Prints "port N" once it serves. Ends with its standard input.
"""

import http.server
import json
import pathlib
import ssl
import sys
import threading

import web_server

LOCK = threading.Lock()


def tool_results(request):
    """The results of tools in the last message."""
    content = request["messages"][-1]["content"]
    blocks = content if isinstance(content, list) else []
    return [block["content"] for block in blocks if block.get("type") == "tool_result"]


def offers_bash(request):
    return any(tool.get("name") == "Bash" for tool in request.get("tools", []))


def block_events(request, command):
    """The one content block of the answer, and why the answer ends."""
    if offers_bash(request) and not tool_results(request):
        start = {"type": "tool_use", "id": "toolu_standin", "name": "Bash", "input": {}}
        text = json.dumps({"command": command, "description": "Runs a command"})
        return start, {"type": "input_json_delta", "partial_json": text}, "tool_use"
    text = "done" if tool_results(request) else "ok"
    return {"type": "text", "text": ""}, {"type": "text_delta", "text": text}, "end_turn"


def events(request, command):
    start, delta, reason = block_events(request, command)
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": "msg_standin", "type": "message", "role": "assistant", "model": request["model"], "content": [], "stop_reason": None,
               "stop_sequence": None, "usage": usage}
    yield {"type": "message_start", "message": message}
    yield {"type": "content_block_start", "index": 0, "content_block": start}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    yield {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": {"output_tokens": 1}}
    yield {"type": "message_stop"}


def whole_message(request, command):
    """The answer to a request without streaming."""
    start, delta, reason = block_events(request, command)
    block = dict(start, input=json.loads(delta["partial_json"])) if reason == "tool_use" else dict(start, text=delta["text"])
    message = next(events(request, command))["message"]
    return dict(message, content=[block], stop_reason=reason)


def outputs(request):
    """The results of tools, as OpenAI's API has them."""
    return [item["output"] for item in request["input"] if item.get("type") == "function_call_output"]


def response_events(request, command):
    """POST /v1/responses: one item, whole."""
    offers_shell = any(tool.get("name") == "exec_command" for tool in request.get("tools", []))
    if offers_shell and not outputs(request):
        item = {"type": "function_call", "id": "call_standin", "call_id": "call_standin", "name": "exec_command", "status": "completed",
                "arguments": json.dumps({"cmd": command, "yield_time_ms": 60000})}
    else:
        text = "done" if outputs(request) else "ok"
        item = {"type": "message", "id": "msg_standin", "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": text, "annotations": []}]}
    response = {"id": "resp_standin", "object": "response", "status": "in_progress", "output": []}
    usage = {"input_tokens": 1, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 1,
             "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 2}
    yield {"type": "response.created", "response": response}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    yield {"type": "response.completed", "response": dict(response, status="completed", output=[item], usage=usage)}


def function_responses(request):
    """The results of tools in the last message, as Google's API has them."""
    parts = request["contents"][-1].get("parts", [])
    return [part["functionResponse"]["response"] for part in parts if "functionResponse" in part]


def offers_run_shell(request):
    declared = [f for tool in request.get("tools", []) for f in tool.get("functionDeclarations", [])]
    return any(function.get("name") == "run_shell_command" for function in declared)


def generated_content(request, command):
    """POST …:streamGenerateContent and …:generateContent: one candidate, whole."""
    if offers_run_shell(request) and not function_responses(request):
        part = {"functionCall": {"name": "run_shell_command", "args": {"command": command, "description": "Runs a command"}}}
    else:
        part = {"text": "done" if function_responses(request) else "ok"}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    return {"candidates": [{"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}], "usageMetadata": usage}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    directory = None
    script = None  # "command" is the request method in http.server

    def log_message(self, *_):
        pass

    def _note(self, name, text):
        with LOCK, open(self.directory / name, "a") as file:
            file.write(text + "\n")

    def _send_json(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _send_chunk(self, data):
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _stream(self, events_of_answer):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in events_of_answer:
            kind = f"event: {event['type']}\n" if "type" in event else ""
            self._send_chunk(f"{kind}data: {json.dumps(event)}\n\n".encode())
        self._send_chunk(b"")

    def do_GET(self):
        self._note("requests", f"GET {self.path}")
        self._send_json(200, {})

    def do_POST(self):
        self._note("requests", f"POST {self.path}")
        self._note("keys", self.headers.get("x-api-key") or self.headers.get("x-goog-api-key") or self.headers.get("Authorization", "").removeprefix("Bearer "))
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = self.path.split("?")[0]
        if path == "/v1/messages":
            self._answer_message(json.loads(body))
        elif path == "/v1/responses":
            request = json.loads(body)
            self._note_results(outputs(request))
            self._stream(response_events(request, self.script))
        elif path.startswith("/v1beta/models/"):
            self._answer_content(path, json.loads(body))
        else:
            self._send_json(200, {})

    def _answer_content(self, path, request):
        self._note_results(function_responses(request))
        answer = generated_content(request, self.script)
        if path.endswith(":streamGenerateContent"):
            self._stream([answer])
        else:
            self._send_json(200, answer)

    def _note_results(self, results):
        for result in results:
            self._note("results", json.dumps(result))

    def _answer_message(self, request):
        self._note_results(tool_results(request))
        if request.get("stream"):
            self._stream(events(request, self.script))
        else:
            self._send_json(200, whole_message(request, self.script))


def main():
    directory = pathlib.Path(sys.argv[1]).resolve()
    web_server.make_certificates(directory, [sys.argv[2]])
    Handler.directory, Handler.script = directory, sys.argv[3]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(directory / "leaf.pem", directory / "leaf.key")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"port {server.server_address[1]}", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
