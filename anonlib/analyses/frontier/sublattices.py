"""Sublattice Heuristic Search (Xia et al. 2013, section 3.5.2 and appendix, Algorithms 2 and 3), mended.

As printed, Equation 1 exceeds 1 where the frontier is above the rectangle, and the search prunes nothing: without
clauses Algorithm 3 returns no literals, which is the whole lattice, whose rectangle always reaches below the frontier.
So heights are capped here, literals are extended at random, and “no clauses” is distinguished from “no solution”. First
comes which sublattices are not to be met again, and how to avoid them (Algorithm 3); then comes the search.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from anonlib.analyses.frontier.chains import along
from anonlib.analyses.frontier.evaluation import Plane
from anonlib.analyses.frontier.result import Frontier
from anonlib.analyses.frontier.searches import BUDGET, Pace, checked_budget
from anonlib.analyses.frontier.space import PolicySpace
from anonlib.basics import checks
from anonlib.basics.errors import InputError

MOST_STEPS, LEAST_STEPS = 1_000, 16
"""Literals that a search tries before it gives up: at first, and when it gave up several times."""
_MANY = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Literals:
    """Bits that are 1 and bits that are 0 in all policies of a sublattice; bool, a bit each."""

    ones: np.ndarray
    zeros: np.ndarray


class Clauses:
    """A clause a pruned sublattice: at least one of the bits that are the same in all of it differs.

    A literal is a number, 2 x bit + its value.
    """

    def __init__(self, n_bits: int) -> None:
        self._clauses: list[np.ndarray] = []  # the literals of each
        self._steps = MOST_STEPS
        self._has = np.zeros((2 * n_bits, 64), dtype=bool)  # literals x clauses, with room for more

    def __len__(self) -> int:
        return len(self._clauses)

    def add(self, ones: np.ndarray, zeros: np.ndarray) -> None:
        """Prune the sublattice of the policies that have these bits 1 and those 0 (bool, a bit each)."""
        literals = np.concatenate([2 * np.flatnonzero(ones), 2 * np.flatnonzero(zeros) + 1])
        if len(self) == self._has.shape[1]:
            self._has = np.hstack([self._has, np.zeros_like(self._has)])
        self._has[literals, len(self)] = True
        self._clauses.append(literals)

    def avoided(self, rng: np.random.Generator) -> Literals | None:
        """Literals that together are in no pruned sublattice: none where nothing is pruned, None where all is.

        Depth first: a literal at random of the clause that has the fewest left which no literal before contradicts
        (Algorithm 3 takes the fewest at all, and learns of a dead end later). One that failed is not tried again below
        the others of its clause. After :data:`MOST_STEPS` the search gives up, and the literals so far are returned:
        what they leave may overlap a pruned sublattice, which costs some of the budget and nothing else. Each time it
        gives up it will be half as patient: little of the lattice is left then.
        """
        path = _Path(self._has[:, : len(self)], np.array([len(clause) for clause in self._clauses], dtype=np.int64))
        levels: list[tuple[list[int], list[int]]] = []  # of a clause each: literals to try, and what they set so far
        for _ in range(self._steps):
            if path.met.all():
                break
            clause = self._clauses[path.shortest()]
            untried = rng.permutation(clause[path.value[clause // 2] != 1 - clause % 2]).tolist()
            chosen: list[int] = []
            levels.append((untried, chosen))
            while not untried:
                for literal in chosen:
                    path.take(literal)
                levels.pop()
                if not levels:
                    return None
                untried, chosen = levels[-1]
                failed = chosen.pop()
                path.take(failed)
                path.put(failed ^ 1)
                chosen.append(failed ^ 1)
            chosen.append(untried.pop())
            path.put(chosen[-1])
        else:
            self._steps = max(LEAST_STEPS, self._steps // 2)
        return Literals(path.value == 1, path.value == 0)


class _Path:
    """Literals that are set, and what they do to the clauses (``has``: bool, literals x clauses)."""

    def __init__(self, has: np.ndarray, lengths: np.ndarray) -> None:
        self._has = has
        self.value = np.full(len(has) // 2, -1)  # of a bit; -1: none yet
        self.met = np.zeros(has.shape[1], dtype=np.int64)  # literals of a clause that are set
        self._open = lengths.copy()  # literals of a clause that are not contradicted

    def put(self, literal: int) -> None:
        self.value[literal // 2] = literal % 2
        self.met += self._has[literal]
        self._open -= self._has[literal ^ 1]

    def take(self, literal: int) -> None:
        self.value[literal // 2] = -1
        self.met -= self._has[literal]
        self._open += self._has[literal ^ 1]

    def shortest(self) -> int:
        """Of the clauses that are not met, one with the fewest literals that are not contradicted."""
        return int(np.argmin(np.where(self.met > 0, _MANY, self._open)))


THRESHOLD = 0.2
WIDTH = 0.5
"""How much greater the share of boundaries that beta keeps is than that of alpha, where 0 and 1 allow."""


def sublattices(
    plane: Plane,
    *,
    budget: int | None = BUDGET,
    threshold: float = THRESHOLD,
    work: float | None = None,
    seconds: float | None = None,
    seed: int = 0,
) -> Iterator[Frontier]:
    """Look at chains of random sublattices that reach below the frontier, and never again at those that do not.

    Of each sublattice the two corners are evaluated: alpha, the most general policy in it, and beta, the most specific
    one. If :func:`update_probability` of their rectangle is above ``threshold``, a chain from beta to alpha is looked
    at, the boundaries that go drawn at random; it counts its policies, corners included. If it is not, only the corners
    were looked at, which counts 2; if it is 0, no later sublattice overlaps this one.

    Parameters
    ----------
    plane : Plane
        The policies and their measures.
    budget : int, default BUDGET
        Policies that may be looked at, without end where it is None; the last chain ends where the budget does.
    threshold : float, default THRESHOLD
        From 0 to below 1.
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
        What was found so far, every so much work; the last one has ``finished``. The search also ends when
        all of the lattice is pruned: then no policy is better than the frontier, though some that tie with it may be
        missing.

    Raises
    ------
    InputError
        For a budget, work or a time that is not above 0, and for a threshold out of its range.

    References
    ----------
    Xia et al. 2013, Algorithms 2 and 3, mended: see docs/errata.md.
    """
    if not 0 <= checks.number(threshold, "The threshold") < 1:
        raise InputError("The threshold must be from 0 to below 1.", code="number-out-of-range")
    pace = Pace(plane, "sublattices", budget, checked_budget(work, seconds))
    return _frontiers(pace, threshold, np.random.default_rng(checks.whole(seed, "The seed", 0)))


def _frontiers(pace: Pace, threshold: float, rng: np.random.Generator) -> Iterator[Frontier]:
    from anonlib.analyses.frontier.chains import Chains  # loads the compiler, which takes half a second

    archive = pace.archive
    space = archive.plane.space
    chains = Chains(archive.plane)
    pruned = Clauses(space.n_bits)
    nothing = np.zeros(0, dtype=np.int64)
    chains.evaluate(space.bottom, nothing)  # what is compiled is there before the time runs
    while left := pace.left:
        literals = pruned.avoided(rng)
        if literals is None:
            break
        alpha, beta = corners(space, literals, rng)
        removed = rng.permutation(np.flatnonzero(beta & ~alpha))
        ends = np.array([alpha, beta])
        risk, loss = np.hstack([chains.evaluate(policy, nothing) for policy in ends])
        spent = 2 * chains.work(1) + len(pruned) * space.n_bits
        chance = update_probability(risk[0], loss[0], risk[1], loss[1], archive.risk, archive.loss)
        if chance > threshold:
            removed = removed[: int(min(left - 1, space.n_bits))]
            spent += chains.work(len(removed) + 1)
            archive.evaluations += len(removed) + 1
            archive.add(along(beta, removed), *chains.evaluate(beta, removed))
        else:
            counted = int(min(left, 2))
            archive.evaluations += counted
            archive.add(ends[:counted], risk[:counted], loss[:counted])
            if chance == 0:
                pruned.add(ones=alpha, zeros=~beta)
        if pace.due(spent):
            yield from archive.show()
    yield from archive.show(finished=True)


def corners(space: PolicySpace, literals: Literals, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Alpha and beta of a random sublattice of policies that have the literals.

    Each attribute has a share of boundaries to keep, uniform from 0 to 1: alpha keeps :data:`WIDTH` / 2 less, and beta
    so much more. So attributes are cut unevenly, as the policies of a frontier are; with one share for all bits,
    sublattices differ little from one another.
    """
    share = np.repeat(rng.random(len(space.domains)), np.diff(space.starts))
    drawn = rng.random(space.n_bits)
    alpha, beta = drawn < share - WIDTH / 2, drawn < share + WIDTH / 2
    return (alpha | literals.ones) & ~literals.zeros, (beta | literals.ones) & ~literals.zeros


def update_probability(
    risk_alpha: float, loss_alpha: float, risk_beta: float, loss_beta: float, risk: np.ndarray, loss: np.ndarray
) -> float:
    """H, the share of a sublattice's rectangle below the frontier's stair: 0 to 1 (Equation 1, mended).

    The rectangle is from risk alpha to beta and from loss beta to alpha; ``risk`` ascends and ``loss`` descends along
    the frontier. Equation 1 has u_k where min(u_k, u_alpha) belongs: it counts what is above the rectangle. Left of the
    first point nothing is dominated. Of a rectangle without width or height, the share of its length; of a point, 1
    where no point of the frontier is as good, else 0.
    """
    inside = (risk > risk_alpha) & (risk < risk_beta)
    left = np.concatenate([[risk_alpha], risk[inside]])
    width = np.diff(left, append=risk_beta)
    # The stair from each of these risks to the next: the least loss at no greater risk.
    stair = np.concatenate([[np.inf], loss])[np.searchsorted(risk, left, side="right")]
    if loss_alpha > loss_beta:
        below = (np.minimum(stair, loss_alpha) - loss_beta).clip(min=0) / (loss_alpha - loss_beta)
    else:
        below = (stair > loss_beta).astype(float)
    if risk_beta > risk_alpha:
        return float(min(1.0, np.dot(width, below) / (risk_beta - risk_alpha)))
    return float(below[0])
