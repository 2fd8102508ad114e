"""Schedules under rules from the paper's words: slow and obvious, one slot and one person group after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from anonlib.analyses.schedules.rules import OriginMix
from tests.reference.schedules import Matrix, Vector, all_schedules, vector_of

HOME = "H"


@dataclass(frozen=True)
class Mix:
    """E2, with the share as a fraction."""

    origins: tuple[str, ...]
    share: Fraction
    least: int
    of: str
    none_allowed: bool

    def rule(self) -> OriginMix:
        return OriginMix(self.origins, HOME, float(self.share), self.least, self.of, self.none_allowed)  # type: ignore[arg-type]

    def kept(self, matrix: Matrix, places: Sequence[int]) -> bool:
        return all(self.kept_in([row[j] for row in matrix], places[j]) for j in range(len(places)))

    def kept_in(self, people: Sequence[int], places: int) -> bool:
        """``people`` of each group in one slot."""
        others = [(origin, n) for origin, n in zip(self.origins, people, strict=True) if n and origin != HOME]
        n_others, load = sum(n for _, n in others), sum(people)
        if n_others > self.share * (load if self.of == "load" else places):
            return False
        if n_others or (load and not self.none_allowed):
            return len({origin for origin, _ in others}) >= max(1, self.least)
        return True


@dataclass(frozen=True)
class Case:
    """A small programme with rules."""

    people: tuple[int, ...]
    places: tuple[int, ...]
    values: tuple[int, ...]
    allowed: tuple[tuple[bool, ...], ...]
    mix: Mix | None

    def arrays(self) -> tuple:
        """What ``solve_ruled`` takes."""
        return (
            np.array(self.people), np.array(self.places), np.array(self.values),
            np.array(self.allowed).reshape(len(self.people), len(self.places)),
            self.mix.rule() if self.mix else None,
        )  # fmt: skip

    def schedules(self) -> list[Matrix]:
        """All that keep the rules."""
        found = all_schedules(self.people, self.places, self.allowed)
        return [matrix for matrix in found if self.mix is None or self.mix.kept(matrix, self.places)]

    def best(self) -> Vector | None:
        return _best(self)

    def keeps(self, matrix: Matrix) -> bool:
        """Whether it is a schedule of the programme, and keeps the rules."""
        seated = [sum(row) for row in matrix] == list(self.people)
        fits = all(sum(row[j] for row in matrix) <= places for j, places in enumerate(self.places))
        may = all(n == 0 or self.allowed[i][j] for i, row in enumerate(matrix) for j, n in enumerate(row))
        return seated and fits and may and (self.mix is None or self.mix.kept(matrix, self.places))


@cache
def _best(case: Case) -> Vector | None:
    """Looked for once: several tests are of the same cases."""
    return min((vector_of(matrix, case.values) for matrix in case.schedules()), default=None)


def random_case(seed: int, *, mixed: bool) -> Case:
    """About half of them can be scheduled: they are made from a schedule, and then from rules that it may break."""
    rng = np.random.default_rng(seed)
    n_groups, n_slots = int(rng.integers(2, 6)), int(rng.integers(2, 5))
    allowed = rng.random((n_groups, n_slots)) < (0.7 if not mixed or rng.random() < 0.5 else 1)
    matrix = (
        rng.integers(0, 4, (n_groups, n_slots))
        * (rng.random((n_groups, n_slots)) < 0.6)
        * (allowed if rng.random() < 0.8 else 1)
    )
    people = np.maximum(1, matrix.sum(axis=1))
    spare = rng.integers(0, 3, n_slots) * (rng.random(n_slots) < 0.7)
    places = matrix.sum(axis=0) + spare
    _, values = np.unique(rng.integers(0, n_groups, n_groups), return_inverse=True)
    mix = None
    if mixed:
        origins = rng.choice(list("HHABC"), n_groups)
        origins[rng.integers(n_groups)] = HOME
        share = [Fraction(3, 20), Fraction(1, 4), Fraction(2, 5), Fraction(1, 2), Fraction(3, 4), Fraction(1)]
        mix = Mix(
            tuple(origins.tolist()), share[rng.integers(len(share))], int(rng.choice([0, 1, 1, 2, 3])),
            ["load", "capacity"][rng.integers(2)], bool(rng.random() < 0.8),
        )  # fmt: skip
    return Case(
        tuple(people.tolist()), tuple(places.tolist()), tuple(values.tolist()), tuple(map(tuple, allowed.tolist())), mix
    )


def cases(seeds: range, *, mixed: bool, most_people: int = 12) -> list[Case]:
    """Those small enough to look at all schedules."""
    return [case for seed in seeds if sum((case := random_case(seed, mixed=mixed)).people) <= most_people]
