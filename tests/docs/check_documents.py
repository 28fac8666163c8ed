#!/usr/bin/env python3
"""Documents say what the code has: commands, options, variables, system calls, files and tests that are named exist. No merge is left half done.

Usage: check_documents.py ROOT
"""

import pathlib
import re
import sys

SHELLS = {"bash": "sallyport.bash", "zsh": "_sallyport", "fish": "sallyport.fish"}
PROSE = ("README.md", "SECURITY.md", "CONTRIBUTING.md", "docs/*.md", "docs/engines/*.md")


def _read(root, name):
    file = root / name
    return file.read_text() if file.exists() else ""


def _prose(root):
    for pattern in PROSE:
        for file in sorted(root.glob(pattern)):
            yield file


def _words(names, text, where):
    """Complaints about those of `names` that do not stand in `text` as whole words."""
    missing = [name for name in names if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)]
    return [f"{where}: '{name}' is missing" for name in missing]


def command_line(root):
    """Every subcommand and option that cli/ declares is in the man page and in the completions of each shell."""
    code = "".join(file.read_text() for file in sorted((root / "cli").glob("cmd_*.cpp")))
    options = sorted(set(re.findall(r'"--([a-z-]+)"', code)))
    commands = sorted(set(re.findall(r'(?:add_subcommand\(|chosen, \{)"([a-z]+)"', code)))
    manual = _read(root, "docs/sallyport.1").replace("Fl -", "--")
    found = _words(["--" + option for option in options], manual, "docs/sallyport.1")
    found += _words(commands, manual, "docs/sallyport.1")
    for shell, name in SHELLS.items():
        text = _read(root, "cli/completions/" + name)
        if shell == "fish":
            text = re.sub(r"-l (?=[a-z])", "--", text)
        found += _words(["--" + option for option in options] + commands, text, "cli/completions/" + name)
    return found


def jail_lists(root):
    """Every variable and every refused system call of the code is in docs/jail_operation.md."""
    text = _read(root, "docs/jail_operation.md")
    environment = _read(root, "jail/environment.cpp")
    variables = re.findall(r'"([A-Za-z_]+)"', environment)
    calls = re.findall(r"SCMP_SYS\((\w+)\)", _read(root, "jail/seccomp_filter.cpp"))
    quoted = re.sub(r"`([^`]*)`", r" \1 ", text)
    return _words(sorted({v for v in variables if len(v) > 1 and v not in ("http", "https")} | set(calls)), quoted,
                  "docs/jail_operation.md")


def links(root):
    """Every relative link leads to a file."""
    found = []
    for file in _prose(root):
        for target in re.findall(r"\]\(([^)#]+)", file.read_text()):
            if "://" not in target and not (file.parent / target).exists():
                found.append(f"{file.relative_to(root)}: no file '{target}'")
    return found


def tests(root):
    """Every test file that a document gives as proof exists, and holds the tests that are named with it."""
    found = []
    for file in _prose(root):
        for path, proof in re.findall(r"`([^`]*_test\.cpp)`(?: \(([^)]*)\))?", file.read_text()):
            if not re.search(r"[*N<]", path):
                found += [f"{file.relative_to(root)}: {what}" for what in _unproven(root, path, proof)]
    return found


def _unproven(root, path, proof):
    files = [root / path] if "/" in path else list((root / "tests").rglob(path))
    if not files or not files[0].exists():
        return [f"no test file '{path}'"]
    names = set()
    for suite, name in re.findall(r"^TEST(?:_F|_P)?\((\w+), (\w+)\)", "".join(f.read_text() for f in files), re.MULTILINE):
        names |= {suite, name, f"{suite}.{name}"}
    return [f"{path} has no test '{name}'" for name in re.findall(r"`([A-Za-z0-9.]+)`", proof) if name not in names]


def modules(root):
    """Every `folder/name` that a document names is a file, a pair of .hpp and .cpp, or a folder."""
    found = []
    for file in _prose(root):
        for name in re.findall(r"`((?:base|policies|audit|proxy|jail|cli)/[a-z_]+(?:\.[ch]pp)?)`", file.read_text()):
            if not any((root / (name + end)).exists() for end in ("", ".hpp", ".cpp")):
                found.append(f"{file.relative_to(root)}: no file '{name}'")
    return found


def merged(root):
    """No line of a merge that was not finished."""
    return [f"{file.relative_to(root)}:{number}: '{line[:20]}'" for file in _prose(root)
            for number, line in enumerate(file.read_text().splitlines(), 1) if re.match(r"(<{7}|>{7}) ", line)]


CHECKS = (command_line, jail_lists, links, tests, modules, merged)


def check(root):
    return [complaint for part in CHECKS for complaint in part(root)]


if __name__ == "__main__":
    complaints = check(pathlib.Path(sys.argv[1]))
    print("\n".join(complaints) or "ok")
    sys.exit(1 if complaints else 0)
