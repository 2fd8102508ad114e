"""The step that puts together the values that few have: what it does, says, keeps and means."""

from __future__ import annotations

import json
from dataclasses import replace

import pandas as pd
import pytest

from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import Hierarchy, intervals
from anonlib.coarsening.recoding import NOTHING, Intervals, ValueMap
from anonlib.dataset import Dataset
from anonlib.release.levels import levels_of
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut, MergeRare, Recode
from tests.helpers.errors import refused
from tests.helpers.small_release import PERSON, QI, WEIGHT, column

WARDS = ["a"] * 8 + ["b"] * 6 + ["c"] * 3 + ["d"] * 2 + ["e", None]


def data_of(values: list[str | None], **more: list[str]) -> Dataset:
    roles = {"ward": QI, **{name: PERSON if name == "id" else WEIGHT for name in more}}
    return Dataset.from_frame(pd.DataFrame({"ward": values, **more}, dtype=object), roles=roles)


def test_it_says_how_many_values_and_records_it_merged():
    data = data_of(WARDS)
    applied = Recipe.of([MergeRare("ward", 5)]).apply(data)
    assert sorted(column(applied.released, "ward"), key=str) == sorted(
        ["a"] * 8 + ["b"] * 6 + ["other"] * 6 + [None], key=str
    )
    (effect,) = applied.effects
    assert (effect.values_changed, effect.cells_changed, effect.records_removed) == (3, 6, 0)
    described = MergeRare("ward", 5).describe()
    assert described == "Put rare values of ward together: those that fewer than 5 have, into “other”"


def test_persons_are_counted_and_not_their_rows():
    """Ward b has six rows of two persons."""
    ids = [str(i) for i in range(8)] + ["x", "y"] * 3 + [str(i) for i in range(20, 27)]
    data = data_of(WARDS, id=ids)
    assert set(column(MergeRare("ward", 5).apply(data), "ward")) == {"a", "other", None}
    weighted = data_of(["a", "b", "c"], n=["9", "2", "4"])
    assert column(MergeRare("ward", 5).apply(weighted), "ward") == ["a", "other", "other"]


def test_it_is_kept_and_read_as_it_is():
    for step in (
        MergeRare("ward", 5, "all others", reason="few"),
        MergeRare("ward", 7, hierarchy=intervals((5, 10))),
        MergeRare("ward", 7, hierarchy=Hierarchy((ValueMap.of({"a": "x", "b": "x"}),))),
        MergeRare("ward", 7, hierarchy=intervals((5, 10)), level=Intervals(5)),
    ):
        recipe = Recipe.of([step, LeaveOut(3)])
        again = Recipe.from_json(recipe.to_json())
        assert again == recipe and again.enabled[0].digest == step.digest
        assert json.loads(recipe.to_json())["steps"][0]["kind"] == "merge_rare"
    for wrong in ({"k": 1}, {"k": "5"}, {"other": " "}, {"levels": "x"}):
        with pytest.raises(InputError):
            MergeRare.from_dict({"column": "ward", "k": 5, **wrong})


def test_without_the_values_it_names_it_applies_to_no_data():
    step = MergeRare("ward", 5, hierarchy=Hierarchy((ValueMap.of(dict.fromkeys("abcde", "x")),)))
    hidden = step.without_named(lambda name: False)
    assert hidden.hierarchy == Hierarchy((NOTHING,)) and hidden.emptied == ("ward",) and step.n_named == 5
    assert Recipe.of([hidden]).apply(data_of(WARDS)).problems
    assert step.without_named(lambda name: True) is step
    assert MergeRare("ward", 5).without_named(lambda name: False) == MergeRare("ward", 5)


AGES = ["1"] * 9 + ["4"] * 9 + ["12"] * 3 + ["18"] * 9 + ["23"] * 2 + ["37"] * 9 + ["n/a"] * 9


def test_on_a_level_values_are_one_that_are_in_one_band_or_put_together():
    """12 and 23 are rare: they are one at 0-39 only, so that the bands 10-19 and 20-29 are one."""
    data = data_of(AGES)
    along = intervals((10, 40))
    assert set(column(MergeRare("ward", 5, hierarchy=along).apply(data), "ward")) == {
        "1", "4", "0-39", "18", "37", "n/a",
    }  # fmt: skip
    step = MergeRare("ward", 5, hierarchy=along, level=Intervals(10))
    assert set(column(step.apply(data), "ward")) == {"0-9", "10-19 or 20-29", "30-39", "n/a"}
    assert step.n_named == 0 and step.without_named(lambda name: False) is step
    assert step.describe() == (
        "Recode ward: intervals of 10; rare values together, those that fewer than 5 have, along its hierarchy"
    )
    listed = replace(step, level=ValueMap.of({"1": "x"}))
    assert listed.n_named == 1 and listed.without_named(lambda name: False).emptied == ("ward",)
    recipe = Recipe.of([step])
    (ward,) = levels_of(recipe.apply(data), recipe)
    assert {part.name for part in ward.parts} >= {"intervals of 10"}


def test_the_order_of_rows_does_not_depend_on_what_is_not_saved():
    """What levels of a hierarchy are called is not saved, and is no part of what the step did to the data."""
    data = data_of(AGES)
    along = replace(intervals((10, 40)), called=("tens", "forties"))
    step = MergeRare("ward", 5, hierarchy=along)
    again = MergeRare.from_dict(json.loads(json.dumps(step.to_dict())))
    assert step.apply(data).key == again.apply(data).key


def test_it_works_on_what_a_recoding_leaves_and_gives_way_to_another():
    """b becomes a first; then c, d and e are rare."""
    recipe = Recipe.of([Recode("ward", ValueMap.of({"b": "a"}), kept=("a", "c", "d", "e")), MergeRare("ward", 7)])
    labels = column(recipe.apply(data_of(WARDS)).released, "ward")
    assert set(labels) == {"other", None}, "six are too few, so that a joins"
    assert recipe.take([Recode("ward", ValueMap.of({"a": "z"}))], replacing=("ward",)).enabled[0].recodes == ("ward",)


def test_what_persons_are_counted_by_and_a_population_are_refused():
    data = data_of(WARDS, id=[str(i) for i in range(21)])
    with refused("column-counts-persons", "id"):
        MergeRare("id", 5).apply(data)
    with refused("population-not-recodable"):
        MergeRare("ward", 5).apply_to_population(data)
