"""Spaces of policies of drawn records, for searches and bounds to be tried on."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from anonlib.analyses.frontier.measures import LOSSES, RISKS
from anonlib.analyses.frontier.space import PolicySpace
from anonlib.counting.classes import ClassTable
from anonlib.values.cells import text_categorical
from tests.reference.frontier import Case, table

ADDITIVE = [(r.key, u.key) for r, u in product(RISKS.values(), LOSSES.values()) if r.additive and u.additive]


def space_of_values(values: list[str | None], **more: object) -> PolicySpace:
    """One column of records."""
    return PolicySpace(table([(value,) for value in values], ("a",)), **more)  # type: ignore[arg-type]


def one_column(counts: list[int], people: list[int] | None = None) -> Case:
    """Values 0, 1, 2, ... with so many records, and so many people, each."""

    def rows(numbers: list[int]) -> list[tuple[str | None, ...]]:
        return [(str(value),) for value, number in enumerate(numbers) for _ in range(number)]

    return Case(rows(counts), None if people is None else rows(people), observed_only=people is None)


def class_table(codes: np.ndarray, weights: np.ndarray) -> ClassTable:
    """A code is a number; 0 is a missing value. A record counts its weight."""
    names = [f"a{j}" for j in range(codes.shape[1])]
    texts = [text_categorical([None if v == 0 else str(v) for v in column]) for column in codes.T]
    frame = pd.DataFrame(dict(zip(names, texts, strict=True))).assign(weight=weights)
    return ClassTable.from_frame(frame, names, weights="weight")


def space_of_codes(
    rng: np.random.Generator, codes: np.ndarray, sizes: tuple[int, ...], people: int, most: int, observed_only: bool
) -> PolicySpace:
    """Records at even codes, each 1 to ``most`` persons; ``people`` others are also at the values between."""
    weights = rng.integers(1, most + 1, len(codes))
    if not people:
        return PolicySpace(class_table(codes, weights))
    others = rng.integers(1, 2 * np.array(sizes) + 2, size=(people, len(sizes)))
    population = class_table(np.vstack([codes, others]), np.append(weights, rng.integers(1, 9, people)))
    return PolicySpace(class_table(codes, weights), population, observed_only=observed_only)
