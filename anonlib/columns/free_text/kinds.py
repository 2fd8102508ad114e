"""The kinds of identifiers that are looked for inside texts."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class TextKind:
    """A kind of identifier inside texts.

    Attributes
    ----------
    key : str
        Its short name, such as ``name``.
    label : str
        What a sentence calls several of them.
    one : str
        What it calls one.
    hipaa : str
        The letters of its classes in 45 CFR 164.514(b)(2)(i).
    """

    key: str
    label: str
    one: str
    hipaa: str

    @property
    def mark(self) -> str:
        """What stands in a text in the place of one."""
        return f"[{self.key}]"


KINDS: dict[str, TextKind] = {
    kind.key: kind
    for kind in (
        TextKind("name", "names", "a name", "A"),
        TextKind("date", "dates", "a date", "C"),
        TextKind("phone", "telephone numbers", "a telephone number", "DE"),
        TextKind("number", "other numbers of a person", "another number of a person", "GHIJKLMR"),
        TextKind("address", "postal addresses", "a postal address", "B"),
        TextKind("email", "e-mail addresses", "an e-mail address", "F"),
        TextKind("web", "web addresses", "a web address", "NO"),
        TextKind("age", "ages over 89", "an age over 89", "C"),
    )
}
"""Every kind, by key, in the order in which they are listed."""

MARK = re.compile(rf"\[(?:{'|'.join(KINDS)})\]")
"""What was put in the place of an identifier: nothing is looked for in it."""
