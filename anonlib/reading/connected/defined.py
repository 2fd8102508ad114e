"""Tables of databases, by connections that the administrator defines."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from anonlib.basics.errors import InputError
from anonlib.basics.words import listed
from anonlib.reading.connected.offered import Offered, OpenedTable
from anonlib.reading.records import engines
from anonlib.reading.records.cells import fetched
from anonlib.reading.records.staying import WRITTEN_BESIDE
from anonlib.reading.sources.tables import check_cells_have_text

if TYPE_CHECKING:
    import ibis.expr.types as ir

_KINDS = {"postgres": "PostgreSQL", "pyspark": "Spark", "duckdb": "DuckDB"}
_ALIASES = {"postgresql": "postgres", "spark": "pyspark"}
_SETTINGS = ("backend", "connection", "table", "schema", "query", "columns", "releases")
_TEXTS = ("backend", "table", "schema", "query", "releases")
_MADE_BY = "_anonscope_made_by"  # of a connection: what it was made by
_OF_THE_TABLE = ("database-table-changed", "database-not-allowed", "database-cannot", "database-silent")
_ADDRESS = re.compile(r"/|[a-z][a-z0-9+.-]*:/", re.IGNORECASE)  # of a folder, wherever Spark is started


def tables_defined(sources: Mapping[str, Any]) -> tuple[Offered, ...]:
    """The tables of a mapping, such as the part ``sources`` of Streamlit's secrets.

    Parameters
    ----------
    sources : Mapping[str, Any]
        By name a mapping of ``backend`` ("postgres", "spark" or another one of Ibis), ``connection`` (an address, or
        a mapping of what the backend's ``connect`` takes), ``table`` and perhaps its ``schema``, or a ``query``, and
        ``columns``, a list of those that may be opened (all when left out); and ``releases``, the schema (of Spark
        the folder) that releases can be written into.

    Returns
    -------
    tuple[Offered, ...]

    Raises
    ------
    InputError
        When a definition is not of this form; its values are not in the message.
    """
    return tuple(_defined(str(name), sources[name]) for name in sources)


def _defined(name: str, given: Any) -> Offered:
    where = f"The connection “{name}” in the secrets"
    if not isinstance(given, Mapping):
        raise InputError(f"{where} must be a table of settings: {listed(_SETTINGS)}.", code="not-a-table")
    if unknown := sorted(set(given) - set(_SETTINGS)):
        raise InputError(
            f"{where} has settings that are not known: {listed(unknown)}. Known are {listed(_SETTINGS)}.",
            code="setting-unknown",
        )
    connection, columns = given.get("connection", {}), given.get("columns")
    texts = {key: given[key] for key in _TEXTS if key in given}
    if not all(isinstance(value, str) and value for value in texts.values()) or "backend" not in texts:
        raise InputError(
            f"{where} needs a backend as text, and its table, schema, query and releases are text too.",
            code="not-a-text",
        )
    if ("table" in texts) == ("query" in texts):
        raise InputError(f"{where} needs either a table or a query.", code="options-missing")
    if not isinstance(connection, (str, Mapping)):
        raise InputError(
            f"{where} needs its connection as an address or as a table of settings.", code="options-missing"
        )
    if columns is not None and (isinstance(columns, str) or not all(isinstance(each, str) for each in columns)):
        raise InputError(f"{where} needs its columns as a list of names.", code="not-a-list")
    backend = _ALIASES.get(texts["backend"].lower(), texts["backend"].lower())
    if "releases" in texts and backend not in WRITTEN_BESIDE:
        able = listed([_KINDS[each] for each in sorted(WRITTEN_BESIDE)])
        raise InputError(
            f"{where} has a place for releases, which only {able} can have. Leave it out.", code="releases-not-possible"
        )
    if "releases" in texts and backend == "pyspark" and not _ADDRESS.match(texts["releases"]):
        raise InputError(
            f"{where} needs its releases as a folder of Spark: a whole path, or an address.",
            code="releases-not-possible",
        )
    return DatabaseTable(
        name, _KINDS.get(backend, backend), backend, connection if isinstance(connection, str) else dict(connection),
        texts.get("table"), texts.get("schema"), texts.get("query"), None if columns is None else tuple(columns),
        texts.get("releases"),
    )  # fmt: skip


def _connections(opened: Sequence[OpenedTable]) -> Iterator[Any]:
    return (each.table.get_backend() for each in opened)


@dataclass(frozen=True)
class DatabaseTable(Offered):
    """A table of a database, or what a query gives there.

    Attributes
    ----------
    backend : str
        Ibis' name of it.
    connection : str | dict[str, Any]
        An address, or what its ``connect`` takes; it may hold a password, and is in no message.
    table, schema, query : str, optional
        What is read: a table, perhaps of a schema, or a query.
    columns : tuple[str, ...], optional
        Those that may be opened; None for all.
    releases : str, optional
        The schema, of Spark the folder, that releases can be written into.
    """

    backend: str
    connection: str | dict[str, Any] = field(repr=False)
    table: str | None = None
    schema: str | None = None
    query: str | None = field(default=None, repr=False)
    columns: tuple[str, ...] | None = None
    releases: str | None = None

    @property
    def place_of_releases(self) -> str | None:
        return self.releases

    def open(self, beside: Sequence[OpenedTable] = ()) -> OpenedTable:
        shared = next((each for each in _connections(beside) if vars(each).get(_MADE_BY) == self._address), None)
        if shared is not None:
            return self._opened(shared)
        database = self._connected()
        try:
            return self._opened(database)
        except InputError:
            with suppress(Exception):  # servers let in a few at a time only
                database.con.close()
            raise

    @property
    def _address(self) -> tuple[str, str | dict[str, Any]]:
        return self.backend, self.connection

    def _opened(self, database: Any) -> OpenedTable:
        import ibis

        table = self._of(database)
        if self.columns is not None:
            if absent := [name for name in self.columns if name not in table.columns]:
                raise InputError(
                    f"“{self.name}” has no column {listed(absent)} any more. Ask the administrator.",
                    code="column-unknown",
                )
            table = table.select(*self.columns)
        check_cells_have_text(table)
        self._check_it_may_be_read(table)
        described = json.dumps([self.name, ibis.to_sql(table), str(table.schema())])
        return OpenedTable(table, hashlib.sha256(described.encode()).hexdigest())

    def _connected(self) -> Any:
        import ibis

        try:
            driver = getattr(ibis, self.backend)
        except MemoryError:
            raise
        except Exception:
            raise InputError(
                f"The driver of “{self.name}” is not installed. The administrator installs it with "
                f"“pip install 'ibis-framework[{self.backend}]'”.",
                code="package-missing",
            ) from None
        try:
            given = self.connection
            database = ibis.connect(given) if isinstance(given, str) else driver.connect(**given)
            engines.make_ready(database)
            vars(database)[_MADE_BY] = self._address
        except MemoryError:
            raise
        except Exception:  # a driver's words may have the password in them
            raise InputError(
                f"“{self.name}” does not answer, or does not let Anonscope in. Ask the administrator to check the "
                "connection.",
                code="database-silent",
            ) from None
        return database

    def _of(self, database: Any) -> ir.Table:
        try:
            if self.query is not None:
                return database.sql(self.query)
            return database.table(self.table, database=self.schema)
        except MemoryError:
            raise
        except Exception:
            raise self._not_opened() from None

    def _check_it_may_be_read(self, table: ir.Table) -> None:
        """Ask for no row of it: a schema is given to those too who may not read the cells."""
        try:
            fetched(table.limit(0))
        except InputError as error:
            raise self._not_opened() if error.code in _OF_THE_TABLE else error from None

    def _not_opened(self) -> InputError:
        what = "query" if self.query is not None else "table"
        return InputError(
            f"The {what} of “{self.name}” cannot be opened: it is not there, may not be read, or has two columns "
            "of one name. Ask the administrator.",
            code="table-not-readable",
        )
