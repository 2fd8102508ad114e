"""How large a text in TOML is, found before it is parsed: the parser takes memory by the square of a key’s parts."""

from __future__ import annotations

import re

from anonlib.basics.errors import InputError

MOST_BYTES = 5_000_000
"""The largest project in TOML, in bytes; what is larger was not written by hand."""
MOST_KEYS = 100_000
"""Most keys, each part of a dotted one counted: the parser takes up to a kilobyte of memory for one."""
DEEPEST = 16
"""Most parts of a key, and most brackets within one another."""

# Strings and comments as a whole, so that nothing in them counts; then what parts keys and nests values. Without going
# back (``*+``), so that no text takes more than one pass.
_TOKENS = re.compile(
    r'"""(?:[^"\\]++|\\[\s\S]|"{1,2}+(?!"))*+"{3,5}'
    r"|'''(?:[^']++|'{1,2}+(?!'))*+'{3,5}"
    r'|"(?:[^"\\\n]++|\\.)*+"'
    r"|'[^'\n]*+'"
    r"|#[^\n]*+"
    r"|[.=,\n\[\]{}]"
)


def refuse_beyond_bounds(text: str) -> None:
    """Refuses a text in TOML that is larger, deeper or of more keys than a project.

    Raises
    ------
    InputError
        Before anything is made of it.
    """
    if len(text) > MOST_BYTES:
        raise InputError(
            f"This is no project in TOML: it is larger than {MOST_BYTES // 1_000_000} MB. A project of so many values "
            "is saved as JSON, by “Save project”.",
            code="project-too-large",
        )
    n_keys = n_parts = depth = 0
    for token in _TOKENS.finditer(text):
        match token.group():
            case ".":
                n_keys += 1
                n_parts += 1
            case "=":
                n_keys += 1
                n_parts = 0
            case "[" | "{":
                depth += 1
                n_parts = 0
            case "]" | "}":
                depth -= 1
                n_parts = 0
            case "," | "\n":
                n_parts = 0
            case _:
                continue
        if depth > DEEPEST or n_parts >= DEEPEST:
            line = text.count("\n", 0, token.start()) + 1
            raise InputError(
                f"Line {line:,} of the project in TOML is nested more deeply than a project is.",
                code="file-nested-too-deeply",
            )
        if n_keys > MOST_KEYS:
            raise InputError(
                f"The project in TOML has more than {MOST_KEYS:,} keys. A project of so many is saved as JSON, by "
                "“Save project”.",
                code="project-too-large",
            )
