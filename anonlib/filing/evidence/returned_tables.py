"""Whether a release of several tables that came back is what its evidence, its project or its original says."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from typing import Any

import numpy as np

from anonlib.filing.evidence.evidence import Evidence
from anonlib.filing.evidence.leaving import released_file
from anonlib.filing.evidence.returned import HOW_TO_COMPARE, NOT_ON_RECORD, Check, Verification, verify
from anonlib.filing.project import LoadedFile, Opened, Project
from anonlib.reading.joining import join
from anonlib.reading.records import FrameRecords
from anonlib.reading.records.layout import Layout
from anonlib.reading.sources import kind_of
from anonlib.reading.sources.workbooks import WORKBOOKS
from anonlib.reading.tables import Key, Linked, NamedTable, open_tables
from anonlib.reading.tables.archives import unpacked
from anonlib.release.files import format_of

_Tables = dict[str, NamedTable]


def verify_returned(
    data: bytes,
    name: str,
    *,
    evidence: Evidence | None = None,
    project: Project | None = None,
    original: Opened | None = None,
) -> Verification:
    """Check what came back of a release, of one table or of several.

    Parameters
    ----------
    data : bytes
        The bytes of what came back: a file, or of several tables the zip or workbook that they left as.
    name : str
        What it is called.
    evidence : Evidence, optional
        What was filed with it, which it is compared with.
    project : Project, optional
        The project it was made by, which has the digests of earlier releases; of use without evidence.
    original : Opened, optional
        The project on the original, with the key of its pseudonyms where it has some: the release is made again and
        compared.

    Returns
    -------
    Verification
        As of :func:`verify`; of several tables it says of each by name what differs.

    Raises
    ------
    InputError
        Where the file cannot be read.
    """
    if not _are_several(evidence, project, original):
        return verify(LoadedFile.of(data, name), evidence=evidence, project=project, original=original)
    digests = set[str]()
    if evidence is not None and evidence.released is not None:
        digests.update(evidence.released.on_record.values())
    elif project is not None:
        digests.update(project.released.values())
    digest = hashlib.sha256(data).hexdigest()
    if digest in digests:
        return Verification((Check("its digest", True, "It is on record, byte by byte."),), True, "tables")
    if original is None and not digests:
        return Verification((), None, "tables")
    now = {table.name: table for table in open_tables([(name, data)])}
    if original is None:
        assert evidence is not None or project is not None
        checks = [] if evidence is None else _of_evidence(now, evidence)
        checks.append(Check("its cells", None, f"{NOT_ON_RECORD}. {HOW_TO_COMPARE}"))
        return Verification(tuple(checks), False, "tables")
    again = released_file(original, _format(name, data))
    if hashlib.sha256(again).hexdigest() == digest:
        return Verification((Check("its digest", True, "It is the release made again, byte by byte."),), True, "tables")
    then = {table.name: table for table in open_tables([("release", again)])}
    return Verification(tuple(_of_cells(now, then, original)), False, "tables")


def _are_several(evidence: Evidence | None, project: Project | None, original: Opened | None) -> bool:
    """Whether several tables were released: lists in cells of one file leave as one file."""
    if original is not None:
        return original.data.tables is not None and len(original.data.tables.files) > 1
    if evidence is not None:
        return len(evidence.files) > 1
    return project is not None and project.file is not None and len(project.file.tables) > 1


def _format(name: str, data: bytes) -> str:
    """The format of the tables, a name of :data:`anonlib.release.files.FORMATS`."""
    first = unpacked(name, data)[0][0].content
    return "Excel" if kind_of(first) in WORKBOOKS else format_of(kind_of(first)).name


def _of_evidence(now: _Tables, evidence: Evidence) -> list[Check]:
    """The tables, and the rows of each, as they are on record."""
    checks = [_same_names(list(now), [part.name for part in evidence.files])]
    for part in evidence.files:
        if part.name in now:
            n_rows = now[part.name].records.n_records
            says = f"{n_rows:,} rows; {part.leave:,} were released."
            checks.append(Check(f"the rows of “{part.name}”", n_rows == part.leave, says))
    return checks


def _same_names(now: list[str], then: list[str]) -> Check:
    lacking, more = len({*then} - {*now}), len({*now} - {*then})
    says = f"{len(now):,} tables; {lacking:,} of those released are not in it, {more:,} are new."
    return Check("its tables", not lacking and not more, says)


def _of_cells(now: _Tables, then: _Tables, original: Opened) -> list[Check]:
    """Each table's rows without its keys, in any order; then by all tables which rows are of one person."""
    layout = original.data.tables
    assert layout is not None
    checks = [_same_names(list(now), list(then))]
    for place in layout.files:
        if place.name not in now or place.name not in then:
            continue
        columns = then[place.name].columns
        if now[place.name].columns != columns:
            says = "Its columns are not those that the project releases, or in another order."
            checks.append(Check(f"the columns of “{place.name}”", False, says))
            continue
        keys = {place.person, place.parent_column, *place.keys}
        rows = [
            _rows(table, [name for name in columns if name not in keys])
            for table in (now[place.name], then[place.name])
        ]
        more, fewer = (rows[0] - rows[1]).total(), (rows[1] - rows[0]).total()
        says = f"{more:,} of its rows are not in the release made again, and {fewer:,} of that are not in it."
        checks.append(Check(f"the rows of “{place.name}”", not more and not fewer, says))
    if all(check.holds for check in checks) and (linked := _linked(layout, then)).person_columns:
        same = _persons(now, linked) == _persons(then, linked)
        says = "Rows hang together as they were released." if same else "Rows hang together otherwise than released."
        checks.append(Check("its keys", same, says))
    return checks


def _linked(layout: Layout, tables: _Tables) -> Linked:
    """How the tables of a release hang together by the keys that left."""
    held = {place.name: {*tables[place.name].columns} for place in layout.files}
    persons = {place.name: place.person for place in layout.files if place.person in held[place.name]}
    keys = tuple(
        Key(place.name, place.parent_column, place.parent, place.parent_key)
        for place in layout.files
        if place.parent and place.parent_column in held[place.name]
    )
    return Linked(layout.person_table if layout.person_table in persons else None, persons, keys)


def _persons(tables: _Tables, linked: Linked) -> Counter[Any]:
    """How many persons have which rows of all tables; rows without a person are of nobody."""
    joined = join([*tables.values()], linked)
    assert isinstance(joined.records, FrameRecords)
    frame = joined.records.frame.drop(columns=[place.row for place in joined.layout.tables if place.row])
    cells = np.asarray(frame.astype(object).where(frame.notna(), None))
    person = list(frame.columns).index(joined.layout.person)
    by_person: dict[str | None, Counter[Any]] = defaultdict(Counter)
    for row in cells.tolist():
        by_person[row[person]][tuple(cell for i, cell in enumerate(row) if i != person)] += 1
    return Counter((name is None, frozenset(rows.items())) for name, rows in by_person.items())


def _rows(table: NamedTable, columns: list[str]) -> Counter[Any]:
    records = table.records
    assert isinstance(records, FrameRecords)
    frame = records.frame[columns].astype(object)
    return Counter(map(tuple, frame.where(frame.notna(), None).to_numpy().tolist()))
