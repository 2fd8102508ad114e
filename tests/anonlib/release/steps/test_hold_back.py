"""The step that holds records of one file back: which stay, of which file, and what is saved and said of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise

import ibis
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.recoding import Intervals, Mask
from anonlib.columns.roles import Role
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.filing.evidence import gather, released_file, script_of
from anonlib.filing.evidence.report import report_of
from anonlib.filing.evidence.report.wording import names_in
from anonlib.filing.languages.report import translated
from anonlib.filing.project import LoadedFile, Project, from_toml, open_project
from anonlib.release.codebook import codebook
from anonlib.release.comparison import compare
from anonlib.release.export import value_mapping
from anonlib.release.recipe import Recipe
from anonlib.release.steps import (
    STEP_KINDS,
    AtMostRows,
    BlankCells,
    DropColumns,
    HoldBack,
    LeaveOut,
    Recode,
    ShiftDates,
    Step,
    Unlink,
)
from anonlib.release.steps.hold_back import MOST_RECORDS
from anonlib.verdict.criteria import RecordsKept, State
from tests.helpers.errors import refused
from tests.helpers.evidence import as_bytes, opened, visits
from tests.helpers.examples import settings
from tests.helpers.records import rows_of
from tests.helpers.three_tables import dataset_of
from tests.helpers.verdicts import case_with

SECRET = "00112233445566778899aabbccddeeff"
OTHER_FILE = "0" * 64
ROLES = {"id": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER, "zip": Role.QUASI_IDENTIFIER, "seen": Role.OTHER}
Row = tuple[str | None, ...]
OTHERS: tuple[Step, ...] = (
    AtMostRows(1, secret=SECRET),
    AtMostRows(2, "last", "seen", secret=SECRET),
    ShiftDates(("seen",), secret=SECRET),
    Recode("age", Intervals(20), others="leave_out"),
    Recode("zip", Mask(1)),
    DropColumns(("seen",)),
    BlankCells(("age", "zip"), (KAnonymity(columns=("age", "zip"), least=2),), 0.5),
    LeaveOut(guarantees=(KAnonymity(columns=("age",), least=2),)),
    LeaveOut(2),
    Unlink("id"),
)
PEOPLE = st.lists(
    st.tuples(
        st.sampled_from([None, "a", "b", "c", "d"]),
        st.sampled_from([None, "31", "35", "52", "soon"]),
        st.sampled_from([None, "02", "03", "11"]),
        st.sampled_from([None, "2021-03-01", "2020-12-31"]),
    ),
    min_size=1,
    max_size=14,
)
SOME_STEPS = st.lists(st.sampled_from(OTHERS), max_size=3)


def data_of(rows: Sequence[Row], **fields) -> Dataset:
    """Each row has its number in a column of its own, so that plain code can tell who it was."""
    frame = pd.DataFrame(rows, columns=["id", "age", "zip", "seen"], dtype=object)
    frame["number"] = [str(i) for i in range(len(frame))]
    return Dataset.from_frame(frame, **({"roles": ROLES | {"number": Role.OTHER}} | fields))


def without_numbers(data: Dataset, numbers: set[str]) -> Dataset:
    """Another data set of the rows that plain code leaves, with what is withheld still there."""
    stays = ~data.records["number"].astype(object).isin(numbers).to_numpy()
    frame = data.records.loc[stays].astype(object)
    return Dataset.from_frame(frame, roles=data.roles, missing=data.missing, withheld=data.withheld)


VISITS: list[Row] = [
    ("a", "31", "02", "2021-03-01"), ("b", "35", "02", None), ("a", "31", "03", "2020-12-31"),
    (None, "52", "11", "2021-03-01"), ("c", None, "02", None), ("b", "35", "02", "2021-03-01"),
]  # fmt: skip


@settings(300, deadline=None)
@given(PEOPLE, st.data(), SOME_STEPS, SOME_STEPS, st.sampled_from(["category", "drop"]))
def test_the_records_that_stay_are_those_of_plain_code_wherever_it_stands(rows, data, before, after, missing):
    held = data.draw(st.sets(st.integers(0, len(rows) - 1)))
    original = data_of(rows, missing=missing)
    step = HoldBack(tuple(sorted(held)), original.digest, len(held), "records")
    halfway = Recipe.of(before).leaves(original)
    there = Recipe.of([*before, step]).leaves(original)
    expected = without_numbers(halfway, {str(i) for i in held})
    assert rows_of(there.held) == rows_of(expected.held) and there.columns == halfway.columns
    assert original.rows_of(there).tolist() == [int(n) for n in there.records["number"].astype(object)]
    assert rows_of(Recipe.of(after).leaves(there).held) == rows_of(Recipe.of(after).leaves(expected).held)
    assert rows_of(step.apply(there).held) == rows_of(there.held), "who is gone is not missed"


def test_all_rows_of_a_person_are_held_back_before_or_after_others_go_through_them():
    original = data_of(VISITS)
    held = HoldBack((1, 5), original.digest, 1)
    first, second = AtMostRows(1, secret=SECRET), ShiftDates(("seen",), secret=SECRET)
    orders = (held, first, second), (first, held, second), (first, second, held)
    releases = [rows_of(Recipe.of(order).leaves(original).held) for order in orders]
    assert releases[0] == releases[1] == releases[2] and sum(releases[0].values()) == 3
    applied = Recipe.of([held]).apply(original)
    assert [original.persons([]).n_persons, applied.released.persons([]).n_persons] == [4, 3]
    (effect,) = applied.effects
    assert (effect.records_removed, effect.persons_cut, effect.cells_changed, effect.problem) == (2, 0, 0, "")


def test_rows_of_count_0_have_their_positions_too():
    frame = pd.DataFrame({"age": ["30", "31", "32", "33"], "n": ["0", "2", "0", "3"]})
    data = Dataset.from_frame(frame, roles={"age": Role.QUASI_IDENTIFIER, "n": Role.WEIGHT})
    applied = Recipe.of([HoldBack((2, 3), data.digest, 3)]).apply(data)
    assert rows_of(applied.released.held) == {("31", "2"): 1} and not applied.problems


def test_rows_that_hang_below_those_held_back_go_too():
    frames = {
        "patients": pd.DataFrame({"patient": ["P0", "P1"], "age": ["30", "40"]}),
        "visits": pd.DataFrame({"visit": ["V0", "V1"], "patient": ["P0", "P1"], "ward": ["a", "b"], "month": "1"}),
        "values": pd.DataFrame({"visit": ["V0", "V1"], "code": ["x", "y"], "result": ["1", "2"]}),
    }
    data = dataset_of(frames)
    whose = data.records["patient"].astype(object).to_numpy()
    step = HoldBack(tuple(np.flatnonzero(whose == "P1").tolist()), data.digest, 1)
    left = Recipe.of([step]).apply(data).released
    assert {*left.records["patient"].astype(object)} == {"P0"} and left.persons([]).n_persons == 1
    below = HoldBack(tuple(np.flatnonzero(data.records["ward"].notna() & (whose == "P1")).tolist()), data.digest, 1)
    assert "y" not in {*Recipe.of([below]).apply(data).released.records["code"].astype(object)}


def test_it_is_for_one_file_in_memory_alone():
    original, step = data_of(VISITS), HoldBack((0,), OTHER_FILE, 1)
    with refused("step-of-other-file") as caught:
        step.apply(original)
    assert "Remove the step, or look on the Verdict page who is to be held back of this file." in str(caught.value)
    applied = Recipe.of([step, LeaveOut(1)]).apply(original)
    assert applied.why_not and applied.released.n_records == 6, "no file leaves with somebody who was to wait"
    there = Dataset.from_ibis(ibis.memtable(original.records.astype("string")), roles=ROLES)
    for of in (there.digest, OTHER_FILE):
        with refused("records-in-a-database") as caught:
            HoldBack((0,), of, 1).apply(there)
        assert "Load the table as a file" in str(caught.value)
    with refused("row-unknown") as caught:
        HoldBack((0, 6), original.digest, 2).apply(original)
    assert "record 7 of the file" in str(caught.value) and "6 records" in str(caught.value)


def test_other_records_give_another_key():
    original = data_of(VISITS)
    one, other = (HoldBack((row,), original.digest, 1) for row in (0, 1))
    keys = {each.apply(original).key for each in (one, other)}
    assert len(keys | {original.key}) == 3
    assert one.apply(original).key == one.with_reason("few").apply(original).key
    assert HoldBack((), original.digest, 0).apply(original) is original


def test_it_comes_before_all_others_and_searches_protect_what_it_leaves():
    original = data_of(VISITS)
    step, earlier = HoldBack((1, 5), original.digest, 1), Recipe.of([ShiftDates(("seen",), secret=SECRET), LeaveOut(2)])
    recipe = earlier.take([step], original)
    assert recipe.enabled == (step, *earlier.enabled) and step in recipe.ahead.enabled
    assert recipe.take([Recode("age", Intervals(10))]).enabled[0] == step
    assert recipe.without(original.columns).enabled[0] == step, "it is about no column"
    assert rows_of(Recipe.of([step]).to_protect(original).held) == rows_of(step.apply(original).held)
    assert step.apply_to_population(original) is original
    assert step.columns == step.recodes == step.unseen(original) == step.emptied == ()
    assert not step.leaves_out and step.n_named == 0 and step.without_named(lambda name: False) is step
    assert step.knowing(original) is step
    assert STEP_KINDS["hold_back"] is HoldBack


def test_those_held_back_count_as_left_out():
    original = data_of(VISITS)
    recipe = Recipe.of([HoldBack((1, 5), original.digest, 1)])
    compared = compare(recipe.apply(original), recipe)
    assert compared.rows_kept == 4 / 6 and compared.persons_kept == 3 / 4
    finding = RecordsKept(0.7).check(case_with(original, *recipe.enabled, k=2))
    assert finding.state == State.NOT_MET and "25" in finding.says, "rows 67%, persons 75%"


def test_what_is_beside_a_release_does_not_tell_of_it():
    original = data_of(VISITS)
    recipe = Recipe.of([HoldBack((1, 5), original.digest, 1, reason="Too few are like them.")])
    applied = recipe.apply(original)
    book = codebook(applied.released, recipe)
    assert "old back" not in book.columns.to_csv() + book.levels.to_csv() + str(book.notes)
    assert book.notes == codebook(applied.released, Recipe()).notes
    assert value_mapping(applied, recipe).empty


# ---- said and saved ----


def test_it_is_described_by_how_many_they_are():
    of = OTHER_FILE
    steps = HoldBack((3, 4), of, 1), HoldBack((1, 2), of, 12), HoldBack((5,), of, 1, "records")
    assert [step.describe() for step in steps] == [
        "Hold back 1 person until enough others are like them",
        "Hold back 12 persons until enough others are like them",
        "Hold back 1 record until enough others are like them",
    ]


@settings(200)
@given(
    st.sets(st.integers(0, 60)), st.integers(0, 99), st.sampled_from(["persons", "records"]), st.text("a“", max_size=3)
)
def test_it_is_kept_and_read_as_it_is(rows, persons, unit, reason):
    step = HoldBack(tuple(sorted(rows)), "0123456789abcdef" * 4, persons, unit, reason)
    recipe = Recipe.of([step])
    again = Recipe.from_json(recipe.to_json())
    assert again == recipe and again.digest == recipe.digest and again.enabled[0].rows == step.rows
    runs = step.to_dict()["rows"]
    assert [row for first, last in runs for row in range(first, last + 1)] == sorted(rows)
    assert all(after[0] > before[1] + 1 for before, after in pairwise(runs)), "no two could be one"


def test_a_thousand_neighbours_are_short():
    step = HoldBack((3, 4, 5, 9, *range(100, 1_100)), OTHER_FILE, 4)
    assert step.to_dict()["rows"] == [[3, 5], [9, 9], [100, 1099]]
    assert len(json.dumps(step.to_dict())) < 250 and len(repr(step)) < 200
    assert HoldBack(tuple(np.array([3, 4])), OTHER_FILE, 1) == HoldBack((3, 4), OTHER_FILE, 1)


WRONG = [
    {"rows": "0"}, {"rows": {"0": 1}}, {"rows": [0]}, {"rows": [[0]]}, {"rows": [[0, 1, 2]]}, {"rows": [["0", "1"]]},
    {"rows": [[-1, 0]]}, {"rows": [[0.0, 1.0]]}, {"rows": [[True, True]]}, {"rows": [[3, 2]]},
    {"rows": [[3, 5], [5, 6]]}, {"rows": [[5, 6], [1, 2]]}, {"rows": [[0, MOST_RECORDS]]}, {"rows": [[0, 10**30]]},
    {"rows": [[10**30, 10**30]]}, {"of": ""}, {"of": "0" * 63}, {"of": "G" * 64}, {"of": None}, {"persons": -1},
    {"persons": 1.5}, {"persons": True}, {"unit": "rows"}, {"unit": None}, {"reason": 1},
]  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_what_it_cannot_be_is_refused(wrong):
    values = {"kind": "hold_back", "rows": [[3, 5]], "of": OTHER_FILE, "persons": 3, **wrong}
    with pytest.raises(ValueError, match="Step 1 of the recipe: "):
        Recipe.from_json(json.dumps({"format": "anonscope-recipe", "version": 1, "steps": [values]}))


@pytest.mark.parametrize("lacking", ["rows", "of", "persons"])
def test_what_it_lacks_is_refused(lacking):
    values = {"kind": "hold_back", "rows": [[3, 5]], "of": OTHER_FILE, "persons": 3}
    with refused("recipe-damaged"):
        Recipe.from_list([{name: value for name, value in values.items() if name != lacking}])


def test_positions_are_ascending_each_once():
    for rows in ((1, 0), (2, 2)):
        with refused("positions-not-ascending"):
            HoldBack(rows, OTHER_FILE, 1)
    with refused("number-out-of-range"):
        HoldBack((-1, 0), OTHER_FILE, 1)


def test_a_project_and_its_script_make_the_same_release_again():
    frame = visits(40)
    digest = LoadedFile.of(as_bytes(frame), "visits.csv").digest
    project = opened(frame, HoldBack((0, 1, 2, 39), digest, 4, "records"), LeaveOut(2))
    again = Project.from_json(project.project.to_json())
    assert again.recipe == project.project.recipe and not project.project.unsaved_columns
    same = open_project(again, LoadedFile.of(as_bytes(frame), "visits.csv"))
    assert released_file(same) == released_file(project)
    evidence = gather(same, parts=())
    assert "1. Hold back 4 records until enough others are like them" in script_of(same, evidence)
    german, missing = translated(report_of(evidence, "assessment"), "de", names_in(evidence))
    assert "4 Datensätze zurückhalten, bis genügend andere ihnen gleichen" in str(german)
    assert not [text for text in missing if "old back" in text]
    next_month = open_project(again, LoadedFile.of(as_bytes(visits(41)), "visits.csv"))
    assert next_month.applied.why_not, "nobody is held back of a file by the positions of another"


def test_it_can_be_written_by_hand():
    text = f"""
[roles]
age = "quasi_identifier"

[[steps]]
kind = "hold_back"
rows = [[3, 5], [9, 9]]
of = "{OTHER_FILE}"
persons = 4
"""
    assert from_toml(text).recipe.enabled == (HoldBack((3, 4, 5, 9), OTHER_FILE, 4),)
