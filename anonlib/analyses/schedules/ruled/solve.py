"""The optimum under rules: each component by itself.

First comes one component of a programme: the best schedule found so far, and what is proven. Then all components are
solved.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import sparse

from anonlib.analyses.schedules.ruled.feasibility import seated
from anonlib.analyses.schedules.ruled.model import n_variables
from anonlib.analyses.schedules.ruled.neighbours import (
    improved,
    quick_bound,
    row_bound,
    searched,
    total,
    with_values_merged,
    with_zones_merged,
)
from anonlib.analyses.schedules.ruled.programme import (
    Offer,
    Programme,
    best_of,
    components,
    joined,
    merged,
    programme_of,
)
from anonlib.analyses.schedules.ruled.starts import expanded, filled, gathered, remixed
from anonlib.analyses.schedules.rules import OriginMix
from anonlib.analyses.schedules.schedule import dealt, summed
from anonlib.analyses.schedules.solver.plain import solve_plain
from anonlib.analyses.schedules.solver.search import Best, Deadline, SlotSolution, agreed, certified
from anonlib.counting.classes import AnonymityVector, anonymity_vector

_SMALL = 4_000  # variables of a model that the solver is given at once
_MOST_CELLS = 30_000_000  # groups times slots, beyond which no table of all of them is made
# Of the work:
_AT_ONCE = 0.3
_WITHOUT_MIX, _REMIX = 0.1, 0.1
_WITHOUT_MIX_APART, _REMIX_APART = 0.25, 0.4  # where not everyone may go everywhere
_COLUMNS = 0.1
_ROWS = 0.1
_TURN = 0.1


class Component:
    """Groups and slots all linked by who may go where. ``first`` is a schedule that keeps the rules.

    ``offer`` is called with each better one. ``prefix`` and ``bound``: as in a solution.
    """

    def __init__(self, programme: Programme, first: sparse.csr_array, offer: Offer | None = None) -> None:
        values = np.unique(programme.values, return_inverse=True)[1]
        self.programme = replace(programme, values=values)
        self.best = best_of(self.programme, first, offer)
        self.bound = anonymity_vector([programme.n_people])
        self.prefix = 0

    @property
    def proven(self) -> bool:
        return self.best.vector == self.bound

    def solve(self, deadline: Deadline, seed: int) -> None:
        """Improve and prove as far as the work allows."""
        programme = self.programme
        if programme.mix is None and programme.allowed.all():
            solution = solve_plain(programme.people, programme.places, deadline, seed, self.best.offer)
            self.best.offer(solution.groups)
            self._prove(solution.bound, solution.prefix)
            return
        self._prove(quick_bound(programme))
        if n_variables(programme, np.zeros(0, np.int64)) <= _SMALL:
            self._search(deadline.part(deadline.left * _AT_ONCE), seed)
        if not self.proven:
            self._approach(deadline, seed)
        if not self.proven:
            self._search(deadline, seed)
        if not self.proven:
            improved(programme, self.bound, self.best, deadline, seed + 1)

    def _search(self, deadline: Deadline, seed: int) -> None:
        certificate = searched(self.programme, self.bound, self.best, deadline, seed)
        solution = certified(self.best, self.bound, certificate)
        self._prove(solution.bound, solution.prefix)

    def _prove(self, bound: AnonymityVector, prefix: int = 0) -> None:
        self.prefix, self.bound = max(self.prefix, prefix), max(self.bound, bound)

    def _approach(self, deadline: Deadline, seed: int) -> None:
        """What is too large for the solver: simpler programmes first, then neighbours."""
        if np.prod(self.programme.shape) <= _MOST_CELLS:
            self._begin_with_simpler(deadline, seed)
        if not self.proven:
            improved(self.programme, self.bound, self.best, deadline, seed)

    def _begin_with_simpler(self, deadline: Deadline, seed: int) -> None:
        if self.programme.mix is not None:
            self._drop_mix(deadline, seed)
        if not self.proven:
            self._merge_values(deadline.part(deadline.left * _COLUMNS), seed)
            self.best.offer(gathered(self.programme, self.best.groups, deadline, np.random.default_rng(seed)))
        if not self.proven and self.programme.mix is None:
            self._merge_zones(deadline, seed)

    def _drop_mix(self, deadline: Deadline, seed: int) -> None:
        """Without the mix; then the people in a cell are changed, and some cells, so that it is kept."""
        programme, of = merged(replace(self.programme, mix=None, origins=np.zeros_like(self.programme.origins)))
        without = Component(programme, summed(self.best.groups, of, programme.shape[0]))
        together = self.programme.allowed.all()
        share, share_of_remix = (_WITHOUT_MIX, _REMIX) if together else (_WITHOUT_MIX_APART, _REMIX_APART)
        without.solve(deadline.part(deadline.left * share), seed)
        self._prove(without.bound)
        groups = dealt(without.best.groups, self.programme.people, of)
        with_mix = remixed(self.programme, groups, deadline.part(deadline.work * share_of_remix), seed)
        if with_mix is not None:
            self.best.offer(with_mix)

    def _merge_values(self, deadline: Deadline, seed: int) -> None:
        programme, of = with_values_merged(self.programme)
        best = best_of(programme, summed(self.best.groups, of, programme.shape[0]))
        self.best.offer(expanded(self.programme, best.groups, of, deadline.part(deadline.left / 4), seed))
        bound = quick_bound(programme)
        certificate = searched(programme, bound, best, deadline.part(deadline.left / 2), seed)
        self._prove(certified(best, bound, certificate).bound)
        self.best.offer(expanded(self.programme, best.groups, of, deadline, seed))

    def _merge_zones(self, deadline: Deadline, seed: int) -> None:
        """Only the numbers of each group in each zone, as long as that makes the schedule of the slots better."""
        programme, zone = with_zones_merged(self.programme)
        numbers = summed(sparse.csr_array(self.best.groups.T), zone, programme.shape[1])
        best = best_of(programme, sparse.csr_array(numbers.T))
        best.offer(gathered(programme, best.groups, deadline, np.random.default_rng(seed)))
        self._prove(row_bound(programme, best.groups, deadline.part(deadline.left * _ROWS), seed))
        gaining = True
        while gaining and not self.proven and deadline.may_go_on():
            gaining = improved(programme, self.bound, best, deadline.part(deadline.work * _TURN), seed)
            gaining = self._fill_zones(zone, best, deadline, seed) and gaining
            seed += 1

    def _fill_zones(self, zone: np.ndarray, best: Best, deadline: Deadline, seed: int) -> bool:
        """Put the people of each zone into its slots; whether that is better than before."""
        soon = deadline.part(deadline.work * _TURN)
        groups = filled(self.programme, zone, best.groups.toarray(), self.programme.places, soon, seed)
        before = self.best.vector
        self.best.offer(groups)
        return self.best.vector < before


_WORTH_IT = 0.05  # of the work: with less left nothing is begun again


def solve_ruled(
    frequencies: np.ndarray,
    capacities: np.ndarray,
    quasi_ids: np.ndarray,
    allowed: np.ndarray | None,
    mix: OriginMix | None,
    deadline: Deadline,
    seed: int = 0,
    offer: Offer | None = None,
) -> SlotSolution:
    """The smallest vector of any schedule that keeps the rules, or the best found.

    ``frequencies`` (G,) people of each group, at least one group; ``quasi_ids`` (G,) its quasi-identifier value;
    ``capacities`` (R,); ``allowed`` (G, R) who may go where (None: everyone everywhere); ``mix``: the rule on origins.
    ``offer`` is called with each better schedule on the way, as people of each group in each slot.

    Raises
    ------
    InputError
        Where there is none. Whether a mix can be kept is found out first, for which the work of 5 seconds is done
        even if there is less.
    """
    programme, of = merged(programme_of(frequencies, capacities, quasi_ids, allowed, mix))
    first = seated(programme, deadline, seed)
    parts: list[tuple[np.ndarray, np.ndarray, Component]] = []

    def together() -> sparse.csr_array:
        by_part = []
        for groups, slots, part in parts:
            cells = part.best.groups.tocoo()
            by_part.append(np.array([groups[cells.row], slots[cells.col], cells.data]))
        return dealt(joined(by_part, programme.shape), frequencies, of)

    def offer_all(_: object) -> None:
        if offer is not None:
            offer(together())

    for groups, slots in components(programme):
        part = programme.part(groups, slots)
        if part.mix is not None and part.mix.none_allowed and not part.origins.any():
            part = replace(part, mix=None)
        parts.append((groups, slots, Component(part, sparse.csr_array(first[groups][:, slots]), offer_all)))
    offer_all(None)
    all_components = [part for _, _, part in parts]
    _solve_all(all_components, deadline, seed)
    vector, bound = total([part.best.vector for part in all_components]), total([part.bound for part in all_components])
    prefix = min((part.prefix for part in all_components if not part.proven), default=0)
    return SlotSolution(together(), vector, max(prefix, agreed(vector, bound)), bound)


def _solve_all(parts: list[Component], deadline: Deadline, seed: int) -> None:
    """Small components first, each with a share of the work that is left; those not proven again with what is over."""
    for again in range(2):
        left = sorted((part for part in parts if not part.proven), key=lambda part: part.programme.n_people)
        people = [part.programme.n_people for part in left]
        for i, part in enumerate(left):
            if again and deadline.left < _WORTH_IT * deadline.work:
                return
            part.solve(deadline.part(deadline.left * people[i] / sum(people[i:])), seed + again)
