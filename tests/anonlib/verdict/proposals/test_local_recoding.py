"""Part by part as a proposal: what is taken holds on the bytes that leave, and what becomes of a column is in words."""

from __future__ import annotations

from collections import Counter

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.generalization.search import NothingFound
from anonlib.coarsening.hierarchies import intervals
from anonlib.counting.privacy_models import ALL, VALUES
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import Inference, SmallestClass
from anonlib.verdict.proposals import Adviser, Asked, Proposal, how_sure
from tests.helpers.examples import settings
from tests.helpers.proposals import advisers, check_taken
from tests.helpers.small_release import PERSON, QI, SENSITIVE, WEIGHT, column
from tests.helpers.ways import part_by_part


@settings(max_examples=200)
@given(advisers())
def test_parts_hold_on_the_bytes_that_leave(adviser):
    """Every criterion that was searched is met by the release, and its cells lose what the proposal says."""
    proposal = part_by_part(adviser)
    if isinstance(proposal, NothingFound):
        assert not proposal.proven
        return
    assert proposal.least_change.by_parts and not proposal.least_change.proven
    assert not set(proposal.levels) & set(adviser.asked.fixed)
    check_taken(adviser, proposal)


def test_what_becomes_of_a_column_is_given_in_shares_of_the_records():
    ages = ["31"] * 4 + ["40"] * 3 + ["47", "85", "86"]
    data = Dataset.from_frame(pd.DataFrame({"age": ages}), roles={"age": QI})
    proposal = part_by_part(Adviser(Asked(data, (SmallestClass(3),), {"age": intervals([10])})))
    assert isinstance(proposal, Proposal) and proposal.changes == {"age": "70% as it is, 30% removed"}
    assert how_sure(proposal.least_change) == "Least found by splitting the file from the top, not proven."
    alike = part_by_part(Adviser(Asked(data, (SmallestClass(1),), {"age": intervals([10])})))
    assert isinstance(alike, Proposal) and (alike.steps, alike.changes, alike.loss) == ((), {}, 0)


PEOPLE = st.tuples(st.integers(20, 39), st.integers(0, 20), st.sampled_from("stu"), st.integers(0, 4))


@settings(max_examples=30)
@given(st.lists(PEOPLE, min_size=2, max_size=20), st.integers(1, 4))
def test_a_row_of_so_many_persons_is_as_so_many_rows(people, k):
    """Of the same persons, each row with their number or each with a row, the same leaves."""
    weighted = pd.DataFrame(people, columns=["age", "zip", "ill", "persons"]).astype(str)
    number = weighted["persons"].astype(int)
    if not number.any():
        return
    repeated = weighted.loc[weighted.index.repeat(number)].drop(columns="persons").reset_index(drop=True)
    roles = {"age": QI, "zip": QI, "ill": SENSITIVE}
    rows, of_weighted = leaving(Dataset.from_frame(weighted, roles=roles | {"persons": WEIGHT}), k)
    rows_alone, of_repeated = leaving(Dataset.from_frame(repeated, roles=roles), k)
    assert of_weighted == of_repeated
    assert Counter(row[:3] for row in rows for _ in range(int(row[3]))) == Counter(rows_alone)


def leaving(data: Dataset, k: int) -> tuple[list[tuple], tuple]:
    """The rows that leave, and what is lost for it: no detail, no rows where there is no proposal."""
    hierarchies = {"age": intervals([5, 10]), "zip": intervals([10])}
    proposal = part_by_part(Adviser(Asked(data, (SmallestClass(k), Inference(2)), hierarchies)))
    if isinstance(proposal, NothingFound):
        return [], (None,)
    released = proposal.taken(Recipe(), data).apply(data).released
    there = [
        column(released, name) if name in released.columns else [None] * released.n_records for name in data.columns
    ]
    rows = list(zip(*there, strict=True))
    return rows, (proposal.loss, proposal.left_out, proposal.n_records)


VISITS = {"age": ["31", "33", "31", "34", "40", "41"], "id": ["1", "1", "2", "2", "3", "4"]}


def visits() -> Dataset:
    return Dataset.from_frame(pd.DataFrame(VISITS), roles={"age": QI, "id": PERSON})


def test_rows_of_persons_are_coarser_each_for_itself():
    """Persons of two visits are alike in the first; all others are in one band."""
    data = visits()
    proposal = part_by_part(Adviser(Asked(data, (SmallestClass(2, rows=(ALL,)),), {"age": intervals([10])})))
    assert isinstance(proposal, Proposal)
    assert (proposal.left_out, proposal.rows_out, proposal.n_records, proposal.n_rows) == (0, 0, 4, 6)
    released = proposal.taken(Recipe(), data).apply(data).released
    pairs = sorted(zip(column(released, "id"), column(released, "age"), strict=True))
    assert [age for _, age in pairs] == ["30-39", "31", "30-39", "31", "40-49", "40-49"]
    assert proposal.changes == {"age": "33.3% as it is, 66.7% coarser"}


def test_persons_of_whom_only_the_values_of_each_column_may_be_known_have_no_parts():
    adviser = Adviser(Asked(visits(), (SmallestClass(1, rows=(VALUES,)),)))
    assert part_by_part(adviser) == NothingFound(proven=False, finished=True, complete=False)
