"""The step that leaves records out for guarantees: what stays holds, and is what an adviser counted."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.criteria as counting
import tests.reference.guarantees as slow
from anonlib.basics.errors import InputError
from anonlib.counting.privacy_models import (
    ONE,
    AttributeDisclosure,
    AverageRiskLimit,
    KAnonymity,
    LDiversity,
    TCloseness,
)
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Scope, Stage
from tests.helpers.examples import settings
from tests.helpers.small_release import OTHER, PERSON, QI, SENSITIVE, WEIGHT, column, rows_of
from tests.helpers.verdicts import records

AB = KAnonymity(columns=("a", "b"), least=2)
CERTAIN = AttributeDisclosure(columns=("a", "b"), sensitive="s")


def dataset(rows: list[tuple], names: str = "abs", **fields: Any) -> Dataset:
    roles = {"a": QI, "b": QI, "c": QI, "s": SENSITIVE, "t": SENSITIVE, "i": PERSON, "w": WEIGHT, "o": OTHER}
    frame = pd.DataFrame(rows, columns=list(names), dtype=object)
    return Dataset.from_frame(frame, roles={name: roles[name] for name in names}, **fields)


# --- what stays -----------------------------------------------------------------------------------------------------


def has_sets(rows: list[slow.Row]) -> bool:
    """Whether persons have sets of values, which have a test of their own: the slow reference takes them for values."""
    return any(" and " in str(cell) for row in rows for cell in row.values())


@settings(max_examples=120)
@given(records(2, 10), st.lists(slow.ANY, min_size=1, max_size=2).map(tuple))
def test_what_stays_holds(data, guarantees):
    step = LeaveOut(guarantees=guarantees)
    released = step.apply(data)
    rows, weights = counting.people(released.with_missing("category"))
    if not has_sets(rows):
        assert slow.all_hold(rows, weights, guarantees)
    counted = data.with_counted()
    assert rows_of(released) == [row for row in rows_of(counted) if row in rows_of(released)], "in the file's order"
    rows, weights = counting.people(counted.with_missing("category"))
    if not has_sets(rows) and slow.all_hold(rows, weights, guarantees):
        assert released.classes([]).n_records == counted.classes([]).n_records
    again = step.apply(released)
    assert rows_of(again) == rows_of(released), "applied again it leaves out nobody"
    kept = LeaveOut.from_dict(json.loads(json.dumps(step.to_dict())))
    assert kept == step and rows_of(kept.apply(data)) == rows_of(released)


def test_persons_go_whole_and_the_first_of_the_file_stay():
    people = ["x1", "y2", "y2", "y3", "y4", "z5", "z6"]
    data = dataset([(a, "p", number) for a, number in people], "abi")
    few = LeaveOut(guarantees=(KAnonymity(columns=("a",), least=3, share=0.4),))
    # Three of six are in classes below 3, and 40% of those that stay may be: one goes, of x the first.
    assert column(few.apply(data), "i") == ["2", "2", "3", "4", "5", "6"]
    half = LeaveOut(guarantees=(KAnonymity(columns=("a",), least=4, share=0.5),))
    assert column(half.apply(data), "i") == [], "as all six are in classes below 4"
    fewer = LeaveOut(guarantees=(KAnonymity(columns=("a",), least=3, share=0.3),))
    assert column(fewer.apply(data), "i") == ["2", "2", "3", "4", "5"], "the second of class z goes"


def test_weighted_rows_go_whole():
    data = dataset([("x", "p", "2"), ("x", "p", "1"), ("y", "q", "9")], "abw")
    few = LeaveOut(guarantees=(KAnonymity(columns=("a",), least=4, share=0.2),))
    assert column(few.apply(data), "a") == ["y"], "a class of three, of which one would be enough"


def test_missing_values_are_a_value_or_leave_a_record_out():
    rows = [("x", "p", "u"), (None, "p", "u"), (None, "p", "v"), ("x", "p", None), ("x", "p", None)]
    stays = LeaveOut(guarantees=(KAnonymity(columns=("a", "b"), least=3),))
    assert rows_of(stays.apply(dataset(rows))) == [row for row in rows if row[0]]
    assert rows_of(stays.apply(dataset(rows, missing="drop"))) == [row for row in rows if row[0]]
    certain = LeaveOut(guarantees=(CERTAIN,))
    assert rows_of(certain.apply(dataset(rows[3:]))) == rows[3:], "that nothing is known is nothing to learn"


def test_rows_go_until_what_leaves_holds_where_who_lacks_a_value_does_not_leave():
    """Without the row that tells, p has no value of b and does not leave: q's row without one is then q's alone."""
    rows = [("x", "1", "u", "p"), ("x", None, "u", "p"), ("x", "2", "u", "q"), ("x", None, "u", "q"),
            ("x", "2", "u", "r")]  # fmt: skip
    recipe = Recipe.of([LeaveOut(guarantees=(KAnonymity(columns=("a", "b"), least=2, rows=ONE),), what="rows")])
    kept = recipe.apply(dataset(rows, "absi")).released
    assert rows_of(kept) == rows[1:], "a missing value is a value: both have such a row"
    assert rows_of(recipe.apply(dataset(rows, "absi", missing="drop")).released) == [rows[2], rows[4]]
    by_one = Recipe.of([LeaveOut(guarantees=(KAnonymity(columns=("b",), least=2, rows=ONE),), what="rows")])
    assert rows_of(by_one.apply(dataset(rows, "absi", missing="drop")).released) == [rows[2], rows[4]]


def test_columns_that_were_dropped_are_known_of_nobody():
    rows = [("x", "p", "u"), ("y", "p", "u"), ("y", "p", "v")]
    data = dataset(rows)
    strict = LeaveOut(guarantees=(AB, CERTAIN))
    assert rows_of(strict.apply(data)) == rows[1:]
    assert rows_of(strict.apply(DropColumns(("a",)).apply(data))) == [row[1:] for row in rows]
    assert rows_of(strict.apply(DropColumns(("s",)).apply(data))) == [row[:2] for row in rows[1:]]
    only_sensitive = DropColumns(("a", "b")).apply(data)
    assert rows_of(LeaveOut(guarantees=(AB,)).apply(only_sensitive)) == [("u",), ("u",), ("v",)]
    assert rows_of(LeaveOut(guarantees=(KAnonymity(columns=("a",), least=4),)).apply(only_sensitive)) == []
    assert LeaveOut(guarantees=(CERTAIN,)).apply(DropColumns(("s",)).apply(data)).n_records == 3


def test_whose_cells_are_worth_least_goes_first():
    data = dataset([("x", "p", "u"), ("y", "p", "u"), ("z", "q", "u"), ("z", "q", "u")])
    third = (KAnonymity(columns=("a",), least=2, share=0.34),)
    assert column(LeaveOut(guarantees=third).apply(data), "a") == ["y", "z", "z"]
    worth = (("a", (("x", 1.0), ("y", 0.5))),)
    assert column(LeaveOut(guarantees=third, worth=worth).apply(data), "a") == ["x", "z", "z"]


# --- as a step ------------------------------------------------------------------------------------------------------


def test_it_stands_among_other_steps():
    step = LeaveOut(guarantees=(AB, CERTAIN), reason="for the verdict")
    assert step.columns == ("a", "b", "s") and step.recodes == () and step.leaves_out and step.stage is Stage.GUARANTEES
    assert step.without(["s"]) is step and step.without(["b"]) is None, "a known column that is decided anew"
    recipe = Recipe.of([step])
    assert len(recipe.without(["a"], Scope.POLICY)) == 1 and len(recipe.without(["a"], Scope.SEARCH)) == 0
    people = dataset([("x", "p", "u")])
    assert step.apply_to_population(people) is people
    assert Recipe.from_json(recipe.to_json()) == recipe


@pytest.mark.parametrize(
    ("guarantee", "says"),
    [
        (AB, "2 share a, b"),
        (KAnonymity(columns=("a", "b"), least=2, known=1, share=0.01), "2 share any 1 column of a, b for all but 1%"),
        (CERTAIN, "s not certain from a, b"),
        (AttributeDisclosure(columns=("a",), sensitive="s", known=2, p=0.1, share=0.05),
         "s not 90% certain from any 2 columns of a for all but 5%"),
        (AttributeDisclosure(columns=(), sensitive="s"), "s not certain from nothing"),
        (AverageRiskLimit(columns=("a",), limit=0.2), "average risk 20% on a"),
        (LDiversity(columns=("a",), sensitive="s", l=3), "3 values of s in each class of a"),
        (TCloseness(columns=("a",), sensitive="s", t=0.25), "s within t = 0.25 on a"),
    ],
)  # fmt: skip
def test_it_says_what_it_does(guarantee, says):
    assert LeaveOut(guarantees=(guarantee,)).describe() == f"Leave out the records that it takes for: {says}"


def saved(**changes: Any) -> dict[str, Any]:
    return LeaveOut(guarantees=(AB,), worth=(("a", (("x", 0.5), (None, 1.0))),), reason="why").to_dict() | changes


@pytest.mark.parametrize(
    "changes",
    [
        *({"guarantees": bad} for bad in (
            None, [], ["shared"], {"kind": "shared"}, [{"kind": "unheard_of"}], [{"kind": "shared", "columns": ["a"]}],
            [{"kind": "shared", "columns": "ab", "least": 2}],
            [{"kind": "diverse", "columns": ["a"], "sensitive": "s", "l": "2"}],
        )),
        *({"worth": bad} for bad in (
            [], {"a": {"x": 1}}, {"a": [["x"]]}, {"a": [["x", "1"]]}, {"a": [["x", float("nan")]]}, {"a": [[1, 1]]},
            {"a": ["xy"]}, {"a": [3]},
        )),
        {"reason": 5}, {"reason": None},
    ],
)  # fmt: skip
def test_a_saved_step_that_is_wrong_is_refused_in_a_sentence(changes):
    text = json.dumps({"format": "anonscope-recipe", "version": 1, "steps": [saved() | changes]})
    with pytest.raises(InputError, match="Step 1 of the recipe"):
        Recipe.from_json(text)
    assert Recipe.from_json(json.dumps({"format": "anonscope-recipe", "version": 1, "steps": [saved()]})).entries
