"""A recoding that gives missing values a label, through steps, recipes, files of recipes and the value mapping."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.hierarchies import EVERYTHING, tree
from anonlib.coarsening.recoding import Intervals, Mask, ValueMap, label_of_missing
from anonlib.dataset import Dataset
from anonlib.release.export import released_csv, value_mapping
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Recode
from anonlib.values.cells import text_categorical
from tests.helpers.errors import refused

SENTENCE = ValueMap((("High", "Yes"), ("Low", "Yes")), missing="Not said")


def drinks(*values: str | None) -> Dataset:
    return Dataset.from_frame(
        pd.DataFrame({"alcohol": text_categorical(list(values))}), roles={"alcohol": "quasi_identifier"}
    )


def cells(data: Dataset, name: str = "alcohol") -> list[str | None]:
    return [None if pd.isna(value) else value for value in data.records[name]]


def test_only_maps_give_missing_values_a_label():
    assert label_of_missing(SENTENCE) == "Not said" and label_of_missing(EVERYTHING) == "*"
    assert label_of_missing(ValueMap.of({"a": "b"})) is None
    assert label_of_missing(Mask(3)) is None and label_of_missing(Intervals(5)) is None


TREE = tree({"High": ("Yes", "Any"), "No": ("No", "Any"), None: ("Not said", "Any")})


@pytest.mark.parametrize(
    ("recoding", "before", "after"),
    [
        (SENTENCE, ["High", None, "No", "Low", None], ["Yes", "Not said", "No", "Yes", "Not said"]),
        (EVERYTHING, ["High", None], ["*", "*"]),
        (ValueMap.of({"High": "Yes"}), ["High", None], ["Yes", None]),
        (TREE.recodings[0], ["High", None, "No"], ["Yes", "Not said", "No"]),
        (TREE.recodings[1], ["High", None, "No"], ["Any", "Any", "Any"]),
    ],
    ids=["a label", "everything", "no label", "first level of a tree", "second"],
)
def test_a_step_labels_missing_values_where_they_have_a_label(recoding, before, after):
    changed = Recode("alcohol", recoding).apply(drinks(*before))
    assert cells(changed) == after and "" not in changed.records["alcohol"].cat.categories


def test_a_label_that_a_value_has_too_is_one_with_it():
    joined = Recode("alcohol", ValueMap((("High", "?"),), missing="?")).apply(drinks("High", None))
    assert joined.classes().n_classes == 1


def test_where_nothing_is_missing_no_label_appears():
    released = Recode("alcohol", SENTENCE).apply(drinks("High", "Low"))
    assert released.records["alcohol"].cat.categories.tolist() == ["Yes"]


def test_the_effect_counts_missing_values_that_changed():
    recipe = Recipe.of([Recode("alcohol", SENTENCE)])
    (effect,) = recipe.apply(drinks("High", None, "No", None)).effects
    assert effect is not None and effect.cells_changed == 3


def test_the_value_mapping_and_the_release_say_so():
    recipe = Recipe.of([Recode("alcohol", SENTENCE)])
    applied = recipe.apply(drinks("High", None, "No", None))
    mapping = value_mapping(applied, recipe)
    listed = mapping[["value", "released as", "records"]].astype(object).where(mapping.notna(), None).values.tolist()
    assert listed == [["High", "Yes", 1], ["No", "No", 1], [None, "Not said", 2]]
    header, *rows = released_csv(applied.released).decode().splitlines()
    assert header == "alcohol" and sorted(rows) == ["No", "Not said", "Not said", "Yes"]
    untouched = value_mapping(Recipe.of([Recode("alcohol", SENTENCE)]).apply(drinks("High")), recipe)
    assert untouched["released as"].tolist() == ["Yes"], "no row for missing values where none are missing"


LABELS = st.one_of(st.none(), st.text(min_size=1, max_size=4))


@given(st.dictionaries(st.text(max_size=3), LABELS, max_size=4), LABELS, LABELS)
def test_recipes_keep_the_label_in_their_file(labels, otherwise, missing):
    step = Recode("alcohol", ValueMap(tuple(labels.items()), otherwise, missing))
    assert Recipe.from_json(Recipe.of([step]).to_json()) == Recipe.of([step])


def test_recipes_from_before_have_none():
    document = json.loads(Recipe.of([Recode("alcohol", SENTENCE)]).to_json())
    del document["steps"][0]["recoding"]["missing"]
    assert Recipe.from_json(json.dumps(document)) == Recipe.of([Recode("alcohol", ValueMap(SENTENCE.labels_of))])


def test_the_label_is_text():
    with refused("not-a-text"):
        ValueMap((), missing=3)  # type: ignore[arg-type]
