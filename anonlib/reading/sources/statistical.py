"""Stata, SAS and SPSS files, read from memory: the codes they store, and beside them what these stand for."""

from __future__ import annotations

import datetime
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat

from anonlib.basics.errors import InputError
from anonlib.basics.words import listed
from anonlib.reading.sources.cell_texts import moment_text, number_text, period_texts
from anonlib.reading.sources.described import LONGEST_TITLE, MEASURES, Described
from anonlib.reading.sources.names import check_width, column_names
from anonlib.reading.sources.reading import CodedColumn, Limits, Reading, check_cells, finished_frame
from anonlib.values.cells import to_numbers

_READERS: dict[str, tuple[str, Callable[..., Any], bool]] = {
    "stata": ("Stata", pyreadstat.read_dta, True),
    "sas7bdat": ("SAS data set", pyreadstat.read_sas7bdat, True),
    "xport": ("SAS transport file", pyreadstat.read_xport, False),
    "spss": ("SPSS", pyreadstat.read_sav, True),
    "por": ("SPSS portable file", pyreadstat.read_por, False),
}


def read_statistical(data: bytes, kind: str, limits: Limits) -> tuple[pd.DataFrame, Reading]:
    """Reads a Stata, SAS or SPSS file; kind is one of :func:`anonlib.reading.sources.sniff.kind_of`.

    Numbers are written without loss (whole ones without a decimal point), dates as ISO. Cells are codes: titles of
    columns, labels of codes and what is declared missing are what the file says of its columns.

    Raises
    ------
    InputError
        For a damaged or oversized file.
    """
    program, read, keeps_declared = _READERS[kind]
    damaged = (
        f"This {program.removesuffix(' file')} file is damaged, encrypted or of an unknown version. "
        "Export it again, or as CSV."
    )
    settings: dict[str, Any] = {"user_missing": True} if keeps_declared else {}
    try:
        _, about = read(io.BytesIO(data), metadataonly=True, output_format="dict", **settings)
        raw_names = list(about.column_names)
    except MemoryError:
        raise
    except Exception:
        raise InputError(damaged, code="file-damaged") from None
    check_width(len(raw_names), limits)
    check_cells(about.number_rows or 0, len(raw_names), limits)
    notes: list[str] = []
    try:
        values, about = read(io.BytesIO(data), output_format="dict", **settings)
    except MemoryError:
        raise
    except Exception:
        try:
            values, about = read(io.BytesIO(data), output_format="dict", disable_datetime_conversion=True, **settings)
        except MemoryError:
            raise
        except Exception:
            raise InputError(damaged, code="file-damaged") from None
        notes.append(
            "Dates or times out of range were found, so those columns are read as the numbers they are stored as."
        )
    return _finished(program, values, about, limits, notes)


def _finished(
    program: str, values: Mapping[str, Sequence[Any]], about: Any, limits: Limits, notes: list[str]
) -> tuple[pd.DataFrame, Reading]:
    raw_names = list(values)
    n_rows = len(values[raw_names[0]]) if raw_names else 0
    if n_rows == 0:
        raise InputError(
            f"The {program.removesuffix(' file')} file holds no records. Export it again with its records.",
            code="file-without-records",
        )
    names, name_notes = column_names([str(raw or "") for raw in raw_names], len(raw_names), limits)
    kinds = {raw: _labelled_kinds(raw, values[raw], about) for raw in raw_names}
    with_kinds = {raw: _with_kinds(values[raw], _kinds(raw, about), kinds[raw]) for raw in raw_names}
    formats = about.original_variable_types or {}
    periods = {
        raw: texts for raw in raw_names if (texts := period_texts(with_kinds[raw], formats.get(raw) or "", program))
    }
    columns = [_column(name, periods.get(raw, with_kinds[raw])) for name, raw in zip(names, raw_names, strict=True)]
    if periods:
        in_words = [name for name, raw in zip(names, raw_names, strict=True) if raw in periods]
        notes.append(
            "The file declares days, months, quarters, halves of years, weeks or years by its formats, and they are "
            f"written as such: column {listed(in_words)}."
        )
    described = tuple(
        _described(column.name, raw, column.texts(), about, kinds[raw])
        for raw, column in zip(raw_names, columns, strict=True)
    )
    together = [
        name for raw, name in zip(raw_names, names, strict=True) if len(_kinds(raw, about)) > 1 and not kinds[raw]
    ]
    if together:
        notes.append(f"Kinds of missing values, such as .a and .b, count as one: column {listed(together)}.")
    labelled = [column.name for column in described if column.labels]
    if labelled:
        notes.append(f"It has labels for the codes of column {listed(labelled)}: labels are shown, codes are kept.")
    declared = [column.name for column in described if column.missing]
    if declared:
        notes.append(
            f"The file declares some values missing; they were kept as values, to choose: column {listed(declared)}."
        )
    titled = [
        column.name
        for column, raw in zip(described, raw_names, strict=True)
        if column.title not in ("", raw, column.name)
    ]
    frame, edge_notes = finished_frame(columns, n_rows, named=[True] * len(names), keep_rows=True)
    return frame, Reading(
        format=program,
        encoding=about.file_encoding or None,
        header=True,
        notes=(*notes, *name_notes, *edge_notes),
        shown_otherwise=tuple(name for name in names if name in {*labelled, *declared, *titled}),
        described=described,
    )


def _described(name: str, raw: str, values: Sequence[str], about: Any, kinds: Mapping[Any, str]) -> Described:
    """What the file says of a column."""
    labels = {kinds.get(value, value): label for value, label in _labels(raw, about).items()}
    measure = (getattr(about, "variable_measure", None) or {}).get(raw, "")
    return Described(
        name,
        " ".join(str((about.column_names_to_labels or {}).get(raw) or "").split())[:LONGEST_TITLE],
        labels=tuple((_text(value), str(label)) for value, label in labels.items()),
        missing=(
            *_declared_missing((about.missing_ranges or {}).get(raw) or (), values),
            *(kind for kind in kinds.values() if kind in values),
        ),
        measure=measure if measure in MEASURES else "",
        format=str((about.variable_to_label or {}).get(raw) or ""),
    )


def _labels(raw: str, about: Any) -> Mapping[Any, Any]:
    return about.variable_value_labels.get(raw) or {}


def _kinds(raw: str, about: Any) -> tuple[Any, ...]:
    """The letters of the kinds of missing values that occur in a column of Stata or SAS."""
    return tuple((getattr(about, "missing_user_values", None) or {}).get(raw) or ())


def _labelled_kinds(raw: str, values: Sequence[Any], about: Any) -> dict[Any, str]:
    """By letter of a kind of missing value, how Stata and SAS write it, ``.a``; of a column of codes with labels alone.

    Among numbers that measure something a letter would be a value that is no number.
    """
    kinds, labels = _kinds(raw, about), _labels(raw, about)
    if not any(kind in labels for kind in kinds):
        return {}
    codes = {value for value in values if value is not None and value == value and value not in kinds}
    if 2 * sum(value in labels for value in codes) < len(codes):
        return {}
    return {kind: f".{kind}" for kind in kinds if kind in labels}


def _with_kinds(values: Sequence[Any], kinds: Sequence[Any], labelled: Mapping[Any, str]) -> Sequence[Any]:
    """A column in which kinds of missing values that have a label stay apart; the others are missing."""
    if not kinds:
        return values
    texts = dict.fromkeys(kinds, None) | dict(labelled)
    return [texts[value] if isinstance(value, str) and value in texts else value for value in values]


def _declared_missing(ranges: Sequence[Mapping[str, Any]], values: Sequence[str]) -> tuple[str, ...]:
    """The values that SPSS declares missing: codes, or ranges of numbers, of which those that occur."""
    missing: list[str] = []
    for bounds in ranges:
        low, high = bounds["lo"], bounds["hi"]
        if low == high:
            missing.append(_text(low))
        else:
            numbers = to_numbers(list(values))
            missing += [value for value, number in zip(values, numbers, strict=True) if low <= number <= high]
    return tuple(dict.fromkeys(missing))


def _column(name: str, values: Sequence[Any]) -> CodedColumn:
    """A column as codes into the texts of its distinct values."""
    codes, distinct = pd.factorize(np.array(values, dtype=object))
    return CodedColumn.of_texts(name, codes, map(_text, distinct))


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (datetime.date, datetime.time)):
        return moment_text(value)
    if isinstance(value, (int, float, np.integer, np.floating)):
        return number_text(value.item() if isinstance(value, np.generic) else value)
    return str(value)
