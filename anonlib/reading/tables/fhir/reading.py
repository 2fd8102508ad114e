"""Lines of resources to tables: one a resource, whatever files its lines are in."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from anonlib.basics.words import count, listed, of_number
from anonlib.reading.sources import Described, Reading, Source
from anonlib.reading.sources.reading import CodedColumn, Limits, check_cells, finished_frame
from anonlib.reading.tables.fhir.fields import Element, Field, every, further_codes, part, text
from anonlib.reading.tables.fhir.resources import CODED, JOINED, RESOURCES

FORMAT = "FHIR bulk export (NDJSON)"
_LOOKED_AT = 1 << 16  # bytes of a file by which it is recognised
_OFTEN = 1_000  # lines between two reports of progress
_BLANK = b" \t\r\n\xef\xbb\xbf"


def is_fhir(content: bytes) -> bool:
    """Whether a file is JSON of resources, by its first bytes.

    Parameters
    ----------
    content : bytes
        The file, or its beginning.

    Returns
    -------
    bool
    """
    head = content[:_LOOKED_AT].lstrip(_BLANK)
    return head.startswith(b"{") and b'"resourceType"' in head


@dataclass
class _Table:
    """A resource while its lines are read: by column of every row its text, and what is to be noted."""

    resource: str
    rows: list[dict[str, str]] = field(default_factory=list)
    of_row: list[int] = field(default_factory=list)  # by row, the number of the resource that it is of
    latest: dict[str, tuple[str, int]] = field(default_factory=dict)  # by id, when updated, and number
    older: set[int] = field(default_factory=set)  # numbers of resources of which there are later ones
    repeats: Counter[str] = field(default_factory=Counter)  # by element, how many resources have several
    files: dict[str, None] = field(default_factory=dict)  # in order
    in_parts: int = 0

    def add(self, resource: Element, file: str) -> None:
        self.files.setdefault(file)
        parts = _parts(resource) if self.resource == "Observation" else [resource]
        self.in_parts += len(parts) > 1
        number = self.of_row[-1] + 1 if self.of_row else 0
        for row_part in parts:
            self.rows.append(_row(self.resource, row_part))
            self.of_row.append(number)
        resource_id = text(resource.get("id"))
        if resource_id is not None:
            state = (text(part(resource, "meta", "lastUpdated")) or "", number)
            before = self.latest.get(resource_id, state)
            self.latest[resource_id] = max(before, state)
            if before is not state:
                self.older.add(min(before, state)[1])
        for element in _ELEMENTS[self.resource]:
            several = resource.get(element)
            self.repeats[element] += isinstance(several, list) and len(several) > 1


_ELEMENTS = {
    resource: {field.element for field in fields if " " not in field.path} - JOINED
    for resource, fields in RESOURCES.items()
}


def read_fhir(
    files: Sequence[tuple[str, bytes]], limits: Limits | None = None, progress: Progress = nobody
) -> tuple[list[tuple[str, Source]], list[str]]:
    """Read files of resources; the lines of one resource become one table, in whatever files they are.

    Parameters
    ----------
    files : Sequence[tuple[str, bytes]]
        Name and content of each: a resource a line, or one resource or Bundle as the whole file.
    limits : Limits, optional
        How much one table may hold.
    progress : Progress, default nobody
        Called with the share that is read; what it raises ends the reading.

    Returns
    -------
    By resource its table, in the order Patient, Encounter and what hangs below; and sentences on the resources that
    are not read here.

    Raises
    ------
    InputError
        When a line is no JSON or no resource; the message has the file and the line, and nothing of its content.
    """
    limits = limits or Limits()
    tables: dict[str, _Table] = {}
    unknown: Counter[str] = Counter()
    total, done = max(1, sum(len(content) for _, content in files)), 0
    for name, content in files:
        for place, (resource, read) in enumerate(_resources(name, content)):
            kind = resource.get("resourceType")
            if isinstance(kind, str) and kind in RESOURCES:
                tables.setdefault(kind, _Table(kind)).add(resource, name)
            else:
                unknown[kind if isinstance(kind, str) else ""] += 1
            if place % _OFTEN == 0:
                progress(0.9 * (done + read) / total)
        done += len(content)
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in files}
    sizes = {name: len(content) for name, content in files}
    sources = [(kind, _source(tables[kind], digests, sizes, limits)) for kind in RESOURCES if kind in tables]
    progress(1.0)
    return sources, _of_unknown(unknown)


def _of_unknown(unknown: Counter[str]) -> list[str]:
    if not unknown:
        return []
    named = [f"{kind} ({number:,})" for kind, number in sorted(unknown.items())]
    resources = of_number(len(named), "kinds of resource")
    return [f"Left out, since it is not read here: {count(len(named))} {resources}: {listed(named, most=12)}."]


# ---- lines -----------------------------------------------------------------------------------------------------------


def _resources(name: str, content: bytes) -> Iterator[tuple[Element, int]]:
    """Each resource, and how many bytes are read with it."""
    content = content.removeprefix(b"\xef\xbb\xbf")
    end, number = 0, 0
    while end < len(content):
        start, number = end, number + 1
        end = content.find(b"\n", start) + 1 or len(content)
        line = content[start:end].strip()
        if not line:
            continue
        parsed = _parsed(line)
        if parsed is None and number == 1:
            parsed = _parsed(content)  # one resource or Bundle over many lines
            end = end if parsed is None else len(content)
        if not isinstance(parsed, Mapping):
            raise InputError(
                f"Line {number:,} of “{name}” is not one whole JSON object. Export the file again, or take the line "
                "out.",
                code="line-not-whole",
            )
        if "resourceType" not in parsed:
            raise InputError(
                f"Line {number:,} of “{name}” is no FHIR resource: it has no resourceType.", code="line-not-whole"
            )
        inside = [parsed]
        if parsed["resourceType"] == "Bundle":
            inside = [part(entry, "resource") for entry in every(parsed, "entry")]
        for resource in inside:
            if isinstance(resource, Mapping):
                _check_id(resource, number, name)
                yield resource, end


def _check_id(resource: Element, number: int, name: str) -> None:
    """Raises InputError where the id is no text: whose rows these are would be a guess."""
    if isinstance(resource.get("id"), (Mapping, list, bool)):
        raise InputError(
            f"Line {number:,} of “{name}” is no FHIR resource: its id is a list or an object, and not a text. Export "
            "the file again, or take the line out.",
            code="line-not-whole",
        )


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line, parse_float=str, parse_int=str)
    except (ValueError, RecursionError):
        return None


# ---- rows ------------------------------------------------------------------------------------------------------------


def _row(resource: str, element: Element) -> dict[str, str]:
    """By column that has any, the text of its cell."""
    row = {field.column: value for field in RESOURCES[resource] if (value := field.read(element)) is not None}
    if resource in CODED:
        for short, value in further_codes(CODED[resource](element)):
            row.setdefault(f"code_{short}", value)
    return row


def _parts(observation: Element) -> list[Element]:
    """An observation, or each of its parts (as of a blood pressure) as one of its own."""
    components = every(observation, "component")
    if not components:
        return [observation]
    whole = {key: value for key, value in observation.items() if key != "component"}
    own = [whole] if any(key.startswith("value") for key in whole) else []
    of_part = ("code", "value", "interpretation", "referenceRange", "dataAbsentReason")
    shared = {key: value for key, value in whole.items() if not key.startswith(of_part)}
    return [*own, *({**shared, **part_} for part_ in components)]


# ---- tables ----------------------------------------------------------------------------------------------------------


def _source(table: _Table, digests: Mapping[str, str], sizes: Mapping[str, int], limits: Limits) -> Source:
    rows = [row for row, number in zip(table.rows, table.of_row, strict=True) if number not in table.older]
    further = sorted({column for row in rows for column in row if column.startswith("code_")})
    columns = list(dict.fromkeys([*(field.column for field in RESOURCES[table.resource]), *further]))
    filled = {column for row in rows for column in row}
    columns = [column for column in columns if column in filled] or columns[:1]
    check_cells(len(rows), len(columns), limits)
    frame, notes = finished_frame(
        [_column(column, rows) for column in columns], len(rows), named=[True] * len(columns), keep_rows=True
    )
    notes = [*_notes(table), *notes]
    described = tuple(_described(table.resource, column) for column in frame.columns)
    state = json.dumps([FORMAT, table.resource, [digests[name] for name in table.files]])
    return Source(
        listed(list(table.files), most=3),
        frame,
        hashlib.sha256(state.encode()).hexdigest(),
        Reading(FORMAT, notes=tuple(notes), described=described),
        sum(sizes[name] for name in table.files),
    )


def _column(name: str, rows: Sequence[Mapping[str, str]]) -> CodedColumn:
    place: dict[str, int] = {}
    codes = np.full(len(rows), -1, dtype=np.int64)
    for i, row in enumerate(rows):
        value = row.get(name)
        if value is not None:
            codes[i] = place.setdefault(value, len(place))
    return CodedColumn(name, codes, list(place))


def _notes(table: _Table) -> list[str]:
    notes = ["References became the plain ids that they name. Narrative texts and notes were not read."]
    if len(table.files) > 1:
        notes.append(f"Read from {count(len(table.files), 'files')}.")
    if table.older:
        older = count(len(table.older), "resources")
        notes.append(f"Left out: {older} of an id that comes again; the latest one stays.")
    if table.in_parts:
        notes.append(f"Of {count(table.in_parts, 'observations')} of several parts, each part is a row.")
    several = [f"{element} ({number:,})" for element, number in sorted(table.repeats.items()) if number]
    if several:
        notes.append(f"Of elements that come several times in a resource, only the first is read: {listed(several)}.")
    return notes


def _described(resource: str, column: str) -> Described:
    known: Field | None = next((field for field in RESOURCES[resource] if field.column == column), None)
    if known is None:
        return Described(column, "Further code (FHIR)")
    # Without the element's path: of a state it says “address”, as of a street.
    return Described(column, f"{known.title} (FHIR)", identifies=known.identifies)
