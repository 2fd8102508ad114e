"""Classes of a release part by part of which the known columns allow that some are parted off: refused by a value."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from anonlib.analyses.generalization.certificate.swap import (
    MOST_WORK,
    PossibleValues,
    RefusedState,
    ReleasedPersons,
    ReleasedValues,
    States,
    TooMuchWork,
    ValueModel,
    Witnesses,
    by_knowledge,
    is_of_all,
    is_of_one_value,
    kinds_of,
    who_can_swap,
)
from anonlib.counting.classes.coding import sum_by, tally
from anonlib.counting.privacy_models import (
    AttributeDisclosure,
    AverageRiskLimit,
    CodedRows,
    KAnonymity,
    LDiversity,
    PrivacyModel,
    TCloseness,
)
from anonlib.counting.privacy_models.models import sensitive_of
from anonlib.counting.privacy_models.violations import violating_in

_MOST_TRIED, _MOST_TRIED_OF_A_CLASS = 1_000_000, 50_000  # parts of one value, of all classes and of one


@dataclass(frozen=True, eq=False)
class FinerLabels:
    """The labels that the cells of a known column would have at a finer level.

    Attributes
    ----------
    column : str
        Whose cells they are.
    codes : np.ndarray
        Intp, an item a row: the code of the label, among those of the released labels of the column.
    joins : bool, default False
        Whether who has such a label joins a released class that has it, as where single cells are blank; else every
        part stands alone.
    """

    column: str
    codes: np.ndarray
    joins: bool = False


@dataclass(frozen=True, eq=False)
class ReleasedLabels:
    """The labels of a release part by part, by row of persons, all of whom are released.

    Attributes
    ----------
    rows : CodedRows
        Known columns by their released labels, and sensitive columns.
    finer : tuple[FinerLabels, ...]
        Those that the cells of each known column would have at each finer level.
    """

    rows: CodedRows
    finer: tuple[FinerLabels, ...]


def states_of_parts(
    labels: ReleasedLabels,
    persons: ReleasedPersons,
    guarantees: Sequence[PrivacyModel],
    most_work: float = MOST_WORK,
) -> States:
    """Released classes of which the known columns allow that some are parted off: refused by a value.

    A class that could be split would have been: those who share a finer label of one column are parted off from the
    rest, enough of both. What is asked is asked of each part and for everybody. Split by split it is refused since one
    of the two parts violates it. Of each class all splits are looked at together where what is asked is that no part
    has one value (:class:`PossibleValues`); where that cannot be, who can change places is looked for.

    Parameters
    ----------
    labels : ReleasedLabels
        What is released, and what would be finer.
    persons : ReleasedPersons
        Those who are released, in the same rows.
    guarantees : Sequence[PrivacyModel]
        What is asked.
    most_work : float, default MOST_WORK
        Rows times sets of columns that may be looked at.

    Returns
    -------
    States
        A state a split.

    Raises
    ------
    TooMuchWork
        Where it takes more.
    """
    return _Parts(labels, persons, guarantees, most_work).states()


@dataclass(frozen=True, eq=False)
class _Split:
    """A split of a class, refused or not known to be.

    Attributes
    ----------
    off : np.ndarray
        bool, a row of the class each: parted off.
    violate : tuple[bool, bool]
        Whether those do, and the rest.
    off_can : bool
        Whether those ever can: not where they join a class that has several values.
    is_clear : bool
        Whether that is all that may violate what is asked.
    """

    off: np.ndarray
    violate: tuple[bool, bool]
    off_can: bool
    is_clear: bool


class _Assignments:
    """The ways in which the values of a class can be spread over its persons with every split of it refused.

    A split is refused where some part of it has one value. Which part that is, and which value, is gone through for all
    splits together: those in such a part have its value, and the others any of what is left.

    Attributes
    ----------
    possible : dict[str, np.ndarray]
        By sensitive column, bool, kinds of persons x values: what may be possible.
    shown : dict[str, np.ndarray]
        The same: what is possible for certain, since all that is asked in a way is of this column.
    tried : int
        Parts that were looked at.
    """

    def __init__(self, sizes: np.ndarray, having: Mapping[str, np.ndarray]) -> None:
        self.sizes, self.having = [int(size) for size in sizes], having
        self.possible = {name: np.zeros((len(sizes), len(counts)), dtype=bool) for name, counts in having.items()}
        self.shown = {name: np.zeros((len(sizes), len(counts)), dtype=bool) for name, counts in having.items()}
        self.tried = 0
        self.options = dict[tuple[tuple[int, str, int], ...], None]()

    def add(self, parts: Sequence[np.ndarray], asked: Sequence[tuple[str, np.ndarray]]) -> None:
        """A split: parts (bool a kind) of which some violates, and by column which values refuse those of one."""
        options = list[tuple[int, str, int]]()
        for part in parts:
            kinds = sum(1 << int(kind) for kind in np.flatnonzero(part))
            size = self.size(kinds)
            for name, allowed in asked:
                for value in np.flatnonzero(allowed & (self.having[name] >= size)):
                    options.append((kinds, name, int(value)))
        self.options[tuple(dict.fromkeys(options))] = None

    def size(self, kinds: int) -> int:
        """The persons of some kinds, which are bits."""
        return sum(size for kind, size in enumerate(self.sizes) if kinds >> kind & 1)

    def run(self) -> bool:
        """Go through all ways; whether none was left out for being too many."""
        splits = sorted(self.options, key=len)
        waiting: list[tuple[int, dict[tuple[str, int], int]]] = [(0, {})]
        seen = set[tuple[int, frozenset[tuple[tuple[str, int], int]]]]()
        while waiting:
            depth, having = waiting.pop()
            if depth == len(splits):
                self.enter(having)
                continue
            for kinds, name, value in splits[depth]:
                self.tried += 1
                together = having.get((name, value), 0) | kinds
                if (
                    any(other & together for (column, of), other in having.items() if column == name and of != value)
                    or self.size(together) > self.having[name][value]
                ):
                    continue
                further = {**having, (name, value): together}
                key = (depth + 1, frozenset(further.items()))
                if key not in seen:
                    seen.add(key)
                    waiting.append((depth + 1, further))
            if self.tried > _MOST_TRIED_OF_A_CLASS:
                return False
        return True

    def enter(self, having: Mapping[tuple[str, int], int]) -> None:
        """What is possible where these kinds have these values."""
        asked = {name for name, _ in having}
        for name, counts in self.having.items():
            left = counts.copy()
            fixed = np.full(len(self.sizes), -1)
            for (column, value), kinds in having.items():
                if column == name:
                    left[value] -= self.size(kinds)
                    fixed[[kind for kind in range(len(fixed)) if kinds >> kind & 1]] = value
            now = (fixed[:, None] == np.arange(len(counts))[None, :]) | ((fixed < 0)[:, None] & (left > 0)[None, :])
            self.possible[name] |= now
            if asked <= {name}:
                self.shown[name] |= now


class _Parts:
    """The splits of the classes of a release."""

    def __init__(
        self, labels: ReleasedLabels, persons: ReleasedPersons, guarantees: Sequence[PrivacyModel], most_work: float
    ) -> None:
        self.labels, self.persons, self.rows, self.most_work = labels, persons, labels.rows, most_work
        asked = [replace(g, share=0.0) for g in guarantees]
        asked = [g for every in asked if (g := every.on(self.rows.codes)) is not None]
        sizes, self.values = by_knowledge(asked, persons.known)
        of_class = [g.least for g in sizes if isinstance(g, KAnonymity) and is_of_all(g)]
        of_class += [math.ceil(round(1 / g.limit, 9)) for g in sizes if isinstance(g, AverageRiskLimit) and g.limit]
        self.least = max(of_class, default=1)
        self.of_few = [g for g in sizes if isinstance(g, KAnonymity) and not is_of_all(g) and g.least > self.least]
        self.of_one_value = [g for g in self.values if self.can_be_gone_through(g)]
        self.released, self.counts = persons.released, self.rows.counts
        self.n_classes = int(self.released.max(initial=-1)) + 1
        self.sizes = sum_by(self.released, self.n_classes, self.counts)
        self.order = np.argsort(self.released, kind="stable")
        self.begins = np.searchsorted(self.released[self.order], np.arange(self.n_classes + 1))
        self.splits: dict[int, dict[tuple[bytes, bool], _Split]] = {}
        self.work, self.n_refused, self.n_silent = 0.0, 0, 0

    def can_be_gone_through(self, guarantee: ValueModel) -> bool:
        """Whether sets of one value violate it, and no others, of known columns and a column that is looked at."""
        in_one = is_of_one_value(guarantee) and sensitive_of(guarantee) in self.persons.columns
        return in_one and set(guarantee.columns) <= self.persons.known

    def spend(self, rows: float) -> None:
        self.work += rows
        if self.work > self.most_work:
            raise TooMuchWork

    def rows_of(self, number: int) -> np.ndarray:
        """The rows of a class."""
        return self.order[self.begins[number] : self.begins[number + 1]]

    def states(self) -> States:
        for finer in self.labels.finer:
            self.split(finer)
        n = len(self.counts)
        possible = {
            name: PossibleValues(np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)) for name in self.persons.columns
        }
        for name, values in possible.items():  # no split of theirs was refused
            values.another[:] = ~np.isin(self.released, list(self.splits)) & self.persons.several(name)
        tried = 0
        for number in sorted(self.splits):
            tried += self.look(number, possible, tried)
        return States((), self.n_refused, self.n_silent, possible)

    # ---- the splits ----

    def split(self, finer: FinerLabels) -> None:
        """All splits by a column at a finer level."""
        self.spend(4 * len(self.counts))
        span = max(1, len(self.rows.labels[finer.column]))
        child, sizes = tally([self.released, finer.codes], [self.n_classes, span], self.counts)
        class_of = np.zeros(len(sizes), dtype=np.intp)
        class_of[child] = self.released
        rest = self.sizes[class_of] - sizes
        joining = self.joining(finer, child, len(sizes))
        children = np.flatnonzero((sizes > 0) & ((sizes >= self.least) | joining) & (rest >= self.least))
        if not len(children) or not self.values:
            return
        n_rows = np.diff(self.begins)[class_of[children]]
        self.spend(3 * n_rows.sum() * len(self.values))
        ends = np.cumsum(n_rows)
        place = np.repeat(self.begins[class_of[children]] - (ends - n_rows), n_rows) + np.arange(n_rows.sum())
        rows, number = self.order[place], np.repeat(np.arange(len(children)), n_rows)
        part = 2 * number + (child[rows] != children[number])
        part_sizes = np.column_stack([sizes[children], rest[children]]).ravel()
        violate, is_clear = np.zeros(len(part_sizes), dtype=bool), np.ones(len(children), dtype=bool)
        for g in self.values:
            if finer.column not in g.columns:
                continue
            mine, clear = self.violating(g, rows, part, part_sizes, joining[children])
            if not is_of_all(g) and isinstance(g, AttributeDisclosure) and g.p == 0:
                self.keep_those_of_few(g, finer, mine, rows, part)
            violate |= mine
            is_clear &= clear
        refused = violate.reshape(-1, 2).any(axis=1)
        self.n_silent += int((~refused & is_clear).sum())
        for i in np.flatnonzero(refused | ~is_clear):
            here = slice(ends[i] - n_rows[i], ends[i])
            off = part[here] == 2 * i
            if self.of_few and not self.few_hold(finer, rows[here], off):
                continue
            self.n_refused += 1
            split = _Split(off, (bool(violate[2 * i]), bool(violate[2 * i + 1])), not joining[children[i]], is_clear[i])
            key = (min(off.tobytes(), (~off).tobytes()), split.off_can)
            self.splits.setdefault(int(class_of[children[i]]), {}).setdefault(key, split)

    def joining(self, finer: FinerLabels, child: np.ndarray, n: int) -> np.ndarray:
        """bool per child: it joins a released class that has its labels."""
        joining = np.zeros(n, dtype=bool)
        if not finer.joins:
            return joining
        names = [name for name in self.rows.codes if name in self.persons.known]
        codes = np.column_stack([self.rows.codes[name] for name in names])
        now = {tuple(labels) for labels in codes.tolist()}
        codes[:, names.index(finer.column)] = finer.codes
        first = np.full(n, -1)
        first[child[::-1]] = np.arange(len(child) - 1, -1, -1)
        for number in np.flatnonzero(first >= 0):
            joining[number] = tuple(codes[first[number]].tolist()) in now
        return joining

    def violating(
        self, guarantee: ValueModel, rows: np.ndarray, part: np.ndarray, sizes: np.ndarray, joining: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """bool per part, that it violates a guarantee, and per split, that this is all that may."""
        sensitive = sensitive_of(guarantee)
        violate, unclear = np.zeros(len(sizes), dtype=bool), np.zeros(len(sizes) // 2, dtype=bool)
        if sensitive is None or not set(guarantee.columns) <= self.persons.known:
            return violate, unclear  # values of several columns together are not looked at part by part
        if isinstance(guarantee, TCloseness):
            return violate, unclear  # nor what they are far from
        coded = CodedRows(
            {sensitive: self.rows.codes[sensitive][rows]}, {sensitive: self.rows.labels[sensitive]}, self.counts[rows]
        )
        violate[part[violating_in(coded, guarantee, (part, sizes))]] = True
        violate[::2] &= ~joining
        is_clear = np.ones(len(unclear), dtype=bool)
        if not self.can_be_gone_through(guarantee):
            is_all = is_of_all(guarantee)  # else few columns may make a value likely across classes
            is_clear = violate[::2] | violate[1::2] | (is_all & ~joining)
        return violate, is_clear

    def keep_those_of_few(
        self,
        guarantee: AttributeDisclosure,
        finer: FinerLabels,
        violate: np.ndarray,
        rows: np.ndarray,
        part: np.ndarray,
    ) -> None:
        """Of parts of one value leave those that some few columns show: all who share these with them have it too."""
        value = self.rows.as_read([guarantee.sensitive]).codes[guarantee.sensitive]
        for number in np.flatnonzero(violate):
            row = rows[np.flatnonzero(part == number)[0]]
            off = rows[part == number - number % 2]
            alike, same = self.alike(row, finer, off), value == value[row]
            violate[number] = any(same[sharing].all() for _, sharing in self.sharing(guarantee, finer.column, alike))

    def few_hold(self, finer: FinerLabels, rows: np.ndarray, off: np.ndarray) -> bool:
        """Whether by every few columns enough share the labels of both parts of a class."""
        for row in (rows[off][0], rows[~off][0]):
            alike = self.alike(row, finer, rows[off])
            for g in self.of_few:
                for _, sharing in self.sharing(g, finer.column, alike):
                    if int(self.counts[sharing].sum()) < g.least:
                        return False
        return True

    def sharing(
        self, guarantee: KAnonymity | AttributeDisclosure, name: str, alike: Mapping[str, np.ndarray]
    ) -> Iterator[tuple[tuple[str, ...], np.ndarray]]:
        """The sets of columns of a guarantee that have a column, each with who is alike in all of them."""
        for columns in guarantee.sets():
            if name in columns:
                self.spend(len(columns) * len(self.counts) / 8)
                yield columns, np.logical_and.reduce([alike[column] for column in columns])

    def alike(self, row: int, finer: FinerLabels, off: np.ndarray) -> dict[str, np.ndarray]:
        """By known column, bool an item a row: it has the label of a row when these rows are parted off."""
        alike = {column: codes == codes[row] for column, codes in self.rows.codes.items()}
        label = self.rows.codes[finer.column].copy()
        label[off] = finer.codes[off]
        alike[finer.column] = label == label[row]
        return alike

    # ---- what the splits of a class leave possible ----

    def look(self, number: int, possible: Mapping[str, PossibleValues], tried: int) -> int:
        """Enter what is possible in a class; returns how much was tried."""
        rows, splits = self.rows_of(number), list(self.splits[number].values())
        columns = {name: column.at(rows) for name, column in self.persons.columns.items()}
        is_settled = False
        search: _Assignments | None = None
        if all(split.is_clear for split in splits) and len(self.of_one_value) == len(self.values):
            is_settled = all(is_of_all(g) for g in self.values)
            search = self.tried(rows, columns, splits, possible, is_settled) if tried <= _MOST_TRIED else None
        for name, column in columns.items():
            asked = column.harms & ~possible[name].another[rows] & ~possible[name].certain[rows]
            if asked.any():
                here = ReleasedPersons(
                    self.counts[rows], np.zeros(len(rows), dtype=np.intp), columns, self.persons.known
                )
                states = [_as_state(split) for split in splits]
                possible[name].another[rows] |= who_can_swap(here, column, asked & here.several(name), states)
        return 0 if search is None else search.tried

    def tried(
        self,
        rows: np.ndarray,
        columns: Mapping[str, ReleasedValues],
        splits: Sequence[_Split],
        possible: Mapping[str, PossibleValues],
        is_settled: bool,
    ) -> _Assignments:
        """All ways in which the values of a class can be spread, with what they leave possible entered."""
        asked = {sensitive_of(g): isinstance(g, LDiversity) for g in self.of_one_value}
        names = [name for name, column in columns.items() if name in asked and column.apart is None]
        kind, first = kinds_of([split.off for split in splits])
        codes = {name: np.unique(columns[name].value, return_inverse=True) for name in names}
        value = {name: of_row.ravel() for name, (_, of_row) in codes.items()}
        search = _Assignments(
            sum_by(kind, len(first), self.counts[rows]),
            {name: sum_by(value[name], len(codes[name][0]), self.counts[rows]) for name in names},
        )
        allowed = []
        for g in self.of_one_value:
            name = str(sensitive_of(g))
            may = np.full(len(codes[name][0]), isinstance(g, LDiversity))
            may[value[name][columns[name].harms]] = True
            allowed.append((name, may))
        for split in splits:
            parts = [part for part, can in ((split.off, split.off_can), (~split.off, True)) if can]
            search.add([part[first] for part in parts], allowed)
        is_whole = search.run()
        for name in names:
            at = kind, value[name]
            if is_whole:
                own, number = search.possible[name][at], search.possible[name].sum(axis=1)[kind]
                possible[name].certain[rows] = own & (number == 1)
            if is_settled:
                possible[name].another[rows] = search.shown[name].sum(axis=1)[kind] > search.shown[name][at]
        return search


def _as_state(split: _Split) -> RefusedState:
    """A split as a state of the persons of its class."""
    weights = np.array(split.violate, dtype=np.int64)
    part = np.where(split.off, 0, 1)
    touched, spare = weights[part], int(weights.sum()) - 1
    return RefusedState(
        (Witnesses(np.full(len(part), spare), touched, (np.where(touched > 0, part, -1),), (weights,)),)
    )
