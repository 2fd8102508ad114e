"""Regions that are given: codes cropped, a column that groups areas, a fixed population cutoff.

They are what places are usually released by (Croft et al. 2015, section 2.2), and so what others are compared with.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy.spatial import cKDTree

from anonlib.analyses.regions.aggregation import Aggregation, region_names
from anonlib.analyses.regions.areas import AreaClasses, Areas
from anonlib.analyses.regions.measures import middles
from anonlib.analyses.regions.nested import nested_regions
from anonlib.analyses.regions.reading.layer import rows
from anonlib.basics import checks, words
from anonlib.basics.budget import Stopwatch
from anonlib.basics.errors import InputError
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.coding import sum_by
from anonlib.dataset import Dataset

CUTOFFS: dict[int, str] = {
    70_000: "Statistics Canada, health survey",
    100_000: "US Bureau of the Census",
    120_000: "British Census",
}
"""Fixed cutoffs in use, in people, and whose they are (Croft et al. 2015, section 2.2)."""


@dataclass(frozen=True, eq=False)
class Grouping:
    """Which group each area is in, by what is there before anything is computed.

    Attributes
    ----------
    name : str
        What it goes by, such as the name of a column.
    labels : np.ndarray
        Object array of text, one an area; none is blank.
    guessed : int, default 0
        Areas whose group nothing says; they are in that of the nearest area of which it is known.
    """

    name: str
    labels: np.ndarray
    guessed: int = 0

    @cached_property
    def n_groups(self) -> int:
        """Groups, none of them empty."""
        return len(set(self.labels.tolist()))

    @cached_property
    def key(self) -> str:
        """Names the content: the same key, the same groups."""
        return hashlib.sha256(repr((self.name, self.labels.tolist())).encode("utf-8", "surrogatepass")).hexdigest()


def as_they_are(areas: Areas) -> Grouping:
    """Each area a group of its own.

    Parameters
    ----------
    areas : Areas
        The areas; a group goes by the id of its one.

    Returns
    -------
    Grouping
    """
    return Grouping("areas", areas.ids)


def grouped_by(name: str, values: Sequence[Any] | np.ndarray, characters: int | None = None) -> Grouping:
    """Areas grouped by a column, or by the first characters of its values: codes are cropped.

    Parameters
    ----------
    name : str
        The column's name.
    values : Sequence[Any] or np.ndarray
        Its text, one item an area.
    characters : int, optional
        How many characters stay, 1 or more; None for all. Spaces around a value are none of them.

    Returns
    -------
    Grouping

    Raises
    ------
    InputError
        For a blank value, or fewer characters than 1.

    References
    ----------
    Croft et al. 2015, section 2.2: cropping leaves off the last three characters of postal codes, so that they name
    much larger places; a hierarchy goes from these to cities.

    Examples
    --------
    >>> grouped_by("postal code", ["K1S 5B6", "K1S 2A1", "L1H 7K4"], 3).labels.tolist()
    ['K1S', 'K1S', 'L1H']
    """
    if characters is not None:
        checks.whole(characters, "The number of characters", 1)
    labels = np.array(["" if pd.isna(value) else str(value).strip() for value in values] + [None], dtype=object)[:-1]
    blank = labels == ""
    if blank.any():
        raise InputError(
            f"“{name}” is blank in {rows(blank)}, so these areas are in no group. Fill it in, or choose another "
            "column.",
            code="value-missing",
            column=name,
        )
    if characters is None or characters >= max(map(len, labels), default=0):
        return Grouping(name, labels)
    cropped = [label[:characters].strip() for label in labels]
    return Grouping(f"{name}, first {words.count(characters, 'characters')}", np.array([*cropped, None], object)[:-1])


def grouped_by_records(areas: Areas, data: Dataset, column: str, other: str) -> Grouping | None:
    """Areas grouped by another column of the records, where all records of an area agree on it.

    A missing value says nothing. An area of which no record says anything is in the group of the nearest one.

    Parameters
    ----------
    areas : Areas
        Those that the records lie in.
    data : Dataset
        The records.
    column : str
        The column that names their area.
    other : str
        The column that names what the area is part of.

    Returns
    -------
    Grouping or None
        None where records of one area differ, fewer than two groups are named, or the column has more values than there
        are areas.
    """
    try:
        if len(data.held.counts_of(other).values) > len(areas) + 1:  # a missing one more
            return None
    except InputError:  # in an engine, of more different values than are counted
        return None
    pairs = ClassTable.from_records(data.held, [column, other], None, "category", None)
    position = {name: i for i, name in enumerate(areas.ids.tolist())}
    labels = np.full(len(areas), None, dtype=object)
    for area, value in zip(pairs.column(column), pairs.column(other), strict=True):
        i = position.get(area, -1)
        label = "" if value is None else str(value).strip()
        if i < 0 or not label:
            continue
        if labels[i] not in (None, label):
            return None
        labels[i] = label
    known = np.array([label is not None for label in labels], dtype=bool)
    if len(set(labels[known].tolist())) < 2:
        return None
    nearest = cKDTree(areas.points[known]).query(areas.points[~known])[1]
    labels[~known] = labels[known][nearest]
    return Grouping(other, labels, int((~known).sum()))


def joined_above(areas: Areas, grouping: Grouping, cutoff: int) -> Grouping:
    """Groups that are joined until the population of each exceeds a cutoff.

    The group of the fewest people goes to one beside it that is near and has few people itself
    (:func:`nested_regions`). One group is left where all areas together do not exceed the cutoff.

    Parameters
    ----------
    areas : Areas
        The areas, with the people who live in each.
    grouping : Grouping
        Which group each is in before.
    cutoff : int
        In people, 1 or more.

    Returns
    -------
    Grouping
        Its groups are called ``R1`` to ``R9``, ``R01`` to ``R99``, from north to south.

    Raises
    ------
    InputError
        For a cutoff below 1, or where nothing says how many people live in the areas.

    References
    ----------
    Croft et al. 2015, section 2.2: adjacent regions are merged until they satisfy the cutoff, as in GeoLeader. Which
    goes to which is Anonscope's own.
    """
    checks.whole(cutoff, "The cutoff", 1)
    together = np.unique(grouping.labels, return_inverse=True)[1]
    region_of_area = next(nested_regions(areas.points, _people(areas), [cutoff + 1], together=together))
    names = region_names(middles(areas.points, region_of_area, int(region_of_area.max()) + 1))
    return Grouping(f"{grouping.name}, joined above {cutoff:,} people", names[region_of_area], grouping.guessed)


def given_regions(area_classes: AreaClasses, grouping: Grouping, k: int, *, cutoff: int = 0) -> Aggregation:
    """The regions of a grouping; those whose population does not exceed a cutoff are withheld.

    A region that is withheld is not released: all of its records are left out, whatever their class.

    Parameters
    ----------
    area_classes : AreaClasses
        The records by area, and the population.
    grouping : Grouping
        Which group each area is in.
    k : int
        Smallest class size wanted, 1 or more.
    cutoff : int, default 0
        In people; 0 for none.

    Returns
    -------
    Aggregation
        Its ``labels`` are those of the groups, and its method is "given".

    Raises
    ------
    InputError
        For a cutoff below 0, or one where nothing says how many people live in the areas.

    References
    ----------
    Croft et al. 2015, section 2.2: regions whose population does not exceed the cutoff are at risk, and all of their
    records are suppressed.
    """
    stopwatch = Stopwatch()
    areas = area_classes.areas
    labels, region_of_area = np.unique(grouping.labels, return_inverse=True)
    region_of_area = region_of_area.astype(np.int32)
    withheld = None
    if checks.whole(cutoff, "The cutoff", 0):
        withheld = sum_by(region_of_area, len(labels), _people(areas)) <= cutoff
    centres = middles(areas.points, region_of_area, len(labels))
    return Aggregation(
        area_classes, k, centres, region_of_area, "given", asked=len(labels), seconds=stopwatch.seconds,
        withheld=withheld if withheld is not None and withheld.any() else None, labels=labels,
    )  # fmt: skip


def _people(areas: Areas) -> np.ndarray:
    if areas.population is None:
        raise InputError(
            "A cutoff is a number of people, and the areas’ file does not say how many live in each. Choose its column "
            "on the Areas tab, or go without a cutoff.",
            code="population-missing",
        )
    return areas.population
