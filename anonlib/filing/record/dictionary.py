"""The data dictionary of a release for anybody: as metadata of CSV on the Web, and as a table."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from anonlib.basics import words
from anonlib.filing.evidence import Evidence
from anonlib.filing.project import Opened
from anonlib.filing.record import names
from anonlib.filing.record.listed import ListedColumn, least_shared
from anonlib.release.codebook import DONE, codebook
from anonlib.release.files.harmless import neutralise
from anonlib.release.meanings import AS_IT_STANDS

SAMPLE = "sample.csv"
"""The file that the dictionary is of, which has the columns of the release."""
OTHERS = "other values"
_EMPTY = "an empty cell"
_HEADER = ("column", "title", "unit", "type", "meaning", "value", "label")
_ISO_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_PERSON = "Numbers drawn at random, one a person."
_BY_KEY = "Pseudonyms by a key, one a person; numbers stand for them in the sample."


@dataclass(frozen=True, eq=False)
class Entry:
    """What the dictionary says of a column.

    Attributes
    ----------
    column : ListedColumn
        The column, and the values of it that may be listed.
    datatype : str
        One of CSV on the Web.
    meaning : str
        What it is, in sentences.
    values : tuple[tuple[str, str], ...]
        The values that are listed as they stand in the CSV, each with what it means; "" of an empty cell.
    has_others : bool
        Whether there are values that are not.
    """

    column: ListedColumn
    datatype: str
    meaning: str
    values: tuple[tuple[str, str], ...]
    has_others: bool


def entries(opened: Opened, evidence: Evidence, columns: Sequence[ListedColumn]) -> tuple[Entry, ...]:
    """What the dictionary says of each column: of the codebook, what so many records (persons) share."""
    book = codebook(opened.applied.released, opened.project.recipe, opened.pseudonyms)
    levels = {
        (name, level): "" if means == AS_IT_STANDS else means
        for name, level, means in book.levels.itertuples(index=False)
    }  # fmt: skip
    rows = {row["column"]: row for row in book.columns.to_dict("records")}
    return tuple(
        _entry(column, rows[column.name], levels, words.count(least_shared(evidence), evidence.unit))
        for column in columns
    )


def _entry(
    column: ListedColumn, row: dict[Hashable, Any], levels: dict[tuple[str, str | None], str], so_many: str
) -> Entry:
    values = [
        (text, levels[column.name, label])
        for label, text in zip(column.labels, column.texts, strict=True)
        if (column.name, label) in levels
    ]
    has_others = column.has_others or len(values) < len(column.labels)
    if column.has_blanks and (column.name, None) in levels:
        values.append(("", f"{_EMPTY}: {levels[column.name, None]}"))
    meaning = _meaning(column, row[DONE], has_others, so_many)
    if column.kind == "person" and row["type"] == "text":
        meaning = meaning.replace(_PERSON, _BY_KEY)
    return Entry(column, _datatype(column, row["type"]), meaning, tuple(values), has_others)


def _meaning(column: ListedColumn, done: str, has_others: bool, so_many: str) -> str:
    in_words = column.described.in_words or column.header
    what = in_words if in_words.endswith((".", "!", "?")) else f"{in_words}."
    match column.kind:
        case "person":
            return f"{what} {_PERSON}"
        case "text":
            return f"{what} Free texts, none of which is listed."
        case "undecided":
            return f"{what} No value is listed."
    others = f"Values that fewer than {so_many} share are not listed." if has_others else ""
    return " ".join(filter(None, [what, done, others]))


def _datatype(column: ListedColumn, type_in_codebook: str) -> str:
    if column.kind == "person":
        return "integer" if type_in_codebook == "number" else "string"
    if type_in_codebook == "number":
        return "number"
    is_day = type_in_codebook == "date" and all(_ISO_DAY.fullmatch(label) for label in column.labels)
    return "date" if is_day and column.labels else "string"


def as_json(found: Sequence[Entry], title: str, description: str) -> bytes:
    """The dictionary as metadata of CSV on the Web, which describes the mock-up sample beside it."""
    document = {
        "@context": [names.CSVW, {"@language": "en"}],
        "url": SAMPLE,
        "dc:title": title,
        "dc:description": description,
        "dialect": {"encoding": "utf-8", "delimiter": ",", "quoteChar": '"', "header": True},
        "tableSchema": {"columns": [_column(entry) for entry in found]},
    }
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "replace")


def _column(entry: Entry) -> dict[str, object]:
    column = entry.column
    titles = list(dict.fromkeys([column.header, column.title]))
    found: dict[str, object] = {
        "name": _variable(column.header),
        "titles": titles,
        "datatype": entry.datatype,
        "dc:description": entry.meaning,
        "null": "",
    }
    return found | ({"schema:unitText": column.described.unit} if column.described.unit else {})


def _variable(header: str) -> str:
    """A name that the standard takes: letters, digits and underlines, all else by its bytes."""
    safe = quote(header, safe="").replace(".", "%2E").replace("-", "%2D").replace("~", "%7E")
    return f"%5F{safe[1:]}" if safe.startswith("_") else safe


def as_csv(found: Sequence[Entry]) -> bytes:
    """The dictionary as a table, one row a value that is listed."""
    return csv_of([_HEADER, *(row for entry in found for row in _rows(entry))])


def _rows(entry: Entry) -> Iterator[tuple[str, ...]]:
    column = entry.column
    says = (column.title, column.described.unit, entry.datatype, entry.meaning)
    head = (column.header, *neutralise(says))
    listed = [(text, neutralise([label])[0]) for text, label in entry.values]
    if entry.has_others or not listed:
        listed.append(("", OTHERS if column.kind == "values" else ""))
    for text, label in listed:
        yield (*head, text, label)


def csv_of(rows: Sequence[Sequence[str]]) -> bytes:
    """Rows of texts as CSV in UTF-8, written as the CSV of a release is."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\r\n").writerows(rows)
    return file.getvalue().encode("utf-8", "replace")
