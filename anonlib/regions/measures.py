"""What an aggregation keeps and what it costs (Croft et al. 2015, section 3.4, Equations 20 to 23)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from anonlib.classes.coding import sum_by


@dataclass(frozen=True)
class Measures:
    """The measures of the paper, side by side: at a fixed number of regions none of them says enough alone.

    Attributes
    ----------
    regions : how many regions there are.
    suppressed : records in classes below k of their region, which are left out.
    n_records : records in all regions; ``suppression`` is the share of them left out, in [0, 1].
    compactness : sum over areas of the distance to their region's site, in metres; lower keeps more of the place.
    discernibility : sum of the squared sizes of the classes of k or more, records²; lower is finer.
    entropy : non-uniform entropy in bits, summed over records: what it takes to say which area of its region a record
        is from; lower is finer.
    anonymity : size of the smallest class of any region before anything is left out; 0 without records.
    seconds : time from the choice of sites to the regions.
    """

    regions: int
    suppressed: int
    n_records: int
    compactness: float
    discernibility: int
    entropy: float
    anonymity: int
    seconds: float

    @property
    def suppression(self) -> float:
        return self.suppressed / self.n_records if self.n_records else 0.0


def region_counts(counts: csr_array, region_of_area: np.ndarray, n_regions: int) -> csr_array:
    """int64, sparse, regions x classes: the rows of the areas of each region added up."""
    n = counts.shape[0]
    member = csr_array((np.ones(n, dtype=np.int64), (region_of_area, np.arange(n))), shape=(n_regions, n))
    return member @ counts


def compactness(points: np.ndarray, sites: np.ndarray, region_of_area: np.ndarray) -> float:
    """Equation 20: the distances of all areas to their region's site, in the points' units."""
    apart = points - sites[region_of_area]
    return float(np.hypot(apart[:, 0], apart[:, 1]).sum())


def discernibility(counts: csr_array, k: int, n_records: int | None = None) -> int:
    """Equation 21: the squared sizes of the classes of k or more.

    With ``n_records``, each record left out counts that many more, as in Bayardo and Agrawal's metric; the paper's
    finding that fewer regions raise discernibility then does not hold.
    """
    sizes = [int(size) for size in np.unique(counts.data)]
    times = np.bincount(np.searchsorted(sizes, counts.data), minlength=len(sizes))
    kept = sum(size * size * int(n) for size, n in zip(sizes, times, strict=True) if size >= k)
    return kept if n_records is None else kept + n_records * suppressed(counts, k)


def suppressed(counts: csr_array, k: int) -> int:
    """Records in classes smaller than k."""
    return int(counts.data[counts.data < k].sum())


def non_uniform_entropy(records: np.ndarray, region_of_area: np.ndarray, n_regions: int) -> float:
    """Equations 22 and 23: bits to tell the records' areas from their regions, over all records."""
    inside = sum_by(region_of_area, n_regions, records)[region_of_area]
    some = records > 0
    return float((records[some] * np.log2(inside[some] / records[some])).sum())
