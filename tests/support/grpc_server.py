#!/usr/bin/env python3
"""A gRPC server on loopback for real clients: TLS under names that it makes certificates for, with an authority of its own.

Usage: grpc_server.py DIRECTORY NAME…

DIRECTORY/ca.pem    the authority, made at the start
Methods of /test.Echo, whose messages are plain bytes: Unary and Bidi give back what they get, Count gives the numbers below what it got.
Unary sends the trailing field x-bytes. Prints "port N" once it serves. Ends with its standard input.
"""

import concurrent.futures
import pathlib
import sys

import grpc
import web_server


def unary(request, context):
    context.set_trailing_metadata((("x-bytes", str(len(request))),))
    return request


def count(request, context):
    for number in range(int(request)):
        yield str(number).encode()


def bidi(requests, context):
    context.send_initial_metadata((("x-open", "yes"),))
    yield from requests


HANDLERS = {
    "Unary": grpc.unary_unary_rpc_method_handler(unary),
    "Count": grpc.unary_stream_rpc_method_handler(count),
    "Bidi": grpc.stream_stream_rpc_method_handler(bidi),
}


def main():
    directory, names = pathlib.Path(sys.argv[1]), sys.argv[2:]
    web_server.make_certificates(directory, names)
    key, certificate = ((directory / name).read_bytes() for name in ("leaf.key", "leaf.pem"))
    size = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
    server = grpc.server(concurrent.futures.ThreadPoolExecutor(8), options=size)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("test.Echo", HANDLERS),))
    port = server.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials([(key, certificate)]))
    server.start()
    print(f"port {port}", flush=True)
    sys.stdin.read()
    server.stop(None)


if __name__ == "__main__":
    main()
