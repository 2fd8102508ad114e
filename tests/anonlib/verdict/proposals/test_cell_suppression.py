"""Blank cells as a proposal: what is taken holds on the bytes that leave, and loses what the proposal says."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given

from anonlib.analyses.generalization.search import NothingFound, cell_suppression
from anonlib.basics.budget import about_seconds
from anonlib.coarsening.hierarchies import intervals
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import BlankCells
from anonlib.verdict.criteria import SmallestClass
from anonlib.verdict.proposals import Adviser, Asked, Proposal, how_sure, why_no_blanks
from tests.helpers.adviser import SAME
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.proposals import advisers, check_taken, loss_of_cells
from tests.helpers.small_release import PERSON, QI
from tests.helpers.ways import blank_cells


@pytest.mark.parametrize("most_rows", [12, 0], ids=["every way weighed", "split from the top"])
@settings(max_examples=150)
@given(advisers())
def test_blanks_hold_on_the_bytes_that_leave(most_rows, adviser):
    """Every criterion that was searched is met by the release, and its cells lose what the proposal says."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(cell_suppression, "MOST_ROWS", most_rows)
        _check(adviser)


def _check(adviser: Adviser) -> None:
    asked = adviser.asked
    proposal = blank_cells(adviser, about_seconds(0.2))
    if isinstance(proposal, NothingFound):
        assert not proposal.proven
        return
    assert proposal.least_change.with_blanks and not proposal.least_change.proven
    assert not set(proposal.changes) & {*asked.fixed}
    may_be = {*(adviser.data.sensitive if asked.coarsenable is None else asked.coarsenable)}
    left_out = {name for name, how in proposal.changes.items() if how == "dropped"}
    of_sensitive = {
        name: how for name, how in proposal.changes.items() if name in adviser.data.sensitive and name not in left_out
    }
    assert set(of_sensitive) <= may_be and not any("blank" in how for how in of_sensitive.values()), "at most in bands"
    check_taken(adviser, proposal)
    has_all_bands = not (
        of_sensitive and proposal.left_out
    )  # else nobody sees in which band a value was that left nowhere
    if asked.data.person_id is None and has_all_bands:
        released = proposal.taken(Recipe(), asked.data).apply(asked.data).released
        assert proposal.loss == pytest.approx(loss_of_cells(adviser, proposal, released), abs=SAME)


AGES = ["31"] * 4 + ["40"] * 3 + ["47", "85", "86"]


def ages(values: list[str | None], k: int, **fields) -> Adviser:
    data = Dataset.from_frame(pd.DataFrame({"age": values}, dtype=object), roles={"age": QI}, **fields)
    return Adviser(Asked(data, (SmallestClass(k),), {"age": intervals([10])}))


def test_what_becomes_of_a_column_is_in_words():
    proposal = blank_cells(ages(AGES, 3))
    assert isinstance(proposal, Proposal) and proposal.changes == {"age": "30% blank"} and proposal.levels == {}
    assert [type(step) for step in proposal.steps] == [BlankCells] and proposal.loss == pytest.approx(0.3)
    assert how_sure(proposal.least_change) == "Least found by trying levels and leaving cells blank, not proven."
    coarser = blank_cells(ages([*map(str, range(30, 40)), "85"], 3))
    assert isinstance(coarser, Proposal) and "; " not in coarser.changes["age"]
    alike = blank_cells(ages(AGES, 1))
    assert isinstance(alike, Proposal) and (alike.steps, alike.changes, alike.loss) == ((), {}, 0)


def test_a_blank_and_a_missing_cell_are_one_value():
    """Two lack an age; the third of their class may be blank, and no more needs to be."""
    proposal = blank_cells(ages([*AGES[:7], None, None, "85"], 3))
    assert isinstance(proposal, Proposal) and proposal.changes == {"age": "10% blank"}
    assert proposal.loss == pytest.approx(0.1)


def test_where_who_lacks_a_value_is_left_out_no_cell_is_blank():
    adviser = ages([*AGES, None], 3, missing="drop")
    assert "Data page" in why_no_blanks(adviser) and isinstance(blank_cells(adviser), NothingFound)
    step = blank_cells(ages(AGES, 3)).steps[0]
    with refused("records-in-a-database"):
        step.apply(adviser.data)


def test_persons_with_several_rows_keep_whole_columns():
    rows = {"age": ["31", "31", "40"], "id": ["1", "1", "2"]}
    data = Dataset.from_frame(pd.DataFrame(rows), roles={"age": QI, "id": PERSON})
    adviser = Adviser(Asked(data, (SmallestClass(1),)))
    assert "one level a column" in why_no_blanks(adviser) and isinstance(blank_cells(adviser), NothingFound)


def test_blanks_are_not_taken_for_whole_columns():
    proposal = blank_cells(ages(AGES, 3))
    assert not proposal.is_like(replace(proposal, changes={}))
    assert why_no_blanks(ages(AGES, 3)) == ""
