"""Identifiers inside a text: the kinds that are looked for, where they stand, and the text with marks instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from anonlib.columns.free_text.names import name_spans
from anonlib.columns.free_text.patterns import (
    account_spans,
    address_spans,
    age_spans,
    date_spans,
    email_spans,
    ip_spans,
    number_spans,
    phone_spans,
    plate_spans,
    web_spans,
)
from anonlib.values.person_numbers import person_number_spans


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


_DIGIT = re.compile("[0-9]")
_Look = Callable[[str], Iterator[tuple[int, int]]]
_ANYWHERE: dict[str, tuple[_Look, ...]] = dict.fromkeys(KINDS, ()) | {
    "name": (name_spans,), "email": (email_spans,), "web": (web_spans, account_spans),
}  # fmt: skip
_WITH_DIGITS: dict[str, tuple[_Look, ...]] = {
    "name": (name_spans,), "email": (email_spans,), "web": (web_spans, ip_spans, account_spans),
    "address": (address_spans,), "date": (date_spans,), "phone": (phone_spans,),
    "number": (number_spans, person_number_spans, plate_spans), "age": (age_spans,),
}  # fmt: skip
# Of two that lie over one another and are equally long, the first of these says what both are.
_RANK = {key: rank for rank, key in enumerate(("email", "web", "address", "name", "date", "phone", "number", "age"))}


class Span(NamedTuple):
    """An identifier in a text: ``text[start:end]``, and its kind."""

    start: int
    end: int
    kind: str


def find(text: str, kinds: Collection[str] = tuple(KINDS)) -> list[Span]:
    """The identifiers in a text.

    Parameters
    ----------
    text : str
        A cell.
    kinds : Collection[str], default tuple(KINDS)
        Keys of :data:`anonlib.columns.free_text.KINDS`: what is looked for.

    Returns
    -------
    list of Span
        From left to right, none over another. Where two were found over one another they are one, of the kind of the
        longer. Nothing is found in the marks of :func:`redacted`.

    Examples
    --------
    >>> find("Seen by Dr. Garcia on May 5, 2021; BP 120/80.")
    [Span(start=12, end=18, kind='name'), Span(start=22, end=33, kind='date')]
    """
    if "[" not in text:
        return _found(text, kinds)
    spans, start = [], 0
    for mark in MARK.finditer(text):
        spans += _shifted(_found(text[start : mark.start()], kinds), start)
        start = mark.end()
    return spans + _shifted(_found(text[start:], kinds), start)


def redacted(text: str, kinds: Collection[str] = tuple(KINDS)) -> str:
    """A text with a mark such as ``[name]`` in the place of each identifier.

    It is looked at again until nothing is found: a text that was redacted stays as it is.

    Parameters
    ----------
    text : str
        A cell.
    kinds : Collection[str], default tuple(KINDS)
        What is looked for, as in :func:`find`.

    Returns
    -------
    str

    Examples
    --------
    >>> redacted("Seen by Dr. Garcia on May 5, 2021; BP 120/80.")
    'Seen by Dr. [name] on [date]; BP 120/80.'
    """
    while spans := find(text, kinds):
        parts, end = [], 0
        for span in spans:
            parts += [text[end : span.start], KINDS[span.kind].mark]
            end = span.end
        text = "".join([*parts, text[end:]])
    return text


def _shifted(spans: list[Span], by: int) -> list[Span]:
    return [Span(span.start + by, span.end + by, span.kind) for span in spans]


def _found(text: str, kinds: Collection[str]) -> list[Span]:
    has_digit = _DIGIT.search(text) is not None
    spans = []
    for kind in kinds:
        for finder in (_ANYWHERE if not has_digit else _WITH_DIGITS)[kind]:
            for start, end in finder(text):
                spans.append(Span(start, end, kind))
    return _joined(sorted(spans)) if len(spans) > 1 else spans


def _joined(spans: list[Span]) -> list[Span]:
    """Spans that lie over one another as one, of the kind of the longest."""
    joined = [spans[0]]
    longest = spans[0]
    for span in spans[1:]:
        last = joined[-1]
        if span.start >= last.end:
            joined.append(span)
            longest = span
        else:
            longest = max(
                longest, span, key=lambda candidate: (candidate.end - candidate.start, -_RANK[candidate.kind])
            )
            joined[-1] = Span(last.start, max(last.end, span.end), longest.kind)
    return joined
