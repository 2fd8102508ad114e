"""Whom to leave out so that guarantees hold: what is left holds, and where that can be said it is the most.

Rows left out of persons: what is left holds, and no more goes than has to where that can be told.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tests.reference.guarantees as slow
import tests.reference.persons as slow_persons
from anonlib.counting.classes.person_table import PersonTable
from anonlib.counting.privacy_models import (
    ALL,
    ONE,
    AttributeDisclosure,
    AverageRiskLimit,
    CodedPersons,
    CodedRows,
    KAnonymity,
    least_to_go,
    left_after,
)
from anonlib.counting.privacy_models.record_suppression import rows_left, too_many_classes
from anonlib.reading.records import FrameRecords
from tests.helpers.examples import settings
from tests.reference.guarantees import table_of
from tests.reference.persons import visits


def rows_that_stay(rows: CodedRows, left: np.ndarray) -> tuple[list[slow.Row], list[int]]:
    """What is left as records with weights."""
    some = np.flatnonzero(left)
    values = {name: rows.labels[name][codes[some]] for name, codes in rows.codes.items()}
    return [{name: column[i] for name, column in values.items()} for i in range(len(some))], left[some].tolist()


# --- least numbers --------------------------------------------------------------------------------------------------


@settings(max_examples=300)
@given(st.integers(0, 60), st.integers(1, 60), st.floats(0, 1) | st.integers(0, 60).map(lambda part: part / 60))
def test_the_least_to_go_is_found_by_trying(violating, more, share):
    n = violating + more
    tried = next(x for x in range(violating + 1) if x == n or (violating - x) / (n - x) <= share)
    assert least_to_go(violating, n, share) == tried


@pytest.mark.parametrize("n", [100, 30_162, 10**9])
@pytest.mark.parametrize("percent", [1, 5, 7, 29, 33])
def test_a_share_that_is_just_met_takes_nobody(n, percent):
    exactly = Fraction(percent, 100) * n
    if exactly.denominator == 1:
        assert least_to_go(int(exactly), n, percent / 100) == 0
    assert least_to_go(int(exactly) + 1, n, percent / 100) > 0


def test_the_limits_of_a_share():
    assert [least_to_go(*asked) for asked in ((7, 7, 0.0), (7, 7, 1.0), (7, 7, 0.5), (0, 0, 0.0))] == [7, 0, 7, 0]


@settings(max_examples=200)
@given(st.lists(st.integers(0, 6), max_size=6), st.sampled_from([0.0, 0.2, 0.25, 1 / 3, 0.5, 1.0]))
def test_the_smallest_classes_go_for_an_average(sizes, limit):
    """Against every set of classes: leaving out a part of a class leaves as many classes."""
    used = [size for size in sizes if size]
    tried = [
        sum(used) - sum(left)
        for chosen in range(2 ** len(used))
        for left in [[size for i, size in enumerate(used) if chosen >> i & 1]]
        if not left or len(left) / sum(left) <= limit
    ]
    assert too_many_classes(np.array(sizes, dtype=np.int64), limit) == min(tried)


# --- who is left ----------------------------------------------------------------------------------------------------


@settings(max_examples=400)
@given(st.data())
def test_what_is_left_holds(data):
    rows = data.draw(slow.rows())
    weights = data.draw(slow.weights(len(rows)))
    guarantees = data.draw(st.lists(slow.ANY, min_size=1, max_size=3))
    coded = CodedRows.of(table_of(rows, weights))
    worth = data.draw(
        st.none() | st.lists(st.sampled_from([0.0, 1 / 3, 1.0]), min_size=len(coded.counts), max_size=len(coded.counts))
    )
    divisible = data.draw(st.booleans())
    left = left_after(coded, guarantees, None if worth is None else np.array(worth), divisible=divisible)
    assert ((left >= 0) & (left <= coded.counts)).all()
    if not divisible:
        assert ((left == 0) | (left == coded.counts)).all(), "whole rows alone"
    assert slow.all_hold(*rows_that_stay(coded, left), guarantees)
    gone = int((coded.counts - left).sum())
    for most in {gone, max(0, gone - 1)}:
        again = left_after(
            coded, guarantees, None if worth is None else np.array(worth), most=most, divisible=divisible
        )
        assert (again is None) == (most < gone)
        assert again is None or np.array_equal(again, left)
    if slow.all_hold(*rows_that_stay(coded, coded.counts), guarantees):
        assert not gone, "nobody goes where all holds"


@settings(max_examples=200)
@given(st.data())
def test_no_larger_set_of_records_holds(data):
    """Everybody, and whoever violates goes on: what is left is the one largest set, of all sets of records."""
    rows = data.draw(slow.rows(least=3, most=7))
    guarantees = data.draw(st.lists(slow.STAYS_FOR_EVERYBODY, min_size=1, max_size=3))
    table = table_of(rows)
    left = left_after(CodedRows.of(table), guarantees)
    (largest,) = slow.most_that_can_stay(rows, guarantees)
    assert {i for i, place in enumerate(table.class_of_record.tolist()) if left[place]} == largest
    assert left.sum() == len(largest) == len(slow.left_without_violators(rows, [1] * len(rows), guarantees))


@settings(max_examples=100)
@given(st.data())
def test_one_share_alone_takes_the_fewest(data):
    """One guarantee that allows a share, or one average: as good as the best of every set of records."""
    rows = data.draw(slow.rows(least=3, most=7))
    guarantee = data.draw(slow.shared() | slow.not_certain(p=(0.0,)) | slow.AVERAGE)
    assume(isinstance(guarantee, AverageRiskLimit) or guarantee.known is None)
    left = left_after(CodedRows.of(table_of(rows)), [guarantee])
    assert left.sum() == len(slow.most_that_can_stay(rows, [guarantee])[0])


@settings(max_examples=100)
@given(st.data())
def test_the_order_of_records_changes_nothing(data):
    rows = data.draw(slow.rows(least=2))
    guarantees = data.draw(st.lists(slow.ANY, min_size=1, max_size=2))
    mixed = data.draw(st.permutations(rows))
    found = [
        rows_that_stay(coded, left_after(coded, guarantees))
        for coded in (CodedRows.of(table_of(each)) for each in (rows, mixed))
    ]
    assert found[0] == found[1]


def test_the_least_worth_goes_first():
    """Two of four are alone and a quarter may be: one goes, of equal ones the first in the order of the rows."""
    rows = CodedRows.of(table_of([{"a": "x"}, {"a": "y"}, {"a": "z"}, {"a": "z"}]))
    alone = [KAnonymity(columns=("a",), least=2, share=1 / 3)]
    assert left_after(rows, alone).tolist() == [0, 1, 2]
    assert left_after(rows, alone, np.array([1.0, 0.5, 0.0])).tolist() == [1, 0, 2]


def test_who_violates_most_goes_first():
    rows = CodedRows.of(table_of([{"a": a, "b": b} for a, b in ("xp", "yq", "zq", "zq", "zq")]))
    shared = [KAnonymity(columns=("a",), least=2, share=0.25), KAnonymity(columns=("b",), least=2, share=0.25)]
    # x is alone in both columns and y in one; both are alone in a, which a fifth and a bit may be.
    assert left_after(rows, shared).tolist() == [0, 1, 3]


def test_rows_without_records_are_nobody():
    """A row of nobody violates nothing, and keeps nobody from being left out."""
    rows = CodedRows.of(table_of([{"a": "x"}, {"a": "y"}, {"a": "z"}, {"a": "z"}]))
    empty = CodedRows(rows.codes, rows.labels, np.array([0, 1, 2]))
    both = [KAnonymity(columns=("a",), least=1), KAnonymity(columns=("a",), least=2, share=0.1)]
    assert left_after(empty, both).tolist() == [0, 0, 2]


def test_part_of_a_row_may_go():
    rows = CodedRows({"a": np.array([0, 1])}, {"a": np.array(["x", "y"], dtype=object)}, np.array([3, 8]))
    few = [KAnonymity(columns=("a",), least=4, share=0.2)]
    assert left_after(rows, few).tolist() == [2, 8]
    assert left_after(rows, few, divisible=False).tolist() == [0, 8]


def test_a_likely_value_has_no_largest_part():
    """Two sets of records in each of which nobody's value is likelier than a half make one in which somebody's is."""
    rows = [{"a": "x", "s": "p"}, {"a": "x", "s": "q"}, {"a": "x", "s": "p"}]
    half = AttributeDisclosure(columns=("a",), sensitive="s", p=0.4)
    assert slow.most_that_can_stay(rows, [half]) == [{0, 1}, {1, 2}]
    assert not slow.holds(rows, [1, 1, 1], half)


def without(persons: list[slow_persons.Person], guarantees, **most) -> list[slow_persons.Person] | None:
    """The persons with the rows that are left, of each that of some rows the first."""
    frame = FrameRecords.of(slow_persons.frame_of(persons)).frame
    table = PersonTable.from_frame(frame, list(slow_persons.NAMES), "id")
    coded = CodedPersons.of(table)
    times = rows_left(coded, guarantees, **most)
    if times is None:
        return None
    assert ((times >= 0) & (times <= table.times)).all()
    assert table.profile_of_record is not None and table.rows.class_of_record is not None
    number, left = 0, []
    for person in persons:
        profile = table.profile_of_record[number]
        kept: list[slow_persons.Row] = []
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
@given(slow_persons.people(), st.lists(slow_persons.ROW_BY_ROW | slow_persons.AVERAGE, min_size=1, max_size=2))
def test_what_is_left_of_persons_holds(persons, guarantees):
    left = without(persons, guarantees)
    assert left is not None and all(slow_persons.holds(left, guarantee) for guarantee in guarantees)
    if all(slow_persons.holds(persons, guarantee) for guarantee in guarantees):
        assert left == persons


@settings(max_examples=150)
@given(slow_persons.people(), st.lists(slow_persons.ROW_BY_ROW, min_size=1, max_size=2), slow_persons.COLUMNS)
def test_who_has_no_needed_value_left_goes_and_the_rest_holds(persons, guarantees, needed):
    left = without(persons, guarantees, needed=needed)
    assert left is not None and all(slow_persons.values(person, name) for person in left for name in needed)
    assert all(slow_persons.holds(left, guarantee) for guarantee in guarantees)


@settings(max_examples=150)
@given(slow_persons.people(), slow_persons.COLUMNS, st.integers(2, 4), slow_persons.KNOWING)
def test_of_one_row_no_more_goes_than_has_to(persons, columns, least, known):
    """Whose row too few have must lose it, whatever else goes: what is left is what repeated leaving out leaves."""
    expected = persons
    while True:
        sets = slow_persons.slow.sets_known(columns, known)
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
    return sum(
        any(slow_persons.of(other, columns) == slow_persons.of(row, columns) for other in person) for person in persons
    )


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
