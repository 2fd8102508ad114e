"""What is needed is not dropped while anything else may give way, and the answer holds on what leaves."""

from __future__ import annotations

import random
from dataclasses import replace

import pandas as pd

from anonlib.analyses.utility.purposes import UsefulColumns
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import Aim, AloneByWhatLeaves, Case, RecordsKept, SmallestClass
from anonlib.verdict.proposals import Adviser, Asked, Proposal, part_by_part, whole_columns
from anonlib.verdict.proposals.needed_stay import or_needed_stay

KNOWN = ("age", "ward", "month")
CRITERIA = (SmallestClass(5), RecordsKept(0.95), AloneByWhatLeaves(known=3, k=5, most=0.001, below=0.05))


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
        aim = replace(Aim.for_recipient("public"), criteria=CRITERIA, purposes=purposes)
        found[bool(purposes)] = or_needed_stay(part_by_part)(Adviser(Asked.of(data, aim, {})))
    unneeded, needed = found[False], found[True]
    assert isinstance(unneeded, Proposal) and isinstance(needed, Proposal)
    assert unneeded.columns_out == ("ill",) and needed.columns_out == (), "else nothing is shown here"
    recipe = needed.taken(Recipe(), data)
    applied = recipe.apply(data)
    case = Case(applied, recipe)
    assert all(each.check(case).is_met for each in CRITERIA)
    released = applied.released.records
    assert released["ill"].nunique() > 1
    assert released.groupby(list(KNOWN), observed=True, dropna=False).size().min() >= 5


def test_where_nothing_is_dropped_or_needed_the_answer_is_the_searchs() -> None:
    asked = []

    def search(adviser, budget=None, watch=None):
        asked.append(adviser)
        return whole_columns(adviser)

    aim = replace(Aim.for_recipient("public"), criteria=(SmallestClass(5),), purposes=(UsefulColumns(("ill",)),))
    assert isinstance(or_needed_stay(search)(Adviser(Asked.of(patients(), aim, {}))), Proposal)
    assert len(asked) == 1
