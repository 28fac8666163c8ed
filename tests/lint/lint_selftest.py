#!/usr/bin/env python3
"""Every lint can fail: each is fed a tree with one fault and must name it, and the same tree without the fault."""

import pathlib
import tempfile
import unittest

import check_child_symbols
import check_coroutine_lambdas
import check_layering
import check_mirror
import check_sizes


def complaints(check, files):
    """What `check` says about a tree that holds `files`, {path: text}."""
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return check(root)


class Layering(unittest.TestCase):
    def bad(self, name, line):
        self.assertEqual(len(complaints(check_layering.check, {name: line + "\n"})), 1, f"{name}: {line}")

    def ok(self, name, line):
        self.assertEqual(complaints(check_layering.check, {name: line + "\n"}), [], f"{name}: {line}")

    def test_arrows_between_folders(self):
        self.bad("base/x.hpp", '#include "policies/engine.hpp"')
        self.bad("policies/x.hpp", '#include "audit/event.hpp"')
        self.bad("jail/x.cpp", '#include "proxy/gateway.hpp"')
        self.bad("jail/x.cpp", '#include "dlp/scanner.hpp"')
        self.bad("proxy/x.cpp", '#include "jail/plan.hpp"')
        self.ok("cli/x.cpp", '#include "jail/plan.hpp"')
        self.ok("proxy/x.cpp", '#include "proxy/gateway.hpp"')

    def test_a_library_has_its_place(self):
        self.bad("policies/x.cpp", "#include <boost/asio/io_context.hpp>")
        self.bad("dlp/x.cpp", "#include <sys/socket.h>")
        self.bad("policies/x.cpp", "#include <sys/stat.h>")
        self.bad("cli/x.cpp", "#include <openssl/ssl.h>")
        self.bad("jail/x.cpp", "#include <ares.h>")
        self.bad("policies/engine.cpp", "#include <yaml-cpp/yaml.h>")
        self.bad("jail/mounts.cpp", "#include <seccomp.h>")
        self.bad("jail/mounts.cpp", "#include <libnftnl/rule.h>")
        self.ok("policies/yaml_loader.cpp", "#include <yaml-cpp/yaml.h>")
        self.ok("proxy/session.cpp", "#include <openssl/ssl.h>")

    def test_only_the_dialer_connects(self):
        self.bad("proxy/session.cpp", "  int r = ::connect(fd, address, size);")
        self.bad("jail/init.cpp", "  int r =::connect (fd, address, size);")
        self.bad("proxy/resolver.cpp", "  auto [ec] = co_await socket.async_connect(endpoint);")
        self.ok("proxy/dialer.cpp", "  auto [ec] = co_await socket.async_connect(endpoint);")
        self.ok("proxy/session.cpp", "  auto upstream = co_await dialer.connect(endpoint);")
        self.ok("proxy/session.cpp", "  // ::connect( in a comment")

    def test_only_the_engine_makes_permissions(self):
        self.bad("proxy/session.cpp", "  auto target = AllowedTarget(host, port, verdict, rule);")
        self.bad("proxy/dialer.cpp", "  return policies::AllowedEndpoint{address, port};")
        self.ok("policies/engine.cpp", "  return AllowedEndpoint(address, port);")
        self.ok("proxy/dialer.cpp", "Result<Socket> connect(std::vector<AllowedEndpoint> endpoints);")

    def test_only_cmd_run_weakens_the_jail(self):
        self.bad("jail/launch.cpp", "  plan.weaken(unsafe::ShareHostNetwork{});")
        self.ok("cli/cmd_run.cpp", "  plan.weaken(unsafe::ShareHostNetwork{});")


class Sizes(unittest.TestCase):
    @staticmethod
    def function(lines, head="int f(int x)"):
        return f"namespace n {{\n{head} {{\n" + "  g(';');\n" * (lines - 2) + "}\n}\n"

    def test_long_file(self):
        self.assertEqual(complaints(check_sizes.check, {"base/x.hpp": "// x\n" * 400}), [])
        self.assertEqual(len(complaints(check_sizes.check, {"base/x.hpp": "// x\n" * 401})), 1)

    def test_function_lengths(self):
        for head in ("int f(int x)", "Foo::Foo(int a) : a_{a}, b_(a)", "auto f(int x = 1) const -> int", "bool operator()(int) const"):
            self.assertEqual(check_sizes.functions(self.function(17, head)), [(2, 17)], head)

    def test_long_function(self):
        short = "".join(f"void s{i}() {{}}\n" for i in range(20))
        self.assertEqual(complaints(check_sizes.check, {"base/x.cpp": short + self.function(60)}), [])
        self.assertEqual(len(complaints(check_sizes.check, {"base/x.cpp": short + self.function(61)})), 1)

    def test_many_functions_of_middling_length(self):
        self.assertEqual(len(complaints(check_sizes.check, {"base/x.cpp": self.function(45) * 5})), 1)

    def test_data_and_types_are_no_functions(self):
        self.assertEqual(check_sizes.functions("struct S {\n int a;\n};\nint const t[] = {\n f(1),\n};\nenum class E { a };\n"), [])


class CoroutineLambdas(unittest.TestCase):
    def bad(self, line):
        self.assertEqual(len(complaints(check_coroutine_lambdas.check, {"proxy/x.cpp": line})), 1, line)

    def ok(self, line):
        self.assertEqual(complaints(check_coroutine_lambdas.check, {"proxy/x.cpp": line}), [], line)

    def test_captures(self):
        self.bad("auto t = [name]() -> awaitable<void> { co_return; };")
        self.bad("auto t = [&] -> asio::awaitable<void> { co_return; };")
        self.bad("co_spawn(io, [this](std::function<int()> f) mutable -> boost::asio::awaitable<int> { co_return 1; });")
        self.bad("auto t = [this,\n  name](int)\n  -> awaitable<void> { co_return; };")
        self.ok("auto t = []() -> awaitable<void> { co_return; };")
        self.ok("auto t = [name]() -> int { return 1; };")
        self.ok("[[nodiscard]] auto f() -> awaitable<void>;")

    def test_conditions(self):
        self.bad("if (co_await dns.lookup(name)) found();")
        self.bad("while (!co_await stream.done()) next();")
        self.ok("auto const found = co_await dns.lookup(name);\nif (found) co_return co_await answer();")


class Mirror(unittest.TestCase):
    def test_source_without_test_and_test_without_source(self):
        pair = {"base/x.cpp": "", "tests/base/x_test.cpp": ""}
        self.assertEqual(complaints(check_mirror.check, pair), [])
        self.assertEqual(len(complaints(check_mirror.check, {"base/x.cpp": ""})), 1)
        self.assertEqual(len(complaints(check_mirror.check, {"tests/base/x_test.cpp": ""})), 1)


class ChildSymbols(unittest.TestCase):
    def test_allocating_symbols(self):
        listing = "                 U {}\n                 U write\n"
        for name in ("malloc", "free", "_Znwm", "_ZdlPvm", "__cxa_throw", "__printf_chk", "fprintf"):
            self.assertEqual(check_child_symbols.allocating(listing.format(name)), [name])
        self.assertEqual(check_child_symbols.allocating(listing.format("execve")), [])


if __name__ == "__main__":
    unittest.main()
