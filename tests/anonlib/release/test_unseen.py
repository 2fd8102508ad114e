"""What next year's file has and this year's had not: no file leaves until somebody has decided what becomes of it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.frontier import PolicySpace
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import Hierarchy, intervals
from anonlib.coarsening.recoding import DateUnit, Intervals, Mask, ValueMap, untouched
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.reading.records import FrameRecords
from anonlib.reading.samples import SAMPLES
from anonlib.reading.sources import DEFAULT_MARKS, apply_missing_marks, open_source
from anonlib.release.export import released_csv, value_mapping
from anonlib.release.from_analyses import steps_of_policy
from anonlib.release.recipe import Recipe
from anonlib.release.steps import OTHERS, DropColumns, GeneralizeLocally, LeaveOut, Recode, Unseen
from anonlib.release.suggestions import first_recipe
from tests.helpers.small_release import QI, column, small

KNOWN = [str(age) for age in range(17, 91)]
NEXT = ["99", "101", "105", "16", "30"]


def of(**columns: list) -> Dataset:
    return Dataset.from_frame(pd.DataFrame(columns, dtype=object), roles=dict.fromkeys(columns, QI))


def policy_of(values: list[str], *kept: str) -> Recipe:
    """The steps of the policy that keeps a boundary in front of each of these values."""
    space = PolicySpace(of(age=values).classes())
    policy = space.top.copy()
    policy[[space.domains[0].values.index(value) - 1 for value in kept]] = True
    return Recipe.of(steps_of_policy(space, policy))


# ---- policies ----


def test_next_year_s_ages_fall_into_the_open_ends_of_a_policy():
    """The recipe of a policy 82-98 released ages 99, 101, 105 and 16 as they are."""
    recipe = policy_of([*KNOWN, "98"], "25", "82")
    applied = recipe.apply(of(age=NEXT))
    assert column(applied.released, "age") == ["82+", "82+", "82+", "<25", "25-81"]
    assert not applied.unseen and not applied.why_not
    assert not recipe.apply(of(age=KNOWN)).why_not


def test_a_number_inside_an_interval_belongs_to_it_and_one_between_two_is_asked_about():
    recipe = policy_of(["20", "22", "30", "34", "50"], "30", "50")
    applied = recipe.apply(of(age=["21", "33", "25", "40", "20"]))
    assert column(applied.released, "age") == ["<23", "30-34", "25", "40", "<23"]
    assert applied.unseen == (Unseen("age", ("25", "40"), 2),)


def test_new_postcodes_and_words_are_asked_about():
    space = PolicySpace(of(zip=["37201", "37205", "37401"], race=["A", "B", "C"]).classes())
    policy = space.top.copy()
    policy[1] = True
    recipe = Recipe.of(steps_of_policy(space, policy))
    applied = recipe.apply(of(zip=["37203", "37200", "37999"], race=["A", "D", "B"]))
    assert column(applied.released, "zip") == ["37201-37205", "37200", "37999"]
    assert {unseen.column: unseen.values for unseen in applied.unseen} == {"zip": ("37200", "37999"), "race": ("D",)}
    assert applied.why_not == (
        "The recipe does not cover 3 values of zip, race: decide in its steps what becomes of them."
    )


def test_people_beyond_the_records_are_in_no_group_as_in_the_figures_of_the_search():
    recipe = policy_of(["20", "22", "30", "34"], "30")
    people = Dataset.from_frame(pd.DataFrame({"age": ["19", "20", "33", "90"]}, dtype=object))
    assert column(recipe.apply_to_population(people), "age") == ["19", "<23", "30+", "90"]


# ---- decisions ----

GROUPS = Recode("race", ValueMap.of({"A": "A or B", "B": "A or B", "C": "C"}))


@pytest.mark.parametrize(
    ("decision", "expected"),
    [
        ("star", ["A or B", "*", "*", "C", None]),
        ("leave_out", ["A or B", "C", None]),
        ("keep", ["A or B", "D", "E", "C", None]),
    ],
)
def test_what_is_decided_is_done_and_lets_the_file_leave(decision, expected):
    data = of(race=["A", "D", "E", "C", None])
    recipe = Recipe.of([GROUPS])
    (unseen,) = recipe.apply(data).unseen
    assert unseen == Unseen("race", ("D", "E"), 2)
    assert recipe.apply(data).why_not
    assert GROUPS.decisions(unseen) == ("star", "leave_out", "keep"), "names have no nearest"
    applied = Recipe.of([GROUPS.decided(unseen, decision)]).apply(data)
    assert column(applied.released, "race") == expected
    assert not applied.why_not
    assert applied.effects[0].records_removed == (2 if decision == "leave_out" else 0)
    assert applied.effects[0].untouched == (2 if decision == "keep" else 0)
    if decision != "keep":
        assert "D" not in released_csv(applied.released).decode().split()


def test_what_is_kept_is_these_values_and_no_others():
    """Somebody looked at them; the year after is asked about again."""
    (unseen,) = Recipe.of([GROUPS]).apply(of(race=["A", "D"])).unseen
    kept = GROUPS.decided(unseen, "keep")
    assert Recipe.of([kept]).apply(of(race=["A", "D", "F"])).unseen == (Unseen("race", ("F",), 1),)


@pytest.mark.parametrize(
    ("named", "value", "label"),
    [
        ({"10": "low", "20": "high"}, "14", "low"),
        ({"10": "low", "20": "high"}, "15", "low"),
        ({"10": "low", "20": "high"}, "16", "high"),
        ({"10": "low", "20": "high"}, "-3", "low"),
        ({"10": "low", "20": "high"}, "99", "high"),
        ({"2020-01-01": "early", "2021-01-01": "late"}, "2020-12-01", "late"),
        ({"37201": "a", "37299": "b"}, "37202", "a"),
    ],
)
def test_the_nearest_value_gives_its_label(named, value, label):
    step = Recode("x", ValueMap.of(named))
    data = of(x=[*named, value])
    (unseen,) = Recipe.of([step]).apply(data).unseen
    assert "nearest" in step.decisions(unseen)
    applied = Recipe.of([step.decided(unseen, "nearest")]).apply(data)
    assert column(applied.released, "x") == [*named.values(), label]
    assert not applied.why_not


def test_what_has_no_nearest_is_asked_about_all_the_same():
    step = Recode("x", ValueMap.of({"10": "low", "20": "high"}), others="nearest")
    applied = Recipe.of([step]).apply(of(x=["10", "12", "Smith"]))
    assert column(applied.released, "x") == ["low", "low", "Smith"]
    assert applied.unseen == (Unseen("x", ("Smith",), 1),) and applied.why_not


@pytest.mark.parametrize(("way", "odd"), [(Intervals(10), "Smith"), (DateUnit(), "Smith")])
def test_texts_among_numbers_and_dates_that_are_new_are_asked_about(way, odd):
    fits = {"Intervals": "34", "DateUnit": "2024-03-17"}[type(way).__name__]
    step = Recode("x", way).knowing(of(x=[fits, "unknown"]))
    assert step.kept == ("unknown",)
    assert not Recipe.of([step]).apply(of(x=[fits, "unknown"])).why_not, "it was there when the step was made"
    applied = Recipe.of([step]).apply(of(x=[fits, "unknown", odd]))
    assert applied.unseen == (Unseen("x", (odd,), 1),)


def test_missing_values_and_masks_leave_nothing_open():
    applied = Recipe.of([Recode("x", Mask(1)), Recode("y", ValueMap.of({"a": "b"}))]).apply(
        of(x=["new", None], y=["a", None])
    )
    assert not applied.why_not


def test_the_mapping_has_no_row_for_what_is_left_out():
    step = Recode("race", GROUPS.recoding, others="leave_out")
    recipe = Recipe.of([step])
    assert value_mapping(recipe.apply(of(race=["A", "D"])), recipe)["value"].tolist() == ["A"]


def test_parts_of_the_data_do_not_leave_a_new_text_either():
    rows = ["31", "33", "35", "52", "54", "56", "unknown", "unknown", "unknown"]
    data = of(age=rows)
    step = GeneralizeLocally((("age", intervals((10, 20))),), (KAnonymity(columns=("age",), least=3),))
    assert step.unseen(data) == (Unseen("age", ("unknown",), 3),)
    known = Recipe().take([step], data).entries[0].step
    assert known.kept == (("age", "unknown"),) and not Recipe.of([known]).apply(data).why_not
    applied = Recipe.of([known]).apply(of(age=[*rows, "Smith", "Smith", "Smith"]))
    (unseen,) = applied.unseen
    assert unseen == Unseen("age", ("Smith",), 3) and applied.why_not
    kept = known.decided(unseen, "keep")
    assert not Recipe.of([kept]).apply(of(age=[*rows, "Smith", "Smith", "Smith"])).why_not
    assert Recipe.from_json(Recipe.of([kept]).to_json()) == Recipe.of([kept])


@given(st.lists(st.sampled_from(["A", "B", "C", "D", "12", None]), min_size=1), st.sampled_from(OTHERS))
def test_nothing_leaves_that_no_step_covers(values, others):
    step = Recode("race", GROUPS.recoding, others=others)
    applied = Recipe.of([step]).apply(of(race=values))
    raw = {value for value in column(applied.released, "race") if value in ("D", "12")}
    assert not raw or applied.why_not


def test_a_decision_is_saved_and_an_old_recipe_asks():
    step = Recode("race", GROUPS.recoding, others="star", kept=("x", "y"))
    assert Recipe.from_json(Recipe.of([step]).to_json()).enabled == (step,)
    old = Recode.from_dict({"column": "race", "recoding": {"kind": "mapping", "labels_of": [["A", "B"]]}})
    assert old.others == "ask" and old.kept == ()
    for bad in ({"others": "drop"}, {"kept": "x"}, {"kept": [1]}):
        with pytest.raises(InputError):
            Recode.from_dict({"column": "race", "recoding": {"kind": "mask", "keep": 1}, **bad})


# ---- where steps are put, and what they know ----


def test_recodings_and_dropped_columns_come_before_what_suppresses():
    data = small()
    recipe = Recipe.of([Recode("zip", Mask(3)), LeaveOut(2)])
    recipe = recipe.take([Recode("age", Intervals(20))], data).take([DropColumns(("visit",))], data)
    assert [entry.step.kind for entry in recipe.entries] == ["recode", "recode", "drop_columns", "leave_out"]
    assert recipe.entries[1].step.kept == ("unknown",)
    assert [e.step.kind for e in recipe.take([LeaveOut(3)]).entries][-2:] == ["leave_out", "leave_out"]


def test_a_step_comes_after_those_that_its_column_depends_on():
    wanted = (KAnonymity(columns=("age", "zip"), least=2),)
    locally = GeneralizeLocally((("age", Hierarchy((Intervals(10),)).with_top()),), wanted)
    recipe = Recipe.of([LeaveOut(2), Recode("zip", Mask(4)), locally])
    assert recipe.place_of(Recode("visit", Mask(4))) == 0
    assert recipe.place_of(Recode("zip", Mask(3))) == 2
    assert recipe.place_of(Recode("age", Mask(1))) == 3
    assert recipe.place_of(DropColumns(("zip",))) == 3, "else its guarantee named no column"
    assert recipe.place_of(DropColumns(("visit",))) == 0


def test_a_new_recoding_of_the_admissions_wastes_no_records():
    """2,212 records were kept with the recoding behind the suppression."""
    sample = next(sample for sample in SAMPLES if sample.key == "admissions")
    data = source_of(sample)
    ways = [Recode("zip", Mask(3)), Recode("admission_date", DateUnit("year")), LeaveOut(5)]
    recipe, age = Recipe.of(ways), Recode("age", Intervals(20))
    assert recipe.add(age).apply(data).released.n_records == 2212
    assert recipe.take([age], data).apply(data).released.n_records == 4784


def source_of(sample) -> Dataset:
    source = open_source(sample.read_bytes(), sample.filename)
    frame = apply_missing_marks(source.frame, DEFAULT_MARKS)
    return Dataset(source.name, source.digest, FrameRecords(frame), roles=sample.roles)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.key)
def test_suggested_steps_leave_nothing_open_on_the_file_that_they_are_made_for(sample):
    data = source_of(sample)
    if not data.quasi_identifiers:
        pytest.skip("nothing is recoded here")
    applied = Recipe().take(first_recipe(data, 5).steps, data).apply(data)
    assert not applied.problems and not applied.unseen
    for name in data.quasi_identifiers:
        values = data.records[name].cat.categories
        step = Recode(name, ValueMap.of(dict.fromkeys(values, "x")))
        assert not untouched(step.recoding, values).any()


def test_a_hundred_thousand_values_are_known_at_once():
    values = np.arange(100_000).astype(str)
    step = Recode("x", ValueMap(tuple((value, "x") for value in values[::2]), between=True, beyond=True))
    assert set(step.labels(values)) == {"x"}
