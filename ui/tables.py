"""The tables that go with the loaded file: the people of its area, the slots of its visits, the areas of its places."""

from __future__ import annotations

import pandas as pd

from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.identifiers import pair_columns
from anonlib.regions import Areas
from anonlib.regions.reading import areas_of, open_areas, suggest_columns
from anonlib.roles import Role, suggest_roles
from anonlib.sources import DEFAULT_MARKS, apply_missing_marks, open_source
from ui import cache, state
from ui.server.keeping import forget_uploads

NONE = ""  # no column is called so


def load_population(data: bytes, name: str) -> None:
    """Read a population table; a weight column is taken by its suggestion.

    Raises InputError, and then the population table that was loaded stays.
    """
    source = open_source(data, name)
    frame = apply_missing_marks(source.frame, DEFAULT_MARKS)
    weights = [s.column for s in suggest_roles(frame) if s.role == Role.WEIGHT]
    table = Dataset(source.name, source.digest, frame, prepared="population")
    _take_population(table, weights[0] if weights else NONE)
    forget_uploads()


def count_population_by(weight: str) -> None:
    """Take another column of the population table as its number of people; NONE: each row is one person.

    Raises InputError where it holds no counts, and then it is counted as before.
    """
    table = state.session().population
    assert table is not None
    _take_population(table, weight)


def _take_population(table: Dataset, weight: str) -> None:
    counted = table.with_roles({} if weight == NONE else {weight: Role.WEIGHT})
    counted.classes([])  # an unusable weight column is refused here
    state.session().population = counted


def forget_population() -> None:
    state.session().population = None


def population_pairs() -> dict[str, str]:
    """For each column of the file, the population table's that is it: as chosen, else by its name; else NONE."""
    table, data = state.session().population, state.dataset()
    if table is None or data is None:
        return {}
    offered = [name for name in table.columns if name != table.weight]
    suggested = pair_columns(data.columns, offered)
    return {name: state.setting(pair_of(name), suggested.get(name, NONE), [NONE, *offered]) for name in data.columns}


def pair_of(column: str) -> str:
    """The name of the setting which column of the population table a column of the file is."""
    table = state.session().population
    return f"population-{'' if table is None else table.digest[:12]}-{column}"


def population() -> Dataset | None:
    """The population table under the file's names of columns, without those that the file does not have."""
    table = state.session().population
    pairs = tuple((name, other) for name, other in population_pairs().items() if other != NONE)
    return None if table is None else cache.remember(_under_names, table, pairs=pairs)


def _under_names(table: Dataset, *, pairs: tuple[tuple[str, str], ...]) -> Dataset:
    columns = {name: table.records[other] for name, other in pairs if name != table.weight}
    if table.weight is not None:
        columns[table.weight] = table.records[table.weight]
    frame = pd.DataFrame(columns, index=table.records.index)
    return table.with_frame(frame, f" with {pairs}")


def load_slots(data: bytes, name: str) -> None:
    """Read a table of slots as text, missing cells None. Raises InputError, and then the one that was there stays."""
    frame = apply_missing_marks(open_source(data, name).frame, DEFAULT_MARKS)
    state.session().slots = frame.astype(object).where(frame.notna(), None)
    forget_uploads()


def load_areas(data: bytes, name: str) -> None:
    """Open a file of areas with the columns it suggests. Raises InputError, and then those that were loaded stay.

    Where none were, a file that does not do with these columns is taken: the officer chooses others.
    """
    file = open_areas(data, name)
    columns = suggest_columns(file)
    if _areas_do():
        areas_of(file, columns)
    state.session().areas_file, state.session().area_columns, state.session().area_crs = file, columns, None
    forget_uploads()


def forget_areas() -> None:
    state.session().areas_file = state.session().area_columns = state.session().area_crs = None


def _areas_do() -> bool:
    try:
        return areas() is not None
    except InputError:
        return False


def areas() -> Areas | None:
    """The areas of the session, or None without a file of areas. Raises InputError where its columns do not do."""
    session = state.session()
    if session.areas_file is None or session.area_columns is None:
        return None
    return cache.remember(areas_of, session.areas_file, columns=session.area_columns, crs=session.area_crs)
