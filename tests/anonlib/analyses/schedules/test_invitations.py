"""From files of people and slots to what is scheduled, and from a schedule to an appointment a person."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.schedules import (
    Invitees,
    Slots,
    appointments,
    capacity_column,
    check_room,
    greedy_schedule,
    made_up_people,
    made_up_slots,
    not_invited,
    optimal_schedule,
    people_of,
    random_schedule,
    slots_of,
    with_groups,
    with_values,
)
from anonlib.basics.budget import A_SECOND
from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.counting.classes import anonymity_vector
from anonlib.dataset import Dataset
from anonlib.reading.samples import sample
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tools.samples.screening import N_PEOPLE, screening_county, screening_county_slots

ROWS = pd.DataFrame(
    {
        "name": ["Ada", "Bo", "Cy", "Di", "Ed", "Flo"],
        "age": ["30", "40", "30", None, "30", "40"],
        "sex": ["F", "F", "F", "M", "F", None],
        "born": ["N", "N", "S", "N", "N", "N"],
    }
)
CENTRES = pd.DataFrame({"centre": ["Lia", "Nes", "Lia"], "hour": ["9", "9", None], "places": ["3", " 2", "1,000"]})


def rows_of(people: Invitees) -> list[tuple[str, ...]]:
    """The values and what rules look at, of each person."""
    return list(people.groups.iloc[people.group_of_person].itertuples(index=False, name=None))


# ---- people ----------------------------------------------------------------------------------------------------------


def test_people_are_grouped_by_what_is_known_and_by_what_rules_look_at():
    people = people_of(Dataset.from_frame(ROWS), ["age", "sex"], ["born", "age"])
    assert people.groups.columns.tolist() == ["age", "sex", "born"], "a column that is known is not looked at twice"
    assert people.values.columns.tolist() == ["age", "sex"]
    assert rows_of(people) == [
        ("30", "F", "N"), ("40", "F", "N"), ("30", "F", "S"), ("(missing)", "M", "N"), ("30", "F", "N"),
        ("40", "(missing)", "N"),
    ]  # fmt: skip
    assert people.frequencies.sum() == people.n_people == 6 and people.left_out == 0
    assert people.record_of_person.tolist() == list(range(6))
    of_value = dict(zip(people.values.itertuples(index=False, name=None), people.sizes.tolist(), strict=True))
    assert of_value == {("30", "F"): 3, ("40", "F"): 1, ("(missing)", "M"): 1, ("40", "(missing)"): 1}
    known = people.values.iloc[people.quasi_ids].reset_index(drop=True)
    pd.testing.assert_frame_equal(known, people.groups[["age", "sex"]])
    assert people.base == anonymity_vector([3, 1, 1, 1])


def test_the_list_of_who_is_not_invited_has_each_person_once():
    frame = pd.DataFrame({"who": ["a", "a", "b", "b", None, None, "c"], "age": ["30", "31", *[None] * 4, "40"]})
    data = Dataset.from_frame(frame, roles={"who": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER}, missing="drop")
    people = people_of(data, ["age"])
    rest = not_invited(data, people)
    n_people = 3 + 2  # without an id each record is a person
    assert len(rest) + people.n_people == n_people and people.left_out == len(rest)
    assert rest["who"].dropna().tolist() == ["b"] and rest["who"].isna().sum() == 2
    assert rest.columns.tolist() == ["who", "age"]


@pytest.mark.parametrize("known", [[], ()])
def test_something_must_be_known(known):
    with refused("no-column-known"):
        people_of(Dataset.from_frame(ROWS), known)


def test_rows_that_count_several_people_are_refused_by_the_name_of_the_column():
    data = Dataset.from_frame(ROWS.assign(n="2"), roles={"n": Role.WEIGHT})
    with refused("people-not-one-a-row", "n"):
        people_of(data, ["age"])


def test_nobody_left_is_a_sentence_without_a_cell():
    data = Dataset.from_frame(ROWS[["age", "sex"]].iloc[[3, 5]], missing="drop")
    with refused("no-records") as error:
        people_of(data, ["age", "sex"])
    assert "40" not in str(error.value)


def test_keys_tell_people_and_slots_apart():
    data = Dataset.from_frame(ROWS)
    people = people_of(data, ["age"]), people_of(data, ["sex"]), people_of(data, ["age"], ["sex"])
    assert len({one.key for one in people}) == 3 and people[0].key == people_of(data, ["age"]).key
    slots = slots_of(CENTRES, "places"), slots_of(CENTRES.assign(hour="9"), "places"), made_up_slots(np.array([3, 2]))
    assert len({one.key for one in slots}) == 3
    assert slots[0].key != Slots(slots[0].table, np.array([3, 2, 999])).key


# ---- slots -----------------------------------------------------------------------------------------------------------


def test_a_table_of_slots_is_read_with_its_capacities_and_labels():
    slots = slots_of(CENTRES, "places")
    assert slots.capacities.tolist() == [3, 2, 1000]
    assert slots.table.columns.tolist() == ["centre", "hour"]
    assert slots.labels == ["Lia, 9", "Nes, 9", "Lia"], "a missing cell is left out"
    assert slots_of(CENTRES[["places"]], "places").labels == ["Slot 1", "Slot 2", "Slot 3"]


def test_short_labels_leave_out_what_goes_with_another_column_but_not_what_tells_slots_apart():
    county = slots_of(screening_county_slots(), "places")
    assert county.labels[0] == "Havn hospital, Havn, 59.03, 10.05, 2027-03-01, 09:00"
    assert county.short_labels[0] == "Havn hospital, 2027-03-01, 09:00"
    assert len(set(county.short_labels)) == len(set(county.labels)) == 52
    numbered = CENTRES.assign(number=["1", "2", "3"])[["number", "centre", "hour", "places"]]
    assert slots_of(numbered, "places").short_labels == ["1, Lia, 9", "2, Nes, 9", "3, Lia"]
    assert made_up_slots(np.array([4, 4])).short_labels == ["1", "2"]


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (["3", "", "2"], "row 2: “places” is empty"),
        (["3", "2", None], "row 3: “places” is empty"),
        (["3", "SECRET", "-1"], "row 2: “places” is not a number"),
        (["3", "2", "2.5"], "slot 3 is not a whole number"),
        (["-3", "2", "2"], "slot 1 is negative"),
        (["3", "1e99", "2"], "slot 2 is too large"),
    ],
)
def test_a_capacity_that_cannot_be_is_refused_by_its_row(cells, message):
    with pytest.raises(InputError, match=message) as error:
        slots_of(pd.DataFrame({"centre": ["Lia", "Nes", "Havn"], "places": cells}), "places")
    assert "SECRET" not in str(error.value)


def test_slots_without_rows_or_without_the_column_say_what_to_do():
    with refused("slots-missing"):
        slots_of(CENTRES.iloc[:0], "places")
    with refused("column-unknown", "seats"):
        slots_of(CENTRES, "seats")


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"hour": ["9", "10"], "places": ["3", "4"], "room": ["1", "2"]}, "places"),
        ({"Max. Capacity": ["3", "4"], "places": ["x", "y"]}, "Max. Capacity"),
        ({"number": ["1", "2"], "n": ["3", "4"], "code": ["5", "6"]}, "n"),
        ({"places": ["3", ""], "floor": ["1", "2"]}, "floor"),
        ({"centre": ["a", "b"], "hour": ["9", "10"], "rooms": ["1", "2"]}, "rooms"),
        ({"centre": ["a", "b"]}, None),
        ({}, None),
    ],
)
def test_the_column_of_capacities_is_suggested(columns, expected):
    assert capacity_column(pd.DataFrame(columns)) == expected


def test_the_samples_are_read_as_they_are_meant():
    assert capacity_column(screening_county_slots()) == "places"
    assert capacity_column(pd.read_csv(sample("screening_slots").path, dtype=str)) == "capacity"


@pytest.mark.parametrize(("places", "enough"), [([3, 3], True), ([3, 2], False), ([0, 0], False)])
def test_there_must_be_room_for_all(places, enough):
    people, slots = people_of(Dataset.from_frame(ROWS), ["age"]), made_up_slots(np.array(places))
    if enough:
        return check_room(people, slots)
    with pytest.raises(InputError, match=f"6 people are to be invited to .*: {6 - sum(places)} places? too few"):
        check_room(people, slots)


# ---- appointments ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("of_slots", "named"),
    [
        (("centre", "hour", "day"), ["slot slot centre", "slot hour", "day"]),
        (("slot hour", "hour", "day"), ["slot hour", "slot slot hour", "day"]),
        (("centre", "slot centre", "day"), ["slot slot centre", "slot slot slot centre", "day"]),
    ],
)
def test_columns_of_slots_that_people_have_too_are_named_apart(of_slots, named):
    own = ["centre", "slot centre", "hour"]
    data = Dataset.from_frame(pd.DataFrame([["x", "1", "a"], ["y", "2", "b"]], columns=own))
    people = people_of(data, ["hour"])
    slots = Slots(pd.DataFrame([["Lia", "9", "Monday"]], columns=list(of_slots)), np.array([2]))
    schedule = greedy_schedule(people.sizes, slots.capacities)
    invited = appointments(schedule, people, slots, np.random.default_rng(0), data.records)
    assert invited.columns.tolist() == own + named
    assert invited.iloc[1].tolist() == ["y", "2", "b", "Lia", "9", "Monday"]


def test_made_up_people_have_a_number_and_their_value():
    people, slots = made_up_people(np.array([2, 3])), made_up_slots(np.array([4, 4]))
    assert people.base == anonymity_vector([2, 3]) and people.values["value"].tolist() == ["1", "2"]
    schedule = optimal_schedule(people.sizes, slots.capacities)
    invited = appointments(schedule, people, slots, np.random.default_rng(0))
    assert invited.columns.tolist() == ["person", "value", "slot"]
    assert invited["person"].tolist() == [1, 2, 3, 4, 5] and invited["value"].tolist() == ["1", "1", "2", "2", "2"]
    assert invited.groupby("value")["slot"].nunique().tolist() == [1, 1], "both values fit whole"


def test_a_schedule_of_other_people_is_refused():
    people, slots = made_up_people(np.array([2, 3])), made_up_slots(np.array([4, 4]))
    other = optimal_schedule([3, 2], slots.capacities)
    with refused("saved-for-others"):
        appointments(other, people, slots, np.random.default_rng(0))


def test_the_county_is_invited_whole():
    data = Dataset.from_frame(screening_county(), roles={"person": Role.PERSON_ID})
    people, slots = (
        people_of(data, ["birth_year", "municipality"], ["born_in"]),
        slots_of(screening_county_slots(), "places"),
    )
    schedule = optimal_schedule(people.frequencies, slots.capacities, quasi_ids=people.quasi_ids)
    invited = appointments(schedule, people, slots, np.random.default_rng(2), data.records)
    assert len(invited) == N_PEOPLE and invited["person"].tolist() == screening_county()["person"].tolist()
    classes = invited.groupby(["birth_year", "municipality", "centre", "date", "hour"], observed=True).size()
    assert anonymity_vector(classes.tolist()) == schedule.vector, "what is downloaded has the vector that is shown"
    taken = invited.groupby(["centre", "date", "hour"]).size()
    places = screening_county_slots().set_index(["centre", "date", "hour"])["places"].astype(int)
    assert (taken <= places.loc[taken.index]).all()


# ---- any file --------------------------------------------------------------------------------------------------------


@st.composite
def files(draw) -> tuple[Dataset, list[str], list[str]]:
    """Few records of few values, some missing, with persons of several rows or not; what is known and looked at."""
    n = draw(st.integers(1, 14))
    cells = st.lists(st.sampled_from(["1", "2", "3", None]), min_size=n, max_size=n)
    frame = pd.DataFrame({name: pd.Series(draw(cells), dtype=object) for name in ("a", "b", "c", "who")})
    roles = {"who": Role.PERSON_ID} if draw(st.booleans()) else {}
    known = draw(st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, unique=True))
    also = draw(st.lists(st.sampled_from(["a", "b", "c"]), unique=True))
    return Dataset.from_frame(frame, roles=roles, missing=draw(st.sampled_from(["category", "drop"]))), known, also


def slow_people(data: Dataset, columns: list[str]) -> tuple[dict[int, tuple[str, ...]], int]:
    """The values of each person who counts, by their first record, and how many are left out.

    A person has the set of the values of their rows; a missing one gives way to one that is there.
    """
    rows = data.records.astype(object).where(data.records.notna(), None).to_dict("records")
    persons: dict[object, list[dict]] = {}
    firsts: dict[object, int] = {}
    for i, row in enumerate(rows):
        own = i if data.person_id is None or row["who"] is None else f"person {row['who']}"
        firsts.setdefault(own, i)
        persons.setdefault(own, []).append(row)
    sets = {
        firsts[own]: tuple(" | ".join(sorted({row[name] for row in records} - {None})) for name in columns)
        for own, records in persons.items()
    }
    counted = {i: values for i, values in sets.items() if data.missing == "category" or all(values)}
    return counted, len(sets) - len(counted)


@settings(max_examples=150)
@given(files(), st.lists(st.integers(0, 6), min_size=1, max_size=5), st.sampled_from(["random", "greedy", "optimal"]))
def test_appointments_are_those_of_the_schedule(file, places, method):
    data, known, also = file
    columns = [*known, *(name for name in also if name not in known)]
    expected, left_out = slow_people(data, columns)
    try:
        people = people_of(data, known, also)
    except InputError:
        assert not expected and left_out
        return
    assert people.record_of_person.tolist() == list(expected) and people.left_out == left_out
    own = [tuple("" if value == "(missing)" else value for value in row) for row in rows_of(people)]
    assert own == list(expected.values())
    assert people.frequencies.tolist() == np.bincount(people.group_of_person, minlength=len(people.groups)).tolist()
    if columns == known:  # without rules each group is a value
        assert people.quasi_ids.tolist() == list(range(len(people.groups))) and people.values.equals(people.groups)
    slots = made_up_slots(np.array([*places, people.n_people], dtype=np.int64))
    if method == "optimal":
        schedule = optimal_schedule(people.frequencies, slots.capacities, quasi_ids=people.quasi_ids, work=A_SECOND)
    elif method == "random":
        drawn = random_schedule(people.frequencies, slots.capacities, np.random.default_rng(3))
        schedule = with_values(drawn, people.quasi_ids)
    else:
        drawn = greedy_schedule(people.sizes, slots.capacities)
        schedule = with_groups(drawn, people.frequencies, people.quasi_ids)
    invited, again = (appointments(schedule, people, slots, np.random.default_rng(4), data.records) for _ in range(2))
    pd.testing.assert_frame_equal(invited, again)
    assert invited.columns.tolist() == [*data.columns, "slot"]
    theirs = data.records.iloc[people.record_of_person].reset_index(drop=True)
    pd.testing.assert_frame_equal(invited[data.columns], theirs)
    slot = invited["slot"].astype(int).to_numpy() - 1
    counts = np.zeros(schedule.groups.shape, int)
    np.add.at(counts, (people.group_of_person, slot), 1)
    assert (counts == schedule.groups.toarray()).all()
    assert (np.bincount(slot, minlength=len(slots.capacities)) <= slots.capacities).all()
    cells = Counter(zip(people.quasi_ids[people.group_of_person].tolist(), slot.tolist(), strict=True))
    assert anonymity_vector(list(cells.values())) == schedule.vector
