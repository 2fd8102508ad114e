"""What is to know of the keys of a case, in sentences: what does not fit, and what was not taken for a key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import combinations

from anonlib.basics.words import count, percent, share
from anonlib.reading.tables.agreeing import Agreement
from anonlib.reading.tables.candidates import BY_NAME, BY_VALUES, Candidate
from anonlib.reading.tables.comparing import Comparing
from anonlib.reading.tables.model import Key, Linked
from anonlib.reading.tables.names import of_column


def notes_of(
    comparing: Comparing, linked: Linked, found: Sequence[Candidate], agreements: Mapping[str, Agreement]
) -> Iterator[str]:
    """Sentences on each table, in their order; none has a value of a cell.

    Parameters
    ----------
    comparing : Comparing
        What is counted of the tables.
    linked : Linked
        How they hang together.
    found : Sequence[Candidate]
        All that may be keys by their names or values.
    agreements : Mapping[str, Agreement]
        By table, how its own persons agree with those of the row that its key names.
    """
    for table in comparing.tables:
        key = linked.key_of(table)
        of_table = [each for each in found if each.table == table]
        if key is not None:
            yield from _of_key(comparing, key, of_table)
            yield from _of_persons(key, agreements.get(table))
        elif table != linked.person_table and table not in linked.person_columns:
            yield (
                f"“{table}” names no row of another table, nor a person, by a key that was found, so that each of its "
                "rows counts as a person. Choose its key, or take it out."
            )
        yield from _not_taken(linked, table, of_table)
    yield from _of_several_columns(comparing, {(each.table, each.column) for each in found if each.fits})


def _of_key(comparing: Comparing, key: Key, of_table: Sequence[Candidate]) -> Iterator[str]:
    taken = [each for each in of_table if (each.column, each.parent_column) == (key.column, key.parent_column)]
    if any(each.strength == BY_VALUES for each in taken if each.parent == key.parent):
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


def _of_persons(key: Key, agreed: Agreement | None) -> Iterator[str]:
    if agreed is not None and agreed.differing:
        yield (
            f"In {count(agreed.differing, 'rows')} of “{key.table}” the person is another one than that of the row of "
            f"“{key.parent}” that they name."
        )


def _not_taken(linked: Linked, table: str, of_table: Sequence[Candidate]) -> Iterator[str]:
    """Names that promise a key which the values do not hold, and further tables whose rows are named."""
    key = linked.key_of(table)
    above = {*linked.above(table), table}
    for each in of_table:
        if each.parent in above or table in (linked.person_table, *linked.above(each.parent)) or not each.names_parent:
            continue
        if each.fits and each.strength > BY_VALUES and (key is None or each.column != key.column):
            if each.parent in linked.person_columns or linked.key_of(each.parent) is not None:
                below = f"hangs below “{key.parent}” alone" if key is not None else "hangs below neither"
                yield f"“{table}” names rows of “{each.parent}” as well, by “{each.column}”. It {below}."
        elif not each.fits and each.strength >= BY_NAME and of_column(each.column).thing != "person":
            yield (
                f"“{table}”.“{each.column}” is named like a key of “{each.parent}”, but only {percent(each.fit.share)} "
                f"of its values are in “{each.parent_column}”; it was not taken for one."
            )


def _of_several_columns(comparing: Comparing, fitting: Set[tuple[str, str]]) -> Iterator[str]:
    """Ids of visits that tables share, and that name no single row in any of them, nor in another table."""
    ids = {
        table: {of_column(column).tokens: column for column in each.columns if of_column(column).thing == "visit"}
        for table, each in comparing.tables.items()
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
