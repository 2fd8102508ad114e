"""How the tables of a case hang together: persons, what hangs below them, and what hangs below that.

The first question is whether two ways to a row's person end at the same one: its own column, and the row that its key
names. Next come sentences on what is to know of the keys of a case: what does not fit, and what was not taken for a
key. Then keys that an officer chose are checked and counted, and the tree of the tables is made. At the end is the best
key between two tables, where an officer says that one hangs below the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.basics.words import count, percent, share
from anonlib.reading.records import FrameRecords, TableRecords
from anonlib.reading.records.engines import fetched
from anonlib.reading.tables import candidates as finding
from anonlib.reading.tables.candidates import BY_NAME, BY_VALUES, Candidate, Comparing, same_kind, share_an_engine
from anonlib.reading.tables.model import Key, Linked, NamedTable, by_name
from anonlib.reading.tables.names import of_column
from anonlib.reading.tables.persons import Persons, find_persons, persons_of

if TYPE_CHECKING:
    import ibis.expr.types as ir


@dataclass(frozen=True)
class Agreement:
    """How often the two ways end at the same person.

    Attributes
    ----------
    both : int
        Rows of which both are known.
    differing : int
        Rows of which the two persons differ.
    """

    both: int
    differing: int

    @property
    def share(self) -> float:
        """Share of the rows that agree, 0 to 1; 1 where nothing can be compared."""
        return 1 - self.differing / self.both if self.both else 1.0


def agreement(
    tables: Mapping[str, NamedTable], key: Key | Candidate, columns: Mapping[str, str], keys: Mapping[str, Key]
) -> Agreement | None:
    """How a table's column of person ids agrees with the persons of the rows that a key names.

    Parameters
    ----------
    tables : Mapping[str, NamedTable]
        By name.
    key : Key | Candidate
        Of a table that has a column of person ids.
    columns : Mapping[str, str]
        By table, its column of person ids; all are ids of one kind.
    keys : Mapping[str, Key]
        By table, the keys that are settled: those of the parent, and of all above it.

    Returns
    -------
    None where the two cannot be compared: the parent knows no persons, or is elsewhere.
    """
    way = _way_up(key, columns, keys)
    held = [tables[name].records for name in (key.table, *(step.parent for step in way))]
    if not way or way[-1].parent not in columns:
        return None
    if all(isinstance(records, FrameRecords) for records in held):
        return _in_memory(_frames(tables), way, columns)
    if all(share_an_engine(held[0], records) for records in held):
        return _in_engine({name: tables[name].records for name in tables}, way, columns)  # type: ignore[misc]
    return None


def _way_up(key: Key | Candidate, columns: Mapping[str, str], keys: Mapping[str, Key]) -> list[Key | Candidate]:
    """The keys from a table to the first one above it that has a column of person ids."""
    way = [key]
    while way[-1].parent not in columns and way[-1].parent in keys:
        way.append(keys[way[-1].parent])
    return way


def _frames(tables: Mapping[str, NamedTable]) -> dict[str, pd.DataFrame]:
    return {name: table.records.frame for name, table in tables.items() if isinstance(table.records, FrameRecords)}


def _in_memory(frames: Mapping[str, pd.DataFrame], way: list[Key | Candidate], columns: Mapping[str, str]) -> Agreement:
    row = np.arange(len(frames[way[0].table]))
    for key in way:
        above = rows_named(frames[key.table][key.column].array, frames[key.parent][key.parent_column].array)
        row = np.where(row < 0, -1, above[row])
    own = frames[way[0].table][columns[way[0].table]].array
    theirs = frames[way[-1].parent][columns[way[-1].parent]].array
    place = np.append(pd.Index(theirs.categories).get_indexer(own.categories), -2)[np.asarray(own.codes)]
    other = np.where(row < 0, -1, np.append(np.asarray(theirs.codes), -1)[row])
    both = (np.asarray(own.codes) >= 0) & (other >= 0)
    return Agreement(int(both.sum()), int((both & (place != other)).sum()))


def rows_named(column: pd.Categorical, parent_column: pd.Categorical) -> np.ndarray:
    """Per row the row of the parent whose value it has, of values that are all different; -1 where there is none."""
    codes = np.asarray(parent_column.codes)
    row_of_value = np.full(len(parent_column.categories) + 1, -1, dtype=np.int64)
    row_of_value[codes[codes >= 0]] = np.flatnonzero(codes >= 0)
    place = pd.Index(parent_column.categories).get_indexer(column.categories)
    return np.append(row_of_value[place], -1)[np.asarray(column.codes)]


def _in_engine(
    records: Mapping[str, TableRecords], way: list[Key | Candidate], columns: Mapping[str, str]
) -> Agreement:
    first, last = way[0], way[-1]
    known: ir.Table = _selected(records[last.parent], last.parent_column, columns[last.parent])
    for key in reversed(way[1:]):
        below = _selected(records[key.table], _own_id(way, key.table), key.column)
        known = _joined(below, known)
    rows = _selected(records[first.table], columns[first.table], first.column)
    both = _joined(rows, known)
    one, other = same_kind(both["key"], both["person"])
    filled = both.filter(one.notnull() & other.notnull())
    one, other = same_kind(filled["key"], filled["person"])
    counts = fetched(filled.aggregate(n=filled.count(), differing=(one != other).sum())).to_pylist()[0]
    return Agreement(int(counts["n"]), int(counts["differing"] or 0))


def _own_id(way: list[Key | Candidate], table: str) -> str:
    return next(key.parent_column for key in way if key.parent == table)


def _selected(records: TableRecords, key: str, value: str) -> ir.Table:
    return records.table.select(key=records.table[key], person=records.table[value]).view()


def _joined(below: ir.Table, above: ir.Table) -> ir.Table:
    """Of each row below its key, and the person of the row above that its ``person`` column names."""
    one, other = same_kind(below["person"], above["key"])
    return below.join(above, one == other).select(key=below["key"], person=above["person"])


def notes_of(
    comparing: Comparing, linked: Linked, candidates: Sequence[Candidate], agreements: Mapping[str, Agreement]
) -> Iterator[str]:
    """Sentences on each table, in their order; none has a value of a cell.

    Parameters
    ----------
    comparing : Comparing
        What is counted of the tables.
    linked : Linked
        How they hang together.
    candidates : Sequence[Candidate]
        All that may be keys by their names or values.
    agreements : Mapping[str, Agreement]
        By table, how its own persons agree with those of the row that its key names.
    """
    for table in comparing.tables:
        key = linked.key_of(table)
        of_table = [candidate for candidate in candidates if candidate.table == table]
        if key is not None:
            yield from _of_key(comparing, key, of_table)
            yield from _notes_of_persons(key, agreements.get(table))
        elif table != linked.person_table and table not in linked.person_columns:
            yield (
                f"“{table}” names no row of another table, nor a person, by a key that was found, so that each of its "
                "rows counts as a person. Choose its key, or take it out."
            )
        yield from _not_taken(linked, table, of_table)
    yield from _of_several_columns(
        comparing, {(candidate.table, candidate.column) for candidate in candidates if candidate.fits}
    )


def _of_key(comparing: Comparing, key: Key, of_table: Sequence[Candidate]) -> Iterator[str]:
    taken = [
        candidate
        for candidate in of_table
        if (candidate.column, candidate.parent_column) == (key.column, key.parent_column)
    ]
    if any(candidate.strength == BY_VALUES for candidate in taken if candidate.parent == key.parent):
        yield (
            f"No name says that “{key.table}”.“{key.column}” names rows of “{key.parent}”; its values alone do, by "
            f"“{key.parent_column}”."
        )
    fit = comparing.fit(key.table, key.column, key.parent, key.parent_column)
    if fit is None:
        yield (
            f"How many rows of “{key.table}” name a row of “{key.parent}” cannot be counted: the two are in different "
            "databases."
        )
        return
    if fit.outside:
        yield (
            f"“{key.column}” of {share(fit.outside, fit.rows, 'rows')} of “{key.table}” is in no row of “{key.parent}”."
        )
    if fit.filled < fit.rows:
        yield f"“{key.column}” is missing in {share(fit.rows - fit.filled, fit.rows, 'rows')} of “{key.table}”."


def _notes_of_persons(key: Key, agreed: Agreement | None) -> Iterator[str]:
    if agreed is not None and agreed.differing:
        yield (
            f"In {count(agreed.differing, 'rows')} of “{key.table}” the person is another one than that of the row of "
            f"“{key.parent}” that they name."
        )


def _not_taken(linked: Linked, table: str, of_table: Sequence[Candidate]) -> Iterator[str]:
    """Names that promise a key which the values do not hold, and further tables whose rows are named."""
    key = linked.key_of(table)
    above = {*linked.above(table), table}
    for link in of_table:
        if link.parent in above or table in (linked.person_table, *linked.above(link.parent)) or not link.names_parent:
            continue
        if link.fits and link.strength > BY_VALUES and (key is None or link.column != key.column):
            if link.parent in linked.person_columns or linked.key_of(link.parent) is not None:
                below = f"hangs below “{key.parent}” alone" if key is not None else "hangs below neither"
                yield f"“{table}” names rows of “{link.parent}” as well, by “{link.column}”. It {below}."
        elif not link.fits and link.strength >= BY_NAME and of_column(link.column).thing != "person":
            yield (
                f"“{table}”.“{link.column}” is named like a key of “{link.parent}”, but only {percent(link.fit.share)} "
                f"of its values are in “{link.parent_column}”; it was not taken for one."
            )


def _of_several_columns(comparing: Comparing, fitting: Set[tuple[str, str]]) -> Iterator[str]:
    """Ids of visits that tables share, and that name no single row in any of them, nor in another table."""
    ids = {
        table: {
            of_column(column).tokens: column for column in named_table.columns if of_column(column).thing == "visit"
        }
        for table, named_table in comparing.tables.items()
    }
    noted = set()
    for one, other in combinations(comparing.tables, 2):
        for tokens in ids[one].keys() & ids[other].keys():
            holding = [table for table in ids if tokens in ids[table]]
            if tokens in noted or any((table, ids[table][tokens]) in fitting for table in holding):
                continue
            if any(comparing.cells(table, ids[table][tokens]).are_unique for table in holding):
                continue
            noted.add(tokens)
            yield (
                f"“{one}” and “{other}” both have “{ids[one][tokens]}”, but it names no single row of either. A key of "
                "several columns, such as a person and the number of a visit, is not looked for: make one of them."
            )


def confirmed(comparing: Comparing, chosen: Linked) -> Linked:
    """The choice with its keys counted again, and what does not fit in sentences.

    Raises
    ------
    InputError
        When it names tables or columns that are not there, gives a table two parents, goes in a circle, or takes a
        column for a parent's whose values are not all different.
    """
    _check_names(comparing, chosen)
    _check_tree(chosen)
    if chosen.person_table is not None:
        column = chosen.person_columns.get(chosen.person_table)
        if column is None:
            raise InputError(
                f"Choose the column of “{chosen.person_table}” that says who the person of a row is.",
                code="person-column-missing",
            )
        _check_unique(comparing, chosen.person_table, column)
    for key in chosen.keys:
        _check_unique(comparing, key.parent, key.parent_column)
    keys = tuple(_counted(comparing, key) for key in chosen.keys)
    linked = Linked(chosen.person_table, dict(chosen.person_columns), keys)
    agreements = {key.table: agreed for key in keys if (agreed := _agreement(comparing, linked, key)) is not None}
    return replace(linked, notes=tuple(notes_of(comparing, linked, (), agreements)))


def _check_names(comparing: Comparing, chosen: Linked) -> None:
    named_columns = [
        *chosen.person_columns.items(),
        *((key.table, key.column) for key in chosen.keys),
        *((key.parent, key.parent_column) for key in chosen.keys),
    ]
    for table, column in named_columns:
        if table not in comparing.tables:
            raise InputError(f"The case has no table “{table}”. Choose among its tables.", code="table-unknown")
        if column not in comparing.tables[table].columns:
            raise InputError(f"“{table}” has no column “{column}”. Choose among its columns.", code="column-unknown")
    if chosen.person_table is not None and chosen.person_table not in comparing.tables:
        raise InputError(
            f"The case has no table “{chosen.person_table}”. Choose among its tables.", code="table-unknown"
        )


def _check_tree(chosen: Linked) -> None:
    below = [key.table for key in chosen.keys]
    twice = next((table for table in below if below.count(table) > 1), None)
    if twice is not None:
        raise InputError(f"“{twice}” is to hang below two tables. Choose one of them.", code="table-below-two")
    if chosen.person_table in below:
        raise InputError(
            f"“{chosen.person_table}” has a row a person, so it hangs below no other table. Choose another person "
            "table, or take its key away.",
            code="table-below-two",
        )
    for table in below:
        if table in chosen.above(table):
            raise InputError(
                f"“{table}” would hang below itself. Take one of the keys on the way away.", code="table-below-itself"
            )


def _check_unique(comparing: Comparing, table: str, column: str) -> None:
    if not comparing.cells(table, column).are_unique:
        raise InputError(
            f"The values of “{table}”.“{column}” are not all different, so no row can be named by it. Choose another "
            "column.",
            code="key-repeats",
        )


def _counted(comparing: Comparing, key: Key) -> Key:
    fit = comparing.fit(key.table, key.column, key.parent, key.parent_column)
    return key if fit is None else replace(key, inside=fit.share, rows_a_parent=fit.rows_a_value)


def _agreement(comparing: Comparing, linked: Linked, key: Key) -> Agreement | None:
    if key.table not in linked.person_columns or key.parent == linked.person_table:
        return None
    columns = persons_of(comparing, linked).comparable(key.table)
    return agreement(comparing.tables, key, columns, {other_key.table: other_key for other_key in linked.keys})


_AGREE = 0.9  # share of the rows whose own person must be that of the row that their key names
_AS_FILLED = 0.9  # of the rows that any key of a table has: those that its key must have


def link(tables: Sequence[NamedTable], chosen: Linked | None = None) -> Linked:
    """Find the keys between tables, or count how well chosen ones hold.

    A column is a key where its name says so, or its many values alone do, where the parent's values are all different,
    and where at least nine in ten of its filled cells are among them. A table hangs below the deepest table that it
    names: laboratory values that name their visit and their person hang below the visit, provided that the two agree
    on the person. Keys that lead to no persons, such as those of a list of departments, are none of this tree.

    Parameters
    ----------
    tables : Sequence[NamedTable]
        Of one case, each with a name of its own.
    chosen : Linked, optional
        What the officer decided; its keys are counted again, and nothing is looked for.

    Returns
    -------
    Linked

    Raises
    ------
    InputError
        When a choice names tables or columns that are not there, or is no tree, or a parent's values are not all
        different.
    """
    comparing = Comparing(by_name(tables))
    if chosen is not None:
        return confirmed(comparing, chosen)
    candidates = list(finding.by_name(comparing))
    named = {candidate.table for candidate in candidates if candidate.fits}
    for table in comparing.tables:
        if table not in named:
            candidates += finding.by_values(comparing, table)
    persons = find_persons(comparing, candidates)
    tree = Tree(comparing, persons, _without_circles(_of_persons(candidates, persons)))
    keys = tuple(key for table in comparing.tables if (key := tree.settle(table)) is not None)
    linked = Linked(persons.table, persons.columns, keys)
    notes = (*persons.notes, *notes_of(comparing, linked, candidates, tree.agreements))
    return Linked(persons.table, persons.columns, keys, notes)


def _of_persons(candidates: Sequence[Candidate], persons: Persons) -> list[Candidate]:
    """The keys that fit and lead to persons: those whose parent, or a table above it, knows whose its rows are."""
    fitting = [candidate for candidate in candidates if candidate.fits and candidate.table != persons.table]
    leading, before = set(persons.columns), -1
    while before != len(leading):
        before = len(leading)
        leading |= {candidate.table for candidate in fitting if candidate.parent in leading}
    return [candidate for candidate in fitting if candidate.parent in leading]


def _without_circles(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The clearest keys first, and of the others those that close no circle."""
    chosen: list[Candidate] = []
    above: dict[str, set[str]] = {}
    for candidate in sorted(candidates, key=_how_clear, reverse=True):
        if candidate.table not in _reached(candidate.parent, above):
            above.setdefault(candidate.table, set()).add(candidate.parent)
            chosen.append(candidate)
    return chosen


def _reached(table: str, above: dict[str, set[str]]) -> set[str]:
    """A table and all above it."""
    reached, left = set[str](), [table]
    while left:
        now = left.pop()
        if now not in reached:
            reached.add(now)
            left += above.get(now, ())
    return reached


def _how_clear(candidate: Candidate) -> tuple[int, bool, bool, float, int]:
    """Keys named after their parent, of several rows a parent, with more inside, come first."""
    return (
        candidate.strength,
        candidate.names_parent,
        not candidate.one_a_parent,
        candidate.fit.share,
        candidate.fit.filled,
    )


@dataclass
class Tree:
    """The tables while each gets its place.

    Attributes
    ----------
    comparing : Comparing
        What is counted of them.
    persons : Persons
        Where the persons are.
    candidates : list[Candidate]
        Keys that lead to persons and close no circle.
    keys : dict[str, Key | None], optional
        By table, the key that was chosen; None for one that hangs below no other.
    agreements : dict[str, Agreement], optional
        By table, how its own persons agree with those of its parent.
    """

    comparing: Comparing
    persons: Persons
    candidates: list[Candidate]
    keys: dict[str, Key | None] = field(default_factory=dict)
    agreements: dict[str, Agreement] = field(default_factory=dict)

    def settle(self, table: str) -> Key | None:
        """The key of a table, once those of all that it may hang below are chosen."""
        if table not in self.keys:
            options = [candidate for candidate in self.candidates if candidate.table == table]
            for option in options:
                self.settle(option.parent)
            self.keys[table] = self._chosen(table, options)
        return self.keys[table]

    def _chosen(self, table: str, options: list[Candidate]) -> Key | None:
        most = max((option.fit.filled for option in options), default=0)
        options = [option for option in options if option.fit.filled >= _AS_FILLED * most]
        options = [option for option in options if not self._is_beside(option, options)]
        if any(option.strength > BY_VALUES for option in options):
            options = [option for option in options if option.strength > BY_VALUES]
        for candidate in sorted(
            options, key=lambda option: (self._depth(option.parent), _how_clear(option)), reverse=True
        ):
            agreed = self._agreement(candidate)
            if agreed is None or agreed.share >= _AGREE:
                if agreed is not None:
                    self.agreements[table] = agreed
                return key_of(candidate)
        return None

    def _is_beside(self, candidate: Candidate, options: list[Candidate]) -> bool:
        """Whether a table names, by the same column, what its parent would name too: the two hang beside each other.

        Transfers and diagnoses both name an admission; where each admission has one transfer, its number would do.
        """
        above = self.keys[candidate.parent]
        return (
            above is not None
            and above.column == candidate.parent_column
            and any((other.column, other.parent) == (candidate.column, above.parent) for other in options)
        )

    def _depth(self, table: str) -> int:
        key = self.keys[table]
        return 0 if key is None else 1 + self._depth(key.parent)

    def _agreement(self, candidate: Candidate) -> Agreement | None:
        if candidate.table not in self.persons.kinds or candidate.parent == self.persons.table:
            return None
        settled = {table: key for table, key in self.keys.items() if key is not None}
        return agreement(self.comparing.tables, candidate, self.persons.comparable(candidate.table), settled)


def key_of(candidate: Candidate) -> Key:
    """A candidate as a key."""
    fit = candidate.fit
    return Key(
        candidate.table, candidate.column, candidate.parent, candidate.parent_column, fit.share, fit.rows_a_value
    )


def key_between(table: NamedTable, parent: NamedTable) -> Key:
    """The columns by which rows of a table most likely name rows of another one.

    Parameters
    ----------
    table, parent : NamedTable
        Of one case, with names of their own.

    Returns
    -------
    Key
        Of all columns of the parent whose values are all different, and all of the table, those of which most cells are
        inside; of two alike those of one name.

    Raises
    ------
    InputError
        When no cell of the table is in such a column.
    """
    comparing = Comparing(by_name([table, parent]))
    comparing.count(parent.name, parent.columns)
    candidates: list[tuple[float, bool, Key]] = []
    for parent_column in parent.columns:
        if not comparing.cells(parent.name, parent_column).are_unique:
            continue
        for column in table.columns:
            fit = comparing.fit(table.name, column, parent.name, parent_column)
            if fit is not None and fit.inside:
                key = Key(table.name, column, parent.name, parent_column, fit.share, fit.rows_a_value)
                candidates.append((fit.share, column.casefold() == parent_column.casefold(), key))
    if not candidates:
        raise InputError(
            f"No column of “{table.name}” names rows of “{parent.name}”: none of its values is in a column there whose "
            "values are all different. Choose another table, or give it the person id alone.",
            code="key-not-found",
        )
    return max(candidates, key=lambda candidate: candidate[:2])[2]
