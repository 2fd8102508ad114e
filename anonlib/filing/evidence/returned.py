"""Whether a release that came back, of one table or of several, is what its evidence, project or original says."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.basics.words import count, quoted
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.filing.evidence.evidence import Evidence
from anonlib.filing.evidence.leaving import released_file
from anonlib.filing.evidence.measures import risk_of
from anonlib.filing.project import LoadedFile, Opened, Project
from anonlib.reading.joining import join
from anonlib.reading.records import FrameRecords
from anonlib.reading.records.layout import TablesLayout
from anonlib.reading.sources import Described, ReadOptions, Source, kind_of, open_source
from anonlib.reading.sources.workbooks import WORKBOOKS
from anonlib.reading.tables import Key, Linked, NamedTable, open_tables
from anonlib.reading.tables.archives import unpacked
from anonlib.release.files import Format, format_of
from anonlib.release.files.rows import neutralise
from anonlib.release.files.tables import columns_that_leave

_WHOLE = ReadOptions(header=True, skip_rows=0, skip_footer=0, keep_lines=True)
"""A release is a table from its first line to its last: nothing in it is a title, a comment or a total."""
NOT_ON_RECORD = "Its SHA-256 is none of those on record"
HOW_TO_COMPARE = (
    "Its values were not compared: that takes the project and the original, of which the release is made again."
)
_Ids = list[str | None]
_Rows = list[tuple[str | None, ...]]
_Tables = dict[str, NamedTable]


@dataclass(frozen=True)
class Check:
    """One thing that was looked at.

    Attributes
    ----------
    what : str
        What was compared, in a few words.
    holds : bool | None
        Whether the file is as it should be; None where that could not be compared.
    says : str
        What was found, in a sentence, without any cell.
    """

    what: str
    holds: bool | None
    says: str


@dataclass(frozen=True)
class Verification:
    """What was found of a released file.

    Attributes
    ----------
    checks : tuple[Check, ...]
        One at least.
    is_same_file : bool | None
        Whether it is the very file, byte by byte; None where nothing tells.
    kind : str, default "CSV"
        Its format, a name of :data:`anonlib.release.files.FORMATS`.
    """

    checks: tuple[Check, ...]
    is_same_file: bool | None
    kind: str = "CSV"

    @property
    def holds(self) -> bool:
        """Whether it is what was released: its digest is on record, or all of its cells were compared and agree."""
        return all(check.holds for check in self.checks)

    @property
    def differs(self) -> bool:
        """Whether something in it is not as released. Where nothing is and it does not hold, it was not compared."""
        return any(check.holds is False for check in self.checks)

    @property
    def says(self) -> str:
        """What was found, and by what, in a sentence or two."""
        if self.is_same_file:
            return f"This is the very file that was released: the SHA-256 of the {self.kind} is the same."
        if self.differs:
            wrong = [check.what for check in self.checks if check.holds is False]
            return f"This file is not what was released: {', '.join(wrong)}."
        if self.holds:
            return (
                "This file is not the same byte by byte, but each of its cells was compared with the release made "
                "again, and all are as released."
            )
        open_ = ", ".join(check.what for check in self.checks if check.holds is None)
        return (
            f"Not compared: this file is none of the released ones byte by byte, and {open_} could not be compared. It "
            "may be the release saved again, or one whose values were changed."
        )


def verify(
    returned: LoadedFile,
    *,
    evidence: Evidence | None = None,
    project: Project | None = None,
    original: Opened | None = None,
) -> Verification:
    """Check a released file: by its digest, or else cell by cell where the release can be made again.

    Parameters
    ----------
    returned : LoadedFile
        The file that came back.
    evidence : Evidence, optional
        What was filed with it: its digests, its size, its columns, and its risk are compared.
    project : Project, optional
        The project it was made by, which has the digests of earlier releases; of use without evidence.
    original : Opened, optional
        The project on the original, with the key of its pseudonyms where it has some: the release is made again and
        compared record by record, in any order.

    Returns
    -------
    Verification
        Without any of the three nothing can be checked, and it has no checks.
    """
    form = format_of(kind_of(returned.data))
    digests = _digests_on_record(evidence, project)
    if returned.source.digest in digests:
        return Verification((Check("its digest", True, "It is on record, byte by byte."),), True, form.name)
    if original is None and not digests:
        return Verification((), None, form.name)
    returned = _whole(returned)
    checks: list[Check] = []
    is_same = False
    if original is not None:
        again = _again(original, form)
        is_same = again.digest == returned.source.digest
        if is_same:
            checks.append(Check("its digest", True, "It is the release made again, byte by byte."))
        else:
            checks += _records(returned.source, again, original, form)
    if evidence is not None and evidence.released is not None:
        checks += _of_evidence(returned, evidence, form)
    if original is None:
        checks.append(Check("its cells", None, f"{NOT_ON_RECORD}{_formats(evidence)}. {HOW_TO_COMPARE}"))
    return Verification(tuple(checks), is_same, form.name)


def _digests_on_record(evidence: Evidence | None, project: Project | None) -> set[str]:
    """The SHA-256 of each file that was released, by the evidence, or else by the project."""
    if evidence is not None and evidence.released is not None:
        return {*evidence.released.on_record.values()}
    return set() if project is None else {*project.released.values()}


def _formats(evidence: Evidence | None) -> str:
    """In which formats the evidence has digests."""
    if evidence is None or evidence.released is None:
        return ""
    return f" ({', '.join(evidence.released.on_record)})"


def _whole(returned: LoadedFile) -> LoadedFile:
    """The file with each of its lines as a record; as it was read where it is no such table."""
    try:
        return LoadedFile.of(returned.data, returned.name, _WHOLE)
    except InputError:
        return returned


def _again(original: Opened, form: Format) -> Source:
    """The release made again, in the format of the file that came back where it can be."""
    kind = "CSV" if form.why_not(original.applied.released) else form.name
    return open_source(released_file(original, kind), "release", _WHOLE)


def _of_evidence(returned: LoadedFile, evidence: Evidence, form: Format) -> list[Check]:
    """Its columns, its size, and what somebody who knows the known columns can distinguish in it."""
    released = evidence.released
    assert released is not None
    frame = returned.source.frame
    columns, expected = [str(name) for name in frame.columns], _columns(evidence, form)
    lacking, more = set(expected) - set(columns), set(columns) - set(expected)
    order = "" if lacking or more or columns == expected else " They stand in another order."
    checks = [
        Check(
            "its columns",
            columns == expected,
            f"{len(columns):,} columns; {len(lacking):,} of those released are not in it, {len(more):,} are new."
            + order,
        ),
        Check(
            "its records",
            len(frame) == released.records,
            f"{len(frame):,} records; {released.records:,} were released.",
        ),
    ]
    data = _with_roles(returned, evidence, form)
    is_of_rows = data.unit == evidence.unit and not evidence.parts  # ids may not have left; items of lists are not rows
    if not lacking and evidence.after is not None and is_of_rows:
        now, then = risk_of(data, evidence.k), evidence.after
        checks.append(
            Check(
                "its risk",
                (now.k, now.classes, now.unique, now.sizes, now.classes_of_size)
                == (then.k, then.classes, then.unique, then.sizes, then.classes_of_size),
                f"k = {now.k:,} in {now.classes:,} classes; k = {then.k:,} in {then.classes:,} were released.",
            )
        )
    return checks


def _columns(evidence: Evidence, form: Format) -> list[str]:
    """The columns that were released, as they are called in a format."""
    assert evidence.released is not None
    names = [column.name for column in evidence.columns]
    of_file = dict(zip(neutralise(names), names, strict=True))
    return form.names([of_file.get(name, name) for name in evidence.released.columns])


def _with_roles(returned: LoadedFile, evidence: Evidence, form: Format) -> Dataset:
    """The file with the roles of the evidence; blank cells are what is missing in it."""
    columns = returned.raw.columns
    assert evidence.released is not None
    left = dict(zip(evidence.released.columns, _columns(evidence, form), strict=True))
    names = neutralise([column.name for column in evidence.columns])
    roles = {
        left[name]: Role(column.role)
        for name, column in zip(names, evidence.columns, strict=True)
        if column.role and name in left
    }
    return returned.dataset(returned.raw, "category").with_roles({n: roles[n] for n in columns if n in roles})


def _records(returned: Source, again: Source, original: Opened, form: Format) -> list[Check]:
    """Every cell, in any order of the records: which columns differ, and how many records are not in both.

    Numbers in the place of person ids are drawn by lot: where they are others, by which records share one.
    """
    now, then = returned.frame, _as_shown(again, again)
    columns = [str(name) for name in then.columns]
    if columns != [str(name) for name in now.columns]:
        says = "Its columns are not those that the project releases, or in another order."
        return [Check("its columns", False, says)]
    now, person = _as_shown(returned, again), _person(original, columns)
    names = [name for name in columns if name != person]
    rows_now, rows_then = _rows(now, names), _rows(then, names)
    more, fewer = (Counter(rows_now) - Counter(rows_then)).total(), (Counter(rows_then) - Counter(rows_now)).total()
    checks = [
        Check(
            "its records",
            not more and not fewer,
            f"{more:,} of its records are not in the release made again, and {fewer:,} of that are not in it.",
        )
    ]
    if (more or fewer) and len(now) == len(then):  # else each column lacks something, or has more
        for name in names:
            if Counter(_rows(now, [name])) != Counter(_rows(then, [name])):
                checks.append(Check(f"“{name}”", False, f"The values of “{name}” are not those released."))
    if person is not None and not (more or fewer):
        by_key = original.pseudonyms is not None
        checks.append(_of_persons(rows_now, _cells(now, person), rows_then, _cells(then, person), person, by_key))
    if beside := _beside_the_records(returned, again):
        checks.append(Check("what stands beside its records", False, beside))
    return checks


def _as_shown(file: Source, released: Source) -> pd.DataFrame:
    """Its cells, those of columns that are released as codes with labels as the labels: who saves a file again may keep
    either, and labels are what is read."""
    labels = file.reading.labelled
    coded = [name for name in released.reading.labelled if name in labels]
    shown = {name: [labels[name].get(cell, cell) for cell in file.frame[name].astype(object)] for name in coded}
    return file.frame.assign(**{name: pd.Series(cells, file.frame.index, object) for name, cells in shown.items()})


def _person(original: Opened, columns: Sequence[str]) -> str | None:
    """What the ids of persons are called in a file with these columns; None where they did not leave."""
    released = original.applied.released
    leaving = columns_that_leave(released)
    return columns[leaving.index(released.person_id)] if released.person_id in leaving else None


def _cells(frame: pd.DataFrame, name: str) -> _Ids:
    return frame[name].astype(object).where(frame[name].notna(), None).tolist()


def _rows(frame: pd.DataFrame, names: Sequence[str]) -> _Rows:
    return list(zip(*(_cells(frame, name) for name in names), strict=True)) if names else [()] * len(frame)


def _of_persons(rows_now: _Rows, now: _Ids, rows_then: _Rows, then: _Ids, person: str, by_key: bool) -> Check:
    """Whether each record has the number that it has in the release made again; another seed draws other ones.

    Of pseudonyms by a key there are no other ones.
    """
    if by_key:
        same = Counter(zip(rows_now, now, strict=True)) == Counter(zip(rows_then, then, strict=True))
        says = f"The pseudonyms in “{person}” are {'' if same else 'not '}those released."
        return Check("its persons", same, says)
    if Counter(zip(rows_now, now, strict=True)) == Counter(zip(rows_then, then, strict=True)):
        return Check("its persons", True, f"The numbers in “{person}” are those released.")
    if _persons(rows_now, now) != _persons(rows_then, then):
        return Check("its persons", False, f"Other records share a number in “{person}” than were released with one.")
    return Check(
        "the numbers of its persons",
        None,
        f"In “{person}” the same records share a number, but the numbers are other ones than those drawn by this "
        "project’s seed: a release of another seed, or numbers that were exchanged.",
    )


def _persons(rows: _Rows, ids: _Ids) -> Counter[Any]:
    """How many persons have which rows; rows without an id are of nobody."""
    by_person: dict[str | None, Counter[Any]] = defaultdict(Counter)
    for person, row in zip(ids, rows, strict=True):
        by_person[person][row] += 1
    return Counter((person is None, frozenset(rows_of_person.items())) for person, rows_of_person in by_person.items())


def _beside_the_records(returned: Source, again: Source) -> str:
    """Lines and sheets that are no records and so were not compared, in a sentence; "" without any."""
    lines = len(returned.reading.left_out) - len(again.reading.left_out)
    sheets = len(returned.reading.sheets) - max(1, len(again.reading.sheets))
    if lines > 0:
        return f"{count(lines, 'lines')} of it are no records, and were not released."
    if sheets > 0:
        return f"It has {count(sheets, 'sheets')} more than the release."
    shown_of = returned.reading.shown_otherwise
    if shown := [name for name in shown_of if not _beside_cells(returned, name) <= _beside_cells(again, name)]:
        return (
            f"It has labels of values, values declared missing, or titles for {quoted(shown)}, which a program shows "
            "in the place of what was released."
        )
    return ""


def _beside_cells(file: Source, name: str) -> set[tuple[str, str]]:
    """What a program shows of a column beside its cells or in their place: its title, labels, values declared missing.

    Which code has which label is none of it: cells are compared by their labels.
    """
    about = {column.name: column for column in file.reading.described}.get(name, Described(name))
    titles = [] if about.title in ("", name) else [("title", about.title)]
    labels = [("label", label) for _, label in about.labels]
    return {*titles, *labels, *(("missing", value) for value in about.missing)}


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
    digests = _digests_on_record(evidence, project)
    digest = hashlib.sha256(data).hexdigest()
    if digest in digests:
        return Verification((Check("its digest", True, "It is on record, byte by byte."),), True, "tables")
    if original is None and not digests:
        return Verification((), None, "tables")
    now = {table.name: table for table in open_tables([(name, data)])}
    if original is None:
        assert evidence is not None or project is not None
        checks = [] if evidence is None else _tables_on_record(now, evidence)
        checks.append(Check("its cells", None, f"{NOT_ON_RECORD}. {HOW_TO_COMPARE}"))
        return Verification(tuple(checks), False, "tables")
    again = released_file(original, _format(name, data))
    if hashlib.sha256(again).hexdigest() == digest:
        return Verification((Check("its digest", True, "It is the release made again, byte by byte."),), True, "tables")
    then = {table.name: table for table in open_tables([("release", again)])}
    return Verification(tuple(_tables_made_again(now, then, original)), False, "tables")


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


def _tables_on_record(now: _Tables, evidence: Evidence) -> list[Check]:
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


def _tables_made_again(now: _Tables, then: _Tables, original: Opened) -> list[Check]:
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
            _rows_of_table(table, [name for name in columns if name not in keys])
            for table in (now[place.name], then[place.name])
        ]
        more, fewer = (rows[0] - rows[1]).total(), (rows[1] - rows[0]).total()
        says = f"{more:,} of its rows are not in the release made again, and {fewer:,} of that are not in it."
        checks.append(Check(f"the rows of “{place.name}”", not more and not fewer, says))
    if all(check.holds for check in checks) and (linked := _linked_by_keys(layout, then)).person_columns:
        same = _persons_of_tables(now, linked) == _persons_of_tables(then, linked)
        says = "Rows hang together as they were released." if same else "Rows hang together otherwise than released."
        checks.append(Check("its keys", same, says))
    return checks


def _linked_by_keys(layout: TablesLayout, tables: _Tables) -> Linked:
    """How the tables of a release hang together by the keys that left."""
    held = {place.name: {*tables[place.name].columns} for place in layout.files}
    persons = {place.name: place.person for place in layout.files if place.person in held[place.name]}
    keys = tuple(
        Key(place.name, place.parent_column, place.parent, place.parent_key)
        for place in layout.files
        if place.parent and place.parent_column in held[place.name]
    )
    return Linked(layout.person_table if layout.person_table in persons else None, persons, keys)


def _persons_of_tables(tables: _Tables, linked: Linked) -> Counter[Any]:
    """How many persons have which rows of all tables; rows without a person are of nobody."""
    joined = join([*tables.values()], linked)
    assert isinstance(joined.records, FrameRecords)
    frame = joined.records.frame.drop(columns=[place.row for place in joined.layout.tables if place.row])
    cells = np.asarray(frame.astype(object).where(frame.notna(), None))
    person = list(frame.columns).index(joined.layout.person)
    rows_by_person: dict[str | None, Counter[Any]] = defaultdict(Counter)
    for row in cells.tolist():
        rows_by_person[row[person]][tuple(cell for i, cell in enumerate(row) if i != person)] += 1
    return Counter((name is None, frozenset(rows.items())) for name, rows in rows_by_person.items())


def _rows_of_table(table: NamedTable, columns: list[str]) -> Counter[Any]:
    records = table.records
    assert isinstance(records, FrameRecords)
    frame = records.frame[columns].astype(object)
    return Counter(map(tuple, frame.where(frame.notna(), None).to_numpy().tolist()))
