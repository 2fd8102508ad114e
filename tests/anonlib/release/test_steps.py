"""What a kind of step must say, how steps are told apart, and what gives way to which."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import intervals
from anonlib.coarsening.recoding import DateUnit, Intervals, Mask, ValueMap
from anonlib.dataset import Dataset
from anonlib.release import steps
from anonlib.release.recipe import Entry, Recipe
from anonlib.release.steps import (
    STEP_KINDS,
    AggregatePlaces,
    DropColumns,
    GeneralizeLocally,
    LeaveOut,
    Recode,
    Scope,
    Stage,
    Step,
)
from anonlib.release.steps.of_cells import EarlierLDiversity, Requirement, guarantees_of
from pages.release.release.controls.forms import FORMS
from tests.helpers.leaving_out import for_requirements
from tests.helpers.small_release import STEPS, small

AGE, ZIP = Recode("age", Intervals(10)), Recode("zip", Mask(3))
PLACES = AggregatePlaces("area", (("north", ("a",)),))
BOTH = (Requirement(("age", "zip"), 2),)
LOCALLY = GeneralizeLocally((("age", intervals((10,))),), guarantees_of(BOTH))
VIOLATING = for_requirements(BOTH, (EarlierLDiversity("illness", 2),))
FOR_REGIONS = for_requirements((Requirement(("area", "age"), 2),))

# ---- a new kind of step ----


@pytest.fixture
def kinds():
    """The kinds of step, which are put back afterwards."""
    before = dict(STEP_KINDS)
    yield STEP_KINDS
    STEP_KINDS.clear()
    STEP_KINDS.update(before)


def defined(lacking: Collection[str] = (), **members: Any) -> type[Any]:
    """A new kind of step that shouts, without some of what it should say."""
    usual: dict[str, Any] = {
        "kind": "shout", "stage": Stage.COLUMNS, "gives_way_to": Scope.COLUMN, "columns": ("illness",),
        "recodes": ("illness",), "describe": lambda self: "Shout", "apply": lambda self, dataset: dataset,
        "apply_to_population": lambda self, population: population, "value_tables": lambda self, before, after: [],
        "unseen": lambda self, before: (), "without": lambda self, columns: self,
        "without_named": lambda self, may_tell: self, "labels_by": "rule",
        "labels_of": lambda self, column, values, before=None: values,
        "to_dict": lambda self: {"kind": "shout", "loud": self.loud, "reason": self.reason},
        "from_dict": classmethod(lambda cls, values: cls(values["loud"], values.get("reason", ""))),
        "loud": 1, "reason": "", "__annotations__": {"loud": int, "reason": str},
    }  # fmt: skip
    body = {name: value for name, value in (usual | members).items() if name not in lacking}
    return dataclass(frozen=True, eq=False)(type("Shout", (Step,), body))


SAYS = [
    "apply", "apply_to_population", "columns", "describe", "from_dict", "gives_way_to", "kind", "reason", "recodes",
    "stage", "to_dict", "without",
]  # fmt: skip


@pytest.mark.parametrize("name", [*SAYS, "labels_by", "labels_of", "unseen", "value_tables", "without_named"])
def test_a_kind_of_step_that_says_nothing_of_something_cannot_be_defined(name, kinds):
    with pytest.raises(TypeError, match=rf"Shout does not say: .*\b{name}\b"):
        defined({name})
    assert "shout" not in kinds


def test_a_step_that_replaces_no_values_need_not_say_what_became_of_them(kinds):
    assert defined({"unseen", "value_tables"}, recodes=())().unseen(small()) == ()


def test_a_new_kind_of_step_is_saved_and_read_as_it_is_defined(kinds):
    shout = defined()
    recipe = Recipe.of([*STEPS, shout(3, "why")])
    text = recipe.to_json()
    assert Recipe.from_json(text) == recipe and json.loads(text)["steps"][-1]["loud"] == 3
    del kinds["shout"]
    with pytest.raises(InputError, match="Step 5 of the recipe is of a kind this version does not know"):
        Recipe.from_json(text)


def test_two_kinds_of_one_name_are_refused(kinds):
    with pytest.raises(TypeError, match="a kind of step named leave_out already"):
        defined(kind="leave_out")
    assert kinds["leave_out"] is LeaveOut


def test_what_cannot_be_saved_is_refused_and_not_left_out(kinds):
    step = defined()(object())
    for use in (lambda: step.digest, lambda: Recipe.of([step]).key, Recipe.of([step]).to_json):
        with pytest.raises(TypeError):
            use()


def test_every_kind_of_step_is_named_by_the_package_and_has_a_form():
    """Else a recipe with it could be saved and not read, or read and not changed."""
    named = [getattr(steps, name) for name in steps.__all__]
    assert all(kind in named for kind in STEP_KINDS.values())
    assert set(FORMS) == set(STEP_KINDS)


# ---- steps and recipes are told apart by digests ----


def test_equal_steps_have_one_digest_and_others_their_own():
    different = [
        AGE, ZIP, Recode("age", Intervals(20)), Recode("age", Intervals(10), "why"), Recode("age", DateUnit()),
        Recode("age", Intervals(10), kept=("x",)), Recode("age", Intervals(10), others="star"), PLACES, LOCALLY,
        VIOLATING, FOR_REGIONS, DropColumns(("age",)), DropColumns(("age", "zip")), DropColumns(("zip", "age")),
        LeaveOut(2), LeaveOut(3),
    ]  # fmt: skip
    assert len({step.digest for step in different}) == len(set(different)) == len(different)
    for step in different:
        again = type(step).from_dict(json.loads(json.dumps(step.to_dict())))
        assert again == step and hash(again) == hash(step) and again.digest == step.digest
        assert step != step.with_reason("another") and step.with_reason("another").with_reason(step.reason) == step
        assert step != step.digest


@dataclass
class Counted:
    """A function that counts how often it is called."""

    calls: list[Step] = field(default_factory=list)

    def __call__(self, step: Step) -> Mapping[str, Any]:
        self.calls.append(step)
        return TO_DICT(step)


TO_DICT = Recode.to_dict


def test_a_digest_is_computed_once_however_often_it_is_asked_for(monkeypatch):
    counted = Counted()
    monkeypatch.setattr(Recode, "to_dict", lambda step: counted(step))
    step = Recode("zip", ValueMap(tuple((str(i), "x") for i in range(5_000))))
    recipe = Recipe.of([step, LeaveOut(2)])
    for other in (recipe, recipe.switch(0, False), recipe.move(0, 1), recipe.take([DropColumns(("age",))])):
        assert other.key == other.digest and other == Recipe(other.entries) and hash(other) is not None
    assert counted.calls == [step]


def test_a_data_set_is_named_once_for_all():
    data = small()
    key = data.key
    assert data.key is key and data.with_roles(data.roles).key == key != data.with_missing("drop").key


# ---- what gives way ----


@pytest.mark.parametrize(
    ("scope", "left"),
    [
        (Scope.COLUMN, [PLACES, DropColumns(("visit", "age")), LOCALLY, VIOLATING, FOR_REGIONS, LeaveOut(2)]),
        (Scope.POLICY, [PLACES, DropColumns(("visit", "age")), VIOLATING, FOR_REGIONS, LeaveOut(2)]),
        (Scope.SEARCH, [PLACES, DropColumns(("visit", "age")), FOR_REGIONS, LeaveOut(2)]),
        (Scope.REGIONS, [PLACES, DropColumns(("visit",)), LeaveOut(2)]),
    ],
)
def test_the_more_is_decided_again_the_more_gives_way(scope, left):
    recipe = Recipe.of([PLACES, DropColumns(("visit", "age")), AGE, LOCALLY, VIOLATING, FOR_REGIONS, LeaveOut(2)])
    assert list(recipe.without(["age"], scope).enabled) == left
    assert len(recipe.giving_way(["age"], scope)) == 7 - len(left) + (scope is Scope.REGIONS)
    assert recipe.take([ZIP], replacing=["age"], scope=scope).without(["zip"]) == Recipe.of(left)


@pytest.mark.parametrize("scope", Scope)
def test_steps_about_other_columns_stay(scope):
    recipe = Recipe.of([PLACES, AGE, LOCALLY, VIOLATING, DropColumns(("age",)), LeaveOut(2)])
    assert recipe.without(["visit"], scope) == recipe and recipe.without([], scope) == recipe


def test_what_was_left_out_for_other_columns_than_those_searched_now_stays():
    """Its k held of them, and goes on doing so."""
    recipe = Recipe.of([AGE, ZIP, VIOLATING])
    search = [Recode("visit", DateUnit()), for_requirements((Requirement(("visit",), 2),))]
    taken = recipe.take(search, replacing=["visit"], scope=Scope.SEARCH)
    assert list(taken.enabled) == [AGE, ZIP, *search, VIOLATING]


def test_one_column_coarser_replaces_its_recoding_and_stands_before_suppression():
    recipe = Recipe.of([ZIP, AGE, LeaveOut(2)])
    twenty = Recode("age", Intervals(20))
    assert list(recipe.take([twenty], small(), replacing=["age"]).enabled) == [
        ZIP, twenty.knowing(small()), LeaveOut(2),
    ]  # fmt: skip
    off = recipe.switch(1, False).take([twenty], replacing=["age"])
    assert off.entries == (Entry(ZIP), Entry(AGE, False), Entry(twenty), Entry(LeaveOut(2)))


def test_what_a_recipe_says_of_columns():
    recipe = Recipe.of([PLACES, AGE, LOCALLY, DropColumns(("visit", "name")), ZIP, LeaveOut(2)]).switch(4, False)
    assert recipe.recoded == {"area", "age"} and recipe.dropped == {"visit", "name"}
    assert recipe.places == Recipe.of([PLACES])
    assert recipe.independent == Recipe.of([PLACES, AGE, DropColumns(("visit", "name"))])
    assert [step.leaves_out for step in recipe.enabled] == [False, False, True, False, True]


def test_a_recipe_taken_step_by_step_is_the_same_as_at_once():
    data: Dataset = small()
    whole = Recipe().take(STEPS, data)
    one_by_one = Recipe()
    for step in STEPS:
        one_by_one = one_by_one.take([step], data)
    assert one_by_one == whole and [step.kind for step in whole.enabled] == [step.kind for step in STEPS]
