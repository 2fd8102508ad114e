"""How fine the classes of quasi-identifiers are: discernibility, average class size, non-uniform entropy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anonlib.analyses.utility.alongside import Alongside


@dataclass(frozen=True)
class ClassSizes:
    """The classes of quasi-identifiers, original beside release. Counts are of persons where the file's are.

    Attributes
    ----------
    unit : str
        str "records" or "persons".
    n_before, n_after : int
        How many there are.
    classes_before, classes_after : int
        Combinations of quasi-identifiers that occur.
    discernibility_before, discernibility_after : int
        Sum of the squared class sizes, plus ``n_before`` for each one left out (Bayardo and Agrawal 2005); lower is
        finer.
    k : int
        The class size that was asked for.
    entropy_lost : float
        Non-uniform entropy of the quasi-identifiers' cells as a share of what leaving out everyone loses, in [0, 1]. A
        cell of value v released as label g loses ``-log2 P(v | g)`` bits, P among the records released; a cell that is
        not released ``-log2 P(v)``, P in the original (de Waal and Willenborg 1999; El Emam et al. 2009).
    """

    unit: str
    n_before: int
    n_after: int
    classes_before: int
    classes_after: int
    discernibility_before: int
    discernibility_after: int
    k: int
    entropy_lost: float

    @property
    def average_before(self) -> float:
        """Mean size of the original's classes, 1 or more."""
        return self.n_before / self.classes_before if self.classes_before else 0.0

    @property
    def average_after(self) -> float:
        """Mean size of the release's classes, 1 or more; 0 where none is left."""
        return self.n_after / self.classes_after if self.classes_after else 0.0

    @property
    def normalized_average(self) -> float:
        """C_avg: mean class size of the release / k (LeFevre et al. 2006); 1 is the least that k allows, 0 for none."""
        return self.average_after / self.k


def class_sizes(both: Alongside, k: int) -> ClassSizes | None:
    """The classes of the quasi-identifiers, original beside release.

    Parameters
    ----------
    both : Alongside
        Original and release.
    k : int
        The class size that was asked for, 1 or more.

    Returns
    -------
    ClassSizes or None
        None where no column is a quasi-identifier.
    """
    original, released = both.original, both.released
    if not original.quasi_identifiers:
        return None
    before, after = original.classes(), released.classes(released.quasi_identifiers)
    n, left = before.n_records, after.n_records
    squares = [sum(int(size) ** 2 * times for size, times in _tally(classes.counts)) for classes in (before, after)]
    return ClassSizes(
        original.unit,
        n,
        left,
        before.n_classes,
        after.n_classes,
        squares[0],
        squares[1] + max(0, n - left) * n,
        k,
        _entropy_lost(both),
    )


def _tally(counts: np.ndarray) -> list[tuple[int, int]]:
    """Sizes and how often each occurs, as whole numbers that do not overflow when they are squared."""
    sizes, times = np.unique(counts, return_counts=True)
    return list(zip(sizes.tolist(), times.tolist(), strict=True))


def _entropy_lost(both: Alongside) -> float:
    bits = [bits_lost(both, name) for name in both.original.quasi_identifiers]
    lost, most = (sum(over_columns) for over_columns in zip(*bits, strict=True))
    return min(1.0, lost / most) if most > 0 else 0.0


def bits_lost(both: Alongside, column: str) -> tuple[float, float]:
    """Bits that the cells of a column have lost, and those that they had: non-uniform entropy.

    A cell of value v released as label g loses ``-log2 P(v | g)`` bits, P among the records released; a cell that is
    not released loses all that it had, ``-log2 P(v)``, P in the original (de Waal and Willenborg 1999).

    Parameters
    ----------
    both : Alongside
        Original and release.
    column : str
        A column of the original; it may be gone from the release.

    Returns
    -------
    lost, most : float
        In bits, 0 or more.
    """
    column_counts = both.original.held.counts_of(column)
    counts = np.append(column_counts.records, column_counts.missing)
    bits = np.log2(column_counts.n_records / np.maximum(1, counts))  # per value
    most = float(counts @ bits)
    if column not in both.leaving:
        return most, most
    recoded = both.column(column)
    left_out = counts - np.bincount(recoded.value, weights=recoded.counts, minlength=len(counts))
    of_label = np.bincount(recoded.label, weights=recoded.counts)
    lost = float(left_out @ bits)
    lost += float((recoded.counts * np.log2(of_label[recoded.label] / recoded.counts)).sum())
    return lost, most
