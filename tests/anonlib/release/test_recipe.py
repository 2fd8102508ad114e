"""The steps of a recipe, the recipe and its JSON, against slow, obvious references."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from anonlib.basics.errors import InputError
from anonlib.coarsening.recoding import DateUnit, Intervals, Mask, ValueMap
from anonlib.dataset import Dataset
from anonlib.release.comparison import compare
from anonlib.release.recipe import Entry, Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode, Unseen
from tests.helpers.errors import refused
from tests.helpers.small_release import (
    COLUMNS,
    IDENTIFIER,
    PERSON,
    QI,
    ROWS,
    SENSITIVE,
    STEPS,
    WEIGHT,
    column,
    fingerprint,
    rows_of,
    small,
)

# ---- the steps -------------------------------------------------------------------------------------------------------


def test_dropped_columns_are_gone_and_nothing_else_is():
    after = DropColumns(("visit", "age")).apply(small())
    assert after.columns == ["name", "zip", "illness"]
    assert after.roles == {"name": IDENTIFIER, "zip": QI, "illness": SENSITIVE}
    assert rows_of(after) == [(name, zip_, illness) for name, _, zip_, _, illness in ROWS]


@pytest.mark.parametrize(
    ("name", "recoding", "expected"),
    [
        ("age", Intervals(10), ["30-39", "30-39", "30-39", "50-59", None, "unknown"]),
        ("age", Intervals(10, top=50), ["30-39", "30-39", "30-39", "50+", None, "unknown"]),
        ("age", Intervals(cuts=(35, 50)), ["<35", "35-49", "35-49", "50+", None, "unknown"]),
        ("zip", Mask(3), ["021**", "021**", "021**", "021**", "021**", "021**"]),
        ("zip", Mask(1, side="end", fill=""), ["8", "9", "8", "1", "1", "8"]),
        ("zip", Mask(0, fill=""), [None] * 6),
        ("visit", DateUnit("year"), ["2024", "2024", "2024", "2023", "2023", "2024"]),
        ("visit", DateUnit("quarter"), ["2024-Q1", "2024-Q2", "2024-Q4", "2023-Q1", "2023-Q1", "2024-Q1"]),
        ("visit", DateUnit("month"), ["2024-03", "2024-04", "2024-12", "2023-01", "2023-02", "2024-03"]),
        ("illness", ValueMap.of({"flu": "lung", "asthma": "lung"}), ["lung", "lung", "cancer", "lung", "lung", None]),
        ("illness", ValueMap.of({"cancer": None}), ["flu", "flu", None, "flu", "asthma", None]),
        ("illness", ValueMap.of({"flu": "flu"}, "other"), ["flu", "flu", "other", "flu", "other", None]),
    ],
)
def test_recode_changes_one_column_value_by_value(name, recoding, expected):
    before = small()
    after = Recode(name, recoding).apply(before)
    assert column(after, name) == expected
    for other in set(COLUMNS) - {name}:
        assert column(after, other) == column(before, other)
    assert after.roles == before.roles and after.columns == before.columns


def test_recoded_labels_keep_the_order_of_the_values_they_come_from():
    frame = pd.DataFrame({"age": [str(age) for age in (5, 105, 55, 9, 95, 15)]})
    after = Recode("age", Intervals(10, top=100)).apply(Dataset.from_frame(frame, roles={"age": QI}))
    assert after.frame["age"].cat.categories.tolist() == ["0-9", "10-19", "50-59", "90-99", "100+"]


@pytest.mark.parametrize("k", [1, 2, 3, 4, 6, 7])
@pytest.mark.parametrize("missing", ["category", "drop"])
def test_suppress_leaves_the_records_of_classes_of_k_or_more(k, missing):
    data = replace(small(roles={"zip": QI, "illness": QI}), missing=missing)
    keys = [(row[2], row[4]) for row in ROWS]
    counted = Counter(key for key in keys if missing == "category" or None not in key)
    kept = [row for row, key in zip(ROWS, keys, strict=True) if counted[key] >= k]
    assert rows_of(LeaveOut(k).apply(data)) == kept


def test_suppress_counts_persons_and_weights():
    """Two persons of three rows each are two persons, and one alone is one."""
    frame = pd.DataFrame({"who": list("aaabbbc"), "sex": list("FFFFFFM"), "people": list("1110113")})
    persons = Dataset.from_frame(frame, roles={"who": PERSON, "sex": QI})
    assert column(LeaveOut(2).apply(persons), "who") == list("aaabbb")
    assert column(LeaveOut(3).apply(persons), "who") == []
    weighted = Dataset.from_frame(frame, roles={"sex": QI, "people": WEIGHT})
    assert column(LeaveOut(4).apply(weighted), "sex") == ["F"] * 5, "of count 0 is nobody"


@pytest.mark.parametrize(
    "make", [lambda: DropColumns(()), lambda: LeaveOut(0), lambda: LeaveOut(2.5), lambda: LeaveOut("5")]
)
def test_a_step_that_makes_no_sense_cannot_be_made(make):
    with pytest.raises(InputError):
        make()


@pytest.mark.parametrize(
    "step",
    [
        DropColumns(("nothing",)),
        DropColumns(("age", "nothing")),
        Recode("nothing", Mask(1)),
        Recode("illness", Intervals(10)),
        Recode("zip", DateUnit()),
        Recode("zip", ValueMap.of({"nowhere": "x"})),
    ],
)
def test_a_step_that_does_not_fit_says_so_and_names_the_column(step):
    with pytest.raises(InputError, match=r"“(nothing|illness|zip)”"):
        step.apply(small())


# ---- the recipe ------------------------------------------------------------------------------------------------------


def test_operations_on_a_recipe_give_a_new_one_and_leave_it_as_it_was():
    recipe = Recipe.of(STEPS)
    before = recipe.to_json()
    a, b, c, d = recipe.entries
    assert len(recipe) == 4 and recipe.enabled == STEPS
    assert recipe.add(LeaveOut(3)).entries == (a, b, c, d, Entry(LeaveOut(3)))
    assert recipe.remove(1).entries == (a, c, d)
    assert recipe.switch(2, False).entries == (a, b, Entry(STEPS[2], False), d)
    assert recipe.switch(2, False).enabled == (STEPS[0], STEPS[1], STEPS[3])
    assert recipe.switch(2, False).switch(2, True) == recipe
    assert recipe.replace_step(3, LeaveOut(9)).entries == (a, b, c, Entry(LeaveOut(9)))
    assert recipe.switch(0, False).replace_step(0, LeaveOut(9)).entries[0] == Entry(LeaveOut(9), False)
    assert recipe.to_json() == before


@pytest.mark.parametrize("position", range(4))
@pytest.mark.parametrize("by", [-9, -2, -1, 0, 1, 2, 9])
def test_move(position, by):
    recipe = Recipe.of(STEPS)
    place = min(max(position + by, 0), 3)
    moved = recipe.move(position, by).entries
    assert moved[place] == recipe.entries[position]
    assert [e for e in moved if e != recipe.entries[position]] == [e for e in recipe.entries if e != moved[place]]


def test_steps_are_applied_in_their_order():
    """Recode, then suppress keeps what suppress, then recode loses."""
    data = small(roles={"age": QI})
    recode, suppress = Recode("age", Intervals(10)), LeaveOut(3)
    assert Recipe.of([recode, suppress]).apply(data).released.n_records == 3
    assert Recipe.of([suppress, recode]).apply(data).released.n_records == 0


def test_a_step_switched_off_is_as_if_it_were_not_there():
    data = small()
    for position in range(len(STEPS)):
        off = Recipe.of(STEPS).switch(position, False).apply(data)
        without = Recipe.of(STEPS).remove(position).apply(data)
        assert rows_of(off.released) == rows_of(without.released)
        assert off.released.columns == without.released.columns
        assert off.effects[position] is None
        assert off.effects[:position] + off.effects[position + 1 :] == without.effects


def test_effects_are_counts_of_what_each_step_did():
    data = small()
    drop, age, zip_, suppress = Recipe.of(STEPS).apply(data).effects
    assert (drop.columns_removed, drop.records_removed, drop.cells_changed, drop.untouched) == (1, 0, 0, 0)
    assert (age.columns_removed, age.records_removed, age.cells_changed, age.untouched) == (0, 0, 4, 0)
    assert age.unseen == (Unseen("age", ("unknown",), 1),), "nobody has said that it is known"
    assert (zip_.cells_changed, zip_.untouched) == (6, 0)
    assert (suppress.records_removed, suppress.cells_changed) == (3, 0), "52, missing and unknown are alone"


def test_steps_that_do_not_fit_are_passed_over_with_a_problem_and_nothing_else_is_lost():
    data = small()
    unfit = [DropColumns(("nothing",)), Recode("illness", Intervals(10)), Recode("visit", Mask(4))]
    recipe = Recipe.of([unfit[0], STEPS[0], unfit[1], STEPS[1], unfit[2], STEPS[3]])
    applied = recipe.apply(data)
    assert [bool(effect.problem) for effect in applied.effects] == [True, False, True, False, True, False]
    assert len(applied.problems) == 3
    assert rows_of(applied.released) == rows_of(Recipe.of([STEPS[0], STEPS[1], STEPS[3]]).apply(data).released)


@pytest.mark.parametrize("role", [WEIGHT, PERSON])
def test_a_recoded_count_or_person_column_does_not_take_the_page_down(role):
    """A weight column of intervals has no numbers to add up: the step is passed over, not every later analysis."""
    frame = pd.DataFrame({"sex": list("FFM"), "n": ["2", "1", "2"]})
    data = Dataset.from_frame(frame, roles={"sex": QI, "n": role})
    recipe = Recipe.of([Recode("n", Intervals(10)), LeaveOut(2)])
    applied = recipe.apply(data)
    compare(applied, recipe)
    if role is WEIGHT:
        assert applied.effects[0].problem and not applied.effects[1].problem
        assert compare(applied, recipe).after.n_records == 4 or compare(applied, recipe).after.n_records == 5


def test_the_original_is_never_changed_and_the_recipe_is_applied_to_it_each_time():
    data = small()
    before, key = fingerprint(data.frame), data.key
    recipe = Recipe.of(STEPS)
    first, second = recipe.apply(data), recipe.apply(data)
    assert first.original is data and fingerprint(data.frame) == before and data.key == key
    assert fingerprint(first.released.frame) == fingerprint(second.released.frame)
    assert first.released.key == second.released.key != key


def test_records_with_a_missing_quasi_identifier_are_left_out_when_the_policy_says_so():
    data = replace(small(), missing="drop")
    applied = Recipe().apply(data)
    assert applied.left_out == 1
    assert rows_of(applied.released) == [row[1:] for row in ROWS if row[1] is not None]
    dropped = Recipe.of([DropColumns(("age",))]).apply(data)
    assert dropped.left_out == 0 and dropped.released.n_records == 6, "the column that was missing is gone"


def test_equal_recipes_have_one_key_and_others_their_own():
    recipes = [
        Recipe(),
        Recipe.of(STEPS),
        Recipe.of(STEPS).switch(0, False),
        Recipe.of(STEPS).move(0, 1),
        Recipe.of(STEPS).remove(3),
        Recipe.of([*STEPS[:3], LeaveOut(2, reason="a reason")]),
    ]
    assert len({recipe.key for recipe in recipes}) == len(recipes)
    assert Recipe.of(STEPS).key == Recipe.of(list(STEPS)).key


# ---- JSON ------------------------------------------------------------------------------------------------------------


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
REASONS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
NUMBERS = st.floats(-1e9, 1e9)


@st.composite
def intervals(draw):
    if draw(st.booleans()):
        return Intervals(cuts=tuple(sorted(draw(st.sets(NUMBERS, min_size=1, max_size=4)))))
    bottom, top = draw(st.tuples(st.none() | NUMBERS, st.none() | NUMBERS))
    assume(bottom is None or top is None or bottom < top)
    return Intervals(draw(st.floats(1e-6, 1e6)), draw(NUMBERS), bottom, top)


RECODINGS = st.one_of(
    intervals(),
    st.builds(Mask, st.integers(0, 9), st.sampled_from(["start", "end"]), st.sampled_from(["*", "", "x"])),
    st.builds(ValueMap.of, st.dictionaries(NAMES, st.none() | NAMES, max_size=4), st.none() | NAMES),
    st.builds(DateUnit, st.sampled_from(["year", "quarter", "month"])),
)
ANY_STEP = st.one_of(
    st.builds(DropColumns, st.lists(NAMES, min_size=1, max_size=3).map(tuple), REASONS),
    st.builds(Recode, NAMES, RECODINGS, REASONS),
    st.builds(LeaveOut, st.integers(1, 10**6), reason=REASONS),
)
RECIPES = st.lists(st.builds(Entry, ANY_STEP, st.booleans()), max_size=5).map(lambda entries: Recipe(tuple(entries)))


@given(RECIPES)
def test_a_recipe_comes_back_from_its_json(recipe):
    text = recipe.to_json()
    assert Recipe.from_json(text) == recipe
    assert Recipe.from_json(text.encode()) == recipe
    assert Recipe.from_json(text).to_json() == text
    json.loads(text, parse_constant=pytest.fail)  # NaN and Infinity, which JSON does not have


def document(*steps, **changes) -> str:
    return json.dumps({"format": "anonscope-recipe", "version": 1, "steps": list(steps)} | changes)


GOOD = {"kind": "suppress", "k": 5, "reason": "", "enabled": True}
RECODE = {"kind": "recode", "column": "age", "recoding": {"kind": "mask", "keep": 3, "side": "start", "fill": "*"}}


@pytest.mark.parametrize(
    "text",
    [
        "", "no json", "[]", "{}", "null", "7", b"\xff\xfe\x00", b"\x89PNG\r\n\x1a\n", "[" * 100_000, document() + "}",
        json.dumps({"format": "anonscope-recipe", "version": 1}),
        *(document(**wrong) for wrong in (
            {"format": "another"}, {"version": 2}, {"version": None}, {"steps": {}}, {"steps": "suppress"},
        )),
    ],
)  # fmt: skip
def test_what_is_no_recipe_is_refused_in_a_sentence(text):
    with pytest.raises(InputError) as caught:
        Recipe.from_json(text)
    assert str(caught.value).endswith(".")


BAD_RECODINGS = [
    None, "mask", {}, {"kind": "unknown"}, {"kind": ["mask"]}, {"kind": "mask"}, {"kind": "intervals"},
    {"kind": "mapping"},
    *({"kind": "mask", "keep": 3} | bad for bad in (
        {"keep": -1}, {"keep": 2.5}, {"keep": "3"}, {"fill": "**"}, {"fill": ["*"]}, {"fill": None}, {"side": "middle"},
        {"extra": 1},
    )),
    *({"kind": "intervals", "width": bad} for bad in (0, "10", math.nan, math.inf, 10**400)),
    *({"kind": "intervals", "width": 5} | bad for bad in ({"start": None}, {"cuts": [1]})),
    *({"kind": "intervals", "cuts": bad} for bad in ([3, 1], ["a"], 5)),
    *({"kind": "mapping", "labels_of": bad} for bad in (
        None, [["a"]], [["a", 5]], [["a", ["b"]]], [["a", "b"], ["a", "c"]],
    )),
    {"kind": "mapping", "labels_of": [], "otherwise": 5}, {"kind": "date", "unit": "week"},
    {"kind": "date", "unit": ["year"]},
]  # fmt: skip
BAD_STEPS = [
    None, 7, "suppress", [], {}, {"kind": "unknown"}, {"kind": None}, {"kind": ["suppress"], "k": 5},
    {"kind": {"suppress": 1}}, {"kind": "suppress"}, {"kind": "drop_columns"}, {"kind": "recode", "column": "age"},
    *(GOOD | {"k": bad} for bad in ("5", 2.5, 0, None)), *(GOOD | {"reason": bad} for bad in (7, None, ["x"])),
    GOOD | {"enabled": "no"},
    *({"kind": "drop_columns", "columns": bad} for bad in ([], "age", [1, 2], [["age"]], {"age": 1}, ["\ud800"])),
    *(RECODE | {"column": bad} for bad in (7, ["age"], None)), *(RECODE | {"recoding": bad} for bad in BAD_RECODINGS),
]  # fmt: skip


@pytest.mark.parametrize("step", BAD_STEPS)
def test_a_malformed_step_is_refused_with_its_number(step):
    with pytest.raises(InputError, match=r"Step 2 of the recipe"):
        Recipe.from_json(document(GOOD, step, GOOD))


def test_refusing_a_step_quotes_no_value_of_a_mapping():
    secret = RECODE | {"recoding": {"kind": "mapping", "labels_of": [["HIV", "b"], ["HIV", "c"]]}}
    with refused("value-named-twice") as caught:
        Recipe.from_json(document(secret))
    assert "HIV" not in str(caught.value)


def test_a_step_without_the_optional_parts_is_read():
    assert Recipe.from_json(document({"kind": "suppress", "k": 5})) == Recipe.of([LeaveOut(5)])
    assert Recipe.from_json(document(RECODE)).entries[0] == Entry(Recode("age", Mask(3)))
