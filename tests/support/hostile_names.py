"""A name server that lies, and the servers its names lead to. For a network namespace of the test's own.

    hostile_names.py LOG

Answers on 127.0.0.1:53, by UDP and TCP, and serves HTTP on port 80 of every address of the namespace, with the address that was dialled as
its answer. LOG gets a line for each question ("ask NAME TYPE udp|tcp") and each connection ("reach ADDRESS"). Prints "ready".
"""

import socket
import struct
import sys
import threading

PUBLIC, OTHER_PUBLIC, PRIVATE, LOOPBACK = "23.0.0.7", "23.0.0.9", "10.1.2.3", "127.0.0.1"
A, CNAME, OPT = 1, 5, 41

log_lock = threading.Lock()
asked = {}  # name -> how often for an address


def log(line):
    with log_lock, open(sys.argv[1], "a") as file:
        file.write(line + "\n")


def encode_name(name):
    return b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0"


def read_question(packet):
    labels, at = [], 12
    while packet[at]:
        labels.append(packet[at + 1:at + 1 + packet[at]].decode())
        at += packet[at] + 1
    return ".".join(labels).lower(), struct.unpack(">H", packet[at + 1:at + 3])[0], packet[12:at + 5]


def record(name, kind, data, ttl=0):
    return encode_name(name) + struct.pack(">HHIH", kind, 1, ttl, len(data)) + data


def reply(packet, question, answers, flags=0x8180, transaction=None):
    transaction = packet[:2] if transaction is None else transaction
    return transaction + struct.pack(">HHHHH", flags, 1, len(answers), 0, 0) + question + b"".join(answers)


def addresses(name, *given):
    return [record(name, A, socket.inet_aton(each)) for each in given]


def chain(name, length, end):
    """name -> c0.NAME -> c1.NAME ... -> the address."""
    links = [name] + [f"c{i}.{name}" for i in range(length)]
    return [record(a, CNAME, encode_name(b)) for a, b in zip(links, links[1:])] + addresses(links[-1], end)


def answers_to(name, count, transport):
    """What the name leads to, the `count`th time it is asked for; None: nothing."""
    kind = name.split(".")[0]
    if kind == "rebind":
        return addresses(name, PUBLIC if count == 0 else LOOPBACK)
    if kind == "inward":
        return addresses(name, PRIVATE)
    if kind == "both":
        return addresses(name, PRIVATE, PUBLIC)
    if kind == "alias":
        return [record(name, CNAME, encode_name("inside.corp.test"))] + addresses("inside.corp.test", PRIVATE)
    if kind == "mirror":
        return addresses(name, PRIVATE)
    if kind == "chain":
        return chain(name, 100, PUBLIC)
    if kind == "large":
        return addresses(name, *[PUBLIC] * 100) if transport == "tcp" else []
    return addresses(name, PUBLIC)


def respond(packet, transport, send, send_from_elsewhere):
    name, kind, question = read_question(packet)
    log(f"ask {name} {kind} {transport}")
    if kind != A:
        return send(reply(packet, question, []))
    count = asked.get(name, 0)
    asked[name] = count + 1
    what = name.split(".")[0]
    lie = addresses(name, OTHER_PUBLIC)
    if what == "txid":
        for off in range(1, 50):
            send(reply(packet, question, lie, transaction=struct.pack(">H", (struct.unpack(">H", packet[:2])[0] + off) & 0xFFFF)))
    if what == "question":
        other = "other." + name
        send(reply(packet, encode_name(other) + question[-4:], addresses(other, OTHER_PUBLIC) + lie))
    if what == "source":
        send_from_elsewhere(reply(packet, question, lie))
    truncated = 0x8380 if what == "large" and transport == "udp" else 0x8180
    send(reply(packet, question, answers_to(name, count, transport), flags=truncated))


def serve_udp():
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 53))
    elsewhere = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    elsewhere.bind(("127.0.0.2", 53))
    while True:
        packet, client = server.recvfrom(4096)
        respond(packet, "udp", lambda out: server.sendto(out, client), lambda out: elsewhere.sendto(out, client))


def receive(connection, count):
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            raise ConnectionError
        data += more
    return data


def serve_tcp():
    server = socket.create_server(("127.0.0.1", 53))
    while True:
        connection, _ = server.accept()
        try:
            packet = receive(connection, struct.unpack(">H", receive(connection, 2))[0])
            respond(packet, "tcp", lambda out: connection.sendall(struct.pack(">H", len(out)) + out), lambda out: None)
        except ConnectionError:
            pass
        connection.close()


def serve_http():
    server = socket.create_server(("0.0.0.0", 80))
    while True:
        connection, _ = server.accept()
        body = connection.getsockname()[0].encode()
        log("reach " + body.decode())
        connection.settimeout(5)
        try:
            while b"\r\n\r\n" not in connection.recv(65536, socket.MSG_PEEK):
                pass
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        except OSError:
            pass
        connection.close()


threads = [threading.Thread(target=each, daemon=True) for each in (serve_udp, serve_tcp, serve_http)]
for thread in threads:
    thread.start()
print("ready", flush=True)
for thread in threads:
    thread.join()
