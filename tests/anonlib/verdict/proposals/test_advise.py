"""Stages of a search: columns that reveal others, parts that can be finer, and columns that are needed or revealed.

Whole columns: one that reveals what another loses is made coarser with it. Parts: of one fewer, as long as the average
is met; and what another column tells beside its label stays as it is, and the others give way for it. What is needed is
not dropped while anything else may give way. All is counted again in the records that leave.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.utility.purposes import UsefulColumns
from anonlib.coarsening.hierarchies import Hierarchy, intervals
from anonlib.coarsening.recoding import ValueMap
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import (
    PARTS,
    WAYS,
    Aim,
    AverageRisk,
    Case,
    ColumnsStay,
    NoRevealingColumns,
    RecordsKept,
    SmallestClass,
    UnclassifiedColumns,
    UniquenessOfRelease,
    judge,
)
from anonlib.verdict.proposals import Adviser, Asked, NothingFound, Proposal, advise
from anonlib.verdict.proposals.advise import finer_parts, needed_stay
from anonlib.verdict.proposals.offers import AT_ONCE, KINDS, kinds_of
from tests.helpers.examples import settings
from tests.helpers.small_release import QI, SENSITIVE, column
from tests.helpers.ways import blank_cells, part_by_part, whole_columns

# ---- whole columns, and those that reveal others ----

SCHOOLS = ["9th", "10th", "11th", "12th", "college", "college", "master", "doctor"]
YEARS = ["9", "10", "11", "12", "13", "13", "14", "16"]
GROUPS = ValueMap(
    tuple((school, "school" if school.endswith("th") else "college and above") for school in dict.fromkeys(SCHOOLS))
)


def of_schools(*criteria, widths: Sequence[float] = (4,)) -> Adviser:
    """Forty persons by school, and by the years of it, of which nobody said whether they can be known."""
    frame = pd.DataFrame({"school": SCHOOLS * 5, "years": YEARS * 5}, dtype=object)
    ways = {"school": Hierarchy((GROUPS,)).with_top(), "years": intervals(widths).with_top()}
    return Adviser(Asked(Dataset.from_frame(frame, roles={"school": QI}), criteria, ways))


def test_what_could_be_read_off_a_column_that_nobody_counts_is_coarser_there_too():
    """By the school alone each class of the coarser level is large enough; the years alone would tell the school."""
    asked = (SmallestClass(11), UnclassifiedColumns(5), NoRevealingColumns(0))
    question = of_schools(*asked)
    bare = question.most_detail()
    assert isinstance(bare, Proposal) and set(bare.levels) == {"school"}
    proposal = whole_columns(question)
    assert isinstance(proposal, Proposal) and proposal.levels == {"school": 1, "years": 1}
    assert proposal.loss > bare.loss and not proposal.least_change.proven
    recipe = proposal.taken(Recipe(), question.data)
    applied = recipe.apply(question.data)
    assert all(criterion.check(Case(applied, recipe)).is_met for criterion in asked)
    released = column(applied.released, "years")
    schools_of = {years: {SCHOOLS[i % 8] for i in range(40) if released[i] == years} for years in released}
    assert sum(len(schools_of[years]) == 1 for years in released) == 5, "of the doctors alone, who are 5"


def test_a_column_that_tells_all_the_same_on_its_first_level_goes_up_further():
    """On the first level the years are what they were but for 13: their labels tell the school of nearly all."""
    asked = (SmallestClass(11), UnclassifiedColumns(5), NoRevealingColumns(0))
    proposal = whole_columns(of_schools(*asked, widths=(1, 4)))
    assert isinstance(proposal, Proposal) and proposal.levels == {"school": 1, "years": 2}


def test_of_an_age_in_bands_the_last_digit_does_not_stay_beside_it():
    """Beside the band each last digit is an age; without the digits of its own, two ages are one label."""
    ages = [20 + i % 20 for i in range(400)]
    frame = pd.DataFrame({"age": ages, "last": [age % 10 for age in ages], "coin": ["a", "b"] * 200}).astype(str)
    ways = {"age": intervals([10]).with_top(), "last": intervals([5]).with_top()}
    asked = (SmallestClass(50), UnclassifiedColumns(10), NoRevealingColumns(0))
    question = Adviser(Asked(Dataset.from_frame(frame, roles={"age": QI}), asked, ways))
    bare = question.most_detail()
    assert isinstance(bare, Proposal) and bare.levels == {"age": 1}
    recipe = bare.taken(Recipe(), question.data)
    finding = NoRevealingColumns(0).check(Case(recipe.apply(question.data), recipe))
    assert (finding.is_met, finding.columns) == (False, ("last",))
    assert finding.says == (
        "last and the released label of age together reveal age of 100% (400 of 400 records). Without last none "
        "reveals another."
    )

    numbered = frame[["age"]].assign(no=[f"{i // 20:02}{age % 10}" for i, age in enumerate(ages)])
    read = NoRevealingColumns(0).check(Case(recipe.apply(Dataset.from_frame(numbered, roles={"age": QI})), recipe))
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
    question = of_schools(SmallestClass(11), UnclassifiedColumns(5), NoRevealingColumns(0), ColumnsStay(("years",)))
    proposal = whole_columns(question)
    assert isinstance(proposal, Proposal) and "years" not in proposal.levels
    recipe = proposal.taken(Recipe(), question.data)
    assert not NoRevealingColumns(0).check(Case(recipe.apply(question.data), recipe)).is_met


# ---- finer parts ----

PEOPLE = st.lists(
    st.tuples(st.integers(20, 60).map(str), st.sampled_from("abc"), st.sampled_from("fm")), min_size=8, max_size=60
)


def people_of(people: list[tuple[str, str, str]]) -> Dataset:
    frame = pd.DataFrame(people, columns=["age", "ward", "sex"], dtype=object)
    return Dataset.from_frame(frame, roles=dict.fromkeys(frame, Role.QUASI_IDENTIFIER))


@settings(40)
@given(PEOPLE, st.sampled_from([0.2, 0.25, 0.34]))
def test_the_average_is_met_by_those_that_leave_and_no_more_is_lost(people, limit) -> None:
    data = people_of(people)
    adviser = Adviser(Asked(data, (AverageRisk(limit), RecordsKept(0.9))))
    first, finer = part_by_part(adviser), finer_parts(part_by_part, adviser)
    assert isinstance(first, NothingFound) == isinstance(finer, NothingFound)
    if isinstance(first, NothingFound) or isinstance(finer, NothingFound):
        return
    assert finer.loss <= first.loss + 1e-12
    released = finer.taken(Recipe(), data).apply(data).released.records.astype(object)
    classes = released.fillna("").groupby(list(released), dropna=False).size()
    assert len(classes) / len(released) <= limit + 1e-12
    assert len(released) >= 0.9 * len(people)


def test_smaller_parts_lose_less_where_the_average_allows_it() -> None:
    draw = random.Random(2)
    data = people_of([(str(int(draw.gauss(50, 15))), draw.choice("aaab"), draw.choice("fm")) for _ in range(300)])
    asked = Asked(data, (AverageRisk(0.2), RecordsKept(0.95)))
    first, finer = part_by_part(Adviser(asked)), finer_parts(part_by_part, Adviser(asked))
    assert finer.loss < first.loss


@pytest.mark.parametrize("criteria", [(SmallestClass(5),), (SmallestClass(5), AverageRisk(0.2))])
def test_classes_that_must_be_as_large_stay_so(criteria) -> None:
    adviser = Adviser(Asked(people_of([(str(20 + i), "a", "fm"[i % 2]) for i in range(40)]), criteria))
    assert finer_parts(part_by_part, adviser).loss == part_by_part(adviser).loss


# ---- what is revealed anyway stays ----

ILLNESSES = {f"ward {i}": [f"illness {i}{letter}" for letter in "abc"] for i in range(8)}
OF_WARDS = (SmallestClass(5), NoRevealingColumns(0))


@pytest.fixture(scope="module")
def wards() -> Dataset:
    """Each illness is treated on one ward; ages and places leave everybody rather alone."""
    draw = random.Random(4)
    rows = []
    for _ in range(300):
        ward = draw.choice(list(ILLNESSES))
        illness = draw.choice(ILLNESSES[ward])
        rows.append((str(draw.randint(20, 79)), f"8{draw.randrange(12):03}", ward, illness))
    frame = pd.DataFrame(rows, columns=["age", "zip", "ward", "illness"])
    return Dataset.from_frame(frame, roles={"age": QI, "zip": QI, "ward": QI, "illness": SENSITIVE})


def against(proposal: Proposal, wards: Dataset) -> list[str]:
    recipe = proposal.taken(Recipe(), wards)
    verdict = judge(Case(recipe.apply(wards), recipe), OF_WARDS, recipient="Own")
    return [finding.criterion.title for finding in verdict.against]


def test_what_another_column_tells_anyway_is_not_made_coarser(wards):
    adviser = Adviser(Asked(wards, OF_WARDS))
    alone = part_by_part(adviser, AT_ONCE, None)
    assert (
        isinstance(alone, Proposal)
        and "ward" in alone.levels
        and against(alone, wards) == ["Columns that reveal another"]
    )
    (kind,) = kinds_of([PARTS])
    proposal = kind.search(Adviser(Asked(wards, OF_WARDS)), AT_ONCE, None)
    assert isinstance(proposal, Proposal) and "ward" not in proposal.levels and against(proposal, wards) == []
    released = proposal.taken(Recipe(), wards).apply(wards).released.records
    sizes = released.groupby(["age", "zip", "ward"], dropna=False).size()
    assert sizes.min() >= 5 and (released["ward"] != "*").all(), "counted on what leaves"


def test_without_the_criterion_nothing_is_searched_again(wards):
    (kind,) = kinds_of([PARTS])
    proposals = [search(Adviser(Asked(wards, OF_WARDS[:1])), AT_ONCE, None) for search in (kind.search, part_by_part)]
    assert proposals[0].is_like(proposals[1])


# ---- what is needed stays ----

KNOWN = ("age", "ward", "month")
OF_PATIENTS = (SmallestClass(5), RecordsKept(0.95), UniquenessOfRelease(known=3, k=5, most=0.001, below=0.05))


def patients() -> Dataset:
    """A thousand, each of one of six illnesses, some of them rare."""
    draw = random.Random(1)
    rows = [
        (
            str(draw.randint(20, 80)), draw.choice("ABCDEF"), f"2024-{draw.randint(1, 12):02}",
            f"illness {min(int(draw.expovariate(0.3)), 5)}",
        )
        for _ in range(1_000)
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=[*KNOWN, "ill"], dtype=object)
    return Dataset.from_frame(frame, roles=dict.fromkeys(KNOWN, Role.QUASI_IDENTIFIER) | {"ill": Role.SENSITIVE})


def test_a_column_that_is_needed_stays_where_known_ones_become_coarser() -> None:
    data, found = patients(), {}
    for purposes in ((), (UsefulColumns(("ill",)),)):
        aim = replace(Aim.for_recipient("public"), criteria=OF_PATIENTS, purposes=purposes)
        found[bool(purposes)] = needed_stay(part_by_part, Adviser(Asked.of(data, aim, {})))
    unneeded, needed = found[False], found[True]
    assert isinstance(unneeded, Proposal) and isinstance(needed, Proposal)
    assert unneeded.columns_out == ("ill",) and needed.columns_out == (), "else nothing is shown here"
    recipe = needed.taken(Recipe(), data)
    applied = recipe.apply(data)
    case = Case(applied, recipe)
    assert all(each.check(case).is_met for each in OF_PATIENTS)
    released = applied.released.records
    assert released["ill"].nunique() > 1
    assert released.groupby(list(KNOWN), observed=True, dropna=False).size().min() >= 5


def test_where_nothing_is_dropped_or_needed_the_answer_is_the_searchs() -> None:
    asked = []

    def search(adviser, budget=None, progress=None):
        asked.append(adviser)
        return whole_columns(adviser)

    aim = replace(Aim.for_recipient("public"), criteria=(SmallestClass(5),), purposes=(UsefulColumns(("ill",)),))
    assert isinstance(needed_stay(search, Adviser(Asked.of(patients(), aim, {}))), Proposal)
    assert len(asked) == 1


# ---- the order of the stages ----


def test_a_proposal_of_each_way_is_what_its_kind_searches(wards):
    """Improvements come last: without what they look at, a first answer is the proposal."""
    for way, first in zip(WAYS, (whole_columns, blank_cells, part_by_part), strict=True):
        adviser = Adviser(Asked(wards, OF_WARDS[:1]))
        (kind, *_) = (kind for kind in KINDS if kind.way == way)
        answers = [advise(way, adviser), kind.search(adviser), first(adviser)]
        assert all(isinstance(each, Proposal) and each.is_like(answers[0]) for each in answers)
