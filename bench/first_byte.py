#!/usr/bin/env python3
"""How long an event of an event stream takes from a server to its client, directly and through `sallyport proxy`: plain HTTP on loopback.

    bench/first_byte.py build/bin/sallyport

The server sends 200 events, 5 ms apart, each with the time at which it was sent; the client subtracts. One line for each way: the
median and the 99th percentile in microseconds. `responses` is with `dlp: {responses: true}`: events are searched on their way.
"""

import http.client
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

EVENTS = 200
POLICY = """version: 1
name: first-byte
egress:
  - {name: events, hosts: [events.example], ports: [80], resolve: [127.0.0.1/32]}
dlp: {responses: %s}
"""


def serve(listener):
    while True:
        connection, _ = listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while not connection.recv(65536).endswith(b"\r\n\r\n"):
            pass
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(EVENTS):
            event = b"data: %d\n\n" % time.monotonic_ns()
            connection.sendall(b"%x\r\n%s\r\n" % (len(event), event))
            time.sleep(0.005)
        connection.sendall(b"0\r\n\r\n")
        connection.close()


def latencies(port, url):
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    client.request("GET", url, headers={"Host": "events.example"})
    response = client.getresponse()
    for line in response:
        if line.startswith(b"data: "):
            yield (time.monotonic_ns() - int(line[6:])) / 1000


def report(what, values):
    values = sorted(values)
    assert len(values) == EVENTS, f"{what}: {len(values)} events came"
    print(f"{what:12} median {statistics.median(values):7.0f} us   p99 {values[int(len(values) * 0.99)]:7.0f} us", flush=True)


def through_proxy(binary, server_port, responses):
    with tempfile.TemporaryDirectory() as work:
        policy = os.path.join(work, "policy.yaml")
        with open(policy, "w") as file:
            file.write(POLICY % responses)
        proxy = subprocess.Popen([binary, "proxy", "--policy", policy, "--listen", "127.0.0.1:0", "--audit", os.path.join(work, "log"),
                                  "--resolve", f"events.example:80:127.0.0.1:{server_port}"], stdout=subprocess.PIPE, text=True)
        try:
            for line in proxy.stdout:
                if place := re.search(r"listening on 127.0.0.1:(\d+)", line):
                    return list(latencies(int(place[1]), "http://events.example/"))
            sys.exit("the proxy does not start")
        finally:
            proxy.terminate()
            proxy.wait()


def main():
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=serve, args=(listener,), daemon=True).start()
    port = listener.getsockname()[1]
    report("direct", latencies(port, "/"))
    report("proxy", through_proxy(sys.argv[1], port, "false"))
    report("responses", through_proxy(sys.argv[1], port, "true"))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
