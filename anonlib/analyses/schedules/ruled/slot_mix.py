"""The mix of origins in one slot, in the solver's terms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from ortools.sat.python import cp_model

from anonlib.analyses.schedules.ruled.programme import Programme

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
