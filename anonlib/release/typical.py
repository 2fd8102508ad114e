"""A record before and after, made up of common values: it shows what a recipe does without showing a person."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from anonlib.analyses.utility import Alongside
from anonlib.analyses.utility.alongside import Recoded
from anonlib.basics import checks
from anonlib.counting.classes.coding import group
from anonlib.release.applied import Applied

LEAST = 10
"""So many have each value that is shown, and the label beside it."""
_MOST_TRIED = 5  # values of a column that are tried in the place of the commonest


@dataclass(frozen=True)
class TypicalCell:
    """A column of a made-up record; None is an empty cell."""

    column: str
    before: str | None
    after: str | None


@dataclass(frozen=True)
class TypicalRecord:
    """A made-up record before and after.

    Attributes
    ----------
    cells : tuple[TypicalCell, ...]
        One item a column that leaves, in the file's order, without those of which no value is common enough.
    least : int
        As many records (persons) or more have each value with the label that it is shown with, and nobody or as many
        the whole record, before as after.
    is_nobodys : bool
        Whether no record of the original is this one.
    """

    cells: tuple[TypicalCell, ...]
    least: int
    is_nobodys: bool


def typical_record(applied: Applied, least: int = LEAST) -> TypicalRecord | None:
    """A record of common values, with the labels that most records of such a value leave with.

    Parameters
    ----------
    applied : Applied
        What a recipe made.
    least : int
        How many have what is shown, 2 or more; at least the k that is asked for.

    Returns
    -------
    TypicalRecord or None
        None where records stay in a database, none leave, or no column has a value that is common enough. The
        commonest value of each column, unless fewer than ``least`` have just these together: then the first column
        that helps has its next common one.
    """
    least = checks.whole(least, "How many have each value", 2)
    if applied.original.frame is None or not applied.released.n_records:
        return None
    both = Alongside.of(applied.original, applied.released)
    columns = {name: both.column(name) for name in both.leaving}
    common = {name: _common(both, name, recoded, least) for name, recoded in columns.items()}
    common = {name: pairs for name, pairs in common.items() if pairs}
    if not common:
        return None
    before, after = _Matching.of(both, common, 0, least), _Matching.of(both, common, 1, least)
    for choice in _choices(common):
        if before.is_safe(choice) and after.is_safe(choice):
            cells = tuple(_cell(name, columns[name], choice[name]) for name in common)
            return TypicalRecord(cells, least, before.people_with(choice) == 0)
    return None


_Pair = tuple[int, int]  # a value and a label of a column, by their places


def _common(both: Alongside, name: str, recoded: Recoded, least: int) -> list[_Pair]:
    """The pairs that so many have, the commonest first."""
    counts = recoded.counts if both.original.person_id is None else _persons_with(both, name, recoded)
    order = np.argsort(-counts, kind="stable")[: _MOST_TRIED + 1]
    return [(int(recoded.value[i]), int(recoded.label[i])) for i in order if counts[i] >= least]


def _persons_with(both: Alongside, name: str, recoded: Recoded) -> np.ndarray:
    """Per pair the persons of whom a row has it."""
    n_labels = len(recoded.labels) + 1
    keys = both.before(name)[both.rows] * n_labels + both.after(name)
    pair = np.searchsorted(recoded.value * n_labels + recoded.label, keys)  # they are in this order
    n_pairs, person = len(recoded.value), _person_of_rows(both)[both.rows]
    _, first_row = group(np.column_stack([pair, person]), [n_pairs, int(person.max(initial=0)) + 1])
    return np.bincount(pair[first_row], minlength=n_pairs)


def _person_of_rows(both: Alongside) -> np.ndarray:
    """Per record of the original a number of its person, or of its own where no persons are counted."""
    person = both.original.person_id
    return np.arange(both.original.n_records) if person is None else both.before(person)


def _choices(common: dict[str, list[_Pair]]) -> Iterator[dict[str, _Pair]]:
    """The commonest of each column, and then one column after the other with its next common ones."""
    commonest = {name: pairs[0] for name, pairs in common.items()}
    yield commonest
    for name, pairs in common.items():
        for pair in pairs[1:]:
            yield commonest | {name: pair}


@dataclass(frozen=True, eq=False)
class _Matching:
    """Who has all cells of a choice, of the original (side 0) or of the release (side 1)."""

    codes: dict[str, np.ndarray]
    persons: np.ndarray
    side: int
    least: int

    @classmethod
    def of(cls, both: Alongside, names: dict[str, list[_Pair]], side: int, least: int) -> _Matching:
        cells = {name: both.after(name) if side else both.before(name) for name in names}
        persons = _person_of_rows(both)
        return cls(cells, persons[both.rows] if side else persons, side, least)

    def people_with(self, choice: dict[str, _Pair]) -> int:
        """How many have just these cells."""
        rows = np.arange(len(self.persons))
        for name, pair in choice.items():
            rows = rows[self.codes[name][rows] == pair[self.side]]
        return len(np.unique(self.persons[rows]))

    def is_safe(self, choice: dict[str, _Pair]) -> bool:
        return not 0 < self.people_with(choice) < self.least


def _cell(name: str, recoded: Recoded, pair: _Pair) -> TypicalCell:
    value, label = pair
    return TypicalCell(name, _text(recoded.values, value), _text(recoded.labels, label))


def _text(texts: np.ndarray, place: int) -> str | None:
    return None if place == len(texts) else str(texts[place])
