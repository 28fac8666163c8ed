#!/usr/bin/env python3
"""check_documents.py can fail: each part is fed a tree with one fault and must name it, and the same tree without it."""

import pathlib
import tempfile
import unittest

import check_documents as documents

OPTION = 'app.add_subcommand("run", ""); run.add_option("--policy", x);'


def complaints(part, files):
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return part(root)


class Documents(unittest.TestCase):
    def check(self, part, files, bad):
        self.assertEqual(complaints(part, files), [])
        found = complaints(part, {**files, **bad})
        self.assertEqual(len(found), 1, found)

    def test_options_are_in_the_manual_and_every_completion(self):
        good = {"cli/cmd_run.cpp": OPTION, "docs/sallyport.1": ".Cm run\n.Fl -policy Ar X",
                "cli/completions/sallyport.bash": "run --policy", "cli/completions/_sallyport": "'run:x' '--policy[x]'",
                "cli/completions/sallyport.fish": "-a run -l policy"}
        self.check(documents.command_line, good, {"docs/sallyport.1": ".Cm run\n.Fl -policy-file Ar X"})
        self.check(documents.command_line, good, {"docs/sallyport.1": ".Fl -policy"})
        self.check(documents.command_line, good, {"cli/completions/sallyport.fish": "-a run"})
        self.check(documents.command_line, good, {"cli/completions/_sallyport": "'run:x'"})

    def test_variables_and_system_calls_are_listed(self):
        good = {"jail/environment.cpp": '"TERM", "LC_"', "jail/seccomp_filter.cpp": "SCMP_SYS(mount)",
                "docs/jail_operation.md": "`TERM` `LC_` `mount` `umount`"}
        self.check(documents.jail_lists, good, {"jail/environment.cpp": '"TERM", "LANG"'})
        self.check(documents.jail_lists, good, {"docs/jail_operation.md": "`TERM` `LC_` `umount`"})

    def test_links_lead_somewhere(self):
        good = {"README.md": "[a](docs/a.md) [b](https://example.com/b.md)", "docs/a.md": "[r](../README.md#use)"}
        self.check(documents.links, good, {"docs/a.md": "[r](README.md)"})

    def test_cited_tests_exist(self):
        good = {"tests/jail/a_test.cpp": "TEST(Suite, Holds) {", "docs/a.md": "`a_test.cpp` (`Suite.Holds`, `Holds`)"}
        self.check(documents.tests, good, {"docs/a.md": "`a_test.cpp` (`Suite.Breaks`)"})
        self.check(documents.tests, good, {"docs/a.md": "`b_test.cpp`"})
        self.check(documents.tests, good, {"docs/a.md": "`tests/cli/a_test.cpp`"})

    def test_modules_exist(self):
        good = {"jail/child.cpp": "", "docs/a.md": "`jail/child` `jail/child.cpp`"}
        self.check(documents.modules, good, {"docs/a.md": "`jail/children`"})

    def test_merges_are_finished(self):
        self.check(documents.merged, {"README.md": "one\n=======\n"}, {"README.md": "one\n" + "<" * 7 + " HEAD\ntwo\n"})


if __name__ == "__main__":
    unittest.main()
