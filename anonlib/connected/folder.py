"""The CSV and Parquet files of a folder, opened by DuckDB where they are."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from anonlib.connected.offered import Offered, OpenedTable
from anonlib.errors import InputError
from anonlib.sources import Source, display_name, open_source
from anonlib.sources.tables import check_cells_have_text, duckdb

if TYPE_CHECKING:
    import ibis.expr.types as ir

MOST_LISTED = 1_000
"""Most files of a folder that are looked at."""
_KINDS = {"csv": "CSV", "tsv": "CSV", "txt": "CSV", "parquet": "Parquet", "pq": "Parquet"}
_LOOKED_AT = 1 << 22  # bytes of a text file from which its layout is told
_HELD = 1 << 28  # bytes of a text file that is read once, into the engine's memory
_LINE_END, _RETURN = b"\n\r"
_UNEVEN = "That file cannot be read in place. Check that every line has as many cells, or save it as Parquet."
_UTF8 = ("utf-8", "utf-8-sig", "ascii")


def tables_in(folder: Path, temporary: Path | None = None) -> tuple[Offered, ...]:
    """The tables of a folder and those below it: its files, and folders that hold parts of one table.

    A folder below it with two and more files of one kind and nothing else is one table. Hidden files, and links that
    lead out of the folder, are passed over.

    Parameters
    ----------
    folder
        Where to look.
    temporary
        Where DuckDB may put what does not fit into memory; without it nothing is written, and a count that does not
        fit ends with a sentence.

    Raises
    ------
    InputError
        When there is no such folder.
    """
    if not folder.is_dir():
        raise InputError("The folder of connected data is not there. Start Anonscope with one that is.")
    root = folder.resolve()
    by_folder: dict[Path, list[Path]] = defaultdict(list)
    for path in islice(_files_below(root), MOST_LISTED):
        by_folder[path.parent].append(path)
    found = []
    for parent, paths in by_folder.items():
        kinds = {_kind(path) for path in paths}
        if parent != root and len(paths) > 1 and len(kinds) == 1:
            name = parent.relative_to(root).as_posix()
            found.append(FileTable(_shown(name), f"{kinds.pop()}, {len(paths):,} files", tuple(paths), temporary))
        else:
            names = [path.relative_to(root).as_posix() for path in paths]
            found += [
                FileTable(_shown(name), _kind(path), (path,), temporary)
                for name, path in zip(names, paths, strict=True)
            ]
    return tuple(sorted(found, key=lambda table: table.name.casefold()))


@dataclass(frozen=True)
class FileTable(Offered):
    """A file, or files that are one table.

    Attributes
    ----------
    paths : where they are.
    temporary : as for :func:`tables_in`.
    """

    paths: tuple[Path, ...] = field(repr=False)
    temporary: Path | None = field(default=None, repr=False)

    @property
    def n_bytes(self) -> int | None:
        try:
            return sum(path.stat().st_size for path in self.paths)
        except OSError:
            return None

    def open(self) -> OpenedTable:
        state = self._state()
        try:
            if _kind(self.paths[0]) == "Parquet":
                table, notes = _parquet(self.paths, self.temporary), tuple[str, ...]()
            elif len(self.paths) == 1 and state[0][1] <= _HELD:
                table, notes = _held(open_source(self.paths[0]), self.temporary)
            else:
                table, notes = _text(self.paths, self.temporary)
        except OSError:
            raise InputError(f"“{self.name}” cannot be read. Check that it is there and may be read.") from None
        check_cells_have_text(table)
        digest = hashlib.sha256(json.dumps([state, str(table.schema())]).encode()).hexdigest()
        return OpenedTable(table, digest, state, notes)

    def why_changed(self, opened: OpenedTable) -> str:
        try:
            state = self._state()
        except InputError as error:
            return str(error)
        return "" if state == opened.state else f"“{self.name}” has changed since it was opened. Open it again."

    def _state(self) -> tuple[tuple[str, int, int], ...]:
        """Name, size and time of the last change of each file."""
        try:
            found = [(path, path.stat()) for path in self.paths]
        except OSError:
            raise InputError(f"“{self.name}” is not there any more. Open another table.") from None
        return tuple((path.name, state.st_size, state.st_mtime_ns) for path, state in found)


def _files_below(root: Path) -> Iterator[Path]:
    for path in sorted(root.rglob("*")):
        inside = path.resolve().is_relative_to(root) and path.is_file()
        if inside and _kind(path) and not any(part.startswith(".") for part in path.relative_to(root).parts):
            yield path


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


def _parquet(paths: tuple[Path, ...], temporary: Path | None) -> ir.Table:
    try:
        return duckdb(temporary).read_parquet(list(paths))
    except Exception:
        raise InputError(
            "That is no Parquet that can be read as one table. Check that each file is whole and has the same columns."
        ) from None


def _held(source: Source, temporary: Path | None) -> tuple[ir.Table, tuple[str, ...]]:
    """A text file that is small enough to be read with care, as on the Data page, and held in the engine's memory."""
    columns = {}
    for name, column in source.frame.items():
        codes = pa.array(column.cat.codes.to_numpy().astype(np.int32), mask=(column.cat.codes < 0).to_numpy())
        texts = pa.array(column.cat.categories.to_numpy(dtype=object), pa.string())
        columns[str(name)] = pa.DictionaryArray.from_arrays(codes, texts).cast(pa.string())
    return duckdb(temporary).create_table("held", pa.table(columns), temp=True), source.reading.notes


def _text(paths: tuple[Path, ...], temporary: Path | None) -> tuple[ir.Table, tuple[str, ...]]:
    """Text files read by the engine, with the layout that the first lines have.

    The engine may pass over a line that has more or fewer cells than others and say nothing, where it reads in several
    places at once. So its records are counted beside the lines.
    """
    layout = open_source(_beginning(paths[0]), paths[0].name)
    reading, names = layout.reading, list(layout.frame.columns)
    if reading.delimiter is None or len(reading.delimiter) != 1 or reading.delimiter == " ":
        raise InputError("Only files of cells with a delimiter between them can be read in place. Save it as Parquet.")
    if reading.encoding is None or reading.encoding.lower() not in _UTF8:
        raise InputError(
            f"The file is written in {reading.encoding}, which cannot be read in place. Save it as UTF-8 or Parquet."
        )
    options: Mapping[str, Any] = {
        "columns": dict.fromkeys(names, "VARCHAR"),
        "auto_detect": False,
        "header": bool(reading.header),
        "skip": reading.skip_rows or 0,
        "delim": reading.delimiter,
        "quote": reading.quote or "",
        "escape": reading.quote or "",
    }
    try:
        table = duckdb(temporary).read_csv([str(path) for path in paths], **options)
        n_records = int(table.count().execute())
    except Exception:
        raise InputError(_UNEVEN) from None
    lines = [_lines(path, reading.quote, reading.skip_rows or 0) - bool(reading.header) for path in paths]
    if n_records != sum(lines):
        raise InputError(_UNEVEN)
    slow = "A text file of this size is read anew for each count. As Parquet it answers sooner."
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
