"""The best state, without looking at most of them.

Whether a state is satisfied is mostly monotone: every state above one that is, is too (:attr:`Problem.is_exact`). So a
failing state rules out all below it, and a satisfied one settles all above. A set of attributes that fails by itself
fails with more: small projections rule out most states first (as Incognito does, LeFevre et al. 2005), and what is left
is looked at on a table rolled up to the levels that all of it shares.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np

from anonlib.analyses.generalization.search.rows import Rows, State
from anonlib.analyses.generalization.step_by_step import Outcome, OutOfTime, Watch
from anonlib.analyses.generalization.whole_classes import Evaluation, Problem
from anonlib.basics.errors import InputError
from anonlib.counting.guarantees import Shared

MOST_STATES = 2**24
"""More states are not searched for the best one: the marks of each alone would take much memory."""
_TRIPLES_FROM = 100_000  # rows from which projections on three attributes pay


def best_state(problem: Problem, watch: Watch) -> Outcome:
    """The satisfied state of the best objective; ties go to fewer steps, then to lower levels of first attributes."""
    refuse_too_many(problem)
    return _Search(problem, watch).run()


def refuse_too_many(problem: Problem) -> None:
    """Raises InputError where the best state cannot be proven."""
    if problem.n_states > MOST_STATES:
        raise InputError(
            f"{problem.n_states:,} combinations of levels are too many to prove the best of. Ask for fewer columns, "
            "take levels away, or choose another method: greedy, or part by part (Mondrian)."
        )


class _Search:
    """Marks on the grid of states, an axis an attribute: ``open`` is what is still to be decided."""

    def __init__(self, problem: Problem, watch: Watch) -> None:
        self.problem, self.watch = problem, watch
        self.shared = [guarantee for guarantee in problem.guarantees if isinstance(guarantee, Shared)]
        self.shape = tuple(height + 1 for height in problem.highest)
        self.open = np.ones(self.shape, dtype=bool)
        self.satisfied = np.zeros(self.shape, dtype=bool)
        losses = problem.losses
        # Per state, what its objective cannot exceed.
        self.upper = np.full(self.shape, np.inf) if losses is None else -losses.of_every_state()
        self.tables = 0
        self.total = 1

    def run(self) -> Outcome:
        best_of_states = True
        try:
            for attributes in self._projections():
                self._rule_out(attributes)
                self.watch.look(0.0)
            if self.open.any():
                self._roll_up()
                self.total = int(np.count_nonzero(self.open))
                if self.problem.is_exact:
                    self._find_frontier()
                if self.problem.most_left_out:
                    self._search_above()
        except OutOfTime:
            best_of_states = False
        return Outcome(self.watch.best, self.tables, best_of_states)

    # ---- projections ----

    def _projections(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Sizes of classes with one, two and (of large tables) three of the attributes that can be generalized."""
        largest = 3 if len(self.problem.tested.counts) >= _TRIPLES_FROM else 2
        for size in range(1, largest + 1):
            for r, guarantee in enumerate(self.shared):
                members = [j for j, name in enumerate(self.problem.columns) if name in guarantee.columns]
                if len(members) > size or size == 1:
                    yield from ((r, some) for some in combinations(members, size))

    def _rule_out(self, projection: tuple[int, tuple[int, ...]]) -> None:
        """Close every state at which too few share some of the attributes already."""
        r, some = projection
        problem, guarantee = self.problem, self.shared[r]
        fixed = [name for name in guarantee.columns if name not in problem.columns]
        others = tuple(j for j in range(len(self.shape)) if j not in some)
        undecided = np.asarray(self.open.any(axis=others))
        if not undecided.any():
            return
        low = _least(undecided)
        rows = self._projected(some, low, fixed)
        names = [*(problem.columns[j] for j in some), *fixed]
        fails = np.asarray(~undecided)
        for levels in sorted(product(*(range(a, n) for a, n in zip(low, undecided.shape, strict=True))), key=sum)[::-1]:
            if fails[levels]:
                continue
            state = _at(rows.at, some, levels)
            _, sizes = rows.grouped(state, names)
            if int(sizes[sizes < guarantee.least].sum()) > problem.most_left_out:
                fails[tuple(slice(0, level + 1) for level in levels)] = True
        shape = [1 if j in others else n for j, n in enumerate(self.shape)]
        self.open &= ~fails.reshape(shape)

    def _projected(self, some: tuple[int, ...], low: State, fixed: list[str]) -> Rows:
        """The rows of some attributes at their lowest open levels, the others at their top where they may be."""
        problem = self.problem
        state = _at(problem.highest, some, low)
        names = [problem.columns[j] for j in some]
        ids, sizes = problem.tested.grouped(state, [*names, *fixed])
        used = np.flatnonzero(sizes)
        first = np.zeros(len(sizes), dtype=np.intp)
        first[ids] = np.arange(len(ids))
        first = first[used]
        columns = [column[first] for column in problem.tested.columns_at(state)]
        others = {name: problem.tested.others[name][first] for name in fixed}
        return Rows(problem.ladders, state, columns, others, problem.tested.labels, sizes[used])

    # ---- the states that are left ----

    def _roll_up(self) -> None:
        self.rows = self.problem.rolled_up(_least(self.open))

    def _evaluate(self, state: State) -> Evaluation:
        found = self.problem.evaluate(state, on=self.rows)
        self.tables += 1
        before = self.watch.best
        self.watch.offer(found)
        if self.problem.losses is None and self.problem.most_left_out:
            above = _above(state)
            np.minimum(self.upper[above], found.bound, out=self.upper[above])
        elif self.problem.losses is not None and self.watch.best is not None and self.watch.best is not before:
            hopeful = self.upper >= self.watch.best.score
            self.open &= hopeful
            self.satisfied &= hopeful
        return found

    def _find_frontier(self) -> None:
        """Decide every open state: binary search along chains from the lowest open state upwards."""
        self._decide(self.problem.highest)
        for start in _ascending(self.open):
            while self.open[start]:
                chain = self._chain(start)
                low, high = 0, len(chain) - 1
                while low <= high:
                    middle = (low + high) // 2
                    if self._decide(chain[middle]):
                        high = middle - 1
                    else:
                        low = middle + 1
            decided = 1 - int(np.count_nonzero(self.open)) / self.total
            self.watch.look(decided * (0.5 if self.problem.most_left_out else 1.0))

    def _decide(self, state: State) -> bool:
        found = self._evaluate(state)
        if found.satisfied:
            above = _above(state)
            self.satisfied[above] |= self.open[above]
            self.open[above] = False
            self.satisfied[state] = False  # it needs no second look
        else:
            self.open[tuple(slice(0, level + 1) for level in state)] = False
        return found.satisfied

    def _chain(self, start: State) -> list[State]:
        """Open states from one upwards, a step each, as far as they go."""
        chain, state = [start], start
        while True:
            steps = (_at(state, (j,), (level + 1,)) for j, level in enumerate(state) if level + 1 < self.shape[j])
            following = next((step for step in steps if self.open[step]), None)
            if following is None:
                return chain
            chain.append(following)
            state = following

    def _search_above(self) -> None:
        """Where records may be left out, a state above a satisfied one may keep more: look at what could."""
        left = self.satisfied if self.problem.is_exact else self.open
        by_bound = self.problem.losses is not None
        states = np.flatnonzero(left)
        if by_bound:
            states = states[np.argsort(-self.upper.ravel()[states], kind="stable")]
        ordered = (_state(i, self.shape) for i in states) if by_bound else _ascending(left)
        for done, state in enumerate(ordered):
            if not self._is_hopeless(state):
                self._evaluate(state)
            elif by_bound and self.watch.best is not None and self.upper[state] < self.watch.best.score:
                return  # and so are all that follow
            if done % 64 == 0:
                self.watch.look(0.5 + 0.5 * done / len(states) if self.problem.is_exact else done / len(states))

    def _is_hopeless(self, state: State) -> bool:
        best, upper = self.watch.best, self.upper[state]
        if best is None or upper > best.score:
            return False
        return bool(upper < best.score) or (sum(state), state) > (sum(best.state), best.state)


def _above(state: State) -> tuple:
    return (*(slice(level, None) for level in state), ...)  # the dots: a view, even where there is no axis


def _at(state: State, places: tuple[int, ...], levels: State) -> State:
    """The state with other levels at some places."""
    changed = list(state)
    for place, level in zip(places, levels, strict=True):
        changed[place] = level
    return tuple(changed)


def _least(marks: np.ndarray) -> State:
    """The highest state that all marked ones are at or above."""
    axes = range(marks.ndim)
    return tuple(int(np.argmax(marks.any(axis=tuple(j for j in axes if j != i)))) for i in axes)


def _state(flat: int | np.integer, shape: tuple[int, ...]) -> State:
    return tuple(int(level) for level in np.unravel_index(flat, shape))


def _ascending(marks: np.ndarray) -> Iterator[State]:
    """Marked states by the sum of their levels; those whose mark goes on the way are passed over."""
    flat = marks.reshape(-1)
    states = np.flatnonzero(flat)
    places = np.unravel_index(states, marks.shape) if marks.ndim else ()  # with no attribute there is one state
    sums = sum(places, np.zeros(len(states), dtype=np.intp))
    states = states[np.argsort(sums, kind="stable")]
    for start in range(0, len(states), 4096):
        block = states[start : start + 4096]
        for i in block[flat[block]]:
            if flat[i]:
                yield _state(i, marks.shape)
