#!/usr/bin/python3
"""Sends what is not HTTP, or not what its connection was opened for, over one leg; prints what came of each.

Usage: hostile_client.py LEG PROTOCOL HOST PORT

LEG        connect, socks5, transparent, or absolute (plain HTTP, with the proxy asked for each request)
PROTOCOL   h1, h2 (inside TLS), or tls (ClientHellos, and what is none)

One line for each case: NAME EXPECTED GOT. EXPECTED is "refused" or "passed". GOT is the status of the answer, "handshake" for a ServerHello,
"reset" for a stream or connection that was ended without one, or "silence" when nothing came in time, which is a failure of its own.
"""

import socket
import ssl
import struct
import sys

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions

LEG, PROTOCOL, HOST, PORT = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
PROXY = ("127.0.0.1", 3128)
PATIENCE = 10


def tunnel():
    """A connection to HOST:PORT, or to the proxy itself for the absolute leg."""
    if LEG == "transparent":
        return socket.create_connection((HOST, PORT), PATIENCE)
    connection = socket.create_connection(PROXY, PATIENCE)
    if LEG == "connect":
        connection.sendall(f"CONNECT {HOST}:{PORT} HTTP/1.1\r\nHost: {HOST}:{PORT}\r\n\r\n".encode())
        while not connection.recv(65536).endswith(b"\r\n\r\n"):
            pass
    if LEG == "socks5":
        connection.sendall(b"\x05\x01\x00")
        connection.recv(2)
        connection.sendall(b"\x05\x01\x00\x03" + bytes([len(HOST)]) + HOST.encode() + struct.pack("!H", PORT))
        connection.recv(10)
    return connection


def connect():
    connection = tunnel()
    if LEG == "absolute":
        return connection
    context = ssl.create_default_context()
    context.set_alpn_protocols(["h2"] if PROTOCOL == "h2" else ["http/1.1"])
    return context.wrap_socket(connection, server_hostname=HOST)


def url(path):
    return (f"http://{HOST}" if LEG == "absolute" else "") + path


def get(path, fields="", version="HTTP/1.1", method="GET"):
    return f"{method} {url(path)} {version}\r\nHost: {HOST}\r\n{fields}\r\n".encode("latin-1")


def post(fields, body):
    return get("/upload", fields, method="POST") + body


def h1_cases():
    chunked = "Transfer-Encoding: chunked\r\n"
    yield "plain", "passed", get("/hello")
    yield "scoped_package", "passed", get("/@scope%2fname")
    yield "cl_and_te", "refused", post("Content-Length: 5\r\n" + chunked, b"0\r\n\r\n")
    yield "two_lengths", "refused", post("Content-Length: 5\r\nContent-Length: 6\r\n", b"hello!")
    yield "length_list", "refused", post("Content-Length: 5, 5\r\n", b"hello")
    yield "length_sign", "refused", post("Content-Length: +5\r\n", b"hello")
    yield "length_huge", "refused", post("Content-Length: 99999999999999999999999\r\n", b"hello")
    yield "te_identity", "refused", post("Transfer-Encoding: chunked, identity\r\n", b"0\r\n\r\n")
    yield "te_unknown", "refused", post("Transfer-Encoding: xchunked\r\n", b"0\r\n\r\n")
    yield "te_twice", "refused", post(chunked + chunked, b"0\r\n\r\n")
    yield "chunk_negative", "refused", post(chunked, b"-1\r\nhello\r\n0\r\n\r\n")
    yield "chunk_huge", "refused", post(chunked, b"ffffffffffffffffff\r\nhello\r\n0\r\n\r\n")
    yield "chunk_no_digits", "refused", post(chunked, b";a=b\r\nhello\r\n0\r\n\r\n")
    yield "chunk_too_short", "refused", post(chunked, b"3\r\nhello\r\n0\r\n\r\n")
    yield "trailer_framing", "refused", post(chunked, b"0\r\nContent-Length: 5\r\n\r\n")
    yield "obs_fold", "refused", get("/hello", "X-A: 1\r\n 2\r\n")
    yield "bare_lf", "refused", get("/hello", "X-A: 1\nX-B: 2\r\n")
    yield "bare_cr", "refused", get("/hello", "X-A: 1\rX-B: 2\r\n")
    yield "space_before_colon", "refused", get("/hello", "X-A : 1\r\n")
    yield "nul", "refused", get("/hello", "X-A: \0\r\n")
    yield "two_hosts", "refused", get("/hello", f"Host: {HOST}\r\n")
    yield "other_host", "refused", f"GET {'http://other.example' if LEG == 'absolute' else ''}/hello HTTP/1.1\r\nHost: other.example\r\n\r\n".encode()
    yield "http_0_9", "refused", b"GET /hello\r\n\r\n"
    yield "http_2_0", "refused", get("/hello", version="HTTP/2.0")
    yield "lower_case_method", "refused", get("/hello", method="get")
    yield "unknown_method", "refused", get("/hello", method="BREW")
    yield "trace", "refused", get("/hello", method="TRACE")
    yield "method_override", "refused", get("/hello", "X-HTTP-Method-Override: DELETE\r\n")
    yield "long_field", "refused", get("/hello", "X-A: " + "a" * 70000 + "\r\n")
    yield "many_fields", "refused", get("/hello", "".join(f"X-{i}: 1\r\n" for i in range(1000)))
    for name, path in (("dot_segments", "/a/../hello"), ("coded_dots", "/a/%2e%2e/hello"), ("double_slash", "//hello"), ("backslash", "/a\\hello"),
                       ("coded_nul", "/hello%00"), ("overlong_utf8", "/%c0%af"), ("double_coded", "/%252e%252e/hello"), ("fragment", "/hello#a")):
        yield name, "refused", get(path)
    if LEG != "absolute":
        yield "absolute_in_tunnel", "refused", f"GET http://other.example/hello HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()
    yield "upgrade_h2c", "passed", get("/hello", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n")
    yield "h2c_prior_knowledge", "refused", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def first_answer(connection, pieces):
    """The first bytes that come back: none for a connection that was ended, None when nothing came in time."""
    connection.settimeout(PATIENCE)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        for piece in pieces:
            connection.sendall(piece)
        return connection.recv(65536)
    except TimeoutError:
        return None
    except OSError:
        return b""


def h1_answer(request):
    got = first_answer(connect(), [request])
    if got is None:
        return "silence"
    return got.split(b" ", 2)[1].decode() if got.startswith(b"HTTP/1.1 ") else "reset"


def pseudo(path="/hello", method="GET", authority=HOST):
    return [(":method", method), (":scheme", "https"), (":authority", authority), (":path", path)]


def h2_cases():
    yield "plain", "passed", pseudo(), None
    yield "scoped_package", "passed", pseudo("/@scope%2fname"), None
    yield "other_authority", "refused", pseudo(authority="other.example"), None
    yield "two_authorities", "refused", pseudo() + [(":authority", "other.example")], None
    yield "other_host_field", "refused", pseudo() + [("host", "other.example")], None
    yield "no_path", "refused", [(":method", "GET"), (":scheme", "https"), (":authority", HOST)], None
    yield "pseudo_behind_field", "refused", [("x-a", "1")] + pseudo(), None
    yield "unknown_pseudo", "refused", pseudo() + [(":a", "1")], None
    yield "upper_case_field", "refused", pseudo() + [("X-A", "1")], None
    yield "connection_field", "refused", pseudo() + [("connection", "keep-alive")], None
    yield "transfer_encoding", "refused", pseudo(method="POST", path="/upload") + [("transfer-encoding", "chunked")], b"0\r\n\r\n"
    yield "te_gzip", "refused", pseudo() + [("te", "gzip")], None
    yield "line_end_in_value", "refused", pseudo() + [("x-a", "1\r\nx-b: 2")], None
    yield "nul_in_value", "refused", pseudo() + [("x-a", "a\0")], None
    yield "line_end_in_path", "refused", pseudo("/hello HTTP/1.1\r\nX-A: 1"), None
    yield "space_in_path", "refused", pseudo("/hello HTTP/1.1"), None
    yield "length_too_long", "refused", pseudo(method="POST", path="/upload") + [("content-length", "9")], b"hello"
    yield "length_too_short", "refused", pseudo(method="POST", path="/upload") + [("content-length", "2")], b"hello"
    yield "lower_case_method", "refused", pseudo(method="get"), None
    yield "unknown_method", "refused", pseudo(method="BREW"), None
    yield "trace", "refused", pseudo(method="TRACE"), None
    yield "connect", "refused", [(":method", "CONNECT"), (":authority", HOST)], None
    yield "method_override", "refused", pseudo() + [("x-http-method-override", "DELETE")], None
    yield "absolute_path", "refused", pseudo("http://other.example/hello"), None
    yield "scheme_http", "refused", [(":method", "GET"), (":scheme", "http"), (":authority", HOST), (":path", "/hello")], None
    yield "many_fields", "refused", pseudo() + [(f"x-{i}", "1") for i in range(1000)], None
    for name, path in (("dot_segments", "/a/../hello"), ("coded_dots", "/a/%2e%2e/hello"), ("double_slash", "//hello"), ("backslash", "/a\\hello"),
                       ("coded_nul", "/hello%00"), ("overlong_utf8", "/%c0%af"), ("double_coded", "/%252e%252e/hello"), ("fragment", "/hello#a")):
        yield name, "refused", pseudo(path), None


def h2_answer(headers, body):
    connection = connect()
    connection.settimeout(PATIENCE)
    config = h2.config.H2Configuration(validate_outbound_headers=False, normalize_outbound_headers=False, header_encoding="utf-8")
    http2 = h2.connection.H2Connection(config)
    http2.initiate_connection()
    http2.send_headers(1, headers, end_stream=body is None)
    if body is not None:
        http2.send_data(1, body, end_stream=True)
    connection.sendall(http2.data_to_send())
    try:
        while True:
            got = connection.recv(65536)
            if not got:
                return "reset"
            for event in http2.receive_data(got):
                if isinstance(event, h2.events.ResponseReceived):
                    return dict(event.headers)[":status"]
                if isinstance(event, (h2.events.StreamReset, h2.events.ConnectionTerminated)):
                    return "reset"
            connection.sendall(http2.data_to_send())
    except TimeoutError:
        return "silence"
    except (OSError, h2.exceptions.ProtocolError):
        return "reset"


def host_name(name, kind=0):
    """An entry of a server_name extension (RFC 6066 section 3)."""
    return struct.pack("!BH", kind, len(name)) + name


def client_hello(*extensions):
    """A handshake message with these server_name extensions, each a list of entries, in the place of its own."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = ssl.create_default_context().wrap_bio(incoming, outgoing, server_hostname="template.example")
    try:
        client.do_handshake()
    except ssl.SSLWantReadError:
        pass
    hello = outgoing.read()[5 + 4:]  # without the heads of the record and of the message
    at = 2 + 32
    at += 1 + hello[at]
    at += 2 + struct.unpack_from("!H", hello, at)[0]
    at += 1 + hello[at]
    fixed, rest = hello[:at], hello[at + 2:]
    kept = b"".join(struct.pack("!HH", 0, len(names) + 2) + struct.pack("!H", len(names)) + names for names in extensions)
    while rest:
        kind, size = struct.unpack_from("!HH", rest)
        if kind != 0:
            kept += rest[:4 + size]
        rest = rest[4 + size:]
    body = fixed + struct.pack("!H", len(kept)) + kept
    return b"\x01" + struct.pack("!I", len(body))[1:] + body


def records(message, size=16384):
    pieces = [message[at:at + size] for at in range(0, len(message), size)]
    return b"".join(b"\x16\x03\x01" + struct.pack("!H", len(piece)) + piece for piece in pieces)


def tls_cases():
    name = HOST.encode()
    usual = client_hello(host_name(name))
    yield "plain", "passed", [records(usual)]
    yield "upper_case", "passed", [records(client_hello(host_name(name.upper())))]
    yield "byte_by_byte", "passed", [records(usual)[at:at + 1] for at in range(len(records(usual)))]
    yield "many_records", "passed", [records(usual, 20)]
    for case, entries in (("other_name", [host_name(b"other.example")]), ("no_name", []), ("address", [host_name(b"127.0.0.1")]),
                          ("two_names", [host_name(name) + host_name(b"other.example")]),
                          ("other_name_first", [host_name(b"other.example") + host_name(name)]),
                          ("two_extensions", [host_name(name), host_name(b"other.example")]), ("empty_list", [b""]),
                          ("empty_name", [host_name(b"")]), ("nul", [host_name(name + b"\0.other.example")]), ("nul_first", [host_name(b"\0" + name)]),
                          ("root_dot", [host_name(name + b".")]), ("space", [host_name(name + b" ")]), ("line_end", [host_name(name + b"\r\n")]),
                          ("other_kind", [host_name(name, 1)]), ("other_kind_first", [host_name(b"x", 1) + host_name(name)]),
                          ("name_in_front", [host_name(b"x." + name)]), ("name_behind", [host_name(name + b".other.example")]),
                          ("long_name", [host_name(b"a" * 300)]), ("not_ascii", [host_name("\u0430llowed.example".encode())])):
        yield case, "refused", [records(client_hello(*entries))]
    yield "record_cut_short", "refused", [records(usual)[:3] + b"\0\1" + usual]
    yield "message_too_long", "refused", [records(b"\x01\xff\xff\xff" + usual[4:] + b"\0" * 100000)]
    yield "other_message", "refused", [records(b"\x02" + usual[1:])]
    yield "ssl_2", "refused", [b"\x80\x2e\x01\x00\x02\x00\x15\x00\x00\x00\x10" + b"\x01\x00\x80" * 7 + b"a" * 16]
    yield "http", "refused", [get("/hello")]
    yield "ssh", "refused", [b"SSH-2.0-OpenSSH_9.2\r\n"]
    yield "smtp", "refused", [b"EHLO a.example\r\n"]
    yield "garbage", "refused", [bytes(range(1, 256)) * 20]


def tls_answer(pieces):
    got = first_answer(tunnel(), pieces)
    if got is None:
        return "silence"
    return "handshake" if got.startswith(b"\x16") else "reset"


CASES, ANSWER = {"h1": (h1_cases, h1_answer), "h2": (h2_cases, h2_answer), "tls": (tls_cases, tls_answer)}[PROTOCOL]
for name, expected, *message in CASES():
    print(name, expected, ANSWER(*message), flush=True)
