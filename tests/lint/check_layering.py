#!/usr/bin/env python3
"""A folder is a layer: who may include whom, which library belongs where, and where the dangerous words may stand."""

import re

import sources

MAY_USE = {
    "base": set(),
    "policies": {"base"},
    "dlp": {"base"},
    "audit": {"base", "policies", "dlp"},
    "proxy": {"base", "policies", "dlp", "audit"},
    "jail": {"base", "policies", "audit"},
    "cli": {"base", "policies", "dlp", "audit", "proxy", "jail"},
}

# What is included -> the files that may include it, as prefixes of their path.
LIBRARIES = [
    (r"<boost/asio", ["base/asio.", "proxy/", "jail/supervisor"]),
    (r"<openssl/", ["proxy/", "audit/chain", "policies/digest", "dlp/digest", "jail/java_store", "jail/browser_database"]),
    (r"<sqlite3", ["jail/browser_database"]),
    (r"<sodium", ["audit/signature"]),
    (r"<(ares|nghttp2/)", ["proxy/"]),
    (r"<(libnftnl|linux/rtnetlink)", ["jail/net_"]),
    (r"<linux/netfilter", ["jail/net_", "proxy/original_destination", "proxy/reject_message"]),
    (r"<(libmnl|linux/netlink|linux/sock_diag|linux/inet_diag)", ["jail/", "proxy/packet_log", "proxy/reject_message"]),
    (r"<re2/", ["dlp/", "policies/path_glob"]),
    (r"<toml\+\+", ["dlp/gitleaks_file"]),
    (r"<yaml-cpp", ["policies/yaml_"]),
    (r"<seccomp\.h", ["base/seccomp_export.", "jail/seccomp_filter", "proxy/gateway_filter"]),
    (r"<CLI/", ["cli/"]),
    (r"<sys/", ["base/", "audit/", "proxy/", "jail/", "cli/"]),
]

# Code -> the files it may stand in, and what the rule is.
WORDS = [
    (r"(?<!\w)::connect\s*\(|\basync_connect\s*\(|\basio::connect\s*\(|\bsyscall\s*\(\s*SYS_connect\b", ["proxy/dialer.cpp"],
     "only the dialer opens an outbound connection"),
    (r"(?<!class )(?<!struct )\bAllowed(Target|Endpoint)\s*[({]", ["policies/engine.cpp", "policies/allowed.hpp"],
     "only the policy engine makes a permission"),
    (r"\bunsafe::", ["jail/unsafe.hpp", "cli/cmd_run.cpp"], "only cmd_run weakens the jail"),
]

INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"(\w+)/|(<[^>]+>))')


def _include_complaint(name, match):
    folder = name.split("/")[0]
    layer, library = match[1], match[2]
    if layer and layer != folder and layer not in MAY_USE[folder]:
        return f"{folder} may not include {layer}"
    for pattern, places in LIBRARIES:
        if library and re.match(pattern, library) and not name.startswith(tuple(places)):
            return f"{library} belongs in {', '.join(places)}"
    return None


def _check_line(name, line):
    match = INCLUDE.match(line)
    if match:
        complaint = _include_complaint(name, match)
        return [complaint] if complaint else []
    return [rule for pattern, places, rule in WORDS if re.search(pattern, line) and name not in places]


def check(root):
    complaints = []
    for file in sources.product_files(root):
        name = file.relative_to(root).as_posix()
        for number, line in enumerate(sources.code_of(file.read_text()).splitlines(), 1):
            complaints += [f"{name}:{number}: {what}" for what in _check_line(name, line)]
    return complaints


if __name__ == "__main__":
    sources.run(check)
