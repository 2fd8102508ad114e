"""Schedules that were made, against what every schedule is, and their vectors as the paper writes them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anonlib.analyses.schedules import Schedule
from anonlib.counting.classes import AnonymityVector, anonymity_vector
from tests.reference.schedules import Vector, vector_of_sizes


def padded(vector: AnonymityVector, n: int = 0) -> Vector:
    """As long as that of n people, or of its own."""
    short = vector_of_sizes(np.repeat(vector.sizes, vector.classes).tolist())
    return short + (0,) * (n - len(short))


def assert_seats_all(schedule: Schedule, f: Sequence[int], c: Sequence[int]) -> None:
    """Everyone has a place, no slot too many, no cell is without people, and the vector is that of the cells."""
    assert schedule.assignment.shape == (len(f), len(c))
    np.testing.assert_array_equal(schedule.assignment.sum(axis=1), f)
    assert (schedule.assignment.sum(axis=0) <= c).all()
    assert (schedule.assignment.data > 0).all()
    assert schedule.vector == anonymity_vector(schedule.assignment.data)
