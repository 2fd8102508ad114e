"""Searches that go from table to table, one step up at a time: IAB, exhaustive and greedy (Arca and Hewett 2021)."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal

from anonlib.analyses.generalization.search.rows import Node
from anonlib.analyses.generalization.whole_classes import NodeEvaluation, WholeClasses
from anonlib.basics.budget import UNLIMITED, Budget, Over, Spending

MOST_TABLES = 250_000
"""So many are made before a search gives up and the best so far is the answer: all of them are remembered."""


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
    """

    evaluation: NodeEvaluation
    parent: int | None
    attribute: str | None
    expanded: int | None = None


@dataclass(frozen=True)
class Outcome:
    """What a search found: ``best`` (None: no state satisfies), the tables made, and whether no state is better."""

    best: NodeEvaluation | None
    tables: int
    best_of_states: bool
    trace: tuple[TracedTable, ...] = ()


@dataclass
class SearchRun:
    """Tells a search's share done and its best so far, and ends it when its budget is spent."""

    budget: Budget = UNLIMITED
    tell: Callable[[float, NodeEvaluation | None], None] | None = None
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

    def offer(self, found: NodeEvaluation) -> None:
        """Keep the table if it is the best so far."""
        if found.satisfied and (self.best is None or found.rank < self.best.rank):
            self.best = found

    def look(self, share: float) -> None:
        if self.tell is not None:
            self.tell(share, self.best)
        try:
            self.spending.raise_if_over()
        except Over:
            self.is_over = True
            raise


def step_by_step(problem: WholeClasses, method: Literal["iab", "exhaustive", "greedy"], watch: SearchRun) -> Outcome:
    """Generalize the whole table on one attribute after the other, each state once.

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
    seen: set[Node] = set()
    waiting: list[tuple[Any, ...]] = []
    order = count()
    first_by: dict[str, Callable[[NodeEvaluation], tuple[Any, ...]]] = {
        "iab": lambda table: (-table.bound, table.rows),
        "exhaustive": lambda table: (),
        "greedy": lambda table: (not table.satisfied, table.rows, -table.bound, -sum(table.state)),
    }

    def make(state: Node, parent: int | None, attribute: str | None) -> None:
        seen.add(state)
        found = problem.evaluate(state)
        watch.spending.spend(problem.work_of_a_state)
        tables.append((found, parent, attribute))
        watch.offer(found)
        heapq.heappush(waiting, (*first_by[method](found), next(order), len(tables) - 1))

    best_of_states = method != "greedy"
    try:
        make(problem.bottom, None, None)
        while waiting:
            *_, i = heapq.heappop(waiting)
            found = tables[i][0]
            if method == "greedy" and found.satisfied:
                break
            if method == "iab":
                if watch.best is not None and found.bound <= watch.best.score:
                    break
                if found.satisfied and not found.left_out:
                    continue  # no table above it keeps more
            turn[i] = len(turn)
            for j, level in enumerate(found.state):
                state = (*found.state[:j], level + 1, *found.state[j + 1 :])
                if level < problem.highest[j] and state not in seen:
                    watch.look(len(tables) / problem.n_states)
                    if len(tables) > MOST_TABLES:
                        watch.is_over = True
                        raise Over
                    make(state, i, problem.columns[j])
    except Over:
        best_of_states = False
    trace = tuple(TracedTable(*node, expanded=turn.get(i)) for i, node in enumerate(tables))
    return Outcome(watch.best, len(tables) - 1, best_of_states, trace)
