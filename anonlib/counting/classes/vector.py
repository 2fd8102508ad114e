"""The anonymity vector: how many classes there are of each size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import total_ordering

import numpy as np
import pandas as pd


@total_ordering
@dataclass(frozen=True, eq=False)
class AnonymityVector:
    """How many classes there are of each size (Caballero et al. 2017, Definition 2), kept sparsely.

    It is the paper's v[l] with its zeros left out. Vectors compare as the tuples (v[1], v[2], ...) do: smaller is
    better.

    Attributes
    ----------
    sizes : np.ndarray
        int64, the class sizes that occur, ascending.
    classes : np.ndarray
        int64, the number of classes of each size.
    """

    sizes: np.ndarray
    classes: np.ndarray

    @property
    def k(self) -> int:
        """The smallest class size; 0 when there are no records."""
        return int(self.sizes[0]) if len(self.sizes) else 0

    @property
    def n_records(self) -> int:
        """Records (persons, summed weights) in all classes."""
        return int((self.sizes * self.classes).sum())

    def people_below(self, k: int) -> int:
        """Records in classes smaller than k.

        Parameters
        ----------
        k : int
            A class size.

        Returns
        -------
        int
        """
        small = self.sizes < k
        return int((self.sizes[small] * self.classes[small]).sum())

    def people_above(self, threshold: float) -> int:
        """Records whose risk, 1 / class size, is above a threshold.

        Parameters
        ----------
        threshold : float
            A probability, 0 to 1.

        Returns
        -------
        int
        """
        small = 1 / self.sizes > threshold
        return int((self.sizes[small] * self.classes[small]).sum())

    def printed(self, width: int = 36) -> str:
        """The vector as the paper prints it, from the first position on.

        Parameters
        ----------
        width : int, default 36
            Characters, at most: as many positions as fit, and dots for what comes behind.

        Returns
        -------
        str

        Examples
        --------
        >>> anonymity_vector([2, 2, 3, 4, 4]).printed(), anonymity_vector([1, 7]).printed(10)
        ('(0,2,1,2)', '(1,0,0,…)')
        """
        longest = int(self.sizes.max(initial=0))
        counts = np.zeros(min(longest, width), dtype=np.int64)
        written = self.sizes <= width
        counts[self.sizes[written] - 1] = self.classes[written]
        texts = [str(number) for number in counts.tolist()]
        if (whole := f"({','.join(texts)})") and longest <= width and len(whole) <= width:
            return whole
        while len(texts) > 1 and len(",".join(texts)) + len("(,…)") > width:
            texts.pop()
        return f"({','.join(texts)},…)"

    def to_frame(self) -> pd.DataFrame:
        """One row a class size: ``size``, ``classes`` of that size, ``records`` in them."""
        return pd.DataFrame({"size": self.sizes, "classes": self.classes, "records": self.sizes * self.classes})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AnonymityVector):
            return NotImplemented
        return np.array_equal(self.sizes, other.sizes) and np.array_equal(self.classes, other.classes)

    def __lt__(self, other: AnonymityVector) -> bool:
        return self._key < other._key

    @property
    def _key(self) -> list[tuple[int, int]]:
        """Where two vectors part, the one with a smaller size there, or with more classes of it, is larger."""
        return list(zip((-self.sizes).tolist(), self.classes.tolist(), strict=True))

    def __hash__(self) -> int:
        return hash((self.sizes.tobytes(), self.classes.tobytes()))


def anonymity_vector(sizes: Sequence[int] | np.ndarray) -> AnonymityVector:
    """The anonymity vector of class sizes.

    Parameters
    ----------
    sizes : Sequence[int] | np.ndarray
        Whole numbers of records, 0 or more; zeros are no classes.

    Returns
    -------
    AnonymityVector

    Examples
    --------
    The schedule of Table 3 of Caballero et al. 2017 has twelve classes, three of them pairs (the paper prints (11, 2),
    see docs/errata.md):

    >>> found = anonymity_vector([1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2])
    >>> found.sizes.tolist(), found.classes.tolist(), found.k, found.n_records
    ([1, 2], [9, 3], 1, 15)

    The optimal schedule of their running example leaves nobody alone, and so is smaller, which is better:

    >>> anonymity_vector([2, 2, 3, 4, 4]) < found
    True
    """
    array = np.asarray(sizes, dtype=np.int64)
    distinct, classes = np.unique(array[array > 0], return_counts=True)
    return AnonymityVector(distinct, classes.astype(np.int64))
