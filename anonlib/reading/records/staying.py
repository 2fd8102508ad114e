"""Records in an engine written beside it, a new table in a schema or a folder of Spark: no row comes here."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import count
from threading import Event, Lock
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.reading.records.engines import engine_of
from anonlib.reading.records.refusals import refusal
from anonlib.reading.records.turns import turn
from anonlib.reading.records.writing import ENDED, in_drawn_order, n_rows

if TYPE_CHECKING:
    import ibis.expr.types as ir

_LOOK = 0.1  # seconds between two looks at whether to stop
_NOT_THERE = (
    "The release could not be written beside the table: the place for releases is not there, or Anonscope may not "
    "write to it. Ask the administrator."
)
_OF_THE_PLACE = ("database-table-changed", "database-not-allowed", "database-silent")  # how a place may refuse a table


class _NotMade(Exception):
    """The table could not be made, whatever the reason."""


def write_beside(
    table: ir.Table,
    place: str,
    name: str,
    n_records: int,
    secret: bytes,
    numbers: Mapping[str, str],
    progress: Progress,
) -> str:
    """Write the cells of a table where it is, as :func:`anonlib.reading.records.writing.write` does to a Parquet file.

    The engine writes all by itself. What is there is not replaced, and what is written is there as a whole or, where
    the work ends early, not at all.

    Parameters
    ----------
    table : ir.Table
        The records.
    place : str
        A schema of the database; of Spark a folder, or the address of one.
    name : str
        What the new table (folder) is called; with a number where there is one of that name.
    n_records : int
        How many there are to be.
    secret : bytes
        The key of the order of rows.
    numbers : Mapping[str, str]
        By column "int64" or "float64", where its texts are to be written as such numbers; the others are text.
    progress : Progress
        Is called again and again until it is done, with a share of 0 where that is not known, and may raise to end it.

    Returns
    -------
    str
        The name that it got.

    Raises
    ------
    InputError
        When the place is not there or may not be written to, or the engine ends or has another number of records.
    """
    released = in_drawn_order(table, secret, {}, numbers)
    kinds = {column: numbers.get(column, "string") for column in released.columns}
    writer = _WRITERS[engine_of(table)](table.get_backend(), place)
    running, of_running, stopped = Event(), Lock(), Event()

    def check(n: int) -> None:
        if stopped.is_set() or n != n_records:
            raise InputError(ENDED, code="ended")

    def work() -> str:
        with turn(table):
            running.set()
            try:
                writer.begin()
                check(n_rows(released))  # sends, before anything can be put back, what labels are looked up in
                return _written(writer, released, kinds, name, check)
            finally:
                with of_running:
                    running.clear()

    with ThreadPoolExecutor(1) as pool:
        written = pool.submit(work)
        try:
            while not wait([written], _LOOK).done:
                progress(0.0)
        except BaseException:
            stopped.set()
            while not wait([written], _LOOK).done:
                with of_running, suppress(Exception):
                    if running.is_set():  # else it is another query that would be cancelled
                        writer.cancel()
            if written.exception() is None:  # it was done when it was to end
                with turn(table):
                    writer.remove(written.result())
            raise
    return written.result()


def _written(
    writer: _Writer, released: ir.Table, kinds: Mapping[str, str], name: str, check: Callable[[int], None]
) -> str:
    """The first name that is not taken, under which it is written."""
    try:
        for i in count(1):
            candidate = name if i == 1 else f"{name}_{i}"
            if not writer.has(candidate) and writer.write(released, kinds, candidate, check):
                return candidate
    except InputError:
        raise
    except Exception as error:
        raise refusal(error) from None
    raise AssertionError("names do not end")


class _Writer(ABC):
    """How an engine writes to a place."""

    def __init__(self, database: Any, place: str) -> None:
        self.database, self.place = database, place

    @abstractmethod
    def begin(self) -> None:
        """Called in the thread that does the work, before anything else."""

    @abstractmethod
    def has(self, name: str) -> bool:
        """Whether there is something of that name."""

    @abstractmethod
    def write(self, released: ir.Table, kinds: Mapping[str, str], name: str, check: Callable[[int], None]) -> bool:
        """Write it as a whole, or nothing; ``check`` is asked at last. False where the name has been taken."""

    @abstractmethod
    def cancel(self) -> None:
        """End the statement that another thread waits for."""

    @abstractmethod
    def remove(self, name: str) -> None:
        """Take away what was written."""


class _Tables(_Writer):
    """A database with schemas, whose statements are undone together."""

    def begin(self) -> None:
        pass

    @abstractmethod
    def undone_together(self) -> AbstractContextManager[Any]:
        """Statements of which, at an error, none has happened."""

    def write(self, released: ir.Table, kinds: Mapping[str, str], name: str, check: Callable[[int], None]) -> bool:
        import ibis

        not_made: InputError | None = None
        with suppress(_NotMade), self.undone_together():
            try:
                self.database.create_table(name, schema=ibis.schema(kinds), database=self.place)
            except Exception as error:
                not_made = refusal(error)
                raise _NotMade from None
            self.database.insert(name, released, database=self.place)
            check(n_rows(self.database.table(name, database=self.place)))
        if not_made is not None:
            if self.has(name):
                return False
            raise InputError(_NOT_THERE, code="table-not-readable") if not_made.code in _OF_THE_PLACE else not_made
        return True

    def remove(self, name: str) -> None:
        self.database.drop_table(name, database=self.place)


class _Postgres(_Tables):
    def has(self, name: str) -> bool:
        """Of its owner: what others own is in this list of tables, and not in that of the standard."""
        cursor = self.database.con.execute(
            "select true from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace "
            "where n.nspname = %s and c.relname = %s",
            (self.place, name),
        )
        return cursor.fetchone() is not None

    def undone_together(self) -> AbstractContextManager[Any]:
        return self.database.con.transaction()

    def cancel(self) -> None:
        self.database.con.cancel_safe()


class _DuckDB(_Tables):
    def has(self, name: str) -> bool:
        return name in map(str.lower, self.database.list_tables(database=self.place))

    @contextmanager
    def undone_together(self) -> Iterator[None]:
        self.database.raw_sql("BEGIN TRANSACTION")
        try:
            yield
            self.database.raw_sql("COMMIT")
        except BaseException:
            self.database.raw_sql("ROLLBACK")
            raise

    def cancel(self) -> None:
        self.database.con.interrupt()


class _Spark(_Writer):
    """Folders of Spark's file system, which are written under a name that Spark does not read, and renamed."""

    def __init__(self, database: Any, place: str) -> None:
        super().__init__(database, place)
        self.job = f"release_{uuid4().hex}"

    @property
    def _java(self) -> Any:
        return self.database._session.sparkContext._gateway

    def _path(self, *names: str) -> Any:
        return self._java.jvm.org.apache.hadoop.fs.Path("/".join([self.place, *names]))

    @property
    def _files(self) -> Any:
        context = self.database._session.sparkContext._jsc
        return self._path().getFileSystem(context.hadoopConfiguration())

    def begin(self) -> None:
        """Name what is to be cancelled; a session of Spark Connect has no such names, nor files that can be renamed."""
        try:
            self.database._session.sparkContext.setJobGroup(self.job, "A release")
        except MemoryError:
            raise
        except Exception:
            raise InputError(_NOT_THERE, code="table-not-readable") from None

    def has(self, name: str) -> bool:
        return self._files.exists(self._path(name))

    def write(self, released: ir.Table, kinds: Mapping[str, str], name: str, check: Callable[[int], None]) -> bool:
        session, part = self.database._session, f".{self.job}"
        try:
            if not self._files.exists(self._path()) or not self._files.mkdirs(self._path(part)):
                raise InputError(_NOT_THERE, code="table-not-readable")
        except MemoryError:
            raise
        except Exception:
            raise InputError(_NOT_THERE, code="table-not-readable") from None
        try:
            whole = self._path(part, name)
            self.database.to_parquet(released, whole.toString())
            check(session.read.parquet(whole.toString()).count())
            return self._renamed(whole, self._path(name))
        finally:
            self._files.delete(self._path(part), True)

    def _renamed(self, one: Any, other: Any) -> bool:
        """False where there is such a folder, which plain renaming would put it into."""
        context = self.database._session.sparkContext._jsc.hadoopConfiguration()
        hadoop = self._java.jvm.org.apache.hadoop.fs
        none = self._java.new_array(hadoop.Options.Rename, 0)
        try:
            hadoop.FileContext.getFileContext(one.toUri(), context).rename(one, other, none)
        except Exception:
            if self._files.exists(other):
                return False
            raise
        return True

    def cancel(self) -> None:
        self.database._session.sparkContext.cancelJobGroup(self.job)

    def remove(self, name: str) -> None:
        self._files.delete(self._path(name), True)


_WRITERS: Mapping[str, type[_Writer]] = {"postgres": _Postgres, "duckdb": _DuckDB, "pyspark": _Spark}
WRITTEN_BESIDE = frozenset(_WRITERS)
"""Ibis' names of the engines that can do it."""
