"""What an aggregation keeps and what it costs (Croft et al. 2015, section 3.4, Equations 20 to 23)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from anonlib.counting.classes.coding import sum_by

_SUM_OF_SQUARES_FITS = 3_000_000_000  # its square is below 2**63, and any sum of squares of its parts is no more


@dataclass(frozen=True)
class Measures:
    """The measures of the paper, side by side: at a fixed number of regions none of them says enough alone.

    Attributes
    ----------
    regions : int
        How many regions there are.
    left_out : int
        Records in classes below k of their region, or in a region that is withheld, which are left out.
    n_records : int
        Records in all regions; ``share_left_out`` is the share of them left out, in [0, 1].
    compactness : float
        Sum over areas of the distance to the middle of their region (``middles``), in metres; lower keeps more of the
        place.
    discernibility : int
        Sum of the squared sizes of the classes of k or more, records²; lower is finer.
    entropy : float
        Non-uniform entropy in bits, summed over records: what it takes to say which area of its region a record is
        from; lower is finer.
    anonymity : int
        Size of the smallest class of any region before anything is left out; 0 without records.
    seconds : float
        Time from the choice of sites to the regions.
    withheld : int, default 0
        Regions of ``regions`` that are not released: all of their records are among ``left_out``.
    """

    regions: int
    left_out: int
    n_records: int
    compactness: float
    discernibility: int
    entropy: float
    anonymity: int
    seconds: float
    withheld: int = 0

    @property
    def share_left_out(self) -> float:
        """Share of the records that is left out, 0 to 1."""
        return self.left_out / self.n_records if self.n_records else 0.0


def region_counts(counts: csr_array, region_of_area: np.ndarray, n_regions: int) -> csr_array:
    """The classes of each region: the rows of its areas added up.

    Parameters
    ----------
    counts : csr_array
        Sparse, areas x classes: records.
    region_of_area : np.ndarray
        The region of each area.
    n_regions : int
        How many there are.

    Returns
    -------
    int64, sparse, regions x classes
    """
    n = counts.shape[0]
    member = csr_array((np.ones(n, dtype=np.int64), (region_of_area, np.arange(n))), shape=(n_regions, n))
    return member @ counts


def middles(points: np.ndarray, region_of_area: np.ndarray, n_regions: int) -> np.ndarray:
    """The middle of each region: the coordinate-wise median of its points.

    Parameters
    ----------
    points : np.ndarray
        float, areas x 2.
    region_of_area : np.ndarray
        The region of each area; no region is empty.
    n_regions : int
        How many there are.

    Returns
    -------
    float array, regions x 2
    """
    size = np.bincount(region_of_area, minlength=n_regions)
    first = np.cumsum(size) - size
    columns = []
    for values in points.T:
        ordered = values[np.lexsort((values, region_of_area))]
        columns.append((ordered[first + (size - 1) // 2] + ordered[first + size // 2]) / 2)
    return np.column_stack(columns)


def compactness(points: np.ndarray, middle_of_region: np.ndarray, region_of_area: np.ndarray) -> float:
    """The distances of all areas to their region's middle.

    The paper takes the site a region grew from. Regions that grew from none have only a middle, and sites lie off the
    middle of what they gather: to compare placements, each region is measured from its own ``middles``.

    Parameters
    ----------
    points : np.ndarray
        float, areas x 2.
    middle_of_region : np.ndarray
        float, regions x 2.
    region_of_area : np.ndarray
        The region of each area.

    Returns
    -------
    float
        In the points' units.

    References
    ----------
    Croft et al. 2015, Equation 20.
    """
    apart = points - middle_of_region[region_of_area]
    return float(np.hypot(apart[:, 0], apart[:, 1]).sum())


def discernibility(counts: csr_array, k: int, n_records: int | None = None) -> int:
    """The squared sizes of the classes of k or more.

    Parameters
    ----------
    counts : csr_array
        Sparse, regions x classes: records.
    k : int
        Smallest class size wanted.
    n_records : int, optional
        If given, each record left out counts that many more, as in Bayardo and Agrawal's metric; the paper's finding
        that fewer regions raise discernibility then does not hold.

    Returns
    -------
    int
        Records².

    References
    ----------
    Croft et al. 2015, Equation 21.
    """
    sizes = counts.data[counts.data >= k]
    if int(sizes.sum()) <= _SUM_OF_SQUARES_FITS:
        squares = int(sizes @ sizes)
    else:
        squares = sum(size * size for size in sizes.tolist())
    return squares if n_records is None else squares + n_records * left_out(counts, k)


def left_out(counts: csr_array, k: int) -> int:
    """Records in classes smaller than k.

    Parameters
    ----------
    counts : csr_array
        Sparse, regions x classes: records.
    k : int
        Smallest class size wanted.
    """
    return int(counts.data[counts.data < k].sum())


def non_uniform_entropy(records: np.ndarray, region_of_area: np.ndarray, n_regions: int) -> float:
    """What it takes to tell the records' areas from their regions, over all records.

    Parameters
    ----------
    records : np.ndarray
        Records of each area.
    region_of_area : np.ndarray
        The region of each area.
    n_regions : int
        How many there are.

    Returns
    -------
    float
        Bits.

    References
    ----------
    Croft et al. 2015, Equations 22 and 23.

    Examples
    --------
    Three areas of 2, 3 and 4 records in one region:

    >>> round(non_uniform_entropy(np.array([2, 3, 4]), np.array([0, 0, 0]), 1), 1)
    13.8
    """
    inside = sum_by(region_of_area, n_regions, records)[region_of_area]
    some = records > 0
    return float((records[some] * np.log2(inside[some] / records[some])).sum())
