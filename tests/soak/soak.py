#!/usr/bin/env python3
"""Soak of `sallyport proxy`: many mixed requests over every leg, servers and clients that misbehave, idle and half-closed tunnels, and a storm of reloads
during transfers. Afterwards descriptors, threads and memory have to be what they were, and every request has to be on the log.

    tests/soak/soak.py build/bin/sallyport                     # 100,000 requests, 10,000 tunnels, 60 s of reloads: some minutes
    tests/soak/soak.py build/bin/sallyport --requests 2000 --tunnels 200 --storm 5

Loopback only. Needs nothing but Python, and root: nobody else may look at a gateway's descriptors. Exit status 0: all held; 1: the last lines say what did not.
"""

import argparse
import asyncio
import collections
import hashlib
import json
import logging
import os
import random
import re
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time

POLICY = """version: 1
name: soak
egress:
  - {name: web, hosts: [web.example], ports: [80, 8443], inspect: sni, resolve: [127.0.0.1/32]}
  - {name: odd, hosts: ["*.odd.example"], ports: [80], resolve: [127.0.0.1/32]}
"""
BLOB = random.Random(1).randbytes(64 * 1024 * 1024)


# ------------------------------------------------------------------ servers

async def read_head(reader):
    head = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: (\d+)", head)
    return head, await reader.readexactly(int(length[1])) if length else b""


async def serve_web(reader, writer):
    """Kept connections; /blob is 64 MiB."""
    try:
        while True:
            head, body = await read_head(reader)
            content = BLOB if b" /blob " in head else hashlib.sha256(body).hexdigest().encode()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(content) + content)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def serve_odd(reader, writer):
    """What the first label of the host says: hang, reset, trickle, garbage, early (an end in the middle of the body)."""
    try:
        head, _ = await read_head(reader)
        kind = re.search(rb"(?i)host: (\w+)\.", head)[1]
        if kind == b"hang":
            await reader.read()  # until the proxy gives up
        elif kind == b"reset":
            writer.get_extra_info("socket").setsockopt(1, 13, struct.pack("ii", 1, 0))  # SO_LINGER
        elif kind == b"trickle":
            for byte in b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok":
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(0.001)
        elif kind == b"garbage":
            writer.write(random.randbytes(300) + b"\r\n\r\n")
        else:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def serve_tunnel(reader, writer):
    """Echo behind a ClientHello: what an opaque tunnel leads to. Says "end" when the client sends no more."""
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        writer.write(b"end")
    except ConnectionError:
        pass
    finally:
        writer.close()


def client_hello(name):
    sni = name.encode()
    entry = struct.pack("!HHBH", len(sni) + 5, len(sni) + 3, 0, len(sni)) + sni
    extensions = struct.pack("!H", 0) + entry + struct.pack("!HHBH", 43, 3, 2, 0x0304)
    body = b"\x03\x03" + bytes(32) + b"\0" + struct.pack("!HH", 2, 0x1301) + b"\x01\0" + struct.pack("!H", len(extensions)) + extensions
    handshake = b"\x01" + len(body).to_bytes(3, "big") + body
    return b"\x16\x03\x01" + struct.pack("!H", len(handshake)) + handshake


# ------------------------------------------------------------------ the gateway

class Gateway:
    def __init__(self, binary, work, ports):
        self.work, self.binary = work, binary
        self.policy, self.log = os.path.join(work, "policy.yaml"), os.path.join(work, "audit.jsonl")
        self.write_policy(POLICY)
        pins = ["--resolve", f"web.example:80:127.0.0.1:{ports['web']}", "--resolve", f"web.example:8443:127.0.0.1:{ports['tunnel']}"]
        for kind in KINDS:
            pins += ["--resolve", f"{kind}.odd.example:80:127.0.0.1:{ports['odd']}"]
        self.process = subprocess.Popen(
            [binary, "proxy", "--policy", self.policy, "--listen", "127.0.0.1:0", "--audit", self.log, "--max-connections", "20000",
             "--max-connections-per-client", "20000", *pins], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, "XDG_STATE_HOME": work})
        line = self.process.stdout.readline()
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)", line)[1])
        time.sleep(0.3)
        self.pids = [self.process.pid] + [int(p) for p in
                                          open(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read().split()]

    def write_policy(self, text):
        with open(self.policy + ".new", "w") as file:
            file.write(text)
        os.replace(self.policy + ".new", self.policy)

    def state(self):
        def rss(pid):
            return int(re.search(r"Rss:\s+(\d+)", open(f"/proc/{pid}/smaps_rollup").read())[1])
        return {"descriptors": [len(os.listdir(f"/proc/{p}/fd")) for p in self.pids],
                "threads": [len(os.listdir(f"/proc/{p}/task")) for p in self.pids], "rss_kb": [rss(p) for p in self.pids]}

    async def settled(self, baseline, patience=45):
        """The state once the descriptors are what they were, or after `patience` seconds."""
        end = time.monotonic() + patience
        while self.state()["descriptors"] != baseline["descriptors"] and time.monotonic() < end:
            await asyncio.sleep(0.2)
        return self.state()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


# ------------------------------------------------------------------ clients

KINDS = ["hang", "reset", "trickle", "garbage", "early"]


class Load:
    def __init__(self, port):
        self.port, self.done, self.latencies = port, collections.Counter(), []
        self.random = random.Random(2)

    async def connect(self):
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def head(self, reader):
        return await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)

    # Each returns how many requests the log has to have for it.
    async def get(self):
        reader, writer = await self.connect()
        count = self.random.randint(1, 5)
        for _ in range(count):
            body = self.random.randbytes(self.random.choice([0, 10, 5000, 70000]))
            started = time.monotonic()
            writer.write(b"POST http://web.example/x HTTP/1.1\r\nHost: web.example\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            head = await self.head(reader)
            assert head.startswith(b"HTTP/1.1 200"), head
            digest = await reader.readexactly(64)
            assert digest.decode() == hashlib.sha256(body).hexdigest(), "a body that changed"
            self.latencies.append(time.monotonic() - started)
        writer.close()
        return count

    async def denied(self):
        reader, writer = await self.connect()
        writer.write(b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n")
        assert (await self.head(reader)).startswith(b"HTTP/1.1 403")
        writer.close()
        return 1

    async def tunnel(self, keep=False):
        reader, writer = await self.connect()
        hello = client_hello("web.example")
        writer.write(b"CONNECT web.example:8443 HTTP/1.1\r\nHost: web.example:8443\r\n\r\n")
        assert (await self.head(reader)).startswith(b"HTTP/1.1 200")
        writer.write(hello)
        assert await asyncio.wait_for(reader.readexactly(len(hello)), 30) == hello
        if keep:
            return reader, writer
        data = self.random.randbytes(self.random.choice([1, 3000, 200000]))
        writer.write(data)
        assert await asyncio.wait_for(reader.readexactly(len(data)), 30) == data
        writer.close()
        return 1

    async def socks(self):
        reader, writer = await self.connect()
        writer.write(b"\x05\x01\x00")
        assert await reader.readexactly(2) == b"\x05\x00"
        name = b"web.example"
        writer.write(b"\x05\x01\x00\x03" + bytes([len(name)]) + name + struct.pack("!H", 8443))
        assert (await reader.readexactly(10))[1] == 0
        hello = client_hello("web.example")
        writer.write(hello)
        assert await asyncio.wait_for(reader.readexactly(len(hello)), 30) == hello
        writer.close()
        return 1

    async def odd(self):
        kind = self.random.choice(KINDS)
        reader, writer = await self.connect()
        writer.write(f"GET http://{kind}.odd.example/ HTTP/1.1\r\nHost: {kind}.odd.example\r\n\r\n".encode())
        try:
            await asyncio.wait_for(reader.read(), 0.3)  # then the client has had enough
        except (asyncio.TimeoutError, ConnectionError):
            pass
        writer.transport.abort()
        return 1

    async def garbage(self):
        reader, writer = await self.connect()
        writer.write(self.random.choice([self.random.randbytes(500), b"GET / HTTP/9.9\r\n\r\n", b"\x05\x01\x00\x05\x02\x00", b"\r\n" * 50]))
        writer.transport.abort() if self.random.random() < 0.5 else writer.close()
        return None  # what is no request may have a record

    async def killed(self):
        """A client that goes away in some state: before its head ends, in its body, before the answer."""
        request = b"POST http://web.example/x HTTP/1.1\r\nHost: web.example\r\nContent-Length: 100000\r\n\r\n" + bytes(100000)
        _, writer = await self.connect()
        writer.write(request[: self.random.choice([10, 60, 90, 3000, 80000, len(request)])])
        await asyncio.sleep(self.random.choice([0, 0.001, 0.01]))
        writer.transport.abort()
        return None

    async def worker(self, until):
        mix = [self.get] * 6 + [self.denied] * 2 + [self.tunnel] * 4 + [self.socks] * 2 + [self.odd] * 2 + [self.garbage, self.killed]
        while sum(self.done.values()) < until:
            action = self.random.choice(mix)
            requests = await action()
            self.done[action.__name__] += requests or 1
            if requests is not None:
                self.done_for_certain += requests

    done_for_certain = 0

    async def run(self, count, concurrency=48):
        await asyncio.gather(*(self.worker(count) for _ in range(concurrency)))


async def idle_tunnels(load, gateway, count):
    before = gateway.state()
    tunnels = []
    for first in range(0, count, 50):
        tunnels += await asyncio.gather(*(load.tunnel(keep=True) for _ in range(min(50, count - first))))
    during = gateway.state()
    for reader, writer in tunnels:
        writer.write(b"ping")
        assert await asyncio.wait_for(reader.readexactly(4), 30) == b"ping", "an idle tunnel that does not answer"
    for _, writer in tunnels:
        writer.transport.abort()
    load.done_for_certain += count
    return (sum(during["rss_kb"]) - sum(before["rss_kb"])) / max(count, 1)


async def half_closed(load, count):
    """Clients that send no more and still read; every third goes away without."""
    tunnels = await asyncio.gather(*(load.tunnel(keep=True) for _ in range(count)))
    for _, writer in tunnels:
        writer.write_eof()
    for reader, writer in tunnels[::3]:
        writer.transport.abort()
    for i, (reader, writer) in enumerate(tunnels):
        if i % 3:
            assert await asyncio.wait_for(reader.read(), 30) == b"end", "a half-closed tunnel that loses what comes back"
            writer.close()
    load.done_for_certain += count


async def storm(load, gateway, seconds):
    """A reload each 100 ms, every third of an invalid policy, while bodies of 64 MiB are fetched."""
    ended = time.monotonic() + seconds
    fetched = 0

    async def fetch():
        nonlocal fetched
        while time.monotonic() < ended:
            reader, writer = await asyncio.open_connection("127.0.0.1", load.port, limit=1 << 20)
            writer.write(b"GET http://web.example/blob HTTP/1.1\r\nHost: web.example\r\n\r\n")
            assert (await load.head(reader)).startswith(b"HTTP/1.1 200")
            assert await asyncio.wait_for(reader.readexactly(len(BLOB)), 120) == BLOB, "a transfer that changed"
            writer.close()
            fetched += 1
            load.done_for_certain += 1

    async def reload():
        texts = [POLICY, POLICY + "  - {name: more, hosts: [more.example]}\n", "version: 1\nname: [broken\n"]
        turn = 0
        while time.monotonic() < ended:
            gateway.write_policy(texts[turn % 3])
            gateway.process.send_signal(signal.SIGHUP)
            turn += 1
            await asyncio.sleep(0.1)
        gateway.write_policy(POLICY)
        return turn

    *_, reloads = await asyncio.gather(fetch(), fetch(), reload())
    return fetched, reloads


# ------------------------------------------------------------------ the verdict

def p99(values):
    return sorted(values)[int(len(values) * 0.99)] if values else 0


def check_log(gateway, certain):
    verified = subprocess.run([gateway.binary, "audit", "verify", gateway.log], capture_output=True, text=True)
    types = collections.Counter()
    ids = set()
    with open(gateway.log) as log:
        for line in log:
            record = json.loads(line)
            types[record["type"]] += 1
            if record["type"] == "egress.request" and record["phase"] == "verdict":
                types["verdict"] += 1
                ids.add(record["id"])
    print("log:", dict(types.most_common()))
    problems = [] if verified.returncode == 0 else [f"audit verify: {verified.stdout}{verified.stderr}"]
    if types["verdict"] < certain:
        problems.append(f"{certain} requests were made, {types['verdict']} verdicts are on the log")
    if len(ids) != types["verdict"]:
        problems.append(f"{types['verdict'] - len(ids)} requests have more than one verdict record")
    return problems


async def main(args):
    if os.geteuid() != 0:
        sys.exit("soak.py: run it as root: nobody else may look at a gateway's descriptors")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if args.tunnels * 2 > most - 1000:  # this process has both ends, and so has the gateway
        args.tunnels = (most - 1000) // 2
        print(f"the limit of open files allows {args.tunnels} tunnels", flush=True)
    servers = {name: await asyncio.start_server(handler, "127.0.0.1", 0, backlog=1000)
               for name, handler in (("web", serve_web), ("odd", serve_odd), ("tunnel", serve_tunnel))}
    with tempfile.TemporaryDirectory(prefix="sallyport-soak.") as temporary:
        work = args.work or temporary
        os.makedirs(work, exist_ok=True)
        gateway = Gateway(args.binary, work, {name: s.sockets[0].getsockname()[1] for name, s in servers.items()})
        load = Load(gateway.port)
        problems = []

        async def step(what, baseline=None):
            state = await gateway.settled(baseline) if baseline else gateway.state()
            print(f"{what}: {state}", flush=True)
            if baseline and state["descriptors"] != baseline["descriptors"]:
                problems.append(f"{what}: descriptors {baseline['descriptors']} -> {state['descriptors']}")
            if baseline and state["threads"] != baseline["threads"]:
                problems.append(f"{what}: threads {baseline['threads']} -> {state['threads']}")
            return state

        await load.run(min(2000, args.requests))  # what is made once is there
        idle = {"descriptors": []}
        await gateway.settled(idle, patience=45)  # servers that hang are given up
        baseline = await step("warm")
        load.latencies.clear()
        started = time.monotonic()
        await load.run(sum(load.done.values()) + args.requests)
        print(f"{args.requests} requests in {time.monotonic() - started:.0f} s: {dict(load.done)}", flush=True)
        tenth = max(1, len(load.latencies) // 10)
        first, last = p99(load.latencies[:tenth]), p99(load.latencies[-tenth:])
        print(f"p99 of the first tenth {first * 1e3:.1f} ms, of the last {last * 1e3:.1f} ms", flush=True)
        if args.requests >= 20_000 and last > 2 * first + 0.02:  # of a few, one is the 99th percentile
            problems.append("p99 grew")
        after = await step("after the requests", baseline)
        each = await idle_tunnels(load, gateway, args.tunnels)
        print(f"{args.tunnels} idle tunnels: {each:.1f} kB each", flush=True)
        if args.tunnels >= 5_000 and each > 12:  # of a few, the heap has the room already
            problems.append(f"an idle tunnel holds {each:.1f} kB")
        await step("after the tunnels", baseline)
        await half_closed(load, 300)
        await step("after 300 half-closed tunnels", baseline)
        fetched, reloads = await storm(load, gateway, args.storm)
        print(f"{fetched} transfers of 64 MiB during {reloads} reloads", flush=True)
        end = await step("after the reloads", baseline)
        grown = sum(end["rss_kb"]) - sum(after["rss_kb"])
        if grown > 64 * 1024:
            problems.append(f"memory grew by {grown} kB")
        gateway.stop()
        problems += check_log(gateway, load.done_for_certain)
    for server in servers.values():
        server.close()
    logging.disable()  # of handlers that are cancelled with the loop
    print("\n".join(problems) if problems else "ok")
    return 1 if problems else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--tunnels", type=int, default=10_000)
    parser.add_argument("--work", help="keep the policy and the log there")
    parser.add_argument("--storm", type=float, default=60, help="seconds")
    sys.exit(asyncio.run(main(parser.parse_args())))
