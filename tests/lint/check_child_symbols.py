#!/usr/bin/env python3
"""jail/child.cpp runs between clone and exec in a process that may hold any lock: it may not reach the allocator.

Usage: check_child_symbols.py LIBRARY.a MEMBER.o
"""

import re
import subprocess
import sys

# malloc and its family, operator new and delete, exceptions (they allocate), stdio, locale.
_ALLOCATES = re.compile(
    r"^(__)?(malloc|calloc|realloc|free|aligned_alloc|posix_memalign|strdup|v?asprintf|v?f?printf|puts|fopen|setenv|opendir|"
    r"getpwnam|getaddrinfo)|^_Zn[wa]|^_Zd[la]|^__cxa_allocate_exception|^__cxa_throw")


def allocating(nm_output):
    """The undefined symbols in the output of `nm --undefined-only` that allocate or may do so."""
    names = [line.split()[-1] for line in nm_output.splitlines() if " U " in line]
    return [name for name in names if _ALLOCATES.match(name)]


def main():
    library, member = sys.argv[1:]
    listing = subprocess.run(["nm", "--undefined-only", library], capture_output=True, text=True, check=True).stdout
    sections = dict(re.findall(r"^(\S+):\n((?:.+\n?)*)", listing, re.MULTILINE))
    if member not in sections:
        sys.exit(f"{library} has no {member}")
    bad = allocating(sections[member])
    print(f"{member} refers to {', '.join(bad)}" if bad else "ok")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
