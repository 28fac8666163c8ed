#!/usr/bin/env python3
"""What agent.sh tried is in the audit log: refused, nothing of it allowed, each with the chain of commands from the agent on.

Usage: check_refusals.py AUDIT_LOG [AGENT]. Without AGENT the log is one that knows no commands (`guard`).
"""

import json
import sys


def goes_to(record, host):
    """A request to the host; without proxy variables it ends with the question for its name."""
    return host in (record.get("host"), record.get("name"))


# What was tried -> how its record is recognised.
TRIED = {
    "curl": lambda r: goes_to(r, "evil.example"),
    "DNS": lambda r: r["type"] == "dns.query" and r["name"].endswith(".evil.example"),
    "git push": lambda r: goes_to(r, "github.com"),
    "npm publish": lambda r: r.get("host") == "registry.npmjs.org" and r.get("method") == "PUT",
}


def chain_of(record, commands):
    """The words of the commands that led to the process behind a record, the first one first."""
    return [" ".join(commands[seq]["argv"]) for seq in record.get("process", {}).get("chain", [])]


def check(records, agent):
    commands = {r["seq"]: r for r in records if r["type"] == "command.exec"}
    for what, fits in TRIED.items():
        found = [r for r in records if r["type"] in ("egress.request", "dns.query") and r.get("verdict") and fits(r)]
        if not found:
            yield f"{what}: no record"
        for record in found:
            chain = chain_of(record, commands)
            if record["verdict"] != "deny":
                yield f"{what}: {record['verdict']}"
            if agent and not any(agent in words for words in chain):
                yield f"{what}: the agent is not in the chain {chain}"


if __name__ == "__main__":
    with open(sys.argv[1]) as log:
        complaints = list(check([json.loads(line) for line in log], sys.argv[2] if len(sys.argv) > 2 else None))
    print("\n".join(complaints) or "ok")
    sys.exit(1 if complaints else 0)
