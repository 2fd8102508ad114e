"""Areas: the small places a file names, with a point, the people who live there and, where known, an outline.

Then comes the one table that every aggregation is computed from: how many records of each class are in each area.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property

import geopandas as gpd
import numpy as np
from pyproj import CRS
from scipy.sparse import csr_array

from anonlib.basics.errors import InputError
from anonlib.counting.classes import ClassTable
from anonlib.dataset import Dataset


@dataclass(frozen=True, eq=False)
class Areas:
    """The initial regions that are aggregated (Croft et al. 2015, section 3).

    Attributes
    ----------
    ids : np.ndarray
        Object array of text, one an area, no two alike.
    points : np.ndarray
        float64, areas x 2: where each area is, in metres of ``crs`` (in the file's own units where no CRS is known). No
        two areas share a point.
    population : np.ndarray | None
        int64, the people who live in each area, 0 or more; None where the file does not say.
    places : gpd.GeoDataFrame
        One row an area in the order of ``ids``, with the geometry as given (point or polygon) in its own CRS.
    crs : CRS, optional
        The metric CRS of ``points``; None where no CRS is known.
    notes : tuple[str, ...], default ()
        A sentence on everything that was assumed or changed. No cell values.
    """

    ids: np.ndarray
    points: np.ndarray
    population: np.ndarray | None
    places: gpd.GeoDataFrame
    crs: CRS | None = None
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def have_outlines(self) -> bool:
        """Whether every area's geometry is a polygon."""
        return bool(self.places.geometry.geom_type.isin(("Polygon", "MultiPolygon")).all())

    @cached_property
    def key(self) -> str:
        """Names the content: the same key, the same areas."""
        digest = hashlib.sha256("\n".join(map(repr, self.ids.tolist())).encode())
        digest.update(self.points.tobytes())
        digest.update(b"" if self.population is None else self.population.tobytes())
        digest.update(b"".join(self.places.geometry.to_wkb()))
        digest.update("".join(map(str, (self.places.crs, self.crs))).encode())
        return digest.hexdigest()


@dataclass(frozen=True, eq=False)
class AreaClasses:
    """Areas with the records in them, counted by class of the quasi-identifiers other than the place.

    Attributes
    ----------
    areas : Areas
        The areas, with points and population.
    counts : csr_array
        int64, sparse, areas x classes: records (or persons) of each class in each area.
    classes : ClassTable
        The class table of the columns of ``counts``; its counts are those of the records that have an area.
    column : str
        The column of the records that names the area.
    unknown, without : int, default 0
        Records whose area is not among the areas, and records that name none. They are in no count.
    several : int, default 0
        Persons whose records name several areas; they are among ``unknown``.
    unit : str, default "records"
        What counts are of, "records" or "persons".
    """

    areas: Areas
    counts: csr_array
    classes: ClassTable
    column: str
    unknown: int = 0
    without: int = 0
    several: int = 0
    unit: str = "records"

    @classmethod
    def from_records(
        cls, areas: Areas, data: Dataset, column: str, quasi_identifiers: list[str] | None = None
    ) -> AreaClasses:
        """Count the records of a data set by area and class, once.

        Parameters
        ----------
        areas : Areas
            Those that the records lie in, with their people where the file of areas says how many.
        data : Dataset
            The records.
        column : str
            The column that names their area.
        quasi_identifiers : list[str], optional
            What is known beside the place; left out, those of the data set without ``column``.

        Returns
        -------
        AreaClasses

        Raises
        ------
        InputError
            For an unknown column, no quasi-identifier, or no record in any of the areas.
        """
        if column not in data.columns:
            raise InputError(
                f"There is no column named “{column}”. Choose the one that names each record’s area.",
                code="column-unknown",
                column=column,
            )
        chosen = data.quasi_identifiers if quasi_identifiers is None else quasi_identifiers
        names = [name for name in chosen if name != column]
        if not names:
            raise InputError(
                "Choose at least one quasi-identifier beside the place: it is what tells people apart.",
                code="no-column-known",
            )
        both = data.classes([*names, column])
        area_of_class = _area_of_class(areas, both)
        placed = area_of_class >= 0
        if not both.counts[placed].sum():
            raise InputError(_no_area(areas, column, both.categories[-1]), code="areas-not-in-records")
        values = both.column(column)[~placed]
        left = both.counts[~placed]
        missing = np.array([value is None for value in values], dtype=bool)
        several = np.array([hasattr(value, "members") for value in values], dtype=bool)
        inside = both.keep(placed)
        classes = inside.project(names)
        matrix = csr_array(
            (inside.counts, (area_of_class[placed], inside.membership(names))), shape=(len(areas), classes.n_classes)
        )
        return cls(
            areas, matrix, replace(classes, class_of_record=None), column,
            unknown=int(left[~missing].sum()), without=int(left[missing].sum()), several=int(left[several].sum()),
            unit=data.unit,
        )  # fmt: skip

    @property
    def n_areas(self) -> int:
        """Areas, those without records included."""
        return len(self.areas)

    @property
    def n_classes(self) -> int:
        """Combinations of the quasi-identifiers but the place."""
        return self.counts.shape[1]

    @cached_property
    def n_records(self) -> int:
        """Records in all areas."""
        return int(self.counts.sum())

    @cached_property
    def records(self) -> np.ndarray:
        """int64, records in each area."""
        return np.asarray(self.counts.sum(axis=1), dtype=np.int64)

    @property
    def population(self) -> np.ndarray:
        """int64, people in each area: as the areas say, else the records in it."""
        return self.records if self.areas.population is None else self.areas.population

    @cached_property
    def key(self) -> str:
        """Names the content: the same key, the same answers."""
        left = (self.unit, self.unknown, self.without, self.several)
        values = [categories.tolist() for categories in self.classes.categories]
        parts = (self.areas.key, self.column, self.classes.attributes, values, left)
        digest = hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass"))
        for array in (self.classes.codes, self.counts.indptr, self.counts.indices, self.counts.data):
            digest.update(array.tobytes())
        return digest.hexdigest()


def _area_of_class(areas: Areas, both: ClassTable) -> np.ndarray:
    """Per class of quasi-identifiers and place, the position of its area; -1 where it is none of the areas."""
    position = {name: i for i, name in enumerate(areas.ids.tolist())}
    known = np.array([position.get(value, -1) for value in both.categories[-1]], dtype=np.intp)
    return known[both.codes[:, -1]]


def _no_area(areas: Areas, column: str, values: np.ndarray) -> str:
    """Why no record is in an area, and the way out."""
    bare = {name.lstrip("0") for name in areas.ids.tolist()}
    if any(value is not None and value.lstrip("0") in bare for value in values):
        return (
            f"None of the areas is named in “{column}” as it is, but some would be without leading zeros: a program "
            "has dropped them from one of the two files. Save that file again with its codes as text."
        )
    return (
        f"None of the areas is named in “{column}”. Choose the column that names the area, and the areas’ column of "
        "the same codes."
    )
