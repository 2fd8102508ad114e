"""Levels for each part of persons with several rows.

Persons with equally many rows are looked at together, the rows of each in one order: a person of n rows and c columns
is one unit of n times c cells. All units of a part have equal labels in each of these, so whatever is known of their
rows (one, several, the values of each column, all with their number) is true of all or of none of them: who shares it
is a union of parts, and what is certain of a union is certain of each of its parts. So what is asked is asked of the
persons of each part. Where a single row alone can be known, rows are units: of a person no two in the same table, so
that a part of so many rows is of as many persons.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from anonlib.analyses.generalization.search.parts.asked_of_persons import asked_of, of_rows
from anonlib.analyses.generalization.search.parts.kernel import LabelTable, PartLimits, SplitRule, cannot_stand
from anonlib.analyses.generalization.search.parts.single_rows import LocalRecodingOfPersons, SingleRows
from anonlib.analyses.generalization.search.parts.splits import ROUNDS, Look, Splits, rules_for
from anonlib.analyses.generalization.search.persons import PersonProblem
from anonlib.counting.classes.coding import group
from anonlib.counting.guarantees import ONE, AttributeDisclosure, LDiversity, PrivacyModel, TCloseness


def parts_of_persons(
    problem: PersonProblem, *, rounds: int = ROUNDS, look: Look | None = None
) -> LocalRecodingOfPersons | None:
    """As :func:`anonlib.analyses.generalization.search.parts.part_by_part`, of persons with several rows.

    Where the number of a person's rows may be known, persons of whom too few have as many lose some of theirs.

    Parameters
    ----------
    problem : PersonProblem
        The persons, and what must hold. Columns that can be coarsened and are sensitive stay as they are.
    rounds : int, default ROUNDS
        How often each small part is split (:data:`.splits.ROUNDS`); 1 for the quickest answer.
    look : Look, optional
        Called with the share of the work that is done; see :data:`.splits.Look`.

    Returns
    -------
    LocalRecodingOfPersons, or None where more rows or persons than may be would have to be left out
    """
    if problem.most < 0 or problem.most_persons < 0:
        return None
    rules = rules_for(problem.n_rows)

    def tell(done: int, share: float) -> None:
        if look is not None:
            look((done + share) / len(rules))

    units = _Units.of(SingleRows(problem))
    if units is None:
        return None
    found = [units.split(rule, rounds, partial(tell, i)) for i, rule in enumerate(rules)]
    return min((parts for parts in found if parts is not None), key=lambda parts: parts.loss, default=None)


def is_of_single_rows(guarantee: PrivacyModel) -> bool:
    """Whether it is against who knows one row, and holds where it does of parts of rows that share persons."""
    if guarantee.rows != ONE:
        return False
    match guarantee:
        case AttributeDisclosure():
            return guarantee.p == 0
        case LDiversity():
            return guarantee.by == "distinct"
        case TCloseness():
            return False
    return True


@dataclass(frozen=True, eq=False)
class _Alike:
    """Units with equally many rows.

    Attributes
    ----------
    rows : np.ndarray
        Intp, units x rows of each, in their order: places among the single rows.
    runs : list[tuple[int, int]]
        The units that columns without levels part: from, to in ``order``.
    order : np.ndarray
        Intp, the units.
    """

    rows: np.ndarray
    runs: list[tuple[int, int]]
    order: np.ndarray

    @property
    def first(self) -> np.ndarray:
        """The first row of each unit, by which its person is known."""
        return self.rows[:, 0]


class _Units:
    """Persons, or single rows, that are put into parts."""

    def __init__(self, rows: SingleRows, alike: list[_Alike], asked: PartLimits, kept: np.ndarray) -> None:
        self.rows, self.alike, self.asked, self.kept = rows, alike, asked, kept

    @classmethod
    def of(cls, rows: SingleRows) -> _Units | None:
        """The units that can stand; None where more would have to go than may."""
        single = all(is_of_single_rows(each) for each in rows.problem.guarantees)
        kept = np.ones(len(rows), dtype=bool) if single else rows.standing()
        if kept is None:
            return None
        alike = list(_alike(rows, kept, single))
        while kept.any():
            asked = asked_of(rows, kept, single)
            held = np.zeros(int(asked.span.max(initial=1)), dtype=np.int64)
            weak = [
                (each, run)
                for each in alike
                for run in each.runs
                if cannot_stand(of_rows(asked, each.first), rows.persons[each.first], each.order, *run, held)
            ]
            if not weak:
                return cls(rows, alike, asked, kept)
            kept = kept.copy()
            for each, run in weak:
                kept[each.rows[each.order[slice(*run)]]] = False
                each.runs.remove(run)
            problem = rows.problem
            if rows.n_rows(~kept) > problem.most or rows.n_persons(~kept) > problem.most_persons:
                return None
        return None

    def split(self, rule: SplitRule, rounds: int, look: Look) -> LocalRecodingOfPersons | None:
        """The parts by one way to compare splits."""
        rows = self.rows
        cell_levels = np.zeros(rows.at_top.shape, dtype=np.int16)
        steady = [j for j in rows.coarsened if self._is_steady(j)]
        done, whole = 0, sum(each.rows.size for each in self.alike) or 1
        for each in self.alike:
            slots = [(j, slot) for j in rows.coarsened for slot in range(1 if j in steady else each.rows.shape[1])]
            table = _table(rows, each, slots, steady)
            top = np.array([rows.problem.highest[j] for j, _ in slots], dtype=np.int16)
            splits = Splits(table, top, rule, rounds, int(self.asked.span.max(initial=1)))
            share = each.rows.size / whole

            def tell(part: float, before: float = done / whole, share: float = share) -> None:
                look(before + part * share)

            splits.run(of_rows(self.asked, each.first), each.order.copy(), each.runs, tell)
            for place, (j, slot) in enumerate(slots):
                of_slot = each.rows if j in steady else each.rows[:, slot : slot + 1]
                cell_levels[of_slot, j] = splits.made.levels[:, place : place + 1]
            done += each.rows.size
            rows.problem.pause()
        return rows.counted_again(cell_levels, self.kept)

    def _is_steady(self, j: int) -> bool:
        """Whether a column never changes for a person: then it is coarsened once for all rows, never apart."""
        values = self.rows.values(j)
        return all((values[each.rows] == values[each.first][:, None]).all() for each in self.alike)


def _alike(rows: SingleRows, kept: np.ndarray, single: bool) -> Iterator[_Alike]:
    """The persons with equally many rows; or a row of each person, another one of each who has two, and so on."""
    order = _in_order(rows, np.flatnonzero(kept))
    profile = rows.profile[order]
    begins = np.flatnonzero(np.diff(profile, prepend=-1))
    n_rows = np.diff(np.append(begins, len(order)))
    if single:
        place = np.arange(len(order)) - np.repeat(begins, n_rows)
        for i in range(int(n_rows.max(initial=0))):
            yield _in_runs(rows, order[place == i][:, None])
    else:
        for n in np.unique(n_rows).tolist():
            yield _in_runs(rows, order[begins[n_rows == n][:, None] + np.arange(n)])


def _in_order(rows: SingleRows, chosen: np.ndarray) -> np.ndarray:
    """Single rows by their persons, those of each in one order: by what parts the file, then by their values, columns
    of few values first, so that equal ones come side by side."""
    columns = sorted(rows.coarsened, key=lambda j: rows.problem.ladders.levels[j].n_values)
    keys = [*(codes for codes, _ in rows.apart), *(rows.values(j) for j in columns)]
    return chosen[np.lexsort([*(key[chosen] for key in reversed(keys)), rows.profile[chosen]])]


def _in_runs(rows: SingleRows, members: np.ndarray) -> _Alike:
    """Units with these rows, in the runs that columns without levels part."""
    nothing, ones = np.zeros(len(members), dtype=np.intp), [1]
    codes = np.column_stack([nothing, *(each[members] for each, _ in rows.apart)])
    ids, _ = group(codes, ones + [span for _, span in rows.apart for _ in range(members.shape[1])])
    order = np.argsort(ids, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(ids[order])) + 1, len(ids)).tolist()
    return _Alike(members, list(zip([0, *ends[:-1]], ends, strict=True)) if len(ids) else [], order)


def _table(rows: SingleRows, alike: _Alike, slots: list[tuple[int, int]], steady: list[int]) -> LabelTable:
    """The cells of units as arrays: a column of the table is one of one row, or of all where it is steady."""
    problem, n_rows = rows.problem, alike.rows.shape[1]
    labels, losses, at, end = [np.zeros(0)], [np.zeros(0)], dict[int, int](), 0
    for j in rows.coarsened:
        at[j] = end
        for level in range(problem.highest[j] + 1):
            labels.append(problem.ladders.levels[j].group[level])
            losses.append(problem.losses.of_values(j, level) * (n_rows if j in steady else 1))
            end += len(labels[-1])
    values = np.zeros((len(slots), len(alike.rows)), dtype=np.int32)
    for place, (j, slot) in enumerate(slots):
        values[place] = rows.values(j)[alike.rows[:, slot]]
    return LabelTable(
        values,
        np.concatenate(labels).astype(np.int32),
        np.concatenate(losses),
        np.array([at[j] for j, _ in slots], dtype=np.int64),
        np.array([problem.ladders.levels[j].n_values for j, _ in slots], dtype=np.int64),
        rows.persons[alike.first],
        np.zeros(len(slots), dtype=np.int64),
    )
