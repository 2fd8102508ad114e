"""Draws of rows and of persons in an engine, which keeps no order: by a hash of what the rows hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from anonlib.reading.records.engines import as_key, cell_text, fetched, in_order, sha256
from anonlib.reading.records.joins import looked_up, rows_listed, with_row_numbers
from anonlib.reading.records.labels import Profiles
from anonlib.reading.records.names import unused_name
from anonlib.reading.records.persons import BETWEEN, OF_PERSON, OF_ROW, keyed

if TYPE_CHECKING:
    import ibis.expr.types as ir


def hash_of(text: ir.StringValue, secret: bytes = b"") -> ir.StringValue:
    """SHA-256 of the secret and a text, as :func:`anonlib.reading.records.persons.places` has it."""
    import ibis

    return sha256(ibis.literal(keyed(secret)) + text)


def content(table: ir.Table, columns: Sequence[str]) -> ir.StringValue:
    """The cells of a row as one text, which is no cell's. Rows that are equal have the same."""
    import ibis

    between = ibis.literal(BETWEEN)
    return between + between.join([as_key(cell_text(table[name])) for name in columns])


def first_of_classes(
    table: ir.Table, columns: Sequence[str], beside: Sequence[str], number: str, most: str, person: str | None
) -> ir.Table:
    """Of each class the first rows (persons), in the order of a hash of what they hold.

    Parameters
    ----------
    table : ir.Table
        Records with the number of their class and how many of it stay.
    columns : Sequence[str]
        Those of the records themselves.
    beside : Sequence[str]
        Those that only decide between rows that are equal.
    number : str
        The column with the number of the class.
    most : str
        The column with how many of the class stay.
    person : str | None
        The column of person ids; None where rows stay, not persons.
    """
    import ibis

    drawn, twin, place = (unused_name(name, table.columns) for name in ("drawn", "twin", "place"))
    alone = hash_of(content(table, columns))
    of_person = None if person is None else cell_text(table[person])
    table = table.mutate(**{drawn: alone if of_person is None else hash_of(of_person).coalesce(alone)})
    order_keys = [cell_text(table[name]) for name in beside] or [table[drawn]]
    one_by_one = ibis.row_number().over(group_by=table[drawn], order_by=order_keys)  # equal rows are as many records
    if person is not None:
        one_by_one = cell_text(table[person]).notnull().ifelse(0, one_by_one)
    table = table.mutate(**{twin: one_by_one})
    ranks = ibis.dense_rank().over(group_by=table[number], order_by=[in_order(table[drawn]), table[twin]])
    table = table.mutate(**{place: ranks})
    return table.filter(table[place] < table[most])


def with_row_keys(table: ir.Table, columns: Sequence[str], name: str) -> ir.Table:
    """The table with a new column: a hash of what a row holds, and its number among those that are equal."""
    import ibis

    drawn = unused_name("drawn", [*table.columns, name])
    table = table.mutate(**{drawn: hash_of(content(table, columns))})
    number = ibis.row_number().over(group_by=table[drawn], order_by=table[drawn]).cast("string")
    return table.mutate(**{name: table[drawn] + "-" + number}).select(*columns, name)


def numbered(table: ir.Table, person: str, secret: bytes) -> tuple[ir.Table, str]:
    """The table with a number from 1 as text for each person, by a hash of their id, and the new column's name."""
    import ibis

    new, by, same = (unused_name(name, table.columns) for name in ("number", "id", "same"))
    known = table.mutate(**{by: cell_text(table[person])})
    ids = known.filter(known[by].notnull()).select(**{same: by}).distinct()
    ranks = ibis.row_number().over(order_by=in_order(hash_of(ids[same], secret))) + 1
    ids = ids.mutate(**{new: ranks.cast("string")}).view()  # of the same table: distinguished by name
    both = known.left_join(ids, known[by] == ids[same])
    return both.select(*(known[name] for name in table.columns), ids[new]), new


_NEVER = 2**40  # days


def first_of_persons(
    table: ir.Table,
    columns: Sequence[str],
    beside: Sequence[str],
    profiles: Profiles,
    persons: np.ndarray,
    times: np.ndarray,
    person: str,
) -> ir.Table:
    """Of each profile some persons, and of their rows some, in the order of a hash of what they hold.

    Parameters
    ----------
    table : ir.Table
        The records.
    columns, beside : Sequence[str]
        As for :func:`anonlib.reading.records.draws.first_of_classes`.
    profiles : Profiles
        The person table of these records.
    persons : np.ndarray
        int per profile: how many persons stay.
    times : np.ndarray
        int, as long as ``profiles.row``: how many of that row each of them keeps. Who keeps none is gone.
    person : str
        The column of person ids.
    """
    row, profile, most = (unused_name(name, table.columns) for name in ("row", "profile", "most"))
    table = _with_profiles(with_row_numbers(table, profiles.rows, row), profiles, persons, person, row, profile, most)
    if (persons < profiles.persons).any():
        table = first_of_classes(table, columns, beside, profile, most, person)
    if (times == profiles.times).all():
        return table
    n_kept = unused_name("kept", table.columns)
    owner = np.repeat(np.arange(len(persons)), np.diff(profiles.start))[times > 0]
    keys = {name: unused_name(f"{name} key", [*table.columns, n_kept]) for name in (profile, row)}
    small = pa.table(
        {
            keys[profile]: pa.array(owner.astype(np.int64)),
            keys[row]: pa.array(profiles.row[times > 0].astype(np.int64)),
            n_kept: pa.array(times[times > 0].astype(np.int64)),
        }
    )
    return _first_copies(looked_up(table, [table[profile], table[row]], small), columns, beside, person, row, n_kept)


def _with_profiles(
    table: ir.Table, profiles: Profiles, persons: np.ndarray, person: str, row: str, profile: str, most: str
) -> ir.Table:
    """The rows of profiles of which somebody stays, with the number of the profile and how many persons stay."""
    import ibis

    stay = np.flatnonzero(persons > 0)
    copies = np.repeat(profiles.row, profiles.times)
    ends = np.append(0, np.cumsum(np.add.reduceat(np.append(profiles.times, 0), profiles.start[:-1])))
    listed = unused_name("rows", [*table.columns, profile, most])
    lists = [copies[ends[i] : ends[i + 1]].tolist() for i in stay.tolist()]
    small = pa.table(
        {
            listed: pa.array(lists, pa.list_(pa.int64())),
            profile: pa.array(stay.astype(np.int64)),
            most: pa.array(persons[stay].astype(np.int64)),
        }
    )
    by, same = unused_name("person", [*table.columns, *small.column_names]), unused_name("same", table.columns)
    table = table.mutate(**{by: cell_text(table[person])})
    known, alone = table.filter(table[by].notnull()), table.filter(table[by].isnull())
    of_persons = rows_listed(known, by, row, listed).rename({same: by})
    profiled = looked_up(of_persons, [of_persons[listed]], small).select(same, profile, most)
    columns = [name for name in table.columns if name != by]
    rows = known.join(profiled, known[by] == profiled[same])
    of_known = rows.select(*(known[name] for name in columns), profiled[profile], profiled[most])
    of_alone = looked_up(alone, [ibis.array([alone[row]])], small).select(*columns, profile, most)
    return ibis.union(of_known.select(*columns, profile, most), of_alone)


def _first_copies(
    table: ir.Table, columns: Sequence[str], beside: Sequence[str], person: str, row: str, n_kept: str
) -> ir.Table:
    """Of the rows of a person that are equal in what is counted, so many."""
    import ibis

    drawn, place = (unused_name(name, table.columns) for name in ("drawn", "place"))
    table = table.mutate(**{drawn: hash_of(content(table, columns))})
    order_keys = [cell_text(table[name]) for name in beside]
    known = cell_text(table[person]).notnull()
    number = ibis.row_number().over(
        group_by=[cell_text(table[person]), table[row]], order_by=[in_order(table[drawn]), *order_keys]
    )
    table = table.mutate(**{place: known.ifelse(number, 0)})
    return table.filter(table[place] < table[n_kept])


def first_rows(
    table: ir.Table,
    columns: Sequence[str],
    beside: Sequence[str],
    person: str,
    most: int,
    secret: bytes,
    put: tuple[str, np.ndarray, np.ndarray] | None,
) -> ir.Table:
    """At most so many rows of each person, as :meth:`Records.first_rows` says.

    ``put`` has a column, its values, and the place of each.
    """
    import ibis

    drawn, place, number = (unused_name(name, table.columns) for name in ("drawn", "place", "number"))
    table = table.mutate(**{drawn: hash_of(content(table, columns), secret)})
    order_keys = [in_order(table[drawn]), *(cell_text(table[name]) for name in beside)]
    if put is not None:
        table = _with_numbers(table, put[0], put[1], put[2], int(put[2].max(initial=0)) + 1, place)
        order_keys = [table[place], in_order(table[drawn]), *(cell_text(table[name]) for name in beside)]
    known = cell_text(table[person]).notnull()
    rank = ibis.row_number().over(group_by=cell_text(table[person]), order_by=order_keys)
    table = table.mutate(**{number: known.ifelse(rank, 0)})
    return table.filter(table[number] < most)


def with_person_keys(
    table: ir.Table, columns: Sequence[str], beside: Sequence[str], person: str | None, name: str
) -> ir.Table:
    """The table with a text that the rows of a person share, as :meth:`Records.with_person_keys` says."""
    import ibis

    if person is not None:
        of_person = cell_text(table[person])
        alone = fetched(table.aggregate(n=of_person.isnull().sum()))["n"][0].as_py()
        if not alone:  # to hash what every row holds takes long
            return table.mutate(**{name: ibis.literal(OF_PERSON) + of_person})
    drawn = unused_name("drawn", [*table.columns, name])
    hashed = table.mutate(**{drawn: hash_of(content(table, columns))})
    same = [hashed[drawn]] if person is None else [hashed[drawn], cell_text(hashed[person])]
    order_keys = [cell_text(hashed[column]) for column in beside] or [hashed[drawn]]
    number = ibis.row_number().over(group_by=same, order_by=order_keys).cast("string")
    of_row = ibis.literal(OF_ROW) + hashed[drawn] + "-" + number
    key = of_row if person is None else (ibis.literal(OF_PERSON) + cell_text(hashed[person])).coalesce(of_row)
    return hashed.mutate(**{name: key}).select(*table.columns, name)


def paired_cells(table: ir.Table, column: str, other: str) -> tuple[ir.Table, str]:
    """The table with a column of the cells of two columns one behind the other, and the new column's name."""
    new = unused_name("pair", table.columns)
    return table.mutate(**{new: cell_text(table[column]) + BETWEEN + cell_text(table[other])}), new


def days_since_first(
    table: ir.Table, days: Mapping[str, tuple[np.ndarray, np.ndarray]], person: str | None
) -> tuple[ir.Table, dict[str, str]]:
    """The table with the columns that :meth:`Records.since_first` gives, and their names by those that they replace.

    ``days`` has, by column, its values and the day of each.
    """
    import ibis

    of_day, new = dict[str, str](), dict[str, str]()
    for i, (column, (values, numbers)) in enumerate(days.items()):
        of_day[column] = unused_name(f"day {i}", table.columns)
        table = _with_numbers(table, column, values, numbers, _NEVER, of_day[column])
    first = unused_name("first", table.columns)
    of_row = ibis.least(*(table[name] for name in of_day.values()))
    table = table.mutate(**{first: of_row})
    if person is not None:
        of_person = cell_text(table[person])
        of_rows = table[first].min().over(group_by=of_person)
        table = table.mutate(**{first: of_person.notnull().ifelse(of_rows, table[first])})
    for i, (column, name) in enumerate(of_day.items()):
        new[column] = unused_name(f"since {i}", table.columns)
        since = (table[name] - table[first]).cast("string")
        table = table.mutate(**{new[column]: (table[name] < _NEVER).ifelse(since, None)})
    return table, new


def _with_numbers(
    table: ir.Table, column: str, values: np.ndarray, numbers: np.ndarray, of_missing: int, name: str
) -> ir.Table:
    """The table with a number for each value of a column, and one for what is missing."""
    key = unused_name("value", [*table.columns, name])
    small = pa.table({
        key: pa.array([*values.tolist(), ""], pa.string()),
        name: pa.array(np.append(numbers, of_missing).astype(np.int64)),
    })  # fmt: skip
    return looked_up(table, [as_key(cell_text(table[column]))], small)
