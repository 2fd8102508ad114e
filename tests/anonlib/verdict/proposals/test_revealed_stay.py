"""A column that another one tells beside its label stays as it is, and the others give way for it."""

from __future__ import annotations

import random

import pandas as pd
import pytest

from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import PARTS, Case, SmallestClass, TellingColumns, judge
from anonlib.verdict.proposals import Adviser, Asked, Proposal
from anonlib.verdict.proposals.offers import AT_ONCE, kinds_of
from anonlib.verdict.proposals.parts import part_by_part
from tests.helpers.small_release import QI, SENSITIVE

ILLNESSES = {f"ward {i}": [f"illness {i}{letter}" for letter in "abc"] for i in range(8)}
CRITERIA = (SmallestClass(5), TellingColumns(0))


@pytest.fixture(scope="module")
def data() -> Dataset:
    """Each illness is treated on one ward; ages and places leave everybody rather alone."""
    draw = random.Random(4)
    rows = []
    for _ in range(300):
        ward = draw.choice(list(ILLNESSES))
        illness = draw.choice(ILLNESSES[ward])
        rows.append((str(draw.randint(20, 79)), f"8{draw.randrange(12):03}", ward, illness))
    frame = pd.DataFrame(rows, columns=["age", "zip", "ward", "illness"])
    return Dataset.from_frame(frame, roles={"age": QI, "zip": QI, "ward": QI, "illness": SENSITIVE})


def against(proposal: Proposal, data: Dataset) -> list[str]:
    recipe = proposal.taken(Recipe(), data)
    verdict = judge(Case(recipe.apply(data), recipe), CRITERIA, recipient="Own")
    return [finding.criterion.title for finding in verdict.against]


def test_what_another_column_tells_anyway_is_not_made_coarser(data):
    adviser = Adviser(Asked(data, CRITERIA))
    alone = part_by_part(adviser, AT_ONCE, None)
    assert (
        isinstance(alone, Proposal)
        and "ward" in alone.levels
        and against(alone, data) == ["Columns that reveal another"]
    )
    (kind,) = kinds_of([PARTS])
    proposal = kind.search(Adviser(Asked(data, CRITERIA)), AT_ONCE, None)
    assert isinstance(proposal, Proposal) and "ward" not in proposal.levels and against(proposal, data) == []
    released = proposal.taken(Recipe(), data).apply(data).released.records
    sizes = released.groupby(["age", "zip", "ward"], dropna=False).size()
    assert sizes.min() >= 5 and (released["ward"] != "*").all(), "counted on what leaves"


def test_without_the_criterion_nothing_is_searched_again(data):
    (kind,) = kinds_of([PARTS])
    proposals = [search(Adviser(Asked(data, CRITERIA[:1])), AT_ONCE, None) for search in (kind.search, part_by_part)]
    assert proposals[0].is_like(proposals[1])
