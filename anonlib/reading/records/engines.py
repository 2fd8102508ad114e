"""What engines write or compare differently, put so that the answer is one: floats, texts, moments, hashes.

DuckDB compares texts by their bytes and writes floats as Python does. Other engines are not trusted to: PostgreSQL and
Spark compare by the collation of a column, which may merge “a” with “A”, and write floats as ``1`` and ``1.0E7``. At
the end cells of an engine become text: this is the one place where values of a table become what a CSV file of it would
hold.
"""

from __future__ import annotations

import logging
import weakref
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pyarrow as pa

from anonlib.reading.records.refusals import refusal
from anonlib.reading.records.turns import turn

if TYPE_CHECKING:
    import ibis.expr.types as ir


PLAIN = "duckdb"
"""The engine of files, whose texts are distinguished by their bytes and whose floats are Python's."""
_POSTGRES = "postgres"
_SPARK = "pyspark"
_GONE = "_anonscope_gone"  # of a connection: names of what nothing refers to any more
_WIDEST = 16  # digits before the point from which on Python writes an exponent


def engine_of(column: ir.Expr) -> str:
    """The name that Ibis has for the engine of an expression; DuckDB's for one that is of no engine."""
    return column.get_backend().name


def without_collation(text: ir.StringValue) -> ir.StringValue:
    """A text that is grouped, joined and sorted by its bytes, whatever the collation of the column that it is of.

    Made of bytes again it has forgotten the column's collation. PostgreSQL gives it "C", that of the encoding's name;
    with it goes the padding of a ``char(5)``, which is no part of the value there.
    """
    match engine_of(text):
        case "duckdb":
            return text
        case "postgres":
            return _postgres_text(text)
        case "pyspark":
            encoded = _function("encode", "binary", "string", "string")(text, "UTF-8")
            return _function("decode", "string", "binary", "string")(encoded, "UTF-8")
    return text


def comparable(sent: ir.Value, key: ir.Value) -> ir.Value:
    """A value sent to the engine of a key as it can be compared there: PostgreSQL has arrays of two kinds of text."""
    kind = sent.type()
    arrays = kind.is_array() and kind.value_type.is_string() and engine_of(key) == _POSTGRES
    return sent.map(_postgres_text) if arrays else sent


def make_ready(database: Any) -> None:
    """Set a new connection as queries need it, and so that nothing here logs a cell."""
    if database.name == _POSTGRES:  # it expects a row of a join by computed texts, and would look at all pairs
        database.raw_sql("SET enable_nestloop = off")
        database.con.commit()
    if database.name == _SPARK:  # its logs quote the cells that an error is about
        from pyspark.logger import PySparkLogger

        PySparkLogger.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL + 1)
        with suppress(Exception):  # else what is kept stays in as many pieces as a join had
            database._session.conf.set("spark.sql.optimizer.canChangeCachedPlanOutputPartitioning", "true")
        with suppress(Exception):  # of Spark elsewhere: what that logs is its own
            database._session.sparkContext.setLogLevel("OFF")


def beside(table: ir.Table, small: pa.Table) -> ir.Table:
    """A small table that was made here, in the engine of a table, to join them.

    Spark gets it as Arrow: Ibis would have it pickle one row after the other, and there a list of numbers is not read.
    It goes when nothing refers to it any more, with the next one that is sent.

    Raises
    ------
    InputError
        When the engine does not take it.
    """
    import ibis

    if engine_of(table) != _SPARK:
        return ibis.memtable(small)
    database, name = table.get_backend(), f"sent_{uuid4().hex}"
    gone: list[str] = vars(database).setdefault(_GONE, [])
    try:
        with turn(table):
            while gone:
                _drop(database, gone.pop())
            database._session.createDataFrame(small).createOrReplaceTempView(name)
            sent = database.table(name)
    except Exception as error:
        raise refusal(error) from None
    weakref.finalize(sent.op(), gone.append, name)
    return sent


def rows_of(expression: ir.Table) -> pa.Table:
    """The rows of a small result. Spark gives them as Arrow: Ibis would have it pickle one after the other."""
    if engine_of(expression) != _SPARK:
        return expression.to_pyarrow()
    database = expression.get_backend()
    rows = database._session.sql(database.compile(expression))
    if not hasattr(rows, "toArrow"):  # before Spark 4
        return expression.to_pyarrow()
    return rows.toArrow().cast(expression.schema().to_pyarrow())


def named(table: ir.Table, kept: bool = False) -> ir.Table:
    """A table under a name of its own where the engine is quick to give one: a query of many steps is then short.

    Parameters
    ----------
    table : ir.Table
        What was made by a step.
    kept : bool, default False
        Whether it is kept in the engine's memory, so that no count takes the steps again. It goes when nothing refers
        to it any more, with the next one that is named.
    """
    engine = engine_of(table)
    if not (engine == PLAIN or (kept and engine in (_POSTGRES, _SPARK))):
        return table
    place = "temp.main" if engine == PLAIN else None
    database, name = table.get_backend(), f"records_{uuid4().hex}"
    gone: list[str] = vars(database).setdefault(_GONE, [])
    try:
        with turn(table):
            while gone:
                _drop(database, gone.pop())
            if engine == _SPARK:
                new_table = _kept_in_spark(database, name, table)
            elif not kept:
                return database.create_view(name, table, database=place)
            else:
                new_table = database.create_table(name, table, temp=True)
            if engine == _POSTGRES:
                database.raw_sql(f'ANALYZE "{name}"')
                database.con.commit()
    except Exception:  # what it is made of is gone, as the next query of it says
        return table
    weakref.finalize(new_table.op(), gone.append, name)
    return new_table


def keeps_any(table: ir.Table) -> bool:
    """Whether the engine of a table lets go of what it keeps where its memory ends, so that it may keep any number."""
    return engine_of(table) == _SPARK


def _kept_in_spark(database: Any, name: str, table: ir.Table) -> ir.Table:
    """A temporary view of what Spark computes once and keeps in memory alone: what finds no room is computed again."""
    from pyspark import StorageLevel

    rows = database._session.sql(database.compile(table)).persist(StorageLevel.MEMORY_ONLY)
    rows.createOrReplaceTempView(name)
    return database.table(name)


def _drop(database: Any, name: str) -> None:
    """Drop a table that was made here, and what is kept of it."""
    if database.name == _SPARK:
        database._session.catalog.dropTempView(name)
    else:
        database.drop_table(name, database="temp.main" if database.name == PLAIN else None, force=True)


def may_merge(column: ir.Value) -> bool:
    """Whether values of a column can be equal to the engine that are different texts."""
    kind = column.type()
    return engine_of(column) != PLAIN and not (kind.is_integer() or kind.is_boolean() or kind.is_date())


def in_order(text: ir.StringValue) -> ir.Value:
    """What sorts by a text's bytes: a collation may sort numbers in it by their size."""
    return _postgres_bytes(text) if engine_of(text) == _POSTGRES else text


def sha256(text: ir.StringValue) -> ir.StringValue:
    """The SHA-256 of a text in UTF-8, as 64 hexadecimal digits."""
    if engine_of(text) != _POSTGRES:
        return text.hexdigest("sha256")
    digest = _function("sha256", "binary", "binary")(_postgres_bytes(text))
    return _function("encode", "string", "binary", "string")(digest, "hex")


def float_text(number: ir.FloatingColumn) -> ir.StringValue:
    """A float as Python writes it, the fewest digits that read back: ``1.0``, ``0.0001``, ``1e+16``, ``inf``.

    From 2**53 on, where not every whole number is a float, other engines than DuckDB may write a digit more.
    """
    text = number.cast("string")
    return text if engine_of(number) == PLAIN else without_collation(_as_python_writes(text.lower()))


def _as_python_writes(text: ir.StringValue) -> ir.StringValue:
    """Texts such as ``1``, ``-0.5``, ``1.5e+15``, ``1.0e7``, ``infinity`` of floats."""
    import ibis

    sign = text.startswith("-").ifelse("-", "")
    has_power = text.contains("e")
    power = has_power.ifelse(text.re_replace("^[^e]*e", ""), None).cast("int32")
    digits = text.re_replace("e.*$", "").re_replace("[-.]", "").re_replace("0+$", "")
    padded, rest = digits + "0" * _WIDEST, digits.substr(power + 1)
    whole = padded.substr(0, power + 1) + "." + (rest == "").ifelse("0", rest)
    digits_pointed = (digits.length() > 1).ifelse(digits.substr(0, 1) + "." + digits.substr(1), digits)
    size = power.abs().cast("string")
    two = (size.length() < 2).ifelse("0", "") + size
    return ibis.cases(
        (text.contains("inf"), sign + "inf"),
        (~has_power, text.contains(".").ifelse(text, text + ".0")),
        ((power >= 0) & (power < _WIDEST), sign + whole),
        (power == -4, sign + "0.000" + digits),
        else_=sign + digits_pointed + "e" + (power < 0).ifelse("-", "+") + two,
    )


def moment_text(moment: ir.TimestampColumn) -> ir.StringValue:
    """A moment as ``2024-02-28 09:30:00.5``; one that has a time zone in UTC, with ``+00`` behind it."""
    text = moment.cast("string")
    match engine_of(moment):
        case "postgres":  # which writes it as the server is set to
            text = moment.strftime("%Y-%m-%d %H:%M:%S.%f").re_replace("[.]?0+$", "")
        case "duckdb":
            return text
    return without_collation(text if moment.type().timezone is None else text + "+00")


def date_text(date: ir.DateColumn) -> ir.StringValue:
    """A date as ``2024-02-28``."""
    of_postgres = engine_of(date) == _POSTGRES  # which writes it as the server is set to
    return without_collation(date.strftime("%Y-%m-%d") if of_postgres else date.cast("string"))


def _postgres_text(text: ir.StringValue) -> ir.StringValue:
    return _function("convert_from", "string", "binary", "string")(_postgres_bytes(text), "UTF8")


def _postgres_bytes(text: ir.StringValue) -> ir.BinaryValue:
    return _function("convert_to", "binary", "string", "string")(text, "UTF8")


@cache
def _function(name: str, result: str, *arguments: str) -> Any:
    """A function of the engine that Ibis does not know, of one argument or two."""
    import ibis

    named = (lambda of: None) if len(arguments) == 1 else (lambda of, how: None)
    return ibis.udf.scalar.builtin(named, name=name, signature=(arguments, result))


# Characters 9 to 13 as a range: Spark would take the eleventh, written as an escape, for the letter v.
_BLANK = "\t-\r" + "".join(map(chr, (*range(28, 33), 133, 160, 5760, *range(8192, 8203), 8232, 8233, 8239, 8287)))
_INK = f"[^{_BLANK}{chr(12288)}]"  # a character that Python takes for no blank
_NUMBER = "^ *[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,2})? *$"  # which no engine refuses to read


def cell_text(column: ir.Column) -> ir.StringColumn:
    """A column as text; NULL, not-a-number and texts of only blanks are NULL.

    Blanks around other characters stay, as does each Unicode form: what looks alike is merged only by choice, and not
    by the collation of a column. Numbers are written as Python writes them: ``1.0``, ``1e+16``, ``1.50`` for a decimal.
    """
    kind = column.type()
    if kind.is_string():
        text = without_collation(column)
        return text.re_search(_INK).ifelse(text, None)
    if kind.is_floating():
        return float_text(column.isnan().ifelse(None, column))
    if kind.is_timestamp():
        return moment_text(column)
    if kind.is_date():
        return date_text(column)
    text = without_collation(column.cast("string"))
    if kind.is_time() and engine_of(column) == PLAIN:
        return text.re_replace("[+]00$", "")  # of times in UTC: files do not say that they are
    return text.nullif("NaN") if kind.is_decimal() else text


def countable(column: ir.Column) -> ir.Column:
    """A column as it can be grouped by before its values become text, which is quicker and gives the same values.

    It cannot where equal values have different texts: zero and minus zero, decimals that keep the zeros at their end
    each for itself, texts of a collation.
    """
    kind = column.type()
    several = kind.is_floating() or (kind.is_decimal() and kind.scale is None)
    return cell_text(column) if several or may_merge(column) else column


def can_go_by_value(column: ir.Column) -> bool:
    """Whether :func:`text_of_value` says what DuckDB says: of whole numbers and of texts.

    It gives values sooner than their texts. Other engines compare texts otherwise, or give whole numbers as floats
    where some are missing.
    """
    kind = column.type()
    return engine_of(column) == PLAIN and (kind.is_integer() or kind.is_string())


def text_of_value(value: str | int | None) -> str | None:
    """The text of a fetched value, as :func:`cell_text` has it; None where it is missing."""
    text = None if value is None else str(value)
    return text if text and not text.isspace() else None


def number_of(column: ir.Column) -> ir.Column:
    """The numbers of a column, NULL where a text is none."""
    if column.type().is_numeric() and not column.type().is_boolean():
        return column if column.type().is_integer() else column.cast("float64")
    text = cell_text(column)
    return text.re_search(_NUMBER).ifelse(text, None).cast("float64")


def as_key(text: ir.StringColumn) -> ir.StringColumn:
    """A cell's text to join by: missing ones, which equal nothing, are blank; no other cell is."""
    return text.coalesce("")


def fetched(expression: ir.Table) -> pa.Table:
    """The rows of a small result.

    Raises
    ------
    InputError
        When the engine gives none: what it says that it cannot do, as :func:`refusal` has it.
    """
    try:
        with turn(expression):
            return rows_of(expression)
    except Exception as error:
        raise refusal(error) from None
