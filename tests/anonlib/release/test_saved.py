"""A recipe's file says what it was decided with; what is wrong with one is said in a sentence."""

from __future__ import annotations

import json
from datetime import date

import pytest

from anonlib.basics.errors import InputError
from anonlib.basics.version import VERSION
from anonlib.release.export import draws_for, released_csv
from anonlib.release.recipe import Recipe
from anonlib.release.saved import SavedRecipe
from tests.helpers.small_release import QI, SENSITIVE, STEPS, small

RECIPE = Recipe.of(STEPS)


def saved(**changes) -> SavedRecipe:
    return SavedRecipe.of(RECIPE, small(), **({"k": 11, "threshold": 0.09, "seed": 2**100 + 7} | changes))


def test_a_saved_recipe_says_what_it_was_made_with():
    population = small(roles={})
    document = json.loads(saved(population=population).to_json())
    assert document["made_with"] == {
        "anonscope": VERSION,
        "date": date.today().isoformat(),
        "file": {"sha256": small().digest, "records": 6},
        "population": {"sha256": population.digest},
        "roles": {"name": "identifier", "age": "quasi_identifier", "zip": "quasi_identifier", "visit": "other",
                  "illness": "sensitive"},
        "missing": "category",
        "k": 11,
        "threshold": 0.09,
    }  # fmt: skip
    assert document["steps"][1]["others"] == "ask"
    assert int(document["keep_inside"]["seed"], 16) == 2**100 + 7
    assert "data" not in document["made_with"]["file"].values(), "the file's name may identify"


@pytest.mark.parametrize("population", [None, small()])
def test_a_saved_recipe_comes_back(population):
    made = saved(population=population)
    assert SavedRecipe.from_json(made.to_json()) == made
    assert Recipe.from_json(made.to_json()) == RECIPE, "its steps alone are read as ever"


def test_a_recipe_of_the_first_version_is_read():
    read = SavedRecipe.from_json(RECIPE.to_json())
    assert read == SavedRecipe(RECIPE)
    assert not read.other_roles(small()) and not read.absent(small())


def test_the_seed_makes_the_released_file_again():
    read = SavedRecipe.from_json(saved().to_json())
    files = []
    for recipe, seed in ((RECIPE, 2**100 + 7), (read.recipe, read.seed), (read.recipe, 5)):
        released = recipe.apply(small()).released
        files.append(released_csv(released, draws_for(released, [seed, 0])))
    assert files[0] == files[1] and len(files[0]) == len(files[2])


def test_other_roles_and_absent_columns_are_reported():
    read = saved()
    data = small(roles={"age": SENSITIVE, "zip": QI}).without_columns(["visit"])
    assert read.other_roles(data) == {"name": "identifier", "age": QI, "illness": SENSITIVE}
    assert read.absent(data) == ["visit"]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"k": 0}, "k must be a whole number"),
        ({"k": "five"}, "k must be a whole number"),
        ({"threshold": 2}, "threshold must be above 0"),
        ({"threshold": "x"}, "threshold must be a number"),
        ({"roles": ["age"]}, "roles must be names with values"),
        ({"roles": {"age": "quasi"}}, "role of “age” is not one of"),
        ({"roles": {"age": ["x"]}}, "role of “age” is not one of"),
        ({"missing": "sometimes"}, "policy for missing values must be one of"),
        ({"missing": ["drop"]}, "policy for missing values must be one of"),
        ({"file": {"sha256": 5}}, "digest of the file must be text"),
        ({"file": {"records": -1}}, "number of records must be a whole number"),
        ({"file": 7}, "the file it was made for must be"),
        ({"population": "x"}, "population table must be"),
        ({"anonscope": 1}, "version must be text"),
        ({"date": {}}, "date must be text"),
    ],
)
def test_what_is_damaged_is_a_sentence(changes, sentence):
    document = json.loads(saved().to_json())
    document["made_with"] |= changes
    with pytest.raises(InputError, match=sentence):
        SavedRecipe.from_json(json.dumps(document))


@pytest.mark.parametrize("inside", [{"seed": "no hex"}, {"seed": "-5"}, {"seed": 5}, [1]])
def test_a_damaged_seed_is_a_sentence(inside):
    document = json.loads(saved().to_json()) | {"keep_inside": inside}
    with pytest.raises(InputError, match="damaged"):
        SavedRecipe.from_json(json.dumps(document))
