"""The tables of a release whose records stay in an engine, each as it leaves, and a zip that they are written into."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, BinaryIO, cast

from anonlib.dataset import Dataset
from anonlib.reading.records import TableRecords
from anonlib.reading.records.layout import Layout, TablePlace

if TYPE_CHECKING:
    import ibis.expr.types as ir

Leaving = tuple[str, "ir.Table", dict[str, str]]
_MADE = (1980, 1, 1, 0, 0, 0)  # of members of a zip: the same release is the same bytes


def tables_that_leave(held: TableRecords, released: Dataset, secret: bytes) -> Iterator[Leaving]:
    """The tables of a release, one after the other.

    Parameters
    ----------
    held : TableRecords
        The records of all tables, with what names persons in the release.
    released : Dataset
        What is to leave.
    secret : bytes
        Decides the numbers that are keys between tables.

    Yields
    ------
    tuple of str, Table and dict
        The table's name, its rows under the names of its file, and by these names of the records.
    """
    layout = released.tables
    assert layout is not None
    is_linked = released.person_id in released.columns
    for place in layout.tables:
        if place.key and is_linked:
            held = held.renumber(place.row, hashlib.sha256(secret + place.name.encode()).digest())
    for place in layout.files:
        columns = {name: column for name in place.file_columns if (column := _column_of(name, place, layout, released))}
        rows = held.table.filter(held.cell(layout.table) == place.name)
        yield place.name, rows.select(**{name: rows[column] for name, column in columns.items()}), columns


def _column_of(name: str, place: TablePlace, layout: Layout, released: Dataset) -> str:
    """The column of the records that a column of a table's file is; "" where it does not leave."""
    person = layout.person if released.person_id in released.columns else ""
    if name == place.key:
        return place.row if person else ""
    if name == place.parent_column and layout.by_name[place.parent].key:
        return layout.by_name[place.parent].row if person else ""
    if name in (place.person, place.parent_column):
        return person
    column = place.named[name]
    return column if column in released.columns else ""


class Archive:
    """A zip whose members are written one after the other, as they come."""

    def __init__(self, file: BinaryIO) -> None:
        self._zip = zipfile.ZipFile(file, "w")

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def member(self, name: str) -> Member:
        """A file in it, to be written and closed before the next one."""
        info = zipfile.ZipInfo(name, _MADE)
        info.compress_type = zipfile.ZIP_DEFLATED
        return Member(self._zip.open(info, "w", force_zip64=True))


class Member:
    """A file of an archive: writers ask where they are, which one of a zip does not say."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._at = file, 0

    closed = False

    def __enter__(self) -> BinaryIO:
        return cast(BinaryIO, self)

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, data: bytes) -> int:
        """Write some bytes; gives how many."""
        self._at += self._file.write(data)
        return len(data)

    def tell(self) -> int:
        """How many bytes were written."""
        return self._at

    def flush(self) -> None:
        """What is written goes out with the zip."""

    def close(self) -> None:
        """A writer that is done leaves the member open until it is left."""
