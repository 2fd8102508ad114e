"""Which column of a file of areas names the area, places it, counts its people; which of the records names it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from anonlib.analyses.regions.areas import Areas
from anonlib.analyses.regions.reading.opening import AreaFile
from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.values.cells import to_numbers
from anonlib.values.naming import name_tokens

# Words of a column's name, lower case and without accents, in a few languages.
LONGITUDE = frozenset("lon lng long longitude longitud laenge lange laengengrad lengte".split())
LATITUDE = frozenset("lat latitude latitud breite breitengrad breedte".split())
_X = frozenset("x xcoord xcoordinate coordx easting east rechtswert ost".split())
_Y = frozenset("y ycoord ycoordinate coordy northing north hochwert nord".split())
_PLACES = frozenset(
    "area areas areaid da dauid dbuid dguid adauid ctuid csduid cduid geoid geocode geo zone zoneid region district "
    "tract block lsoa msoa oa sa nuts lau ags plz zip zipcode zcta postcode postal municipality commune gemeinde "
    "county iris sector fips".split()
)
_CODES = frozenset("id ids uid code cd key nr no number ref".split())
_LABELS = frozenset("name nm label title".split())
_TECHNICAL = frozenset("fid ogc objectid gid oid index rowid".split())
_PEOPLE = frozenset(
    "pop population people persons inhabitants residents einwohner einwohnerzahl bevoelkerung bevolkerung ew habitants "
    "habitantes poblacion popolazione abitanti bevolking inwoners befolkning".split()
)
_NOT_PEOPLE = frozenset("density dens dichte share pct percent rate change growth male female men women km".split())
_ENOUGH = 0.5  # the share of records that name an area, in a column that is taken to


@dataclass(frozen=True)
class AreaColumns:
    """Which column of a file of areas is which.

    Attributes
    ----------
    id : str
        Names the area; the records use the same codes.
    x, y : str, optional
        Longitude and latitude, or easting and northing; None where the file has outlines.
    population : str, optional
        The people who live in the area; None where the file does not say.
    """

    id: str
    x: str | None = None
    y: str | None = None
    population: str | None = None


def suggest_columns(file: AreaFile) -> AreaColumns:
    """A first guess of what the columns of a file of areas are, from names and content; the officer corrects it.

    Parameters
    ----------
    file : AreaFile
        As it was opened, its columns not chosen yet.

    Returns
    -------
    AreaColumns
        With a population only if every area has one.
    """
    names = list(file.table.columns)
    numbers = {name: _numbers(file.table[name]) for name in names}
    x = y = None
    if file.geometry is None:
        pairs = [(_named(numbers, xs), _named(numbers, ys)) for xs, ys in ((LONGITUDE, LATITUDE), (_X, _Y))]
        x, y = next((pair for pair in pairs if None not in pair), (None, None))
    left = [name for name in names if name not in (x, y)]
    people = _people({name: numbers[name] for name in left if file.table[name].notna().all()})
    left = [name for name in left if name != people] or left or names
    likeness = {name: _likeness_of_id(name, file.table[name].array, numbers[name]) for name in left}
    return AreaColumns(max(left, key=likeness.__getitem__), x, y, people)


def suggest_area_column(areas: Areas, data: Dataset) -> str | None:
    """The column of the records that names the areas.

    Parameters
    ----------
    areas : Areas
        Those whose ids the column has to name.
    data : Dataset
        The records.

    Returns
    -------
    str or None
        A column in which at least half of the records name one of the areas. Of several, one with the role of a place
        goes first, then the one that names the most areas.
    """
    known = set(areas.ids.tolist())
    best: tuple[tuple[bool, float], str | None] = ((False, 0.0), None)
    for column in data.columns:
        try:
            counts = data.held.counts_of(column)
        except InputError:  # in an engine, of more different values than are counted
            continue
        named = np.fromiter((value in known for value in counts.values), bool, len(counts.values))
        share = counts.records[named].sum() / max(1, data.n_records)
        score = (data.roles.get(column) == Role.PLACE, share * int((named & (counts.records > 0)).sum()))
        if share >= _ENOUGH and score > best[0]:
            best = (score, column)
    return best[1]


def words_of(name: str) -> set[str]:
    """The words of a column's name, and the name as one word (``DAuid`` -> d, auid, dauid)."""
    tokens = name_tokens(name)
    return {*tokens, "".join(tokens)}


def _numbers(column: pd.Series) -> np.ndarray | None:
    """The column's numbers, missing ones left out; None where fewer than nine cells in ten are numbers."""
    present = column.dropna().tolist()
    numbers = to_numbers(present)
    known = numbers[~np.isnan(numbers)]
    return known if len(known) and len(known) >= 0.9 * len(present) else None


def _named(numbers: dict[str, np.ndarray | None], words: frozenset[str]) -> str | None:
    """The numeric column with one of the words in its name: the fewer other words the better."""
    fitting = [name for name, held in numbers.items() if held is not None and words & words_of(name)]
    return min(fitting, key=lambda name: len(name_tokens(name)), default=None)


def _people(numbers: dict[str, np.ndarray | None]) -> str | None:
    def fits(name: str) -> bool:
        tokens, held = words_of(name), numbers[name]
        if held is None or not tokens & _PEOPLE or tokens & _NOT_PEOPLE:
            return False
        return bool((held >= 0).all() and held.any())

    # Of several years the last one, which sorts last.
    return max(filter(fits, numbers), key=lambda name: (-len(name_tokens(name)), name), default=None)


def _likeness_of_id(name: str, cells: Any, numbers: np.ndarray | None) -> tuple[bool, bool, int]:
    """Sorts columns by how likely they name the area: whole codes, none missing, no two alike, then the name."""
    tokens = words_of(name)
    fractions = numbers is not None and bool((numbers % 1 != 0).any())
    column = pd.Index(cells)
    unique = bool(column.is_unique and not column.hasnans)
    points = 4 * bool(tokens & _PLACES) + 2 * bool(tokens & _CODES) + bool(tokens & _LABELS)
    return (unique, not fractions, points - 3 * bool(tokens & _TECHNICAL))
