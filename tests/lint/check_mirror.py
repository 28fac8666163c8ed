#!/usr/bin/env python3
"""Every product source has its test file, and every test file its source."""

import sources

# Sources that have no test file of their own, and why.
GATEWAY = "run by gateway_test over real sockets, and by tests/integration"
BUILD = "part of the build; seccomp_filter_test and gateway_filter_test load what it writes"
INTERCEPT = "run by intercept_test and tls_layer_test in real handshakes"
H2 = "run by h2_session_test with frames by hand, and by h2_server_test and h2_client_test over sockets"
HTTP2 = "run by http2_session_test and http2_requester_test between a client and a server over real TLS"
EXCEPTIONS = {
    "base/asio.cpp": "instantiates Asio, no code of ours",
    "cli/main.cpp": "composition root; the integration tests run it",
    "cli/cmd_run.cpp": "composition root of a session; tests/integration runs it in real jails",
    "cli/cmd_proxy.cpp": "declares options; proxy_session_test runs the command",
    "cli/proxy_loop.cpp": "proxy_session_test and proxy_reload_test run it in the command",
    "cli/cmd_attach.cpp": "declares options; attached_session_test runs the command",
    "cli/cmd_init.cpp": "declares options; init_project_test runs the command",
    "cli/cmd_guard.cpp": "declares options; tests/containers runs it in a namespace with a device",
    "cli/guard_session.cpp": "tests/containers runs it in a namespace with a device",
    "jail/guard_network.cpp": "tests/containers runs it in a namespace with a device",
    "cli/cmd_oci_hook.cpp": "reads a state and starts an attached session; tests/containers runs it under Podman",
    "base/seccomp_export.cpp": BUILD,
    "jail/write_seccomp_program.cpp": BUILD,
    "proxy/write_gateway_program.cpp": BUILD,
    "proxy/h2_inbox.cpp": H2,
    "proxy/h2_library.cpp": H2,
    "proxy/h2_pump.cpp": H2,
    "proxy/http2_responder.cpp": HTTP2,
    "proxy/http2_upstream.cpp": HTTP2,
    "proxy/server_link.cpp": HTTP2,
    "proxy/server_reach.cpp": HTTP2,
    "proxy/worker.cpp": GATEWAY,
    "proxy/client_tls.cpp": INTERCEPT,
    "proxy/kept_upstream.cpp": INTERCEPT,
    "proxy/root_lookup.cpp": INTERCEPT,
    "proxy/upstream_tls.cpp": INTERCEPT,
    "proxy/wire_bio.cpp": INTERCEPT,
}


def check(root):
    complaints = []
    for file in sources.product_files(root):
        name = file.relative_to(root)
        test = root / "tests" / name.with_name(name.stem + "_test.cpp")
        if file.suffix == ".cpp" and not test.exists() and name.as_posix() not in EXCEPTIONS:
            complaints.append(f"{name.as_posix()}: no {test.relative_to(root).as_posix()}")
    for folder in sources.FOLDERS:
        for test in sorted((root / "tests" / folder).glob("*_test.cpp")):
            stem = test.name.removesuffix("_test.cpp")
            if not any((root / folder / (stem + suffix)).exists() for suffix in (".cpp", ".hpp")):
                complaints.append(f"{test.relative_to(root).as_posix()}: no {folder}/{stem}.cpp or .hpp")
    return complaints


if __name__ == "__main__":
    sources.run(check)
