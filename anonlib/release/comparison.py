"""Original and release side by side: risk, and what the protection cost."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.analyses.risk import Assessment, assess
from anonlib.analyses.utility.columns import ColumnLoss, column_loss
from anonlib.counting.classes import ClassTable
from anonlib.dataset import Dataset
from anonlib.release.applied import Applied
from anonlib.release.covering import bits_of_columns
from anonlib.release.recipe import Recipe


@dataclass(frozen=True)
class Comparison:
    """The original's and the release's risk, and what was lost on the way.

    Attributes
    ----------
    before, after : Assessment
        Risk of the original and of the release. They count persons or weights where the data set does.
    records_before, records_after : int
        Rows of the files.
    counted_before, counted_after : int
        All that are counted, whatever is known of them: persons or summed weights where the data set has these, else
        rows.
    columns : tuple[ColumnLoss, ...]
        One item a column of the original that is no identifier.
    counted_by : tuple[str, ...], default ()
        Those of them that say how much a record counts: the person id and the weight.
    """

    before: Assessment
    after: Assessment
    records_before: int
    records_after: int
    counted_before: int
    counted_after: int
    columns: tuple[ColumnLoss, ...]
    counted_by: tuple[str, ...] = ()

    @property
    def rows_kept(self) -> float:
        """Rows of the release / rows of the original, in [0, 1]."""
        return self.records_after / self.records_before if self.records_before else 0.0

    @property
    def persons_kept(self) -> float | None:
        """Persons of the release / persons of the original, in [0, 1]; None where rows are counted."""
        if not self.counted_by:
            return None
        return self.counted_after / self.counted_before if self.counted_before else 0.0

    @property
    def entropy_kept(self) -> float:
        """Mean of entropy after / before, in [0, 1], over the columns that say something of a person."""
        return entropy_kept(self.columns, self.counted_by)


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
    matched = None if population is None else recipe.apply_to_population(population, original)
    return Comparison(
        assess(original.classes(), k=k, threshold=threshold, population=_people(population, before)),
        assess(released.classes(after), k=k, threshold=threshold, population=_people(matched, after)),
        original.n_records,
        released.n_records,
        original.classes([]).n_records,
        released.classes([]).n_records,
        column_losses(applied, recipe),
        counted_by(original),
    )


def column_losses(applied: Applied, recipe: Recipe) -> tuple[ColumnLoss, ...]:
    """What became of each column of the original that is no identifier."""
    original, released, bits = applied.original, applied.released, bits_of_columns(applied, recipe)
    return tuple(
        column_loss(column, original, released, bits.get(column))
        for column in original.columns
        if column not in original.identifiers
    )


def counted_by(original: Dataset) -> tuple[str, ...]:
    """The columns that say how much a record counts: the person id and the weight."""
    return tuple(name for name in (original.person_id, original.weight) if name is not None)


def entropy_kept(losses: Sequence[ColumnLoss], counted_by: Container[str]) -> float:
    """Mean of entropy after / before, in [0, 1], over the columns that say something of a person."""
    shares_kept = [loss.entropy_kept for loss in losses if loss.column not in counted_by]
    return float(np.mean(shares_kept)) if shares_kept else 1.0


def _people(population: Dataset | None, attributes: list[str]) -> ClassTable | None:
    """The population's class table over the quasi-identifiers that it has."""
    if population is None:
        return None
    return population.classes([name for name in attributes if name in population.columns])
