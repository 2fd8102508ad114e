"""One level a column, and single cells blank where what must hold takes it.

From the inside out: the least blanks of a table of a few rows, where every way to put its rows into parts is weighed;
the blank cells of any table; the same of a problem with its columns at some levels; and the search over these levels.

Blank cells are parts of two levels, the label and blank. A blank cell and a missing one are the same value with one
label, so a class by labels holds those too who lack the value. As of all parts, what is asked is asked of each part and
counted again by labels. From several choices of levels on, the search takes a column at a time to the level that loses
least; then one up and another down. Levels are compared by blanks that are found in one round; what is shown and
answered took all of them. What is looked at next, and when, depends on the work done so far alone: more work finds
nothing worse. With a coin (:mod:`.coins`) the levels are those that lose least by known columns alone, and values and
coins refuse blanks there: no other levels are taken because values refuse.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from anonlib.analyses.generalization.search.coins import Coin
from anonlib.analyses.generalization.search.lattice import LeveledRows, Losses, Node
from anonlib.analyses.generalization.search.local_recoding.of_records import (
    RULES,
    LocalRecoding,
    TopDownSearch,
    counted_again,
    first_parts,
    sensitive_columns,
)
from anonlib.analyses.generalization.search.local_recoding.splitting_kernel import cheapest_parts
from anonlib.analyses.generalization.search.local_recoding.with_coins import CoinSearch, rule_by_sizes
from anonlib.analyses.generalization.search.persons import PersonProblem
from anonlib.analyses.generalization.search.problem import Problem
from anonlib.basics.budget import UNLIMITED, Budget, Over
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.coarsening.recoding import ValueMap
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.coding import group, sum_by
from anonlib.counting.classes.rows_of_persons import ValueSet
from anonlib.counting.privacy_models import PrivacyModel
from anonlib.counting.privacy_models.coded import in_text_order
from anonlib.counting.privacy_models.models import sensitive_of

# ---- tables of a few rows ----

MOST_ROWS = 12
"""Rows up to which every way is weighed."""


def least_blanks(problem: Problem) -> LocalRecoding | None:
    """The level of each cell, 0 or 1 (blank), counted again by labels; None where too many would have to go."""
    search = TopDownSearch(problem, RULES[0], 1)
    runs, left_out = search.whole()
    if left_out is None:
        return None
    n_rows, columns = len(problem.counts), search.coarsened
    cell_levels = np.zeros((n_rows, len(problem.columns)), dtype=np.int16)
    label = np.zeros((len(columns), n_rows), dtype=np.intp)
    lost, lost_blank = np.zeros((2, len(columns), n_rows))
    for place, j in enumerate(columns):
        codes = problem.rows.codes_at(problem.columns[j], 0)
        is_missing = np.array([value is None for value in problem.rows.labels_at(problem.columns[j], 0)], dtype=bool)
        label[place], lost[place] = codes, problem.losses.of_values(j, 0)[codes]
        lost_blank[place] = np.where(is_missing[codes], lost[place], problem.losses.of_values(j, 1)[codes])
    held = np.zeros(max([1, *search.asked.span.tolist()]), dtype=np.int64)
    for first, last in runs:
        rows = search.order[first:last].copy()
        part = cheapest_parts(label, lost, lost_blank, problem.counts, search.asked, rows, held)
        for number in range(int(part.max(initial=-1)) + 1):
            members = rows[part == number]
            for place, j in enumerate(columns):
                if (label[place, members] != label[place, members[0]]).any():
                    cell_levels[members, j] = 1
    return counted_again(problem, cell_levels, ~search.gone)


# ---- blank cells of a table ----

BLANK = Hierarchy((ValueMap((), otherwise=""),), ("blank",))
"""A label, and no label."""
ROUNDS = 20
"""How often each small part is split: cells that are blank cost little to look for."""
Worth = tuple[tuple[str, tuple[tuple[str | None, float], ...]], ...]
"""By column, what a cell of each label is worth: here the share of its detail that it still has; 1 if not named."""


@dataclass(frozen=True)
class CellSuppressionTask:
    """What is asked of a table whose single cells may be blank.

    Attributes
    ----------
    columns : tuple[str, ...]
        Those whose cells may be blank.
    guarantees : tuple[PrivacyModel, ...]
        What must hold.
    most : int, default 0
        How many records may be left out.
    weights : Mapping[str, float], optional
        How much a column's cells count, 1 where not named.
    worth : Worth, default ()
        See :data:`Worth`.
    coin : Coin, optional
        Where something is asked of values, how a coin refuses as they do; None: they alone.
    """

    columns: tuple[str, ...]
    guarantees: tuple[PrivacyModel, ...]
    most: int = 0
    weights: Mapping[str, float] = field(default_factory=dict)
    worth: Worth = ()
    coin: Coin | None = None

    @property
    def sensitive(self) -> set[str]:
        """The columns of whose values something is asked."""
        return {name for guarantee in self.guarantees if (name := sensitive_of(guarantee)) is not None}

    @property
    def of_sizes(self) -> CellSuppressionTask:
        """The same without anything that is asked of values."""
        return replace(self, guarantees=_of_sizes(self.guarantees))


@dataclass(frozen=True, eq=False)
class SuppressedCells:
    """Which cells of a table are blank.

    Attributes
    ----------
    columns : tuple[str, ...]
        Those whose cells may be.
    blank : np.ndarray
        bool, rows of the table x columns; a cell that is missing anyhow is not blank.
    kept : np.ndarray
        bool, per row: not left out.
    left_out : int
        Records that are left out.
    part : np.ndarray, optional
        int64, per row the number of its part, -1 of those that are in none; None where nobody asks.
    """

    columns: tuple[str, ...]
    blank: np.ndarray
    kept: np.ndarray
    left_out: int
    part: np.ndarray | None = None


def blanks_in(
    classes: ClassTable, question: CellSuppressionTask, *, rounds: int = ROUNDS, progress: Progress | None = None
) -> SuppressedCells | None:
    """The blank cells of a table, as few and little worth as splitting it from the top finds; always the same ones.

    Parameters
    ----------
    classes : ClassTable
        Records of one row each; guarantees name every column.
    question : CellSuppressionTask
        What is asked.
    rounds : int
        How often each small part is split (:data:`ROUNDS`); 1 for the quickest answer.
    progress : Progress, optional
        Called with the share that is done, in [0, 1]; may raise to stop.

    Returns
    -------
    SuppressedCells, or None where more records than may be would have to be left out, or with a coin where values
    refuse the whole
    """
    table, order = _in_text_order(classes, question.columns)
    problem = CellSuppressionProblem(table, question)
    if question.coin is not None and question.sensitive:
        known = [name for name in table.attributes if name not in question.sensitive]
        rule = rule_by_sizes(CellSuppressionProblem(table.project(known), question.of_sizes))
        refused = CoinSearch(problem, rule, rounds, question.coin).run(progress or nobody)
        return None if refused is None else _cells(problem, order, refused)
    few = len(table.counts) <= MOST_ROWS
    parts = least_blanks(problem) if few else first_parts(problem, rounds, progress or nobody)[1]
    return None if parts is None else _cells(problem, order, parts)


def _of_sizes(guarantees: Sequence[PrivacyModel]) -> tuple[PrivacyModel, ...]:
    return tuple(guarantee for guarantee in guarantees if sensitive_of(guarantee) is None)


class CellSuppressionProblem(Problem):
    """A table of which each cell of some columns is as it is or blank."""

    def __init__(self, classes: ClassTable, question: CellSuppressionTask) -> None:
        self.worth_of_labels = question.worth
        super().__init__(
            classes, dict.fromkeys(question.columns, BLANK), question.guarantees,
            suppression_limit=max(0, question.most),
            weights={name: weight for name, weight in question.weights.items() if name in classes.attributes},
        )  # fmt: skip

    @cached_property
    def losses(self) -> Losses:
        """What cells lose: all of it where they are blank, else what their label has lost before."""
        return _LossesOfBlanks(self.rows, [self.weights[name] for name in self.columns], self._shares())

    def _shares(self) -> list[np.ndarray]:
        """By column that may be blank, per value the share of the detail that its label still has."""
        worth = {name: dict(labels) for name, labels in self.worth_of_labels}
        return [
            np.array([worth.get(name, {}).get(label, 1.0) for label in levels.labels[0]])
            for name, levels in zip(self.columns, self.ladders.levels, strict=True)
        ]


class _LossesOfBlanks(Losses):
    """Losses of a label and a blank."""

    def __init__(self, rows: LeveledRows, weights: Sequence[float], shares: Sequence[np.ndarray]) -> None:
        super().__init__(rows, "cell_loss", weights)
        self.shares = shares

    def of_values(self, j: int, level: int) -> np.ndarray:
        return self.weights[j] * (np.ones(len(self.shares[j])) if level else 1.0 - self.shares[j])


def _cells(problem: Problem, order: np.ndarray, parts: LocalRecoding) -> SuppressedCells:
    """What was found, for the rows as they came: row i of the problem is row ``order[i]`` there."""
    blank = np.zeros(parts.cell_levels.shape, dtype=bool)
    kept = np.zeros(len(order), dtype=bool)
    has_label = [
        np.array([label is not None for label in problem.rows.labels_at(name, 0)], dtype=bool)[
            problem.rows.codes_at(name, 0)
        ]
        for name in problem.columns
    ]
    if has_label:
        blank[order] = (parts.cell_levels > 0) & np.column_stack(has_label)
    kept[order] = parts.kept
    blank[~kept] = False
    part = None
    if parts.part is not None:
        part = np.empty(len(order), dtype=np.int64)
        part[order] = parts.part
    return SuppressedCells(problem.columns, blank, kept, parts.left_out, part)


def _in_text_order(classes: ClassTable, columns: Sequence[str]) -> tuple[ClassTable, np.ndarray]:
    """The table with its rows, and the values of some columns, in the order of their text, and each row's old place.

    So the same blanks are found in whatever order a table holds its values.
    """
    codes, categories = classes.codes.copy(), list(classes.categories)
    keys = []
    for j, name in enumerate(classes.attributes):
        rank = in_text_order(categories[j])
        keys.append(rank[codes[:, j]])
        if name in columns:
            codes[:, j] = rank[codes[:, j]]
            categories[j] = categories[j][np.argsort(rank)]
    order = np.lexsort([np.zeros(len(codes), dtype=np.intp), *reversed(keys)])
    table = replace(
        classes, codes=codes[order], categories=tuple(categories), counts=classes.counts[order], class_of_record=None
    )
    return table, order


# ---- blank cells with columns at their levels ----


@dataclass(frozen=True, eq=False)
class CellSuppression:
    """Levels of the columns, and the blank cells that what is asked takes with them.

    Attributes
    ----------
    levels : Node
        Of each column of the problem.
    cells : SuppressedCells
        Which cells are blank, rows of the problem x the columns that may have blanks.
    loss : float
        The share of the cells' detail that is lost, in [0, 1]: a blank cell and who is left out lose all of it.
    tables : int, default 1
        Where levels were searched, how many choices of these were looked at.
    finished : bool, default True
        Whether that search came to its end.
    ended_early : bool, default False
        Whether a clock, or somebody, ended it: another machine may find others.
    """

    levels: Node
    cells: SuppressedCells
    loss: float
    tables: int = 1
    finished: bool = True
    ended_early: bool = False


def question_at(problem: Problem, levels: Node, coin: Coin | None = None) -> CellSuppressionTask:
    """What is asked of a table with its columns at some levels, where their cells may be blank.

    Cells of a column that has one label are never blank: it says nothing. Weights are of the cells as they were, so the
    share of its detail that a label still has says what a blank takes.

    Parameters
    ----------
    problem : Problem
        Records of one row each, and what must hold.
    levels : Node
        The level of each column of the problem.
    coin : Coin, optional
        As in :class:`CellSuppressionTask`.

    Returns
    -------
    CellSuppressionTask
    """
    sensitive = sensitive_columns(problem)
    columns, weights, worth = [], dict[str, float](), []
    for name, level in zip(problem.columns, levels, strict=True):
        at = problem.levels[name]
        if name not in problem.names or name in sensitive or len(at.labels[level]) < 2:
            continue
        columns.append(name)
        weights[name] = problem.weights[name]
        left = np.zeros(len(at.labels[level]))
        left[at.group[level]] = 1 - at.loss(level)
        if len(set(left.tolist())) == 1:
            weights[name] *= float(left[0])
        elif name not in problem.unnamed:
            pairs = zip(at.labels[level].tolist(), left.tolist(), strict=True)
            worth.append((name, tuple((label, share) for label, share in pairs if not isinstance(label, ValueSet))))
    return CellSuppressionTask(
        tuple(columns), problem.guarantees, max(0, problem.suppression_limit), weights, tuple(worth), coin
    )


def blank_cells(
    problem: Problem,
    levels: Node,
    *,
    coin: Coin | None = None,
    rounds: int = ROUNDS,
    progress: Progress | None = None,
) -> CellSuppression | None:
    """The least blanks found with the columns at some levels, as :func:`blanks_in`.

    Parameters
    ----------
    problem : Problem
        Records of one row each, and what must hold.
    levels : Node
        The level of each column of the problem.
    coin : Coin, optional
        As in :class:`CellSuppressionTask`.
    rounds : int, default ROUNDS
        How often each small part is split; 1 for the quickest answer.
    progress : Progress, optional
        Called with the share done; what it raises stops the work.

    Returns
    -------
    CellSuppression, or None where more records than may be would have to be left out

    Raises
    ------
    InputError
        For persons with several rows.
    """
    if isinstance(problem, PersonProblem):
        raise InputError(
            "Cells of persons with several rows cannot be blanked one by one: each column keeps one level.",
            code="persons-have-several-rows",
        )
    question = question_at(problem, levels, coin)
    table, row = _at_levels(problem, levels)
    cells = blanks_in(table, question, rounds=rounds, progress=progress)
    if cells is None:
        return None
    part = None if cells.part is None else cells.part[row]
    here = SuppressedCells(cells.columns, cells.blank[row], cells.kept[row], cells.left_out, part)
    return CellSuppression(levels, here, loss_with(problem, levels, here))


def loss_with(problem: Problem, levels: Node, cells: SuppressedCells) -> float:
    """The share of the detail that is lost at some levels with some cells blank; in [0, 1].

    A cell loses as everywhere what its level does, a blank one all.
    """
    lost = problem.fixed_worth * float(cells.left_out)
    for j, (name, level) in enumerate(zip(problem.columns, levels, strict=True)):
        values = problem.rows.columns[j]
        of_cells, whole = problem.losses.of_values(j, level)[values], problem.losses.of_left_out(j)[values]
        gone = ~cells.kept
        if name in cells.columns:
            gone = gone | cells.blank[:, cells.columns.index(name)]
        lost += float((problem.counts * np.where(gone, whole, of_cells)).sum())
    return problem.share(lost)


def _at_levels(problem: Problem, levels: Node) -> tuple[ClassTable, np.ndarray]:
    """The table of the columns that guarantees name at some levels, and of each row of the problem its row there."""
    names = [name for name in problem.classes.attributes if name in problem.names]
    at = dict(zip(problem.columns, levels, strict=True))
    codes = np.column_stack(
        [
            np.zeros(len(problem.counts), dtype=np.intp),
            *(problem.rows.codes_at(name, at.get(name, 0)) for name in names),
        ]
    )
    labels = [problem.rows.labels_at(name, at.get(name, 0)) for name in names]
    row, first = group(codes, [1, *(len(column_labels) for column_labels in labels)])
    counts = sum_by(row, len(first), problem.counts)
    return ClassTable(tuple(names), tuple(labels), codes[first, 1:].astype(np.int32), counts), row


# ---- the search over levels ----

_SLACK = 1e-9
_HEIGHTS = 4  # choices of levels at equal heights that are climbed from
_FEW_NODES = 2_000  # of a table of a few rows, all are looked at
_MOST_SEARCHED = 20  # nodes that are searched in full, the best by the quick way first
_BETWEEN = 16  # choices of levels from one answer in full to the next
_A_TABLE, _A_ROW = 500_000, 150  # the work of finding blanks in one round: of any table, and of each of its rows


def with_blanks(
    problem: Problem, budget: Budget = UNLIMITED, progress: Progress | None = None, coin: Coin | None = None
) -> CellSuppression | None:
    """The levels and blank cells that lose least of those that a local search looks at.

    Of a table of a few rows and nodes all are looked at. As much work finds the same on every machine, and more work
    nothing worse.

    Parameters
    ----------
    problem : Problem
        Records of one row each, and what must hold; its objective is the loss of cells.
    budget : Budget, default UNLIMITED
        What may be spent; a first answer is always completed. Until no start leads further where it has no end.
    progress : Progress, optional
        Called with the share done and the best answer so far; what it raises stops the search.
    coin : Coin, optional
        As in :class:`CellSuppressionTask`; then known columns alone choose the levels, and there is no answer before
        the last.

    Returns
    -------
    CellSuppression, or None where more records than may be would have to be left out, or with a coin where values
    refuse the whole at the levels that are chosen

    Raises
    ------
    InputError
        For persons with several rows.
    """
    if coin is not None and sensitive_columns(problem):
        return _with_coin(problem, budget, progress or nobody, coin)
    search = _LevelSearch(problem, budget, progress or nobody)
    finished = False
    with suppress(Over):
        search.run()
        finished = True
    best, early = search.search_best(), search.spending.ended_early
    return None if best is None else replace(best, tables=len(search.losses), finished=finished, ended_early=early)


def _with_coin(problem: Problem, budget: Budget, progress: Progress, coin: Coin) -> CellSuppression | None:
    """The same at the levels of which known columns alone lose least."""
    sensitive, sizes = sensitive_columns(problem), _of_sizes(problem.guarantees)
    if not sizes:
        return blank_cells(problem, problem.bottom, coin=coin, progress=progress)
    known = Problem(
        problem.classes.project([name for name in problem.classes.attributes if name not in sensitive]),
        {name: way for name, way in problem.hierarchies.items() if name not in sensitive},
        sizes,
        suppression_limit=problem.suppression_limit,
        highest=dict(zip(problem.columns, problem.highest, strict=True)),
        weights={name: weight for name, weight in problem.weights.items() if name not in sensitive},
        divisible=problem.divisible,
        unnamed=problem.unnamed - sensitive,
    )
    chosen = with_blanks(known, budget, lambda share, *_: progress(share))
    if chosen is None:
        return None
    levels = dict(zip(known.columns, chosen.levels, strict=True))
    blanks = blank_cells(problem, tuple(levels.get(name, 0) for name in problem.columns), coin=coin)
    if blanks is None:
        return None
    return replace(blanks, tables=chosen.tables, finished=chosen.finished, ended_early=chosen.ended_early)


class _LevelSearch:
    def __init__(self, problem: Problem, budget: Budget, progress: Progress) -> None:
        self.problem, self.progress = problem, progress
        self.spending = budget.begun()
        self.a_table = _A_TABLE + _A_ROW * len(problem.counts)
        sensitive = sensitive_columns(problem)
        self.free = [
            j
            for j, name in enumerate(problem.columns)
            if problem.highest[j] and name in problem.names and name not in sensitive
        ]
        self.losses: dict[Node, float] = {}
        self.searched: dict[Node, CellSuppression | None] = {}

    def run(self) -> None:
        if self._never_holds:
            return
        if len(self.problem.counts) <= MOST_ROWS and self._n_nodes <= _FEW_NODES:
            for node in self._all_nodes(0, self.problem.bottom):
                self._loss(node)
            return
        starts = sorted(dict.fromkeys(self._starts()), key=lambda node: (self._loss(node), node))
        self._answer_in_full()
        ends = [self._each_column(start) for start in starts]
        for node in sorted(dict.fromkeys(ends), key=lambda node: (self._loss(node), node)):
            self._exchange(node)

    @property
    def _never_holds(self) -> bool:
        """Whether too many violate something where each column that may change is one label: then so they do blank."""
        are_one = all(len(self.problem.levels[self.problem.columns[j]].labels[-1]) == 1 for j in self.free)
        return are_one and self.problem.settle(self.problem.highest) is None

    @property
    def _n_nodes(self) -> int:
        n_nodes = 1
        for j in self.free:
            n_nodes *= self.problem.highest[j] + 1
        return n_nodes

    def _all_nodes(self, place: int, node: Node) -> Iterator[Node]:
        if place == len(self.free):
            yield node
            return
        for level in range(self.problem.highest[self.free[place]] + 1):
            yield from self._all_nodes(place + 1, _at(node, self.free[place], level))

    def _starts(self) -> Iterator[Node]:
        """Levels at equal heights, from the bottom to the top."""
        for height in range(_HEIGHTS + 1):
            node = self.problem.bottom
            for j in self.free:
                node = _at(node, j, round(self.problem.highest[j] * height / _HEIGHTS))
            yield node

    def _exchange(self, node: Node) -> None:
        """To where no two columns, of which one goes up and the other down, lose less."""
        while (better := self._pairs(node)) is not None:
            node = self._each_column(better)

    def _each_column(self, node: Node) -> Node:
        """Each column to the level that loses least, again until none changes."""
        before = None
        while before != node:
            before = node
            for j in self.free:
                levels = [_at(node, j, level) for level in range(self.problem.highest[j] + 1)]
                best = min(levels, key=self._loss)
                if self._loss(best) < self._loss(node) - _SLACK:
                    node = best
        return node

    def _pairs(self, node: Node) -> Node | None:
        """The first node found with one column up and another down that loses less."""
        for up in self.free:
            for down in self.free:
                if up == down or node[up] == self.problem.highest[up] or not node[down]:
                    continue
                other = _at(_at(node, up, node[up] + 1), down, node[down] - 1)
                if self._loss(other) < self._loss(node) - _SLACK:
                    return other
        return None

    def _loss(self, node: Node) -> float:
        """What a node loses by the quick way; more than everything where it cannot do."""
        if node not in self.losses:
            self._report()
            self.spending.spend(self.a_table)
            blanks = blank_cells(self.problem, node, rounds=1)
            self.losses[node] = 2.0 if blanks is None else blanks.loss
        return self.losses[node]

    def _report(self) -> None:
        """Show how far the search is and the best so far; raises when the budget is spent.

        The work ends a search where an answer in full is due: one with more of it goes on from there. The clock ends it
        anywhere.
        """
        if self.losses and len(self.losses) % _BETWEEN == 0:
            self._answer_in_full()
        best = self.best
        self.progress(self.spending.share, None if best is None else replace(best, finished=False, ended_early=True))
        if best is not None:
            self.spending.raise_if_late()

    def _answer_in_full(self) -> None:
        if self.search_best() is not None:
            self.spending.raise_if_over()

    @property
    def best(self) -> CellSuppression | None:
        """The best that was searched in full."""
        suppressions = [blanks for blanks in self.searched.values() if blanks is not None]
        return min(suppressions, key=lambda blanks: (blanks.loss, blanks.levels), default=None)

    def search_best(self) -> CellSuppression | None:
        """Search in full the best by the quick way, and further ones until one does; the best of all that were."""
        for node in sorted(self.losses, key=lambda node: (self.losses[node], node))[:_MOST_SEARCHED]:
            if self.losses[node] > 1.0:
                break
            if node not in self.searched:
                self.spending.spend(ROUNDS * self.a_table)
                self.searched[node] = blank_cells(self.problem, node)
            if self.searched[node] is not None:
                break
        return self.best


def _at(node: Node, j: int, level: int) -> Node:
    return (*node[:j], level, *node[j + 1 :])
