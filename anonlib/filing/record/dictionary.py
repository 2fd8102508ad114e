"""The data dictionary of a release, as metadata of CSV on the Web and as a table, and its mock-up sample."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import numpy as np
import pandas as pd

from anonlib.basics import words
from anonlib.counting.classes import ClassTable, counts_in
from anonlib.dataset import Dataset
from anonlib.filing.evidence import Evidence
from anonlib.filing.project import Opened
from anonlib.filing.record import vocabulary
from anonlib.filing.record.columns import ListedColumn, least_shared
from anonlib.reading.records import TableRecords
from anonlib.release.codebook import DONE, codebook
from anonlib.release.files.rows import neutralise
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
class DictionaryEntry:
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


def entries_of(opened: Opened, evidence: Evidence, columns: Sequence[ListedColumn]) -> tuple[DictionaryEntry, ...]:
    """What the dictionary says of each column: of the codebook, what so many records (persons) share."""
    book = codebook(opened.applied.released, opened.project.recipe, opened.pseudonyms, opened.project.aim.coin)
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
) -> DictionaryEntry:
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
    return DictionaryEntry(column, _datatype(column, row["type"]), meaning, tuple(values), has_others)


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


def dictionary_json(entries: Sequence[DictionaryEntry], title: str, description: str) -> bytes:
    """The dictionary as metadata of CSV on the Web, which describes the mock-up sample beside it."""
    document = {
        "@context": [vocabulary.CSVW, {"@language": "en"}],
        "url": SAMPLE,
        "dc:title": title,
        "dc:description": description,
        "dialect": {"encoding": "utf-8", "delimiter": ",", "quoteChar": '"', "header": True},
        "tableSchema": {"columns": [_column(entry) for entry in entries]},
    }
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "replace")


def _column(entry: DictionaryEntry) -> dict[str, object]:
    column = entry.column
    titles = list(dict.fromkeys([column.header, column.title]))
    described: dict[str, object] = {
        "name": _variable(column.header),
        "titles": titles,
        "datatype": entry.datatype,
        "dc:description": entry.meaning,
        "null": "",
    }
    return described | ({"schema:unitText": column.described.unit} if column.described.unit else {})


def _variable(header: str) -> str:
    """A name that the standard takes: letters, digits and underlines, all else by its bytes."""
    safe = quote(header, safe="").replace(".", "%2E").replace("-", "%2D").replace("~", "%7E")
    return f"%5F{safe[1:]}" if safe.startswith("_") else safe


def dictionary_csv(entries: Sequence[DictionaryEntry]) -> bytes:
    """The dictionary as a table, one row a value that is listed."""
    return csv_of([_HEADER, *(row for entry in entries for row in _rows(entry))])


def _rows(entry: DictionaryEntry) -> Iterator[tuple[str, ...]]:
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


ROWS = 20
"""Rows of a sample, at most."""
TRIES = 100
"""How often a row that the release has is drawn again before it is given up."""
TEXT = "text"
"""What stands for a free text."""
_SEED = 2025_327  # no secret: what is drawn is as public as what it is drawn from

Row = tuple[str | None, ...]
"""The values of a row, without the numbers of persons; None where a cell is empty."""


def mock_up(opened: Opened, columns: Sequence[ListedColumn]) -> tuple[Row, ...]:
    """Different rows of which none is in the release.

    Whether the original has one of them is not looked at: that it is not here would tell of a row that did not leave.

    Parameters
    ----------
    opened : Opened
        The project on its files. Only what leaves is looked at.
    columns : Sequence[ListedColumn]
        Those that leave, with the values that enough share.

    Returns
    -------
    tuple of Row
        At most :data:`ROWS`; fewer, or none, where nothing else could be drawn. As a row says that nobody has it, none
        says of those who share what may be known of them that none has some sensitive value.
    """
    drawn_of = [column for column in columns if column.kind != "person"]
    choices = [_choices(column) for column in drawn_of]
    if not any(column.labels for column in drawn_of):
        return ()
    lot = random.Random(_SEED)
    tried = [[_draw(choices, lot) for _ in range(TRIES + 1)] for _ in range(ROWS)]
    different = list(dict.fromkeys(row for rows in tried for row in rows))
    may_be_shown = _may_be_shown(opened.applied.released.in_codes(), [column.name for column in drawn_of], different)
    sample: dict[Row, None] = {}
    for rows in tried:
        row = next((row for row in rows if row in may_be_shown and row not in sample), None)
        if row is not None:
            sample[row] = None
    return tuple(sample)


def sample_csv(columns: Sequence[ListedColumn], rows: Sequence[Row]) -> bytes:
    """The sample as the CSV of the release would have it, with persons numbered from 1."""
    texts = [
        {**dict(zip(column.labels, column.texts, strict=True)), None: "", TEXT: TEXT}
        for column in columns
        if column.kind != "person"
    ]
    written = []
    for number, row in enumerate(rows, start=1):
        cells = iter([text_of[value] for text_of, value in zip(texts, row, strict=True)])
        written.append([str(number) if column.kind == "person" else next(cells) for column in columns])
    return csv_of([[column.header for column in columns], *written])


def _choices(column: ListedColumn) -> Sequence[str | None]:
    if column.kind == "text":
        return (TEXT,)
    return column.labels or (None,)


def _draw(choices: Sequence[Sequence[str | None]], lot: random.Random) -> Row:
    """One value of each, uniformly; only :meth:`random.Random.random` is the same in every version of Python."""
    return tuple(values[int(lot.random() * len(values))] for values in choices)


def _may_be_shown(released: Dataset, names: Sequence[str], rows: Sequence[Row]) -> set[Row]:
    """The rows that the release has not, and that tell of nobody in it that a sensitive value is not theirs."""
    drawn = pd.DataFrame(rows, columns=list(names), dtype=object)
    hidden = _occur(released, drawn, names)
    known = [name for name in names if name in released.quasi_identifiers]
    sensitive = [name for name in names if name in released.sensitive]
    if known and sensitive:
        people = _occur(released, drawn, known)
        for name in sensitive:
            hidden |= people & ~_occur(released, drawn, [*known, name])
    return {row for row, is_hidden in zip(rows, hidden, strict=True) if not is_hidden}


def _occur(data: Dataset, drawn: pd.DataFrame, names: Sequence[str]) -> np.ndarray:
    """bool per drawn row: a record of the data has its values in these columns."""
    rows, held = ClassTable.from_frame(drawn, names), data.held
    if isinstance(held, TableRecords):  # only those are fetched that are asked about
        held = held.label(rows, np.ones(rows.n_classes, dtype=bool))
    occurs = counts_in(rows, ClassTable.from_records(held, names)) > 0
    assert rows.class_of_record is not None
    return occurs[rows.class_of_record]
