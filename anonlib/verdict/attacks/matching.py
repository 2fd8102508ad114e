"""Released rows beside the people they may be of: which labels are true of whose values.

A label is true of all values that it covers: by the levels of a column that is recoded part by part, else by what
became of the value in the release, else by what is written. A blank cell is true of everything. At the end is which
released rows fit each target, and which are nearest; it is found on all cores.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from anonlib.analyses.utility.alongside import Alongside
from anonlib.analyses.utility.scale import limits
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from anonlib.coarsening.covers import covers_as_written
from anonlib.dataset import Dataset
from anonlib.release.applied import Applied
from anonlib.release.recipe import Recipe
from anonlib.release.steps import ReachableLevel
from anonlib.values.cells import is_code, to_numbers
from anonlib.values.spellings import read_as_one
from anonlib.verdict.attacks import attack_loops
from anonlib.verdict.attacks.attack_loops import Arrays, PeopleRows

_FEW_NUMBERS = 10  # different numbers up to which a column is one of categories, as 0 and 1 are


@dataclass(frozen=True, eq=False)
class LeavingColumn:
    """A column that leaves, with what is true of whom.

    Attributes
    ----------
    name : str
        As in the release.
    labels : np.ndarray
        Object, distinct labels; None, which is the last, is an empty cell that is a value, as some people have none.
    values : np.ndarray
        Object, distinct values of people.
    released : np.ndarray
        int32, a released row each: its label; -1 is blank.
    people : np.ndarray
        int32, a row of people each: its value, missing behind the last.
    fits : np.ndarray
        int32, (values + 1) x levels: the labels that are true of each value, -2 where there are fewer.
    n_not_read : int, default 0
        Released rows with a label of which it is not known what it is true of; it counts as true of nobody.
    """

    name: str
    labels: np.ndarray
    values: np.ndarray
    released: np.ndarray
    people: np.ndarray
    fits: np.ndarray
    n_not_read: int = 0

    @cached_property
    def limits(self) -> tuple[np.ndarray, np.ndarray]:
        """float64 per label, the least and the greatest number that it stands for; NaN where it is none."""
        low, high = np.full((2, len(self.labels)), np.nan)
        if self.is_text.any():
            low[self.is_text], high[self.is_text] = limits(self.labels[self.is_text])
        return low, high

    @cached_property
    def is_text(self) -> np.ndarray:
        """bool per label: it is no empty cell."""
        return np.array([label is not None for label in self.labels], dtype=bool)

    @cached_property
    def number(self) -> np.ndarray:
        """float64 per value, missing last; NaN for what is no number."""
        return np.append(to_numbers(self.values) if len(self.values) else np.zeros(0), np.nan)

    @cached_property
    def scale(self) -> float:
        """From the least to the greatest number of labels and values; 0 where these are categories."""
        low, high = self.limits
        limits = np.append(low, high)
        ends = np.concatenate([limits[np.isfinite(limits)], self.number[~np.isnan(self.number)]])
        if np.isnan(low[self.is_text]).any() or not len(ends) or is_code([str(value) for value in self.values]):
            return 0.0
        return float(ends.max() - ends.min()) if len(np.unique(ends)) > _FEW_NUMBERS else 0.0

    @property
    def starts(self) -> np.ndarray:
        """int64, of the released rows in order of their label: where the blank one, each label and the end begin."""
        return np.append(0, np.bincount(self.released + 1, minlength=len(self.labels) + 1).cumsum())

    @property
    def as_read(self) -> LeavingColumn:
        """The column with one label in the place of all that a person reads as one value."""
        first = read_as_one(self.labels)
        if first is None:
            return self
        released, fits = (
            np.where(codes >= 0, first[codes], codes).astype(np.int32) for codes in (self.released, self.fits)
        )
        return replace(self, released=released, fits=fits)

    @property
    def without_empty(self) -> LeavingColumn:
        """The column in which an empty cell says nothing and is no guess."""
        if self.is_text.all():
            return self
        blank = len(self.labels) - 1
        return replace(
            self, released=np.where(self.released == blank, -1, self.released).astype(np.int32),
            fits=np.where(self.fits == blank, -2, self.fits).astype(np.int32),
        )  # fmt: skip

    @property
    def has_plain_numbers(self) -> bool:
        """Whether each label is one number of a scale, so that more and less can be asked."""
        low, high = self.limits
        return self.scale > 0 and bool((low == high)[self.is_text].all())


@dataclass(frozen=True, eq=False)
class Matching:
    """A release, and people of whom some may be in it.

    Attributes
    ----------
    columns : tuple[LeavingColumn, ...]
        Those that leave and that somebody may know, in the file's order.
    owner : np.ndarray
        int64, a released row each: the person it is of; -1 where that is not known.
    person : np.ndarray
        int64, a row of people each: the person.
    counts, people : np.ndarray
        int64, a released row and a row of people each: how many it stands for.
    member : np.ndarray
        bool, a row of people each: whether it was released, or, of a file made elsewhere, whether it was made of it.
    control : np.ndarray
        bool, a row of people each: whether it is of somebody that nothing was made of.
    """

    columns: tuple[LeavingColumn, ...]
    owner: np.ndarray
    person: np.ndarray
    counts: np.ndarray
    people: np.ndarray
    member: np.ndarray
    control: np.ndarray

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def places(self, names: Sequence[str]) -> np.ndarray:
        """int32, the places of some columns; those that are not here are passed over."""
        return np.array([i for i, column in enumerate(self.columns) if column.name in names], dtype=np.int32)

    def guessing(self, secret: int) -> Matching:
        """The same for who guesses a column, by its place: its labels are as a person reads them."""
        read = self.columns[secret].as_read.without_empty
        return replace(self, columns=(*self.columns[:secret], read, *self.columns[secret + 1 :]))

    @property
    def n_released(self) -> int:
        """Rows that are released."""
        return len(self.owner)

    @cached_property
    def arrays(self) -> Arrays:
        """All of it as numbers, for the compiled loops."""
        columns, n_rows = self.columns, len(self.owner)

        def flat(parts: Sequence[np.ndarray], kind: type) -> tuple[np.ndarray, np.ndarray]:
            sizes = np.array([0, *(part.size for part in parts)], dtype=np.int64)
            joined = np.concatenate([part.ravel() for part in parts]) if parts else np.zeros(0)
            return joined.astype(kind), sizes.cumsum()[: len(parts)]

        fits, begin = flat([column.fits for column in columns], np.int32)
        low, of_label = flat([column.limits[0] for column in columns], np.float64)
        high, _ = flat([column.limits[1] for column in columns], np.float64)
        number, of_value = flat([column.number for column in columns], np.float64)
        return Arrays(
            _table([column.released for column in columns], n_rows), self.owner, self.counts,
            _table([column.people for column in columns], len(self.person)), self.person, self.people,
            fits, begin, np.array([column.fits.shape[1] for column in columns], dtype=np.int64),
            low, high, number, of_label, of_value, np.array([len(column.labels) for column in columns], dtype=np.int64),
            np.array([column.scale for column in columns], dtype=np.float64),
            _table([np.argsort(column.released, kind="stable") for column in columns], n_rows),
            flat([column.starts for column in columns], np.int64)[0],
        )  # fmt: skip

    @cached_property
    def members(self) -> PeopleRows:
        """The rows of those who were released, for the compiled loops."""
        return self._found_by_label(self.member)

    @cached_property
    def others(self) -> PeopleRows:
        """The rows of the control, for the compiled loops."""
        return self._found_by_label(self.control)

    def _found_by_label(self, chosen: np.ndarray) -> PeopleRows:
        rows = np.flatnonzero(chosen)
        rows = rows[np.argsort(self.person[rows], kind="stable")]
        order, starts, n_before = [np.zeros(0, dtype=np.int32)], [np.zeros(0, dtype=np.int64)], 0
        for column in self.columns:
            fits = column.fits[column.people[rows]]
            places, _ = np.nonzero(fits >= 0)
            labels = fits[fits >= 0]
            order.append(places[np.argsort(labels, kind="stable")].astype(np.int32))
            ends = np.bincount(labels, minlength=len(column.labels)).cumsum()
            starts.append(n_before + np.append(0, ends))
            n_before += len(labels)
        return PeopleRows(rows, np.concatenate(order), np.concatenate(starts))


def of_release(original: Dataset, applied: Applied, recipe: Recipe, columns: Sequence[str]) -> Matching:
    """The release that a recipe made of an original, or of a part of it: the others are the control.

    Parameters
    ----------
    original : Dataset
        Everybody, in memory.
    applied : Applied
        What was made, of all records of the original or of some.
    recipe : Recipe
        The steps that made it.
    columns : Sequence[str]
        Those that are looked at.
    """
    both = Alongside.of(original, applied.released)
    part = original.rows_of(applied.original)
    person, counts = _people(original)
    made_of = np.zeros(original.n_records, dtype=bool)
    made_of[part] = True
    member = np.zeros(original.n_records, dtype=bool)
    member[both.rows] = True
    levels = _levels(original, applied, recipe, columns)
    return Matching(
        tuple(_column(both, name, levels.get(name, {})) for name in columns),
        person[both.rows], person, counts[both.rows], counts, member, ~made_of & ~np.isin(person, person[part]),
    )  # fmt: skip


def of_another_file(original: Dataset, released: Dataset, columns: Sequence[str], control: Dataset | None) -> Matching:
    """A file that was made elsewhere beside the original that it was made of, and others that it was not made of.

    Parameters
    ----------
    original, released : Dataset
        In memory.
    columns : Sequence[str]
        Those that are looked at, in both.
    control : Dataset | None
        People that the file was not made of, with the same columns; None: there are none.
    """
    tables = [original] if control is None else [original, control]
    sizes = [table.n_records for table in tables]
    person, counts = zip(*(_people(table) for table in tables), strict=True)
    shift = int(person[0].max(initial=-1)) + 1
    member = np.arange(sum(sizes)) < sizes[0]
    matched = []
    for name in columns:
        lacking = next((table for table in tables if name not in table.columns), None)
        if lacking is not None:
            raise InputError(
                f"“{lacking.name}” has no column “{name}”. Give a file with the columns of the original.",
                code="column-unknown",
            )
        texts = [table.held.values(name) for table in tables]
        values = np.array(list(dict.fromkeys(text for table_texts in texts for text in table_texts)), dtype=object)
        number = {value: i for i, value in enumerate(values.tolist())}
        original_codes = _codes(original, name)
        lacks = bool((original_codes == len(texts[0])).any())
        people = [
            np.array([*(number[text] for text in table_texts), len(values)], dtype=np.int32)[_codes(table, name)]
            for table, table_texts in zip(tables, texts, strict=True)
        ]
        labels, codes = released.held.values(name), _codes(released, name)
        matched.append(_of_texts(name, labels, codes, values, np.concatenate(people), lacks))
    return Matching(
        tuple(matched), np.full(released.n_records, -1, dtype=np.int64),
        np.concatenate([person[0], *(person_numbers + shift for person_numbers in person[1:])]),
        _people(released)[1], np.concatenate(counts), member, ~member,
    )  # fmt: skip


# ---- one column ----


def _column(both: Alongside, name: str, levels: Mapping[str | None, Sequence[str | None]]) -> LeavingColumn:
    """A column of a release, beside the original."""
    recoded = both.column(name)
    n, labels = len(recoded.values), recoded.labels
    fits: list[list[int]] = [[] for _ in range(n + 1)]
    for value, label in zip(recoded.value.tolist(), recoded.label.tolist(), strict=True):
        fits[value].append(label)
    code = {label: i for i, label in enumerate(labels.tolist())}
    for value, text in enumerate([*recoded.values.tolist(), None]):
        on_levels = levels.get(text, ())
        if len(on_levels) > 1 or not fits[value]:
            fits[value] += [code[label] for label in on_levels if label in code]
    for value, label in enumerate(recoded.label_of.tolist()):
        if not fits[value]:
            fits[value].append(label)
    return LeavingColumn(
        name, labels, recoded.values, _blanked(both.after(name), recoded.blank), both.before(name).astype(np.int32),
        _padded(fits, recoded.blank),
    )  # fmt: skip


def _of_texts(
    name: str, labels: np.ndarray, codes: np.ndarray, values: np.ndarray, people: np.ndarray, lacks: bool
) -> LeavingColumn:
    """A column of a file of which only the texts are known; ``lacks``: the original's column has missing values."""
    if lacks and (codes == len(labels)).any():  # an empty cell is a value
        labels = np.append(labels, [None])
    covers = covers_as_written(np.append(values, [None]) if lacks else values, labels)
    fits = [places.tolist() for places in np.split(covers.label, covers.start[1:-1])] if len(covers.start) > 1 else []
    blank = np.append(covers.of_all, True)
    return LeavingColumn(
        name, labels, values, _blanked(codes, blank), people, _padded(fits if lacks else [*fits, []], blank),
        int((~np.append(covers.is_read, True))[codes].sum()),
    )  # fmt: skip


def _padded(fits: Sequence[Sequence[int]], blank: np.ndarray) -> np.ndarray:
    """The labels that are true of each value as a table; blank ones are true of everything and need no place."""
    rows = [list(dict.fromkeys(label for label in labels if label >= 0 and not blank[label])) for labels in fits]
    table = np.full((len(rows), max(1, *map(len, rows))), -2, dtype=np.int32)
    for row, fitting_labels in zip(table, rows, strict=True):
        row[: len(fitting_labels)] = fitting_labels
    return table


def _blanked(codes: np.ndarray, blank: np.ndarray) -> np.ndarray:
    """int32, labels as codes, -1 where they say nothing; ``blank`` is bool per label, missing last."""
    return np.where(blank, -1, np.arange(len(blank))).astype(np.int32)[codes]


def _levels(
    original: Dataset, applied: Applied, recipe: Recipe, columns: Sequence[str]
) -> dict[str, dict[str | None, list[str | None]]]:
    """By column, and by value of the original, its labels on all levels, also of values that nobody released has."""
    steps = [step for step in recipe.enabled if step.recodes] if not applied.problems else []
    whole = [step for step in steps if step.labels_by not in ("part", "cell")]
    both = Alongside.of(original, Recipe.of(whole).leaves(original))
    parts = {name: step for step in steps if step.labels_by == "part" for name in step.recodes}
    levels = dict[str, dict[str | None, list[str | None]]]()
    for name in columns:
        if name not in both.leaving:
            continue
        recoded = both.column(name)
        labels = [*recoded.labels.tolist(), None]
        of_label = [[label] for label in labels]
        if name in parts:
            with suppress(InputError):  # of a value that a hierarchy does not cover, which is kept
                ways = parts[name].levels(name, [ReachableLevel("", np.array(labels, dtype=object))])
                of_label = [list(its_labels) for its_labels in zip(*(way.labels.tolist() for way in ways), strict=True)]
        values = [*recoded.values.tolist(), None]
        levels[name] = {
            value: of_label[label]
            for value, label in zip(values, recoded.label_of.tolist(), strict=True) if label >= 0
        }  # fmt: skip
    return levels


# ---- rows ----


def _people(dataset: Dataset) -> tuple[np.ndarray, np.ndarray]:
    """int64 per row: whose it is, and how many it stands for."""
    n = dataset.n_records
    person = np.arange(n) if dataset.person_id is None else _codes(dataset, dataset.person_id).astype(np.int64)
    if dataset.weight is None:
        return person, np.ones(n, dtype=np.int64)
    of_value = np.append(to_numbers(dataset.held.values(dataset.weight)), 0.0)
    return person, np.nan_to_num(of_value[_codes(dataset, dataset.weight)]).astype(np.int64)


def _codes(dataset: Dataset, name: str) -> np.ndarray:
    """int64 per row: the place of its value, missing behind the last."""
    held = dataset.records[name].array
    codes = np.asarray(held.codes, dtype=np.int64)
    return np.where(codes < 0, len(held.categories), codes)


def _table(columns: Sequence[np.ndarray], n_rows: int) -> np.ndarray:
    """int32, columns x rows: also of one row or one column in the one order in memory that loops are compiled for."""
    return np.array(columns, dtype=np.int32).reshape(len(columns), n_rows)


_AT_ONCE = 25  # targets between two looks at the progress


@dataclass(frozen=True, eq=False)
class Fitting:
    """Who each target may be of all released: int64, a target each.

    Attributes
    ----------
    n : np.ndarray
        How many are counted by the rows that fit.
    own : np.ndarray
        Of the rows that fit the target's own; one that stands for several people is the target's once.
    of_one : np.ndarray
        Whether all that fit are of one person.
    """

    n: np.ndarray
    own: np.ndarray
    of_one: np.ndarray


@dataclass(frozen=True, eq=False)
class Nearest:
    """What is nearest to each target: an item a target.

    Attributes
    ----------
    far : np.ndarray
        float64, how far it is, in columns.
    row : np.ndarray
        int64, one of the nearest rows, drawn; -1 without any.
    guess : np.ndarray
        int32, the label that most of them have in the column that is guessed; -1 where none has one.
    """

    far: np.ndarray
    row: np.ndarray
    guess: np.ndarray


def fitting(matching: Matching, rows: np.ndarray, known: np.ndarray, progress: Progress = nobody) -> Fitting:
    """Who each target may be.

    Parameters
    ----------
    matching : Matching
        The release and the people.
    rows : np.ndarray
        int64, a target each: the row of people that is known.
    known : np.ndarray
        int32, targets x columns known; -1 where fewer are.
    progress : Progress, default nobody
        Called with the share that is done; may raise to stop.
    """
    counts = np.zeros((len(rows), 3), dtype=np.int64)

    def fit_slice(some: slice) -> None:
        attack_loops.candidates(matching.arrays, rows[some], known[some], counts[some])

    side_by_side(fit_slice, matching, len(rows), progress)
    return Fitting(counts[:, 0], counts[:, 1], counts[:, 2].astype(bool))


def nearest(
    matching: Matching,
    rows: np.ndarray,
    known: np.ndarray,
    rng: np.random.Generator,
    secret: int = -1,
    progress: Progress = nobody,
) -> Nearest:
    """What is nearest to each target, and what it says of a column; as :func:`fitting`.

    Parameters
    ----------
    rng : np.random.Generator
        Draws one of several that are as near.
    secret : int, default -1
        The place of the column that is guessed; -1: none.
    """
    n = len(rows)
    best = Nearest(np.empty(n), rng.integers(1 << 62, size=n), np.full(n, -1, dtype=np.int32))
    n_labels = 0 if secret < 0 else len(matching.columns[secret].labels)

    def search_slice(some: slice) -> None:
        attack_loops.nearest(
            matching.arrays, rows[some], known[some], secret, n_labels, best.guess[some], best.far[some],
            best.row[some],
        )  # fmt: skip

    side_by_side(search_slice, matching, n, progress)
    return best


def side_by_side(
    on_slice: Callable[[slice], None], matching: Matching, n: int, progress: Progress = nobody, at_once: int = _AT_ONCE
) -> None:
    """Look at so many targets, or predicates, some at a time and on all cores."""
    from anonlib.counting.classes.walk import Threads  # which loads the compiler

    parts = [slice(first, min(first + at_once, n)) for first in range(0, n, at_once)]
    _ = matching.arrays  # made before threads ask for it
    with Threads(lambda: None) as team:
        team.do([partial(_task, on_slice, some) for some in parts], n * matching.n_released, progress)


def _task(on_slice: Callable[[slice], None], some: slice, _room: None) -> None:
    on_slice(some)
