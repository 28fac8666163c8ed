#!/usr/bin/python3
"""A WebSocket server on loopback that sends messages back: wss:// under names that it makes certificates for.

Usage: websocket_server.py DIRECTORY NAME…

DIRECTORY/ca.pem     the authority, made at the start
DIRECTORY/messages   one line a message: its SHA-256
Prints "port N" once it serves. Ends with its standard input.
"""

import asyncio
import hashlib
import pathlib
import ssl
import sys

import websockets

import web_server


def whole(message):
    return message.encode() if isinstance(message, str) else message


async def serve(directory):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(directory / "leaf.pem", directory / "leaf.key")

    async def echo(connection):
        async for message in connection:
            with open(directory / "messages", "a", encoding="ascii") as log:
                log.write(hashlib.sha256(whole(message)).hexdigest() + "\n")
            await connection.send(message)

    async with websockets.serve(echo, "127.0.0.1", 0, ssl=context, max_size=None) as server:
        print("port", server.sockets[0].getsockname()[1], flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    place = pathlib.Path(sys.argv[1])
    web_server.make_certificates(place, sys.argv[2:])
    asyncio.run(serve(place))
