"""Better schedules in the neighbourhood of a good one: some cells are emptied and filled again, many times over.

First come simpler programmes that no schedule under rules can beat, for bounds and for a first schedule. Merging cells
makes a vector smaller (the merge lemma). So the optimum is a lower bound where all values are one, where slots that
take the same groups are one, or where each value has all slots to itself.

Next is the solver under rules, then the neighbourhoods: either all cells of a few slots, or all of a few values. Cells
left alone keep their people, so what makes the vector of the others smaller makes the whole smaller.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from anonlib.analyses.schedules.ruled.model import ZonedModel, longest_cell, n_variables
from anonlib.analyses.schedules.ruled.programme import Programme, best_of, merged, same_rows
from anonlib.analyses.schedules.schedule import dealt, summed
from anonlib.analyses.schedules.solver import search
from anonlib.analyses.schedules.solver.plain import column_plan, lower_bound, solve_plain
from anonlib.analyses.schedules.solver.search import (
    BUILT,
    SIMPLIFIED,
    Best,
    Certificate,
    Deadline,
    certified,
    minimised,
)
from anonlib.basics.budget import A_SECOND
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


MOST_VARIABLES = 40_000
"""Of a model: beyond it the solver does not come far in minutes."""
_SHARES = (0.1,)  # of the work, for one look at how far the bound can be followed


def searched(
    programme: Programme, bound: AnonymityVector, best: search.Best, deadline: Deadline, seed: int
) -> Certificate:
    """Let the solver look for better schedules than ``best``; what is proven at the end."""

    def build(fixed: np.ndarray) -> ZonedModel | None:
        n = n_variables(programme, fixed)
        if n > min(MOST_VARIABLES, deadline.left / (BUILT + SIMPLIFIED)):
            return None
        deadline.spend(BUILT * n)
        model = ZonedModel(programme, fixed)
        model.hint(best.groups)
        return model

    return search.searched(build, longest_cell(programme), bound, best, deadline, seed, _SHARES)


_PATIENCE = A_SECOND  # work for one neighbourhood
_IDLE = 60  # neighbourhoods without gain after which one stops


@dataclass
class _Kind:
    """A kind of neighbourhood: how many slots or values at a time, and what it gains."""

    choose: Callable[[int], tuple[np.ndarray, np.ndarray]]
    size: float
    largest: int
    gain: float = 1.0

    def learn(self, gained: bool, work: float) -> None:
        """Remember the gains per work; take more at a time when nothing is gained, fewer when it takes much."""
        self.gain += 0.2 * (gained / (work / A_SECOND + 0.02) - self.gain)
        if work >= _PATIENCE:
            self.size = max(1.0, self.size * 0.8)
        elif not gained:
            self.size = min(self.size + 0.25, self.largest)


def improved(programme: Programme, bound: AnonymityVector, best: Best, deadline: Deadline, seed: int) -> bool:
    """Improve ``best`` until it is at the bound, or the work is done, or (False) nothing gains any more."""
    rng = np.random.default_rng(seed)
    n_slots, n_values = programme.shape[1], len(np.unique(programme.values))
    kinds = [_Kind(lambda n: _some_slots(programme, best.groups, n, rng), 3.0, n_slots)]
    kinds.append(_Kind(lambda n: _some_values(programme, best.groups, n, rng), 1.0, n_values))
    idle = 0
    while deadline.may_go_on() and best.vector > bound:
        if idle > _IDLE:
            return False
        gains = np.array([kind.gain + 0.05 for kind in kinds])
        kind = kinds[int(rng.choice(len(kinds), p=gains / gains.sum()))]
        soon = deadline.part(_PATIENCE)
        before = best.vector
        _refill(programme, *kind.choose(min(kind.largest, int(kind.size))), best, soon, int(rng.integers(2**31)))
        kind.learn(best.vector < before, soon.spent)
        idle = 0 if best.vector < before else idle + 1
    return True


def _refill(
    programme: Programme, groups: np.ndarray, slots: np.ndarray, best: Best, deadline: Deadline, seed: int
) -> None:
    """Fill the cells of these groups and slots again with the people in them, in the places these and nobody have."""
    columns = sparse.csr_array(best.groups[:, slots])
    everyone = summed(columns, programme.origins, len(programme.seated))
    chosen = sparse.csr_array(columns[groups])
    moving = np.diff(chosen.indptr) > 0
    groups, now = groups[moving], chosen[moving].toarray()
    part = programme.part(groups, slots)
    staying = (everyone - summed(chosen[moving], part.origins, len(part.seated))).toarray()
    part = replace(
        part,
        people=now.sum(axis=1),
        values=np.unique(part.values, return_inverse=True)[1],
        places=part.places - staying.sum(axis=0),
        seated=part.seated + staying,
    )
    open_slots = np.flatnonzero(part.places > 0)
    part, of = merged(part.part(np.arange(len(groups)), open_slots))
    begun = summed(sparse.csr_array(now[:, open_slots]), of, part.shape[0])
    bound, best_of_part = quick_bound(part), best_of(part, begun)
    if best_of_part.vector == bound:
        return
    if part.mix is None and part.allowed.all():
        best_of_part.offer(solve_plain(part.people, part.places, deadline, seed).groups)
    else:
        searched(part, bound, best_of_part, deadline, seed)
    if best_of_part.groups is begun:
        return
    refilled = dealt(best_of_part.groups, now.sum(axis=1), of).tocoo()
    current = best.groups.tocoo()
    stays = ~(np.isin(current.row, groups) & np.isin(current.col, slots))
    row = np.concatenate([current.row[stays], groups[refilled.row]])
    column = np.concatenate([current.col[stays], slots[open_slots][refilled.col]])
    people = np.concatenate([current.data[stays], refilled.data])
    best.offer(sparse.csr_array(sparse.coo_array((people, (row, column)), shape=programme.shape)))


def _some_slots(
    programme: Programme, groups: sparse.csr_array, n: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Slots that may gain together: one with small cells, and others with people of the same values."""
    cells = programme.cells(groups).tocoo()
    smallness = 1 / cells.data.astype(float) ** 2
    first = _drawn(np.bincount(cells.col, smallness, programme.shape[1]), 1, rng)
    near = np.isin(cells.row, cells.row[cells.col == first])
    weight: np.ndarray = np.bincount(cells.col[near], smallness[near], programme.shape[1])
    weight += 0.1 * programme.allowed[programme.allowed[:, first[0]]].any(axis=0)
    weight[first] = 0
    return np.arange(programme.shape[0]), np.append(first, _drawn(weight, n - 1, rng))


def _some_values(
    programme: Programme, groups: sparse.csr_array, n: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """The groups of some values, those with small cells more likely, and all slots."""
    cells = programme.cells(groups).tocoo()
    weight: np.ndarray = np.bincount(cells.row, 1 / cells.data.astype(float) ** 2, programme.n_values)
    own = np.isin(programme.values, _drawn(weight, n, rng))
    return np.flatnonzero(own), np.arange(programme.shape[1])


def _drawn(weight: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """Up to ``n`` of those with a positive weight, the heavier the likelier."""
    n = min(n, int((weight > 0).sum()))
    return rng.choice(len(weight), n, replace=False, p=weight / weight.sum()) if n else np.zeros(0, np.int64)
