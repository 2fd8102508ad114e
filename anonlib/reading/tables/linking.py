"""How the tables of a case hang together: persons, what hangs below them, and what hangs below that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from anonlib.reading.tables import candidates as finding
from anonlib.reading.tables.agreeing import Agreement, agreement
from anonlib.reading.tables.candidates import BY_VALUES, Candidate
from anonlib.reading.tables.comparing import Comparing
from anonlib.reading.tables.confirming import confirmed
from anonlib.reading.tables.model import Key, Linked, NamedTable, by_name
from anonlib.reading.tables.notes import notes_of
from anonlib.reading.tables.persons import Persons, find_persons

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
    found = list(finding.by_name(comparing))
    named = {each.table for each in found if each.fits}
    for table in comparing.tables:
        if table not in named:
            found += finding.by_values(comparing, table)
    persons = find_persons(comparing, found)
    tree = Tree(comparing, persons, _without_circles(_of_persons(found, persons)))
    keys = tuple(key for table in comparing.tables if (key := tree.settle(table)) is not None)
    linked = Linked(persons.table, persons.columns, keys)
    notes = (*persons.notes, *notes_of(comparing, linked, found, tree.agreements))
    return Linked(persons.table, persons.columns, keys, notes)


def _of_persons(found: Sequence[Candidate], persons: Persons) -> list[Candidate]:
    """The keys that fit and lead to persons: those whose parent, or a table above it, knows whose its rows are."""
    fitting = [each for each in found if each.fits and each.table != persons.table]
    leading, before = set(persons.columns), -1
    while before != len(leading):
        before = len(leading)
        leading |= {each.table for each in fitting if each.parent in leading}
    return [each for each in fitting if each.parent in leading]


def _without_circles(found: Sequence[Candidate]) -> list[Candidate]:
    """The clearest keys first, and of the others those that close no circle."""
    kept: list[Candidate] = []
    above: dict[str, set[str]] = {}
    for each in sorted(found, key=_how_clear, reverse=True):
        if each.table not in _reached(each.parent, above):
            above.setdefault(each.table, set()).add(each.parent)
            kept.append(each)
    return kept


def _reached(table: str, above: dict[str, set[str]]) -> set[str]:
    """A table and all above it."""
    reached, left = set[str](), [table]
    while left:
        now = left.pop()
        if now not in reached:
            reached.add(now)
            left += above.get(now, ())
    return reached


def _how_clear(each: Candidate) -> tuple[int, bool, bool, float, int]:
    """Keys named after their parent, of several rows a parent, with more inside, come first."""
    return each.strength, each.names_parent, not each.one_a_parent, each.fit.share, each.fit.filled


@dataclass
class Tree:
    """The tables while each gets its place.

    Attributes
    ----------
    comparing : Comparing
        What is counted of them.
    persons : Persons
        Where the persons are.
    found : list[Candidate]
        Keys that lead to persons and close no circle.
    keys : dict[str, Key | None], optional
        By table, the key that was chosen; None for one that hangs below no other.
    agreements : dict[str, Agreement], optional
        By table, how its own persons agree with those of its parent.
    """

    comparing: Comparing
    persons: Persons
    found: list[Candidate]
    keys: dict[str, Key | None] = field(default_factory=dict)
    agreements: dict[str, Agreement] = field(default_factory=dict)

    def settle(self, table: str) -> Key | None:
        """The key of a table, once those of all that it may hang below are chosen."""
        if table not in self.keys:
            options = [each for each in self.found if each.table == table]
            for each in options:
                self.settle(each.parent)
            self.keys[table] = self._chosen(table, options)
        return self.keys[table]

    def _chosen(self, table: str, options: list[Candidate]) -> Key | None:
        most = max((each.fit.filled for each in options), default=0)
        options = [each for each in options if each.fit.filled >= _AS_FILLED * most]
        options = [each for each in options if not self._is_beside(each, options)]
        if any(each.strength > BY_VALUES for each in options):
            options = [each for each in options if each.strength > BY_VALUES]
        for each in sorted(options, key=lambda each: (self._depth(each.parent), _how_clear(each)), reverse=True):
            agreed = self._agreement(each)
            if agreed is None or agreed.share >= _AGREE:
                if agreed is not None:
                    self.agreements[table] = agreed
                return key_of(each)
        return None

    def _is_beside(self, each: Candidate, options: list[Candidate]) -> bool:
        """Whether a table names, by the same column, what its parent would name too: the two hang beside each other.

        Transfers and diagnoses both name an admission; where each admission has one transfer, its number would do.
        """
        above = self.keys[each.parent]
        return (
            above is not None
            and above.column == each.parent_column
            and any((other.column, other.parent) == (each.column, above.parent) for other in options)
        )

    def _depth(self, table: str) -> int:
        key = self.keys[table]
        return 0 if key is None else 1 + self._depth(key.parent)

    def _agreement(self, each: Candidate) -> Agreement | None:
        if each.table not in self.persons.kinds or each.parent == self.persons.table:
            return None
        settled = {table: key for table, key in self.keys.items() if key is not None}
        return agreement(self.comparing.tables, each, self.persons.comparable(each.table), settled)


def key_of(found: Candidate) -> Key:
    """A candidate as a key."""
    fit = found.fit
    return Key(found.table, found.column, found.parent, found.parent_column, fit.share, fit.rows_a_value)
