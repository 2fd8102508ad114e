"""The search over the levels of columns, around the blank cells that each choice of levels takes.

From several choices of levels on, a column at a time goes to the level that loses least; then one up and another down.
Levels are compared by blanks that are found in one round; what is shown and answered took all of them. What is looked
at next, and when, depends on the work done so far alone: more work finds nothing worse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

from anonlib.analyses.generalization.search.blanks.at_levels import CellSuppression, blank_cells
from anonlib.analyses.generalization.search.blanks.cells import ROUNDS
from anonlib.analyses.generalization.search.blanks.least import MOST_ROWS
from anonlib.analyses.generalization.search.parts.parts import sensitive_columns
from anonlib.analyses.generalization.search.problem import Problem
from anonlib.analyses.generalization.search.rows import Node
from anonlib.basics.budget import UNLIMITED, Budget, Over

_SLACK = 1e-9
_HEIGHTS = 4  # choices of levels at equal heights that are climbed from
_FEW_STATES = 2_000  # of a table of a few rows, all are looked at
_MOST_SEARCHED = 20  # states that are searched in full, the best by the quick way first
_BETWEEN = 16  # choices of levels from one answer in full to the next
_A_TABLE, _A_ROW = 500_000, 150  # the work of finding blanks in one round: of any table, and of each of its rows

Watch = Callable[[float, CellSuppression | None], None]
"""Called with the share of the search that is done, in [0, 1], and the best so far; may raise to stop."""


def with_blanks(problem: Problem, budget: Budget = UNLIMITED, watch: Watch | None = None) -> CellSuppression | None:
    """The levels and blank cells that lose least of those that a local search looks at.

    Of a table of a few rows and states all are looked at. As much work finds the same on every machine, and more work
    nothing worse.

    Parameters
    ----------
    problem : Problem
        Records of one row each, and what must hold; its objective is the loss of cells.
    budget : Budget, default UNLIMITED
        What may be spent; a first answer is always completed. Until no start leads further where it has no end.
    watch : Watch, optional
        See :data:`Watch`.

    Returns
    -------
    CellSuppression, or None where more records than may be would have to be left out

    Raises
    ------
    InputError
        For persons with several rows.
    """
    search = _LevelSearch(problem, budget, watch or (lambda share, best: None))
    finished = False
    with suppress(Over):
        search.run()
        finished = True
    best, early = search.search_best(), search.spending.ended_early
    return None if best is None else replace(best, tables=len(search.losses), finished=finished, ended_early=early)


class _LevelSearch:
    def __init__(self, problem: Problem, budget: Budget, watch: Watch) -> None:
        self.problem, self.watch = problem, watch
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
        if len(self.problem.counts) <= MOST_ROWS and self._n_states <= _FEW_STATES:
            for state in self._all_states(0, self.problem.bottom):
                self._loss(state)
            return
        starts = sorted(dict.fromkeys(self._starts()), key=lambda state: (self._loss(state), state))
        self._answer_in_full()
        ends = [self._each_column(start) for start in starts]
        for state in sorted(dict.fromkeys(ends), key=lambda state: (self._loss(state), state)):
            self._exchange(state)

    @property
    def _never_holds(self) -> bool:
        """Whether too many violate something where each column that may change is one label: then so they do blank."""
        are_one = all(len(self.problem.levels[self.problem.columns[j]].labels[-1]) == 1 for j in self.free)
        return are_one and self.problem.settle(self.problem.highest) is None

    @property
    def _n_states(self) -> int:
        n_states = 1
        for j in self.free:
            n_states *= self.problem.highest[j] + 1
        return n_states

    def _all_states(self, place: int, state: Node) -> Iterator[Node]:
        if place == len(self.free):
            yield state
            return
        for level in range(self.problem.highest[self.free[place]] + 1):
            yield from self._all_states(place + 1, _at(state, self.free[place], level))

    def _starts(self) -> Iterator[Node]:
        """Levels at equal heights, from the bottom to the top."""
        for height in range(_HEIGHTS + 1):
            state = self.problem.bottom
            for j in self.free:
                state = _at(state, j, round(self.problem.highest[j] * height / _HEIGHTS))
            yield state

    def _exchange(self, state: Node) -> None:
        """To where no two columns, of which one goes up and the other down, lose less."""
        while (better := self._pairs(state)) is not None:
            state = self._each_column(better)

    def _each_column(self, state: Node) -> Node:
        """Each column to the level that loses least, again until none changes."""
        before = None
        while before != state:
            before = state
            for j in self.free:
                levels = [_at(state, j, level) for level in range(self.problem.highest[j] + 1)]
                best = min(levels, key=self._loss)
                if self._loss(best) < self._loss(state) - _SLACK:
                    state = best
        return state

    def _pairs(self, state: Node) -> Node | None:
        """The first state found with one column up and another down that loses less."""
        for up in self.free:
            for down in self.free:
                if up == down or state[up] == self.problem.highest[up] or not state[down]:
                    continue
                other = _at(_at(state, up, state[up] + 1), down, state[down] - 1)
                if self._loss(other) < self._loss(state) - _SLACK:
                    return other
        return None

    def _loss(self, state: Node) -> float:
        """What a state loses by the quick way; more than everything where it cannot do."""
        if state not in self.losses:
            self._look()
            self.spending.spend(self.a_table)
            found = blank_cells(self.problem, state, rounds=1)
            self.losses[state] = 2.0 if found is None else found.loss
        return self.losses[state]

    def _look(self) -> None:
        """Show how far the search is and the best so far; raises when the budget is spent.

        The work ends a search where an answer in full is due: one with more of it goes on from there. The clock ends it
        anywhere.
        """
        if self.losses and len(self.losses) % _BETWEEN == 0:
            self._answer_in_full()
        best = self.best
        self.watch(self.spending.share, None if best is None else replace(best, finished=False, ended_early=True))
        if best is not None:
            self.spending.raise_if_late()

    def _answer_in_full(self) -> None:
        if self.search_best() is not None:
            self.spending.raise_if_over()

    @property
    def best(self) -> CellSuppression | None:
        """The best that was searched in full."""
        found = [blanks for blanks in self.searched.values() if blanks is not None]
        return min(found, key=lambda blanks: (blanks.loss, blanks.levels), default=None)

    def search_best(self) -> CellSuppression | None:
        """Search in full the best by the quick way, and further ones until one does; the best of all that were."""
        for state in sorted(self.losses, key=lambda state: (self.losses[state], state))[:_MOST_SEARCHED]:
            if self.losses[state] > 1.0:
                break
            if state not in self.searched:
                self.spending.spend(ROUNDS * self.a_table)
                self.searched[state] = blank_cells(self.problem, state)
            if self.searched[state] is not None:
                break
        return self.best


def _at(state: Node, j: int, level: int) -> Node:
    return (*state[:j], level, *state[j + 1 :])
