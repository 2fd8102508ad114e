"""From a file of areas and its columns to areas with points in metres; everything that does not fit is reported.

First comes which column of a file of areas names the area, places it and counts its people, and which column of the
records names it. Then come the areas.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import shapely
from pyproj import CRS
from pyproj.exceptions import CRSError

from anonlib.analyses.regions.areas import Areas
from anonlib.analyses.regions.reading.layer import checked_geometry, rows
from anonlib.analyses.regions.reading.opening import AreaFile
from anonlib.analyses.regions.reading.projection import WGS84, in_degrees, in_metres
from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.values.cells import text_categorical, to_numbers
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


_LONGEST_ID = 200
_MOST_PEOPLE = 10_000_000_000
_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d+,\d+\s*")


def areas_of(file: AreaFile, columns: AreaColumns, crs: str | None = None) -> Areas:
    """The areas of a file, each with its id, its point in metres and its population.

    Ids are the text in the file. The point of an outline is its centroid, the middle that distances are meant from;
    where the centroid is outside (a crescent, islands) it is a point on the outline's surface instead. Coordinates in
    degrees, feet or Web Mercator are projected: to the UTM zone of narrow data, to an equal-area azimuthal projection
    around the middle of wider data, both across the date line too. Other metric projections are kept.

    Parameters
    ----------
    file : AreaFile
        Areas as they were read: a table, or outlines with one.
    columns : AreaColumns
        Which column is which; ``x`` and ``y`` count only where the file has no outlines.
    crs : str, optional
        The CRS of the coordinates, such as ``EPSG:3347``, in place of what the file states or does not state.

    Returns
    -------
    Areas

    Raises
    ------
    InputError
        For ids that are missing or not distinct, for coordinates or outlines that are missing, unreadable, swapped or
        shared, for lines, and for a population that is missing, negative or zero everywhere.
    """
    for role, name in (("id", columns.id), ("population", columns.population)):
        if name is not None and name not in file.table.columns:
            raise InputError(
                f"The areas have no column named “{name}”. Choose another one for the {role}.",
                code="column-unknown",
                column=name,
            )
    if len(file.table) < 2:
        raise InputError(
            "The file holds one area only; at least two are needed to make regions of them.", code="too-few-areas"
        )
    ids = _ids(file.table, columns.id)
    notes = list(file.notes)
    stated = None if crs is None else _crs(crs)
    if file.geometry is None:
        geometry = _points(file.table, columns, stated, notes)
    else:
        geometry = _placed(checked_geometry(file.geometry, notes), stated, notes)
    points, metric = in_metres(geometry, notes)
    _check_distinct(points, ids)
    if _on_one_line(points):
        notes.append("All areas lie on one line; regions are stretches of it.")
    population = _population(file.table, columns.population, notes)
    places = gpd.GeoDataFrame({"area": ids}, geometry=geometry.to_numpy(), crs=geometry.crs)
    return Areas(ids, points, population, places, metric, tuple(notes))


def areas_from_geodataframe(frame: gpd.GeoDataFrame, id: str, population: str | None = None) -> Areas:
    """The areas of a GeoDataFrame.

    Parameters
    ----------
    frame : gpd.GeoDataFrame
        One row an area, points or polygons.
    id : str
        Its column of ids.
    population : str, optional
        Its column of people.

    Returns
    -------
    Areas

    Raises
    ------
    InputError
        As :func:`areas_of`.
    """
    for name in (id, population):
        if name is not None and name not in frame.columns:
            raise InputError(
                f"The areas have no column named “{name}”. Choose another one.", code="column-unknown", column=name
            )
    names = [name for name in (id, population) if name is not None]
    table = pd.DataFrame({name: np.asarray(text_categorical(frame[name]), dtype=object) for name in names})
    table = table.astype(object).where(table.notna(), None)
    file = AreaFile("", "", table, gpd.GeoSeries(frame.geometry.reset_index(drop=True)))
    return areas_of(file, AreaColumns(id, population=population))


def _ids(table: pd.DataFrame, column: str) -> np.ndarray:
    ids = table[column].to_numpy(dtype=object)
    missing = pd.isna(ids)
    if missing.any():
        raise InputError(
            f"“{column}” is blank in {rows(missing)}. Every area needs an id.", code="area-ids-missing", column=column
        )
    if max(map(len, ids)) > _LONGEST_ID:
        raise InputError(
            f"“{column}” holds text of more than {_LONGEST_ID} characters. Choose the column of ids.",
            code="area-ids-too-long",
            column=column,
        )
    again = table[column].duplicated(keep=False).to_numpy()
    if again.any():
        first = ids[again][0]
        raise InputError(
            f"“{column}” names {len(set(ids[again])):,} areas more than once, such as “{first[:40]}” in "
            f"{rows(ids == first)}. Choose a column that names each area once, or merge the rows of one area.",
            code="area-ids-repeat",
            column=column,
        )
    return ids


def _population(table: pd.DataFrame, column: str | None, notes: list[str]) -> np.ndarray | None:
    if column is None:
        return None
    cells = table[column].to_numpy(dtype=object)
    missing = pd.isna(cells)
    way_out = "Correct it, write 0 where nobody lives, or go without a population."
    if missing.any():
        raise InputError(
            f"The population “{column}” is missing in {rows(missing)}. {way_out}",
            code="people-not-numbers",
            column=column,
        )
    people = to_numbers(cells)
    for wrong, what in ((np.isnan(people), "no number"), (people < 0, "below 0"), (people > _MOST_PEOPLE, "too large")):
        if wrong.any():
            raise InputError(
                f"The population “{column}” is {what} in {rows(wrong)}. {way_out}",
                code="people-not-numbers",
                column=column,
            )
    fractional = people % 1 != 0
    if fractional.any():
        notes.append(f"The population was rounded to whole people in {rows(fractional)}.")
    whole = np.floor(people + 0.5).astype(np.int64)
    if not whole.any():
        raise InputError(
            f"The population “{column}” is 0 in every area. Choose another column, or go without one.",
            code="weights-all-zero",
            column=column,
        )
    return whole


def _crs(text: str) -> CRS:
    match = re.fullmatch(r"\s*(?:(EPSG|ESRI|OGC)\s*:)?\s*(\w+)\s*", text, re.IGNORECASE)
    try:
        if match is None:
            raise CRSError("not a code")
        crs = CRS.from_authority((match[1] or "EPSG").upper(), match[2].upper())
        if not (crs.is_projected or crs.is_geographic):
            raise CRSError("not of a map")
        return crs
    except CRSError:
        raise InputError(
            "That coordinate reference system is not known. Give its code, such as EPSG:4326 for degrees.",
            code="coordinate-system-unknown",
        ) from None


def _placed(geometry: gpd.GeoSeries, stated: CRS | None, notes: list[str]) -> gpd.GeoSeries:
    """Outlines or points in a CRS: the one stated by the officer, the file, or degrees where they can be degrees."""
    if stated is not None:
        geometry = geometry.set_crs(stated, allow_override=True)
    xy, owner = shapely.get_coordinates(geometry.to_numpy(), return_index=True)
    if geometry.crs is not None and not (geometry.crs.is_projected or geometry.crs.is_geographic):
        notes.append("The file’s coordinate system is a local one; its coordinates are taken as metres.")
        return gpd.GeoSeries(geometry.to_numpy())
    if geometry.crs is None:
        if not in_degrees(xy).all():
            notes.append("The file states no coordinate reference system; its coordinates are taken as metres.")
            return geometry
        notes.append("The file states no coordinate reference system; longitude and latitude (WGS 84) are assumed.")
        return geometry.set_crs(WGS84)
    if geometry.crs.is_geographic:
        outside = np.zeros(len(geometry), dtype=bool)
        outside[owner[~in_degrees(xy)]] = True
        if outside.any():
            if in_degrees(xy[:, ::-1]).all():
                raise InputError(
                    "Longitude and latitude are swapped: latitudes go beyond 90 degrees. Export the areas again "
                    "with longitude first.",
                    code="coordinates-swapped",
                )
            raise InputError(
                f"Coordinates are beyond the range of degrees in {rows(outside)}, but the file is in degrees. "
                "Correct them, or say which coordinate reference system they are in.",
                code="coordinates-out-of-range",
            )
    return geometry


def _points(table: pd.DataFrame, columns: AreaColumns, stated: CRS | None, notes: list[str]) -> gpd.GeoSeries:
    """The points of a table with two columns of coordinates."""
    if columns.x is None or columns.y is None or columns.x == columns.y:
        raise InputError(
            "Choose the two columns that hold the areas’ coordinates: longitude and latitude, or easting and northing. "
            "A file without them needs outlines (GeoPackage, GeoJSON, zipped Shapefile).",
            code="coordinates-missing",
        )
    x, y = (_coordinates(table, name) for name in (columns.x, columns.y))
    xy = np.column_stack([x, y])
    if stated is None or stated.is_geographic:
        named = bool(words_of(columns.x) & LONGITUDE or words_of(columns.y) & LATITUDE or stated is not None)
        _check_swapped(columns, xy)
        degrees = in_degrees(xy)
        if not degrees.all() and (named or degrees.mean() > 0.5):
            raise InputError(
                f"“{columns.x}” or “{columns.y}” is beyond the range of degrees in {rows(~degrees)}. Correct it.",
                code="coordinates-out-of-range",
                column=columns.x,
            )
        if degrees.all():
            stated = stated or WGS84
            notes.append("The coordinates are taken as longitude and latitude in degrees (WGS 84).")
        else:
            notes.append("The coordinates are taken as metres of a projection that is not named.")
    zero = (xy == 0).all(axis=1)
    if zero.any():
        notes.append(f"Both coordinates are 0 in {rows(zero)}, which often stands for a missing place.")
    return gpd.GeoSeries(shapely.points(xy), crs=stated)


def _coordinates(table: pd.DataFrame, column: str) -> np.ndarray:
    if column not in table.columns:
        raise InputError(
            f"The areas have no column named “{column}”. Choose another one for the coordinates.",
            code="column-unknown",
            column=column,
        )
    cells = table[column].to_numpy(dtype=object)
    missing = pd.isna(cells)
    if missing.any():
        raise InputError(
            f"“{column}” is blank in {rows(missing)}. Add the coordinates, or leave the areas out.",
            code="coordinates-missing",
            column=column,
        )
    # Degrees have no thousands: 47,123 is 47 and a bit there.
    if any("," in cell for cell in cells) and all(_DECIMAL_COMMA.fullmatch(c) or c.strip().isdigit() for c in cells):
        numbers = np.array([float(cell.replace(",", ".")) for cell in cells])
        if (np.abs(numbers) <= 360).all():
            return numbers
    numbers = to_numbers(cells)
    unread = np.isnan(numbers)
    if unread.any():
        raise InputError(
            f"“{column}” is no number in {rows(unread)}. Write coordinates as decimal numbers, such as 47.25.",
            code="coordinates-not-numbers",
            column=column,
        )
    return numbers


def _check_swapped(columns: AreaColumns, xy: np.ndarray) -> None:
    names = words_of(str(columns.x)), words_of(str(columns.y))
    by_name = bool(names[0] & LATITUDE and names[1] & LONGITUDE)
    by_range = bool((np.abs(xy[:, 1]) > 90).any() and in_degrees(xy[:, ::-1]).all())
    if by_name or by_range:
        why = "latitudes go beyond 90 degrees" if by_range else "their names say so"
        raise InputError(
            f"“{columns.x}” and “{columns.y}” are swapped: {why}. Choose “{columns.y}” for the longitude (x) and "
            f"“{columns.x}” for the latitude (y).",
            code="coordinates-swapped",
            column=columns.x,
        )


def _check_distinct(points: np.ndarray, ids: np.ndarray) -> None:
    """Raises InputError where two areas share a point, to the millimetre."""
    frame = pd.DataFrame(points.round(3))
    again = frame.duplicated(keep=False).to_numpy()
    if again.any():
        at_point = (frame == frame[again].iloc[0]).all(axis=1).to_numpy()
        named = " and ".join(f"“{name[:40]}”" for name in ids[at_point][:2])
        raise InputError(
            f"{int(again.sum()):,} areas share their point with another, such as {named} ({rows(at_point)}). "
            "Merge areas at one place, or give each its own coordinates.",
            code="coordinates-repeat",
        )


def _on_one_line(points: np.ndarray) -> bool:
    spread = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    return len(spread) < 2 or bool(spread[1] <= 1e-9 * spread[0])
