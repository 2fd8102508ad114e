"""The problem of the paper's methods, and its searches from table to table (Arca and Hewett 2021).

First what must hold of every class, and what a table at a node violates and keeps. Then the searches that go one step
up at a time: IAB, exhaustive and greedy.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import count
from typing import Any, Literal

import numpy as np

from anonlib.analyses.generalization.search.cell_suppression import BLANK
from anonlib.analyses.generalization.search.lattice import Node, Objective
from anonlib.analyses.generalization.search.problem import Problem
from anonlib.basics import checks
from anonlib.basics.budget import UNLIMITED, Budget, Over, Spending
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.coding import checked_names, n_distinct, sum_by
from anonlib.counting.privacy_models import KAnonymity, LDiversity, PrivacyModel, TCloseness, sensitive_readings
from anonlib.counting.privacy_models.models import VALUES
from anonlib.counting.privacy_models.violations import violating_in

# ---- the problem ----

ClassModel = KAnonymity | LDiversity | TCloseness
"""A guarantee of every class of its columns: for everybody, against who knows all of them."""
MOST_WEIGHT = 3.0
"""The weight of an attribute that matters most."""


@dataclass(frozen=True)
class NodeEvaluation:
    """What the table at a node violates, and what it keeps.

    Attributes
    ----------
    node : Node
        The levels.
    groups, rows, records : int
        Violating groups of the columns of guarantees, violating distinct rows, violating records.
    n_rows : int
        Distinct rows over all attributes, violating ones included.
    left_out : int
        Records that go when those who violate are left out until nobody does; where too many do, those of the first
        time.
    satisfied : bool
        Whether so many may be left out.
    bound, score : float
        The objective, larger is better, before and after leaving them out. No node above has more than ``bound``;
        ``score`` is -inf where not satisfied.
    """

    node: Node
    groups: int
    rows: int
    records: int
    n_rows: int
    left_out: int
    satisfied: bool
    bound: float
    score: float

    @property
    def rank(self) -> tuple[Any, ...]:
        """Sorts the better first: the objective, then fewer left out, fewer steps, lower levels of the first ones."""
        return (-self.score, self.left_out, sum(self.node), self.node)


class WholeClasses(Problem):
    """A class table with hierarchies, and the guarantees that must hold of every class of it.

    The columns that guarantees take to be known and that have a hierarchy can be generalized; losses are of their
    cells alone.

    Attributes
    ----------
    shield : the attributes that guarantees take to be known.
    attribute_weights : Mapping[str, float], optional
        One an attribute that can be generalized, how much its losses count; all alike are 1.
    """

    guarantees: tuple[ClassModel, ...]  # of these kinds only

    def __init__(
        self,
        classes: ClassTable,
        hierarchies: Mapping[str, Hierarchy],
        guarantees: Sequence[PrivacyModel],
        *,
        left_out_limit: float = 0.0,
        objective: Objective = "rows",
        attribute_weights: Mapping[str, float] | None = None,
        like: Problem | None = None,
    ) -> None:
        of_classes = tuple(_of_classes(guarantee) for guarantee in guarantees)
        self.shield = _shield(classes, of_classes)
        generalized = {name: hierarchies[name] for name in self.shield if name in hierarchies}
        self.attribute_weights = _weights(classes, tuple(generalized), attribute_weights or {})
        counted = dict.fromkeys(classes.attributes, 0.0) | dict(zip(generalized, self.attribute_weights, strict=True))
        most = most_left_out(left_out_limit, classes.n_records)
        super().__init__(
            classes, generalized, of_classes, objective=objective, suppression_limit=most, weights=counted, like=like
        )  # fmt: skip

    def of_cells(self, *, blank: bool = False) -> WholeClasses:
        """The problem whose objective is the loss of cells; with ``blank`` that of results: a last level is blank."""
        hierarchies = {
            name: Hierarchy(
                (*way.recodings, *BLANK.recodings),
                (*(way.describe(level) for level in range(1, way.n_levels)), *BLANK.called),
            )
            for name, way in self.hierarchies.items()
        }
        return WholeClasses(
            self.classes, hierarchies if blank else self.hierarchies, self.guarantees,
            left_out_limit=limit_of(self.suppression_limit, self.n_records),
            objective=self.objective if blank else "cell_loss",
            attribute_weights=dict(zip(self.columns, self.attribute_weights, strict=True)),
            like=None if blank else self,
        )  # fmt: skip

    @property
    def is_weighted(self) -> bool:
        """Whether some attributes matter more than others."""
        return len(set(self.attribute_weights)) > 1

    @property
    def _goes_on(self) -> bool:
        """Whether leaving out a group may make another violate: one of other columns, or further than t."""
        return len(self._by_columns) > 1 or any(isinstance(guarantee, TCloseness) for guarantee in self.guarantees)

    @property
    def least(self) -> int:
        """The fewest records that must share the columns of any guarantee: the largest k."""
        return max((guarantee.least for guarantee in self.guarantees if isinstance(guarantee, KAnonymity)), default=1)

    @cached_property
    def of_values(self) -> tuple[LDiversity | TCloseness, ...]:
        """What must hold of sensitive columns, whatever may be known: each once, without its columns."""
        models = (
            replace(guarantee, columns=())
            for guarantee in self.guarantees
            if isinstance(guarantee, LDiversity | TCloseness)
        )
        return tuple(dict.fromkeys(models))

    @cached_property
    def _by_columns(self) -> dict[frozenset[str], list[ClassModel]]:
        """The guarantees by the columns whose classes they are of."""
        by_columns: dict[frozenset[str], list[ClassModel]] = {}
        for guarantee in self.guarantees:
            by_columns.setdefault(frozenset(guarantee.columns), []).append(guarantee)
        return by_columns

    def violating_groups(self, node: Node, counts: np.ndarray | None = None) -> tuple[np.ndarray, int]:
        """bool, per row: in a group that violates a guarantee; and the number of such groups.

        ``counts`` are the records of each row, when not all of them are to count.
        """
        counted = self.rows.coded((model.sensitive for model in self.of_values), {})
        counted = counted if counts is None else replace(counted, counts=counts)
        violating, n_groups = np.zeros(len(self.counts), dtype=bool), 0
        for columns, guarantees in self._by_columns.items():
            ids, sizes = self.rows.grouped(node, columns, counts)
            bad = np.zeros(len(violating), dtype=bool)
            for guarantee in guarantees:
                bad |= violating_in(counted, guarantee, (ids, sizes))
            bad &= counted.counts > 0
            n_groups += n_distinct(ids[bad], len(sizes))
            violating |= bad
        return violating, n_groups

    def kept(self, node: Node, violating: np.ndarray) -> np.ndarray:
        """bool, per row: what is left when nothing violates any more.

        Leaving out a group may break others, so this goes on until none is broken.
        """
        kept = ~violating
        while self._goes_on:
            broken = self.violating_groups(node, np.where(kept, self.counts, 0))[0]
            if not broken.any():
                break
            kept &= ~broken
        return kept

    def values_asked(self, counts: np.ndarray) -> list[tuple[LDiversity | TCloseness, np.ndarray, np.ndarray]]:
        """What must hold of sensitive columns, each with the value of every row (intp) and the share of each value
        among the records, so many of each row; twice where spellings of a value are counted as one and as several."""
        n_records = max(1, int(counts.sum()))
        rows = self.rows.coded((model.sensitive for model in self.of_values), {})
        return [
            (model, value, sum_by(value, span, counts) / n_records)
            for model in self.of_values
            for reading in sensitive_readings(rows, model)
            for value, span in [reading.alike(model.sensitive)]
        ]

    def evaluate(self, node: Node) -> NodeEvaluation:
        """What the table at a node violates and keeps."""
        violating, groups = self.violating_groups(node)
        records = self.records(violating)
        ids, sizes = self.rows.grouped(node, self.classes.attributes)
        settled, left_out = self.settle(node), records
        if settled is not None:
            left_out = settled.left_out
        elif records <= self.suppression_limit:
            left_out = self.n_records - self.records(self.kept(node, violating))
        score = -np.inf if settled is None else -settled.information_loss
        return NodeEvaluation(
            node, groups, n_distinct(ids[violating], len(sizes)), records, int(np.count_nonzero(sizes)), left_out,
            settled is not None, -self.share(self.cost(node)), score,
        )  # fmt: skip


def _of_classes(guarantee: PrivacyModel) -> ClassModel:
    if (
        not isinstance(guarantee, KAnonymity | LDiversity | TCloseness)
        or guarantee.share
        or guarantee.rows != VALUES
        or (isinstance(guarantee, KAnonymity) and guarantee.known is not None)
    ):
        raise InputError(
            "A generalization meets criteria on whole classes, for everybody: how many share all columns, and the "
            "diversity or closeness of a sensitive column in each class. The Verdict page searches for others.",
            code="guarantee-not-possible",
        )
    return guarantee


def _shield(classes: ClassTable, guarantees: Sequence[ClassModel]) -> tuple[str, ...]:
    """The attributes that guarantees take to be known, once everything that is named is there."""
    if not any(isinstance(guarantee, KAnonymity) for guarantee in guarantees):
        raise InputError(
            "State at least one criterion: which columns, and how many records must share them.",
            code="guarantee-missing",
        )
    shield = dict.fromkeys(name for guarantee in guarantees for name in guarantee.columns)
    checked_names(classes.attributes, shield)
    for guarantee in guarantees:
        if not guarantee.columns:
            raise InputError(
                "A criterion needs at least one column. Name the columns that someone may know.",
                code="guarantee-without-columns",
            )
        if not isinstance(guarantee, KAnonymity):
            checked_names(classes.attributes, [guarantee.sensitive])
            if guarantee.sensitive in shield:
                raise InputError(
                    f"“{guarantee.sensitive}” cannot be both sensitive and known in a criterion. Take it out of one.",
                    code="column-in-two-roles",
                    column=guarantee.sensitive,
                )
    return tuple(name for name in classes.attributes if name in shield)


def checked_weights(weights: Mapping[str, float]) -> Mapping[str, float]:
    """How much attributes matter, from 0 (may be lost without regret) to ``MOST_WEIGHT``, as they are given."""
    for name, weight in weights.items():
        if not 0 <= checks.number(weight, f"The weight of “{name}”") <= MOST_WEIGHT:
            raise InputError(
                f"The weight of “{name}” must lie between 0 and {MOST_WEIGHT:g}.",
                code="number-out-of-range",
                column=name,
            )
    return weights


def most_left_out(limit: float, n_records: int) -> int:
    """The records that may be left out: the limit's share of all, exact as the limit is written, and never all of them.

    A table of which nothing is left is no answer, whatever may be left out.
    """
    if not 0 <= checks.number(limit, "What may be left out") <= 1:
        raise InputError(
            "What may be left out is a share of the records: choose one between 0 and 1.", code="number-out-of-range"
        )
    return max(0, min(int(Fraction(repr(float(limit))) * n_records), n_records - 1))


def limit_of(most: int, n_records: int) -> float:
    """The limit by which so many of the records, and no more, may be left out."""
    limit = most / max(1, n_records)
    while most_left_out(limit, n_records) < most:
        limit = float(np.nextafter(limit, 1))
    return limit


def _weights(classes: ClassTable, attributes: Sequence[str], given: Mapping[str, float]) -> tuple[float, ...]:
    """One an attribute; where all are alike, 1, so that figures are the very same."""
    checked_names(classes.attributes, given)
    weights = tuple(float(checked_weights(given).get(name, 1.0)) for name in attributes)
    if weights and not any(weights):
        raise InputError(
            "Every column that can be generalized has the weight 0. Give one that matters more than 0.",
            code="weights-all-zero",
        )
    return weights if len(set(weights)) > 1 else (1.0,) * len(weights)


# ---- searches from table to table ----

MOST_TABLES = 250_000
"""So many are made before a search gives up and the best so far is the answer: all of them are remembered."""


Unfollowed = Literal["", "satisfies", "no better", "ended", "stopped"]
"""Why a table was not generalized further: it was; it satisfies, and none above it keeps more; it keeps no more than
the best that satisfies, and so does none above it; the search had its answer; it was stopped."""


@dataclass(frozen=True)
class TracedTable:
    """A table that a search made.

    Attributes
    ----------
    evaluation : NodeEvaluation
        Its levels, what violates there, and what it keeps.
    parent : int | None
        The position in the trace of the table that it comes from; None for the root.
    attribute : str | None
        The attribute that was generalized a step; None for the root.
    expanded : int, optional
        Its turn to be generalized further, from 0; None where it never was.
    unfollowed : Unfollowed, default ""
        Why it never was; "" where it was.
    """

    evaluation: NodeEvaluation
    parent: int | None
    attribute: str | None
    expanded: int | None = None
    unfollowed: Unfollowed = ""


@dataclass(frozen=True)
class Outcome:
    """What a search found: ``best`` (None: no node satisfies), the tables made, and whether no node is better."""

    best: NodeEvaluation | None
    tables: int
    best_of_nodes: bool
    trace: tuple[TracedTable, ...] = ()


@dataclass
class SearchRun:
    """Tells a search's share done and its best so far, and ends it when its budget is spent."""

    budget: Budget = UNLIMITED
    progress: Progress | None = None
    best: NodeEvaluation | None = None
    is_over: bool = False
    spending: Spending = field(init=False)

    def __post_init__(self) -> None:
        self.spending = self.budget.begun()

    @property
    def seconds(self) -> float:
        return self.spending.seconds

    @property
    def ended_early(self) -> bool:
        return self.spending.ended_early

    def offer(self, evaluation: NodeEvaluation) -> None:
        """Keep the table if it is the best so far."""
        if evaluation.satisfied and (self.best is None or evaluation.rank < self.best.rank):
            self.best = evaluation

    def report(self, share: float) -> None:
        if self.progress is not None:
            self.progress(share, self.best)
        try:
            self.spending.raise_if_over()
        except Over:
            self.is_over = True
            raise


def step_by_step(problem: WholeClasses, method: Literal["iab", "exhaustive", "greedy"], run: SearchRun) -> Outcome:
    """Generalize the whole table on one attribute after the other, each node once.

    * ``iab`` (the paper's Algorithm 1): next is the table with most rows, then the fewest violating rows, then the
      first made; ends when no open table has more rows than the best one that satisfies.
    * ``exhaustive`` (its Method 1): every table.
    * ``greedy`` (its Method 2): next is the table with the fewest violating rows, then most rows, then the one that
      is furthest up, so that it gets on where a step changes nothing, then the first made; ends once one satisfies.

    Where the objective is another than rows, that stands for them. The answer is the best of the tables made, of equal
    ones that with fewer records left out, then fewer steps, then lower levels of the first attributes.
    """
    tables: list[tuple[NodeEvaluation, int | None, str | None]] = []
    turn: dict[int, int] = {}
    satisfying: set[int] = set()
    seen: set[Node] = set()
    waiting: list[tuple[Any, ...]] = []
    order = count()
    first_by: dict[str, Callable[[NodeEvaluation], tuple[Any, ...]]] = {
        "iab": lambda table: (-table.bound, table.rows),
        "exhaustive": lambda table: (),
        "greedy": lambda table: (not table.satisfied, table.rows, -table.bound, -sum(table.node)),
    }

    def make(node: Node, parent: int | None, attribute: str | None) -> None:
        seen.add(node)
        evaluation = problem.evaluate(node)
        run.spending.spend(problem.work_of_a_state)
        tables.append((evaluation, parent, attribute))
        run.offer(evaluation)
        heapq.heappush(waiting, (*first_by[method](evaluation), next(order), len(tables) - 1))

    best_of_nodes = method != "greedy"
    others: Unfollowed = "no better" if method == "iab" else "ended"
    try:
        make(problem.bottom, None, None)
        while waiting:
            *_, i = heapq.heappop(waiting)
            current = tables[i][0]
            if method == "greedy" and current.satisfied:
                break
            if method == "iab":
                if run.best is not None and current.bound <= run.best.score:
                    break
                if current.satisfied and not current.left_out:
                    satisfying.add(i)
                    continue  # no table above it keeps more
            turn[i] = len(turn)
            for j, level in enumerate(current.node):
                node = (*current.node[:j], level + 1, *current.node[j + 1 :])
                if level < problem.highest[j] and node not in seen:
                    run.report(len(tables) / problem.n_nodes)
                    if len(tables) > MOST_TABLES:
                        run.is_over = True
                        raise Over
                    make(node, i, problem.columns[j])
    except Over:
        best_of_nodes, others = False, "stopped"
    trace = tuple(
        TracedTable(*table, turn.get(i), "" if i in turn else "satisfies" if i in satisfying else others)
        for i, table in enumerate(tables)
    )
    return Outcome(run.best, len(tables) - 1, best_of_nodes, trace)
