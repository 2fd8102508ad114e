"""The department's database: SQLite in the administrator's folder, or PostgreSQL by an address that a file holds.

No sentence of a driver goes on from here: it may hold credentials or what was to be written.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, MetaData, NullPool, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, OperationalError, SQLAlchemyError

from anonlib.basics import disk
from anonlib.basics.errors import InputError
from anonlib.filing.department import migrations
from anonlib.filing.department.settings import StoreSettings

DATABASE_NAME = "anonscope.sqlite3"
"""The name of SQLite's file in the administrator's folder."""
TABLES = MetaData()
"""The tables as they are now; each module of the department declares its own."""
_SECONDS_TO_WAIT = 10
_LOCK = 0x416E5344  # of PostgreSQL: who writes holds it
_AFTER_COMMIT = "after_commit"


@dataclass(frozen=True)
class Database:
    """The department's database, of which each transaction sees one state.

    Attributes
    ----------
    folder : Path
        The administrator's, which holds keys and the head of the audit lines wherever the database is.
    """

    folder: Path
    _engine: Engine = field(repr=False)

    @classmethod
    def open(cls, store: StoreSettings) -> Database:
        """The database of a store, which is made where there is none, and brought to the tables of this version.

        Parameters
        ----------
        store : StoreSettings
            Where it is.

        Raises
        ------
        InputError
            When it cannot be reached, read or written, is none of ours, or was made by a newer Anonscope.
        """
        engine = _of_sqlite(store.folder) if store.database is None else _of_postgresql(store.database)
        database = cls(store.folder, engine)
        with database.reading() as connection:
            is_of_this_version = migrations.version_of(connection) == len(migrations.MIGRATIONS)
        if not is_of_this_version:
            with database.writing() as connection:
                migrations.upgrade(connection)
        return database

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection in a transaction that changes nothing. Raises InputError where the database cannot be read."""
        if self._engine.dialect.name == "sqlite":
            engine = self._engine
        else:
            engine = self._engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        with _sentences(), engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection in a transaction of which all becomes so in the end, or nothing where anything fails.

        Who writes waits for others who do, of this process or another one, so that what was read stays so.

        Raises
        ------
        InputError
            When the database cannot be changed.
        """
        afterwards = dict[str, Callable[[Database], None]]()
        engine = self._engine.execution_options(writes=True, **{_AFTER_COMMIT: afterwards})
        with _sentences(), engine.begin() as connection:
            yield connection
        for act in afterwards.values():
            act(self)

    def close(self) -> None:
        """Let go of every connection."""
        self._engine.dispose()


def after_commit(connection: Connection, what: str, act: Callable[[Database], None]) -> None:
    """Do something once what a connection of :meth:`Database.writing` changes is so.

    Where that fails it is not done; the last of several that are called the same is done alone.
    """
    connection.get_execution_options()[_AFTER_COMMIT][what] = act


@contextmanager
def _sentences() -> Iterator[None]:
    try:
        yield
    except OperationalError:
        raise InputError(
            "The department's store cannot be read or changed now. Another program may hold it, the disk may be full, "
            "or the database server may be away. Try again, and ask the administrator if it stays so.",
            code="store-not-readable",
        ) from None
    except SQLAlchemyError:
        raise InputError(
            "The department's store refused this, and nothing of it was changed: its content is not as Anonscope wrote "
            "it, or rights are lacking there. Ask the administrator.",
            code="store-damaged",
        ) from None


# ---- SQLite ----


def _of_sqlite(folder: Path) -> Engine:
    path = folder / DATABASE_NAME
    try:
        with suppress(FileExistsError):
            disk.fill(path, b"", 0o600)
        if os.name != "nt":
            os.chmod(path, 0o600)
    except OSError:
        raise InputError(
            "The department's store cannot be written into its folder. Check that the folder of [store] is there and "
            "belongs to the user who runs Anonscope.",
            code="store-not-readable",
        ) from None
    engine = create_engine(
        URL.create("sqlite", database=str(path)), poolclass=NullPool, hide_parameters=True,
        connect_args={"timeout": _SECONDS_TO_WAIT},
    )  # fmt: skip
    event.listen(engine, "connect", _make_ready)
    event.listen(engine, "begin", _begin)
    return engine


def _make_ready(connection: Any, _: object) -> None:
    """Each transaction is begun by us, and what was committed is on the disk."""
    connection.isolation_level = None
    if connection.execute("PRAGMA application_id").fetchone()[0] not in (0, migrations.APPLICATION):
        raise InputError(
            f"The file {DATABASE_NAME} in the folder of [store] is no store of Anonscope. Name another folder.",
            code="store-damaged",
        )
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "trusted_schema = OFF"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


# ---- PostgreSQL ----


def _of_postgresql(address: str) -> Engine:
    if find_spec("psycopg") is None:
        raise InputError(
            'What a store in PostgreSQL needs is not installed: pip install "anonscope[postgres]" brings it.',
            code="app-not-installed",
        )
    try:
        url = make_url(address).set(drivername="postgresql+psycopg")
    except (ArgumentError, ValueError):
        raise InputError(
            "The file that the setting [store] database_file names must hold an address such as "
            "postgresql://user:password@host/database.",
            code="address-wrong",
        ) from None
    engine = create_engine(
        url, pool_pre_ping=True, hide_parameters=True, connect_args={"connect_timeout": _SECONDS_TO_WAIT}
    )
    event.listen(engine, "begin", _wait_for_other_writers)
    return engine


def _wait_for_other_writers(connection: Connection) -> None:
    if connection.get_execution_options().get("writes", False):
        connection.execute(text(f"SET LOCAL lock_timeout = '{_SECONDS_TO_WAIT}s'"))
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
