"""Whose signature a request of AWS's Signature Version 4 carries, by a second implementation of it.

    check_sigv4.py SHA256_OF_BODY NAME=SECRET... < REQUEST_HEAD

Prints the NAME whose SECRET made it, or "nobody".
"""

import hashlib
import hmac
import sys
import urllib.parse


def digest(data):
    return hashlib.sha256(data).hexdigest()


head = sys.stdin.read().replace("\r", "")
lines = head.strip().split("\n")
method, target = lines[0].split(" ")[:2]
fields = {}
for line in lines[1:]:
    name, _, value = line.partition(":")
    fields[name.strip().lower()] = " ".join(value.split())
algorithm, _, members = fields["authorization"].partition(" ")
assert algorithm == "AWS4-HMAC-SHA256", algorithm
given = dict(each.strip().split("=", 1) for each in members.split(","))
_, date, region, service, end = given["Credential"].split("/")
path, _, query = target.partition("?")
if service != "s3":
    path = urllib.parse.quote(path, safe="/-_.~")
parameters = "&".join(sorted(each if "=" in each else each + "=" for each in query.split("&") if each))
payload = fields.get("x-amz-content-sha256") or sys.argv[1]
names = given["SignedHeaders"]
canonical = "\n".join([method, path, parameters] + [f"{name}:{fields[name]}" for name in names.split(";")] + ["", names, payload])
to_sign = "\n".join([algorithm, fields["x-amz-date"], "/".join([date, region, service, end]), digest(canonical.encode())])

found = "nobody"
for name, secret in (each.split("=", 1) for each in sys.argv[2:]):
    key = ("AWS4" + secret).encode()
    for part in (date, region, service, end):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    if hmac.new(key, to_sign.encode(), hashlib.sha256).hexdigest() == given["Signature"]:
        found = name
print(found)
