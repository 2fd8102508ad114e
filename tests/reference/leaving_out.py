"""The rules by which steps of version 0.1.0 left records out, as plainly as they can be said."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

Person = Mapping[str, Hashable]
"""By column the value of somebody, None where it is missing; the set of several."""


def below_k(persons: Sequence[Person], weights: Sequence[int], known: Sequence[str], k: int) -> set[int]:
    """Who stays where those in classes of the known columns smaller than k go ("suppress")."""
    sizes = Counter[tuple]()
    for person, weight in zip(persons, weights, strict=True):
        sizes[tuple(person[name] for name in known)] += weight
    return {i for i, person in enumerate(persons) if sizes[tuple(person[name] for name in known)] >= k}


def until_none_violates(
    persons: Sequence[Person], weights: Sequence[int], requirements: Sequence[Mapping[str, Any]], rules: Sequence[Any]
) -> set[int]:
    """Who stays where every group that violates goes, again and again until there is none ("suppress_violating").

    ``requirements`` and ``rules`` as a file of version 0.1.0 has them.
    """
    stay = {i for i, weight in enumerate(weights) if weight}
    while True:
        going = set[int]()
        for requirement in requirements:
            groups: dict[tuple, list[int]] = {}
            for i in sorted(stay):
                groups.setdefault(tuple(persons[i][name] for name in requirement["attributes"]), []).append(i)
            for group in groups.values():
                size = sum(weights[i] for i in group)
                if size < requirement["k"] or any(_lacks(persons, weights, group, stay, rule) for rule in rules):
                    going |= set(group)
        if not going:
            return stay
        stay -= going


def _lacks(
    persons: Sequence[Person], weights: Sequence[int], group: Sequence[int], stay: set[int], rule: Mapping[str, Any]
) -> bool:
    """Whether a group does not meet a rule, among those who stay."""
    asked = rule["rule"]
    shares = _shares(persons, weights, group, asked["attribute"])
    if rule["kind"] == "l-diversity":
        if asked["kind"] == "distinct":
            return len(shares) < asked["l"]
        return -sum(share * math.log(share) for share in shares.values()) < math.log(asked["l"]) - 1e-9
    of_all = _shares(persons, weights, sorted(stay), asked["attribute"])
    if asked["distance"] == "equal":
        return sum(abs(shares.get(value, 0) - of_all[value]) for value in of_all) / 2 > asked["t"] + 1e-9
    values = sorted(of_all, key=lambda value: (value is None, float(str(value or 0))))
    moved = [sum(shares.get(value, 0) - of_all[value] for value in values[: i + 1]) for i in range(len(values))]
    return sum(map(abs, moved)) / max(1, len(values) - 1) > asked["t"] + 1e-9


def _shares(persons: Sequence[Person], weights: Sequence[int], of: Sequence[int], name: str) -> dict[Hashable, float]:
    counts = Counter[Hashable]()
    for i in of:
        counts[persons[i][name]] += weights[i]
    return {value: count / sum(counts.values()) for value, count in counts.items()}
