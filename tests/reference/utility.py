"""What a release keeps, the long way: record by record, from the definitions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import log2

import pandas as pd

from anonlib.dataset import Dataset

BLANK = (None, "*")
Cells = list[str | None]


def released_of(original: Dataset, kept: list[bool], labels: dict[str, Cells]) -> Dataset:
    """A release that has the records kept, with these labels in some columns."""
    after = original.with_records(pd.Series(kept).to_numpy(dtype=bool), " some")
    columns = {name: pd.Categorical(pd.Series(cells, dtype=object)) for name, cells in labels.items()}
    frame = after.records.assign(**columns)
    return after.with_frame(frame, " recoded")


def distance(before: Cells, rows: list[int], after: Cells) -> Fraction:
    """Total variation distance between what the original's values stand for and the release's labels."""
    became: dict = {}
    for row, label in zip(rows, after, strict=True):
        became.setdefault(before[row], Counter())[label] += 1
    expected: Counter = Counter()
    for value, n in Counter(before).items():
        labels = became.get(value)
        if labels is None:  # none of it is released
            expected[value if value in after else ("gone", value)] += Fraction(n, len(before))
            continue
        telling = {label: count for label, count in labels.items() if label not in BLANK} or labels
        for label, count in telling.items():
            expected[label] += Fraction(n * count, sum(telling.values()) * len(before))
    given = Counter(after)
    both = set(expected) | set(given)
    return sum((abs(expected[label] - Fraction(given[label], len(after))) for label in both), Fraction(0)) / 2


def entropy_lost(columns: list[tuple[Cells, Cells | None]], rows: list[int]) -> float:
    """Non-uniform entropy of cells, as a share of that of leaving out everyone."""
    lost = most = 0.0
    for before, after in columns:
        n, values = len(before), Counter(before)
        for i, value in enumerate(before):
            everything = log2(n / values[value])
            most += everything
            if after is None or i not in rows:
                lost += everything
                continue
            label = after[rows.index(i)]
            same = [before[row] for row, other in zip(rows, after, strict=True) if other == label]
            lost += log2(len(same) / same.count(value))
    return lost / most if most > 1e-12 else 0.0


def cramers_v(one: Cells, other: Cells) -> float:
    """Bergsma's corrected V, cell by cell."""
    n, rows, columns = len(one), Counter(one), Counter(other)
    r, c = len(rows), len(columns)
    if min(r, c) < 2:
        return 0.0
    cells = Counter(zip(one, other, strict=True))
    chi2 = sum(
        (cells[a, b] - rows[a] * columns[b] / n) ** 2 / (rows[a] * columns[b] / n) for a in rows for b in columns
    )
    phi2 = max(0.0, chi2 / n - (r - 1) * (c - 1) / (n - 1))
    room = min(r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1)) - 1
    return min(1.0, (phi2 / room) ** 0.5) if room > 1e-12 else 0.0
