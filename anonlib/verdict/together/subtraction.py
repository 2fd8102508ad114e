"""What subtracting one release from another shows exactly: cells that both count, and who is new to them or gone.

A label covers a set of true values, its box. Two classes of two releases may hold the same person where their boxes
meet; the connected components of that are cells. Everybody whose true values lie in a cell is in it in both releases,
so that both count it exactly, and the rows of the one less those of the other are of those who are new to it, or gone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.basics.errors import InputError
from anonlib.counting.classes import ClassTable
from anonlib.release.levels import ways_of
from anonlib.verdict.together.joining import Release, known_and_sensitive, places_in_release
from anonlib.verdict.together.matching import Matched

_MOST_PAIRS = 200_000_000
"""Pairs of classes of both releases times columns that are compared, a few seconds; no cells are looked for beyond."""
_MOST_CELLS = 50_000_000  # values x labels of a column
_SHOWN = 3  # labels of a column that are named


@dataclass(frozen=True)
class CountedExactly:
    """A cell that two releases count exactly, and in which few are new or gone.

    Attributes
    ----------
    labels : tuple[tuple[str, tuple[str, ...]], ...]
        By known column, the labels by which either release shows it, of columns that tell it from other cells.
    new, gone : int
        Persons with a row in the cell that the earlier release does not have there, and the other way round.
    """

    labels: tuple[tuple[str, tuple[str, ...]], ...]
    new: int
    gone: int

    @property
    def fewest(self) -> int:
        """The fewest who are new or gone, of those of whom there are some."""
        return min(number for number in (self.new, self.gone) if number)

    @property
    def in_words(self) -> str:
        """The cell by its labels, such as ``age 30-39, ward A``."""
        parts = []
        for column, labels in self.labels:
            more = len(labels) - _SHOWN
            parts.append(f"{column} {' or '.join(labels[:_SHOWN])}" + (f" or {more:,} more" if more > 0 else ""))
        return ", ".join(parts) or "everybody"


def counted_exactly(
    now: Release, earlier: Release, rows: Matched, places: tuple[int, int], k: int
) -> list[CountedExactly] | None:
    """The cells of two releases in which 1 to k - 1 persons are new, or gone.

    Parameters
    ----------
    now, earlier : Release
        Both releases, in memory.
    rows : Matched
        The rows of all files.
    places : tuple[int, int]
        Of which files in ``rows`` they are.
    k : int
        How many must be new, or gone, where some are.

    Returns
    -------
    list of CountedExactly or None
        Those with the fewest first; None where there are too many classes to compare.
    """
    releases = (now, earlier)
    known = [of_release for of_release, _ in known_and_sensitive(releases)]
    columns = list(dict.fromkeys(name for of_release in known for name in of_release))
    sides = [
        _Side.of(release, rows.places[place], columns, of_release)
        for release, place, of_release in zip(releases, places, known, strict=True)
    ]
    boxes = [_boxes(column, releases, [side.labels[j] for side in sides]) for j, column in enumerate(columns)]
    if len(sides[0].classes) * len(sides[1].classes) * max(1, len(columns)) > _MOST_PAIRS:
        return None
    cells = _components(sides, boxes)
    of_row = [np.append(of_class, -1)[side.class_of_row] for side, of_class in zip(sides, cells, strict=True)]
    counted = []
    new, gone = (_moved(here, other, rows.persons) for here, other in (of_row, of_row[::-1]))
    for cell in sorted({*new, *gone}):
        if any(0 < number.get(cell, 0) < k for number in (new, gone)):
            counted.append(CountedExactly(_labels(columns, sides, cells, cell), new.get(cell, 0), gone.get(cell, 0)))
    return sorted(counted, key=lambda cell: cell.fewest)


@dataclass(frozen=True, eq=False)
class _Side:
    """One release: its classes by the known columns of both, as codes of labels; -1 for a column that it lacks."""

    labels: tuple[np.ndarray | None, ...]
    classes: np.ndarray
    class_of_row: np.ndarray

    @classmethod
    def of(cls, release: Release, place_of_row: np.ndarray, columns: Sequence[str], known: Sequence[str]) -> _Side:
        table = ClassTable.from_records(release.released.held, known)
        assert table.class_of_record is not None
        classes = np.full((table.n_classes, len(columns)), -1, dtype=np.int64)
        labels = list[np.ndarray | None]([None] * len(columns))
        for j, name in enumerate(known):
            classes[:, columns.index(name)] = table.codes[:, j]
            labels[columns.index(name)] = table.categories[j]
        place = places_in_release(release, place_of_row)
        return cls(tuple(labels), classes, np.append(table.class_of_record, -1)[place])


def _boxes(column: str, releases: tuple[Release, Release], labels: Sequence[np.ndarray | None]) -> np.ndarray | None:
    """bool, labels of the first x labels of the second release: whether some true value can have both; None: always."""
    if any(of_release is None for of_release in labels):
        return None
    values = np.array(
        list(dict.fromkeys(str(text) for release in releases for text in release.original.held.values(column))),
        dtype=object,
    )
    first, second = (
        _covers(column, values, release, of_release) for release, of_release in zip(releases, labels, strict=True)
    )
    if first is None or second is None:
        return None
    return np.asarray((first.astype(np.float32) @ second.T.astype(np.float32)) > 0)


def _covers(column: str, values: np.ndarray, release: Release, labels: np.ndarray | None) -> np.ndarray | None:
    """bool, labels x values and a missing one: which true values each label covers; None where it is too much to say.

    A label that no level of the column's steps accounts for covers all.
    """
    assert labels is not None
    if len(labels) * (len(values) + 1) > _MOST_CELLS:
        return None
    steps = [step for step in release.recipe.enabled if column in step.recodes]
    covers = np.zeros((len(labels), len(values) + 1), dtype=bool)
    code = {text: i for i, text in enumerate(labels)}
    try:
        ways = ways_of(column, values, steps)
    except InputError:
        return np.ones_like(covers)
    for way in ways:
        for value, label in enumerate(way.labels):
            if label in code:
                covers[code[label], value] = True
    covers[_not_explained(column, values, release, code, covers)] = True
    return covers


def _not_explained(
    column: str, values: np.ndarray, release: Release, code_of: Mapping[str | None, int], covers: np.ndarray
) -> np.ndarray:
    """bool per label: some row has it whose true value it does not cover, as of cells left blank or dates moved."""
    before, after = (of.records[column].array for of in (release.original, release.released))
    place = {text: i for i, text in enumerate(values)}
    of_value = np.array([*(place[str(text)] for text in before.categories), len(values)], dtype=np.int64)
    of_label = np.array([*(code_of.get(text, -1) for text in after.categories), code_of.get(None, -1)], dtype=np.int64)
    label = of_label[after.codes]
    value = of_value[before.codes[release.original.rows_of(release.released)]]
    unexplained = np.zeros(covers.shape[0], dtype=bool)
    unexplained[label[~covers[label, value]]] = True
    return unexplained


def _components(sides: Sequence[_Side], boxes: Sequence[np.ndarray | None]) -> list[np.ndarray]:
    """Per release, per class the cell that it lies in: classes whose boxes meet in every column lie in one."""
    cells = [np.full(len(side.classes), -1) for side in sides]
    number = 0
    for first in range(len(sides[0].classes)):
        if cells[0][first] >= 0:
            continue
        waiting = [(0, first)]
        cells[0][first] = number
        while waiting:
            side, row = waiting.pop()
            other = 1 - side
            meets = cells[other] < 0
            for j, box in enumerate(boxes):
                if box is not None:
                    of_label = box[sides[side].classes[row, j]] if side == 0 else box[:, sides[side].classes[row, j]]
                    meets &= of_label[sides[other].classes[:, j]]
            cells[other][meets] = number
            waiting += [(other, int(place)) for place in np.flatnonzero(meets)]
        number += 1
    alone = cells[1] < 0  # classes of the second release that meet none of the first: each a cell of its own
    cells[1][alone] = number + np.arange(int(alone.sum()))
    return cells


def _moved(here: np.ndarray, other: np.ndarray, persons: np.ndarray) -> dict[int, int]:
    """By cell, the persons with a row in it in one release that is not in it in the other."""
    moved = (here >= 0) & (here != other)
    n_persons = int(persons.max(initial=0)) + 1
    pairs = np.unique(here[moved] * n_persons + persons[moved])  # each person once a cell
    numbers, counts = np.unique(pairs // n_persons, return_counts=True)
    return dict(zip(numbers.tolist(), counts.tolist(), strict=True))


def _labels(
    columns: Sequence[str], sides: Sequence[_Side], cells: Sequence[np.ndarray], cell: int
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The labels of a cell, by column, of either release: the one with fewer of them; columns with all are left out."""
    by_column = []
    for j, column in enumerate(columns):
        offered = list[tuple[str, ...]]()
        for side, of_class in zip(sides, cells, strict=True):
            labels = side.labels[j]
            here = np.unique(side.classes[of_class == cell, j])
            if labels is not None and len(here) and len(here) < len(np.unique(side.classes[:, j])):
                offered.append(tuple("missing" if labels[code] is None else str(labels[code]) for code in here))
        if offered:
            by_column.append((column, min(offered, key=len)))
    return tuple(by_column)
