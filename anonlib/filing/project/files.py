"""The files that a project was decided on: which they are, how they are read, what is known of them; no cell."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from anonlib.analyses.regions.reading import AreaColumns
from anonlib.columns.dictionaries import MOST_COLUMNS, MOST_LABELS
from anonlib.filing.project.bounds import count, damaged, digest, flag, listed, mapping, optional, text, texts
from anonlib.reading.ids import IdsRead
from anonlib.reading.sources import (
    AS_FOUND,
    DEFAULT_MARKS,
    LONGEST_TITLE,
    MEASURES,
    Described,
    ReadOptions,
    display_name,
)
from anonlib.reading.tables import Key, Linked, ListColumn

_TEXTS = ("title", "unit", "measure", "format")


def described_to_dict(described: Described) -> dict[str, Any]:
    """What is known of a column, as plain values for JSON; what is not known is left out."""
    plain: dict[str, Any] = {name: value for name in _TEXTS if (value := getattr(described, name))}
    if described.labels:
        plain["labels"] = [list(pair) for pair in described.labels]
    if described.missing:
        plain["missing"] = list(described.missing)
    if described.identifies:
        plain["identifies"] = True
    return {"name": described.name, **plain}


def described(value: Any) -> tuple[Described, ...]:
    """What is known of the columns. Raises InputError when something is wrong."""
    what = "what a dictionary says of the columns"
    columns = tuple(_described_column(column, what) for column in listed(value, what, MOST_COLUMNS))
    if sum(len(column.labels) for column in columns) > MOST_LABELS:
        raise damaged(f"{what} names more than {MOST_LABELS:,} codes")
    return columns


def _described_column(value: Any, what: str) -> Described:
    given = mapping(value, what)
    texts_of = {name: text(given.get(name, ""), what) for name in _TEXTS}
    if texts_of["measure"] not in ("", *MEASURES) or len(texts_of["title"]) > LONGEST_TITLE:
        raise damaged(f"{what} has a level of measurement or a title that no dictionary has")
    pairs = [listed(pair, what, 2) for pair in listed(given.get("labels", []), what, MOST_LABELS)]
    if any(len(pair) != 2 for pair in pairs):
        raise damaged(f"{what} must have a label for each code")
    return Described(
        text(given.get("name"), what),
        labels=tuple((text(code, what), text(label, what)) for code, label in pairs),
        missing=texts(given.get("missing", []), what),
        identifies=flag(given.get("identifies", False), what),
        **texts_of,
    )


_COUNTS = ("skip_rows", "skip_footer")
_FLAGS = ("fill_short_rows", "keep_lines")
_LONGEST = 100  # characters of an encoding, a delimiter or a coordinate system's code


@dataclass(frozen=True)
class FileRead:
    """The file, and how it is read.

    Attributes
    ----------
    digest : str
        SHA-256 of its bytes, 64 hexadecimal digits; "" where it is decided for any file.
    name : str
        For display only, never a path to open.
    n_records : int
        Records, 0 or more.
    columns : tuple[str, ...]
        Their names, in the file's order.
    options : ReadOptions, default AS_FOUND
        What was corrected about how it is read.
    marks : tuple[str, ...], default DEFAULT_MARKS
        The texts that mean “missing” in every column.
    column_marks : tuple[tuple[str, str], ...], default ()
        A column, and a text that means “missing” in it alone.
    merged : tuple[str, ...], default ()
        The columns in which spellings that look alike are one value.
    described : tuple[Described, ...], default ()
        What a dictionary beside the file says of its columns.
    with_labels : bool, default True
        Whether codes are shown by their labels; not in projects saved before they were.
    in_codes : tuple[str, ...], default ()
        The columns whose codes are shown all the same.
    linked : Linked, optional
        Of several tables, how they hang together; None of one.
    lists : tuple[ListColumn, ...], default ()
        The columns whose cells hold lists.
    ids : IdsRead, optional
        How the ids of persons are read; None as they stand there.
    """

    digest: str
    name: str
    n_records: int
    columns: tuple[str, ...]
    options: ReadOptions = AS_FOUND
    marks: tuple[str, ...] = DEFAULT_MARKS
    column_marks: tuple[tuple[str, str], ...] = ()
    merged: tuple[str, ...] = ()
    described: tuple[Described, ...] = ()
    with_labels: bool = True
    in_codes: tuple[str, ...] = ()
    linked: Linked | None = None
    lists: tuple[ListColumn, ...] = ()
    ids: IdsRead | None = None

    @property
    def tables(self) -> frozenset[str]:
        """The names of several tables; empty of one file without lists."""
        if self.linked is None:
            return frozenset()
        keys = (name for key in self.linked.keys for name in (key.table, key.parent))
        return frozenset((*self.linked.person_columns, *keys, *(lists.table for lists in self.lists)))

    def to_dict(self) -> dict[str, Any]:
        """The file as plain values for JSON."""
        return {
            "sha256": self.digest,
            "name": self.name,
            "records": self.n_records,
            "columns": list(self.columns),
            "read": asdict(self.options),
            "missing_marks": list(self.marks),
            "missing_marks_of_columns": [list(pair) for pair in self.column_marks],
            "merged_spellings": list(self.merged),
            "described": [described_to_dict(column) for column in self.described],
            "with_labels": self.with_labels,
            "in_codes": list(self.in_codes),
            **({} if self.linked is None else {"linked": _linked_to_dict(self.linked)}),
            **({} if self.ids is None or not self.ids.changes else {"person_ids": _ids_to_dict(self.ids)}),
            **({"lists": [[lists.table, lists.column, lists.mark] for lists in self.lists]} if self.lists else {}),
        }

    @classmethod
    def from_dict(cls, value: Any, what: str) -> FileRead:
        """The file of such values. Raises InputError when one is missing or wrong."""
        given = mapping(value, what)
        pairs = [
            listed(pair, "The marks of columns", 2) for pair in listed(given.get("missing_marks_of_columns"), what)
        ]
        if any(len(pair) != 2 for pair in pairs):
            raise damaged("the marks of columns must be a column and a text each")
        return cls(
            digest=digest(given.get("sha256"), "the digest of the file"),
            name=display_name(text(given.get("name"), "the name of the file")),
            n_records=count(given.get("records"), "the number of records"),
            columns=texts(given.get("columns"), "the columns of the file"),
            options=_options(given.get("read")),
            marks=texts(given.get("missing_marks"), "the marks of missing values"),
            column_marks=tuple((text(column, "a column"), text(mark, "its mark")) for column, mark in pairs),
            merged=texts(given.get("merged_spellings"), "the columns with merged spellings"),
            described=described(given.get("described", [])),  # a project saved before there were any has none
            with_labels=flag(given.get("with_labels", False), "whether labels are shown"),
            in_codes=texts(given.get("in_codes", []), "the columns whose codes are shown"),
            linked=optional(given.get("linked"), _linked, "how the tables hang together"),
            lists=tuple(_list_column(row, "the columns of lists") for row in listed(given.get("lists", []), what)),
            ids=optional(given.get("person_ids"), _ids, "how ids of persons are read"),
        )


def _linked_to_dict(linked: Linked) -> dict[str, Any]:
    return {
        "person_table": linked.person_table,
        "person_ids": dict(linked.person_columns),
        "keys": [[key.table, key.column, key.parent, key.parent_column] for key in linked.keys],
    }


def _ids_to_dict(ids: IdsRead) -> dict[str, Any]:
    return {
        "column": ids.column,
        "fill_down": list(ids.fill_down),
        "one_spelling": ids.one_spelling,
        "within": ids.within,
    }


def _ids(value: Any, what: str) -> IdsRead:
    given = mapping(value, what)
    if set(given) - {"column", "fill_down", "one_spelling", "within"}:
        raise damaged(f"{what} has settings that this version does not know")
    column, within = text(given.get("column"), what), text(given.get("within", ""), what)
    fill = texts(given.get("fill_down", []), what)
    if within == column or (fill and column not in fill):
        raise damaged(f"{what} must fill down the ids too, and name another column beside which they are read")
    return IdsRead(column, fill, flag(given.get("one_spelling", False), what), within)


def _list_column(value: Any, what: str) -> ListColumn:
    names = [text(name, what) for name in listed(value, what, 3)]
    if len(names) != 3:
        raise damaged("a column of lists must be a table, a column and a mark")
    return ListColumn(*names)


def _linked(value: Any, what: str) -> Linked:
    given = mapping(value, what)
    keys = [[text(name, what) for name in listed(key, what, 4)] for key in listed(given.get("keys"), what)]
    if any(len(key) != 4 for key in keys):
        raise damaged("a key between tables must be a table, its column, another table and its column")
    persons = mapping(given.get("person_ids"), what)
    return Linked(
        optional(given.get("person_table"), text, what),
        {text(table, what): text(column, what) for table, column in persons.items()},
        tuple(Key(table, column, parent, named) for table, column, parent, named in keys),
    )


@dataclass(frozen=True)
class TableBeside:
    """The population table that goes with the file.

    Attributes
    ----------
    digest, name : str
        As of :class:`FileRead`.
    weight : str, default ""
        The column that counts people; "" where each row is one person.
    """

    digest: str
    name: str
    weight: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The table as plain values for JSON."""
        return {"sha256": self.digest, "name": self.name, "counted_by": self.weight}

    @classmethod
    def from_dict(cls, value: Any, what: str) -> TableBeside:
        """The table of such values. Raises InputError when one is missing or wrong."""
        given = mapping(value, what)
        return cls(
            digest(given.get("sha256"), f"the digest of {what}"),
            display_name(text(given.get("name"), f"the name of {what}")),
            text(given.get("counted_by"), f"the column by which {what} counts"),
        )


@dataclass(frozen=True)
class AreasBeside:
    """The file of areas that goes with the file.

    Attributes
    ----------
    digest, name : str
        As of :class:`FileRead`.
    columns : AreaColumns, optional
        Which of its columns is which; None where that was not decided.
    crs : str, optional
        The coordinate system of coordinates whose file does not say; None for none.
    """

    digest: str
    name: str
    columns: AreaColumns | None = None
    crs: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The file as plain values for JSON."""
        columns = None if self.columns is None else asdict(self.columns)
        return {"sha256": self.digest, "name": self.name, "columns": columns, "crs": self.crs}

    @classmethod
    def from_dict(cls, value: Any, what: str) -> AreasBeside:
        """The file of such values. Raises InputError when one is missing or wrong."""
        given = mapping(value, what)
        return cls(
            digest(given.get("sha256"), f"the digest of {what}"),
            display_name(text(given.get("name"), f"the name of {what}")),
            optional(given.get("columns"), _area_columns, f"the columns of {what}"),
            optional(given.get("crs"), _short, "the coordinate system"),
        )


def _area_columns(value: Any, what: str) -> AreaColumns:
    given = mapping(value, what)
    return AreaColumns(
        text(given.get("id"), what), *(optional(given.get(name), text, what) for name in ("x", "y", "population"))
    )


def _options(value: Any) -> ReadOptions:
    what = "how the file is read"
    given = mapping(value, what)
    if unknown := set(given) - {option.name for option in fields(ReadOptions)}:
        raise damaged(f"{what} has {len(unknown)} settings that this version does not know")
    return ReadOptions(**{name: _option(name, setting, what) for name, setting in given.items()})


def _option(name: str, value: Any, what: str) -> Any:
    if name in _FLAGS:
        return flag(value, what)
    if name == "header":
        return optional(value, flag, what)
    return optional(value, count if name in _COUNTS else text if name == "sheet" else _short, what)


def _short(value: Any, what: str) -> str:
    short = text(value, what)
    if len(short) > _LONGEST:
        raise damaged(f"{what} is longer than {_LONGEST} characters")
    return short
