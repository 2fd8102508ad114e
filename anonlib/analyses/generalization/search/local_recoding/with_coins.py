"""Levels for each part of a table, found so that who knows how they were found is forced to nothing.

As :mod:`.of_records`, but known columns alone rank what is tried, decide which way to compare splits and which of
several rounds is taken, and say who is left out. Values only refuse, and so does a coin (:mod:`..coins`); after so many
refusals a part is split no further. Each part holds by itself what is asked, so few facts are no case of their own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from anonlib.analyses.generalization.search.coins import Coin, Coins, coins_of
from anonlib.analyses.generalization.search.local_recoding.coin_kernel import no_refused_tries, split_with_coins
from anonlib.analyses.generalization.search.local_recoding.of_records import (
    NOISE,
    ROUNDS,
    LocalRecoding,
    Splits,
    TopDownSearch,
    first_parts,
    of_all,
    of_known,
    rules_for,
)
from anonlib.analyses.generalization.search.local_recoding.splitting_kernel import (
    LabelTable,
    PartLimits,
    SplitRule,
    cannot_stand,
    split,
)
from anonlib.analyses.generalization.search.problem import Problem
from anonlib.basics.progress import Progress, nobody, share_of
from anonlib.counting.privacy_models.models import sensitive_of


def parts_with_coins(
    problem: Problem, coin: Coin, *, rounds: int = ROUNDS, progress: Progress | None = None
) -> LocalRecoding | None:
    """The levels of each part, as :func:`.of_records.part_by_part` finds them where a coin can refuse as values do.

    Parameters
    ----------
    problem : Problem
        Records of one row each, and what must hold.
    coin : Coin
        The chance of a refusal, and how many may come upon a part.
    rounds : int, default ROUNDS
        How often each small part is split to compare the ways by known columns.
    progress : Progress, optional
        Called with the share that is done, in [0, 1]; may raise to stop.

    Returns
    -------
    LocalRecoding, or None where values refuse the whole, or where known columns alone leave out more than may be
    """
    progress = progress or nobody
    named = of_known(problem)
    search = CoinSearch(named, rule_by_sizes(of_known(by_size(named))), rounds, coin)
    return of_all(problem, named, search.run(share_of(progress, 0.1, 1.0)))


def by_size(problem: Problem) -> Problem:
    """The same question without anything that is asked of values."""
    sizes = [guarantee for guarantee in problem.guarantees if sensitive_of(guarantee) is None]
    return problem.changed(guarantees=sizes)


def without_values(limits: PartLimits) -> PartLimits:
    """The same limits of parts without any on values."""
    nothing = np.zeros(0, dtype=np.int64)
    return limits._replace(column=nothing, kind=nothing, limit=np.zeros(0))


def rule_by_sizes(sizes: Problem) -> SplitRule:
    """The way to compare splits that loses least of known columns, of which nothing is asked of values.

    The rows have no sensitive column: in whatever order these came, splits that are as good could come in another.
    """
    rules = rules_for(sizes.n_records)
    if len(rules) == 1 or not sizes.guarantees:
        return rules[0]
    search, _ = first_parts(sizes, 1, nobody)
    return rules[0] if search is None else search.splits.rule


class CoinSplits(Splits):
    """Runs of rows that are split with coins."""

    def __init__(
        self, table: LabelTable, top: np.ndarray, rule: SplitRule, rounds: int, span: int, coins: Coins, budget: int
    ) -> None:
        super().__init__(table, top, rule, rounds, span)
        self.coins, self.budget = coins, budget
        self.tries = no_refused_tries(len(self.order))

    def run(self, limits: PartLimits, order: np.ndarray, starts: Sequence[tuple[int, int]], progress: Progress) -> None:
        """Split runs of an order of the rows, as far as sizes, values and coins let parts stand alone."""
        self.asked, self.order = limits, order
        self.sizes = without_values(limits)
        waiting = np.zeros((len(order), 2 + len(self.top)), dtype=np.int64)
        costs = np.zeros((len(order), len(self.tries.costs)), dtype=np.int8)
        few = self.small if self.rounds > 1 else 0
        for i, (first, last) in enumerate(starts):
            n_waiting = self._split_with(first, last, self.top, costs[0] * 0, self.rule, few, waiting, costs)
            for w in range(n_waiting):
                self._split_small(waiting[w], costs[w])
                if w % 16 == 0:
                    progress((i + w / n_waiting) / len(starts))

    def _split_with(
        self, first: int, last: int, start: np.ndarray, costs: np.ndarray, rule: SplitRule, few: int,
        waiting: np.ndarray, waiting_costs: np.ndarray,
    ) -> int:  # fmt: skip
        _, n_waiting = split_with_coins(
            self.table, self.asked, self.sizes, rule, self.coins, self.budget, self.tries, self.order, first, last,
            start, costs, few, self.state, self.room, self.split, waiting, waiting_costs,
        )  # fmt: skip
        return int(n_waiting)

    def _split_small(self, part: np.ndarray, costs: np.ndarray) -> None:
        """Split a small part in the way that loses least of several by sizes alone."""
        first, last, start = int(part[0]), int(part[1]), part[2:].astype(np.int16)
        run = slice(first, last)
        rows, nothing = self.order[run].copy(), np.zeros((0, len(part)), dtype=np.int64)
        least, best_rule, best_state = math.inf, self.rule, self.state.copy()
        for turn in range(self.rounds):
            rule = self.rule if turn == 0 else self.rule._replace(noise=NOISE)
            state = self.state.copy()
            lost, _ = split(
                self.table, self.sizes, rule, self.order, first, last, start, 0, self.state, self.room, self.split,
                nothing,
            )  # fmt: skip
            if lost < least - 1e-9:
                least, best_rule, best_state = lost, rule, state
            self.order[run], self.split.begins[run] = rows, False
        after = self.state.copy()
        self.state[:] = best_state
        self._split_with(first, last, start, costs, best_rule, 0, nothing, np.zeros((0, len(costs)), dtype=np.int8))
        self.state[:] = after


class CoinSearch(TopDownSearch):
    """One way to split a table, with coins."""

    def __init__(self, problem: Problem, rule: SplitRule, rounds: int, coin: Coin) -> None:
        super().__init__(problem, rule, rounds)
        self.few = None
        coins = coins_of(problem.classes, problem.guarantees, coin)
        span = int(self.asked.span.max(initial=1))
        self.splits: CoinSplits = CoinSplits(self.table, self.splits.top, rule, rounds, span, coins, coin.budget)

    def run(self, progress: Progress) -> LocalRecoding | None:
        starts, left_out = self.whole()
        if left_out is None:
            return None
        self.splits.run(self.asked, self.order, starts, progress)
        recoding = self._counted_again(self.splits.split.levels, ~self.gone)
        if recoding is None or recoding.left_out > left_out:  # somebody would be left out for a value
            return None
        part = np.full(len(self.order), -1, dtype=np.int64)
        in_parts = np.concatenate([np.arange(*run) for run in starts]) if starts else np.zeros(0, dtype=np.int64)
        part[self.order[in_parts]] = np.cumsum(self.splits.split.begins[in_parts]) - 1
        return replace(recoding, part=part)

    def whole(self) -> tuple[list[tuple[int, int]], int | None]:
        """The runs of rows that columns without levels part; none where one lacks values, which leave nobody out."""
        problem = self.problem
        runs = self.runs_of_fixed()
        place = np.empty(len(self.order), dtype=np.int64)
        for number, run in enumerate(runs):
            place[self.order[slice(*run)]] = number
        self.order = np.lexsort([*reversed(self.table.values), place])  # of equal known values last, by sensitive ones
        sizes = [int(problem.counts[self.order[slice(*run)]].sum()) for run in runs]
        self.gone = np.zeros(len(self.order), dtype=bool)
        for run, size in zip(runs, sizes, strict=True):
            self.gone[self.order[slice(*run)]] = size < self.asked.k
        left_out = problem.records(self.gone)
        if left_out > problem.suppression_limit:
            return [], None
        runs = [run for run, size in zip(runs, sizes, strict=True) if size >= self.asked.k]
        self.asked = self.limits_of(~self.gone)
        held = self.splits.room.held
        if any(cannot_stand(self.asked, problem.counts, self.order, *run, held) for run in runs):
            return [], None
        return runs, left_out
