"""The tables that go with the loaded file: the people of its area, the slots of its visits, the areas of its places."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import pandas as pd

from anonlib.analyses.regions import Areas, region_hierarchy
from anonlib.analyses.regions.reading import (
    AreaColumns,
    AreaFile,
    areas_of,
    open_areas,
    suggest_area_column,
    suggest_columns,
)
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.dataset import Dataset
from anonlib.filing.project import NONE, counted_by, read_population
from anonlib.reading.sources import DEFAULT_MARKS, apply_missing_marks, open_source
from ui.server.keeping import forget_uploads
from ui.session import cache, state

_areas_of = cache.remembered(areas_of)
_suggest_area_column = cache.remembered(suggest_area_column)


@dataclass(frozen=True)
class SlotTable:
    """The slots of the Schedules page, as text."""

    DECIDED: ClassVar = {"table": "slots"}

    table: pd.DataFrame | None = None


@dataclass(frozen=True)
class AreaTable:
    """The areas of the Regions page: their file, which of its columns are what, and the coordinate system.

    ``crs`` is of coordinates whose file does not say, as the officer does.
    """

    DECIDED: ClassVar = {"file": "areas", "columns": "columns of the areas", "crs": "coordinate system"}

    file: AreaFile | None = None
    columns: AreaColumns | None = None
    crs: str | None = None


def load_population(data: bytes, name: str) -> None:
    """Read a population table; a weight column is taken as an opened project has it, or by its suggestion.

    Raises InputError, and then the population table that was loaded stays.
    """
    table = read_population(data, name)
    decided = state.session().project.population
    if decided is not None and decided.digest == table.digest and decided.weight in {NONE, *table.columns}:
        table = counted_by(table, decided.weight)
    _take_population(table)
    forget_uploads()


def count_population_by(weight: str) -> None:
    """Take another column of the population table as its number of people; NONE: each row is one person.

    Raises InputError where it holds no counts, and then it is counted as before.
    """
    table = state.session().population
    assert table is not None
    _take_population(counted_by(table, weight))


def _take_population(table: Dataset) -> None:
    now = state.session()
    paired = [earlier.digest for earlier in (now.population, now.project.population) if earlier is not None]
    if table.digest not in paired:
        now.population_columns = {}
    now.population = table


def forget_population() -> None:
    """Let the population table go."""
    now = state.session()
    now.population, now.project = None, replace(now.project, population=None, population_columns={})


def pair_population(column: str, other: str) -> None:
    """Say which column of the population table a column of the file is; NONE: none."""
    state.session().population_columns = {**state.session().population_columns, column: other}


def load_slots(data: bytes, name: str) -> None:
    """Read a table of slots as text, missing cells None. Raises InputError, and then the one that was there stays."""
    frame = apply_missing_marks(open_source(data, name).frame, DEFAULT_MARKS)
    state.change_part(SlotTable, table=frame.astype(object).where(frame.notna(), None))
    forget_uploads()


def load_areas(data: bytes, name: str) -> None:
    """Open a file of areas with the columns it suggests, or an opened project has for it.

    Raises InputError, and then those that were loaded stay.

    Where none were, a file that does not do with these columns is taken: the officer chooses others.
    """
    file = open_areas(data, name)
    columns, crs = suggest_columns(file), None
    decided = state.session().project.areas
    if decided is not None and decided.digest == file.digest:
        columns, crs = decided.columns or columns, decided.crs
    if _areas_do():
        areas_of(file, columns, crs)
    state.change_part(AreaTable, file=file, columns=columns, crs=crs)
    forget_uploads()


def forget_areas() -> None:
    """Let the areas go."""
    state.session().project = replace(state.session().project, areas=None)
    state.change_part(AreaTable, file=None, columns=None, crs=None)


def _areas_do() -> bool:
    return _areas_that_do() is not None


def _areas_that_do() -> Areas | None:
    try:
        return areas()
    except InputError:
        return None


def areas() -> Areas | None:
    """The areas of the session, or None without a file of areas. Raises InputError where its columns do not do."""
    table = state.part(AreaTable)
    if table.file is None or table.columns is None:
        return None
    return _areas_of(table.file, columns=table.columns, crs=table.crs)


def area_column(data: Dataset) -> str | None:
    """The known column that names the areas of the session; None without areas or such a column."""
    known_areas = _areas_that_do()
    column = None if known_areas is None else _suggest_area_column(known_areas, data)
    return column if column in data.quasi_identifiers else None


def regions_of_places(data: Dataset) -> dict[str, Hierarchy]:
    """By the column that names the areas of the session, the regions that these can be joined to; else empty."""
    areas, column = _areas_that_do(), area_column(data)
    return {} if areas is None or column is None else {column: _regions(areas, data, column=column)}


@cache.remembered
def _regions(areas: Areas, data: Dataset, *, column: str) -> Hierarchy:
    return region_hierarchy(areas, data, column)
