#!/usr/bin/python3
"""A WebSocket client for jails. Sends messages of each kind to an echo server, and says what came of it.

Usage: websocket_client.py LEG ACTION [TEXT]

LEG      connect (through the proxy on 127.0.0.1:3128) or transparent
ACTION   echo: sends messages of each kind and size; prints "KIND ok" for each that came back as it was
         bulk: 64 MiB in messages of 1 MiB; prints "bulk ok"
         plant: TEXT in messages of each kind, a connection for each; prints "KIND CODE" of the Close frame that ended it
"""

import asyncio
import os
import socket
import ssl
import sys

import websockets

HOST = "socket.example"
MIB = 1024 * 1024


def proxied():
    """A socket that leads to HOST through the proxy."""
    sock = socket.create_connection(("127.0.0.1", 3128))
    sock.sendall(f"CONNECT {HOST}:443 HTTP/1.1\r\nHost: {HOST}:443\r\n\r\n".encode())
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += sock.recv(1)
    if not answer.startswith(b"HTTP/1.1 200"):
        raise SystemExit(answer.decode())
    sock.setblocking(False)
    return sock


def connect(leg, compression):
    way = {"sock": proxied(), "server_hostname": HOST} if leg == "connect" else {}
    return websockets.connect(f"wss://{HOST}/live", ssl=ssl.create_default_context(), compression=compression, max_size=None, **way)


def kinds(text):
    """Name -> what to send, and what is the message. A list is sent in fragments."""
    half = len(text) // 2
    return {"text": (text, text), "binary": (b"\x00\xff" + text.encode(), b"\x00\xff" + text.encode()),
            "fragments": ([text[:half], text[half:half + 1], text[half + 1:]], text)}


async def echo(leg):
    for compression in (None, "deflate"):
        async with connect(leg, compression) as connection:
            if bool(connection.extensions) != (compression is not None):
                raise SystemExit("the extension is not as asked for")
            cases = kinds("Grüße, " * 3)
            cases["big"] = (os.urandom(MIB + 1),) * 2
            cases["big text"] = ("0123456789" * (MIB // 5),) * 2
            cases["empty"] = ("", "")
            for name, (sent, message) in cases.items():
                await connection.send(sent)
                same = await connection.recv() == message
                print(compression or "plain", name, "ok" if same else "differs", flush=True)
            await (await connection.ping())
            print(compression or "plain", "ping ok", flush=True)


async def bulk(leg):
    async with connect(leg, None) as connection:
        block = os.urandom(MIB)
        for number in range(64):
            message = bytes([number]) + block
            await connection.send(message)
            if await connection.recv() != message:
                raise SystemExit(f"message {number} differs")
    print("bulk ok")


async def plant(leg, text):
    for compression in (None, "deflate"):
        for name, (sent, _) in kinds(text).items():
            async with connect(leg, compression) as connection:
                try:
                    await connection.send("first")
                    await connection.recv()
                    await connection.send(sent)
                    await connection.recv()
                    print(compression or "plain", name, "came back", flush=True)
                except websockets.ConnectionClosed as end:
                    print(compression or "plain", name, end.rcvd.code if end.rcvd else "cut", end.rcvd.reason if end.rcvd else "", flush=True)


if __name__ == "__main__":
    actions = {"echo": echo, "bulk": bulk, "plant": plant}
    asyncio.run(actions[sys.argv[2]](sys.argv[1], *sys.argv[3:]))
