"""Redaction as a step of a recipe: what leaves, what is saved, what the codebook and the verdict say."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from anonlib.basics.errors import InputError
from anonlib.coarsening.recoding import Redaction, untouched
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.release.codebook import DONE, codebook
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Recode
from anonlib.verdict.criteria import Case, Inference, NoIdentifiers
from tests.helpers.records import both_data_sets, rows_of

NOTES = [
    "Mr Smith called on 03/04/2021 about it",
    "no change since the last visit here",
    None,
    None,
    "Anna Schmidt rang us",
]


def data() -> Dataset:
    frame = pd.DataFrame({"note": NOTES * 5, "age": ["31", "32", "33", "34", "35"] * 5})
    return Dataset.from_frame(frame, roles={"note": Role.SENSITIVE, "age": Role.QUASI_IDENTIFIER})


def test_what_leaves():
    released = Recipe.of([Recode("note", Redaction())]).apply(data()).released
    cells = [None if pd.isna(cell) else cell for cell in released.held.head(5)["note"]]
    assert cells == ["Mr [name] called on [date] about it", NOTES[1], None, None, "[name] rang us"]


def test_it_applies_to_all_values_and_is_saved():
    step = Recode("note", Redaction(("date", "name")), "agreed")
    assert not untouched(step.recoding, ["a", "Mr Smith"]).any() and step.unseen(data()) == ()
    assert step.recoding.kinds == ("name", "date"), "in the order of the kinds"
    saved = json.loads(json.dumps(step.to_dict()))
    again = Recode.from_dict(saved)
    assert again.recoding == step.recoding and again.to_dict() == step.to_dict()
    assert step.describe() == "Recode note: names and dates inside texts replaced by marks"


@pytest.mark.parametrize("kinds", [(), "name", ("names",), (3,)])
def test_kinds_that_are_none(kinds):
    with pytest.raises(InputError):
        Redaction(kinds)


def test_the_verdict_names_kinds_and_numbers_until_it_is_redacted():
    found = {}
    for kinds in (None, ("name",), ("name", "date")):
        recipe = Recipe.of([] if kinds is None else [Recode("note", Redaction(kinds))])
        found[kinds] = NoIdentifiers().check(Case(recipe.apply(data()), recipe))
    assert found[None].now == found[None].original == 10 and found[None].columns == ("note",)
    assert found[None].says == (
        "10 cells in note hold direct identifiers. In note, 2 of 3 texts hold names, 1 a date. "
        "Redact the text or drop the column. Not searched, since they hold figures alone: age."
    )
    assert found["name",].now == 5 and "1 of 3 texts holds a date" in found["name",].says
    assert found["name", "date"].is_met and "which miss some: read a sample" in found["name", "date"].says


def test_nobody_outside_is_taken_to_know_a_text_word_for_word():
    """Each has a text of their own: whoever knew it would be certain of the result."""
    frame = pd.DataFrame({
        "age": ["31", "32"] * 10,
        "result": (["high", "low", "low", "high"] * 5),
        "note": [f"seen on visit {i}, doing well, see again next week" for i in range(20)],
    })  # fmt: skip
    roles = {"age": Role.QUASI_IDENTIFIER, "result": Role.SENSITIVE, "note": Role.SENSITIVE}
    case = Case(Recipe().apply(Dataset.from_frame(frame, roles=roles)), Recipe())
    assert case.sensitive_facts == ("result",)
    found = Inference(known=1, most=0.0, knows="other_sensitive", column="result").check(case)
    assert found.is_met and found.now == 0


def test_the_codebook_says_what_it_cannot_promise():
    recipe = Recipe.of([Recode("note", Redaction(("name",)))])
    book = codebook(recipe.apply(data()).released, recipe)
    row = book.columns.set_index("column").loc["note"]
    assert "names inside texts replaced by marks. Names that are in no list" in row[DONE]
    assert row["levels"] == "not listed: texts" and "note" not in set(book.levels["column"])


def test_in_an_engine_it_does_the_same():
    here, there = both_data_sets({"note": NOTES * 3, "age": ["31", "32", "33"] * 5}, roles={"note": Role.SENSITIVE})
    recipe = Recipe.of([Recode("note", Redaction())])
    one, other = recipe.apply(here), recipe.apply(there)
    assert one.effects == other.effects and not one.problems
    assert rows_of(one.released.held) == rows_of(other.released.held)
    found = [NoIdentifiers().check(Case(Recipe().apply(data), Recipe())) for data in (here, there)]
    assert found[0] == found[1] and found[0].now == 6


def test_of_more_texts_than_an_engine_gives_some_are_looked_at_and_none_is_redacted(monkeypatch):
    monkeypatch.setattr("anonlib.reading.records.table.MOST_VALUES", 5)
    texts = [f"Mr Smith called about visit {i}" for i in range(40)]
    _, there = both_data_sets({"note": texts}, roles={"note": Role.SENSITIVE})
    found = NoIdentifiers().check(Case(Recipe().apply(there), Recipe()))
    assert "hold names. Redact the text or drop the column." in found.says and not found.is_met
    problems = Recipe.of([Recode("note", Redaction())]).apply(there).problems
    assert len(problems) == 1 and "too many to decide on each of them" in problems[0]
