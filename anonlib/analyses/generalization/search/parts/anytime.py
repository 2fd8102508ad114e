"""Parts for as long as there is time: what is found first, then round after round, the best so far always at hand."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from anonlib.analyses.generalization.search.parts.parts import Parts, first_parts, of_all, of_known
from anonlib.analyses.generalization.search.parts.splits import ROUNDS
from anonlib.analyses.generalization.search.problem import Problem

_COUNTED_AGAIN = 5  # times as long as counting took, until all is counted again

WatchRounds = Callable[[float, int, Parts], None]
"""Called with the share of the time that is over, in [0, 1], the best so far and its rounds; may raise to stop."""


def parts_within(
    problem: Problem,
    seconds: float,
    look: Callable[[float], None],
    watch: WatchRounds,
    clock: Callable[[], float] = monotonic,
) -> tuple[int, Parts | None]:
    """The best parts found in some time, and the rounds after which they are found again.

    Parameters
    ----------
    problem : Problem
        As for :func:`.part_by_part`.
    seconds : float
        How long it may go on; what is found first takes the time that it takes.
    look : Callable[[float], None]
        Called until something is found, with the share of the time that is over; may raise to stop.
    watch : WatchRounds
        See :data:`WatchRounds`.
    clock : Callable[[], float], default monotonic
        The time, in seconds.

    Returns
    -------
    tuple of (int, Parts or None)
        :func:`.part_by_part` finds the same parts in so many rounds, whatever the time; None as there.
    """
    begun = clock()

    def share() -> float:
        return min(1.0, (clock() - begun) / max(seconds, 1e-9))

    named = of_known(problem)
    search, first = first_parts(named, ROUNDS, lambda _: look(share()))
    if search is None or first is None:
        return ROUNDS, of_all(problem, named, first)
    rounds, best_rounds, best, counted_after = ROUNDS, ROUNDS, first, clock() - begun
    shown, counted_at = of_all(problem, named, first), clock()
    while True:
        is_over = share() >= 1
        if rounds > ROUNDS and (is_over or clock() - counted_at >= counted_after):
            before = clock()
            better = search.better_than(first)
            if better.loss < best.loss:
                best_rounds, best, shown = rounds, better, of_all(problem, named, better)
            counted_at = clock()
            counted_after = _COUNTED_AGAIN * (counted_at - before)
        assert shown is not None
        watch(share(), best_rounds, shown)
        if is_over:
            return best_rounds, shown
        search.go_on()
        rounds += 1
