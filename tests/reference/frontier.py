"""Policies, risk and loss from their definitions: slow and obvious, record by record and person by person.

Xia et al. 2013, section 3 and 4.1. A row is a tuple of whole numbers as text, or None where a value is missing, which
stands last. Nothing here is shared with what it is to check.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, product
from math import fsum, log, prod

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from anonlib.analyses.frontier.space import PolicySpace
from anonlib.counting.classes import ClassTable
from anonlib.values.cells import text_categorical

Row = tuple[str | None, ...]
Interval = tuple[str | None, ...]


def table(rows: list[Row], names: tuple[str, ...]) -> ClassTable:
    columns = {name: text_categorical([row[j] for row in rows]) for j, name in enumerate(names)}
    return ClassTable.from_frame(pd.DataFrame(columns, index=range(len(rows))), names)


def rank(value: str | None) -> float:
    return float("inf") if value is None else int(value)


@dataclass(frozen=True)
class Case:
    """Records, the people they are among (None: only themselves), and which values the domains have."""

    rows: list[Row]
    people: list[Row] | None
    observed_only: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        return tuple("abcd"[: len(self.rows[0])])

    def space(self) -> PolicySpace:
        people = None if self.people is None else table(self.people, self.names)
        return PolicySpace(table(self.rows, self.names), people, observed_only=self.observed_only)

    def domain(self, j: int) -> list[str | None]:
        found = {row[j] for row in self.rows}
        if self.people is not None and not self.observed_only:
            found |= {row[j] for row in self.people}
        return sorted(found, key=rank)

    def domains(self) -> list[list[str | None]]:
        return [self.domain(j) for j in range(len(self.names))]

    def interval(self, policy: np.ndarray, j: int, value: str | None) -> Interval:
        """The values that a value of attribute j is released with."""
        domain = self.domain(j)
        before = sum(len(self.domain(i)) - 1 for i in range(j))
        low = high = domain.index(value)
        while low > 0 and not policy[before + low - 1]:
            low -= 1
        while high < len(domain) - 1 and not policy[before + high]:
            high += 1
        return tuple(domain[low : high + 1])

    def box(self, policy: np.ndarray, row: Row) -> tuple[Interval, ...]:
        return tuple(self.interval(policy, j, value) for j, value in enumerate(row))


def within(value: str | None, interval: Interval) -> bool:
    """The interval says the value: it has it, or it has smaller and greater ones."""
    numbers = [int(v) for v in interval if v is not None]
    return value in interval or (value is not None and bool(numbers) and min(numbers) <= int(value) <= max(numbers))


def risks(case: Case, policy: np.ndarray, k: int) -> dict[str, float]:
    """Each measure of risk, as a sum or a maximum over records."""

    def people(row: Row, policy: np.ndarray) -> int:
        box = case.box(policy, row)
        everybody = case.rows if case.people is None else case.people
        return sum(all(map(within, person, box)) for person in everybody)

    n = len(case.rows)
    sizes = Counter(case.box(policy, row) for row in case.rows)
    size = [sizes[case.box(policy, row)] for row in case.rows]
    as_is = np.ones(len(policy), dtype=bool)
    found = {
        "population": fsum(1 / people(row, policy) for row in case.rows)
        / fsum(1 / people(row, as_is) for row in case.rows),
        "average": fsum(1 / m for m in size) / n,
        "highest": max(1 / m for m in size),
        "below_k": sum(m < k for m in size) / n,
    }
    if case.people is not None:
        found["highest_population"] = max(1 / people(row, policy) for row in case.rows)
    return found


def divergence(case: Case, policy: np.ndarray, *, observed: bool = False) -> float:
    """Equation 4, cell by cell of the product of the domains, in nats; or over the cells with records only."""
    n = len(case.rows)
    original = Counter(case.rows)
    released = Counter(case.box(policy, row) for row in case.rows)
    total = 0.0
    for cell in original if observed else product(*case.domains()):
        box = case.box(policy, cell)
        cells = sum(case.box(policy, other) == box for other in original) if observed else prod(map(len, box))
        q = released[box] / cells / n
        p = original[cell] / n
        total += p * log(p / q) if p else 0.0
    return total


def all_points(case: Case) -> dict[bytes, tuple[float, float]]:
    """Every policy -> its expected re-identifications and its divergence, each as a share and to eleven places.

    Whom a value falls in with is looked up for each way to cut its attribute; else as :func:`risks` and
    :func:`divergence` have it, of which the second is the mean of ln(P / Q) over records.
    """
    everybody, n, names = case.people or case.rows, len(case.rows), range(len(case.names))
    ways = [all_policies(len(domain) - 1) for domain in case.domains()]
    lookups = [[_intervals(domain, way) for way in found] for domain, found in zip(case.domains(), ways, strict=True)]
    original = Counter(case.rows)
    raw: dict[bytes, tuple[float, float]] = {}
    for which in product(*map(range, map(len, ways))):
        lookup = [lookups[j][i] for j, i in enumerate(which)]
        here = [tuple(lookup[j](person[j]) for j in names) for person in everybody]
        boxes = [tuple(lookup[j](row[j]) for j in names) for row in case.rows]
        people, released = Counter(box for box in here if None not in box), Counter(boxes)
        risk = fsum(1 / people[box] for box in boxes)
        loss = fsum(
            log(original[row] * prod(map(len, box)) / released[box]) for row, box in zip(case.rows, boxes, strict=True)
        )
        raw[np.concatenate([ways[j][i] for j, i in enumerate(which)]).tobytes()] = risk, loss / n
    n_bits = sum(len(domain) - 1 for domain in case.domains())
    (_, most), (worst, least) = raw[bytes(n_bits)], raw[b"\1" * n_bits]
    return {key: (round(r / worst, 11), round((u - least) / (most - least), 11)) for key, (r, u) in raw.items()}


def _intervals(domain: list[str | None], way: np.ndarray) -> Callable[[str | None], Interval | None]:
    """value -> the interval that says it, or None."""
    cuts = [0, *(np.flatnonzero(way) + 1).tolist(), len(domain)]
    found = [tuple(domain[a:b]) for a, b in pairwise(cuts)]
    return cache(lambda value: next((interval for interval in found if within(value, interval)), None))


def losses(case: Case, policy: np.ndarray) -> dict[str, float]:
    """Each measure of loss, 0 for the data as they are and 1 for one group; 0 where they are as good."""

    def raw(policy: np.ndarray) -> dict[str, float]:
        n = len(case.rows)
        boxes = [case.box(policy, row) for row in case.rows]
        sizes = Counter(boxes)
        entropy, ncp = 0.0, 0.0
        for j, domain in enumerate(case.domains()):
            values, intervals = Counter(row[j] for row in case.rows), Counter(box[j] for box in boxes)
            for row, box in zip(case.rows, boxes, strict=True):
                entropy -= log(values[row[j]] / intervals[box[j]])
                ncp += (len(box[j]) - 1) / (len(domain) - 1) if len(domain) > 1 else 0.0
        return {
            "kl": divergence(case, policy),
            "kl_observed": divergence(case, policy, observed=True),
            "entropy": entropy,
            "ncp": ncp,
            "discernibility": sum(size**2 for size in sizes.values()),
            "class_size": n / len(sizes),
        }

    now, best, worst = raw(policy), raw(np.ones_like(policy)), raw(np.zeros_like(policy))
    return {
        key: (now[key] - best[key]) / (worst[key] - best[key]) if worst[key] - best[key] > 1e-9 else 0.0 for key in now
    }


@st.composite
def cases(draw: st.DrawFn, n_bits: int = 6, population: bool | None = None) -> Case:
    """Up to ten records of one to three attributes with at most so many bits, some among more people."""
    values = st.sampled_from([*"012345678", "-3", "12", None])
    width = draw(st.integers(1, 3))
    pools = [draw(st.lists(values, min_size=1, max_size=4 if width < 3 else 3, unique=True)) for _ in range(width)]
    rows = draw(st.lists(st.tuples(*map(st.sampled_from, pools)), min_size=1, max_size=10))
    people = None
    if draw(st.booleans()) if population is None else population:
        people = rows + draw(st.lists(st.tuples(*[values] * width), max_size=12))
    case = Case(rows, people, draw(st.booleans()) or people is None)
    if sum(len(domain) - 1 for domain in case.domains()) > n_bits:
        case = Case(rows, people)
    return case


def all_policies(n_bits: int) -> np.ndarray:
    """bool, 2^n_bits x n_bits."""
    return np.array([*product([False, True], repeat=n_bits)], dtype=bool).reshape(2**n_bits, n_bits)
