"""Simpler programmes that no schedule under rules can beat, for bounds and for a first schedule.

Merging cells makes a vector smaller (the merge lemma). So the optimum is a lower bound where all values are one, where
slots that take the same groups are one, or where each value has all slots to itself.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import sparse

from anonlib.analyses.schedules.ruled.programme import Programme, best_of, merged, same_rows
from anonlib.analyses.schedules.ruled.zoned import ZonedModel
from anonlib.analyses.schedules.solver.bounds import column_plan, lower_bound
from anonlib.analyses.schedules.solver.deadline import Deadline
from anonlib.analyses.schedules.solver.search import certified, minimised
from anonlib.counting.classes import AnonymityVector, anonymity_vector

_SHARE_OF_A_ROW = 0.2  # of the work for all rows


def quick_bound(programme: Programme) -> AnonymityVector:
    """The best bound in closed form: as if everyone may go everywhere, or each value is alone."""
    frequencies = np.bincount(programme.values, programme.people).astype(np.int64)
    plain_bound = lower_bound(frequencies[frequencies > 0], programme.places)
    return max(plain_bound, total([_alone(programme, value) for value in np.unique(programme.values).tolist()]))


def _alone(programme: Programme, value: int) -> AnonymityVector:
    """One value as if it had all slots to itself, in its column plan.

    What one slot can take of a value is limited by its places, by who of the value may go there, and under a mix by how
    many of other origins it can have beside people of the origins that the value lacks.
    """
    own, others = programme.values == value, programme.origins > 0
    reach = np.where(programme.allowed[own], programme.people[own, None], 0)
    if programme.mix is None or programme.seated.any():
        most = reach.sum(axis=0)
    else:
        lacking = max(0, programme.mix.fewest - len(np.unique(programme.origins[own & others])))
        room = np.maximum(0, programme.mix.most_in(programme.places) - lacking)
        most = reach[~others[own]].sum(axis=0) + np.minimum(room, reach[others[own]].sum(axis=0))
    return anonymity_vector(column_plan(np.minimum(programme.places, most), int(programme.people[own].sum())))


def row_bound(programme: Programme, groups: sparse.csr_array, deadline: Deadline, seed: int) -> AnonymityVector:
    """Each value as if it had all slots to itself, searched one after another as the work allows; without a mix.

    ``groups`` is a schedule to begin with.
    """
    bounds = []
    for value in np.unique(programme.values).tolist():
        own = np.flatnonzero(programme.values == value)
        alone = replace(programme.part(own, np.arange(programme.shape[1])), values=np.zeros_like(own))
        bound, best = _alone(programme, value), best_of(alone, sparse.csr_array(groups[own]))
        if best.vector > bound and deadline.left > 0:
            soon = deadline.part(deadline.work * _SHARE_OF_A_ROW)
            certificate = minimised(ZonedModel(alone, np.zeros(0, np.int64)), bound, best, soon, seed)
            bound = certified(best, bound, certificate).bound
        bounds.append(bound)
    return total(bounds)


def with_values_merged(programme: Programme) -> tuple[Programme, np.ndarray]:
    """All values as one, and (G,) which of its groups each group is in.

    Under a mix a value of one foreign origin only is not merged with home, as that would hide the small cells that the
    rule makes of it.
    """
    pure = np.zeros(programme.n_values, np.int64)
    np.maximum.at(pure, programme.values, programme.origins)
    mixed = pure[programme.values] != programme.origins
    pure[programme.values[mixed]] = 0
    return merged(replace(programme, values=pure[programme.values]))


def with_zones_merged(programme: Programme) -> tuple[Programme, np.ndarray]:
    """Slots that take the same groups as one with all their places, and (R,) which one each slot is in."""
    zone = same_rows(programme.allowed.T)
    first = np.unique(zone, return_index=True)[1]
    places = np.bincount(zone, programme.places).astype(np.int64)
    return replace(programme, places=places, allowed=programme.allowed[:, first]), zone


def total(vectors: list[AnonymityVector]) -> AnonymityVector:
    """The vector of several programmes together."""
    sizes = np.concatenate([vector.sizes for vector in vectors])
    distinct, of = np.unique(sizes, return_inverse=True)
    classes = np.bincount(of, np.concatenate([vector.classes for vector in vectors]), len(distinct))
    return AnonymityVector(distinct, classes.astype(np.int64))
