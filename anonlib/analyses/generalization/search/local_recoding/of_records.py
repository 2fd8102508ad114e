"""Levels for each part of a table: split from the top, along the hierarchies, as far as every part stands alone.

First runs of rows that are split, small parts several times (:class:`Splits`); then parts that are alike, put together
and split again for as long as one likes (:class:`Rejoining`): so parts come about that no splitting from the top has.
Then the table: one way to split it, and the best of several (:func:`part_by_part`); last as much of that as a budget
allows (:func:`parts_within`).

What is asked of classes is asked of each part. Classes of labels are unions of parts, and so are those who share some
of the labels; a union of parts of at least k records has at least k, and its values are a mixture of theirs: so all
models hold of the labels, whatever share may violate them and however few facts are known. Where one or two are known,
a part need not have several sensitive values of its own, and is split on (:mod:`.few_facts`). Only where sensitive
values may be known too a class can be less than a part. So everything is counted again by labels, and who violates then
is left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from anonlib.analyses.generalization.search.lattice import DIGITS
from anonlib.analyses.generalization.search.local_recoding.few_facts import (
    FewFacts,
    SplitRows,
    is_of_few,
    numbered_labels,
)
from anonlib.analyses.generalization.search.local_recoding.rejoining_kernel import (
    LinkedParts,
    put_in_order,
    split_together,
)
from anonlib.analyses.generalization.search.local_recoding.splitting_kernel import (
    DISTINCT,
    ENTROPY,
    EQUAL,
    NOT_CERTAIN,
    ORDERED,
    LabelTable,
    PartLimits,
    SplitParts,
    SplitRule,
    SplitScratch,
    cannot_stand,
    split,
)
from anonlib.analyses.generalization.search.persons import PersonProblem
from anonlib.analyses.generalization.search.problem import Problem
from anonlib.basics.budget import Budget, Over, Spending
from anonlib.basics.progress import Progress, nobody, share_of
from anonlib.basics.thresholds import smallest_class
from anonlib.counting.classes.coding import sum_by
from anonlib.counting.privacy_models import (
    AttributeDisclosure,
    AverageRiskLimit,
    Coded,
    CodedRows,
    KAnonymity,
    LDiversity,
    TCloseness,
    left_after,
    sensitive_readings,
)
from anonlib.counting.privacy_models.models import sensitive_of

# ---- runs of rows that are split ----

ROUNDS = 6
"""How often each small part is split, at random but the first time; what loses least is taken. In every round more
some parts that are alike are put together and split again (:class:`Rejoining`)."""
SMALL, SMALL_FILE = 300, 2_000  # records of a part, and of a file, that are split several times
RULES = tuple(SplitRule(widest, jumps, 0.0) for widest in (False, True) for jumps in (True, False))
NOISE = 0.3
"""Of the number at random by which splits of a small part are distinguished, in every round but the first."""
_MOST_HELD = 4_000_000  # values of children that are counted at once
_SEED = np.uint64(88172645463325252)  # of xorshift: the same parts of the same records, always


def rules_for(n_records: int) -> tuple[SplitRule, ...]:
    """What saves most for its entropy; of a small file every way to compare splits."""
    return RULES if n_records <= SMALL_FILE else RULES[:1]


class Splits:
    """Runs of rows that are split, and what is made of them.

    Attributes
    ----------
    order : int64, the rows, those of a part side by side.
    split : the levels of each row; by place in ``order``, where parts begin, and their regions.
    room, state : what the compiled loops count in, and where their numbers at random come from.
    """

    def __init__(
        self, table: LabelTable, top: np.ndarray, rule: SplitRule, rounds: int, span: int, words: int = 0
    ) -> None:
        """``top`` are the levels (int16) to begin with, ``rounds`` how often a small part is split, ``span`` the most
        values of a column that something is asked of, ``words`` those of a region (:class:`SplitParts`)."""
        self.table, self.top, self.rule, self.rounds, self.small = table, top, rule, rounds, SMALL
        n_records, n_rows = int(table.counts.sum()), len(table.counts)
        if 0 < n_records <= SMALL_FILE:  # the whole of it, and more often
            self.small = n_records
            self.rounds *= min(10, SMALL_FILE // n_records) if rounds > 1 else 1
        labels = 1 + max((int(n) for n in table.n), default=0)
        numbers, marks = np.zeros((8, labels), dtype=np.int64), np.zeros((2, labels), dtype=bool)
        # No more than can be needed: where freed memory is overwritten, an array costs its whole size.
        held = np.empty(max(span, min(_MOST_HELD, span * min(labels, n_rows))), dtype=np.int64)
        buffer = np.zeros(n_rows, dtype=np.int64)
        self.room = SplitScratch(
            size=numbers[0], row=numbers[1], place=numbers[2], children=numbers[3], alone=marks[0],
            best_children=numbers[4], best_alone=marks[1], having=numbers[5], records=numbers[6], first=numbers[7],
            held=held, buffer=buffer,
        )  # fmt: skip
        self.order = np.arange(n_rows)
        self.split = SplitParts(
            np.zeros((n_rows, len(top)), dtype=np.int16),
            np.zeros(n_rows, dtype=bool),
            np.zeros((n_rows, words), dtype=np.uint64),
        )
        self.state = np.array([_SEED], dtype=np.uint64)

    def run(self, limits: PartLimits, order: np.ndarray, starts: Sequence[tuple[int, int]], progress: Progress) -> None:
        """Split runs (from, to) of an order of the rows, as far as what is asked lets parts stand alone."""
        self.asked, self.order = limits, order
        waiting = np.zeros((len(order), 2 + len(self.top)), dtype=np.int64)
        few = self.small if self.rounds > 1 else 0
        for i, (first, last) in enumerate(starts):
            self.split.regions[first] = ~np.uint64(0)
            _, n_waiting = self._split(first, last, self.top, self.rule, few, waiting)
            for w in range(n_waiting):
                self._try(waiting[w])
                if w % 16 == 0:
                    progress((i + w / n_waiting) / len(starts))

    def _split(
        self, first: int, last: int, start: np.ndarray, rule: SplitRule, few: int, waiting: np.ndarray
    ) -> tuple[float, int]:
        return split(
            self.table, self.asked, rule, self.order, first, last, start, few, self.state, self.room, self.split,
            waiting,
        )  # fmt: skip

    def _try(self, part: np.ndarray) -> None:
        """Split a small part several times, and take the best of these."""
        first, last, start = int(part[0]), int(part[1]), part[2:].astype(np.int16)
        run = slice(first, last)
        rows, region = self.order[run].copy(), self.split.regions[first].copy()
        nothing = np.zeros((0, len(part)), dtype=np.int64)
        best, best_split = math.inf, tuple[np.ndarray, ...]()
        for turn in range(self.rounds):
            self.order[run], self.split.begins[run], self.split.regions[first] = rows, False, region
            rule = self.rule if turn == 0 else self.rule._replace(noise=NOISE)
            lost, _ = self._split(first, last, start, rule, 0, nothing)
            if lost < best - 1e-9:
                best = lost
                best_split = (self.order[run].copy(), self.split.begins[run].copy(), self.split.regions[run].copy(),
                        self.split.levels[self.order[run]])  # fmt: skip
        order, begins, regions, levels = best_split
        self.order[run], self.split.begins[run], self.split.regions[run] = order, begins, regions
        self.split.levels[order] = levels


# ---- parts put together and split again ----

_TRIES, _MOST_ROWS = 1_000, 100_000  # of a round
_LOOKED_AT = 1_000  # parts, among which the nearest are looked for
_NEAR = 4  # parts that are put to another one
_MOST_RECORDS, _TIMES_K = 300, 10  # of parts put together, or so many times k where that is more
_REJOINED = SplitRule(widest=False, jumps=True, noise=0.5)


class Rejoining:
    """Parts, and rounds in which some are put together and split again.

    Parameters
    ----------
    splits : Splits
        The search that found the parts: its levels of rows, its room and its numbers at random are used on.
    limits : PartLimits
        What must hold of a part.
    runs : list[tuple[int, int]]
        Which rows of the order can be parted from which, from one place to another.
    order : np.ndarray
        int64, the rows.
    """

    def __init__(self, splits: Splits, limits: PartLimits, runs: list[tuple[int, int]], order: np.ndarray) -> None:
        self.splits, self.limits = splits, limits
        self.order, self.regions = order.copy(), splits.split.regions.copy()
        self.in_parts = np.zeros(len(order), dtype=bool)
        for first, last in runs:
            self.in_parts[first:last] = True
        self.parts = self._linked(runs)
        self.trial = SplitParts(
            np.zeros_like(splits.split.levels),
            np.zeros(len(order), dtype=bool),
            np.zeros((len(order), 0), dtype=np.uint64),
        )

    def round(self) -> None:
        """Try so often to lose less."""
        splits, n_parts = self.splits, int(self.parts.n[0])
        if n_parts < 2:
            return
        most_records = max(_MOST_RECORDS, _TIMES_K * self.limits.k)
        split_together(
            splits.table, self.limits, _REJOINED, splits.top, self.parts, _TRIES, _MOST_ROWS, most_records, _NEAR,
            min(_LOOKED_AT, n_parts), splits.state, splits.room, self.trial,
        )  # fmt: skip

    def put_in_order(self, order: np.ndarray, split_parts: SplitParts) -> None:
        """Write the parts as they are now where the search has its own: rows that are in no part stay as they are."""
        n_in_parts = int(self.in_parts.sum())
        rows = np.concatenate([np.zeros(n_in_parts, dtype=np.int64), self.order[~self.in_parts]])
        put_in_order(self.splits.table, self.parts, self.regions, rows, split_parts)
        order[:] = rows
        split_parts.begins[n_in_parts:] = False

    def _linked(self, runs: list[tuple[int, int]]) -> LinkedParts:
        """The parts that were found, each a list of its rows, with what its cells lose."""
        table, split_parts, n_rows = self.splits.table, self.splits.split, len(self.order)
        run_of_place = np.zeros(n_rows, dtype=np.int64)
        for run, (first, last) in enumerate(runs):
            run_of_place[first:last] = run
        begins = self.in_parts & split_parts.begins
        places, part_of_place = np.flatnonzero(begins), np.cumsum(begins) - 1
        rows, part = self.order[self.in_parts], part_of_place[self.in_parts]
        n_parts = len(places)
        next_row = np.full(n_rows, -1, dtype=np.int64)
        follows = part[1:] == part[:-1]
        next_row[rows[:-1][follows]] = rows[1:][follows]
        first_row = self.order[places].astype(np.int64)
        records = np.bincount(part, weights=table.counts[rows], minlength=n_parts).astype(np.int64)
        lost = np.zeros(n_parts)
        for j in range(len(self.splits.top)):
            entry = table.at[j] + split_parts.levels[first_row, j] * table.n[j] + table.values[j, first_row]
            lost += records * table.loss[entry]

        def with_room(of_part: np.ndarray) -> np.ndarray:
            return np.append(of_part, np.zeros(n_rows + 1 - n_parts, dtype=of_part.dtype))

        return LinkedParts(
            first=with_room(first_row), after=next_row, levels=split_parts.levels, size=with_room(records),
            lost=with_room(lost), run=with_room(run_of_place[places]), place=with_room(places),
            n=np.array([n_parts], dtype=np.int64),
        )  # fmt: skip


# ---- a table ----

_KINDS = {"distinct": DISTINCT, "entropy": ENTROPY, "equal": EQUAL, "ordered": ORDERED}


@dataclass(frozen=True, eq=False)
class LocalRecoding:
    """Levels of each cell at which everything asked holds of every part.

    Attributes
    ----------
    cell_levels : np.ndarray
        int16, rows of the problem x columns that can be coarsened.
    kept : np.ndarray
        bool, per row: not left out.
    loss : float
        The share of the cells' detail that is lost, in [0, 1]; what is left out loses all of its own.
    left_out : int
        Records that are left out.
    part : np.ndarray, optional
        int64, per row the number of its part, -1 of who is in none; None where nobody asks.
    """

    cell_levels: np.ndarray
    kept: np.ndarray
    loss: float
    left_out: int
    part: np.ndarray | None = None


def part_by_part(problem: Problem, *, rounds: int = ROUNDS, progress: Progress | None = None) -> LocalRecoding | None:
    """The levels of each part, as low as top-down splitting finds them.

    Columns that cannot be coarsened part the table before anything is split; sensitive columns stay as they are. The
    same records have the same parts, whenever and wherever they are looked for.

    Parameters
    ----------
    problem : Problem
        Records of one row each, and what must hold. Whatever its objective, it is cells that lose least here.
    rounds : int
        How often each small part is split (:data:`ROUNDS`); 1 for the quickest answer.
    progress : Progress, optional
        See :data:`anonlib.basics.progress.Progress`.

    Returns
    -------
    LocalRecoding, or None where more records than may be would have to be left out

    References
    ----------
    Top-down specialization: Fung, Wang and Yu (2005); local recoding: Xu et al. (2006).
    """
    if isinstance(problem, PersonProblem):
        raise TypeError("parts of persons are found by parts_of_persons")
    named = of_known(problem)
    return of_all(problem, named, best_parts(named, rounds, progress or nobody))


def of_known(problem: Problem) -> Problem:
    """The same of the columns that guarantees name alone; cells lose what they lose."""
    names = [name for name in problem.classes.attributes if name in problem.names]
    return Problem(
        problem.classes.project(names),
        {name: hierarchy for name, hierarchy in problem.hierarchies.items() if name in names},
        problem.guarantees,
        suppression_limit=max(0, problem.suppression_limit),
        highest=dict(zip(problem.columns, problem.highest, strict=True)),
        weights={name: problem.weights[name] for name in names},
    )


def of_all(problem: Problem, named: Problem, recoding: LocalRecoding | None) -> LocalRecoding | None:
    """What was found :func:`of_known` columns as parts of the problem itself."""
    if recoding is None:
        return None
    names = list(named.classes.attributes)
    row = problem.classes.membership(names)
    cell_levels = np.zeros((len(row), len(problem.columns)), dtype=np.int16)
    for j, name in enumerate(named.columns):
        cell_levels[:, problem.columns.index(name)] = recoding.cell_levels[row, j]
    others = sum(weight for name, weight in problem.weights.items() if name not in names)
    present = sum(named.weights.values())
    lost = recoding.loss * present * problem.n_records + others * recoding.left_out
    whole = (present + others) * problem.n_records or 1.0
    part = None if recoding.part is None else recoding.part[row]
    return LocalRecoding(cell_levels, recoding.kept[row], round(lost / whole, DIGITS), recoding.left_out, part)


def best_parts(problem: Problem, rounds: int, progress: Progress) -> LocalRecoding | None:
    """As :func:`part_by_part`, of a table of which guarantees name every column."""
    first_rounds = share_of(progress, 0.0, min(1.0, ROUNDS / rounds))
    search, recoding = first_parts(problem, min(rounds, ROUNDS), first_rounds)
    if search is None or recoding is None or rounds <= ROUNDS:
        return recoding
    for done in range(ROUNDS, rounds):
        progress(done / rounds)
        search.go_on()
    return search.better_than(recoding)


def first_parts(problem: Problem, rounds: int, progress: Progress) -> tuple[TopDownSearch | None, LocalRecoding | None]:
    """The best way to split and what it finds: what saves most for its entropy; of a small file every way is tried.

    What meets everything stays as it is, and nothing is split.
    """
    as_it_is = counted_again(
        problem, np.zeros((len(problem.counts), len(problem.columns)), dtype=np.int16), problem.counts > 0
    )
    if as_it_is is not None and as_it_is.loss == 0:  # splitting one part at a time need not come to it
        return None, as_it_is
    rules = rules_for(problem.n_records)
    best: tuple[TopDownSearch | None, LocalRecoding | None] = (None, None)
    for i, rule in enumerate(rules):
        search = TopDownSearch(problem, rule, rounds)
        recoding = search.run(share_of(progress, i / len(rules), (i + 1) / len(rules)))
        if recoding is not None and (best[1] is None or recoding.loss < best[1].loss):
            best = search, recoding
    return best


class TopDownSearch:
    """One way to split a table."""

    def __init__(self, problem: Problem, rule: SplitRule, rounds: int) -> None:
        self.problem = problem
        self.coarsened = [j for j, name in enumerate(problem.columns) if name not in sensitive_columns(problem)]
        self.table = _table(problem, self.coarsened)
        self.few = FewFacts.of(problem, self.coarsened, self.table)
        words = 0 if self.few is None else -(-int(self.table.n.sum()) // 64)
        top = np.array([problem.highest[j] for j in self.coarsened], dtype=np.int16)
        self.asked = _asked(problem, np.ones(len(problem.counts), dtype=bool))
        self.splits = Splits(self.table, top, rule, rounds, int(self.asked.span.max(initial=1)), words)
        self.order = np.arange(len(problem.counts))
        self.runs: list[tuple[int, int]] = []
        self.rejoining: Rejoining | None = None

    def run(self, progress: Progress) -> LocalRecoding | None:
        starts, left_out = self.whole()
        if left_out is None:
            return None
        self.splits.run(self.asked, self.order, starts, progress)
        self.runs = starts
        return self._answer(progress)

    def go_on(self) -> None:
        """A round more."""
        if self.rejoining is None:
            self.rejoining = Rejoining(self.splits, self.asked, self.runs, self.order)
        self.rejoining.round()

    def better_than(self, recoding: LocalRecoding) -> LocalRecoding:
        """What all rounds have come to, or what was found before where that loses no more."""
        if self.rejoining is None:
            return recoding
        self.rejoining.put_in_order(self.order, self.splits.split)
        better = self._answer(nobody)
        return better if better is not None and better.loss < recoding.loss else recoding

    def _answer(self, progress: Progress) -> LocalRecoding | None:
        """The parts as they are now, split on where few facts are known, and counted again."""
        splits = self.splits
        recoding = self._counted_again(splits.split.levels, ~self.gone)
        if self.few is None or recoding is None:
            return recoding
        others = [guarantee for guarantee in self.problem.guarantees if not is_of_few(guarantee)]
        limits = _asked(self.problem.changed(guarantees=others), recoding.kept)
        parts = SplitRows(self.table, limits, splits.rule, splits.room, splits.state, self.order, splits.split).of(
            recoding.kept
        )
        levels = self.few.split_on(parts, progress)
        further = self._counted_again(levels, recoding.kept)
        return further if further is not None and further.loss < recoding.loss else recoding

    def _counted_again(self, levels: np.ndarray, kept: np.ndarray) -> LocalRecoding | None:
        cell_levels = np.zeros((len(self.order), len(self.problem.columns)), dtype=np.int16)
        cell_levels[:, self.coarsened] = levels
        return counted_again(self.problem, cell_levels, kept)

    def whole(self) -> tuple[list[tuple[int, int]], int | None]:
        """The runs of rows that columns without levels part, and the records that have to go; None if too many."""
        problem, limits, runs = self.problem, self.asked, self.runs_of_fixed()
        self.gone = np.zeros(len(self.order), dtype=bool)
        while True:
            held = self.splits.room.held
            weak = {run for run in runs if cannot_stand(limits, problem.counts, self.order, *run, held)}
            for run in weak:
                self.gone[self.order[slice(*run)]] = True
            runs = [run for run in runs if run not in weak]
            left_out = problem.records(self.gone)
            if left_out > problem.suppression_limit:
                return [], None
            if not weak:
                break
            limits = _asked(problem, ~self.gone)
        self.asked = limits
        return runs, left_out

    def runs_of_fixed(self) -> list[tuple[int, int]]:
        """The rows in an order, and the runs of it that columns without levels part."""
        problem = self.problem
        known = {name for guarantee in problem.guarantees for name in guarantee.columns}
        at_top = {name: problem.highest[j] for j, name in enumerate(problem.columns) if name in known}
        fixed = [name for name in problem.classes.attributes if name in known - sensitive_columns(problem)]
        ids, _ = problem.rows.coded(fixed, at_top).groups(fixed)
        self.order = np.argsort(ids, kind="stable")
        ends = np.append(np.flatnonzero(np.diff(ids[self.order])) + 1, len(ids))
        starts = np.append(0, ends[:-1])
        return [(int(first), int(last)) for first, last in zip(starts, ends, strict=True) if last > first]

    def limits_of(self, kept: np.ndarray) -> PartLimits:
        """What must hold of each part, of the rows that are kept (bool)."""
        return _asked(self.problem, kept)


def counted_again(problem: Problem, cell_levels: np.ndarray, kept: np.ndarray) -> LocalRecoding | None:
    """The levels with those left out who violate what is asked of the labels; None where too many do.

    It is asked for everybody, whatever share may violate it: where labels of several levels stand side by side, counts
    of them can understate how many do.
    """
    for_everybody = [
        guarantee if isinstance(guarantee, AverageRiskLimit) else replace(guarantee, share=0.0)
        for guarantee in problem.guarantees
    ]
    labelled = _labelled(problem, cell_levels)
    worth = np.full(len(kept), problem.fixed_worth)
    for j in range(len(problem.columns)):
        of_left_out, values = problem.losses.of_left_out(j), problem.rows.columns[j]
        of_values = np.array([problem.losses.of_values(j, level) for level in range(problem.highest[j] + 1)])
        worth += of_left_out[values] - of_values[cell_levels[:, j], values]
    within = replace(labelled, counts=np.where(kept, problem.counts, 0))
    left = left_after(within, for_everybody, worth, most=problem.suppression_limit, divisible=False)
    if left is None or problem.n_records - int(left.sum()) > problem.suppression_limit:
        return None
    lost = sum(
        float((problem.counts * problem.losses.of_left_out(j)[problem.rows.columns[j]]).sum())
        for j in range(len(problem.columns))
    )
    whole = lost + problem.fixed_worth * problem.n_records
    loss = problem.share(whole - float((left * worth).sum()))
    return LocalRecoding(cell_levels, (left > 0) & (problem.counts > 0), loss, problem.n_records - int(left.sum()))


def _labelled(problem: Problem, cell_levels: np.ndarray) -> CodedRows:
    """The rows with the labels of their cells, in the columns that guarantees name; equal labels have one code."""
    rows = problem.rows.coded(problem.names, {})
    codes, labels = dict(rows.codes), dict(rows.labels)
    for j, name in enumerate(problem.columns):
        if name not in codes or not cell_levels[:, j].any():
            continue
        of_value, number = numbered_labels(problem, j)
        codes[name] = of_value[cell_levels[:, j], problem.rows.columns[j]]
        labels[name] = np.array([*number, None], dtype=object)[:-1]
    return CodedRows(codes, labels, problem.counts)


def sensitive_columns(problem: Problem) -> set[str]:
    """The columns of which something must not be certain, or must be diverse or close."""
    return {name for guarantee in problem.guarantees if (name := sensitive_of(guarantee)) is not None}


def _table(problem: Problem, coarsened: list[int]) -> LabelTable:
    """The columns that are coarsened as arrays: labels and losses of each value on each level."""
    rows, at = problem.rows, [0]
    labels: list[np.ndarray] = []
    losses: list[np.ndarray] = []
    for j in coarsened:
        levels = problem.ladders.levels[j]
        for level in range(problem.highest[j] + 1):
            labels.append(levels.group[level])
            losses.append(problem.losses.of_values(j, level))
        at.append(sum(len(level_labels) for level_labels in labels))
    values = np.zeros((len(coarsened), len(problem.counts)), dtype=np.int32)
    for place, j in enumerate(coarsened):
        values[place] = rows.codes_at(problem.columns[j], 0)
    n_values = np.array([problem.ladders.levels[j].n_values for j in coarsened], dtype=np.int64)
    return LabelTable(
        values,
        np.concatenate([np.zeros(0), *labels]).astype(np.int32),
        np.concatenate([np.zeros(0), *losses]),
        np.array(at[:-1], dtype=np.int64),
        n_values,
        problem.counts,
        np.append(0, np.cumsum(n_values))[:-1],
    )


def _asked(problem: Problem, kept: np.ndarray) -> PartLimits:
    """What must hold of each part, of the rows that are kept."""
    coded = problem.rows.coded(sorted(sensitive_columns(problem)), {})
    counts = np.where(kept, problem.counts, 0)
    n_records = max(1, int(counts.sum()))
    k, conditions = 1, dict[tuple[tuple[str, bool], int, float, tuple[str, ...]], None]()
    readings: dict[tuple[str, bool], Coded] = {(name, False): coded for name in coded.codes}
    for guarantee in problem.guarantees:
        match guarantee:
            case KAnonymity():
                k = max(k, guarantee.least)
                continue
            case AverageRiskLimit():
                k = max(k, smallest_class(guarantee.limit) if guarantee.limit else n_records + 1)
                continue
            case AttributeDisclosure():
                kind, limit, harmless = NOT_CERTAIN, guarantee.p, guarantee.harmless
            case LDiversity():
                kind, limit, harmless = _KINDS[guarantee.by], guarantee.l, ()
            case TCloseness():
                kind, limit, harmless = _KINDS[guarantee.distance], guarantee.t, ()
        for reading in sensitive_readings(coded, guarantee):
            column = guarantee.sensitive, reading is not coded
            readings[column] = reading
            conditions[column, kind, limit, harmless] = None
    columns = list(readings)
    values = [reading.alike(name) for (name, _), reading in readings.items()]
    spans = np.array([span for _, span in values], dtype=np.int64)
    harms = [readings[column].harms(column[0], harmless) for column, _, _, harmless in conditions]
    overall = [sum_by(codes, span, counts) / n_records for codes, span in values]
    return PartLimits(
        k,
        np.array([columns.index(column) for column, _, _, _ in conditions], dtype=np.int64),
        np.array([kind for _, kind, _, _ in conditions], dtype=np.int64),
        np.array([limit for _, _, limit, _ in conditions], dtype=np.float64),
        np.array([codes for codes, _ in values], dtype=np.int32).reshape(len(columns), len(counts)),
        spans,
        np.append(0, np.cumsum(spans)),
        np.concatenate([np.zeros(0, dtype=bool), *harms]),
        np.append(0, np.cumsum([len(of_condition) for of_condition in harms])).astype(np.int64),
        np.concatenate([np.zeros(0), *overall]),
        np.zeros((len(columns), 0), dtype=np.int64),
        np.zeros((len(columns), 0), dtype=np.int64),
        np.zeros(0, dtype=np.int32),
    )


# ---- for as much work as there is ----

_IN_VAIN = 100  # rounds, and twice those of the best: without gain until then, a search gives up
_OFTEN, _SELDOM = 8, 5  # counted again after so many rounds, and later after a share (one in so many) of all that were
_A_ROUND, _A_COUNT = 2_000_000, 300  # the work of a round, and of counting again, a row
_A_FIRST = 2_000, 200_000  # of finding parts first, a row: of records of one row each, of persons with several

RoundsProgress = Callable[[float, int, LocalRecoding], None]
"""Called with the share of the budget that is spent, in [0, 1], the best so far and its rounds; may raise to stop."""


@dataclass(frozen=True, eq=False)
class RecodingWithinBudget:
    """What was found within a budget.

    Attributes
    ----------
    rounds : int
        :func:`.part_by_part` finds the same parts in so many rounds, on every machine.
    parts : LocalRecoding | None
        The best that were found; None as there.
    ended_early : bool
        Whether a clock ended the search.
    """

    rounds: int
    parts: LocalRecoding | None
    ended_early: bool


def parts_within(
    problem: Problem, budget: Budget, progress: Progress, progress_of_rounds: RoundsProgress
) -> RecodingWithinBudget:
    """The best parts found within a budget, and the rounds after which they are found again.

    All is counted again after numbers of rounds that are the same for every budget, and only there the work ends it: so
    as much work finds the same on every machine, and more work nothing worse.

    Parameters
    ----------
    problem : Problem
        As for :func:`.part_by_part`.
    budget : Budget
        What may be spent; what is found first takes what it takes. It ends by itself where many rounds gain nothing.
    progress : Progress
        Called until something is found, with the share of that which is done; may raise to stop.
    progress_of_rounds : RoundsProgress
        See :data:`RoundsProgress`.

    Returns
    -------
    RecodingWithinBudget
    """
    spending = budget.begun()
    spending.spend(work_of_first_parts(problem))
    named = of_known(problem)
    search, first = first_parts(named, ROUNDS, progress)
    if search is None or first is None:
        return RecodingWithinBudget(ROUNDS, of_all(problem, named, first), ended_early=False)
    rounds, best_rounds, best, shown = ROUNDS, ROUNDS, first, of_all(problem, named, first)
    again_after = ROUNDS + _OFTEN
    while True:
        assert shown is not None
        progress_of_rounds(spending.share, best_rounds, shown)
        if rounds == ROUNDS and _is_over(spending, at_once=True):
            return RecodingWithinBudget(best_rounds, shown, spending.ended_early)
        search.go_on()
        rounds += 1
        spending.spend(_A_ROUND)
        ended_early = _is_over(spending, at_once=False)
        if rounds < again_after and not ended_early:
            continue
        again_after = rounds + max(_OFTEN, rounds // _SELDOM)
        spending.spend(_A_COUNT * len(named.counts))
        better = search.better_than(first)
        if better.loss < best.loss:
            best_rounds, best, shown = rounds, better, of_all(problem, named, better)
        in_vain = rounds > 2 * best_rounds + _IN_VAIN
        if ended_early or in_vain or _is_over(spending, at_once=True):
            assert shown is not None
            progress_of_rounds(spending.share, best_rounds, shown)
            return RecodingWithinBudget(best_rounds, shown, spending.ended_early)


def work_of_first_parts(problem: Problem) -> float:
    """About how much work it is to find parts first (:data:`anonlib.basics.budget.A_SECOND`).

    Parameters
    ----------
    problem : Problem
        What is searched.

    Returns
    -------
    float
    """
    return len(problem.classes.counts) * _A_FIRST[isinstance(problem, PersonProblem)]


def _is_over(spending: Spending, *, at_once: bool) -> bool:
    """Whether the budget is spent; in between, where not ``at_once``, whether the clock is over."""
    try:
        if at_once:
            spending.raise_if_over()
        else:
            spending.raise_if_late()
    except Over:
        return True
    return False
