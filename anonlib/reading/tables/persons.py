"""Which table has a row a person, and which column of each table says whose a row is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from anonlib.basics.words import listed, percent
from anonlib.reading.tables.candidates import Candidate, Comparing, persons_by_name, unique_columns
from anonlib.reading.tables.model import Linked
from anonlib.reading.tables.names import of_column, of_table

_HALF = 0.5  # share of the ids that must be in the person table for a column to be of the same persons


@dataclass
class Persons:
    """Where the persons of a case are.

    Attributes
    ----------
    table : str, optional
        The table with a row a person, or None.
    column : str, default ""
        Its ids; "" without one.
    columns : dict[str, str], optional
        By table, the column of person ids, where it has one.
    kinds : dict[str, str], optional
        By table of these, the column of the person table (without one, a word) that these ids are of: two tables can be
        compared where they have the same.
    notes : list[str], optional
        What was assumed.
    """

    table: str | None = None
    column: str = ""
    columns: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def comparable(self, table: str) -> dict[str, str]:
        """By table, the columns whose ids are of the same kind as those of a table, and the person table's."""
        kind = self.kinds[table]
        columns = {other: self.columns[other] for other, its in self.kinds.items() if its == kind}
        return columns if self.table is None else {**columns, self.table: kind}


def find_persons(comparing: Comparing, candidates: Sequence[Candidate]) -> Persons:
    """The persons of a case, by the names of columns and tables, and by what names rows of what."""
    named = {table: persons_by_name(comparing, table) for table in comparing.tables}
    pair = _table_of_persons(comparing, candidates, named)
    if pair is None and not any(named.values()):
        pair = _most_named(comparing, candidates)
        if pair is not None:
            table, column = pair
            note = (
                f"No column is called a person's id. “{table}” is taken for the table with a row a person, since other "
                f"tables name its rows by “{column}”."
            )
            return _below(comparing, Persons(table, column, {table: column}, notes=[note]), candidates, named)
    if pair is not None:
        above = _households_above(pair[0], candidates)
        if above is not None:
            table, column = above
            note = (
                f"“{table}” has a row a household, and “{pair[0]}” hangs below it. So households are counted, each as "
                f"a person whose rows are its members. To count the members alone, take “{table}” out."
            )
            return _below(comparing, Persons(table, column, {table: column}, notes=[note]), candidates, {})
        return _below(comparing, Persons(pair[0], pair[1], {pair[0]: pair[1]}), candidates, named)
    return _without_table(comparing, named)


def _table_of_persons(
    comparing: Comparing, candidates: Sequence[Candidate], named: dict[str, list[str]]
) -> tuple[str, str] | None:
    options = []
    for order, (table, columns) in enumerate(named.items()):
        others_name_persons = any(person_columns for other, person_columns in named.items() if other != table)
        of_persons = of_table(table).thing == "person"
        for column in unique_columns(comparing, table, columns):
            naming = {
                candidate.table
                for candidate in candidates
                if candidate.fits and (candidate.parent, candidate.parent_column) == (table, column)
            }  # fmt: skip
            if of_persons or naming or not others_name_persons:
                values = comparing.cells(table, column).values
                meaning = of_column(column)
                clear = (meaning.thing == "person", meaning.is_plain)
                options.append(((of_persons, len(naming), clear, values, -order), table, column))
    return max(options, key=lambda option: option[0])[1:] if options else None


def _households_above(table: str, candidates: Sequence[Candidate]) -> tuple[str, str] | None:
    """The table of households whose rows a table of persons names, and the column by which it does."""
    fitting = [
        candidate
        for candidate in candidates
        if candidate.table == table and candidate.fits and not candidate.one_a_parent
    ]
    of_households = [candidate for candidate in fitting if of_column(candidate.parent_column).thing == "household"]
    best = max(of_households, key=lambda candidate: (candidate.strength, candidate.fit.share), default=None)
    return None if best is None else (best.parent, best.parent_column)


def _most_named(comparing: Comparing, candidates: Sequence[Candidate]) -> tuple[str, str] | None:
    """The table, below no other one, whose rows most tables name; of several the one with most rows."""
    fitting = [candidate for candidate in candidates if candidate.fits]
    below = {candidate.table for candidate in fitting if not candidate.one_a_parent}
    naming: dict[tuple[str, str], set[str]] = {}
    for link in fitting:
        if link.parent not in below:
            naming.setdefault((link.parent, link.parent_column), set()).add(link.table)
    if not naming:
        return None
    return max(naming, key=lambda key: (len(naming[key]), comparing.cells(*key).values))


def _below(
    comparing: Comparing, persons: Persons, candidates: Sequence[Candidate], named: dict[str, list[str]]
) -> Persons:
    """The columns by which the other tables name persons of the person table."""
    assert persons.table is not None
    for table in comparing.tables:
        if table == persons.table:
            continue
        naming = [
            candidate
            for candidate in candidates
            if candidate.table == table and candidate.parent == persons.table and candidate.fits
        ]
        if naming:
            best = max(naming, key=lambda candidate: (candidate.strength, candidate.fit.share, candidate.fit.filled))
            persons.columns[table], persons.kinds[table] = best.column, best.parent_column
            continue
        for column in named.get(table, ()):
            fit = comparing.fit(table, column, persons.table, persons.column)
            if fit is None:
                persons.notes.append(
                    f"Whether “{table}”.“{column}” names persons of “{persons.table}” cannot be counted: the two are "
                    "in different databases."
                )
            elif fit.filled:
                persons.notes.append(
                    f"“{table}”.“{column}” is called a person's id, but only {percent(fit.share)} of its values are in "
                    f"“{persons.table}”.“{persons.column}”. Check whether it is written otherwise there."
                )
                if fit.share >= _HALF:
                    persons.columns[table], persons.kinds[table] = column, persons.column
                    break
    return persons


def _without_table(comparing: Comparing, named: dict[str, list[str]]) -> Persons:
    """No table has a row a person: the column by which each says whose its rows are."""
    called = [of_column(column).tokens for own in named.values() for column in own]

    def how_clear(table: str, column: str) -> tuple[int, int]:
        return called.count(of_column(column).tokens), comparing.cells(table, column).values

    columns = {table: max(own, key=lambda column: how_clear(table, column)) for table, own in named.items() if own}
    if not columns:
        return Persons(notes=["No column of person ids was found. Choose the one that says whose a row is."])
    notes = [f"No table has one row a person; person ids are in {_listed(columns)}."]
    kinds, others = _alike(comparing, columns)
    return Persons(None, "", columns, kinds, [*notes, *others])


def _alike(comparing: Comparing, columns: dict[str, str]) -> tuple[dict[str, str], list[str]]:
    """By table, what its ids are of: those of the table with most, where half are among them. What is not, in notes."""
    kinds: dict[str, str] = {}
    notes = []
    largest = max(columns, key=lambda table: comparing.cells(table, columns[table]).values, default="")
    for table, column in columns.items():
        fit = comparing.fit(table, column, largest, columns[largest]) if table != largest else None
        kinds[table] = largest
        if fit is not None and fit.share < _HALF:
            kinds[table] = table
            notes.append(
                f"Only {percent(fit.share)} of the values of “{table}”.“{column}” are in “{largest}”."
                f"“{columns[largest]}”: they may be other persons, or ids that are written otherwise."
            )
    return kinds, notes


def persons_of(comparing: Comparing, linked: Linked) -> Persons:
    """The persons of a choice, with what their ids are of."""
    table = linked.person_table
    if table is None:
        columns, _ = _alike(comparing, linked.person_columns)
        return Persons(None, "", dict(linked.person_columns), columns)
    column = linked.person_columns[table]
    persons = Persons(table, column, dict(linked.person_columns))
    for other, own in linked.person_columns.items():
        key = linked.key_of(other)
        if other == table:
            continue
        if key is not None and (key.parent, key.column) == (table, own):
            persons.kinds[other] = key.parent_column
        else:
            fit = comparing.fit(other, own, table, column)
            persons.kinds[other] = column if fit is not None and fit.share >= _HALF else other
    return persons


def _listed(columns: dict[str, str]) -> str:
    return listed([f"“{table}”.“{column}”" for table, column in columns.items()])
