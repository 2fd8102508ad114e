"""Where identifiers stand in a text, and the text with marks in their place.

The kinds of identifiers that are looked for inside texts.

How many texts of a column hold identifiers.

The texts of a column of records, in memory or in an engine.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from anonlib.basics import words
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
from anonlib.reading.records import Records
from anonlib.values.cells import Values
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
    found, start = [], 0
    for mark in MARK.finditer(text):
        found += _shifted(_found(text[start : mark.start()], kinds), start)
        start = mark.end()
    return found + _shifted(_found(text[start:], kinds), start)


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
    while found := find(text, kinds):
        parts, end = [], 0
        for span in found:
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
        for look in (_ANYWHERE if not has_digit else _WITH_DIGITS)[kind]:
            for start, end in look(text):
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
            longest = max(longest, span, key=lambda each: (each.end - each.start, -_RANK[each.kind]))
            joined[-1] = Span(last.start, max(last.end, span.end), longest.kind)
    return joined


MOST_TEXTS = 20_000
"""Texts of a column that are looked at."""
MOST_CHARACTERS = 6_000_000
"""Characters of them, some four seconds: where texts are long, fewer of them are looked at."""

_SENTENCES = 0.3  # share of the texts that must be sentences for the column to be one of texts
_LONG, _LONG_BLANKS = 40, 5
_SHORT, _SHORT_BLANKS, _SMALL_WORDS = 20, 3, 3
_SHORT_HOLD = 0.01  # share of short texts that must hold an identifier


@dataclass(frozen=True)
class Found:
    """What texts hold of one kind of identifier.

    Attributes
    ----------
    kind : TextKind
        One of :data:`anonlib.columns.free_text.finder.KINDS`.
    texts : int
        Different texts that hold one.
    records : int
        Records with such a text.
    occurrences : int
        How often one stands in these texts, each text once.
    """

    kind: TextKind
    texts: int
    records: int
    occurrences: int

    @property
    def called(self) -> str:
        """What a sentence about its texts calls it."""
        return self.kind.one if self.texts == 1 else self.kind.label


@dataclass(frozen=True)
class FreeText:
    """What the texts of a column hold; it names none of them.

    Attributes
    ----------
    texts : int
        Different texts of the column.
    looked_at : int
        How many of them were looked at: all, or an even sample.
    records : int
        Records with a text that was looked at.
    hold : int
        Different texts that hold an identifier of any kind.
    records_that_hold : int
        Records with such a text.
    found : tuple[Found, ...]
        By kind that occurs, in the order of :data:`anonlib.columns.free_text.KINDS`.
    """

    texts: int
    looked_at: int
    records: int
    hold: int
    records_that_hold: int
    found: tuple[Found, ...]

    @property
    def share(self) -> float:
        """Share of the texts looked at that hold an identifier, 0 to 1."""
        return self.hold / self.looked_at if self.looked_at else 0.0

    def describe(self, most: int = len(KINDS)) -> str:
        """The finding in a sentence, in texts; of kinds beyond ``most`` only how many they are.

        Examples
        --------
        >>> look_inside(["seen by Dr. Garcia", "Dr. Weber, 03/04/2021", "no pain"]).describe()
        '2 of 3 texts hold names, 1 a date.'
        >>> look_inside(["seen by Dr. Garcia, 03/04/2021, a@b.org"]).describe(most=2)
        '1 of 1 text holds a name, 1 a date; and 1 more kind.'
        """
        of = words.count(self.looked_at, "texts") + (" looked at" if self.looked_at < self.texts else "")
        if not self.found:
            return f"No identifier was found in {of}."
        first, *others = self.found[:most]
        left = len(self.found) - most
        rest = f"; and {words.count(left, 'more kinds')}" if left > 0 else ""
        hold = "holds" if first.texts == 1 else "hold"
        more = "".join(f", {each.texts:,} {each.called}" for each in others)
        return f"{first.texts:,} of {of} {hold} {first.called}{more}{rest}."


def look_inside(values: Values, records: np.ndarray | None = None, n_texts: int | None = None) -> FreeText:
    """What the texts of a column hold.

    Parameters
    ----------
    values : Values
        Its different texts.
    records : np.ndarray, optional
        The records of each, of the same length; one each if left out.
    n_texts : int, optional
        How many different texts the column has, if ``values`` is a sample of them.

    Returns
    -------
    FreeText
        Of at most :data:`MOST_TEXTS` texts with :data:`MOST_CHARACTERS` characters, taken evenly over their order.
    """
    held = [str(value) for value in values]
    counts = np.ones(len(held), dtype=np.int64) if records is None else np.asarray(records, dtype=np.int64)
    used = np.flatnonzero(counts)
    chosen = _evenly(used, np.array([len(held[i]) for i in used.tolist()], dtype=np.int64))
    texts: Counter[str] = Counter()
    of_records: Counter[str] = Counter()
    occurrences: Counter[str] = Counter()
    hold = records_that_hold = 0
    for i in chosen.tolist():
        kinds = Counter(span.kind for span in find(held[i]))
        hold += bool(kinds)
        records_that_hold += int(counts[i]) * bool(kinds)
        texts.update(kinds.keys())
        of_records.update(dict.fromkeys(kinds, int(counts[i])))
        occurrences.update(kinds)
    found = (Found(kind, texts[key], of_records[key], occurrences[key]) for key, kind in KINDS.items() if texts[key])
    n = len(used) if n_texts is None else n_texts
    return FreeText(n, len(chosen), int(counts[chosen].sum()), hold, records_that_hold, tuple(found))


def _evenly(used: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Places evenly over these, as many as may be looked at."""
    total = int(lengths.sum())
    by_length = len(used) if total <= MOST_CHARACTERS else int(MOST_CHARACTERS / (total / len(used)))
    most = max(1, min(MOST_TEXTS, by_length))
    return used if len(used) <= most else used[np.linspace(0, len(used) - 1, most).round().astype(int)]


def holds_sentences(texts: Sequence[str]) -> bool:
    """Whether a column is one of free text: sentences rather than terms.

    More than three in ten texts are longer than 40 characters with five blanks at least; or they are shorter, with
    three words in small letters, and one text in a hundred holds an identifier or a mark in the place of one.

    Parameters
    ----------
    texts : Sequence[str]
        Different values, or an even sample of them.

    Returns
    -------
    bool
    """
    if not len(texts):
        return False
    if np.mean([len(text) > _LONG and text.count(" ") >= _LONG_BLANKS for text in texts]) > _SENTENCES:
        return True
    if np.mean([_is_short_sentence(text) for text in texts]) <= _SENTENCES:
        return False
    return float(np.mean([bool(MARK.search(text) or find(text)) for text in texts])) >= _SHORT_HOLD


def _is_short_sentence(text: str) -> bool:
    if len(text) < _SHORT or text.count(" ") < _SHORT_BLANKS:
        return False
    return sum(word[0].islower() for word in text.split()) >= _SMALL_WORDS


def is_text(held: Records, column: str) -> bool:
    """Whether a column is one of free text, as :func:`holds_sentences` has it, looked at once.

    Parameters
    ----------
    held : Records
        The records; the texts of the column's profile are looked at.
    column : str
        Its name.

    Returns
    -------
    bool
    """
    key = "is text", column
    if key not in held.remembered:
        held.remembered[key] = holds_sentences(held.profile(column).texts.tolist())
    return held.remembered[key]


def texts_in(held: Records, column: str) -> FreeText | None:
    """What the texts of a column hold, looked at once; None for a column of other things.

    Parameters
    ----------
    held : Records
        The records. Of an engine's that has too many texts to be fetched, those of the column's profile are looked at.
    column : str
        Its name.

    Returns
    -------
    FreeText or None
    """
    key = "texts in", column
    if key not in held.remembered:
        held.remembered[key] = _texts(held, column) if is_text(held, column) else None
    return held.remembered[key]


def _texts(held: Records, column: str) -> FreeText:
    profile = held.profile(column)
    if not profile.exact:
        return look_inside(profile.texts, n_texts=profile.distinct)
    counts = held.counts_of(column)
    return look_inside(counts.values, counts.records)
