"""A small walk, after which its loops are compiled."""

from __future__ import annotations

import numpy as np

from anonlib.counting.guarantees.coded import CodedRows
from anonlib.counting.guarantees.coded_persons import CodedPersons
from anonlib.counting.guarantees.kinds import Shared, Uncertain
from anonlib.counting.guarantees.knowing import ONE
from anonlib.counting.guarantees.walk import walk

_MANY = 70  # values that do not have a bit each


def get_ready() -> None:
    """Walk over a few made-up persons: some seconds where no machine code is kept, a tenth of one where it is."""
    twice = np.repeat(np.arange(_MANY), 2)
    codes = {"a": twice % 2, "b": twice, "c": twice}
    labels = {name: np.array([str(code) for code in range(_MANY)], dtype=object) for name in codes}
    rows = CodedRows(codes, labels, np.ones(2 * _MANY, dtype=np.int64))
    start = np.arange(0, 2 * _MANY + 1, 2, dtype=np.int64)
    persons = CodedPersons(rows, np.ones(_MANY, np.int64), start, np.arange(2 * _MANY), np.ones(2 * _MANY, np.intp))
    for coded in (rows, persons):
        few = Shared(columns=("a", "b"), least=3, known=1, rows=ONE)
        sure = [Uncertain(columns=("a", "b"), sensitive="c", known=1, rows=ONE, harmless=each) for each in ((), ("1",))]
        walk(coded, [few, *sure])
