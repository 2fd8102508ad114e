"""Rows left out of persons: what is left holds, and no more goes than has to where that can be told."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.persons as slow
from anonlib.counting.classes.person_table import PersonTable
from anonlib.counting.guarantees import ALL, ONE, AttributeDisclosure, CodedPersons, KAnonymity
from anonlib.counting.guarantees.leaving_rows import rows_left
from anonlib.reading.records import FrameRecords
from tests.helpers.examples import settings
from tests.reference.persons import visits


def without(persons: list[slow.Person], guarantees, **most) -> list[slow.Person] | None:
    """The persons with the rows that are left, of each that of some rows the first."""
    frame = FrameRecords.of(slow.frame_of(persons)).frame
    table = PersonTable.from_frame(frame, list(slow.NAMES), "id")
    coded = CodedPersons.of(table)
    times = rows_left(coded, guarantees, **most)
    if times is None:
        return None
    assert ((times >= 0) & (times <= table.times)).all()
    assert table.profile_of_record is not None and table.rows.class_of_record is not None
    number, left = 0, []
    for person in persons:
        profile = table.profile_of_record[number]
        kept: list[slow.Row] = []
        stays = dict(zip(table.row[table.start[profile] : table.start[profile + 1]].tolist(),
                         times[table.start[profile] : table.start[profile + 1]].tolist(), strict=True))  # fmt: skip
        for row in person:
            place = int(table.rows.class_of_record[number])
            if stays[place]:
                kept.append(row)
                stays[place] -= 1
            number += 1
        left += [kept] if kept else []
    return left


@settings(max_examples=300)
@given(slow.people(), st.lists(slow.ROW_BY_ROW | slow.AVERAGE, min_size=1, max_size=2))
def test_what_is_left_holds(persons, guarantees):
    left = without(persons, guarantees)
    assert left is not None and all(slow.holds(left, guarantee) for guarantee in guarantees)
    if all(slow.holds(persons, guarantee) for guarantee in guarantees):
        assert left == persons


@settings(max_examples=150)
@given(slow.people(), st.lists(slow.ROW_BY_ROW, min_size=1, max_size=2), slow.COLUMNS)
def test_who_has_no_needed_value_left_goes_and_the_rest_holds(persons, guarantees, needed):
    left = without(persons, guarantees, needed=needed)
    assert left is not None and all(slow.values(person, name) for person in left for name in needed)
    assert all(slow.holds(left, guarantee) for guarantee in guarantees)


@settings(max_examples=150)
@given(slow.people(), slow.COLUMNS, st.integers(2, 4), slow.KNOWING)
def test_of_one_row_no_more_goes_than_has_to(persons, columns, least, known):
    """Whose row too few have must lose it, whatever else goes: what is left is what repeated leaving out leaves."""
    expected = persons
    while True:
        sets = slow.slow.sets_known(columns, known)
        kept = [
            [row for row in person if all(_having(expected, row, chosen) >= least for chosen in sets)]
            for person in expected
        ]
        kept = [person for person in kept if person]
        if kept == expected:
            break
        expected = kept
    guarantee = KAnonymity(columns=columns, least=least, known=known, rows=ONE)
    assert without(persons, [guarantee]) == expected
    rows, lost = (sum(map(len, each)) for each in (persons, expected))
    gone, people = rows - lost, len(persons) - len(expected)
    assert without(persons, [guarantee], most_rows=gone, most_persons=people) == expected
    if gone:
        assert without(persons, [guarantee], most_rows=gone - 1) is None
    if people:
        assert without(persons, [guarantee], most_persons=people - 1) is None


def _having(persons, row, columns) -> int:
    return sum(any(slow.of(other, columns) == slow.of(row, columns) for other in person) for person in persons)


def test_a_row_less_makes_a_person_like_others():
    persons = visits(*["x1 x1"] * 5, "x1 x1 x1 y1")
    left = without(persons, [KAnonymity(columns=("a",), least=5, rows=ALL)])
    assert left == visits(*["x1 x1"] * 6)


def test_the_row_that_tells_goes():
    """Whoever knows the ward is sure of H of all who have it: of the person with many rows one row goes."""
    persons = visits("x1 x2 x3 yH", *["x1 x2 x3"] * 3)
    left = without(persons, [AttributeDisclosure(columns=("a",), sensitive="s", harmless=("1", "2", "3"), rows=ALL)])
    assert left == visits(*["x1 x2 x3"] * 4)


def test_of_many_rows_many_go_at_once():
    persons = visits(*["x1"] * 3, " ".join(["x1"] * 400))
    left = without(persons, [KAnonymity(columns=("a",), least=4, rows=ALL)])
    assert left == visits(*["x1"] * 4)
    assert np.array_equal([len(person) for person in left], [1] * 4)
