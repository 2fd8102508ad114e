"""How many texts of a column hold identifiers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.basics import words
from anonlib.columns.free_text.finder import KINDS, MARK, TextKind, find
from anonlib.values.cells import Values

MOST_TEXTS = 20_000
"""Texts of a column that are looked at."""
MOST_CHARACTERS = 6_000_000
"""Characters of them, some four seconds: where texts are long, fewer of them are looked at."""

_SENTENCES = 0.3  # share of the texts that must be sentences for the column to be one of texts
_LONG, _LONG_BLANKS = 40, 5
_SHORT, _SHORT_BLANKS, _SMALL_WORDS = 20, 3, 3
_SHORT_HOLD = 0.01  # share of short texts that must hold an identifier


@dataclass(frozen=True)
class KindInTexts:
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
    kinds : tuple[KindInTexts, ...]
        By kind that occurs, in the order of :data:`anonlib.columns.free_text.KINDS`.
    """

    texts: int
    looked_at: int
    records: int
    hold: int
    records_that_hold: int
    kinds: tuple[KindInTexts, ...]

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
        if not self.kinds:
            return f"No identifier was found in {of}."
        first, *others = self.kinds[:most]
        left = len(self.kinds) - most
        rest = f"; and {words.count(left, 'more kinds')}" if left > 0 else ""
        hold = "holds" if first.texts == 1 else "hold"
        more = "".join(f", {other.texts:,} {other.called}" for other in others)
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
    by_kind = (
        KindInTexts(kind, texts[key], of_records[key], occurrences[key]) for key, kind in KINDS.items() if texts[key]
    )
    n = len(used) if n_texts is None else n_texts
    return FreeText(n, len(chosen), int(counts[chosen].sum()), hold, records_that_hold, tuple(by_kind))


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
