"""The step that leaves single cells blank: what it says, what it refuses, and what it makes of records anywhere."""

from __future__ import annotations

import json
from dataclasses import replace

import ibis
import pandas as pd
import pytest

from anonlib.basics.errors import InputError
from anonlib.coarsening.recoding import Intervals
from anonlib.counting.privacy_models import AttributeDisclosure, KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import BlankCells, LeaveOut, Recode, Scope, Stage
from tests.helpers.errors import refused
from tests.helpers.small_release import PERSON, QI, SENSITIVE, column, rows_of

SHARED = KAnonymity(columns=("age", "sex"), least=2)
STEP = BlankCells(("age",), (SHARED,))
ROWS = [("31", "f", "flu"), ("31", "f", "gout"), ("40", "f", "flu"), ("47", "m", "gout"), ("48", "m", "flu")]


def dataset(rows=ROWS, **fields) -> Dataset:
    frame = pd.DataFrame(rows, columns=["age", "sex", "illness"], dtype=object)
    return Dataset.from_frame(frame, roles={"age": QI, "sex": QI, "illness": SENSITIVE}, **fields)


def test_cells_that_set_a_record_apart_are_blank():
    """40 alone has no other woman's age: she shares a blank with those of 31 only if they have one too."""
    after = STEP.apply(dataset([*ROWS, ("41", "f", "flu")]))
    assert column(after, "age") == ["31", "31", None, None, None, None]
    assert column(after, "sex") == ["f", "f", "f", "m", "m", "f"]


def test_a_missing_cell_is_one_more_of_the_blank_ones():
    after = STEP.apply(dataset([*ROWS, (None, "f", "flu")]))
    assert column(after, "age") == ["31", "31", None, None, None, None]
    tables = dict(STEP.value_tables(dataset([*ROWS, (None, "f", "flu")]), after))
    released = tables["age"].astype(object).where(tables["age"].notna(), None).values.tolist()
    assert sorted(map(str, released)) == sorted(
        map(str, [["31", "31", 2], ["40", None, 1], ["47", None, 1], ["48", None, 1], [None, None, 1]])
    )


def test_what_it_says_of_itself():
    weighed = replace(STEP, column_weights=(("age", 2.0),), left_out_limit=0.1, worth=(("age", (("40-49", 0.5),)),))
    assert STEP.describe().startswith("Leave cells of age blank: ")
    assert weighed.describe().endswith("(weights: age 2)")
    assert (STEP.columns, STEP.recodes, STEP.stage) == (("age", "sex"), ("age",), Stage.GUARANTEES)
    assert STEP.unseen(dataset()) == () and STEP.leaves_out
    for step in (STEP, weighed):
        assert BlankCells.from_dict(json.loads(json.dumps(step.to_dict()))) == step
    assert (STEP.n_named, weighed.n_named) == (0, 1)
    assert weighed.without_named(lambda name: True) is weighed
    assert weighed.without_named(lambda name: False) == replace(weighed, worth=())


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"blankable": ()}, "at least one column"),
        ({"blankable": ("age", "age")}, "each once"),
        ({"guarantees": ()}, "at least one criterion"),
        ({"blankable": ("zip",)}, "takes to be known"),
        ({"guarantees": (SHARED, AttributeDisclosure(columns=("sex",), sensitive="age"))}, "sensitive in a criterion"),
        ({"column_weights": (("sex", 1.0),)}, "can have a weight"),
        ({"column_weights": (("age", 4.0),)}, "between 0 and 3"),
        ({"worth": (("age", (("40", 1.5),)),)}, "between 0 and 1"),
        ({"left_out_limit": 2}, "share of the records"),
    ],
)
def test_what_cannot_be_is_refused(fields, sentence):
    with pytest.raises(InputError, match=sentence):
        replace(STEP, **fields)


def test_what_does_not_fit_the_data_is_refused():
    with refused("column-unknown", "sex"):
        STEP.apply(dataset().without_columns(["sex"]))
    with pytest.raises(InputError, match="too many of 5 records violate"):
        BlankCells(("age",), (KAnonymity(columns=("age", "sex"), least=4),)).apply(dataset())
    with refused("records-in-a-database"):
        STEP.apply(dataset(missing="drop"))
    person = dataset().with_roles({"age": PERSON, "sex": QI})
    with refused("column-counts-persons", "age"):
        STEP.apply(person)
    with refused("weight-of-other-column"):
        BlankCells.from_dict(STEP.to_dict() | {"column_weights": []})
    with refused("weight-of-other-column"):
        BlankCells.from_dict(STEP.to_dict() | {"worth": []})


def test_it_stands_after_recodings_and_gives_way_with_its_columns():
    recipe = Recipe.of([LeaveOut(2)]).take([Recode("age", Intervals(10)), STEP], dataset())
    assert [type(step) for step in recipe.enabled] == [Recode, BlankCells, LeaveOut]
    assert len(recipe.giving_way(["age"], Scope.POLICY)) == 2
    assert STEP.without(["sex"]) is STEP and STEP.without(["age"]) is None


def test_the_same_cells_are_blank_in_memory_and_in_an_engine():
    rows = [(str(20 + i % 7), "fm"[i % 2], ("flu", "gout")[i % 3 == 0]) for i in range(40)] + ROWS
    here = dataset(rows)
    there = Dataset.from_ibis(ibis.memtable(here.records.astype(object)), roles=here.roles)
    step = BlankCells(
        ("age", "sex"), (replace(SHARED, least=5), AttributeDisclosure(columns=("age", "sex"), sensitive="illness"))
    )
    tables = [step.apply(each).classes(["age", "sex", "illness"]).to_frame() for each in (here, there)]
    both = [sorted(map(str, table.astype(object).values.tolist())) for table in tables]
    assert both[0] == both[1] and tables[0]["age"].isna().any()


def test_released_rows_stand_in_an_order_that_the_saved_step_decides():
    data, recipe = dataset([*ROWS, ("41", "f", "flu")]), Recipe.of([STEP])
    again = Recipe.from_json(recipe.to_json())
    assert rows_of(again.apply(data).released) == rows_of(recipe.apply(data).released)
    other_reason = Recipe.of([STEP.with_reason("asked for by the board")])
    assert rows_of(other_reason.apply(data).released) == rows_of(recipe.apply(data).released)
