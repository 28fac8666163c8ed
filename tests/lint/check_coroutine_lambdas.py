#!/usr/bin/env python3
"""What a coroutine must not look like.

A lambda with captures is none: the captures die with the lambda object, before the first resume. A condition does not await: g++ 12 destroys the
temporaries of `if (co_await f(x))` twice.
"""

import re

import sources

_PARAMETERS = r"(?:\((?:[^()]|\([^()]*\))*\)\s*)?"
_LAMBDA = re.compile(r"(?<![\w\])\[])\[[^\[\]]+\]\s*" + _PARAMETERS + r"(?:mutable\s*)?(?:noexcept\s*)?->\s*([\w:]+)")
_CONDITION = re.compile(r"\b(?:if|while)\s*\(\s*!?\s*\(?\s*co_await\b")


def check(root):
    complaints = []
    for file in sources.product_files(root) + sources.test_files(root):
        code = sources.code_of(file.read_text())
        for match in _LAMBDA.finditer(code):
            if match[1].split("::")[-1] == "awaitable":
                name, line = file.relative_to(root).as_posix(), sources.line_of(code, match.start())
                complaints.append(f"{name}:{line}: a coroutine lambda with captures: make it a function with parameters")
        for match in _CONDITION.finditer(code):
            name, line = file.relative_to(root).as_posix(), sources.line_of(code, match.start())
            complaints.append(f"{name}:{line}: a condition that awaits: give what it waits for a name first")
    return complaints


if __name__ == "__main__":
    sources.run(check)
