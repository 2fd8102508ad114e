"""Opening files as the tables of one case: what each is decides who reads it, and into how many tables."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody, share_of
from anonlib.basics.words import listed
from anonlib.reading.connected import Offered, OpenedTable
from anonlib.reading.records import TableRecords
from anonlib.reading.sources import AS_FOUND, ReadOptions, Source, display_name, kind_of, open_source
from anonlib.reading.sources.reading import Limits
from anonlib.reading.sources.workbooks import WORKBOOKS, read_sheets
from anonlib.reading.tables.archives import TABLES, ArchivedFile, unpacked
from anonlib.reading.tables.fhir import is_fhir, read_fhir
from anonlib.reading.tables.model import NamedTable, check_number, named_apart

_NONE: Mapping[str, ReadOptions] = MappingProxyType({})
_MOST_NAMED = 8  # files in a note


def open_tables(
    files: Sequence[tuple[str, bytes]],
    progress: Progress = nobody,
    *,
    options: Mapping[str, ReadOptions] = _NONE,
    limits: Limits | None = None,
) -> tuple[NamedTable, ...]:
    """Open several files, or one that holds several tables, as the tables of one case.

    Every visible sheet of a workbook that holds a table is one, every file of a zip archive, and every resource of
    FHIR bulk files, in however many files its lines are. All else is a table a file, read as
    :func:`anonlib.reading.sources.open_source` reads it.

    Parameters
    ----------
    files : Sequence[tuple[str, bytes]]
        Name and content of each.
    progress : Progress, default nobody
        Called with the share that is done, 0 to 1; what it raises ends the reading.
    options : Mapping[str, ReadOptions], default _NONE
        By name of a file, what to correct about how it is read; not of workbooks and FHIR files.
    limits : Limits, optional
        How much all files, and all tables, may hold together.

    Returns
    -------
    The tables, each with a name of its own, in the order of the files.

    Raises
    ------
    InputError
        When a file cannot be read exactly, or there are too many tables or bytes; the message names the file, and
        holds no cell.
    """
    limits = limits or Limits()
    if not files:
        raise InputError("There is no file to open. Choose one or several.", code="file-missing")
    members, notes = _members(files, limits)
    check_number(sum(not (_may_be_passed_over(member) or is_fhir(member.content)) for member in members))
    total, done = max(1, sum(len(member.content) for member in members)), 0
    resources = [member for member in members if is_fhir(member.content)]
    opened: list[NamedTable] = []
    if resources:
        done = sum(len(member.content) for member in resources)
        opened, of_fhir = _of_resources(resources, limits, share_of(progress, 0.0, done / total))
        notes += of_fhir
    passed_over: list[str] = []
    for member in members:
        if is_fhir(member.content):
            continue
        begin, done = done / total, done + len(member.content)
        left = replace(limits, cells=max(1, limits.cells - _n_cells(opened)))
        tables = _read(member, options.get(member.name, AS_FOUND), left, share_of(progress, begin, done / total))
        opened += tables
        if not tables:
            passed_over.append(member.name)
    if passed_over:
        notes.append(f"Left out, since they are no tables: {listed(passed_over, most=_MOST_NAMED)}.")
    if not opened:
        raise InputError(
            " ".join(["No table was found.", *notes, "Choose files that hold tables."]), code="file-without-table"
        )
    progress(1.0)
    first, *rest = named_apart(opened)
    return (replace(first, notes=(*first.notes, *notes)), *rest)


def open_offered(offered: Sequence[Offered]) -> tuple[NamedTable, ...]:
    """Open tables that stay in a folder or a database as the tables of one case.

    They share a connection where they can, so that the engine can compare them.

    Parameters
    ----------
    offered : Sequence[Offered]
        What :func:`anonlib.reading.connected.tables_in` and the administrator's connections offer.

    Returns
    -------
    tuple[NamedTable, ...]

    Raises
    ------
    InputError
        When one is not there, or not as it must be, or there are too many.
    """
    check_number(len(offered))
    opened: list[OpenedTable] = []
    for offer in offered:
        opened.append(offer.open(tuple(opened)))
    return named_apart(
        NamedTable(_stem(source.name), None, TableRecords(table.table), table.digest, table.notes)
        for source, table in zip(offered, opened, strict=True)
    )


# ---- files -----------------------------------------------------------------------------------------------------------


def _members(files: Sequence[tuple[str, bytes]], limits: Limits) -> tuple[list[ArchivedFile], list[str]]:
    """The files, those of archives in their place, and sentences on what was passed over in these."""
    members: list[ArchivedFile] = []
    notes: list[str] = []
    n_bytes = 0
    for name, content in files:
        inside, passed_over = unpacked(name, content, limits.bytes - n_bytes)
        n_bytes += sum(len(member.content) for member in inside)
        if n_bytes > limits.bytes:
            raise InputError(
                f"The files have more than {limits.bytes / 1e6:,.0f} MB together, the most that is read into memory. "
                "Keep the columns you need, or open them as tables that stay in a folder or a database.",
                code="file-too-large",
            )
        members += inside
        if passed_over:
            notes.append(f"Left out of “{display_name(name)}”: {listed(passed_over, most=_MOST_NAMED)}.")
    return members, notes


def _n_cells(tables: Sequence[NamedTable]) -> int:
    return sum(table.source.frame.size for table in tables if table.source is not None)


def _of_resources(
    members: list[ArchivedFile], limits: Limits, progress: Progress
) -> tuple[list[NamedTable], list[str]]:
    """A table a resource."""
    files = [(member.name, member.content) for member in members]
    sources, notes = read_fhir(files, limits, progress)
    return [NamedTable.of_source(resource, source) for resource, source in sources], notes


def _read(member: ArchivedFile, options: ReadOptions, limits: Limits, progress: Progress) -> list[NamedTable]:
    """The tables of a file; none of a text in an archive that is no table, such as a licence."""
    is_text = _may_be_passed_over(member)
    try:
        kind = kind_of(member.content)
        if kind in WORKBOOKS and options == AS_FOUND:
            return _sheets(member, kind, limits)
        source = open_source(
            member.content, member.name, options, max_bytes=limits.bytes, max_columns=limits.columns,
            max_cells=limits.cells, progress=progress,
        )  # fmt: skip
    except InputError as error:
        if is_text:
            return []
        raise InputError(f"“{member.name}”: {error}", code=error.code, column=error.column) from None
    if is_text and len(source.frame.columns) == 1:
        return []
    return [NamedTable.of_source(_stem(member.name), source)]


def _may_be_passed_over(member: ArchivedFile) -> bool:
    """Whether a file is a text in an archive, which need not be a table."""
    return member.of_archive and member.name.lower().endswith((".txt", ".dat"))


def _sheets(member: ArchivedFile, kind: str, limits: Limits) -> list[NamedTable]:
    """Every sheet of a workbook that holds a table; of a single one the name is the file's."""
    sheets, left_out = read_sheets(member.content, kind, limits)
    digest = hashlib.sha256(member.content).hexdigest()
    tables = []
    for name, frame, reading in sheets:
        of_sheet = hashlib.sha256(f"{digest}\n{name}".encode()).hexdigest()
        source = Source(member.name, frame, of_sheet, reading, len(member.content))
        tables.append(NamedTable.of_source(name if len(sheets) > 1 else _stem(member.name), source))
    return [replace(tables[0], notes=tuple(left_out)), *tables[1:]]


def _stem(name: str) -> str:
    """The name of a file without its ending; of a path the last part."""
    shown = display_name(name)
    stem, _, ending = shown.rpartition(".")
    return stem if stem and ending.lower() in TABLES else shown
