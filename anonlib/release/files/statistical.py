"""A release for Stata and for SPSS, written in memory.

First come names of columns as Stata and SPSS allow them; then come the two files.
"""

from __future__ import annotations

import datetime
import io
import os
import re
import unicodedata
from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat

from anonlib.release.files.rows import ReleasedColumn, ReleasedRows, as_numbers
from anonlib.values.cells import is_code
from anonlib.values.dates import to_dates

STATA_LONGEST, SPSS_LONGEST = 32, 64  # Stata counts characters, SPSS bytes
_STATA_RESERVED = {
    "_all", "_b", "byte", "_coef", "_cons", "double", "float", "if", "in", "int", "long", "_n", "_N", "_pi", "_pred",
    "_rc", "_skip", "strL", "using", "with", "str",
}  # fmt: skip
_SPSS_RESERVED = {"all", "and", "by", "eq", "ge", "gt", "le", "lt", "ne", "not", "or", "to", "with"}


def stata_names(names: Sequence[str]) -> list[str]:
    """Names for Stata: letters, digits and ``_``, at most 32 characters, no word of its own, all different.

    Examples
    --------
    >>> stata_names(["age", "2nd visit", "2nd-visit", "if"])
    ['age', 'v2nd_visit', 'v2nd_visit_2', 'if_']
    """
    return _distinct([_plain(name, _STATA_RESERVED) for name in names], STATA_LONGEST, by_bytes=False)


def spss_names(names: Sequence[str]) -> list[str]:
    """Names for SPSS: letters, digits and ``_``, at most 64 bytes, no word of its own, different but for their case.

    Examples
    --------
    >>> spss_names(["Age", "AGE", "income (EUR)"])
    ['Age', 'AGE_2', 'income__EUR_']
    """
    return _distinct([_plain(name, _SPSS_RESERVED) for name in names], SPSS_LONGEST, by_bytes=True)


def _plain(name: str, reserved: set[str]) -> str:
    composed = unicodedata.normalize("NFC", name)
    text = "".join(letter if _allowed(letter) else "_" for letter in composed)
    if not text or not text[0].isalpha():
        text = f"v{text}"
    own = text in reserved or text.lower() in reserved or (text[:3] == "str" and text[3:].isdigit())
    return f"{text}_" if own else text


def _allowed(letter: str) -> bool:
    """A letter of any script, a digit of ours, or the line that both programs allow."""
    if letter.isascii():
        return letter.isalnum() or letter == "_"
    return unicodedata.category(letter) in ("Lu", "Ll", "Lo") and ord(letter) >= 192


def _distinct(names: list[str], longest: int, *, by_bytes: bool) -> list[str]:
    taken: set[str] = set()
    distinct = []
    for name in names:
        number, new = 1, _cut_name(name, longest, by_bytes)
        while (new.casefold() if by_bytes else new) in taken:
            number += 1
            new = f"{_cut_name(name, longest - len(f'_{number}'), by_bytes)}_{number}"
        taken.add(new.casefold() if by_bytes else new)
        distinct.append(new)
    return distinct


def _cut_name(name: str, longest: int, by_bytes: bool) -> str:
    return name.encode()[:longest].decode(errors="ignore") if by_bytes else name[:longest]


STATA_SHORT = 2_045  # bytes of a text that is not stored apart
SPSS_LONGEST_TEXT = 32_767  # bytes
IN_MEMORY = hasattr(os, "memfd_create")
"""Whether this system has files without a disk, which writing for SPSS needs."""

MOST_CODES = 1_000
"""Most different labels of a column that is codes with value labels."""
_SHARED = 2  # rows a label, on average, of a column that is codes: others are texts or names

_KIND_OF_MISSING = re.compile(r"\.[a-z_]")  # as Stata and SAS write one
_LONGEST_CODE = 8  # bytes of a text that has a value label, as SPSS allows
_RANGE = re.compile(r"[\[(<>]?-?[0-9]")  # what the labels of intervals begin with
_LONGEST_VALUE_LABEL = 120  # bytes, as SPSS allows
_LARGEST_CODE = 2_147_483_000  # below Stata's largest whole number that is not missing
_LONGEST_LABEL = 80  # characters of a column's description, as Stata allows
_WRITTEN = datetime.datetime(1980, 1, 1)
_SPSS_WRITTEN, _SPSS_WRITTEN_AT = b"01 Jan 8000:00:00", 92  # date and time in the header: else no two files were equal


def write_stata(rows: ReleasedRows) -> bytes:
    """Format 118 (Stata 14 on, UTF-8): numbers as doubles, missing as ``.``, missing texts empty.

    Labels that rows share are whole numbers with the labels as value labels, missing as ``.`` (:func:`_coded`); codes
    of the original that are numbers keep what they stand for. A column is labelled with its title.
    """
    names = stata_names([column.name for column in rows.columns])
    named = list(zip(names, rows.columns, strict=True))
    frame = pd.DataFrame({name: _cells(column) for name, column in named})
    labels = {name: codes for name, column in named if (codes := _value_labels(column))}
    long = [name for name, column in named if _is_text(column) and _longest(column) > STATA_SHORT]
    written = io.BytesIO()
    frame.to_stata(
        written, write_index=False, version=118, convert_strl=long, time_stamp=_WRITTEN,
        variable_labels={name: _label(column) for name, column in named},
        value_labels=labels or None,
    )  # fmt: skip
    return written.getvalue()


def write_spss(rows: ReleasedRows) -> bytes:
    """A .sav file in UTF-8: numbers as numbers, missing as system missing, missing texts blank and declared missing.

    Labels that rows share are whole numbers with the labels as value labels, missing as system missing
    (:func:`_coded`); codes of the original keep what they stand for, and those that were declared missing are. A column
    has its title as label, and the level of measurement that the original's had, or that its values are of. SPSS fills
    texts up with blanks, so blanks at the end of a text are lost.
    """
    named = list(zip(spss_names([column.name for column in rows.columns]), rows.columns, strict=True))
    frame = pd.DataFrame({name: _cells(column) for name, column in named})
    titles: list[str | None] = [_label(column) for column in rows.columns]
    shown = {name: _shown(column) for name, column in named if column.numbers is not None}
    shown |= {name: "F8.0" for name, column in named if _coded(column)}
    labels: dict[str, dict[Any, str]] = {name: codes for name, column in named if (codes := _value_labels(column))}
    labels |= {
        name: dict(column.of_codes)
        for name, column in named
        if column.of_codes and _is_text(column) and max(map(_n_bytes, column.labels)) <= _LONGEST_CODE
    }
    missing: dict[str, list[Any]] = {
        name: [""] for name, column in named if _is_text(column) and (frame[name] == "").any()
    }
    missing |= {name: declared for name, column in named if (declared := _declared_missing(column))}
    file = os.memfd_create("release")
    try:
        path = f"/proc/self/fd/{file}"
        pyreadstat.write_sav(
            frame, path, column_labels=titles, variable_format=shown, row_compress=True, variable_value_labels=labels,
            missing_ranges=missing, variable_measure={name: _measure(column) for name, column in named},
        )  # fmt: skip
    except pyreadstat.ReadstatError:
        os.pwrite(file, b" ", os.fstat(file).st_size)  # the system says why, where it takes no more
        raise
    else:
        os.pwrite(file, _SPSS_WRITTEN, _SPSS_WRITTEN_AT)
        with open(file, "rb", closefd=False) as written:
            written.seek(0)
            return written.read()
    finally:
        os.close(file)


def _is_text(column: ReleasedColumn) -> bool:
    return column.numbers is None and not _coded(column)


def _value_labels(column: ReleasedColumn) -> dict[int | float, str]:
    """What the numbers of a column stand for, by number; none of a column of texts, or of numbers that are no codes."""
    if coded := _coded(column):
        return coded
    if column.numbers is None:
        return {}
    numbers = zip(column.labels, column.numbers.tolist(), strict=True)
    return {
        number: _cut(column.of_codes[code]) for code, number in numbers if code in column.of_codes and number % 1 == 0
    }


def _declared_missing(column: ReleasedColumn) -> list[float]:
    """The numbers of a column that were declared missing and still are values; at most three, as SPSS allows."""
    declared = () if column.described is None else column.described.missing
    if kinds := _kinds_of_missing(column):
        numbers = zip(column.labels, _coded(column), strict=False)
        return [float(number) for label, number in numbers if label in kinds][:3]
    if column.numbers is None:
        return []
    return [number for code, number in zip(column.labels, column.numbers.tolist(), strict=True) if code in declared][:3]


def _measure(column: ReleasedColumn) -> str:
    """The level of measurement: of the original where the labels can be of it, else by what they are."""
    given = "" if column.described is None else column.described.measure
    if column.numbers is not None:
        is_scale = 2 * len(column.of_codes) <= len(column.labels)  # few labels are exceptions
        return given or ("scale" if is_scale else "nominal")
    in_order = not column.is_person and all(_RANGE.match(str(label)) for label in column.labels)
    return "ordinal" if in_order or given == "ordinal" else "nominal"


def _cells(column: ReleasedColumn) -> np.ndarray:
    if column.numbers is not None:
        return column.floats
    if coded := _coded(column):
        return np.append(np.array(list(coded), dtype=float), np.nan)[column.codes]
    return np.append(column.labels, [""])[column.codes]


def _longest(column: ReleasedColumn) -> int:
    """Bytes of the longest label."""
    return max((len(str(label).encode()) for label in column.labels), default=0)


def _coded(column: ReleasedColumn) -> dict[int | float, str]:
    """The code of each label of a column of labels, or of one with kinds of missing values, with what it stands for.

    None where the column is one of numbers, or stays one of texts: of labels that few rows share or that are long, of
    days, of codes such as postcodes, and of the original's codes that are texts. What its labels are made of is not
    asked.

    The number itself where every label is a whole one, or is one of the original's codes; those that are none are
    numbered after these, else from 1 in the column's order. What is blank and what was missing already have no code
    and are both missing to the program, which leaves them out of what it counts.
    """
    kinds = _kinds_of_missing(column)
    if column.numbers is not None or column.is_person or not 0 < len(column.labels) <= MOST_CODES:
        return {}
    if _longest(column) > _LONGEST_VALUE_LABEL or not (kinds or _are_shared_labels(column)):
        return {}
    labels = [str(label) for label in column.labels]
    own = [label for label in labels if label.isdigit() or label in column.of_codes] if column.of_codes else labels
    own = [label for label in own if label not in kinds]
    numbers = as_numbers(np.array(own, dtype=object))
    known: dict[str, int] = {}
    if numbers is not None and (numbers % 1 == 0).all() and (np.abs(numbers) < _LARGEST_CODE).all():
        known = dict(zip(own, numbers.astype(int).tolist(), strict=True))
    following = count(max([0, *known.values()]) + 1)
    return {known[label] if label in known else next(following): _cut(column.in_words(label)) for label in labels}


def _are_shared_labels(column: ReleasedColumn) -> bool:
    """Whether texts are labels that rows share, which programs count by, and no names, days or codes."""
    if _SHARED * len(column.labels) > np.count_nonzero(column.codes >= 0):
        return False
    if column.of_codes and all(label in column.of_codes and not label.isdigit() for label in column.labels):
        return False
    return not is_code(column.labels) and bool(np.isnat(to_dates(column.labels)).any())


def _kinds_of_missing(column: ReleasedColumn) -> tuple[str, ...]:
    """The kinds of missing values of Stata and SAS that the original declares, and that are still apart."""
    declared = () if column.described is None else column.described.missing
    return tuple(kind for kind in declared if _KIND_OF_MISSING.fullmatch(kind) and kind in column.labels)


def _cut(label: str) -> str:
    """A value label as SPSS allows it."""
    return label.encode()[:_LONGEST_VALUE_LABEL].decode(errors="ignore")


def _n_bytes(text: str) -> int:
    return len(text.encode())


def _shown(column: ReleasedColumn) -> str:
    """How SPSS is to show a column of numbers: with the decimals that it has."""
    decimals = max(len(str(label).partition(".")[2]) for label in column.labels)
    return f"F{max(8, *(len(str(label)) for label in column.labels))}.{decimals}"


def _label(column: ReleasedColumn) -> str:
    """What the column is, or is called in the release, since its name may be another here."""
    return column.title[:_LONGEST_LABEL]
