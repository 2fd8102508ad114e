"""Every step of a recipe does the same to records in memory and to a table in an engine."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import replace
from typing import Any

import ibis
import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from anonlib.analyses.risk import as_row
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy, intervals
from anonlib.coarsening.recoding import DateUnit, Intervals, Mask, Rounding, ValueMap
from anonlib.columns.roles import Role
from anonlib.counting.privacy_models import ALL, ONE, AttributeDisclosure, KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.applied import Applied
from anonlib.release.codebook import codebook
from anonlib.release.comparison import compare
from anonlib.release.export import value_mapping
from anonlib.release.listed import listed
from anonlib.release.recipe import Recipe
from anonlib.release.steps import (
    STEP_KINDS,
    AggregatePlaces,
    AtMostRows,
    BlankCells,
    DropColumns,
    GeneralizeLocally,
    HoldBack,
    LeaveOut,
    MergeRare,
    Recode,
    ShiftDates,
    Step,
    Unlink,
)
from anonlib.release.steps.of_cells import EarlierLDiversity, Requirement, guarantees_of
from tests.helpers.engines import Engine
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.leaving_out import for_requirements
from tests.helpers.records import rows_of

QI = Role.QUASI_IDENTIFIER
ROLES = {"age": QI, "zip": QI, "illness": Role.SENSITIVE, "name": Role.IDENTIFIER}
BOTH = (Requirement(("age", "zip"), 2),)
WITH_LABELS = ValueMap((("02138", "north"), ("02139", "north")), missing="north")
NORTH = ValueMap((("02138", "north"), ("02139", "north")), otherwise="elsewhere", missing="north")
_FIRST_ROW = re.compile(r", the first of them row [0-9,]+")
SECRET = "00112233445566778899aabbccddeeff"
STEPS: tuple[Step, ...] = (
    DropColumns(("illness", "id")),
    Recode("age", Intervals(10)),
    Recode("age", Intervals(10), others="leave_out"),
    Recode("age", ValueMap((("9", "young"), ("41", None))), others="nearest"),
    Recode("day", DateUnit("month"), others="star"),
    Recode("zip", Mask(3)),
    Recode("zip", WITH_LABELS, others="leave_out"),
    Recode("zip", WITH_LABELS),
    AggregatePlaces("zip", (("10", ("02138",)), ("9", ("02139", "nowhere")))),
    LeaveOut(2),
    for_requirements(BOTH),
    for_requirements((Requirement(("age",), 2),), (EarlierLDiversity("illness", 2),)),
    GeneralizeLocally((("age", intervals((10, 50))), ("zip", Hierarchy((NORTH, EVERYTHING)))), guarantees_of(BOTH)),
    GeneralizeLocally((("age", intervals((10,))),), guarantees_of(BOTH), left_out_limit=0.5),
    BlankCells(("age", "zip"), guarantees_of(BOTH), 0.1),
    LeaveOut(guarantees=(KAnonymity(columns=("age", "zip"), least=2),)),
    LeaveOut(guarantees=(AttributeDisclosure(columns=("age",), sensitive="illness"),)),
    LeaveOut(guarantees=(KAnonymity(columns=("age", "zip"), least=2, rows=ONE),), what="rows"),
    LeaveOut(guarantees=(AttributeDisclosure(columns=("age",), sensitive="illness", rows=ALL),), what="rows"),
    Unlink("id"),
    Recode("age", Intervals(top=40), others="star"),
    MergeRare("illness", 3),
    MergeRare("age", 2, hierarchy=intervals((10, 50))),
    MergeRare("age", 2, hierarchy=intervals((10, 50)), level=Intervals(20)),
    Recode("age", Rounding(20, (10,))),
    AtMostRows(2, secret=SECRET),
    AtMostRows(1, "first", "seen", secret=SECRET),
    AtMostRows(3, "last", "w", secret=SECRET),
    ShiftDates(("seen", "born"), secret=SECRET),
    ShiftDates(("seen",), keep_weekday=True, keep_season=True, secret=SECRET),
    ShiftDates(("born", "seen"), "since_first"),
)
FIRST = {step.kind: step for step in reversed(STEPS)}
DAILY = [step for kind, step in FIRST.items() if kind not in ("generalize_locally", "shift_dates")] + [STEPS[-1]]
"""What is tried in Spark each day: the first of each kind, of dates that are moved the one with the fewest queries.

Cells that are generalized are chosen by the queries that choose those that are left blank.
"""


Cells = dict[str, list[str | None]]
CELLS: Cells = {
    "age": [None, "9", "10", "41", "unknown"],
    "zip": [None, "02138", "02139", "021"],
    "day": [None, "2024-03-09", "2024-02-28", "soon"],
    "seen": [None, "2024-03-09", "2024-02-28", "2023-12-31 10:15", "2024-03-09 23:10"],
    "born": [None, "28.2.1960", "1.12.1987"],
    "illness": [None, "flu", "cancer"],
    "name": ["Ann", "Bob"],
    "id": [None, "p", "q", "r"],
    "w": ["0", "1", "2"],
}
COUNTED: list[dict[str, Role]] = [{}, {"id": Role.PERSON_ID}, {"w": Role.WEIGHT}]


def both(engine: Engine, columns: Cells, **how: Any) -> tuple[Dataset, Dataset]:
    """The same people in memory and in an engine."""
    here = Dataset.from_frame(pd.DataFrame(columns, dtype=object), **how)
    return here, Dataset.from_ibis(engine.table(columns), **how)


@st.composite
def people(draw: st.DrawFn, n_most: int = 12) -> dict[str, Any]:
    """A few of them, of whom cells are missing, and ids or weights."""
    n = draw(st.integers(1, n_most))
    columns = {name: draw(st.lists(st.sampled_from(each), min_size=n, max_size=n)) for name, each in CELLS.items()}
    counted, missing = draw(st.sampled_from(COUNTED)), draw(st.sampled_from(["category", "drop"]))
    return {"columns": columns, "roles": ROLES | counted, "missing": missing}


def some_people(
    engine: Engine, counted: dict[str, Role], n: int = 30, names: Container[str] = CELLS
) -> tuple[Dataset, Dataset]:
    rng = np.random.default_rng(7)
    columns = {name: [each[i] for i in rng.integers(0, len(each), n)] for name, each in CELLS.items()}
    roles = {name: role for name, role in (ROLES | counted).items() if name in names}
    return both(engine, {name: cells for name, cells in columns.items() if name in names}, roles=roles)


def looked_at(step: Step, engine: Engine) -> Container[str]:
    """The columns that a step is tried with: all, in Spark, which takes a second for each, those that it is about."""
    of_the_step = {name for name in CELLS if repr(name) in repr(step)}
    return of_the_step | {"age", "zip", "illness", "id"} if engine.name == "spark" else CELLS


def same(there: Dataset, here: Dataset) -> None:
    assert there.columns == here.columns and dict(there.roles) == dict(here.roles)
    assert rows_of(there.held) == rows_of(here.held)
    one, other = there.classes(there.columns), here.classes(here.columns)
    assert [values.tolist() for values in one.categories] == [values.tolist() for values in other.categories]
    np.testing.assert_array_equal(one.codes, other.codes)
    np.testing.assert_array_equal(one.counts, other.counts)


def same_effects(there: Applied, here: Applied) -> None:
    """What steps did; why one could not be applied names the first of the rows in memory, where they have an order."""
    in_memory = [effect and replace(effect, problem=_FIRST_ROW.sub("", effect.problem)) for effect in here.effects]
    assert [*there.effects] == in_memory and there.left_out == here.left_out


def test_each_kind_of_step_is_tried_but_for_the_one_that_an_engine_cannot_do():
    assert {type(step) for step in STEPS} == {*STEP_KINDS.values()} - {HoldBack}


@pytest.mark.parametrize(
    "step",
    [pytest.param(step, marks=[pytest.mark.everyday] if step in DAILY else []) for step in STEPS],
    ids=lambda step: step.kind,
)
def test_each_step_does_something_and_the_same(engine, step):
    people = some_people(engine, {"id": Role.PERSON_ID}, names=looked_at(step, engine))
    here, there = (Recipe.of([step]).apply(data) for data in people)
    assert not here.problems and here.released.key != here.original.key
    same_effects(there, here)
    same(there.released, here.released)


@settings(8, deadline=None)
@given(people(), st.sampled_from(STEPS))
def test_a_step_does_the_same_to_odd_records(engine, people, step):
    here, there = (Recipe.of([step]).apply(data) for data in both(engine, **people))
    same_effects(there, here)
    same(there.released, here.released)


MOVED_TWICE: dict[str, Any] = {
    "columns": {name: [cells[-1]] * 4 for name, cells in CELLS.items()}
    | {
        "id": [None, "q", "q", "r"],
        "seen": [None, None, CELLS["seen"][1], None],
        "born": [CELLS["born"][1], *[None] * 3],
    },
    "roles": ROLES | {"id": Role.PERSON_ID},
    "missing": "category",
}
DAYS_THAT_ARE_MOVED = (
    ShiftDates(("born", "seen"), "since_first"),
    AtMostRows(2, secret=SECRET),
    ShiftDates(("seen",), secret=SECRET),
)  # the last cannot be applied


@settings(6, deadline=None)
@example(MOVED_TWICE, DAYS_THAT_ARE_MOVED, False)
@given(people(), st.permutations(STEPS[1:]).map(lambda steps: steps[:3]), st.booleans())
def test_steps_behind_one_another_do_the_same(engine, people, steps, knowing):
    data_sets = both(engine, **people)
    taken = [Recipe.of([]).take(steps, data) if knowing else Recipe.of(steps) for data in data_sets]
    assert taken[0] == taken[1], "steps know the same values"
    here, there = (recipe.apply(data) for recipe, data in zip(taken, data_sets, strict=True))
    same_effects(there, here)
    same(there.released, here.released)


def test_the_recoded_values_are_the_same(engine):
    here, there = some_people(engine, {"id": Role.PERSON_ID})
    recipe = Recipe.of([Recode("day", DateUnit("year")), STEPS[12], LeaveOut(2)])
    tables = [value_mapping(recipe.apply(data), recipe) for data in (there, here)]
    pd.testing.assert_frame_equal(*tables)
    assert tables[0]["value"].isna().any() and set(tables[0]["column"]) == {"day", "age", "zip"}


@settings(8, deadline=None)
@given(people(), st.floats(0.1, 0.9))
def test_where_there_is_a_choice_as_many_are_left_out(engine, people, share):
    """Who is left of several who are alike is up to where they are."""
    step = LeaveOut(guarantees=(KAnonymity(columns=("age", "zip"), least=2, share=share),))
    data_sets = both(engine, **people)
    here, there = (step.apply(data) for data in data_sets)
    one, other = there.classes(["age", "zip"]), here.classes(["age", "zip"])
    assert one.to_frame().equals(other.to_frame())
    assert rows_of(step.apply(data_sets[1]).held) == rows_of(there.held), "and the same ones each time"


def test_what_is_stated_of_a_release_is_the_same(engine):
    here, there = some_people(engine, {"w": Role.WEIGHT})
    recipe = Recipe.of([Recode("age", Intervals(10)), Recode("day", DateUnit("year")), LeaveOut(2)])
    ours, theirs = (recipe.apply(data) for data in (here, there))
    one, other = compare(theirs, recipe, k=2), compare(ours, recipe, k=2)
    assert one.columns == other.columns and one.rows_kept == other.rows_kept < 1
    assert as_row(one.after.prosecutor) == as_row(other.after.prosecutor)
    found, expected = codebook(theirs.released, recipe), codebook(ours.released, recipe)
    pd.testing.assert_frame_equal(found.columns, expected.columns)
    pd.testing.assert_frame_equal(found.levels, expected.levels)
    assert listed(theirs.released) == listed(ours.released) != ()


def test_what_needs_rows_says_so():
    there = Dataset.from_ibis(ibis.memtable({"age": ["9"]}))
    for ask in (lambda: there.records, lambda: there.with_records(np.ones(1, bool), ""), lambda: there.rows_of(there)):
        with refused("records-in-a-database"):
            ask()
    assert there.frame is None
