#!/usr/bin/env python3
"""A gRPC client for the server of grpc_server.py. Usage: grpc_client.py HOST:PORT DIRECT|PROXY CALL [TEXT]

Prints what the call gave, or "CODE: details" when it failed.
"""

import hashlib
import queue
import sys

import grpc


def unary(channel, text):
    reply, call = channel.unary_unary("/test.Echo/Unary").with_call(text, timeout=20)
    return f"{reply.decode()} {dict(call.trailing_metadata())['x-bytes']}"


def packed(channel, text):
    return channel.unary_unary("/test.Echo/Unary")(text, timeout=20, compression=grpc.Compression.Gzip).decode()


def count(channel, text):
    return " ".join(number.decode() for number in channel.unary_stream("/test.Echo/Count")(text, timeout=20))


def bidi(channel, text):
    """The next message goes out when the answer to the one before is there; the first when the server has spoken."""
    waiting = queue.Queue()
    call = channel.stream_stream("/test.Echo/Bidi")(iter(waiting.get, None), timeout=20)
    seen = [dict(call.initial_metadata())["x-open"]]
    for ball in text.decode().split():
        waiting.put(ball.encode())
        seen.append(next(call).decode())
    waiting.put(None)
    return " ".join(seen + [str(len(list(call)))])


def bulk(channel, text):
    body = bytes(range(256)) * (int(text) // 256)
    reply = channel.unary_unary("/test.Echo/Unary")(body, timeout=60)
    return "same" if hashlib.sha256(reply).digest() == hashlib.sha256(body).digest() else "different"


def main():
    target, way, call = sys.argv[1:4]
    text = sys.argv[4].encode() if len(sys.argv) > 4 else b""
    options = [("grpc.max_receive_message_length", -1), ("grpc.enable_http_proxy", int(way == "PROXY"))]
    with grpc.secure_channel(target, grpc.ssl_channel_credentials(), options=options) as channel:
        try:
            print(globals()[call](channel, text))
        except grpc.RpcError as error:
            print(f"{error.code().name}: {error.details()}")


if __name__ == "__main__":
    main()
