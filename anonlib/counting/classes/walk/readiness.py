"""A small walk, after which all of its loops are compiled."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from anonlib.counting.classes.subsets import Subsets
from anonlib.counting.classes.table import ClassTable
from anonlib.counting.classes.walk.least import Walk


def get_ready() -> None:
    """Walk over a few made-up records: some seconds where no machine code is kept, a tenth of one where it is."""
    codes = np.stack(np.meshgrid(np.arange(5), np.arange(4), np.arange(3), indexing="ij"), axis=-1).reshape(-1, 3)
    categories = tuple(np.array([str(value) for value in range(n)], dtype=object) for n in (5, 4, 3))
    few = ClassTable(("a", "b", "c"), categories, codes.astype(np.int32), np.ones(len(codes), np.int64))
    many = replace(few, counts=few.counts * 2**31)  # whose counts are kept as larger numbers
    for classes in (few, many):
        for _ in Subsets(classes).walk():
            pass
        Walk.of(classes, (0, 1, 2), 1, 2).least(np.arange(classes.n_classes), share=True)
