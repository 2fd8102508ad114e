"""The CSV and Parquet files of a folder, opened by DuckDB where they are."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np
import pyarrow as pa

from anonlib.basics.errors import InputError
from anonlib.reading.connected.offered import Offered, OpenedTable
from anonlib.reading.sources import Source, display_name, open_source
from anonlib.reading.sources.headers import BELOW_NAMES, BETWEEN_RECORDS
from anonlib.reading.sources.tables import check_cells_have_text, duckdb_beside, literal, parquet_table

if TYPE_CHECKING:
    import ibis.expr.types as ir

MOST_LISTED = 1_000
"""Most files of a folder that are looked at."""
_KINDS = {"csv": "CSV", "tsv": "CSV", "txt": "CSV", "parquet": "Parquet", "pq": "Parquet"}
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
    found: list[FileTable] = []
    for parent, listed_files in by_folder.items():
        kinds = {_kind(path) for path, _ in listed_files}
        if parent != root and len(listed_files) > 1 and len(kinds) == 1:
            kind = kinds.pop()
            files = tuple(file for _, file in listed_files)
            name = _shown(parent.relative_to(root).as_posix())
            found.append(FileTable(name, f"{kind}, {len(files):,} files", files, kind, root, temporary))
        else:
            for path, file in listed_files:
                name = _shown(path.relative_to(root).as_posix())
                found.append(FileTable(name, _kind(path), (file,), _kind(path), root, temporary))
    ordered = sorted(found, key=lambda table: table.name.casefold())
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
        connection = duckdb_beside([each.table for each in beside], self.temporary)
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
    found = (path for path in sorted(root.rglob("*")) if _kind(path))
    shown = (path for path in found if not any(part.startswith(".") for part in path.relative_to(root).parts))
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
    return _KINDS.get(path.suffix.lower().lstrip("."), "")


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
