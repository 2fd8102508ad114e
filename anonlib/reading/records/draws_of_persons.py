"""Draws of persons in an engine, and of their rows: by a hash of what the rows hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from anonlib.reading.records.cells import cell_text
from anonlib.reading.records.draws import content, first_of_classes, hash_of
from anonlib.reading.records.engines import in_order
from anonlib.reading.records.joins import looked_up, rows_listed, with_row_numbers
from anonlib.reading.records.labels import Profiles
from anonlib.reading.records.names import unused_name

if TYPE_CHECKING:
    import ibis.expr.types as ir


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
    table
        The records.
    columns, beside
        As for :func:`anonlib.reading.records.draws.first_of_classes`.
    profiles, persons, times, person
        As for :meth:`anonlib.reading.records.records.Records.first_of_persons`.
    """
    row, profile, most = (unused_name(name, table.columns) for name in ("row", "profile", "most"))
    table = _with_profiles(with_row_numbers(table, profiles.rows, row), profiles, persons, person, row, profile, most)
    if (persons < profiles.persons).any():
        table = first_of_classes(table, columns, beside, profile, most, person)
    if (times == profiles.times).all():
        return table
    kept = unused_name("kept", table.columns)
    owner = np.repeat(np.arange(len(persons)), np.diff(profiles.start))[times > 0]
    keys = {name: unused_name(f"{name} key", [*table.columns, kept]) for name in (profile, row)}
    small = pa.table(
        {
            keys[profile]: pa.array(owner.astype(np.int64)),
            keys[row]: pa.array(profiles.row[times > 0].astype(np.int64)),
            kept: pa.array(times[times > 0].astype(np.int64)),
        }
    )
    return _first_copies(looked_up(table, [table[profile], table[row]], small), columns, beside, person, row, kept)


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
    found = looked_up(of_persons, [of_persons[listed]], small).select(same, profile, most)
    columns = [name for name in table.columns if name != by]
    rows = known.join(found, known[by] == found[same])
    of_known = rows.select(*(known[name] for name in columns), found[profile], found[most])
    of_alone = looked_up(alone, [ibis.array([alone[row]])], small).select(*columns, profile, most)
    return ibis.union(of_known.select(*columns, profile, most), of_alone)


def _first_copies(
    table: ir.Table, columns: Sequence[str], beside: Sequence[str], person: str, row: str, kept: str
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
    return table.filter(table[place] < table[kept])
