"""What a release keeps: rows, cells, entropy, distributions, associations and fine classes, in one value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.analyses.utility.alongside import Alongside
from anonlib.analyses.utility.associations import Association, association
from anonlib.analyses.utility.columns import ColumnUtility, column_utility
from anonlib.analyses.utility.in_words import (
    FigureInWords,
    of_association,
    of_cells,
    of_classes,
    of_distance,
    of_entropy,
    of_records,
)
from anonlib.analyses.utility.sizes import ClassSizes, class_sizes
from anonlib.basics import checks
from anonlib.basics.progress import Progress, nobody, share_of
from anonlib.dataset import Dataset

_COLUMNS = (
    "column", "values_before", "values_after", "bits_before", "bits_after", "entropy_kept", "cells_kept",
    "distance",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Utility:
    """What a release keeps of an original. Identifiers, person ids and weights are not looked at.

    Attributes
    ----------
    records_before, records_after : int
        Rows of the files.
    columns : tuple[ColumnUtility, ...]
        One item a column of the original, in its order.
    association : Association
        How strongly each two columns go together, before and after.
    classes : ClassSizes or None
        How fine the classes of quasi-identifiers are; None where no column is one.
    """

    records_before: int
    records_after: int
    columns: tuple[ColumnUtility, ...]
    association: Association
    classes: ClassSizes | None

    @property
    def rows_kept(self) -> float:
        """Rows of the release / rows of the original, in [0, 1]."""
        return self.records_after / self.records_before

    @property
    def n_cells(self) -> int:
        """Cells of the original: its rows times its columns."""
        return self.records_before * len(self.columns)

    @property
    def cells_kept(self) -> float:
        """Cells released with the original's value / cells of the original, in [0, 1]; 1 without columns."""
        n_kept = sum(column.cells_kept for column in self.columns)
        return n_kept / self.n_cells if self.n_cells else 1.0

    @property
    def entropy_kept(self) -> float:
        """Mean over the columns of entropy after / before, in [0, 1]; 1 without columns."""
        return float(np.mean([column.entropy_kept for column in self.columns])) if self.columns else 1.0

    @property
    def farthest(self) -> ColumnUtility | None:
        """The released column whose distribution moved most, the first of several; None where none tells anything."""
        telling = [column for column in self.columns if column.distance is not None and not column.is_blank]
        return max(telling, key=lambda column: column.distance or 0.0, default=None)

    @property
    def figures(self) -> tuple[FigureInWords, ...]:
        """The numbers that matter, the first most, each with what it means for an analyst. Plain text."""
        gone = tuple(column.column for column in self.columns if column.distance is None)
        blank = tuple(column.column for column in self.columns if column.is_blank)
        all_figures = [
            of_records(self.records_before, self.records_after),
            of_cells(self.cells_kept, gone),
            of_entropy(self.entropy_kept),
            of_distance(self.farthest, self.records_before == self.records_after, blank),
            of_association(self.association),
        ]
        return tuple(all_figures if self.classes is None else [*all_figures, of_classes(self.classes)])

    @property
    def sentences(self) -> tuple[str, ...]:
        """What each figure means for an analyst. Plain text; names of columns, and no cell."""
        return tuple(figure.sentence for figure in self.figures)

    def to_frame(self) -> pd.DataFrame:
        """One row a column: distinct values and entropy in bits before and after, and what is kept.

        ``entropy_kept`` and ``cells_kept`` are shares, ``distance`` the total variation distance, all in [0, 1];
        ``distance`` is missing for a column that is gone.
        """
        rows = [
            (
                column.column, column.values_before, column.values_after, column.entropy_before, column.entropy_after,
                column.entropy_kept, column.cells_kept / self.records_before, column.distance,
            )
            for column in self.columns
        ]  # fmt: skip
        return pd.DataFrame(rows, columns=list(_COLUMNS)).astype({"distance": float})


def measure(
    original: Dataset,
    released: Dataset,
    *,
    k: int = 5,
    seed: int = 0,
    bits: Mapping[str, float] | None = None,
    progress: Progress | None = None,
) -> Utility:
    """What a release keeps of an original.

    Parameters
    ----------
    original : Dataset
        The data set, with its records in memory or in a database.
    released : Dataset
        What steps made of it: cells recoded, columns dropped, records left out.
    k : int, default 5
        The class size that was asked for, 1 or more; it divides the average class size.
    seed : int, default 0
        Of the sample in which associations are measured above 200,000 records, 0 or more.
    bits : Mapping[str, float], optional
        By column of which labels of several levels stand side by side in the release, the bits that they tell
        (:func:`anonlib.release.covering.bits_of_columns`); the others are counted by equal labels.
    progress : Progress, optional
        Called with the share done, 0 to 1; may raise to stop.

    Returns
    -------
    Utility

    Raises
    ------
    InputError
        When either has no record, or ``released`` was not made of ``original``.
    """
    k, seed = checks.whole(k, "k", 1), checks.whole(seed, "The seed", 0)
    both = Alongside.of(original, released)
    progress = progress or nobody
    columns = []
    for done, name in enumerate(both.columns):
        columns.append(column_utility(name, both, (bits or {}).get(name)))
        progress(0.4 * (done + 1) / len(both.columns))
    together = association(both, seed=seed, progress=share_of(progress, 0.4, 0.9))
    classes = class_sizes(both, k)
    progress(1.0)
    return Utility(original.n_records, released.n_records, tuple(columns), together, classes)
