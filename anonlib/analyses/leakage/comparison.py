"""What each set of attributes gives away before and after: original and release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from anonlib.analyses.leakage.loss import LeakageTable

Fate = Literal["", "utility gone", "dropped", "partly dropped"]


@dataclass(frozen=True, eq=False)
class LeakageComparison:
    """What became of each set of attributes from one table to another (the paper's Table 8). One item a set.

    Attributes
    ----------
    sets : tuple[tuple[str, ...], ...]
        The sets of the table before.
    normalized_before, normalized_after : np.ndarray
        Average loss / S_0, in [0, 1], each by its own table's S_0.
    loss_before, loss_after : np.ndarray
        The same in bits.
    worst_before, worst_after : np.ndarray
        The worst person's normalized loss, in [0, 1].
    smallest_before, smallest_after, below_before, below_after : np.ndarray
        Records in the smallest group, and in small groups.
    fates : tuple[Fate, ...]
        "utility gone" where a loss became 0, "dropped" where no attribute is left, "partly dropped" where some are:
        what is after is then of those that are left, which is all that someone who knows the set can use.
    """

    sets: tuple[tuple[str, ...], ...]
    normalized_before: np.ndarray
    normalized_after: np.ndarray
    loss_before: np.ndarray
    loss_after: np.ndarray
    worst_before: np.ndarray
    worst_after: np.ndarray
    smallest_before: np.ndarray
    smallest_after: np.ndarray
    below_before: np.ndarray
    below_after: np.ndarray
    fates: tuple[Fate, ...]

    def to_frame(self) -> pd.DataFrame:
        """One row a set: ``variables`` (a tuple), every measure before and after, and its ``fate``."""
        arrays = {name: value for name, value in vars(self).items() if isinstance(value, np.ndarray)}
        return pd.DataFrame({"variables": list(self.sets), **arrays, "fate": list(self.fates)})


def compare_leakage(before: LeakageTable, after: LeakageTable) -> LeakageComparison:
    """Each set of columns in the original against what is left of it in the release.

    Parameters
    ----------
    before, after : LeakageTable
        The leakage of original and release.

    Returns
    -------
    LeakageComparison

    Raises
    ------
    InputError
        If ``after`` lacks a set of which all columns are left: measure both up to the same size.
    """
    left = [tuple(name for name in names if name in after.attributes) for names in before.sets]
    place = [after.place(names) if names else -1 for names in left]
    n = after.n_records
    nothing = {"normalized": 0.0, "loss": 0.0, "worst_normalized": 0.0, "smallest": n, "below_k": n * (n < after.k)}

    def then(name: str) -> np.ndarray:
        values = getattr(after, name)
        return np.append(values, np.array([nothing[name]], dtype=values.dtype))[place]

    loss_after = then("loss")
    return LeakageComparison(
        before.sets,
        before.normalized,
        then("normalized"),
        before.loss,
        loss_after,
        before.worst_normalized,
        then("worst_normalized"),
        before.smallest,
        then("smallest"),
        before.below_k,
        then("below_k"),
        tuple(map(_fate, before.sets, left, before.loss.tolist(), loss_after.tolist())),
    )


def _fate(names: tuple[str, ...], left: tuple[str, ...], before: float, after: float) -> Fate:
    if not left:
        return "dropped"
    if before > 0 and after == 0:
        return "utility gone"
    return "partly dropped" if len(left) < len(names) else ""
