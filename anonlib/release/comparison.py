"""Original and release side by side: risk, and what the protection cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.classes import ClassTable
from anonlib.dataset import Dataset
from anonlib.release.recipe import Applied, Recipe
from anonlib.risk import Assessment, assess

_COLUMN_FRAME = ("column", "values_before", "values_after", "bits_before", "bits_after", "information_kept")


@dataclass(frozen=True)
class ColumnLoss:
    """What became of one column.

    Attributes
    ----------
    column : str
        Its name.
    values_before, values_after : int
        Distinct values; 0 after when the column is gone.
    entropy_before, entropy_after : float
        Entropy of its values over the records, in bits, missing as a value.
    """

    column: str
    values_before: int
    values_after: int
    entropy_before: float
    entropy_after: float

    @property
    def information_kept(self) -> float:
        """Entropy after / before, at most 1; 1 for a column that never said anything and is still there."""
        if self.values_after == 0:
            return 0.0
        return min(1.0, self.entropy_after / self.entropy_before) if self.entropy_before > 0 else 1.0


@dataclass(frozen=True)
class Comparison:
    """The original's and the release's risk, and what was lost on the way.

    Attributes
    ----------
    before, after : Assessment
        Risk of the original and of the release. They count persons or weights where the data set does.
    records_before, records_after : int
        Rows of the files.
    columns : tuple of ColumnLoss
        One item a column of the original that is no identifier.
    counted_by : tuple of str
        Those of them that say how much a record counts: the person id and the weight.
    """

    before: Assessment
    after: Assessment
    records_before: int
    records_after: int
    columns: tuple[ColumnLoss, ...]
    counted_by: tuple[str, ...] = ()

    @property
    def share_kept(self) -> float:
        """Rows of the release / rows of the original, in [0, 1]."""
        return self.records_after / self.records_before if self.records_before else 0.0

    @property
    def information_kept(self) -> float:
        """Mean of entropy after / before, in [0, 1], over the columns that say something of a person."""
        kept = [loss.information_kept for loss in self.columns if loss.column not in self.counted_by]
        return float(np.mean(kept)) if kept else 1.0

    def column_frame(self) -> pd.DataFrame:
        """One row a column: values and entropy in bits before and after, and the share of information kept."""
        rows = [
            {
                "column": loss.column,
                "values_before": loss.values_before,
                "values_after": loss.values_after,
                "bits_before": loss.entropy_before,
                "bits_after": loss.entropy_after,
                "information_kept": loss.information_kept,
            }
            for loss in self.columns
        ]
        return pd.DataFrame(rows, columns=list(_COLUMN_FRAME))


def compare(
    applied: Applied, recipe: Recipe, *, k: int = 5, threshold: float | None = None, population: Dataset | None = None
) -> Comparison:
    """Assess the original and the release alike.

    Parameters
    ----------
    applied : Applied
        What the recipe made of the original.
    recipe : Recipe
        The recipe, which the population table is recoded with for the release.
    k : int
        Wanted size of the smallest class, 1 or more.
    threshold : float, optional
        Risks above it are too high, in [0, 1]; 1 / k when left out.
    population : Dataset, optional
        The population table.

    Returns
    -------
    Comparison
        Risk and losses.
    """
    original, released = applied.original, applied.released
    before, after = original.quasi_identifiers, released.quasi_identifiers
    matched = None if population is None else recipe.apply_to_population(population)
    return Comparison(
        assess(original.classes(), k=k, threshold=threshold, population=_people(population, before)),
        assess(released.classes(after), k=k, threshold=threshold, population=_people(matched, after)),
        original.n_records,
        released.n_records,
        tuple(_loss(column, original, released) for column in original.columns if column not in original.identifiers),
        tuple(name for name in (original.person_id, original.weight) if name is not None),
    )


def _people(population: Dataset | None, attributes: list[str]) -> ClassTable | None:
    """The population's class table over the quasi-identifiers that it has."""
    if population is None:
        return None
    return population.classes([name for name in attributes if name in population.columns])


def _loss(column: str, original: Dataset, released: Dataset) -> ColumnLoss:
    before = _value_counts(original, column)
    after = _value_counts(released, column) if column in released.columns else np.zeros(0, dtype=np.int64)
    return ColumnLoss(column, len(before), len(after), _entropy(before), _entropy(after))


def _value_counts(dataset: Dataset, column: str) -> np.ndarray:
    codes = dataset.records[column].cat.codes.to_numpy()
    counts = np.bincount(codes + 1)
    return counts[counts > 0]


def _entropy(counts: np.ndarray) -> float:
    """Entropy in bits; 0, and not minus 0, where there is one value."""
    shares = counts / max(1, counts.sum())
    return max(0.0, float(-(shares * np.log2(shares)).sum()))
