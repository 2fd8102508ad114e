"""What an engine says that it cannot do, as a sentence: by the kind of its error, never by its words.

An engine's words may quote a cell, a path or a password. The kinds of its errors have fixed names: classes of DuckDB's
driver, the SQLSTATE of PostgreSQL, conditions of Spark, which have a SQLSTATE too, and classes of its Java.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Literal

from anonlib.basics.errors import InputError

_Kind = Literal[
    "memory", "space", "files", "permission", "read only", "busy", "time", "connection", "changed", "operation",
    "length", "value",
]  # fmt: skip

_OF_STATE: dict[str, _Kind] = {  # by all five signs of a SQLSTATE, else by the first two, its class
    "53100": "space",
    "53200": "memory",
    "53400": "space",  # PostgreSQL's limit of temporary files
    "53": "busy",
    "42501": "permission",
    "28": "permission",
    "25006": "read only",
    "25P03": "time",
    "25P04": "time",
    "57014": "time",
    "HY008": "time",  # Spark's, of an operation that was cancelled
    "57": "connection",
    "08": "connection",
    "40": "busy",
    "55": "busy",
    "3F000": "changed",
    "42P01": "changed",
    "42703": "changed",
    "42704": "changed",
    "42K03": "changed",  # Spark's, of a path
    "0A": "operation",
    "42804": "operation",
    "42846": "operation",
    "42883": "operation",
    "42K09": "operation",  # Spark's, of a type
    "54": "length",
    "22": "value",
    "58": "files",
    "KD001": "files",  # Spark's
}
_OF_CLASS: dict[str, _Kind] = {
    "duckdb.OutOfMemoryException": "memory",
    "duckdb.PermissionException": "permission",
    "duckdb.IOException": "files",
    "duckdb.ConnectionException": "connection",
    "duckdb.InterruptException": "time",
    "duckdb.TransactionException": "busy",
    "duckdb.CatalogException": "changed",
    "duckdb.BinderException": "operation",
    "duckdb.NotImplementedException": "operation",
    "duckdb.InvalidTypeException": "operation",
    "duckdb.TypeMismatchException": "operation",
    "duckdb.ConversionException": "value",
    "duckdb.OutOfRangeException": "value",
    "psycopg.OperationalError": "connection",  # one without a SQLSTATE
    "psycopg.InterfaceError": "connection",
    "py4j.Py4JNetworkError": "connection",
    "java.lang.OutOfMemoryError": "memory",
    "java.lang.StackOverflowError": "length",
    "java.lang.UnsupportedOperationException": "operation",
    "java.io.FileNotFoundException": "changed",
    "java.io.IOException": "files",
    "java.nio.file.NoSuchFileException": "changed",
    "java.nio.file.AccessDeniedException": "permission",
    "java.net.ConnectException": "connection",
    "java.net.SocketException": "connection",
    "java.util.concurrent.TimeoutException": "time",
    "org.apache.hadoop.security.AccessControlException": "permission",
    "org.apache.spark.memory.SparkOutOfMemoryError": "memory",
    "ibis.OperationNotDefinedError": "operation",
    "ibis.TableNotFound": "changed",
    "ibis.UnsupportedBackendType": "operation",
    "ibis.UnsupportedOperationError": "operation",
    "builtins.ConnectionError": "connection",
    "builtins.MemoryError": "memory",
    "builtins.RecursionError": "length",
    "builtins.TimeoutError": "time",
}
# Of an error among rows that stream, Arrow keeps only DuckDB's words, which begin with one of these.
_BEGINNINGS = {
    "Conversion Error: ": "ConversionException",
    "INTERNAL Error: ": "InternalException",
    "INTERRUPT Error: ": "InterruptException",
    "IO Error: ": "IOException",
    "Invalid Input Error: ": "InvalidInputException",
    "Not implemented Error: ": "NotImplementedException",
    "Out of Memory Error: ": "OutOfMemoryException",
    "Out of Range Error: ": "OutOfRangeException",
    "Permission Error: ": "PermissionException",
}
_NAME = re.compile("[A-Za-z][A-Za-z0-9_.]{0,79}")
_MOST_CAUSES = 10


def refusal(error: BaseException) -> InputError:
    """The error to raise, ``from None``, in the place of an engine's.

    Parameters
    ----------
    error : BaseException
        As the driver of the engine, or Ibis, raised it.

    Returns
    -------
    InputError
        Its sentence has what the engine stated that it cannot do, with the name that this kind of error has there, and
        the way out. Of a kind that is not known here it says so; its code is then ``database-silent``.
    """
    kinds = list(_kinds(error))
    kind, name = next(((kind, name) for kind, name in kinds if kind is not None), (None, kinds[-1][1]))
    named = f" ({name})" if _NAME.fullmatch(name) else ""
    match kind:
        case "memory":
            return InputError(
                f"The database says that there is not memory enough{named}. Fewer columns need less; or have it given "
                "more, or start Anonscope with a folder for what does not fit into it.",
                code="database-out-of-memory",
            )
        case "space":
            return InputError(
                f"The database says that there is no room for what it has to write{named}. Fewer columns need less; or "
                "ask the administrator for more room, or for a higher limit of temporary files.",
                code="database-out-of-space",
            )
        case "files":
            return InputError(
                f"The database says that it cannot read or write a file{named}. Check that the files are there as they "
                "were, that it may read them, and that there is room where it writes.",
                code="database-file-error",
            )
        case "permission":
            return InputError(
                f"The database says that Anonscope has not the right to do this{named}. Ask the administrator to let "
                "it read the table and make temporary tables.",
                code="database-not-allowed",
            )
        case "read only":
            return InputError(
                f"The database says that it can only be read{named}, and a recipe needs temporary tables. Count the "
                "records there, and apply the recipe where temporary tables can be made.",
                code="database-read-only",
            )
        case "busy":
            return InputError(
                f"The database says that others use what is needed, or as much as it can give{named}. Try again later.",
                code="database-busy",
            )
        case "time":
            return InputError(
                "The database ended the query: it took longer than is allowed there, somebody stopped it, or another "
                f"part of it failed{named}. Fewer columns take less time; or ask the administrator for more.",
                code="database-time-limit",
            )
        case "connection":
            return InputError(
                f"The connection to the database has ended{named}. Open the table again; where that does not help, ask "
                "the administrator whether the database runs.",
                code="database-connection-lost",
            )
        case "changed":
            return InputError(
                f"The database says that the table, or a column or file of it, is not there any more{named}. Open the "
                "table again.",
                code="database-table-changed",
            )
        case "operation":
            return InputError(
                f"The database says that it cannot do this with these columns{named}. Open the table again in case it "
                "has changed; else leave out columns of unusual types, or have them as text where the records are.",
                code="database-cannot",
            )
        case "length":
            return InputError(
                f"The database says that the query is too long or too deep for it{named}. Choose fewer columns, or "
                "take fewer steps.",
                code="database-query-too-large",
            )
        case "value":
            return InputError(
                f"The database says that there is a value that it cannot read or compute with{named}. Leave out "
                "columns that a query computes, or have them corrected where the records are.",
                code="database-value-refused",
            )
        case None:
            return InputError(
                f"The database stopped for a reason that Anonscope does not know{named}. Try again; if it stops again, "
                "ask the administrator what the database itself says of it.",
                code="database-silent",
            )


def _kinds(error: BaseException) -> Iterator[tuple[_Kind | None, str]]:
    """The kind and name of an error and of what caused it, one behind the other."""
    cause: BaseException | None = error
    for _ in range(_MOST_CAUSES):
        if cause is None:
            return
        yield _kind(cause)
        yield from _java_kinds(getattr(cause, "java_exception", None))
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)


def _kind(error: BaseException) -> tuple[_Kind | None, str]:
    state = getattr(error, "sqlstate", None)
    if isinstance(state, str):  # of psycopg, which has a class for each that it knows
        return _of_state(state), type(error).__name__
    if hasattr(error, "getSqlState"):
        return _of_spark(error, type(error).__name__)
    beginning = next((begin for begin in _BEGINNINGS if str(error).startswith(begin)), "")
    if beginning and isinstance(error, OSError):
        name = _BEGINNINGS[beginning]
        return _OF_CLASS.get(f"duckdb.{name}"), name
    names = [
        f"{error_class.__module__.partition('.')[0].lstrip('_')}.{error_class.__name__}"
        for error_class in type(error).__mro__
    ]
    return next((_OF_CLASS[name] for name in names if name in _OF_CLASS), None), type(error).__name__


def _java_kinds(error: Any) -> Iterator[tuple[_Kind | None, str]]:
    """The same of an exception of Java, which is asked for its parts; it does not answer where Java has ended."""
    with suppress(Exception):
        for _ in range(_MOST_CAUSES):
            if error is None:
                return
            name = error.getClass().getName()
            kind, named = _of_spark(error, name.rpartition(".")[2].rpartition("$")[2])
            yield kind or _OF_CLASS.get(name), named
            error = error.getCause()


def _of_spark(error: Any, otherwise: str) -> tuple[_Kind | None, str]:
    """The kind of an error that may have a condition of Spark, and its name; another one where it has none."""
    with suppress(Exception):
        return _of_state(error.getSqlState() or ""), error.getCondition() or otherwise
    return None, otherwise


def _of_state(state: str) -> _Kind | None:
    return _OF_STATE.get(state) or _OF_STATE.get(state[:2])
