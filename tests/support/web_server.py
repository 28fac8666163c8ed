#!/usr/bin/env python3
"""A web server on loopback for real clients: HTTPS under names that it makes certificates for, with an authority of its own.

Usage: web_server.py DIRECTORY NAME…

DIRECTORY/ca.pem       the authority, made at the start
DIRECTORY/www/         files that GET finds; a directory is its index.html
DIRECTORY/git/         repositories, served by git http-backend; pushes are accepted: whoever should refuse them is in front of us
DIRECTORY/requests     one line a request: METHOD PATH
Prints "port N" once it serves. Ends with its standard input.
"""

import http.server
import os
import pathlib
import ssl
import subprocess
import sys
import threading

LOCK = threading.Lock()


def openssl(directory, *arguments):
    subprocess.run(["openssl", *arguments], cwd=directory, check=True, capture_output=True)


def make_certificates(directory, names):
    (directory / "leaf.cnf").write_text(
        "subjectAltName=" + ",".join("DNS:" + name for name in names) + "\nextendedKeyUsage=serverAuth\n"
        "subjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\nkeyUsage=critical,digitalSignature\n")
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    openssl(directory, "req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Sallyport test web", "-days", "2",
            "-addext", "keyUsage=critical,keyCertSign")
    openssl(directory, "req", *key, "-keyout", "leaf.key", "-out", "leaf.csr", "-subj", "/CN=leaf")
    openssl(directory, "x509", "-req", "-in", "leaf.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out", "leaf.pem",
            "-days", "2", "-extfile", "leaf.cnf")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    directory = None

    def log_message(self, *_):
        pass

    def _note(self):
        with LOCK, open(self.directory / "requests", "a") as file:
            file.write(f"{self.command} {self.path}\n")

    def _send(self, status, body, content_type="text/html"):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _body(self):
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _git(self, path, query):
        environment = dict(os.environ, GIT_PROJECT_ROOT=str(self.directory / "git"), GIT_HTTP_EXPORT_ALL="1", PATH_INFO=path,
                           QUERY_STRING=query, REQUEST_METHOD=self.command, CONTENT_TYPE=self.headers.get("Content-Type", ""),
                           HTTP_CONTENT_ENCODING=self.headers.get("Content-Encoding", ""), REMOTE_USER="anybody",
                           GIT_PROTOCOL=self.headers.get("Git-Protocol", ""))
        body = self._body()
        environment["CONTENT_LENGTH"] = str(len(body))
        done = subprocess.run(["git", "http-backend"], input=body, capture_output=True, env=environment)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line)
        self._send(int(fields.get("Status", "200").split()[0]), content, fields.get("Content-Type", "text/plain"))

    def _answer(self):
        self._note()
        path, _, query = self.path.partition("?")
        if ".git/" in path:
            return self._git(path, query)
        self._body()
        file = (self.directory / "www" / path.lstrip("/")).resolve()
        if file.is_dir():
            file /= "index.html"
        if self.command == "GET" and file.is_file():
            return self._send(200, file.read_bytes())
        return self._send(404 if self.command == "GET" else 200, b"received\n")

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _answer


def main():
    directory, names = pathlib.Path(sys.argv[1]), sys.argv[2:]
    make_certificates(directory, names)
    Handler.directory = directory
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(directory / "leaf.pem", directory / "leaf.key")
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print("port", server.server_address[1], flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
