#!/usr/bin/env python3
"""Small files, small functions: 400 lines a file, 60 a function, and nine of ten functions below 40."""

import re

import sources

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60
MAX_FUNCTION_LINES_P90 = 40

_SCOPE = re.compile(r"\b(namespace|class|struct|union|enum)\b|\bextern\s*$")
_ASSIGNMENT = re.compile(r"(?<![=!<>+\-*/%&|^])=(?!=)")


def _without_parentheses(text):
    before = None
    while before != text:
        before, text = text, re.sub(r"\([^()]*\)", "", text)
    return text


def _is_function(head):
    """Whether a '{' at namespace or class scope that follows `head` opens a function body."""
    outside = _without_parentheses(head)
    if "(" not in head or "operator" in head:
        return "operator" in head
    return not _SCOPE.search(outside) and not _ASSIGNMENT.search(outside)


def functions(text):
    """(first line, number of lines) of every function body in `text`, nested lambdas included in their function.

    A brace right behind a word (`member_{1}`) is an initialiser and belongs to what stands before it.
    """
    code = re.sub(r"^\s*#.*$", "", sources.code_of(text), flags=re.MULTILINE)
    found, stack, head_start = [], [], 0
    for match in re.finditer(r"[{};]", code):
        at = match.start()
        if match[0] == "{":
            stack.append((_kind(stack, code, head_start, at), at, head_start))
        elif match[0] == "}" and stack:
            kind, opened, outer_head = stack.pop()
            if kind == "initialiser":
                head_start = outer_head
                continue
            if kind == "function":
                first = sources.line_of(code, opened)
                found.append((first, sources.line_of(code, at) - first + 1))
        head_start = at + 1
    return found


def _kind(stack, code, head_start, at):
    if re.match(r"[\w>]", code[at - 1]):
        return "initialiser"
    if any(kind != "scope" for kind, _, _ in stack):
        return "block"
    head = code[head_start:at]
    if _is_function(head):
        return "function"
    return "block" if _ASSIGNMENT.search(_without_parentheses(head)) else "scope"


def check(root):
    complaints, lengths = [], []
    for file in sources.product_files(root):
        text, name = file.read_text(), file.relative_to(root).as_posix()
        if text.count("\n") > MAX_FILE_LINES:
            complaints.append(f"{name}: {text.count(chr(10))} lines; the limit is {MAX_FILE_LINES}: split it by noun")
        for first, length in functions(text):
            lengths.append(length)
            if length > MAX_FUNCTION_LINES:
                complaints.append(f"{name}:{first}: a function of {length} lines; the limit is {MAX_FUNCTION_LINES}")
    if lengths:
        p90 = sorted(lengths)[int(len(lengths) * 0.9)]
        if p90 >= MAX_FUNCTION_LINES_P90:
            complaints.append(f"one function in ten has {p90} lines or more; the limit is {MAX_FUNCTION_LINES_P90}")
    return complaints


if __name__ == "__main__":
    sources.run(check)
