"""Connected data: tables that stay in place, offered by the person who runs Anonscope, opened by the officer.

After what is offered to be opened come tables of databases, by connections that the administrator defines
(:func:`tables_defined`). Then come the CSV and Parquet files of a folder, which DuckDB opens where they are
(:func:`tables_in`). Nobody types a path, an address or a query in the browser.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np
import pyarrow as pa

from anonlib.basics.errors import InputError
from anonlib.basics.words import listed
from anonlib.reading.records import engines
from anonlib.reading.records.engines import fetched
from anonlib.reading.records.staying import WRITTEN_BESIDE
from anonlib.reading.sources import Source, display_name, open_source
from anonlib.reading.sources.headers import BELOW_NAMES, BETWEEN_RECORDS
from anonlib.reading.sources.tables import check_cells_have_text, duckdb_beside, literal, parquet_table

if TYPE_CHECKING:
    import ibis.expr.types as ir


@dataclass(frozen=True, eq=False)
class OpenedTable:
    """A table that was opened.

    Attributes
    ----------
    table : ir.Table
        The Ibis expression, every column of which has text.
    digest : str
        Names the table as it is now, 64 hexadecimal digits; another state of it has another.
    state : Hashable, optional
        What shows that it has changed, as far as that can be seen.
    notes : tuple[str, ...], default ()
        What is to know of how it is read, in sentences.
    """

    table: ir.Table
    digest: str
    state: Hashable = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Offered(ABC):
    """A table that can be opened.

    Attributes
    ----------
    name : str
        What it is called on screen, once among those that are offered.
    kind : str
        Such as "Parquet" or "PostgreSQL".
    """

    name: str
    kind: str

    @property
    def n_bytes(self) -> int | None:
        """How large it is where it is; None where that is not known."""
        return None

    @property
    def place_of_releases(self) -> str | None:
        """Where a release can be written beside it: a schema, or a folder of Spark; None where nowhere."""
        return None

    def why_changed(self, opened: OpenedTable) -> str:
        """Why what was opened is not what is there now, in a sentence; "" where it is, or that cannot be known."""
        return ""

    @abstractmethod
    def open(self, beside: Sequence[OpenedTable] = ()) -> OpenedTable:
        """Open it; nothing but its schema is read.

        Parameters
        ----------
        beside : Sequence[OpenedTable], default ()
            Tables that are open already, with one of which it shares the connection if it can.

        Raises
        ------
        InputError
            When it is not there, or not as it must be; the message has neither credentials nor cells.
        """


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
    if columns is not None and (isinstance(columns, str) or not all(isinstance(column, str) for column in columns)):
        raise InputError(f"{where} needs its columns as a list of names.", code="not-a-list")
    backend = _ALIASES.get(texts["backend"].lower(), texts["backend"].lower())
    if "releases" in texts and backend not in WRITTEN_BESIDE:
        able = listed([_KINDS[engine] for engine in sorted(WRITTEN_BESIDE)])
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
    return (opened_table.table.get_backend() for opened_table in opened)


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
        shared = next(
            (connection for connection in _connections(beside) if vars(connection).get(_MADE_BY) == self._address), None
        )
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


MOST_LISTED = 1_000
"""Most files of a folder that are looked at."""
_KINDS_OF_FILES = {"csv": "CSV", "tsv": "CSV", "txt": "CSV", "parquet": "Parquet", "pq": "Parquet"}
_LOOKED_AT = 1 << 22  # bytes of a text file from which its layout is found
_HELD = 1 << 28  # bytes of a text file that is read once, into the engine's memory
_LINE_END, _RETURN = b"\n\r"
_NAMES_AGAIN = "Some lines of this file repeat the column names, which cannot be left out in place. Save it as Parquet."
_UNEVEN = "That file cannot be read in place. Check that every line has as many cells, or save it as Parquet."
_UTF8 = ("utf-8", "utf-8-sig", "ascii")


@dataclass(frozen=True)
class FolderListing:
    """What a folder offers.

    Attributes
    ----------
    tables : tuple[Offered, ...]
        The tables, by name.
    passed_over : tuple[str, ...], default ()
        The names of links that are not followed, since they lead out of the folder, in a circle or nowhere.
    """

    tables: tuple[Offered, ...]
    passed_over: tuple[str, ...] = ()


def tables_in(folder: Path, temporary: Path | None = None) -> FolderListing:
    """The tables of a folder and those below it: its files, and folders that hold parts of one table.

    A folder below it with two and more files of one kind and nothing else is one table. Hidden files, and links that
    lead out of the folder, are passed over.

    Parameters
    ----------
    folder : Path
        Where to look.
    temporary : Path, optional
        Where DuckDB may put what does not fit into memory; without it nothing is written, and a count that does not
        fit ends with a sentence.

    Returns
    -------
    FolderListing

    Raises
    ------
    InputError
        When there is no such folder.
    """
    try:
        root = folder.resolve(strict=True)
        paths = _files_below(root)
    except (OSError, RuntimeError):  # Python before 3.13 raises the latter of a circle
        raise InputError(
            "The folder of connected data is not there. Start Anonscope with one that is.", code="folder-missing"
        ) from None
    by_folder: dict[Path, list[tuple[Path, ListedFile]]] = defaultdict(list)
    passed_over = []
    for path in paths:
        try:
            by_folder[path.parent].append((path, ListedFile.at(path, root)))
        except OSError:
            if path.is_symlink():
                passed_over.append(_shown(path.relative_to(root).as_posix()))
    tables: list[FileTable] = []
    for parent, listed_files in by_folder.items():
        kinds = {_kind(path) for path, _ in listed_files}
        if parent != root and len(listed_files) > 1 and len(kinds) == 1:
            kind = kinds.pop()
            files = tuple(file for _, file in listed_files)
            name = _shown(parent.relative_to(root).as_posix())
            tables.append(FileTable(name, f"{kind}, {len(files):,} files", files, kind, root, temporary))
        else:
            for path, file in listed_files:
                name = _shown(path.relative_to(root).as_posix())
                tables.append(FileTable(name, _kind(path), (file,), _kind(path), root, temporary))
    ordered = sorted(tables, key=lambda table: table.name.casefold())
    return FolderListing(_named_apart(ordered), tuple(passed_over))


@dataclass(frozen=True)
class ListedFile:
    """A file as it was listed.

    Attributes
    ----------
    path : Path
        Where it is, without links.
    identity : tuple[int, int, int, int]
        Device, inode, size in bytes and time of the last change in nanoseconds.
    """

    path: Path
    identity: tuple[int, int, int, int]

    @classmethod
    def at(cls, path: Path, root: Path) -> ListedFile:
        """The file that a path leads to now. Raises OSError where it is none, or not within the root."""
        resolved = Path(os.path.realpath(path, strict=True))
        state = resolved.lstat()
        if not resolved.is_relative_to(root) or not stat.S_ISREG(state.st_mode):
            raise FileNotFoundError
        return cls(resolved, (state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns))


@dataclass(frozen=True)
class FileTable(Offered):
    """A file, or files that are one table.

    Attributes
    ----------
    files : tuple[ListedFile, ...]
        Which, as they were listed.
    format : str
        "CSV" or "Parquet".
    root : Path
        The folder that they are in or below.
    temporary : Path, optional
        As for :func:`tables_in`.
    """

    files: tuple[ListedFile, ...] = field(repr=False)
    format: str
    root: Path = field(repr=False)
    temporary: Path | None = field(default=None, repr=False)

    @property
    def n_bytes(self) -> int | None:
        return sum(file.identity[2] for file in self.files)

    @property
    def paths(self) -> tuple[Path, ...]:
        return tuple(file.path for file in self.files)

    def open(self, beside: Sequence[OpenedTable] = ()) -> OpenedTable:
        self._check_it_is_as_listed()
        connection = duckdb_beside([opened_table.table for opened_table in beside], self.temporary)
        try:
            if self.format == "Parquet":
                table, notes = parquet_table(self.paths, connection), tuple[str, ...]()
            elif len(self.files) == 1 and self.files[0].identity[2] <= _HELD:
                table, notes = _held(open_source(self.paths[0]), connection)
            else:
                table, notes = _text(self.paths, connection)
        except OSError:
            raise InputError(
                f"“{self.name}” cannot be read. Check that it is there and may be read.", code="file-unreadable"
            ) from None
        finally:
            self._check_it_is_as_listed()
        check_cells_have_text(table)
        state = [(file.path.name, *file.identity[2:]) for file in self.files]
        digest = hashlib.sha256(json.dumps([state, str(table.schema())]).encode()).hexdigest()
        return OpenedTable(table, digest, self.files, notes)

    def why_changed(self, opened: OpenedTable) -> str:
        try:
            now = self._files_now()
        except InputError as error:
            return str(error)
        return "" if now == opened.state else f"“{self.name}” has changed since it was opened. Open it again."

    def _check_it_is_as_listed(self) -> None:
        if self._files_now() != self.files:
            raise InputError(
                f"“{self.name}” has changed since it was listed. Choose it again and open it.", code="file-changed"
            )

    def _files_now(self) -> tuple[ListedFile, ...]:
        try:
            return tuple(ListedFile.at(path, self.root) for path in self.paths)
        except OSError:
            raise InputError(f"“{self.name}” is not there any more. Open another table.", code="file-missing") from None


def _files_below(root: Path) -> list[Path]:
    """The files and links of a known kind that are not hidden, the first ones only where there are many."""
    paths = (path for path in sorted(root.rglob("*")) if _kind(path))
    shown = (path for path in paths if not any(part.startswith(".") for part in path.relative_to(root).parts))
    return list(islice((path for path in shown if path.is_symlink() or not path.is_dir()), MOST_LISTED))


def _named_apart(tables: Iterable[FileTable]) -> tuple[FileTable, ...]:
    """Tables of names of their own: two names may be shown alike."""
    n_named: Counter[str] = Counter()
    apart = []
    for table in tables:
        n_named[table.name] += 1
        n = n_named[table.name]
        apart.append(table if n == 1 else replace(table, name=f"{table.name} ({n})"))
    return tuple(apart)


def _kind(path: Path) -> str:
    return _KINDS_OF_FILES.get(path.suffix.lower().lstrip("."), "")


def _shown(name: str) -> str:
    """A path within the folder as it can be shown."""
    return "/".join(display_name(part) for part in name.split("/"))


def _beginning(path: Path) -> bytes:
    """The first lines of a file, none of them cut."""
    with path.open("rb") as file:
        begin = file.read(_LOOKED_AT)
    return begin if len(begin) < _LOOKED_AT else begin[: begin.rfind(b"\n") + 1] or begin


def _held(source: Source, connection: Any) -> tuple[ir.Table, tuple[str, ...]]:
    """A text file that is small enough to be read with care, as on the Data page, and held in the engine's memory."""
    columns = {}
    for name, column in source.frame.items():
        codes = pa.array(column.cat.codes.to_numpy().astype(np.int32), mask=(column.cat.codes < 0).to_numpy())
        texts = pa.array(column.cat.categories.to_numpy(dtype=object), pa.string())
        columns[str(name)] = pa.DictionaryArray.from_arrays(codes, texts).cast(pa.string())
    return connection.create_table(f"held_{uuid4().hex}", pa.table(columns), temp=True), source.reading.notes


def _text(paths: tuple[Path, ...], connection: Any) -> tuple[ir.Table, tuple[str, ...]]:
    """Text files read by the engine, with the layout that the first lines have.

    The engine may pass over a line that has more or fewer cells than others and say nothing, where it reads in several
    places at once. So its records are counted beside the lines.
    """
    layout = open_source(_beginning(paths[0]), paths[0].name)
    reading, names = layout.reading, list(layout.frame.columns)
    if reading.delimiter is None or len(reading.delimiter) != 1 or reading.delimiter == " ":
        raise InputError(
            "Only files of cells with a delimiter between them can be read in place. Save it as Parquet.",
            code="file-not-in-place",
        )
    if reading.encoding is None or reading.encoding.lower() not in _UTF8:
        raise InputError(
            f"The file is written in {reading.encoding}, which cannot be read in place. Save it as UTF-8 or Parquet.",
            code="encoding-not-in-place",
        )
    if any(line.place == BETWEEN_RECORDS for line in reading.left_out):
        raise InputError(_NAMES_AGAIN, code="rows-uneven")
    below_names = [line.line for line in reading.left_out if line.place == BELOW_NAMES]
    skip = max(below_names, default=reading.skip_rows or 0)
    options: Mapping[str, Any] = {
        "columns": dict.fromkeys(names, "VARCHAR"),
        "auto_detect": False,
        "header": bool(reading.header) and not below_names,
        "skip": skip,
        "delim": reading.delimiter,
        "quote": reading.quote or "",
        "escape": reading.quote or "",
    }
    try:
        table = connection.read_csv([literal(path) for path in paths], **options)
        n_records = int(table.count().execute())
    except MemoryError:
        raise
    except Exception:
        raise InputError(_UNEVEN, code="rows-uneven") from None
    n_names = int(options["header"])
    lines = [_lines(path, reading.quote, skip) - n_names for path in paths]
    if n_records != sum(lines):
        raise InputError(_UNEVEN, code="rows-uneven")
    slow = "A text file of this size is read again for each count. As Parquet it answers sooner."
    return table, (slow, *reading.notes)


def _lines(path: Path, quote: str | None, skip: int = 0) -> int:
    """How many lines behind the first few hold something; line ends within quotation marks end none."""
    n_lines, within, begun = 0, False, False
    mark = ord(quote) if quote else -1
    with path.open("rb") as file:
        for _ in range(skip):
            file.readline()
        while block := file.read(_LOOKED_AT):
            content = np.frombuffer(block, np.uint8)
            ends = np.flatnonzero(content == _LINE_END)
            if mark >= 0:
                marks = np.flatnonzero(content == mark)
                ends = ends[(np.searchsorted(marks, ends) + within) % 2 == 0]
                within = (len(marks) + within) % 2 == 1
            begins = np.append(0, ends + 1)
            filled = np.append(ends, len(content)) - begins > 0
            filled[:-1] &= ~((ends - begins[:-1] == 1) & (content[begins[:-1] % len(content)] == _RETURN))
            filled[0] |= begun
            n_lines += int(filled[:-1].sum())
            begun = bool(filled[-1])
    return n_lines + begun
