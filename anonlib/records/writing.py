"""Records in an engine written to a file, streamed: no row comes here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from anonlib.errors import InputError
from anonlib.records.cells import as_key, cell_text, fetched
from anonlib.records.draws import content, hash_of
from anonlib.records.joins import texts_of
from anonlib.records.names import unused_name

if TYPE_CHECKING:
    import ibis.expr.types as ir

_OF_HASH = 16  # digits that are sorted by, since a whole hash is longer than most rows
Kind = Literal["CSV", "Parquet"]


def write(
    table: ir.Table, path: Path, kind: Kind, secret: bytes, names: Mapping[str, str], numbers: Mapping[str, str]
) -> None:
    """Write the cells of a table to a file, in an order that nobody can tell without the secret.

    Rows stand in the order of a keyed hash of what they hold: that of the table is gone, and the same rows with the
    same secret stand in the same order again.

    Parameters
    ----------
    table
        The records.
    path
        Where the file goes; what is there is replaced.
    kind
        "CSV" (UTF-8, missing cells empty) or "Parquet" (missing cells NULL).
    secret
        The key of the order.
    names
        By column what it is called in the file, if not as here.
    numbers
        By column "int64" or "float64", where its texts are to be written as such numbers; the others are text.

    Raises
    ------
    InputError
        When the engine cannot write there.
    """
    place = str(path)
    if "'" in place or "\\" in place:
        raise InputError(
            "A file can only be written to a path without quotation marks and backslashes. Choose another."
        )
    order = unused_name("order", table.columns)
    cells = table.select(**{name: cell_text(table[name]) for name in table.columns})
    key = hash_of(content(cells, table.columns), secret).substr(0, _OF_HASH)
    ordered = cells.mutate(**{order: key}).order_by(order)
    typed = {name: ordered[name].cast(numbers[name]) if name in numbers else ordered[name] for name in table.columns}
    released = ordered.select(**{names.get(name, name): cell for name, cell in typed.items()})
    try:
        released.to_csv(place) if kind == "CSV" else released.to_parquet(place)
    except Exception:
        raise InputError(
            "The release could not be written. Check the folder, that there is room in it, and that the table is still "
            "there as it was."
        ) from None


def with_texts_replaced(table: ir.Table, column: str, texts: Mapping[str, str]) -> ir.Table:
    """The table with some texts of a column replaced by others, all else as it is."""
    import ibis

    key, new = unused_name("key", table.columns), unused_name("text", table.columns)
    beside = ibis.memtable(texts_of({key: [*texts], new: [*texts.values()]}))
    cells = table.mutate(**{column: cell_text(table[column])})
    both = cells.left_join(beside, as_key(cells[column]) == beside[key])
    replaced = {name: cells[name] for name in table.columns}
    return both.select(**{**replaced, column: beside[new].coalesce(cells[column])})


def texts_like(table: ir.Table, column: str, pattern: str, most: int) -> Sequence[str] | None:
    """The different texts of a column in which a pattern is found; None where they are more than so many."""
    cells = table.select(text=cell_text(table[column]))
    found = fetched(cells.filter(cells["text"].re_search(pattern)).distinct().limit(most + 1))
    return None if len(found) > most else found["text"].to_pylist()
