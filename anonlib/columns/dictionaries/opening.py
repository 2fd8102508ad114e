"""Opening a dictionary: what it is decides who reads it."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pyreadstat

from anonlib.basics.errors import InputError
from anonlib.columns.dictionaries.dictionary import Dictionary, Labels, cleaned, merged
from anonlib.columns.dictionaries.documents import of_document, of_xml
from anonlib.columns.dictionaries.syntax import of_program
from anonlib.columns.dictionaries.tables import of_lines, of_table
from anonlib.reading.sources import ReadOptions, Source, kind_of, open_source

MOST_BYTES = 30_000_000
"""Largest dictionary that is read."""
MOST_COLUMNS, MOST_LABELS = 20_000, 100_000
"""Most columns and codes that a dictionary can describe."""
FORMS = (
    "a table (CSV, Excel)", "REDCap’s data dictionary", "DDI Codebook", "FHIR StructureDefinition", "Frictionless",
    "Croissant", "other JSON", "a SAS format catalog", "a program of SPSS, Stata or SAS with labels",
    "or lines such as “AGEP: age”",
)  # fmt: skip
"""What is read, in words."""
_MOST_SHEETS = 60
_SAS_CATALOG = bytes.fromhex("c2ea8163b31411cfbd92080009c7318c181f1011")
_ORDERS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_ORDERS |= {begins.encode(order): order for begins in "<{[" for order in ("utf-16-le", "utf-16-be")}
"""The order of bytes of UTF-16, by the first two of a document."""
_UNKNOWN = (
    f"No names of columns with something beside them are found in it. A dictionary is {', '.join(FORMS)}. A table "
    "needs a heading such as “variable” and one such as “label”, “values” or “unit”."
)


def read_dictionary(data: bytes, name: str = "dictionary") -> Dictionary:
    """A dictionary from its bytes: what it is written in is read off its content.

    Parameters
    ----------
    data : bytes
        The document, or the text that was pasted.
    name : str, default "dictionary"
        Of its file, for the reader of tables.

    Returns
    -------
    Dictionary

    Raises
    ------
    InputError
        When it is too large, damaged, or describes no columns; the sentence says what is read.
    """
    if not data.strip():
        raise InputError("The dictionary is empty. Paste or choose one.", code="file-is-empty")
    if len(data) > MOST_BYTES:
        raise InputError(
            f"The dictionary has {len(data) / 1e6:,.0f} MB; at most {MOST_BYTES / 1e6:.0f} are read.",
            code="file-too-large",
        )
    dictionary = _read(data, name)
    if (
        len(dictionary.described) > MOST_COLUMNS
        or sum(len(column.labels) for column in dictionary.described) > MOST_LABELS
    ):
        raise InputError(
            f"The dictionary describes more than {MOST_COLUMNS:,} columns or {MOST_LABELS:,} codes. Take the part of "
            "it that is of this file.",
            code="dictionary-too-large",
        )
    return dictionary


def _read(data: bytes, name: str) -> Dictionary:
    if data[12:32] == _SAS_CATALOG:
        return Dictionary("SAS format catalog", (), _catalog(data))
    wide = _of_utf_16(data)
    begins = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] if wide is None else wide.lstrip()[:1].encode()
    if begins == b"<":
        return of_xml(data.lstrip(b"\xef\xbb\xbf \t\r\n") if wide is None else wide.lstrip())
    if begins in (b"{", b"["):
        return of_document(data.lstrip(b"\xef\xbb\xbf") if wide is None else wide.encode())
    text = wide if wide is not None else _text(data) if kind_of(data) == "text" else ""
    dictionary = of_program(text) or _of_source(data, name, text) or of_lines(text)
    if dictionary is None:
        raise InputError(_UNKNOWN, code="file-not-of-this-kind")
    return dictionary


def _of_utf_16(data: bytes) -> str | None:
    """The text of a document in UTF-16, without the mark of its order; None of any other.

    Raises InputError where it begins as one and is not.
    """
    if data[:4] in (b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff"):
        raise InputError("This dictionary is written in UTF-32. Export it as UTF-8.", code="encoding-unknown")
    order = _ORDERS.get(data[:2])
    if order is None:
        return None
    try:
        return data.decode(order).removeprefix("\ufeff")
    except UnicodeDecodeError:
        raise InputError(
            "This dictionary begins as UTF-16 and goes on otherwise. Export it as UTF-8.", code="encoding-wrong"
        ) from None


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return "" if b"\0" in data[:4096] else data.decode("cp1252", errors="replace")


def _of_source(data: bytes, name: str, text: str) -> Dictionary | None:
    """A table, the tables of a workbook together, or what a file of a statistics program says of its columns."""
    try:
        source = open_source(data, name, max_bytes=MOST_BYTES)
    except InputError:
        if text:
            return None
        raise
    if known := [column for column in source.reading.described if column.title or column.labels]:
        return Dictionary(f"Labels of a file of {source.reading.format}", tuple(known))
    tables = [dictionary for sheet in _sheets(source, data, name) if (dictionary := _of_frame(sheet))]
    if not tables:
        return None
    described = merged(column for table in tables for column in table.described)
    boxes = frozenset[str]().union(*(table.checkboxes for table in tables))
    return Dictionary(tables[0].form, described, checkboxes=boxes)


def _sheets(source: Source, data: bytes, name: str) -> Iterator[Source]:
    yield source
    for sheet in source.reading.sheets[:_MOST_SHEETS]:
        if sheet != source.reading.sheet:
            try:
                yield open_source(data, name, ReadOptions(sheet=sheet), max_bytes=MOST_BYTES)
            except InputError:
                continue  # an empty sheet, or one that is no table


def _of_frame(source: Source) -> Dictionary | None:
    frame = source.frame.astype(object).where(source.frame.notna(), "")
    rows = [{str(header): str(cell) for header, cell in row.items()} for row in frame.to_dict("records")]
    return of_table([str(header) for header in frame.columns], rows, f"Table ({source.reading.format})")


def _catalog(data: bytes) -> dict[str, Labels]:
    """By the name of a format, its codes and labels."""
    try:
        _, about = pyreadstat.read_sas7bcat(io.BytesIO(data))
    except MemoryError:
        raise
    except Exception:
        raise InputError(
            "This SAS catalog is damaged or of an unknown version. Export its formats again.", code="file-damaged"
        ) from None
    return {
        str(name).casefold(): tuple((_code(code), cleaned(label)) for code, label in labels.items())
        for name, labels in about.value_labels.items()
    }


def _code(code: object) -> str:
    return f"{code:g}" if isinstance(code, float) else str(code)
