"""A programme under rules as the solver takes it, and the ways to make it smaller without changing its optimum."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from anonlib.analyses.schedules.rules import OriginMix
from anonlib.analyses.schedules.schedule import summed
from anonlib.analyses.schedules.solver.search import Best
from anonlib.counting.classes import AnonymityVector, anonymity_vector
from anonlib.counting.classes.coding import group

Offer = Callable[[sparse.csr_array], None]


@dataclass(frozen=True, eq=False)
class Programme:
    """Groups of people, slots, and who may go where.

    ``people`` (G,) of each group; ``values`` (G,) its quasi-identifier value; ``origins`` (G,) its origin, 0 for those
    that the mix does not limit; ``places`` (R,) free in each slot; ``allowed`` (G, R); ``mix``: the rule on origins.
    ``seated`` (origins, R): people of each origin who are in the slots already and stay.
    """

    people: np.ndarray
    values: np.ndarray
    origins: np.ndarray
    places: np.ndarray
    allowed: np.ndarray
    mix: OriginMix | None
    seated: np.ndarray

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.people), len(self.places)

    @property
    def n_people(self) -> int:
        return int(self.people.sum())

    @property
    def n_values(self) -> int:
        return int(self.values.max(initial=-1)) + 1

    def cells(self, groups: sparse.csr_array) -> sparse.csr_array:
        """People of each value in each slot, from those of each group."""
        return summed(groups, self.values, self.n_values)

    def vector(self, groups: sparse.csr_array) -> AnonymityVector:
        return anonymity_vector(self.cells(groups).data)

    def part(self, groups: np.ndarray, slots: np.ndarray) -> Programme:
        """Only these groups and slots."""
        return replace(
            self, people=self.people[groups], values=self.values[groups], origins=self.origins[groups],
            places=self.places[slots], allowed=self.allowed[np.ix_(groups, slots)], seated=self.seated[:, slots],
        )  # fmt: skip

    def zones(self) -> list[np.ndarray]:
        """The slots in sets that take the same groups, which are interchangeable; each by itself under a mix."""
        if self.mix is not None:
            return [np.array([slot]) for slot in range(self.shape[1])]
        zone = same_rows(self.allowed.T)
        return [np.flatnonzero(zone == z) for z in range(zone.max(initial=-1) + 1)]


def programme_of(
    frequencies: np.ndarray,
    capacities: np.ndarray,
    quasi_ids: np.ndarray,
    allowed: np.ndarray | None,
    mix: OriginMix | None,
) -> Programme:
    """The programme of these groups and slots, with every slot empty and nobody allowed in a closed one.

    Places without end are taken as no more than all people together could need.
    """
    shape = len(frequencies), len(capacities)
    origins = np.zeros(shape[0], np.int64) if mix is None else mix.codes(shape[0])
    # Groups are only seen to be alike if what differs between them is no closed slot.
    everywhere = np.broadcast_to(capacities > 0, shape) & (True if allowed is None else allowed)
    nobody = np.zeros((int(origins.max(initial=0)) + 1, shape[1]), np.int64)
    enough = int(frequencies.sum())
    if mix is not None and mix.exact_share:
        enough = ceil(max(enough, mix.fewest) / mix.exact_share)
    places = np.minimum(capacities, enough)
    return Programme(frequencies, np.asarray(quasi_ids), origins, places, everywhere, mix, nobody)


def same_rows(rows: np.ndarray) -> np.ndarray:
    """(n,) a number for each distinct row of yes and no, counted from 0."""
    number: dict[bytes, int] = {}
    packed = np.packbits(rows, axis=1)
    return np.array([number.setdefault(row.tobytes(), len(number)) for row in packed], np.int64)


def merged(programme: Programme) -> tuple[Programme, np.ndarray]:
    """Groups that are alike in value, origin and where they may go as one; and (G,) which one each of them is in.

    Nothing is lost: the people of such a group can be any of those merged
    (:func:`anonlib.analyses.schedules.schedule.dealt`).
    """
    keys = np.column_stack([programme.values, programme.origins, same_rows(programme.allowed)])
    of, first = group(keys, (keys.max(axis=0, initial=0) + 1).tolist())
    smaller = programme.part(first, np.arange(programme.shape[1]))
    return replace(smaller, people=np.bincount(of, programme.people, len(first)).astype(np.int64)), of


def joined(entries: Sequence[np.ndarray], shape: tuple[int, int]) -> sparse.csr_array:
    """People of each group in each slot from pieces of (3, n): group, slot, people."""
    group, slot, n = np.concatenate(entries, axis=1)
    return sparse.csr_array(sparse.coo_array((n, (group, slot)), shape=shape))


def components(programme: Programme) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Groups and slots that are linked by who may go where; between them there is nothing to decide.

    Cells of different components are of different slots, so the vector of a schedule is the sum of the components'
    vectors. And v < v' gives v + w < v' + w, for sums differ first where v and v' do. So the sum of the optima is the
    optimum, the sum of lower bounds is one, and what is proven of the counts up to a size in all, is proven of the sum.
    """
    n_groups, n_slots = programme.shape
    group, slot = np.nonzero(programme.allowed & (programme.places > 0))
    n = n_groups + n_slots
    links = sparse.csr_array((np.ones(len(group), bool), (group, n_groups + slot)), shape=(n, n))
    n_components, component = csgraph.connected_components(links, directed=False)
    order = np.argsort(component, kind="stable")
    for nodes in np.split(order, np.searchsorted(component[order], np.arange(1, n_components))):
        nodes = np.sort(nodes)
        groups, slots = nodes[nodes < n_groups], nodes[nodes >= n_groups] - n_groups
        if len(groups):
            yield groups, slots


def largest_flow(people: np.ndarray, places: np.ndarray, most: np.ndarray) -> np.ndarray:
    """(kinds, zones) as many people as can be seated; ``most`` (kinds, zones): at most so many, or whether any may."""
    n_kinds, n_zones = most.shape
    source, sink = n_kinds + n_zones, n_kinds + n_zones + 1
    kind, zone = np.nonzero(most)
    tails = np.concatenate([np.full(n_kinds, source), kind, n_kinds + np.arange(n_zones)])
    heads = np.concatenate([np.arange(n_kinds), n_kinds + zone, np.full(n_zones, sink)])
    between = np.minimum(people[kind], places[zone])
    if most.dtype != bool:
        between = np.minimum(between, most[kind, zone])
    widths = np.concatenate([people, between, np.minimum(places, people.sum())]).astype(np.int32)
    network = sparse.csr_array((widths, (tails, heads)), shape=(sink + 1, sink + 1))
    flow = csgraph.maximum_flow(network, source, sink).flow
    return sparse.csr_array(flow)[:n_kinds, n_kinds:source].toarray().astype(np.int64)


def best_of(programme: Programme, groups: sparse.csr_array, offer: Offer | None = None) -> Best:
    """The best schedule of the programme so far, to begin with this one."""
    return Best(groups, offer, programme.vector)
