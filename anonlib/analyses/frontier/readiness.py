"""A small search of each kind, after which all of their loops are compiled."""

from __future__ import annotations

import numpy as np

from anonlib.analyses.frontier.bound import lower_bounds
from anonlib.analyses.frontier.evaluation import Plane
from anonlib.analyses.frontier.interval_programs import interval_programs
from anonlib.analyses.frontier.random_chains import random_chains
from anonlib.analyses.frontier.space import PolicySpace
from anonlib.counting.classes import ClassTable


def get_ready() -> None:
    """Search a few made-up records: some seconds where no machine code is kept, half of one where it is."""
    codes = np.stack(np.meshgrid(np.arange(8), np.arange(6), np.arange(3), indexing="ij"), axis=-1).reshape(-1, 3)
    categories = tuple(np.array([f"{value:02d}" for value in range(n)], dtype=object) for n in (8, 6, 3))
    classes = ClassTable(("a", "b", "c"), categories, codes.astype(np.int32), 1 + codes.sum(axis=1) % 5)
    plane = Plane(PolicySpace(classes))
    for _ in random_chains(plane, budget=20):
        pass
    *_, found = interval_programs(plane, seconds=0.1)
    next(lower_bounds(found))
