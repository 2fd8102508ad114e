"""Both ends while columns are undecided, recounted from the rows by plain code."""

from __future__ import annotations

from collections import Counter

import ibis
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.dataset import Dataset
from anonlib.release.unprotected import BothEnds, Sizes, both_ends
from anonlib.verdict.criteria import ends_of
from anonlib.verdict.criteria.rows import LINKED, USUAL
from tests.helpers.examples import settings

COLUMNS = ("age", "sex", "ward", "meal")
Row = tuple[str | None, ...]


@st.composite
def rows(draw: st.DrawFn) -> list[Row]:
    """An id, and cells of the four columns."""
    cells = st.sampled_from(["a", "b", None])
    return draw(st.lists(st.tuples(st.sampled_from("pqrst"), cells, cells, cells, cells), min_size=1, max_size=14))


def data_of(found: list[Row], roles: dict[str, str]) -> Dataset:
    return Dataset.from_frame(pd.DataFrame(found, columns=["id", *COLUMNS], dtype=object), roles=roles)


def sizes(known: list[object], k: int) -> tuple[int, int, int, int]:
    """k, alone, below k and all, of what is known of each."""
    shared = Counter(known)
    each = [shared[what] for what in known]
    return min(each), sum(size < 2 for size in each), sum(size < k for size in each), len(each)


def numbers(found: Sizes | None) -> tuple[int, int, int, int]:
    assert found is not None
    return found.k, found.alone, found.below, found.n_records


@settings(max_examples=100)
@given(rows(), st.integers(1, 4), st.integers(1, 4))
def test_of_rows(found: list[Row], decided: int, k: int):
    roles = dict.fromkeys(COLUMNS[:decided], "quasi_identifier") | {"id": "identifier"}
    ends = both_ends(data_of(found, roles), k)
    if decided == len(COLUMNS):
        assert ends is None
        return
    assert ends is not None and ends.undecided == COLUMNS[decided:]
    assert numbers(ends.all_known) == sizes([row[1:] for row in found], k)
    assert numbers(ends.decided) == sizes([row[1 : 1 + decided] for row in found], k)


@settings(max_examples=100)
@given(rows(), st.integers(1, 4))
def test_of_persons_with_several_rows(found: list[Row], k: int):
    """Whoever can link rows knows all of them; persons are counted, and not their rows."""
    data = data_of(found, {"id": "person_id", "age": "quasi_identifier"})
    ends = ends_of(data, k, (LINKED,))
    assert ends is not None
    for end, cells in ((ends.all_known, slice(1, None)), (ends.decided, slice(1, 2))):
        known = {who: tuple(sorted(map(repr, (row[cells] for row in found if row[0] == who)))) for who, *_ in found}
        assert numbers(end) == sizes(list(known.values()), k)


def test_a_survey_of_which_nobody_has_stated_anything_but_the_sex():
    """Each answers 24 questions; by the sex nobody is alone, and that is no k of the file."""
    frame = pd.DataFrame(
        {"sex": ["f", "m"] * 50, **{f"q{j}": [str(i * (j + 3) % 7) for i in range(100)] for j in range(23)}}
    )
    ends = both_ends(Dataset.from_frame(frame, roles={"sex": "quasi_identifier"}), 5)
    assert ends is not None and len(ends.undecided) == 23
    assert numbers(ends.decided) == (50, 0, 0, 100) and ends.all_known.k < 10


def test_what_nobody_knows_is_left_aside():
    texts = [f"She came again on a day in May, and said that it was better: {i}." for i in range(60)]
    frame = pd.DataFrame({"sex": ["f", "m"] * 30, "batch": [str(i) for i in range(60)], "note": texts})
    data = Dataset.from_frame(frame, roles={})
    ends = both_ends(data, 5, unknowable=("batch",))
    assert ends == BothEnds(("sex",), ("batch", "note"), 5, Sizes(("sex",), 30, 0, 0, 60), None)
    assert both_ends(data.with_roles({"sex": "other"}), 5, unknowable=("batch",)) is None


@pytest.mark.parametrize("rows", [(LINKED,), USUAL])
def test_in_an_engine(rows):
    frame = pd.DataFrame(
        {"id": list("ppqrrs"), "age": list("aabbaa"), "sex": list("xyxyxy"), "ward": ["1", None, "1", "1", None, "1"]}
    )
    roles = {"id": "person_id", "age": "quasi_identifier"}
    here = Dataset.from_frame(frame, roles=roles)
    there = Dataset.from_ibis(ibis.memtable(frame), roles=roles)
    assert ends_of(here, 3, rows) == ends_of(there, 3, rows) is not None
