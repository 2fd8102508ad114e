"""The solver's model of a programme under rules: parts of values and slots, zone by zone.

First comes the mix of origins in one slot, in the solver's terms; then come the zones. A zone is the slots that take
the same groups, or one slot by itself under a mix. How many of each group go to each zone is one set of numbers; given
these, a zone is a programme where everyone may go everywhere, and its cells are parts of values and of slots, as many
of each size (parts.py). So the numbers are for each value and zone and each slot, and not for each value and slot.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from ortools.sat.python import cp_model
from scipy import sparse

from anonlib.analyses.schedules.ruled.programme import Programme, joined
from anonlib.analyses.schedules.schedule import seats_of
from anonlib.analyses.schedules.solver.parts import Parts, Side, matched
from anonlib.analyses.schedules.solver.search import Solver

Sum = cp_model.LinearExpr.sum


class SlotMix:
    """The rule on origins in one slot: ``numbers`` are the people of its ``groups`` who come."""

    def __init__(
        self,
        model: cp_model.CpModel,
        programme: Programme,
        slot: int,
        groups: np.ndarray,
        numbers: Sequence[cp_model.IntVar],
    ) -> None:
        assert programme.mix is not None
        self._model, self._mix = model, programme.mix
        self._origins = programme.origins[groups]
        self._places = int(programme.places[slot])
        seated = programme.seated[:, slot]
        self._staying, self._others_staying = int(seated.sum()), int(seated[1:].sum())
        others = [number for number, origin in zip(numbers, self._origins, strict=True) if origin > 0]
        self._limit(numbers, others)
        self._mixed = self._when_mixed(numbers, others)
        self._present = {
            origin: self._presence([n for n, own in zip(numbers, self._origins, strict=True) if own == origin])
            for origin in sorted(set(self._origins[self._origins > 0].tolist()))
        }
        origins_staying = set((1 + np.flatnonzero(seated[1:])).tolist())
        coming = [present for origin, present in self._present.items() if origin not in origins_staying]
        self._model.add(Sum(coming) + len(origins_staying) >= self._mix.fewest * self._mixed)

    def hint(self, people: np.ndarray) -> None:
        """Begin the search with these people of each of the groups."""
        others = self._origins > 0
        mixed = people[others].any() or (not self._mix.none_allowed and people.any())
        self._model.add_hint(self._mixed, bool(self._is_mixed or mixed))
        for origin, present in self._present.items():
            self._model.add_hint(present, bool(people[self._origins == origin].any()))

    @property
    def _is_mixed(self) -> bool:
        return self._others_staying > 0 or (not self._mix.none_allowed and self._staying > 0)

    def _limit(self, numbers: Sequence[cp_model.IntVar], others: Sequence[cp_model.IntVar]) -> None:
        share = self._mix.exact_share
        whole = (Sum(list(numbers)) if self._mix.of == "load" else self._places) + self._staying
        self._model.add(share.denominator * (Sum(list(others)) + self._others_staying) <= share.numerator * whole)

    def _when_mixed(self, numbers: Sequence[cp_model.IntVar], others: Sequence[cp_model.IntVar]) -> cp_model.IntVar:
        """Whether the slot has people of other origins, or has to have them."""
        mixed = self._model.new_bool_var("")
        if self._is_mixed:
            self._model.add(mixed == 1)
        elif self._mix.none_allowed:
            self._model.add(Sum(list(others)) <= int(self._mix.most_in(np.array(self._places + self._staying))) * mixed)
        else:
            self._model.add(Sum(list(numbers)) <= self._places * mixed)
        return mixed

    def _presence(self, numbers: Sequence[cp_model.IntVar]) -> cp_model.IntVar:
        present = self._model.new_bool_var("")
        self._model.add(Sum(list(numbers)) >= present)
        return present


Weighted = cp_model.LinearExpr.weighted_sum


class Flows:
    """Numbers of each group in each zone: within the places, and within the mix if there is one."""

    def __init__(self, programme: Programme) -> None:
        self.programme = programme
        self.model = cp_model.CpModel()
        self.zones = programme.zones()
        self.places = np.array([int(programme.places[slots].sum()) for slots in self.zones], np.int64)
        self.groups = [np.flatnonzero(programme.allowed[:, slots[0]]) for slots in self.zones]
        self.numbers: list[list[cp_model.IntVar]] = []
        of_group: list[list[cp_model.IntVar]] = [[] for _ in programme.people]
        for places, groups in zip(self.places.tolist(), self.groups, strict=True):
            most = np.minimum(programme.people[groups], places).tolist()
            numbers = [self.model.new_int_var(0, n, "") for n in most]
            self.numbers.append(numbers)
            self.model.add(Sum(numbers) <= places)
            for group, number in zip(groups.tolist(), numbers, strict=True):
                of_group[group].append(number)
        for people, numbers in zip(programme.people.tolist(), of_group, strict=True):
            self.model.add(Sum(numbers) == people)
        self._mixes = [
            SlotMix(self.model, programme, int(slots[0]), groups, numbers)
            for slots, groups, numbers in zip(self.zones, self.groups, self.numbers, strict=True)
            if programme.mix is not None
        ]

    def hint(self, groups: sparse.csr_array) -> None:
        """Begin the search at this schedule."""
        self.model.clear_hints()
        by_slot = groups.toarray()
        for slots, of, numbers in zip(self.zones, self.groups, self.numbers, strict=True):
            people = by_slot[np.ix_(of, slots)].sum(axis=1).tolist()
            for number, n in zip(numbers, people, strict=True):
                self.model.add_hint(number, n)
        for mix, of, slots in zip(self._mixes, self.groups, self.zones, strict=False):
            mix.hint(by_slot[of, slots[0]])

    def zone_numbers(self, solver: Solver, zone: int) -> np.ndarray:
        """(groups of the zone,) the people of each."""
        return np.array([solver.value(number) for number in self.numbers[zone]], np.int64)


class ZonedModel(Flows):
    """Flows, and the parts they are split into; ``fixed`` (t,) are the counts of sizes 1 to t, the others are free."""

    def __init__(self, programme: Programme, fixed: np.ndarray) -> None:
        super().__init__(programme)
        longest = longest_cell(programme)
        self._sizes = [*(np.flatnonzero(fixed) + 1).tolist(), *range(len(fixed) + 1, longest + 1)]
        self._parts = [_ZoneParts(self, zone, self._sizes) for zone in range(len(self.zones))]
        self.counts: list[cp_model.LinearExprT] = [*fixed.tolist()]
        for size in range(len(fixed) + 1, longest + 1):
            self.counts.append(self.model.new_int_var(0, programme.n_people // size, ""))
        for size in self._sizes:
            numbers = [number for zone in self._parts for number in zone.of_size(size)]
            self.model.add(Sum(numbers) == self.counts[size - 1])

    def hint(self, groups: sparse.csr_array) -> None:
        super().hint(groups)
        cells = self.programme.cells(groups)
        for slots, zone in zip(self.zones, self._parts, strict=True):
            zone.hint(self.model, cells[:, slots].tocoo())

    def read(self, solver: Solver) -> sparse.csr_array:
        """(G, R) the people of each group in each slot of a solution."""
        by_zone = []
        for zone, (slots, groups, parts) in enumerate(zip(self.zones, self.groups, self._parts, strict=True)):
            numbers = self.zone_numbers(solver, zone)
            member, slot, n = seats_of(numbers, self.programme.values[groups], parts.cells(solver))
            by_zone.append(np.array([groups[member], slots[slot], n]))
        return joined(by_zone, self.programme.shape)


class _ZoneParts:
    """The parts of one zone's people: of each value by size, and as many of the zone's slots."""

    def __init__(self, flows: Flows, zone: int, sizes: Sequence[int]) -> None:
        programme, model, slots = flows.programme, flows.model, flows.zones[zone]
        places = programme.places[slots]
        self._shape = programme.n_values, len(slots)
        self._sizes = [size for size in sizes if size <= places.max()]
        self._parts: dict[int, dict[int, cp_model.IntVar]] = {}
        of_value: dict[int, list[int]] = {}
        for position, value in enumerate(programme.values[flows.groups[zone]].tolist()):
            of_value.setdefault(value, []).append(position)
        groups = flows.groups[zone]
        for value, positions in sorted(of_value.items()):
            reach = int(programme.people[groups[positions]].sum())
            of_size = {
                size: model.new_int_var(0, min(reach // size, int((places >= size).sum())), "")
                for size in self._sizes
                if size <= reach
            }
            self._parts[value] = of_size
            people = Sum([flows.numbers[zone][position] for position in positions])
            model.add(Weighted(list(of_size.values()), list(of_size)) == people)
            if len(slots) == 1:
                model.add_at_most_one(of_size.values())
        self._side: Side | _Whole | None = None
        if len(slots) > 1:
            spare = int(programme.places.sum()) - programme.n_people
            several = len(self._parts) > 1
            self._side = (
                Side(model, places, spare, self._sizes, few=False)
                if several
                else _Whole(model, places, spare, self._sizes)
            )
            for size in self._sizes:
                model.add(Sum(self.of_size(size)) == self._side.count(size))

    def of_size(self, size: int) -> list[cp_model.IntVar]:
        return [of_size[size] for of_size in self._parts.values() if size in of_size]

    def hint(self, model: cp_model.CpModel, cells: sparse.coo_array) -> None:
        sizes: dict[int, list[int]] = {}
        for value, size in zip(cells.row.tolist(), cells.data.tolist(), strict=True):
            sizes.setdefault(value, []).append(size)
        for value, of_size in self._parts.items():
            for size, number in of_size.items():
                model.add_hint(number, sizes.get(value, []).count(size))
        if self._side is not None:
            self._side.hint(model, list(zip(cells.col.tolist(), cells.data.tolist(), strict=True)))

    def cells(self, solver: Solver) -> sparse.csr_array:
        """(V, slots of the zone) people of each value in each slot."""
        values: Parts = []
        for value, of_size in self._parts.items():
            for size, number in of_size.items():
                values.extend([(value, size)] * solver.value(number))
        slots = self._side.parts(solver) if self._side is not None else [(0, size) for _, size in values]
        cells = matched(values, slots, self._shape)
        cells.sum_duplicates()
        return cells


class _Whole:
    """A zone's slots where all its people are of one value: each slot is one part, for parts that meet are merged."""

    def __init__(self, model: cp_model.CpModel, places: np.ndarray, spare: int, sizes: Sequence[int]) -> None:
        self._loads: list[tuple[np.ndarray, dict[int, cp_model.IntVar]]] = []
        for number in np.unique(places[places > 0]).tolist():
            slots = np.flatnonzero(places == number)
            loads = {s: model.new_int_var(0, len(slots), "") for s in sizes if number - spare <= s <= number}
            used = Sum(list(loads.values()))
            model.add_linear_constraint(used, 0 if number <= spare else len(slots), len(slots))
            self._loads.append((slots, loads))

    def count(self, size: int) -> cp_model.LinearExprT:
        return Sum([loads[size] for _, loads in self._loads if size in loads])

    def hint(self, model: cp_model.CpModel, parts: Parts) -> None:
        load = dict(parts)
        for slots, loads in self._loads:
            of = [load.get(slot, 0) for slot in slots.tolist()]
            for size, number in loads.items():
                model.add_hint(number, of.count(size))

    def parts(self, solver: Solver) -> Parts:
        placed: Parts = []
        for slots, loads in self._loads:
            free = iter(slots.tolist())
            for size, number in loads.items():
                placed.extend((next(free), size) for _ in range(solver.value(number)))
        return placed


def n_variables(programme: Programme, fixed: np.ndarray) -> int:
    """About how many variables the model has, without making it."""
    sizes = np.array([*(np.flatnonzero(fixed) + 1), *range(len(fixed) + 1, longest_cell(programme) + 1)])
    number = 0
    for slots in programme.zones():
        groups = np.flatnonzero(programme.allowed[:, slots[0]])
        reach = np.bincount(programme.values[groups], programme.people[groups])
        fitting = np.searchsorted(sizes, np.minimum(reach, programme.places[slots].max()), side="right")
        number += len(groups) + int(fitting.sum())
        if len(slots) > 1:
            number += len(slots) * int((sizes <= programme.places[slots].max()).sum())
    return number


def longest_cell(programme: Programme) -> int:
    """The most people that one cell can have."""
    of_value = np.bincount(programme.values, programme.people)
    return int(min(of_value.max(initial=0), programme.places.max(initial=0)))
