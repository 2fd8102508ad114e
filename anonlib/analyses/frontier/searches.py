"""Searches for policies: by random chains, by bisection of such chains, and through all policies.

First comes what the searches share: they begin with top and bottom, end with what they may spend, and report meanwhile.
Next is Random Chain Search (Xia et al. 2013, Algorithm 1). Policies that risk no more than a given one are found by
bisection of random chains (Benitez, Loukides and Malin 2010). At the end are all policies of a small space, which give
the frontier itself.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from anonlib.analyses.frontier.archive import Archive
from anonlib.analyses.frontier.chains import along
from anonlib.analyses.frontier.evaluation import Plane
from anonlib.analyses.frontier.result import Frontier
from anonlib.basics import checks
from anonlib.basics.budget import A_SECOND, UNLIMITED, Budget, Over
from anonlib.basics.errors import InputError

BETWEEN = A_SECOND / 8
"""Work from one frontier that a search yields to the next: what it yields depends on no clock either."""
BUDGET = 14_780
"""Policies that a search looks at by default: 20 maximal chains of 739, as in Xia et al. 2013, section 4.2.1."""
WORK = 10 * A_SECOND
"""What a search that counts no policies may do by default (:class:`anonlib.basics.budget.Budget`)."""


def checked_budget(work: float | None, seconds: float | None) -> Budget:
    """What a search may spend: work, without end where it is None, and seconds, without a clock where they are None.

    Raises InputError for numbers that are not above 0.
    """
    if work is not None and checks.number(work, "The work of a search") <= 0:
        raise InputError("The work of a search must be more than 0.", code="number-out-of-range")
    if seconds == np.inf:
        seconds = None
    if seconds is not None and checks.number(seconds, "The time") <= 0:
        raise InputError("The time must be more than 0 seconds.", code="time-limit-too-short")
    return Budget(work, seconds)


class YieldMarks:
    """Work at which a search yields what it has, every so much of it."""

    def __init__(self) -> None:
        self._next = BETWEEN

    def passed(self, work: float) -> bool:
        """Whether the work done has come by one since it was asked last."""
        if work < self._next:
            return False
        self._next = work + BETWEEN
        return True


class Pace:
    """An archive with top and bottom in it, and how long the search goes on.

    ``policies`` that may be looked at, the two not counted; without end where it is None. Raises InputError where that
    is no whole number above 0.
    """

    def __init__(self, plane: Plane, method: str, policies: int | None, budget: Budget) -> None:
        self._policies = np.inf if policies is None else checks.whole(policies, "The number of policies", 1)
        self._marks = YieldMarks()
        self.archive = Archive(plane, method, budget)
        self.archive.given = min(2, plane.space.n_policies)
        sums = np.array(plane.ends)
        self.archive.add(np.array([plane.space.bottom, plane.space.top]), *plane.finish(sums[:, 0], sums[:, 1]))
        self.archive.begin()

    @property
    def left(self) -> int | float:
        """Policies that may still be looked at; 0 when all else is spent, or where top and bottom are all there is."""
        left = self._policies - self.archive.evaluations
        if left <= 0 or not self.archive.plane.space.n_bits:
            return 0
        try:
            self.archive.spending.raise_if_over()
        except Over:
            return 0
        return left

    def due(self, work: float) -> bool:
        """So much was done since: spend it, and say whether it is time to yield what there is."""
        self.archive.spending.spend(work)
        return self._marks.passed(self.archive.spending.work)


def random_chains(
    plane: Plane,
    *,
    budget: int | None = BUDGET,
    work: float | None = None,
    seconds: float | None = None,
    seed: int = 0,
) -> Iterator[Frontier]:
    """Look at maximal chains from bottom to top, each boundary that goes drawn at random.

    Parameters
    ----------
    plane : Plane
        The policies and their measures.
    budget : int, default BUDGET
        Policies that may be looked at: a chain counts ``plane.space.n_levels``, and the last one ends where the budget
        does. Without end where it is None.
    work : float, optional
        Ends the search as well, with the same frontier on every machine (:class:`anonlib.basics.budget.Budget`);
        without end when left out.
    seconds : float, optional
        After so many it is ended early, and what it found is marked so; no clock when left out.
    seed : int, default 0
        The same seed and budget give the same frontier.

    Returns
    -------
    iterator of Frontier
        What was found so far, every so much work; the last one has ``finished``.

    Raises
    ------
    InputError
        For a budget, work or a time that is not above 0.

    References
    ----------
    Xia et al. 2013, Algorithm 1.
    """
    pace = Pace(plane, "random_chains", budget, checked_budget(work, seconds))
    return _by_random_chains(pace, np.random.default_rng(checks.whole(seed, "The seed", 0)))


def _by_random_chains(pace: Pace, rng: np.random.Generator) -> Iterator[Frontier]:
    from anonlib.analyses.frontier.chains import Chains  # loads the compiler, which takes half a second

    archive = pace.archive
    space = archive.plane.space
    chains = Chains(archive.plane)
    chains.evaluate(space.bottom, np.zeros(0, dtype=np.int64))  # what is compiled is there before the time runs
    while left := pace.left:
        removed = rng.permutation(space.n_bits)[: int(min(left - 1, space.n_bits))]
        risk, loss = chains.evaluate(space.bottom, removed)
        archive.evaluations += len(risk)
        archive.add(along(space.bottom, removed), risk, loss)
        if pace.due(chains.work(len(risk))):
            yield from archive.show()
    yield from archive.show(finished=True)


def bisection(
    plane: Plane,
    policy: np.ndarray,
    *,
    budget: int | None = BUDGET,
    work: float | None = None,
    seconds: float | None = None,
    seed: int = 0,
) -> Iterator[Frontier]:
    """Search for the most specific policies on random chains that risk no more than a given one.

    Along a chain risk never rises, so each is found in about log2 of ``plane.space.n_levels`` policies, which is what
    counts. Only policies that risk no more enter the archive, besides the bottom, which every search has from the
    start. The bottom risks more than ``policy`` unless it is as good, so it never is among those that dominate it.
    Whether those found lose less than ``policy`` is for :meth:`Frontier.dominating` to say.

    Parameters
    ----------
    plane : Plane
        The policies and their measures.
    policy : np.ndarray
        bool, ``n_bits`` long: the policy to be no riskier than.
    budget : int, default BUDGET
        Policies that may be looked at, without end where it is None.
    work : float, optional
        Ends the search as well, with the same frontier on every machine (:class:`anonlib.basics.budget.Budget`);
        without end when left out.
    seconds : float, optional
        After so many it is ended early, and what it found is marked so; no clock when left out.
    seed : int, default 0
        The same seed and budget give the same frontier.

    Returns
    -------
    iterator of Frontier
        What was found so far, every so much work; the last one has ``finished``.

    Raises
    ------
    InputError
        For a policy of another space, and for a budget, work or a time that is not above 0.

    References
    ----------
    Benitez, Loukides and Malin 2010.
    """
    plane.space.checked(policy)
    pace = Pace(plane, "bisection", budget, checked_budget(work, seconds))
    return _by_bisection(pace, policy, np.random.default_rng(checks.whole(seed, "The seed", 0)))


def _by_bisection(pace: Pace, policy: np.ndarray, rng: np.random.Generator) -> Iterator[Frontier]:
    from anonlib.analyses.frontier.chains import Chains  # loads the compiler, which takes half a second

    archive = pace.archive
    space = archive.plane.space
    chains = Chains(archive.plane)
    nothing = np.zeros(0, dtype=np.int64)
    most = chains.evaluate(policy, nothing)[0][0]
    while pace.left:
        removed = rng.permutation(space.n_bits)
        low, high = 0, space.n_bits  # with the first ``high`` boundaries gone, the risk is no greater
        while low < high and pace.left:
            middle = (low + high) // 2
            tried = space.bottom.copy()
            tried[removed[:middle]] = False
            risk, loss = chains.evaluate(tried, nothing)
            archive.evaluations += 1
            if risk[0] <= most:
                archive.add(tried[None], risk, loss)
                high = middle
            else:
                low = middle + 1
            if pace.due(chains.work(1)):
                yield from archive.show()
    yield from archive.show(finished=True)


MOST_BITS = 14
_AT_ONCE = 64


def enumeration(plane: Plane) -> Iterator[Frontier]:
    """Look at every policy.

    Parameters
    ----------
    plane : Plane
        The policies and their measures.

    Returns
    -------
    iterator of Frontier
        What was found so far, every so much work; the last one is ``exact`` and ``finished``.

    Raises
    ------
    InputError
        For more than 14 boundaries (16,384 policies).
    """
    n_bits = plane.space.n_bits
    if n_bits > MOST_BITS:
        raise InputError(
            f"There are {n_bits:,} boundaries; with more than {MOST_BITS} there are too many policies to look at all. "
            "Choose another search, or fewer attributes or values.",
            code="too-many-policies",
        )
    return _by_enumeration(Pace(plane, "enumeration", None, UNLIMITED))


def _by_enumeration(pace: Pace) -> Iterator[Frontier]:
    archive = pace.archive
    plane, n_bits = archive.plane, archive.plane.space.n_bits
    last = plane.space.n_policies - 1
    for first in range(1, last, _AT_ONCE):  # top and bottom, all 0 and all 1, are there from the start
        numbers = np.arange(first, min(first + _AT_ONCE, last))
        policies = (numbers[:, None] >> np.arange(n_bits)) % 2 == 1
        sums = np.array([plane.sums(policy) for policy in policies])
        archive.evaluations += len(policies)
        archive.add(policies, *plane.finish(sums[:, 0], sums[:, 1]))
        if pace.due(plane.work_of_sums * len(policies)):
            yield from archive.show()
    yield from archive.show(finished=True, exact=True)
