"""What a released place still leaves open: among how many people somebody may be, and in which area they live.

The four measures of the paper say what is lost. These two say what is hidden: spatial k-anonymity of an aggregation,
for an attacker who knows the areas, how many people live in each, and which of them a region is made of.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from anonlib.counting.classes.coding import sum_by


@dataclass(frozen=True)
class SpatialAnonymity:
    """Among how many people a released record may be, and how often its area is guessed.

    Attributes
    ----------
    fewest_people : int | None
        The people who live in the region of the fewest, of those that a released record names: k-moved, method related
        (Cremer, Jehmlich and Lenz 2025), at its least. More hides better. None where nothing says how many people live
        in the areas, or nothing is released.
    area_guessed : float | None
        The share of the released records, in [0, 1], that live in the area of their region in which the most people
        live: how often an attacker is right who names that one; areas of equally many share. Less hides better; None
        where nothing is released.
    """

    fewest_people: int | None
    area_guessed: float | None


def released_by_area(counts: csr_array, region_of_area: np.ndarray, released: csr_array) -> np.ndarray:
    """How many records of each area are released.

    Parameters
    ----------
    counts : csr_array
        Sparse, areas x classes: records.
    region_of_area : np.ndarray
        The region of each area.
    released : csr_array
        Sparse, regions x classes: the records of the classes that are released; no other entry.

    Returns
    -------
    int64 array, one item an area
    """
    n_areas, n_classes = counts.shape
    area = np.repeat(np.arange(n_areas), np.diff(counts.indptr))
    region = np.repeat(np.arange(released.shape[0]), np.diff(released.indptr))
    kept = np.sort(region.astype(np.int64) * n_classes + released.indices)
    entry = region_of_area[area].astype(np.int64) * n_classes + counts.indices
    if not len(kept):
        return np.zeros(n_areas, dtype=np.int64)
    stays = kept[np.minimum(np.searchsorted(kept, entry), len(kept) - 1)] == entry
    upto = np.concatenate(([0], np.cumsum(np.where(stays, counts.data, 0), dtype=np.int64)))
    return np.diff(upto[counts.indptr])


def spatial_anonymity(
    released: np.ndarray, people: np.ndarray, region_of_area: np.ndarray, known: bool = True
) -> SpatialAnonymity:
    """Both numbers of an aggregation.

    Parameters
    ----------
    released : np.ndarray
        Records of each area that are released.
    people : np.ndarray
        How many live in each area; the records in it where nothing says how many people.
    region_of_area : np.ndarray
        The region of each area, from 0 on, none of them empty.
    known : bool, default True
        Whether ``people`` are people.

    Returns
    -------
    SpatialAnonymity

    References
    ----------
    S. Cremer, L. Jehmlich, R. Lenz 2025, the metrics of points whose masking method is known.

    Examples
    --------
    A region of four areas of 100 people, and one of 400 people beside four areas of 100: who lives where is worth two
    bits in both, and the first hides the area better.

    >>> even, uneven = np.full(4, 100), np.array([400, 100, 100, 100, 100])
    >>> [spatial_anonymity(people, people, np.zeros(len(people), dtype=int)) for people in (even, uneven)]
    [SpatialAnonymity(fewest_people=400, area_guessed=0.25), SpatialAnonymity(fewest_people=800, area_guessed=0.5)]
    """
    n_regions, total = int(region_of_area.max()) + 1, int(released.sum())
    if not total:
        return SpatialAnonymity(None, None)
    is_largest = people == most_people(people, region_of_area, n_regions)[region_of_area]
    largest = sum_by(region_of_area, n_regions, is_largest)
    right = sum_by(region_of_area, n_regions, np.where(is_largest, released, 0))
    named = sum_by(region_of_area, n_regions, released) > 0
    fewest = int(sum_by(region_of_area, n_regions, people)[named].min()) if known else None
    return SpatialAnonymity(fewest, float((right / largest).sum()) / total)


def most_people(people: np.ndarray, region_of_area: np.ndarray, n_regions: int) -> np.ndarray:
    """The people of each region's area of the most.

    Parameters
    ----------
    people : np.ndarray
        How many live in each area.
    region_of_area : np.ndarray
        The region of each area.
    n_regions : int
        How many there are.

    Returns
    -------
    array, one item a region
    """
    most = np.zeros(n_regions, dtype=people.dtype)
    np.maximum.at(most, region_of_area, people)
    return most
