"""Appointments that a file has: which columns they are, the schedule that they make, and who keeps theirs."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.schedules import (
    AppointmentColumns,
    Existing,
    Invitees,
    Slots,
    appointed,
    existing_in,
    greedy_schedule,
    part_columns,
    people_moved,
    people_of,
    same_text,
    slot_of_each,
    slots_as_they_are,
    suggest_appointment_columns,
)
from anonlib.counting.classes import anonymity_vector
from anonlib.dataset import Dataset
from tests.helpers.examples import settings
from tools.samples.published import screening_schedule, screening_slots

COLUMNS = AppointmentColumns(centre="centre", hour="hour")


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ({"age": ["50-54"], "centre": ["A", "B"], "hour": ["9", "13"]}, ("centre", None, "hour")),
        (
            {"year": ["1950", "1951"], "screening_date": ["1992-01-06"], "center_nr": ["1"]},
            ("center_nr", "screening_date", None),
        ),
        ({"clinic": ["x"], "date": ["01.02.2027"], "time": ["09:00", "9:30 am"]}, ("clinic", "date", "time")),
        ({"date": ["2027-01-02"], "hour": ["9"]}, (None, "date", "hour")),
        ({"admission_date": ["2027-01-02"], "department": ["x"]}, (None, None, None)),
        ({"centre": ["A"], "hour": ["a lot", "9"]}, ("centre", None, None)),
        ({"centre": ["A"], "date": ["soon"]}, ("centre", None, None)),
        ({"hour": ["9"], "age": ["1"]}, (None, None, None)),
        ({"centre": []}, (None, None, None)),
    ],
)  # fmt: skip
def test_columns_are_suggested_by_name_and_content(table, expected):
    assert suggest_appointment_columns(table) == AppointmentColumns(*expected)


def table_3(also: tuple[str, ...] = ()) -> tuple[Invitees, Existing]:
    data = Dataset.from_frame(screening_schedule())
    people = people_of(data, ["zip", "gender", "age"], (*also, "centre", "hour"))
    people, now = appointed(people, COLUMNS, ["zip", "gender", "age", *also])
    existing = existing_in(now, COLUMNS, slots_as_they_are(now), COLUMNS)
    assert existing is not None
    return people, existing


def test_the_schedule_of_table_3():
    """The paper prints (11,2) for it, see docs/errata.md."""
    people, existing = table_3()
    assert people.base.printed() == "(0,1,0,2,1)" and people.n_people == 15
    schedule = existing.schedule(people.quasi_ids)
    assert schedule.vector.printed() == "(9,3)"
    capacities = screening_slots().set_index(["centre", "hour"])["capacity"].astype(int)
    slots = existing.slots.table.itertuples(index=False, name=None)
    places = dict(zip(slots, existing.slots.capacities.tolist(), strict=True))
    assert places == capacities.to_dict(), "the places of Table 7 are just the people of Table 3"
    rows = screening_schedule()
    by_person = existing.slots.table.iloc[existing.slot_of_person].reset_index(drop=True)
    assert by_person.values.tolist() == rows[["centre", "hour"]].values.tolist()


def test_the_slots_of_a_table_hold_the_appointments():
    people, now = appointed(
        people_of(Dataset.from_frame(screening_schedule()), ["zip"], ("centre", "hour")), COLUMNS, ["zip"]
    )
    table = pd.DataFrame(
        {"Centre": ["A", "A", "B", "D"], "when": ["09:00", "13:00", "9:00", "9:00"], "n": ["3", "2", "9", "1"]}
    )
    theirs = part_columns(COLUMNS, table)
    assert theirs == AppointmentColumns(centre="Centre")
    assert part_columns(COLUMNS, table.rename(columns={"when": "time"})) == AppointmentColumns("Centre", None, "time")
    slots = Slots(table[["Centre", "when"]].rename(columns={"when": "time"}), np.array([3, 2, 9, 1]))
    assert existing_in(now, COLUMNS, slots, theirs) is None, "the hour is missing"
    existing = existing_in(now, COLUMNS, slots, AppointmentColumns("Centre", None, "time"))
    assert existing is not None and (existing.raised, existing.added) == (1, 2)
    assert existing.slots.capacities.tolist() == [4, 2, 9, 1, 3, 2]
    assert existing.slots.labels[4:] == ["B, 13", "C, 13"]
    twice = Slots(pd.concat([slots.table, slots.table[:1]], ignore_index=True), np.array([3, 2, 9, 1, 3]))
    assert existing_in(now, COLUMNS, twice, AppointmentColumns("Centre", None, "time")) is None, (
        "two slots are the same"
    )
    assert people.n_people == existing.groups.sum() == 15


def test_people_without_an_appointment_are_left_out_and_counted():
    rows = screening_schedule()
    rows.loc[[2, 5], "hour"] = None
    people, now = appointed(people_of(Dataset.from_frame(rows), ["zip"], ("centre", "hour")), COLUMNS, ["zip"])
    assert people.left_out == 2 and people.n_people == 13 and now.of_group.sum() == 13
    assert people.record_of_person.tolist() == [i for i in range(15) if i not in (2, 5)]


def test_days_and_hours_are_compared_as_such_and_names_as_they_are_written():
    own, theirs = same_text("date", pd.Series(["2027-03-01"]), pd.Series(["01.03.2027", "02.03.2027"]))
    assert own[0] == theirs[0] != theirs[1]
    own, theirs = same_text("hour", pd.Series(["9", "13"]), pd.Series(["09:00", "1 pm", "1:00 pm"]))
    assert own == ["9", "13"] and theirs[0] == "09:00", "one of them is no time"
    own, theirs = same_text("centre", pd.Series(["9"]), pd.Series(["09:00"]))
    assert own != theirs


@settings(80, deadline=None)
@given(st.data())
def test_who_can_keep_their_appointment_does(data: st.DataObject):
    n_values, n_slots = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    person = st.tuples(st.integers(0, n_values - 1), st.integers(0, n_slots - 1))
    drawn = [(i, data.draw(st.integers(0, n_slots - 1))) for i in range(n_values)] + data.draw(
        st.lists(person, max_size=20)
    )
    values, now = (np.array(column) for column in zip(*drawn, strict=True))
    cells = np.zeros((n_values, n_slots), np.int64)
    np.add.at(cells, (values, now), 1)
    schedule = greedy_schedule(cells.sum(axis=1), cells.sum(axis=0) + 1)
    slot = slot_of_each(schedule, values, np.random.default_rng(0), now)
    reached = np.zeros_like(cells)
    np.add.at(reached, (values, slot), 1)
    assert np.array_equal(reached, schedule.groups.toarray())
    by_person = int((slot != now).sum())
    assert by_person == people_moved(cells, schedule.groups) == len(values) - int(np.minimum(cells, reached).sum())
    assert Counter(values.tolist()) == Counter(dict(enumerate(cells.sum(axis=1).tolist())))
    assert schedule.vector == anonymity_vector(reached.ravel())
