"""A column that tells what another loses is made coarser with it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

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


def adviser(*criteria, widths: Sequence[float] = (4,)) -> Adviser:
    """Forty persons by school, and by the years of it, of which nobody said whether they can be known."""
    frame = pd.DataFrame({"school": SCHOOLS * 5, "years": YEARS * 5}, dtype=object)
    ways = {"school": Hierarchy((GROUPS,)).with_top(), "years": intervals(widths).with_top()}
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


def test_a_column_that_tells_all_the_same_on_its_first_level_goes_up_further():
    """On the first level the years are what they were but for 13: their labels tell the school of nearly all."""
    asked = (SmallestClass(11), ColumnsNotCounted(5), TellingColumns(0))
    proposal = whole_columns(adviser(*asked, widths=(1, 4)))
    assert isinstance(proposal, Proposal) and proposal.levels == {"school": 1, "years": 2}


def test_of_an_age_in_bands_the_last_digit_does_not_stay_beside_it():
    """Beside the band each last digit is an age; without the digits of its own, two ages are one label."""
    ages = [20 + i % 20 for i in range(400)]
    frame = pd.DataFrame({"age": ages, "last": [age % 10 for age in ages], "coin": ["a", "b"] * 200}).astype(str)
    ways = {"age": intervals([10]).with_top(), "last": intervals([5]).with_top()}
    asked = (SmallestClass(50), ColumnsNotCounted(10), TellingColumns(0))
    question = Adviser(Asked(Dataset.from_frame(frame, roles={"age": QI}), asked, ways))
    bare = question.most_detail()
    assert isinstance(bare, Proposal) and bare.levels == {"age": 1}
    recipe = bare.taken(Recipe(), question.data)
    finding = TellingColumns(0).check(Case(recipe.apply(question.data), recipe))
    assert (finding.is_met, finding.columns) == (False, ("last",))
    assert finding.says == (
        "last and the released label of age together reveal age of 100% (400 of 400 records). Without last none "
        "reveals another."
    )

    numbered = frame[["age"]].assign(no=[f"{i // 20:02}{age % 10}" for i, age in enumerate(ages)])
    read = TellingColumns(0).check(Case(recipe.apply(Dataset.from_frame(numbered, roles={"age": QI})), recipe))
    assert (read.is_met, read.columns) == (False, ("no",))
    assert " of no and the released label of age together reveal age of 100% (400 of 400 records)." in read.says

    proposal = whole_columns(question)
    assert isinstance(proposal, Proposal) and proposal.levels == {"age": 1, "last": 1}
    recipe = proposal.taken(Recipe(), question.data)
    released = recipe.apply(question.data).released
    ages_of = defaultdict(set)
    for age, *labels in zip(ages, *(column(released, name) for name in ("age", "last", "coin")), strict=True):
        ages_of[tuple(labels)].add(age)
    assert all(len(possible) > 1 for possible in ages_of.values())


def test_a_column_that_must_stay_does_and_the_verdict_finds_what_it_tells():
    question = adviser(SmallestClass(11), ColumnsNotCounted(5), TellingColumns(0), ColumnsStay(("years",)))
    proposal = whole_columns(question)
    assert isinstance(proposal, Proposal) and "years" not in proposal.levels
    recipe = proposal.taken(Recipe(), question.data)
    assert not TellingColumns(0).check(Case(recipe.apply(question.data), recipe)).is_met
