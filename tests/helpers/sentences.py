"""The sentences of all errors, read off the source: ``python -m tests.helpers.sentences`` writes them anew."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SNAPSHOT = ROOT / "tests" / "sentences.txt"
CODE = ("anonlib", "ui", "pages")
_ERRORS = ("InputError", "TooManyChoices")


@cache
def errors() -> tuple[tuple[str, ast.Call], ...]:
    """Where each error is made, and how."""
    return tuple(
        (f"{path.relative_to(ROOT)}:{node.lineno}", node)
        for folder in CODE
        for path in sorted((ROOT / folder).rglob("*.py"))
        if any(name in (source := path.read_text(encoding="utf-8")) for name in _ERRORS)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _ERRORS
    )


def code_of(call: ast.Call) -> str | None:
    """The code that a call gives; "" where it hands on that of another error; None where it gives none."""
    given = next((keyword.value for keyword in call.keywords if keyword.arg == "code"), None)
    if isinstance(given, ast.Constant) and isinstance(given.value, str):
        return given.value
    return "" if isinstance(given, ast.Attribute) and given.attr == "code" else None


def sentence_of(call: ast.Call) -> str:
    """The sentence, with ``{}`` for what is put into it; \"\" where it stands elsewhere."""
    (given,) = call.args
    parts = given.values if isinstance(given, ast.JoinedStr) else [given]
    if not all(isinstance(part, ast.Constant | ast.FormattedValue) for part in parts):
        return ""
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)


def listed() -> str:
    """A line each: the code, and the sentence."""
    lines = {f"{code_of(call)}\t{sentence_of(call)}" for _, call in errors() if code_of(call) and sentence_of(call)}
    return "\n".join([*sorted(lines), ""])


if __name__ == "__main__":
    SNAPSHOT.write_text(listed(), encoding="utf-8")
