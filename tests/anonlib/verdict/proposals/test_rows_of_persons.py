"""Proposals for a recipe that limits rows or moves dates: searched on what these leave, and true of what leaves."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest

from anonlib.basics.budget import about_seconds
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import AtMostRows, ShiftDates, Step
from anonlib.verdict.criteria import Aim
from anonlib.verdict.proposals import Adviser, Asked, Proposal
from tests.helpers.ways import whole_columns

SECRET = "00112233445566778899aabbccddeeff"
ROLES = {"id": Role.PERSON_ID, "seen": Role.QUASI_IDENTIFIER, "age": Role.QUASI_IDENTIFIER, "ill": Role.SENSITIVE}
LIMITED, MOVED = AtMostRows(1, "first", "seen", secret=SECRET), ShiftDates(("seen",), secret=SECRET)
SINCE = ShiftDates(("seen",), "since_first")


def visits(n: int = 300) -> Dataset:
    rng = np.random.default_rng(2)
    ids = rng.integers(0, 120, n)
    seen = [(date(2018, 1, 1) + timedelta(int(i))).isoformat() for i in rng.integers(0, 1_500, n)]
    columns = {
        "id": [f"p{i}" for i in ids],
        "seen": seen,
        "age": (30 + ids % 30).astype(str),
        "ill": rng.choice([*"ab"], n),
    }
    return Dataset.from_frame(pd.DataFrame(columns, dtype=object), roles=ROLES)


@pytest.mark.parametrize(
    "steps",
    [(LIMITED,), (LIMITED, MOVED), (MOVED,), (SINCE,)],
    ids=["limited", "limited and moved", "moved", "since the first"],
)
def test_a_proposal_fits_what_the_steps_leave(steps: tuple[Step, ...]):
    data, recipe = visits(), Recipe.of(steps)
    adviser = Adviser(Asked.of(recipe.to_protect(data), Aim.for_recipient("contract"), {}, original=data))
    proposal = whole_columns(adviser, about_seconds(0.5), None)
    assert isinstance(proposal, Proposal)
    taken = proposal.taken(recipe, data)
    assert taken.enabled[: len(steps)] == steps, "they come first and stay"
    applied = taken.apply(data)
    assert not applied.problems and not applied.unseen
    sharing, rows = defaultdict(set), Counter[str]()
    frame = applied.released.records
    for person, seen, age in zip(frame["id"], frame["seen"], frame["age"], strict=True):
        sharing[str(seen), str(age)].add(person)
        rows[person] += 1
    assert min(map(len, sharing.values())) >= 5, "as many persons as are asked for have each row"
    assert LIMITED not in steps or max(rows.values()) == 1
