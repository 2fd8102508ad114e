"""Information loss and leakage by counting rows, slowly and as the definitions say."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

import pandas as pd

from anonlib.counting.classes import ClassTable


def groups_of(rows: Sequence[tuple], known: Sequence[int]) -> dict[tuple, list[int]]:
    """Positions of the records by what is known of them."""
    groups: dict[tuple, list[int]] = {}
    for i, row in enumerate(rows):
        groups.setdefault(tuple(row[j] for j in known), []).append(i)
    return groups


def entropy(masses: Sequence[float]) -> float:
    return sum(-p * log2(p) for p in masses if p > 0)


def reference(rows: Sequence[tuple], p: Sequence[float], known: Sequence[int], k: int) -> dict[str, float]:
    """Proposition 2 with the minus sign of S_j, over records; and the rest of a row of the table."""
    groups = groups_of(rows, known)
    initial, loss, worst = entropy(p), 0.0, 0.0
    for members in groups.values():
        mass = sum(p[i] for i in members)
        if mass > 0:
            left = entropy([p[i] / mass for i in members])
            loss += mass * (initial - left)
            worst = max(worst, -log2(mass))
    sizes = [len(members) for members in groups.values()]
    highest = max((-log2(one) for one in p if one > 0), default=0.0)
    return {
        "partitions": len(sizes),
        "loss": loss,
        "normalized": loss / initial if initial > 1e-12 else 0.0,
        "worst": worst,
        "worst_normalized": worst / highest if highest > 1e-12 else 0.0,
        "smallest": min(sizes, default=0),
        "below_k": sum(size for size in sizes if size < k),
    }


def class_table(table: tuple[list[str], list[tuple]], **options) -> ClassTable:
    names, rows = table
    return ClassTable.from_frame(pd.DataFrame(rows, columns=names, dtype=object), **options)
