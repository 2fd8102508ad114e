"""What is said when a project is used on a file: on the same one nothing, on next year's what it does not cover."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.coarsening.recoding import Intervals, Mask, ValueMap
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.filing.project import AreasBeside, Differences, FileRead, Project, TableBeside, Uncovered, differences
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.small_release import COLUMNS, ROLES, ROWS, small

ILL = Recode("illness", ValueMap.of({"flu": "any", "cancer": "any", "asthma": "any"}))
RECIPE = Recipe().take([DropColumns(("visit",)), Recode("age", Intervals(10)), Recode("zip", Mask(3)), ILL], small())


def project(data: Dataset = small(), **changes) -> Project:  # noqa: B008
    file = FileRead(data.digest, "visits.csv", data.n_records, tuple(data.columns))
    return Project(**({"file": file, "roles": ROLES, "recipe": RECIPE} | changes))


def frame(rows: list[tuple], columns: list[str]) -> Dataset:
    return Dataset.from_frame(pd.DataFrame(rows, columns=columns, dtype=object))


def test_on_the_very_file_nothing_differs() -> None:
    found = differences(project(), small(roles={}))
    assert found == Differences() and not found.sentences


def test_next_years_file_says_what_is_gone_new_and_not_covered() -> None:
    rows = [(age, zip_code, illness, "north") for _, age, zip_code, _, illness in ROWS]
    rows += [("unborn", "02138", "grief", "north"), ("unborn", "02138", "secret sorrow", "south"), *rows[:2]]
    later = frame(rows, ["age", "zip", "illness", "ward"])
    found = differences(project(), later)
    assert found.file == "visits.csv" and found.gone == ("name", "visit") and found.new == ("ward",)
    assert found.uncovered == (Uncovered("age", 1, 2, ("unborn",)), Uncovered("illness", 2, 2))
    assert found.n_problems == 1, "the column to drop is not there"
    text = " ".join(found.sentences)
    for message in (
        "visits.csv",
        "“name” and “visit”",
        "the column “ward”",
        "1 value of age (2 records): “unborn”; decide on the Release page what becomes of it",
        "2 values of",
    ):
        assert message in text
    assert not any(cell in text for cell in ("grief", "sorrow", "Ann")), "of what is sensitive only how many"


WARDS = ValueMap.of({"north": "ward", "south": "ward"})
WARD_ROLES = {"ward": Role.QUASI_IDENTIFIER, "ill": Role.SENSITIVE}


def wards(*names: str) -> Dataset:
    return frame([(name, "flu") for name in names], ["ward", "ill"])


@pytest.mark.parametrize(
    ("others", "become"), [("star", "its step makes it *"), ("leave_out", "its step leaves its records out")]
)
def test_new_values_are_named_where_it_was_decided_beforehand_what_becomes_of_them(others, become) -> None:
    saved = project(wards("north", "south"), roles=WARD_ROLES, recipe=Recipe.of([Recode("ward", WARDS, others=others)]))
    found = differences(saved, wards("north", "south", "annex", "annex"))
    assert found.decided == ((Uncovered("ward", 1, 2, ("annex",)), others),) and not found.uncovered
    assert f"New in this file is 1 value of ward (2 records): “annex”; {become}." in found.sentences
    assert differences(saved, wards("north", "south")).decided == ()
    hidden = replace(saved, roles={"ward": Role.SENSITIVE, "ill": Role.SENSITIVE})
    assert "annex" not in " ".join(differences(hidden, wards("north", "annex")).sentences)


def test_new_values_that_get_the_nearest_label_are_named_and_those_without_one_are_asked_about() -> None:
    bands = ValueMap.of({"1": "low", "2": "low", "8": "high"})
    data = Dataset.from_frame(pd.DataFrame({"score": ["1", "2", "7", "none"]}, dtype=object))
    saved = Project(
        roles={"score": Role.QUASI_IDENTIFIER}, recipe=Recipe.of([Recode("score", bands, others="nearest")])
    )
    found = differences(saved, data)
    assert found.decided == ((Uncovered("score", 1, 1, ("7",)), "nearest"),)
    assert found.uncovered == (Uncovered("score", 1, 1, ("none",)),)


def test_what_a_chosen_hierarchy_lacks_is_named() -> None:
    saved = project(
        wards("north", "south"), roles=WARD_ROLES, recipe=Recipe(), hierarchies={"ward": Hierarchy((WARDS,))}
    )
    found = differences(saved, wards("north", "south", "annex", "barn"))
    assert found.not_in_hierarchy == (Uncovered("ward", 2, 2, ("annex", "barn")),)
    (sentence,) = [each for each in found.sentences if "hierarchy" in each]
    assert sentence.endswith("lacks 2 values of ward (2 records): “annex” and “barn”; add them to it.")
    assert not differences(saved, wards("south", "north", "north")).not_in_hierarchy


def test_at_most_eight_are_named_and_none_that_looks_like_somebody() -> None:
    names = [f"w{i:02d}" for i in range(11)]
    saved = project(wards("north"), roles=WARD_ROLES, recipe=Recipe.of([Recode("ward", WARDS)]))
    (found,) = differences(saved, wards("north", *names, "anna.smith@example.org")).uncovered
    assert found.values == 12 and found.named == tuple(names[:8])
    assert found.in_words.endswith("“w07” and 4 more") or found.in_words.endswith("“w07”, and 4 more")


@settings(100)
@given(
    st.lists(st.tuples(*[st.sampled_from(["1", "2", "x", "y", "z", None])] * 2), min_size=1, max_size=12),
    st.sets(st.sampled_from(["1", "2", "x", "y"])),
)
def test_uncovered_are_the_values_that_no_step_names(rows, named) -> None:
    """Counted by hand, row by row."""
    later = frame(rows, ["a", "b"])
    recipe = Recipe.of([Recode("a", ValueMap.of(dict.fromkeys(sorted(named), "seen")))])
    asked = Project(roles={"a": Role.QUASI_IDENTIFIER, "b": Role.OTHER}, recipe=recipe)
    found = differences(asked, later)
    present = [a for a, _ in rows if a is not None]
    others = [a for a in present if a not in named]
    if present and others == present:
        assert found.uncovered == () and found.n_problems == int(bool(named))  # such a step changes nothing and says so
        assert found.unsaved_columns == (() if named else ("a",))
    else:
        names = tuple(sorted(set(others)))
        assert found.uncovered == ((Uncovered("a", len(names), len(others), names),) if others else ())


def test_an_outcome_that_is_at_hand_is_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    applied = RECIPE.apply(small())
    expected = differences(project(), small())
    monkeypatch.setattr(Recipe, "apply", None)
    assert differences(project(), small(), applied=applied) == expected


def test_steps_whose_values_are_not_in_the_project_are_distinguished_from_others() -> None:
    read = Project.from_json(project(recipe=Recipe.of([ILL, DropColumns(("gone",)), LeaveOut(2)])).to_json())
    found = differences(read, small())
    assert found.unsaved_columns == ("illness",) and found.n_problems == 1
    assert any("does not hold values of the column “illness”" in sentence for sentence in found.sentences)
    without = small().without_columns(["illness"])
    assert differences(read, without).unsaved_columns == (), "where the column is gone there is nothing to make anew"


def test_tables_beside_the_file_are_asked_for() -> None:
    with_both = project(population=TableBeside("a" * 64, "people.csv"), areas=AreasBeside("b" * 64, "areas.csv"))
    assert differences(with_both, small()).tables == ("people.csv", "areas.csv")
    assert differences(with_both, small(), beside=["a" * 64]).tables == ("areas.csv",)


def test_a_project_of_no_file_says_nothing_of_columns_that_are_new() -> None:
    found = differences(replace(project(), file=None, roles={"age": Role.QUASI_IDENTIFIER, "x": Role.OTHER}), small())
    assert found.file == "" and found.new == () and found.gone == ("x",)


def test_roles_that_cannot_stand_together_are_refused() -> None:
    with refused("role-taken"):
        differences(Project(roles=dict.fromkeys(COLUMNS[:2], Role.PERSON_ID)), small())


def test_the_missing_policy_is_the_projects() -> None:
    found = differences(project(missing="drop", recipe=Recipe.of([LeaveOut(1)])), small())
    assert found == Differences()
