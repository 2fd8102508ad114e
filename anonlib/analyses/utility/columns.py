"""What became of each column: cells kept, entropy kept, and how far its distribution moved."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from anonlib.analyses.utility.alongside import Alongside, Recoded
from anonlib.dataset import Dataset

_CAME_LATER = {"came later": True}  # saved evidence of an old version lacks it


@dataclass(frozen=True)
class ColumnLoss:
    """What a column tells, before and after.

    Attributes
    ----------
    column : str
        Its name.
    values_before, values_after : int
        Distinct values, missing not counted; 0 after when the column is gone.
    entropy_before, entropy_after : float
        Entropy of its values over the records, in bits, missing as a value (Shannon 1948). Of a release in which labels
        of several levels stand side by side, what they tell of who a record is, by what they cover.
    """

    column: str
    values_before: int
    values_after: int
    entropy_before: float
    entropy_after: float

    @property
    def entropy_kept(self) -> float:
        """Entropy after / before, at most 1; 1 for a column that never had a value, or never differed and still has."""
        if self.values_after == 0:
            return 0.0 if self.values_before else 1.0
        return min(1.0, self.entropy_after / self.entropy_before) if self.entropy_before > 0 else 1.0


@dataclass(frozen=True)
class ColumnUtility(ColumnLoss):
    """What a column tells, before and after, and how true that still is.

    Attributes
    ----------
    cells_kept : int
        Records whose cell is released as it was, a missing one too.
    distance : float or None
        Total variation distance, in [0, 1], between the original's distribution over the release's labels and the
        release's; None for a column that is gone. See :func:`distance`.
    is_blank : bool
        Whether nothing can be read off it in the release: every cell is missing or nothing but ``*``, and not all were
        missing before.
    """

    cells_kept: int
    distance: float | None
    is_blank: bool = field(default=False, metadata=_CAME_LATER)


def column_loss(column: str, original: Dataset, released: Dataset, bits: float | None = None) -> ColumnLoss:
    """Values and entropy of a column of the original, before and after.

    Parameters
    ----------
    column : str
        Its name; it may be gone from the release.
    original, released : Dataset
        Both.
    bits : float, optional
        Bits that the column tells in the release, where its labels are of several levels; by equal labels when left
        out.

    Returns
    -------
    ColumnLoss
    """
    before = original.held.sizes_of(column)
    if column not in released.columns:
        return ColumnLoss(column, before.n_values, 0, before.entropy, 0.0)
    after = released.held.sizes_of(column)
    return ColumnLoss(column, before.n_values, after.n_values, before.entropy, after.entropy if bits is None else bits)


def column_utility(column: str, both: Alongside, bits: float | None = None) -> ColumnUtility:
    """All measures of a column of the original.

    Parameters
    ----------
    column : str
        Its name; it may be gone from the release.
    both : Alongside
        Original and release.
    bits : float, optional
        As for :func:`column_loss`.
    """
    loss = column_loss(column, both.original, both.released, bits)
    recoded = both.column(column) if column in both.leaving else None
    cells_kept, moved = (0, None) if recoded is None else (recoded.cells_kept, distance(recoded))
    blank = recoded is not None and loss.values_before > 0 and _is_blank(recoded)
    return ColumnUtility(
        loss.column,
        loss.values_before,
        loss.values_after,
        loss.entropy_before,
        loss.entropy_after,
        cells_kept,
        moved,
        blank,
    )


def _is_blank(column: Recoded) -> bool:
    """Whether every cell of the release is missing, or holds nothing but ``*``, as of a postcode without its digits."""
    says_nothing = np.array([not label.strip("*") for label in column.labels.tolist()] + [True])
    return bool(says_nothing[column.label].all())


def distance(column: Recoded) -> float:
    """How far a column's distribution moved, beyond being coarser.

    Half the sum over labels of |share in the original - share in the release|: the least share of the records that
    would need another label for both to be alike. An original value counts for the labels that the release gave it,
    in the shares it gave them, so a coarser label alone moves nothing, and leaving out records does. A cell that the
    release leaves blank (missing or ``*``), while it tells others of the same value, counts as left out.

    Parameters
    ----------
    column : Recoded
        The column before and after.

    Returns
    -------
    float
        Total variation distance, 0 (alike) to 1 (no label in common).
    """
    value, label, counts = column.value, column.label, column.counts
    telling = np.where(column.telling, counts, 0)
    of_value = np.bincount(value, weights=telling, minlength=len(column.values) + 1)
    records = column.records
    expected = np.zeros(len(column.labels) + 1)
    np.add.at(expected, label, records[value] * telling / np.maximum(1, of_value[value]))
    unseen = np.flatnonzero((of_value == 0) & (records > 0))
    held = column.label_of[unseen]
    np.add.at(expected, held[held >= 0], records[unseen[held >= 0]])
    elsewhere = float(records[unseen[held < 0]].sum())
    given = np.bincount(label, weights=counts, minlength=len(expected))
    n, n_released = int(records.sum()), column.n_released
    moved = np.abs(expected / n - given / n_released).sum() + elsewhere / n
    # What floats leave of equal shares is no distance.
    return 0.0 if moved < 1e-12 else min(1.0, float(moved) / 2)
