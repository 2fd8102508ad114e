"""Who violates a guarantee where persons have several rows, against the definitions.

A value that everybody in a class has in some row, against looking at each person.
"""

from __future__ import annotations

import ibis
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tests.reference.persons as slow
from anonlib.basics.errors import InputError
from anonlib.counting.classes.person_table import PersonTable
from anonlib.counting.classes.rows_of_persons import ValueSet
from anonlib.counting.privacy_models import (
    ALL,
    ONE,
    VALUES,
    AttributeDisclosure,
    CodedPersons,
    CodedRows,
    KAnonymity,
    LDiversity,
    average_risk,
    sharing_kernel,
    violating,
    violation,
)
from anonlib.counting.privacy_models import coded as module
from anonlib.counting.privacy_models.marking import Marker
from anonlib.counting.privacy_models.violations import violating_in
from anonlib.reading.records import FrameRecords, TableRecords
from tests.helpers.examples import settings
from tests.reference.persons import visits


def coded(persons: list[slow.Person], linked: bool = True) -> tuple[CodedPersons, list[int]]:
    """The persons as codes, and the profile of each."""
    frame = FrameRecords.of(slow.frame_of(persons)).frame
    table = PersonTable.from_frame(frame, list(slow.NAMES), "id")
    first = np.cumsum([0, *map(len, persons)])[:-1]
    assert table.profile_of_record is not None
    return CodedPersons.of(table, linked), table.profile_of_record[first].tolist()


def found_by(persons: list[slow.Person], guarantee, linked: bool = True) -> set[int]:
    known, profiles = coded(persons, linked)
    mask = violating(known, guarantee)
    return {i for i, profile in enumerate(profiles) if mask[profile]}


@settings(max_examples=600)
@given(slow.people(), slow.ROW_BY_ROW)
def test_who_violates_against_the_definition(persons, guarantee):
    expected = slow.violating(persons, guarantee)
    assert found_by(persons, guarantee) == expected
    found = violation(coded(persons)[0], guarantee)
    assert (found.records, found.n_records) == (len(expected), len(persons))
    assert found.is_met == slow.holds(persons, guarantee)


@settings(max_examples=100)
@given(slow.people(), slow.not_certain())
def test_rows_that_cannot_be_linked_against_the_definition(persons, guarantee):
    assume(guarantee.rows == ONE)
    expected = slow.violating_unlinked(persons, guarantee)
    assert found_by(persons, guarantee, linked=False) == expected
    assert expected <= slow.violating(persons, guarantee), "who links rows says at least as much"


@settings(max_examples=100)
@given(slow.people(), slow.AVERAGE)
def test_the_average_risk_against_the_definition(persons, guarantee):
    found = average_risk(coded(persons)[0], guarantee.columns, guarantee.rows)
    assert found == pytest.approx(float(slow.average(persons, guarantee)))


@settings(max_examples=200)
@given(slow.people(), slow.COLUMNS)
def test_more_rows_known_fewer_peers(persons, columns):
    known, _ = coded(persons)
    one, two, three, everything = (known.peers(columns, rows).least_sizes() for rows in (ONE, 2, 3, ALL))
    values = known.peers(columns, VALUES).least_sizes()
    assert (one >= two).all() and (two >= three).all() and (three >= everything).all()
    assert (values >= everything).all()


@settings(max_examples=100)
@given(slow.people(most_rows=1), slow.ROW_BY_ROW)
def test_of_one_row_each_all_that_is_known_is_the_same(persons, guarantee):
    rows = [person[0] for person in persons]
    assert found_by(persons, guarantee) == slow.slow.violating(rows, [1] * len(rows), guarantee)


@settings(max_examples=60)
@given(slow.people(), slow.COLUMNS, slow.ROWS)
def test_in_an_engine(persons, columns, rows):
    names = list(slow.NAMES)
    frame = slow.frame_of(persons)
    tables = [
        PersonTable.from_records(records, names, "id")
        for records in (FrameRecords.of(frame), TableRecords(ibis.memtable(frame)))
    ]
    guarantees = [
        KAnonymity(columns=columns, least=3, rows=rows),
        AttributeDisclosure(columns=columns, sensitive="s", rows=rows),
    ]
    for guarantee in guarantees:
        here, there = (violation(CodedPersons.of(table), guarantee) for table in tables)
        assert (here.records, here.n_records, here.by_set) == (there.records, there.n_records, there.by_set)


# --- the examples that show why -------------------------------------------------------------------------------------


def test_sets_of_values_say_nothing_of_one_row():
    """Rows (a), (b); (a), (c); (b), (c): each row is shared by two persons, each set of values by one."""
    persons = visits("a- b-", "a- c-", "b- c-")
    assert slow.sizes(persons, ["a"], ONE) == [2, 2, 2] and slow.sizes(persons, ["a"], VALUES) == [1, 1, 1]
    assert found_by(persons, KAnonymity(columns=("a",), least=2, rows=ONE)) == set()
    assert found_by(persons, KAnonymity(columns=("a",), least=2, rows=VALUES)) == {0, 1, 2}


def test_what_every_peer_has_is_certain_though_their_sets_differ():
    """Six persons with B, each with another second value: B is certain for all six, and no two sets are equal."""
    persons = visits(*(f"xB x{value}" for value in "cdefgh"))
    for rows in (ONE, 2, VALUES, ALL):
        assert found_by(persons, AttributeDisclosure(columns=("a",), sensitive="s", rows=rows)) == set(range(6))


def test_leaving_out_a_row_can_make_it_worse():
    assert found_by(visits("a-", "b- a-"), KAnonymity(columns=("a",), least=2, rows=ONE)) == {1}
    assert found_by(visits("a-", "b-"), KAnonymity(columns=("a",), least=2, rows=ONE)) == {0, 1}


def test_rows_that_are_not_linked_tell_less():
    """Each of two persons has B, in a row of another ward than the one that is known."""
    persons = visits("xB yc", "xd yB")
    guarantee = AttributeDisclosure(columns=("a",), sensitive="s", rows=ONE)
    assert found_by(persons, guarantee) == {0, 1}
    assert found_by(persons, guarantee, linked=False) == set()


def test_too_many_choices_of_rows_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MOST_CHOICES", 10)
    persons = visits("a1 a2 a3 a4 a5")
    with pytest.raises(module.TooManyChoices, match="too many ways to know 2 rows"):
        found_by(persons, KAnonymity(columns=("a",), least=2, rows=2))


def test_a_record_has_one_row():
    rows = CodedRows({"a": np.array([0, 1])}, {"a": np.array(["x", "y"], dtype=object)}, np.array([3, 1]))
    for known in (ONE, 2, VALUES, ALL):
        assert violating(rows, KAnonymity(columns=("a",), least=2, rows=known)).tolist() == [False, True]


@given(st.sampled_from([0, -1, "some", 1.5, True, None]))
def test_what_is_known_of_rows_is_checked(rows):
    with pytest.raises(InputError):
        KAnonymity(columns=("a",), least=2, rows=rows)


def test_of_a_number_that_nobody_has_nothing_is_read():
    """Numbers of what is known may have gaps: of these no room was written, and nobody is sure by them."""
    thing, start = np.array([2, 2], np.int32), np.array([0, 1, 2])
    held_start, held = np.array([0, 1, 2]), np.array([0, 0], np.int32)
    sure, harms = np.array([True, True, True]), np.array([True])
    room = np.zeros(3, np.int32), np.zeros(3, np.int64), np.ones(3, np.int32), np.zeros(2, np.int32)
    sharing_kernel.shared_values(thing, start, held_start, held, harms, sure, *room)
    assert sure.tolist() == [False, False, True]


def test_numbers_with_gaps_that_exceed_the_holders():
    persons, _ = coded([[dict.fromkeys(slow.NAMES, "g0")]])
    marker = Marker(persons, [KAnonymity(columns=("a",), least=2)])
    marked = marker.nobody()
    assert marker.mark([0], np.array([7]), 1000, marked).tolist() == [1]
    assert marker.of(0, marked).tolist() == [True]


CATEGORIES = ["u", "v", ValueSet.of(["u", "v"], " | "), ValueSet.of(["v", "w"], " | "), None]


def rows_of(category: list[int], counts: list[int], categories=CATEGORIES) -> CodedRows:
    labels = {"s": np.array(categories, dtype=object)}
    return CodedRows({"s": np.array(category, dtype=np.intp)}, labels, np.array(counts, dtype=np.int64))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(0, 2)), max_size=12))
@settings(max_examples=200)
def test_a_class_is_not_diverse_where_everybody_has_a_value(rows):
    ids, category, counts = ([row[j] for row in rows] for j in range(3))
    bad = set()
    for number in range(4):
        own = [CATEGORIES[row[1]] for row in rows if row[0] == number and row[2]]
        sets = [set(value.members) if isinstance(value, ValueSet) else {value} - {None} for value in own]
        if own and (len({str(value) for value in own}) < 2 or set.intersection(*sets)):
            bad.add(number)
    sizes = np.array([sum(row[2] for row in rows if row[0] == number) for number in range(4)])
    groups = (np.array(ids, dtype=np.intp), sizes)
    found = violating_in(rows_of(category, counts), LDiversity(columns=(), sensitive="s", l=2), groups)
    assert [bool(each) for each, (_, _, count) in zip(found, rows, strict=True) if count] == [
        number in bad for number, _, count in rows if count
    ]


def test_without_sets_there_is_nothing_to_look_at():
    assert rows_of([0, 1], [1, 1], ["u", None]).held_in_sets("s") is None
