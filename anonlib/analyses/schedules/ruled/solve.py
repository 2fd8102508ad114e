"""The optimum under rules: each component by itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import sparse

from anonlib.analyses.schedules.ruled.component import Component
from anonlib.analyses.schedules.ruled.feasibility import seated
from anonlib.analyses.schedules.ruled.programme import Offer, components, joined, merged, programme_of
from anonlib.analyses.schedules.ruled.relaxations import total
from anonlib.analyses.schedules.rules import OriginMix
from anonlib.analyses.schedules.schedule import dealt
from anonlib.analyses.schedules.solver.deadline import Deadline
from anonlib.analyses.schedules.solver.search import SlotSolution, agreed

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
