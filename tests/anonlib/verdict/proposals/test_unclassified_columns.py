"""Columns that k does not count take part in the search, and a taken proposal meets their criterion in its file."""

from __future__ import annotations

import io
from collections import Counter

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.hierarchies import intervals
from anonlib.dataset import Dataset
from anonlib.release.export import released_csv
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import Case, RecordsKept, SmallestClass, UnclassifiedColumns
from anonlib.verdict.proposals import Adviser, Asked, Proposal
from tests.helpers.examples import settings
from tests.helpers.small_release import OTHER, QI
from tests.helpers.ways import part_by_part

AGES = intervals([10, 50])
WAYS = {"age": AGES, "hours": AGES, "gain": AGES}


def below(frame: pd.DataFrame, known: list[str], open_column: str, k: int) -> int:
    """Records in groups below k by an open column alone, or beyond those that the known columns put there."""

    def few(columns: list[str]) -> int:
        rows = list(map(tuple, frame[columns].to_numpy().tolist()))
        sizes = Counter(rows)
        return sum(sizes[row] < k for row in rows)

    return max(few([open_column]), few([*known, open_column]) - few(known))


@st.composite
def files(draw: st.DrawFn) -> pd.DataFrame:
    values = st.sampled_from(["11", "14", "18", "23", "37", "62", None])
    rows = draw(st.lists(st.tuples(values, values, values), min_size=3, max_size=40))
    return pd.DataFrame(rows, columns=["age", "hours", "gain"], dtype=object)


@pytest.mark.parametrize("search", [Adviser.most_detail, Adviser.most_records, part_by_part])
@settings(max_examples=60)
@given(files(), st.integers(2, 4))
def test_no_open_column_puts_more_into_small_groups(search, frame, k):
    """Met by the release, and by plain counting of its file, whichever way is taken."""
    data = Dataset.from_frame(frame, roles={"age": QI, "hours": OTHER, "gain": OTHER})
    criteria = (SmallestClass(k), UnclassifiedColumns(k), RecordsKept(0.8))
    proposal = search(Adviser(Asked(data, criteria, WAYS)))
    if not isinstance(proposal, Proposal):
        return
    recipe = proposal.taken(Recipe(), data)
    applied = recipe.apply(data)
    if not applied.released.n_records:
        return
    assert all(each.check(Case(applied, recipe)).is_met for each in criteria)
    released = pd.read_csv(
        io.BytesIO(released_csv(applied.released)), dtype=str, keep_default_na=False, skip_blank_lines=False
    )
    for name in ("hours", "gain"):
        assert below(released, ["age"], name, k) <= 0.03 * len(released)


def test_what_nobody_can_know_stays_as_it_is():
    frame = pd.DataFrame({"age": ["31"] * 6, "hours": list("123456")})
    data = Dataset.from_frame(frame, roles={"age": QI, "hours": OTHER})
    asked = Asked(data, (SmallestClass(2), UnclassifiedColumns(2)), {})
    for search in (Adviser.most_detail, part_by_part):
        known, unknowable = search(Adviser(asked)), search(Adviser(Asked(data, asked.criteria, unknowable=("hours",))))
        assert set(known.levels) == {"hours"} and known.loss > 0
        assert unknowable.levels == {} and unknowable.loss == 0
