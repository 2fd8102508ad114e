"""Part by part as a proposal: what is taken holds on the bytes that leave, and what becomes of a column is in words."""

from __future__ import annotations

import pandas as pd
from hypothesis import given

from anonlib.analyses.generalization.search import NothingFound
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import intervals
from anonlib.dataset import Dataset
from anonlib.verdict.criteria import SmallestClass
from anonlib.verdict.proposals import Adviser, Asked, Proposal, how_sure, part_by_part
from tests.helpers.examples import settings
from tests.helpers.proposals import check_taken, questions
from tests.helpers.small_release import PERSON, QI


@settings(max_examples=200)
@given(questions())
def test_parts_hold_on_the_bytes_that_leave(asked):
    """Every criterion that was searched is met by the release, and its cells lose what the proposal says."""
    try:
        adviser = Adviser(asked)
    except InputError:
        return
    proposal = part_by_part(adviser)
    if isinstance(proposal, NothingFound):
        assert not proposal.proven
        return
    assert proposal.found.by_parts and not proposal.found.proven
    assert not set(proposal.levels) & set(asked.fixed) and not set(proposal.levels) & set(adviser.data.sensitive)
    check_taken(adviser, proposal)


def test_what_becomes_of_a_column_is_given_in_shares_of_the_records():
    ages = ["31"] * 4 + ["40"] * 3 + ["47", "85", "86"]
    data = Dataset.from_frame(pd.DataFrame({"age": ages}), roles={"age": QI})
    proposal = part_by_part(Adviser(Asked(data, (SmallestClass(3),), {"age": intervals([10])})))
    assert isinstance(proposal, Proposal) and proposal.changes == {"age": "70% as it is, 30% all together"}
    assert how_sure(proposal.found) == "Least found by splitting the file from the top, not proven."
    alike = part_by_part(Adviser(Asked(data, (SmallestClass(1),), {"age": intervals([10])})))
    assert isinstance(alike, Proposal) and (alike.steps, alike.changes, alike.loss) == ((), {}, 0)


def test_persons_with_several_rows_have_no_parts():
    rows = {"age": ["31", "31", "40"], "id": ["1", "1", "2"]}
    data = Dataset.from_frame(pd.DataFrame(rows), roles={"age": QI, "id": PERSON})
    adviser = Adviser(Asked(data, (SmallestClass(1),)))
    assert data.has_several_rows and part_by_part(adviser) == NothingFound(proven=False, finished=True, complete=False)
