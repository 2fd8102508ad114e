"""What Safe Harbor's own steps make of a file: nothing that the rule lists is left, and nothing becomes finer."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import DateUnit, Intervals, Mask, ValueMap
from anonlib.columns.roles import suggest_roles
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.reading.samples import FOLDER, sample
from anonlib.reading.sources import open_source
from anonlib.release.recipe import Recipe
from anonlib.release.safe_harbor import RULE, safe_harbor_steps, with_safe_harbor
from anonlib.release.steps import DropColumns, GeneralizeLocally, LeaveOut, Recode, Step
from anonlib.verdict.criteria import Case, Finding, SafeHarbor, State
from tests.helpers.examples import settings
from tests.helpers.small_release import IDENTIFIER, OTHER, PERSON, QI, SENSITIVE, WEIGHT, column

PEOPLE = Dataset.from_frame(
    pd.DataFrame({"zip": ["02138", "02139", "03601", "94501"], "people": ["15000", "9000", "20000", "20001"]}),
    roles={"zip": QI, "people": WEIGHT},
)
"""Of 021 live more than 20,000, of 036 just as many, of 945 one more."""


def finding(recipe: Recipe, data: Dataset, people: Dataset | None = None) -> Finding:
    return SafeHarbor().check(Case(recipe.apply(data), recipe, people))


def data_of(columns: dict[str, list], **roles) -> Dataset:
    """Each row five times, so that identifiers are what repeats little."""
    frame = pd.DataFrame({name: values * 5 for name, values in columns.items()}, dtype=object)
    return Dataset.from_frame(frame, roles={**dict.fromkeys(columns, QI), **roles})


def test_what_the_rule_makes_of_each_kind_of_column():
    data = data_of(
        {
            "age": ["34", "89", "90", "101"],
            "birth_date": ["1990-05-01", "1935-02-03", "1934-12-31", "unknown"],
            "birth_year": ["1990", "1935", "1934", "1920"],
            "admission_date": ["2024-01-05", "2023-02-01", "2024-03-01", "2023-02-02"],
            "discharge_month": ["2024-Q1", "2023-02", "March 2024", None],
            "zip": ["02138", "03601", "94501-1234", "K1A 0B1"],
            "city": ["Boston", "Keene", "Alameda", None],
            "phone": ["617-555-0100", "617-555-0101", "617-555-0102", "617-555-0103"],
            "ward": ["a", "b", "a", "b"],
        }
    )
    recipe = Recipe.of(safe_harbor_steps(data, PEOPLE))
    after = recipe.apply(data)
    assert {name: column(after.released, name)[:4] for name in after.released.columns} == {
        "age": ["34", "89", "90+", "90+"],
        "birth_date": ["1990", "1935", "<1935", "*"],
        "birth_year": ["1990", "1935", "<1935", "<1935"],
        "admission_date": ["2024", "2023", "2024", "2023"],
        "discharge_month": ["2024", "2023", "2024", None],
        "zip": ["021**", "000**", "945**", "*"],
        "city": ["*", "*", "*", "*"],
        "ward": ["a", "b", "a", "b"],
    }
    assert not after.why_not and finding(recipe, data, PEOPLE).is_met
    assert all(step.reason == RULE for step in recipe.enabled)
    by_census = Recipe.of(safe_harbor_steps(data))
    assert column(by_census.apply(data).released, "zip")[:4] == ["021**", "000**", "945**", "*"]
    assert finding(by_census, data).state is State.UNKNOWN, "nothing says how many people live there"


def test_postcodes_that_became_states_stay():
    """Only subdivisions smaller than a State are listed, however few live there."""
    states = data_of({"zip": ["MA", "NH", "WY"]})
    assert safe_harbor_steps(states) == safe_harbor_steps(states, PEOPLE) == ()
    assert finding(Recipe(), states).is_met and finding(Recipe(), states, PEOPLE).is_met
    small = data_of({"zip": ["MA", "036**"]})
    assert column(Recipe.of(safe_harbor_steps(small, PEOPLE)).apply(small).released, "zip")[:2] == ["MA", "000**"]


def test_what_never_leaves_has_no_step_and_weights_are_left_out():
    ids = {
        "phone": ["617-555-0100", "617-555-0101"],
        "patient_id": ["1", "2"],
        "visit_date": ["2024-01-01", "2024-02-01"],
    }
    data = data_of(ids, phone=IDENTIFIER, patient_id=PERSON)
    assert safe_harbor_steps(data) == (Recode("visit_date", DateUnit("year"), RULE, "star"),)
    weighted = data_of({"age": ["91", "95"], "ward": ["a", "b"]}, age=WEIGHT)
    assert safe_harbor_steps(weighted) == (DropColumns(("age",), RULE),)


def test_codes_that_lost_their_zeros_and_places_without_postcodes_are_all_together():
    data = data_of({"zip": ["2138", "90210"], "county": ["Kent", "Essex"], "latitude": ["42.37", "34.09"]})
    recipe = Recipe.of(safe_harbor_steps(data))
    assert {label for name in data.columns for label in column(recipe.apply(data).released, name)} == {"*"}
    assert finding(recipe, data).is_met


@pytest.mark.parametrize("key", ["admissions", "screening_county", "weight_loss"])
def test_it_is_met_on_the_samples(key: str):
    chosen = sample(key)
    data = Dataset.from_frame(open_source(chosen.read_bytes(), chosen.filename).frame, roles=dict(chosen.roles))
    recipe = Recipe.of(safe_harbor_steps(data))
    found = finding(recipe, data)
    assert finding(Recipe(), data).state is State.NOT_MET and found.state is not State.NOT_MET
    assert found.is_met or "zip" in recipe.recoded
    if chosen.population is not None:
        there = Dataset.from_frame(open_source((FOLDER / chosen.population).read_bytes(), "people").frame)
        people = there.with_roles({"people": WEIGHT})
        with_people = Recipe.of(safe_harbor_steps(data, people))
        assert finding(with_people, data, people).is_met


# ---- into a recipe that is there ----


@pytest.mark.parametrize(
    ("ages", "released"),
    [
        (["[70-80)", "[80-90)", "[90-100)", None], ["[70-80)", "[80-90)", "90+", None]),
        (["80-89", "90-94", "95-99", "100+"], ["80-89", "90+", "90+", "90+"]),
        (["75-84", "85-94", "95+", "unknown"], ["75-84", "85+", "85+", "*"]),
        (["<5", "85-89", ">89", "30-34"], ["<5", "85-89", ">89", "30-34"]),
        (["(70, 80]", "(80, 90]", "(90, 100]", "85"], ["(70, 80]", "(80, 90]", ">90", "85"]),
    ],
)
@pytest.mark.parametrize("name", ["age", "v17"])
def test_ranges_of_ages_that_reach_over_89_are_together(ages, released, name):
    """By the name of the column; by its values alone, where they look like ages."""
    data = data_of({name: ages, "sex": ["f", "m", "f", "m"]})
    if name == "v17":  # enough ranges, from young to old
        young = [f"{age}-{age + 9}" for age in range(0, 60, 10)]
        data = data_of({name: [*ages, *young], "sex": ["f", "m"] * 5})
        if ages[0].startswith(("(", "<")) or None in ages or "unknown" in ages:
            return
    recipe = Recipe.of(safe_harbor_steps(data))
    after = recipe.apply(data)
    assert column(after.released, name)[:4] == released
    assert finding(recipe, data).state is State.MET
    assert with_safe_harbor(recipe, data) == recipe


def test_finer_steps_give_way_and_coarser_ones_stay():
    data = data_of(
        {
            "admission_date": ["2024-01-05", "2023-02-01", "2024-03-01", "2023-02-02"],
            "visit_date": ["2024-01-05", "2023-02-01", "2024-03-01", "2023-02-02"],
            "zip": ["02138", "03601", "94501", "94502"],
            "postcode": ["02138", "03601", "94501", "94502"],
            "age": ["34", "89", "90", "101"],
        }
    )
    halves = ValueMap.of({"2024-01-05": "a", "2023-02-01": "a", "2024-03-01": "2024-03-01", "2023-02-02": "2023-02-02"})
    tens = Recode("age", Intervals(10, top=90))
    before = Recipe.of(
        [Recode("admission_date", DateUnit("month")), Recode("visit_date", halves), Recode("zip", Mask(4)),
         Recode("postcode", Mask(2)), tens, LeaveOut(2)]
    )  # fmt: skip
    after = with_safe_harbor(before, data)
    released = after.apply(data).released
    assert {name: column(released, name)[:4] for name in data.columns} == {
        "admission_date": ["2024", "2023", "2024", "2023"],
        "visit_date": ["*", "*", "2024", "2023"],
        "zip": ["021**", "000**", "945**", "945**"],
        "postcode": ["02***", "03***", "94***", "94***"],
        "age": ["30-39", "80-89", "90+", "90+"],
    }
    steps = list(after.enabled)
    assert tens in steps and Recode("visit_date", halves) in steps and steps[-1] == LeaveOut(2)
    assert Recode("admission_date", DateUnit("month")) not in steps, "years take the place of months"
    assert with_safe_harbor(after, data) == after


def test_a_blank_that_became_missing_stays_missing():
    data = data_of({"admission_date": ["2024-01-05", "", None, "2023-02-02"]})
    after = with_safe_harbor(Recipe.of([Recode("admission_date", DateUnit("month"), kept=("",))]), data)
    assert column(after.apply(data).released, "admission_date")[:4] == ["2024", None, None, "2023"]


def test_what_the_steps_themselves_bring_to_light_is_dropped():
    """With years instead of days fewer records are left out, and those that come back have numbers of their own."""
    days = ["2024-01-01", "2024-02-01"] * 3 + [f"2024-03-0{i}" for i in range(1, 7)]
    numbers = ["7"] * 6 + [str(i) for i in range(11, 17)]
    frame = pd.DataFrame({"admission_date": days, "claim_id": numbers}, dtype=object)
    data = Dataset.from_frame(frame, roles={"admission_date": QI, "claim_id": OTHER})
    before = Recipe.of([LeaveOut(2)])
    after = with_safe_harbor(before, data)
    assert "claim_id" in before.apply(data).released.columns and after.dropped == {"claim_id"}
    assert after.apply(data).released.n_records == 12 and finding(after, data).is_met


AWKWARD = ["unknown", "", "*", "0", "1899", "90+", "2024", "02138", "021**", "a b", None]
VALUES: dict[str, st.SearchStrategy] = {
    "age": st.integers(0, 120).map(str) | st.just("34.5"),
    "birth_date": st.dates().map(str) | st.sampled_from(["1930-1939", "12.03.1911", "20010305", "May 1920"]),
    "year_of_birth": st.integers(1880, 2024).map(str),
    "admission_date": st.sampled_from(["2024-03-17", "2024-03-17 12:30", "2023-12", "17 May 2022", "2020-2024"]),
    "zip": st.sampled_from(["02138", "02139", "03601", "94501-1234", "2138", "K1A 0B1", "021", "036**", "02***"]),
    "city": st.sampled_from(["Boston", "Keene"]),
    "code": st.integers(0, 10**6).map(str),
    "when": st.sampled_from(["2024-03-17", "1950-01-01", "2023-12-01"]),
    "phone": st.integers(1000, 9999).map(lambda n: f"617-555-{n}"),
}
STEPS: dict[str, list[Step]] = {
    "age": [Recode("age", Intervals(10)), Recode("age", Intervals(1, top=90)), DropColumns(("age",))],
    "birth_date": [Recode("birth_date", DateUnit("month")), Recode("birth_date", EVERYTHING)],
    "year_of_birth": [Recode("year_of_birth", Intervals(5)), Recode("year_of_birth", Intervals(1, bottom=1950))],
    "admission_date": [Recode("admission_date", DateUnit("quarter")), Recode("admission_date", Mask(7, fill=""))],
    "zip": [Recode("zip", Mask(4)), Recode("zip", Mask(2)), Recode("zip", ValueMap.of({"02138": "02139"}))],
    "city": [
        GeneralizeLocally(
            (("city", Hierarchy((EVERYTHING,))), ("zip", Hierarchy((Mask(3), EVERYTHING)))),
            (KAnonymity(columns=("city", "zip"), least=2),),
        )
    ],
}


@st.composite
def tables(draw: st.DrawFn) -> Dataset:
    n = draw(st.integers(1, 14))
    names = draw(st.lists(st.sampled_from(list(VALUES)), min_size=1, unique=True))
    cells = {name: draw(st.lists(VALUES[name] | st.sampled_from(AWKWARD), min_size=n, max_size=n)) for name in names}
    roles = {name: draw(st.sampled_from([QI, SENSITIVE, OTHER])) for name in names}
    missing = draw(st.sampled_from(["category", "drop"]))
    return Dataset.from_frame(pd.DataFrame(cells, dtype=object), roles=roles, missing=missing)


@settings(80)
@given(tables(), st.booleans(), st.data())
def test_it_is_never_unmet_and_nothing_becomes_finer(data: Dataset, counted: bool, drawn: st.DataObject):
    people = PEOPLE if counted else None
    offered = [step for name in data.columns for step in STEPS.get(name, ()) if {*step.columns} <= {*data.columns}]
    recipe = Recipe.of(drawn.draw(st.lists(st.sampled_from(offered), max_size=4)) if offered else ())
    after = with_safe_harbor(recipe, data, people)
    found = finding(after, data, people)
    assert found.is_met or (found.state is State.UNKNOWN and (not counted or "zip" not in found.says))
    assert with_safe_harbor(after, data, people) == after, "once is enough"
    old, new = recipe.apply(data), after.apply(data)
    assert set(new.problems) <= set(old.problems)
    if old.released.n_records == new.released.n_records:
        for name in new.released.columns:
            pairs = set(zip(column(old.released, name), column(new.released, name), strict=True))
            assert len(pairs) == len({before for before, _ in pairs}), f"{name} is finer than it was"


def test_a_sensitive_column_is_recoded_by_rules_that_a_saved_project_holds():
    """A list of its values would be saved without them, and the step would then apply to nothing."""
    dates = {"birth_date": ["1990-05-01", "1933-1936", "1934-12-31", "2001-02-03"], "ward": ["a", "b", "a", "b"]}
    for role, saved_whole in ((QI, False), (SENSITIVE, True)):
        data = data_of(dates, birth_date=role)
        steps = safe_harbor_steps(data)
        assert all(step.without_named(lambda name: False) == step for step in steps) is saved_whole
        assert SafeHarbor().check(Case(Recipe.of(steps).apply(data), Recipe.of(steps))).is_met


def test_a_zero_that_a_zip_code_of_nine_digits_lost_is_there_again():
    data = data_of(
        {"zip": ["2138-1234", "10027-6902", "601-1234", "3601-2210"], "age": ["30", "31", "32", "33"]}, zip=QI, age=QI
    )
    released = with_safe_harbor(Recipe(), data).apply(data).released
    assert set(map(str, released.records["zip"])) == {"000**", "006**", "021**", "100**"}


def test_seconds_as_spss_counts_are_asked_about_and_are_no_small_areas():
    seconds = [str(13_576_464_000 + 86_400 * i) for i in range(150)] * 2
    data = data_of({"x1": seconds, "sex": ["m", "f"] * 150}, x1=OTHER, sex=QI)
    assert finding(Recipe(), data).state is State.UNKNOWN
    assert suggest_roles(data.held)[0].role != "place"
    named = data_of({"visit_date": seconds}, visit_date=QI)
    released = with_safe_harbor(Recipe(), named).apply(named).released
    assert set(map(str, released.records["visit_date"])) == {"2013"}
