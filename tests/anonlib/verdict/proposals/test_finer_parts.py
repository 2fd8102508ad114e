"""Parts of one fewer, as long as the average is met: counted again in the records that leave."""

from __future__ import annotations

import random

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import AverageRisk, RecordsKept, SmallestClass
from anonlib.verdict.proposals import Adviser, Asked, NothingFound, part_by_part
from anonlib.verdict.proposals.finer_parts import or_finer_parts
from tests.helpers.examples import settings

PEOPLE = st.lists(
    st.tuples(st.integers(20, 60).map(str), st.sampled_from("abc"), st.sampled_from("fm")), min_size=8, max_size=60
)


def data_of(people: list[tuple[str, str, str]]) -> Dataset:
    frame = pd.DataFrame(people, columns=["age", "ward", "sex"], dtype=object)
    return Dataset.from_frame(frame, roles=dict.fromkeys(frame, Role.QUASI_IDENTIFIER))


@settings(40)
@given(PEOPLE, st.sampled_from([0.2, 0.25, 0.34]))
def test_the_average_is_met_by_those_that_leave_and_no_more_is_lost(people, limit) -> None:
    data = data_of(people)
    adviser = Adviser(Asked(data, (AverageRisk(limit), RecordsKept(0.9))))
    first, finer = part_by_part(adviser), or_finer_parts(part_by_part)(adviser)
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
    data = data_of([(str(int(draw.gauss(50, 15))), draw.choice("aaab"), draw.choice("fm")) for _ in range(300)])
    asked = Asked(data, (AverageRisk(0.2), RecordsKept(0.95)))
    first, finer = part_by_part(Adviser(asked)), or_finer_parts(part_by_part)(Adviser(asked))
    assert finer.loss < first.loss


@pytest.mark.parametrize("criteria", [(SmallestClass(5),), (SmallestClass(5), AverageRisk(0.2))])
def test_classes_that_must_be_as_large_stay_so(criteria) -> None:
    adviser = Adviser(Asked(data_of([(str(20 + i), "a", "fm"[i % 2]) for i in range(40)]), criteria))
    assert or_finer_parts(part_by_part)(adviser).loss == part_by_part(adviser).loss
