"""The rows of persons one by one: how many of them can stay, and what holds of them with their labels."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from anonlib.analyses.generalization.search.parts.facts import numbered_labels
from anonlib.analyses.generalization.search.persons import PersonProblem
from anonlib.basics.thresholds import smallest_class
from anonlib.counting.guarantees import (
    ALL,
    AttributeDisclosure,
    AverageRiskLimit,
    CodedPersons,
    CodedRows,
    KAnonymity,
    LDiversity,
    PrivacyModel,
    TCloseness,
    rows_left,
)
from anonlib.counting.guarantees.kinds import sensitive_of

_MOST_SETS = 64  # of columns that part the file, where each set of them would have to be looked at


@dataclass(frozen=True, eq=False)
class LocalRecodingOfPersons:
    """Levels of each cell of persons with several rows, at which everything asked holds.

    Rows are single: of each profile of the person table each row as often as a person has it, equal ones side by side.

    Attributes
    ----------
    cell_levels : np.ndarray
        int16, single rows x columns that can be coarsened.
    kept : np.ndarray
        bool, per single row: not left out.
    persons : np.ndarray
        int64, per single row the persons who have it.
    loss : float
        The share of the cells' detail that is lost, in [0, 1]; a row that is left out loses all of its own.
    left_out, rows_out : int
        Persons of whom no row is left, and rows that are left out.
    """

    cell_levels: np.ndarray
    kept: np.ndarray
    persons: np.ndarray
    loss: float
    left_out: int
    rows_out: int


class SingleRows:
    """The single rows of a problem.

    Attributes
    ----------
    item : intp, each one's place in ``row`` of the person table.
    profile, row : intp, its profile and its distinct row.
    persons : int64, how many persons have it.
    sensitive : the columns of which something must not be certain, or must be diverse or close.
    coarsened : the places of the columns that can be coarsened and are not sensitive.
    """

    def __init__(self, problem: PersonProblem) -> None:
        table = problem.table
        self.problem = problem
        self.item = np.repeat(np.arange(len(table.row)), table.times)
        self.profile, self.row = table.profile[self.item], table.row[self.item]
        self.persons = table.persons[self.profile]
        self.sensitive = {name for each in problem.guarantees if (name := sensitive_of(each)) is not None}
        self.coarsened = [
            j for j, name in enumerate(problem.columns) if name not in self.sensitive and problem.highest[j]
        ]

    def __len__(self) -> int:
        return len(self.row)

    def values(self, j: int) -> np.ndarray:
        """intp, the code of each one's value in column j of those that can be coarsened."""
        return self.problem.rows.columns[j][self.row]

    @cached_property
    def at_top(self) -> np.ndarray:
        """int16, as ``cell_levels`` of :class:`LocalRecodingOfPersons`: all as coarse as can be."""
        levels = np.zeros((len(self), len(self.problem.columns)), dtype=np.int16)
        for j in self.coarsened:
            levels[:, j] = self.problem.highest[j]
        return levels

    @cached_property
    def apart(self) -> list[tuple[np.ndarray, int]]:
        """What parts the file whatever is coarsened: per column that may be known the codes of its labels at the top,
        and what they are below, where these are several."""
        return [self._codes_at_top[name] for name in self.names_apart]

    @cached_property
    def names_apart(self) -> list[str]:
        """Those columns."""
        return [name for name, (codes, _) in self._codes_at_top.items() if len(codes) and codes.min() < codes.max()]

    @cached_property
    def _codes_at_top(self) -> dict[str, tuple[np.ndarray, int]]:
        known = {name for guarantee in self.problem.guarantees for name in guarantee.columns} - self.sensitive
        rows = self.labelled(self.at_top).rows
        names = [name for name in self.problem.classes.attributes if name in known]
        return {name: (rows.codes[name], len(rows.labels[name])) for name in names}

    def labelled(self, cell_levels: np.ndarray) -> CodedPersons:
        """The persons with the labels of their cells in columns that are asked about; equal labels have one code."""
        problem = self.problem
        names = [name for name in problem.classes.attributes if name in {*problem.names, *problem.needed}]
        codes, labels = dict[str, np.ndarray](), dict[str, np.ndarray]()
        for name in names:
            if name in problem.columns:
                j = problem.columns.index(name)
                of_value, number = numbered_labels(problem, j)
                codes[name] = of_value[cell_levels[:, j], self.values(j)].astype(np.intp)
                labels[name] = np.array([*number, None], dtype=object)[:-1]
            else:
                codes[name], labels[name] = problem.rows.others[name][self.row], problem.rows.labels[name]
        counts = problem.table.persons
        start = np.searchsorted(self.profile, np.arange(len(counts) + 1)).astype(np.int64)
        once = np.ones(len(self), dtype=np.intp)
        rows = CodedRows(codes, labels, self.persons)
        return CodedPersons(rows, counts, start, np.arange(len(self)), once, problem.linked)

    # ---- who stays ----

    def standing(self) -> np.ndarray | None:
        """bool per single row: it stays where all rows of persons are looked at, with everything at the top.

        Persons of whom too few have as many rows lose some of theirs. None where more would have to go than may.
        """
        return self._left(self.labelled(self.at_top), self._of_all_rows(), np.zeros(len(self)))

    def _of_all_rows(self) -> list[PrivacyModel]:
        """What is asked, for everybody and against who knows all rows, of columns that part the file at the top."""
        asked: list[PrivacyModel] = [
            KAnonymity(columns=tuple(self.names_apart), least=least_of(self.problem), rows=ALL)
        ]
        for guarantee in self.problem.guarantees:
            columns = tuple(name for name in self.names_apart if name in guarantee.columns)
            if isinstance(guarantee, AttributeDisclosure):
                if guarantee.p == 0 or 2 ** len(columns) <= _MOST_SETS:
                    asked.append(replace(guarantee, columns=columns, known=None, rows=ALL, share=0.0))
            elif isinstance(guarantee, LDiversity | TCloseness):
                asked.append(replace(guarantee, columns=columns, rows=ALL, share=0.0))
        return list(dict.fromkeys(asked))

    def counted_again(self, cell_levels: np.ndarray, kept: np.ndarray) -> LocalRecodingOfPersons | None:
        """The levels with those rows left out, of these that are kept, that it takes for what is asked of labels.

        It is asked for everybody, whatever share may violate it: where labels of several levels stand side by side,
        counts of them can understate a share. None where too many rows or persons would have to go.
        """
        worth = self._worth(cell_levels)
        left = self._left(self.labelled(cell_levels), for_everybody(self.problem.guarantees), worth, kept)
        if left is None:
            return None
        problem = self.problem
        whole = problem.losses.most + problem.fixed_worth * problem.n_rows
        loss = problem.share(whole - float((self.persons * worth)[left].sum()))
        return LocalRecodingOfPersons(cell_levels, left, self.persons, loss, self.n_persons(~left), self.n_rows(~left))

    def n_rows(self, mask: np.ndarray) -> int:
        """How many rows of the file are marked."""
        return int(self.persons[mask].sum())

    def n_persons(self, gone: np.ndarray) -> int:
        """How many persons have no row that is not marked."""
        remain = np.zeros(len(self.problem.counts), dtype=bool)
        remain[self.profile[~gone]] = True
        return int(self.problem.counts[~remain].sum())

    def _worth(self, cell_levels: np.ndarray) -> np.ndarray:
        """What each row is worth that stays: all that would be lost without it, less what its cells lose."""
        problem = self.problem
        worth = np.full(len(self), problem.fixed_worth)
        for j in range(len(problem.columns)):
            values, losses = self.values(j), problem.losses
            of_values = np.array([losses.of_values(j, level) for level in range(problem.highest[j] + 1)])
            worth += losses.of_left_out(j)[values] - of_values[cell_levels[:, j], values]
        return worth

    def _left(
        self,
        persons: CodedPersons,
        guarantees: Collection[PrivacyModel],
        worth: np.ndarray,
        kept: np.ndarray | None = None,
    ) -> np.ndarray | None:
        """bool per single row, of those that are kept: it stays where guarantees hold; None where too many would go."""
        problem, stays = self.problem, np.ones(len(self), dtype=bool) if kept is None else kept
        most_rows = problem.most - self.n_rows(~stays)
        most_persons = problem.most_persons - self.n_persons(~stays)
        if min(most_rows, most_persons) < 0:
            return None
        now, _, place = persons.with_times(stays.astype(np.intp))
        times = rows_left(
            now, list(guarantees), worth, needed=problem.needed, most_rows=most_rows, most_persons=most_persons,
            pause=problem.pause,
        )  # fmt: skip
        if times is None:
            return None
        left = np.zeros(len(self), dtype=bool)
        left[place] = times > 0
        return left


def for_everybody(guarantees: Iterable[PrivacyModel]) -> list[PrivacyModel]:
    """Guarantees with no share that may violate them."""
    return [each if isinstance(each, AverageRiskLimit) else replace(each, share=0.0) for each in guarantees]


def least_of(problem: PersonProblem) -> int:
    """How many persons a part must have."""
    least = 1
    for guarantee in problem.guarantees:
        if isinstance(guarantee, KAnonymity):
            least = max(least, guarantee.least)
        elif isinstance(guarantee, AverageRiskLimit):
            n = problem.n_records + 1 if not guarantee.limit else smallest_class(guarantee.limit)
            least = max(least, n)
    return least
