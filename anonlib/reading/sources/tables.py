"""Tables that stay where they are: a Parquet or CSV file through DuckDB, or a table of an Ibis connection."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from anonlib.basics.errors import InputError
from anonlib.basics.words import listed

_OF_PATTERNS = re.compile(r"([\[*?])")
_MOST_DIGITS = 38  # of a decimal; of longer ones DuckDB 1.5 makes other numbers
_WIDE_DECIMALS = "select distinct name from parquet_schema(?) where precision > ? order by name"
_TEMPORARY = "_anonscope_temporary"  # of a connection: the folder that it was made with
_WITH_ROOM_ON_DISK = "2GB"  # of DuckDB's memory where it can put more into a folder; else most of the machine's


def ibis_table(source: Any, table: str | None = None, columns: Sequence[str] | None = None) -> Any:
    """A table for :meth:`anonlib.counting.classes.ClassTable.from_ibis`, every column usable in a ``GROUP BY``.

    Text of a CSV file stays text. Blank text and not-a-number are missing, as NULL is, to all that counts. Nothing is
    read but the schema; DuckDB is kept from writing to disk.

    Parameters
    ----------
    source : Any
        Parquet or CSV file (a pattern such as ``part-*.parquet`` too), an Ibis connection, or an Ibis table.
    table : str, optional
        The name of a table, for a connection.
    columns : Sequence[str], optional
        The columns wanted; all when None.

    Returns
    -------
    Any

    Raises
    ------
    InputError
        When there is no such file, table or column, or when a column wanted holds lists, structures, binary values or
        decimals of more than 38 digits.
    """
    import ibis

    if isinstance(source, ibis.Table):
        opened = source
    elif isinstance(source, (str, Path)):
        opened = _file_table(Path(source))
    else:
        opened = _named_table(source, table)
    if columns is not None:
        missing = [name for name in columns if name not in opened.columns]
        if missing:
            raise InputError(
                f"The table has no column {listed(missing)}. Choose among its columns.", code="column-unknown"
            )
        opened = opened.select(*columns)
    check_cells_have_text(opened)
    return opened


def duckdb(temporary: Path | None = None) -> Any:
    """A connection of DuckDB that fetches nothing, and writes to no disk but in a folder that is given for it."""
    import ibis

    connection = ibis.duckdb.connect(
        temp_directory="" if temporary is None else str(temporary),
        autoinstall_known_extensions=False,
        autoload_known_extensions=False,
        preserve_insertion_order=False,
        **({} if temporary is None else {"memory_limit": _WITH_ROOM_ON_DISK}),
    )
    connection.raw_sql("SET enable_progress_bar = false")  # it would be drawn where Anonscope was started
    vars(connection)[_TEMPORARY] = temporary
    return connection


def duckdb_beside(tables: Sequence[Any], temporary: Path | None = None) -> Any:
    """The connection of one of some tables, where :func:`duckdb` made it with the same folder; else a new one."""
    backends = (table.get_backend() for table in tables)
    return next((backend for backend in backends if vars(backend).get(_TEMPORARY, "") == temporary), None) or duckdb(
        temporary
    )


def literal(path: Path) -> str:
    """A path by which DuckDB opens that file and no other: no character of it stands for others."""
    return _OF_PATTERNS.sub(r"[\1]", path.as_posix())


def parquet_table(paths: Sequence[Path], connection: Any = None) -> Any:
    """Parquet files of the same columns as one table of DuckDB, opened where they are.

    Parameters
    ----------
    paths : Sequence[Path]
        Of the files.
    connection : Any, optional
        Of DuckDB; a new one when left out.

    Raises
    ------
    InputError
        When they cannot be read as one table, or hold decimals that DuckDB would change.
    """
    connection, named = connection or duckdb(), [literal(path) for path in paths]
    try:
        wide = connection.con.execute(_WIDE_DECIMALS, [named, _MOST_DIGITS]).fetchall()
        table = connection.read_parquet(named)
    except MemoryError:
        raise
    except Exception:
        raise InputError(
            "That is no Parquet that can be read as one table. Check that each file is whole and has the same columns.",
            code="file-damaged",
        ) from None
    if wide:
        raise InputError(
            f"Decimals of more than {_MOST_DIGITS} digits cannot be read in place: column "
            f"{listed([name for (name,) in wide])}. Load the file on the Data page, or save them as text.",
            code="decimals-too-long",
        )
    return table


def _file_table(path: Path) -> Any:
    paths = [path] if path.is_file() else []
    if not paths and "*" in path.name:
        paths = sorted(entry for entry in path.parent.iterdir() if fnmatch(entry.name, path.name) and entry.is_file())
    if not paths:
        raise InputError("There is no file at that path. Check the path.", code="file-missing")
    if path.name.lower().endswith((".parquet", ".pq")):
        return parquet_table(paths)
    try:
        return duckdb().read_csv([literal(csv_path) for csv_path in paths], all_varchar=True)
    except MemoryError:
        raise
    except Exception:
        raise InputError(
            "That file cannot be read as CSV by the database. Check it, or load it on the Data page.",
            code="file-unreadable",
        ) from None


def _named_table(connection: Any, table: str | None) -> Any:
    try:
        names = list(connection.list_tables())
    except MemoryError:
        raise
    except Exception:
        raise InputError("The database does not answer. Check the connection.", code="database-silent") from None
    if table is None:
        if len(names) != 1:
            raise InputError(f"The database has {len(names):,} tables. Choose one by its name.", code="table-not-named")
        table = names[0]
    try:
        return connection.table(table)
    except MemoryError:
        raise
    except Exception:
        if table in names:
            raise InputError(
                "That table cannot be opened. Check that you may read it.", code="table-not-readable"
            ) from None
        raise InputError(
            "The database has no table of that name. Choose one of its tables.", code="table-unknown"
        ) from None


def check_cells_have_text(table: Any) -> None:
    """Refuses columns whose cells are no text, number, date or answer.

    Raises
    ------
    InputError
        When a column of an Ibis table holds lists, structures or binary values.
    """
    nested = [
        name
        for name, kind in table.schema().items()
        if kind.is_nested() or kind.is_binary() or kind.is_json() or kind.is_geospatial()
    ]
    if nested:
        raise InputError(
            f"Lists, structures or binary values cannot be grouped: column {listed(nested)}. Choose the other columns.",
            code="cells-not-values",
        )
