"""What the lints read: the product's C++ files, and their text without comments and literals."""

import pathlib
import re
import sys

FOLDERS = ("base", "policies", "dlp", "audit", "proxy", "jail", "cli")

# Comments, string literals and character literals. Digit separators (1'000) are no literals.
_NOISE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'""",
    re.DOTALL,
)


def product_files(root):
    """Every .cpp and .hpp of the product below `root`, sorted."""
    found = []
    for folder in FOLDERS:
        found += [f for f in (root / folder).rglob("*") if f.suffix in (".cpp", ".hpp")]
    return sorted(found)


def test_files(root):
    """Every .cpp and .hpp of the tests below `root`, sorted."""
    return sorted(f for f in (root / "tests").rglob("*") if f.suffix in (".cpp", ".hpp"))


def code_of(text):
    """`text` with comments and literals blanked out; every line keeps its number, #include lines stay as they are."""

    def blank(match):
        line_start = text.rfind("\n", 0, match.start()) + 1
        if text[line_start:].lstrip().startswith("#include") and not match[0].startswith("/"):
            return match[0]
        return re.sub(r"[^\n]", " ", match[0])

    return _NOISE.sub(blank, text)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def run(check):
    """Runs check(root) -> list of complaints on the tree named on the command line; exits 1 if there are any."""
    complaints = check(pathlib.Path(sys.argv[1]))
    print("\n".join(complaints) or "ok")
    sys.exit(1 if complaints else 0)
