"""Records in an engine written to a file, streamed: rows pass through a batch at a time and are not kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, BinaryIO, Literal

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.reading.records.draws import content, hash_of
from anonlib.reading.records.engines import as_key, beside, cell_text, fetched, in_order
from anonlib.reading.records.joins import texts_of
from anonlib.reading.records.names import unused_name
from anonlib.reading.records.refusals import refusal
from anonlib.reading.records.turns import turn

if TYPE_CHECKING:
    import ibis.expr.types as ir

_OF_HASH = 16  # digits that are sorted by, since a whole hash is longer than most rows
_BATCH = 1 << 17  # rows
ENDED = (
    "The database gave another number of records than it had counted before: the table has changed, or another query "
    "cut the release off. Open the table again, and make the release again."
)
Kind = Literal["CSV", "Parquet"]


def write(
    table: ir.Table,
    file: BinaryIO,
    kind: Kind,
    secret: bytes,
    names: Mapping[str, str],
    numbers: Mapping[str, str],
    progress: Progress,
) -> None:
    """Write the cells of a table to a file, in an order that nobody can tell without the secret.

    Rows stand in the order of a keyed hash of what they hold: that of the table is gone, and the same rows with the
    same secret stand in the same order again.

    Parameters
    ----------
    table : ir.Table
        The records.
    file : BinaryIO
        What is written to.
    kind : Kind
        "CSV" (UTF-8, missing cells empty, texts in quotation marks) or "Parquet" (missing cells NULL).
    secret : bytes
        The key of the order.
    names : Mapping[str, str]
        By column what it is called in the file, if not as here.
    numbers : Mapping[str, str]
        By column "int64" or "float64", where its texts are to be written as such numbers; the others are text.
    progress : Progress
        Called with the share that is written, 0 to 1, and may raise to end it.

    Raises
    ------
    InputError
        When the engine ends, or gives other rows than it counts, or the file cannot be written.
    """
    released = in_drawn_order(table, secret, names, numbers)
    schema = released.schema().to_pyarrow()
    options = pa_csv.WriteOptions(eol="\r\n")
    expected = n_rows(released)
    written = 0
    try:
        writer = (
            pa_csv.CSVWriter(file, schema, write_options=options) if kind == "CSV" else pq.ParquetWriter(file, schema)
        )
        with turn(released), writer:
            for batch in _batches(released, schema):
                writer.write_batch(batch)
                written += len(batch)
                progress(written / max(expected, written))
    except OSError:
        raise InputError(
            "The release could not be written. Check the folder, and that there is room in it.",
            code="file-not-writable",
        ) from None
    if written != expected:
        raise InputError(ENDED, code="ended")


def in_drawn_order(table: ir.Table, secret: bytes, names: Mapping[str, str], numbers: Mapping[str, str]) -> ir.Table:
    """The rows that leave, wherever they are written to: their names, types and order.

    ``secret`` is the key of the order, ``names`` has by column what it is called there, if not as here, and ``numbers``
    "int64" or "float64" by column whose texts are such numbers; the others are text.
    """
    order = unused_name("order", table.columns)
    cells = table.select(**{name: cell_text(table[name]) for name in table.columns})
    key = hash_of(content(cells, table.columns), secret).substr(0, _OF_HASH)
    ordered = cells.mutate(**{order: in_order(key)}).order_by(order)
    typed = {name: _as_number(ordered[name], numbers.get(name)) for name in table.columns}
    return ordered.select(**{names.get(name, name): cell for name, cell in typed.items()})


def _as_number(text: ir.Column, kind: str | None) -> ir.Column:
    """The numbers of texts, which PostgreSQL reads as whole ones only where they have no point."""
    return text if kind is None else text.cast("float64").cast(kind)


def n_rows(table: ir.Table) -> int:
    """How many rows a table has. Raises InputError as :func:`anonlib.reading.records.engines.fetched` does."""
    return int(fetched(table.aggregate(n=table.count()))["n"][0].as_py())


def _batches(table: ir.Table, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The rows of a table, some at a time. Raises InputError when the engine ends, without its own words."""
    try:
        for batch in table.to_pyarrow_batches(chunk_size=_BATCH):
            yield batch.cast(schema)
    except Exception as error:
        raise refusal(error) from None


def with_texts_replaced(
    table: ir.Table, column: str, texts: Mapping[str, str], *, others_stay: bool = True
) -> ir.Table:
    """The table with some texts of a column replaced by others; its other texts stay, or are missing where not."""
    key, new = unused_name("key", table.columns), unused_name("text", table.columns)
    sent = beside(table, texts_of({key: [*texts], new: [*texts.values()]}))
    cells = table.mutate(**{column: cell_text(table[column])})
    both = cells.left_join(sent, as_key(cells[column]) == sent[key])
    replaced = {name: cells[name] for name in table.columns}
    return both.select(**{**replaced, column: sent[new].coalesce(cells[column]) if others_stay else sent[new]})


def different_texts(table: ir.Table, column: str, most: int) -> list[str] | None:
    """The different texts of a column, missing cells aside; None where they are more than so many."""
    cells = table.select(text=cell_text(table[column]))
    texts = fetched(cells.filter(cells["text"].notnull()).distinct().limit(most + 1))
    return None if len(texts) > most else texts["text"].to_pylist()


def texts_like(table: ir.Table, column: str, pattern: str, most: int) -> Sequence[str] | None:
    """The different texts of a column in which a pattern is found; None where they are more than so many."""
    cells = table.select(text=cell_text(table[column]))
    texts = fetched(cells.filter(cells["text"].re_search(pattern)).distinct().limit(most + 1))
    return None if len(texts) > most else texts["text"].to_pylist()
