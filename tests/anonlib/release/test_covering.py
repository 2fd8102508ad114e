"""What is told of a release in which labels of several levels stand side by side, recounted by plain code."""

from __future__ import annotations

from itertools import combinations
from math import isclose, log2

import ibis
import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, note
from hypothesis import strategies as st

from anonlib.analyses.individuals import Attacker, privacy_profile
from anonlib.analyses.leakage import information_loss, information_loss_of_another
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy, from_labels
from anonlib.coarsening.recoding import Intervals, ValueMap
from anonlib.counting.classes import ClassTable
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.applied import Applied
from anonlib.release.comparison import column_losses
from anonlib.release.covering import (
    another_in_words,
    bits_of_columns,
    by_labels_in_words,
    classes_of_another,
    covered_classes,
    in_words,
)
from anonlib.release.recipe import Recipe
from anonlib.release.steps import BlankCells, GeneralizeLocally, LeaveOut, Recode, Step
from tests.helpers.examples import settings

ROLES = {"age": "quasi_identifier", "sex": "quasi_identifier", "ill": "sensitive", "ward": "other"}
AGES = Hierarchy((Intervals(5), Intervals(10), EVERYTHING))
SEXES = Hierarchy((EVERYTHING,))
KNOWN = ("age", "sex")
PARTS = GeneralizeLocally((("age", AGES), ("sex", SEXES)), (KAnonymity(columns=KNOWN, least=2),), left_out_limit=0.3)
STEPS: dict[str, list[Step]] = {
    "part by part": [PARTS],
    "bands, then part by part": [Recode("ward", ValueMap.of({"a": "a or b", "b": "a or b", "c": "c"})), PARTS],
    "one column part by part": [
        GeneralizeLocally((("age", AGES),), (KAnonymity(columns=KNOWN, least=3),), left_out_limit=0.4)
    ],
    "blank cells": [BlankCells(KNOWN, (KAnonymity(columns=KNOWN, least=2),), 0.3)],
    "bands, then blank cells": [
        Recode("age", Intervals(5)), BlankCells(KNOWN, (KAnonymity(columns=KNOWN, least=3),), 0.4)
    ],
    "part by part, small classes left out": [PARTS, LeaveOut(3)],
}  # fmt: skip


@st.composite
def files(draw: st.DrawFn) -> pd.DataFrame:
    n = draw(st.integers(2, 12))

    def column(*values: str | None) -> list[str | None]:
        return draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))

    cells = {
        "age": column("30", "31", "34", "36", "41", None), "sex": column("f", "m"),
        "ill": column("flu", "cold", None), "ward": column("a", "b", "c"),
        "times": column("1", "2"),
    }  # fmt: skip
    return pd.DataFrame(cells, dtype=object)


def data_of(frame: pd.DataFrame, weighted: bool) -> Dataset:
    return Dataset.from_frame(frame, roles={**ROLES, "times": "weight" if weighted else "identifier"})


def bounds(age: str, width: int) -> str:
    low = int(age) // width * width
    return f"{low}-{low + width - 1}"


def covers(column: str, label: str | None, value: str | None, steps: str) -> bool:
    """Whether a released label may stand for a true value; written out, without any of the steps."""
    if column not in KNOWN or (column == "sex" and steps == "one column part by part"):
        if column == "ward" and steps.startswith("bands, then part") and label == "a or b":
            return value in ("a", "b")
        return label == value
    if "blank" in steps:
        if label is None:
            return True
        return label == (bounds(value, 5) if value and column == "age" and "bands" in steps else value)
    if label == "*":
        return True
    if value is None or column == "sex":
        return label == value
    return label in (value, bounds(value, 5), bounds(value, 10))


def rows_of(applied: Applied) -> list[tuple[dict, dict, int]]:
    """Of each released row its labels, its true values, and how often it counts."""
    original = applied.original.records.astype(object)
    original = original.where(original.notna(), None)
    released = applied.released.records.astype(object)
    released = released.where(released.notna(), None)
    weighted = applied.original.weight is not None
    found = []
    for i, place in enumerate(applied.original.rows_of(applied.released)):
        true = original.iloc[int(place)].to_dict()
        found.append((released.iloc[i].to_dict(), true, int(true["times"]) if weighted else 1))
    return found


def blanked(rows: list[tuple[dict, dict, int]], column: str) -> bool:
    return any(labels[column] is None and true[column] is not None for labels, true, _ in rows)


def candidates(rows: list, who: dict, names: tuple[str, ...], steps: str) -> list[tuple[dict, int]]:
    """The released rows whose labels cover somebody's values. Where no cell was left blank, missing is a value."""

    def fits(name: str, label: str | None) -> bool:
        if label is None and not blanked(rows, name):
            return who[name] is None
        return covers(name, label, who[name], steps)

    return [(labels, n) for labels, _, n in rows if all(fits(name, labels[name]) for name in names)]


@settings(max_examples=250)
@given(files(), st.sampled_from(sorted(STEPS)), st.booleans())
def test_a_release_is_counted_by_what_its_labels_cover(frame, steps, weighted):
    data, recipe = data_of(frame, weighted), Recipe.of(STEPS[steps])
    applied = recipe.apply(data)
    assume(not applied.problems and applied.released.n_records)
    names = [*KNOWN, "ill", "ward"]
    found = covered_classes(applied, recipe, names)
    mixed = {
        name for step in recipe.enabled if isinstance(step, GeneralizeLocally | BlankCells) for name in step.recodes
    }
    assert set(found.by_covering) == mixed and not found.by_labels
    rows, table = rows_of(applied), information_loss(found.classes, max_size=3, k=3)
    total = sum(n for *_, n in rows)
    assert table.n_records == total
    for some in (some for size in (1, 2, 3) for some in combinations(names, size)):
        sizes = [(sum(m for _, m in candidates(rows, true, some, steps)), n) for _, true, n in rows]
        note(f"{some}: {sizes}")
        place = table.place(some)
        assert isclose(table.loss[place], sum(n * log2(total / size) for size, n in sizes) / total, abs_tol=1e-9)
        assert table.smallest[place] == min(size for size, _ in sizes)
        assert table.below_k[place] == sum(n for size, n in sizes if size < 3)
    certain = privacy_profile(found.classes, Attacker(knows="all"), sensitive="ill").records()["ill"] <= 0
    for i, (labels, true, _) in enumerate(rows):
        peers = candidates(rows, true, ("age", "sex", "ward"), steps)
        assert certain[i] == (labels["ill"] is not None and {peer["ill"] for peer, _ in peers} == {labels["ill"]})


@settings(max_examples=150)
@given(files(), st.sampled_from(sorted(STEPS)))
def test_what_a_column_tells_is_of_the_rows_of_the_file(frame, steps):
    data, recipe = data_of(frame, weighted=True), Recipe.of(STEPS[steps])
    applied = recipe.apply(data)
    assume(not applied.problems and applied.released.n_records)
    rows = [(labels, true, 1) for labels, true, _ in rows_of(applied)]
    bits_by_column = bits_of_columns(applied, recipe)
    for name, bits in bits_by_column.items():
        sizes = [len(candidates(rows, true, (name,), steps)) for _, true, _ in rows]
        assert isclose(bits, sum(log2(len(rows) / size) for size in sizes) / len(rows), abs_tol=1e-9)
    losses = {loss.column: loss for loss in column_losses(applied, recipe)}
    for name in bits_by_column:
        assert losses[name].entropy_after == bits_by_column[name]
        if len(rows) == len(frame):  # nobody was left out: coarser labels tell no more than the values did
            assert losses[name].entropy_after <= losses[name].entropy_before + 1e-9


@settings(max_examples=60)
@given(files(), st.integers(0, 3))
def test_where_all_cells_are_on_one_level_nothing_is_counted_otherwise(frame, level):
    """Part by part to one class at most, beside the same level of a whole column."""
    ways = [None, Intervals(5), Intervals(10), EVERYTHING]
    data = data_of(frame.assign(age=frame["age"].fillna("30")), weighted=False)
    whole = Recipe.of([] if ways[level] is None else [Recode("age", ways[level])])
    only = Hierarchy((EVERYTHING,)) if ways[level] is None else Hierarchy((ways[level], EVERYTHING))
    local = Recipe.of([GeneralizeLocally((("age", only),), (KAnonymity(columns=KNOWN, least=1),))])
    applied = local.apply(data)
    labels = applied.released.records["age"].astype(object).tolist()
    assume(labels == whole.apply(data).released.records["age"].astype(object).tolist())
    ours = information_loss(covered_classes(applied, local, list(KNOWN)).classes, max_size=2).to_frame()
    plain = information_loss(whole.apply(data).released.classes(list(KNOWN)), max_size=2).to_frame()
    pd.testing.assert_frame_equal(ours, plain)


def test_a_release_without_mixed_labels_has_its_own_class_table():
    frame = pd.DataFrame({"age": ["30", "31", "36"], "sex": ["f", "m", "f"]}, dtype=object)
    data = Dataset.from_frame(frame, roles={"age": "quasi_identifier", "sex": "quasi_identifier"})
    recipe = Recipe.of([Recode("age", Intervals(5))])
    found = covered_classes(recipe.apply(data), recipe, ["age", "sex"])
    assert type(found.classes) is ClassTable and not in_words(found) and not bits_of_columns(recipe.apply(data), recipe)


def test_persons_whose_rows_have_labels_of_several_levels_are_counted_by_equal_labels_in_so_many_words():
    frame = pd.DataFrame(
        {"id": list("aabbccdd"), "age": ["30", "31", "30", "31", "36", "41", "36", "41"], "sex": list("ffffmmmm")},
        dtype=object,
    )
    roles = {"id": "person_id", "age": "quasi_identifier", "sex": "quasi_identifier"}
    data = Dataset.from_frame(frame, roles=roles)
    recipe = Recipe.of([GeneralizeLocally((("age", AGES),), (KAnonymity(columns=KNOWN, least=2),))])
    applied = recipe.apply(data)
    found = covered_classes(applied, recipe, ["age", "sex"])
    assert found.by_labels == ("age",) and not found.by_covering
    assert in_words(found) == by_labels_in_words(["age"]) != ""
    assert bits_of_columns(applied, recipe).keys() == {"age"}, "rows are counted all the same"


def test_a_later_recoding_of_a_mixed_column_is_followed():
    frame = pd.DataFrame({"age": ["30", "30", "31", "36", "41"], "sex": list("ffffm")}, dtype=object)
    data = Dataset.from_frame(frame, roles={"age": "quasi_identifier", "sex": "quasi_identifier"})
    local = GeneralizeLocally((("age", AGES),), (KAnonymity(columns=("age",), least=2),))
    recipe = Recipe.of([local, Recode("age", ValueMap.of({"*": "any"}))])
    applied = recipe.apply(data)
    assert "any" in set(applied.released.records["age"]), applied.released.records
    found = covered_classes(applied, recipe, ["age"])
    assert found.by_covering == ("age",)
    sizes = information_loss(found.classes)
    labels = applied.released.records["age"].tolist()
    true = frame["age"].iloc[data.rows_of(applied.released)].tolist()

    def of(value: str) -> int:
        return sum(label in (value, bounds(value, 5), bounds(value, 10), "any") for label in labels)

    assert isclose(sizes.loss[0], sum(log2(len(true) / of(value)) for value in true) / len(true))


def test_in_a_database_the_same_is_counted_or_equal_labels_are_and_it_is_known_which():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {"age": rng.choice(["30", "31", "34", "36", "41"], 60), "sex": rng.choice(["f", "m"], 60),
         "ill": rng.choice(["flu", "cold"], 60), "ward": rng.choice(["a", "b", "c"], 60), "times": ["1"] * 60},
        dtype=object,
    )  # fmt: skip
    here = data_of(frame, weighted=False)
    there = Dataset.from_ibis(ibis.memtable(frame), roles=here.roles)
    names = [*KNOWN, "ill"]
    for steps in STEPS.values():
        recipe = Recipe.of(steps)
        ours, its = (covered_classes(recipe.apply(data), recipe, names) for data in (here, there))
        if its.by_labels:
            assert its.by_labels == ours.by_covering and len(steps) > 1
            assert not bits_of_columns(recipe.apply(there), recipe)
        else:
            counted = [information_loss(each.classes, max_size=3).to_frame() for each in (ours, its)]
            pd.testing.assert_frame_equal(*counted)
            assert bits_of_columns(recipe.apply(here), recipe) == pytest.approx(
                bits_of_columns(recipe.apply(there), recipe)
            )


# ---- a file that was made elsewhere ----


def covers_as_text(label: str | None, value: str | None) -> bool:
    """By the texts of a released file alone, in which no cell was blanked."""
    if label is None or value is None or label in ("*", value):
        return label == "*" or label == value
    low, _, high = label.partition("-")
    return low.isdigit() and high.isdigit() and value.isdigit() and int(low) <= int(value) <= int(high)


@pytest.mark.parametrize("steps", ["part by part", "bands, then part by part"])
@given(frame=files())
@settings(max_examples=60)
def test_a_released_file_that_comes_back_gives_away_what_its_texts_say(steps, frame):
    """As a file of which nobody knows whose its records are, recounted from its cells; and as the release where nobody
    was left out."""
    data = data_of(frame, False)
    applied = Recipe.of(STEPS[steps]).apply(data)
    assume(not applied.problems and applied.released.n_records)
    cells = applied.released.records[[*KNOWN, "ill"]].astype(object)
    came_back = Dataset.from_frame(cells.where(cells.notna(), None))
    another = classes_of_another(data, came_back, [*KNOWN, "ill", "gone"], {})
    found = information_loss_of_another(another.table, max_size=3, k=3)
    assert another.table.attributes == (*KNOWN, "ill") and not another.not_read
    rows = cells.where(cells.notna(), None).to_dict("records")
    people = frame.where(frame.notna(), None).to_dict("records")
    for names in [some for size in (1, 2, 3) for some in combinations((*KNOWN, "ill"), size)]:
        sizes = [sum(all(covers_as_text(row[name], who[name]) for name in names) for row in rows) for who in people]
        note(f"{names}: {sizes}")
        sizes = [size for size in sizes if size]
        place = found.place(names)
        assert found.persons_fitted[place] == len(sizes) and found.smallest[place] == min(sizes)
        assert isclose(found.loss[place], sum(log2(len(rows) / size) for size in sizes) / len(sizes), abs_tol=1e-9)
    if len(rows) == len(people):
        covered = covered_classes(applied, Recipe.of(STEPS[steps]), [*KNOWN, "ill"])
        assert np.allclose(found.loss, information_loss(covered.classes, max_size=3).loss, atol=1e-9)


def test_what_is_not_understood_of_another_file_is_counted_as_such():
    original = Dataset.from_frame(pd.DataFrame({"race": ["A", "A", "B", "C"], "age": ["30", "41", None, "52"]}))
    other = Dataset.from_frame(pd.DataFrame({"race": ["A", "x", "x", "B"], "age": ["30-39", None, None, "40+"]}))
    another = classes_of_another(original, other, ["race", "age"], {})
    assert (another.not_read, another.blank) == ((("race", 2),), ("age",))
    found = information_loss_of_another(another.table, max_size=2, k=2)
    assert found.persons_fitted.tolist() == [3, 4, 1]  # C has no record; with the age only A of 30 has one
    assert found.smallest.tolist() == [1, 1, 1] and found.n_records == 4  # empty cells are no company of 30
    sentences = another_in_words(another, 1)
    assert "1 of 4 have one; the others are left aside" in sentences and "race: 2" in sentences and "(age)" in sentences
    by_hand = from_labels(["A", "B", "C"], [["x", "B", "x"]])
    assert classes_of_another(original, other, ["race"], {"race": [by_hand]}).not_read == ()
    assert "All 4 have such a record" in another_in_words(another, 4)
    assert classes_of_another(original, other, ["zip"], {}) is None


def test_an_empty_cell_of_another_file_is_a_value_where_it_is_as_rare_as_in_the_original():
    original = Dataset.from_frame(pd.DataFrame({"age": ["30", None, "52", "52"]}))
    another = classes_of_another(original, original, ["age"], {})
    found = information_loss_of_another(another.table)
    assert (
        another.blank == another.hidden == ()
        and found.loss.tolist() == information_loss(original.classes(["age"])).loss.tolist()
    )


def test_an_empty_cell_of_another_file_covers_everything_where_the_original_has_none():
    original = Dataset.from_frame(pd.DataFrame({"age": ["30", "41", "52"]}))
    another = classes_of_another(original, Dataset.from_frame(pd.DataFrame({"age": ["30", None, None]})), ["age"], {})
    assert (another.hidden, another.blank, another.not_read) == (("age",), (), ())
    assert information_loss_of_another(another.table).smallest.tolist() == [2]
    assert "Cells are empty where the original has none (age)" in another_in_words(another, 3)
