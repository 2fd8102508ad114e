"""Sensitive columns that give way where nothing does with all of them: which, for how long, and what is said of it."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.guarantees as slow
from anonlib.analyses.generalization.search import NothingFound
from anonlib.coarsening.hierarchies import Hierarchy, intervals
from anonlib.counting.privacy_models import AttributeDisclosure
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns
from anonlib.verdict.criteria import ColumnsStay, Inference, RecordsKept, SmallestClass
from anonlib.verdict.proposals import Adviser, Asked, Proposal
from anonlib.verdict.proposals.giving_way import GivingWay, what_gives_way
from tests.helpers.examples import settings
from tests.helpers.small_release import QI, SENSITIVE, column
from tests.helpers.ways import blank_cells, part_by_part, whole_columns

KNOWS_TWO = Inference(2, 0.0, 0.0, "other_sensitive")
NAMES = ("s", "t", "u", "v")


def adviser_of(frame: pd.DataFrame, *criteria, **fields) -> Adviser:
    roles = {name: QI if name in ("age", "zip") else SENSITIVE for name in frame.columns}
    data = Dataset.from_frame(frame.astype(object), roles=roles)
    hierarchies = {name: intervals([10]).with_top() for name in frame.columns if roles[name] is QI}
    return Adviser(Asked(data, criteria, hierarchies, coarsenable=(), **fields))


@settings(max_examples=60)
@given(
    st.lists(st.tuples(*[st.sampled_from(["0", "0", "1"])] * 4), min_size=3, max_size=9), st.sampled_from([(), ("s",)])
)
def test_the_others_hold_by_plain_counting_and_nothing_more_does(rows, stay):
    """Nobody may be left out here: of nobody a column that stays is certain, and with one more column it is."""
    frame = pd.DataFrame(rows, columns=list(NAMES))
    frame.insert(0, "age", "31")
    adviser = adviser_of(frame, KNOWS_TWO, RecordsKept(1.0), *([ColumnsStay(stay)] if stay else []))
    given_way = what_gives_way(adviser)
    records = frame.to_dict("records")

    def holds(names: list[str]) -> bool:
        asked = [
            AttributeDisclosure(columns=tuple(n for n in names if n != name), sensitive=name, known=2) for name in names
        ]
        return not any(slow.violating(records, [1] * len(records), each) for each in asked)

    if given_way is None:
        assert holds(list(NAMES)) or (stay and not holds(list(stay)))
        return
    assert not set(given_way.left_out) & set(stay) and given_way.left_out and not given_way.levels
    left = [name for name in NAMES if name not in given_way.left_out]
    assert holds(left)
    assert not any(holds([*left, name]) for name in given_way.left_out)


def sick(**columns: list[str]) -> pd.DataFrame:
    """Eight persons of one age, and what is known of them."""
    return pd.DataFrame({"age": ["31", "32"] * 4, **columns})


ILL, WELL = ["flu", "flu", "cold", "cold"] * 2, ["yes", "no"] * 4
NEVER = ["no"] * 8


@pytest.mark.parametrize("search", [whole_columns, part_by_part, blank_cells])
def test_what_is_the_same_for_all_is_left_out_and_counts_as_lost(search):
    """A column of one value is certain to everybody. The others stay, and what it held counts as lost."""
    adviser = adviser_of(sick(ill=ILL, well=WELL, never=NEVER), SmallestClass(2), Inference(1))
    assert isinstance(adviser.most_detail(), NothingFound)
    proposal = search(adviser)
    assert isinstance(proposal, Proposal)
    assert proposal.changes["never"] == "dropped" and not {"ill", "well"} & set(proposal.changes)
    assert DropColumns(("never",), "for the verdict") in proposal.steps and not proposal.least_change.proven
    applied = proposal.taken(Recipe(), adviser.data).apply(adviser.data)
    assert "never" not in applied.released.columns and column(applied.released, "ill") == ILL
    rest = search(adviser_of(sick(ill=ILL, well=WELL), SmallestClass(2), Inference(1)))
    assert isinstance(rest, Proposal)
    assert proposal.loss == pytest.approx((3 * rest.loss + 1) / 4)


@pytest.mark.parametrize("needed", ["ill", "twin"])
@pytest.mark.parametrize("search", [whole_columns, part_by_part, blank_cells])
def test_of_two_that_tell_each_other_the_one_that_is_needed_stays_whatever_the_other_weighs(search, needed):
    (other,) = {"ill", "twin"} - {needed}
    twins = sick(ill=ILL, twin=[{"flu": "a", "cold": "b"}[value] for value in ILL])
    fields = {"needed": (needed,), "weights": {other: 3.0, needed: 1.0}}
    proposal = search(adviser_of(twins, SmallestClass(2), KNOWS_TWO, RecordsKept(1.0), **fields))
    assert isinstance(proposal, Proposal) and proposal.columns_out == (other,)


def test_what_must_stay_stays_and_where_everything_holds_nothing_gives_way():
    assert what_gives_way(adviser_of(sick(ill=ILL, well=WELL), SmallestClass(2), Inference(1))) is None
    criteria = (SmallestClass(2), Inference(1), ColumnsStay(("never",)))
    adviser = adviser_of(sick(ill=ILL, never=NEVER), *criteria)
    assert what_gives_way(adviser) is None
    assert isinstance(whole_columns(adviser), NothingFound)


def test_what_matters_most_stays_longest():
    """Of two columns that give each other away either could go."""
    twins = {"ill": ILL, "drug": [{"flu": "a", "cold": "b"}[each] for each in ILL]}
    for name, other in (("ill", "drug"), ("drug", "ill")):
        adviser = adviser_of(sick(**twins), Inference(1, knows="other_sensitive"), weights={name: 3.0})
        assert what_gives_way(adviser) == GivingWay((other,))


def test_a_column_is_coarser_before_it_is_left_out():
    """By the day somebody is alone and their illness certain, by the week nobody is."""
    days = ["1", "2", "3", "4", "11", "12", "13", "14"]
    frame = sick(ill=ILL, day=days)
    data = Dataset.from_frame(frame.astype(object), roles={"age": QI, "ill": SENSITIVE, "day": SENSITIVE})
    hierarchies = {"age": intervals([10]).with_top(), "day": intervals([10]), "ill": Hierarchy()}
    adviser = Adviser(Asked(data, (Inference(1, knows="other_sensitive"),), hierarchies))
    given_way = what_gives_way(adviser)
    assert given_way == GivingWay((), {"day": 1})
    proposal = whole_columns(adviser)
    assert isinstance(proposal, Proposal) and "day" in proposal.changes
    released = proposal.taken(Recipe(), data).apply(data).released
    assert len(set(column(released, "day"))) == 2 and column(released, "ill") == ILL
