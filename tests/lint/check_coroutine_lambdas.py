#!/usr/bin/env python3
"""A lambda with captures is never a coroutine: the captures die with the lambda object, before the first resume."""

import re

import sources

_PARAMETERS = r"(?:\((?:[^()]|\([^()]*\))*\)\s*)?"
_LAMBDA = re.compile(r"(?<![\w\])\[])\[[^\[\]]+\]\s*" + _PARAMETERS + r"(?:mutable\s*)?(?:noexcept\s*)?->\s*([\w:]+)")


def check(root):
    complaints = []
    for file in sources.product_files(root) + sources.test_files(root):
        code = sources.code_of(file.read_text())
        for match in _LAMBDA.finditer(code):
            if match[1].split("::")[-1] == "awaitable":
                name, line = file.relative_to(root).as_posix(), sources.line_of(code, match.start())
                complaints.append(f"{name}:{line}: a coroutine lambda with captures: make it a function with parameters")
    return complaints


if __name__ == "__main__":
    sources.run(check)
