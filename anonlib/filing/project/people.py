"""The population table that goes with a file: how its people are counted, and which of its columns are the file's."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from anonlib.columns.identifiers import pair_columns
from anonlib.columns.roles import Role, suggest_roles
from anonlib.dataset import Dataset
from anonlib.reading.records import FrameRecords
from anonlib.reading.sources import DEFAULT_MARKS, apply_missing_marks, open_source

NONE = ""
"""No column: none is called so."""


def read_population(data: bytes, name: str, weight: str | None = None) -> Dataset:
    """Read a population table.

    Parameters
    ----------
    data : bytes
        The file's bytes.
    name : str
        What the file is called.
    weight : str, optional
        The column that counts people; :data:`NONE` where each row is one person. As suggested when left out, or where
        the table has no such column.

    Returns
    -------
    Dataset

    Raises
    ------
    InputError
        When it cannot be read, or its people cannot be counted by that column.
    """
    source = open_source(data, name)
    frame = apply_missing_marks(source.frame, DEFAULT_MARKS)
    if weight is None or weight not in {NONE, *frame.columns}:
        weight = next((each.column for each in suggest_roles(frame) if each.role is Role.WEIGHT), NONE)
    return counted_by(Dataset(source.name, source.digest, FrameRecords(frame), prepared="population"), weight)


def counted_by(table: Dataset, weight: str) -> Dataset:
    """The table with its people counted by a column; :data:`NONE`: each row is one person.

    Parameters
    ----------
    table : Dataset
        The population table.
    weight : str
        The column of counts, or :data:`NONE`.

    Returns
    -------
    Dataset

    Raises
    ------
    InputError
        Where the column holds no counts.
    """
    counted = table.with_roles({} if weight == NONE else {weight: Role.WEIGHT})
    counted.classes([])
    return counted


def paired(data: Dataset, table: Dataset, chosen: Mapping[str, str]) -> dict[str, str]:
    """For each column of the file, the population table's that is it: as chosen, else by its name; else NONE.

    Parameters
    ----------
    data : Dataset
        The file.
    table : Dataset
        The population table.
    chosen : Mapping[str, str]
        By column of the file, that of the population table, where one was chosen.

    Returns
    -------
    dict[str, str]
    """
    offered = [name for name in table.columns if name != table.weight]
    suggested = pair_columns(data.columns, offered)
    pairs = {name: chosen.get(name, suggested.get(name, NONE)) for name in data.columns}
    return {name: other if other in offered else NONE for name, other in pairs.items()}


def under_names(table: Dataset, *, pairs: tuple[tuple[str, str], ...]) -> Dataset:
    """The population table under the file's names of columns, without those that the file does not have.

    Parameters
    ----------
    table : Dataset
        The population table.
    pairs : tuple[tuple[str, str], ...]
        Columns of the file, each with that of the table.

    Returns
    -------
    Dataset
    """
    columns = {name: table.records[other] for name, other in pairs if NONE != other != table.weight}
    if table.weight is not None:
        columns[table.weight] = table.records[table.weight]
    frame = pd.DataFrame(columns, index=table.records.index)
    return table.with_frame(frame, f" with {pairs}")
