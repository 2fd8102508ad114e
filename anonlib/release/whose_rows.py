"""Whose row it is: what is doubtful about the ids of persons of a data set, which stands beside each k."""

from __future__ import annotations

from anonlib.columns.person_ids import IdDoubts, id_column, id_doubts
from anonlib.dataset import Dataset
from anonlib.reading.ids import IdsRead


def doubts_of(data: Dataset, person: str | None = None, read: IdsRead | None = None) -> IdDoubts | None:
    """What is doubtful about the ids of persons of a data set.

    Parameters
    ----------
    data : Dataset
        The records, with their roles.
    person : str, optional
        The column by which persons are to be counted, where no column has that role.
    read : IdsRead, optional
        How ids are read, where that is otherwise than they stand there.

    Returns
    -------
    IdDoubts or None
        None where no column is one of ids by its role or name, and where each row is a person by its number.
    """
    if data.tables is not None and data.tables.rows_are_persons:
        return None
    person = data.person_id or person
    named = read.column if read is not None and read.changes and read.column in data.columns else None
    column = person or named or id_column(data.held, data.columns, None, data.described)
    if column is None:
        return None
    apart = () if data.tables is None else data.tables.hidden
    return data.once(
        ("doubts of ids", data.digest, data.prepared, column, person),
        lambda: id_doubts(
            data.held,
            column,
            counts=person is not None,
            described=data.described,
            apart=apart,
            one_table=data.tables is None,
        ),
    )
