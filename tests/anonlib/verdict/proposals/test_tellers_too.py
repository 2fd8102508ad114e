"""A column that tells what another loses is made coarser with it."""

from __future__ import annotations

import pandas as pd

from anonlib.coarsening.hierarchies import Hierarchy, intervals
from anonlib.coarsening.recoding import ValueMap
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import Case, ColumnsNotCounted, ColumnsStay, SmallestClass, TellingColumns
from anonlib.verdict.proposals import Adviser, Asked, Proposal, whole_columns
from tests.helpers.small_release import QI, column

SCHOOLS = ["9th", "10th", "11th", "12th", "college", "college", "master", "doctor"]
YEARS = ["9", "10", "11", "12", "13", "13", "14", "16"]
GROUPS = ValueMap(
    tuple((school, "school" if school.endswith("th") else "college and above") for school in dict.fromkeys(SCHOOLS))
)


def adviser(*criteria) -> Adviser:
    """Forty persons by school, and by the years of it, of which nobody said whether they can be known."""
    frame = pd.DataFrame({"school": SCHOOLS * 5, "years": YEARS * 5}, dtype=object)
    ways = {"school": Hierarchy((GROUPS,)).with_top(), "years": intervals([4]).with_top()}
    return Adviser(Asked(Dataset.from_frame(frame, roles={"school": QI}), criteria, ways))


def test_what_could_be_read_off_a_column_that_nobody_counts_is_coarser_there_too():
    """By the school alone each class of the coarser level is large enough; the years alone would tell the school."""
    asked = (SmallestClass(11), ColumnsNotCounted(5), TellingColumns(0))
    question = adviser(*asked)
    bare = question.most_detail()
    assert isinstance(bare, Proposal) and set(bare.levels) == {"school"}
    proposal = whole_columns(question)
    assert isinstance(proposal, Proposal) and proposal.levels == {"school": 1, "years": 1}
    assert proposal.loss > bare.loss and not proposal.found.proven
    recipe = proposal.taken(Recipe(), question.data)
    applied = recipe.apply(question.data)
    assert all(criterion.check(Case(applied, recipe)).is_met for criterion in asked)
    released = column(applied.released, "years")
    schools_of = {years: {SCHOOLS[i % 8] for i in range(40) if released[i] == years} for years in released}
    assert sum(len(schools_of[years]) == 1 for years in released) == 5, "of the doctors alone, who are 5"


def test_a_column_that_must_stay_does_and_the_verdict_finds_what_it_tells():
    question = adviser(SmallestClass(11), ColumnsNotCounted(5), TellingColumns(0), ColumnsStay(("years",)))
    proposal = whole_columns(question)
    assert isinstance(proposal, Proposal) and "years" not in proposal.levels
    recipe = proposal.taken(Recipe(), question.data)
    assert not TellingColumns(0).check(Case(recipe.apply(question.data), recipe)).is_met
