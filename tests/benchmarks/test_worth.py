"""What is left of a file: the regression of a release beside the original's, and what is asked beside a proposal."""

from __future__ import annotations

import numpy as np
import pytest

from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns
from anonlib.verdict.criteria import Aim, Combinations, RecordsKept, SmallestClass
from benchmarks.bench_worth import ALL_CRITERIA, File, Left, Nothing, k_alone, left_by, line, texts, with_k
from benchmarks.regression import Agreement

N = 600


def made_up() -> bytes:
    """Ages, sexes and diagnoses of 600 persons, of whom old ones die more often."""
    rng = np.random.default_rng(4)
    age, sex = rng.integers(20, 90, N), rng.choice(["f", "m"], N)
    died = np.where(rng.random(N) < age / 150, "yes", "no")
    lines = zip(age, sex, rng.choice(["J18", "I21", "E11"], N), died, strict=True)
    return "\n".join(["age,sex,diagnosis,died", *(",".join(map(str, each)) for each in lines)]).encode()


@pytest.fixture(scope="module")
def file() -> File:
    return File(made_up, "died", "yes", ("diagnosis",))


def data_of(file: File) -> Dataset:
    return file.opened(Aim.for_recipient("contract")).data


def test_texts_are_the_cells_of_the_file(file: File) -> None:
    rows = [row.split(",") for row in made_up().decode().splitlines()[1:]]
    assert [list(row) for row in zip(*(texts(data_of(file), name) for name in ("age", "sex")), strict=True)] == [
        row[:2] for row in rows
    ]


def test_a_release_without_changes_agrees(file: File) -> None:
    data = data_of(file)
    assert {*data.quasi_identifiers} == {"age", "sex"}
    agreed = file.agreement(Recipe().apply(data))
    assert len(agreed.overlaps) == agreed.n_both == 4
    assert agreed.mean == pytest.approx(1)


def test_a_dropped_column_has_no_coefficient_and_a_dropped_outcome_leaves_none(file: File) -> None:
    data = data_of(file)
    agreed = file.agreement(Recipe().take((DropColumns(("sex",), "for a test"),), data).apply(data))
    assert (agreed.n_before, agreed.n_both) == (4, 3)
    without = file.agreement(Recipe().take((DropColumns(("died",), "for a test"),), data).apply(data))
    assert (without.n_before, without.n_after, without.mean) == (4, 0, 0.0)


def test_what_is_left_by_the_first_proposal(file: File) -> None:
    left = left_by("made up", file, Aim.for_recipient("contract"), ALL_CRITERIA)
    assert isinstance(left, Left)
    assert left.gone == ()
    assert left.n_columns == 4
    assert 0 < left.known_kept < 1
    assert "sex" not in left.gone
    assert line(left).count("|") == len(left.cells) + 1


@pytest.mark.parametrize(
    ("known", "overlap", "gone", "is_reached"),
    [(0.9, 0.9, (), True), (0.8, 0.9, (), False), (0.9, 0.7, (), False), (0.9, 0.9, ("sex",), False)],
)
def test_what_is_wanted_under_contract(
    file: File, known: float, overlap: float, gone: tuple[str, ...], is_reached: bool
) -> None:
    agreed = Agreement({"age": overlap}, 1, 1, 1)
    for says, may in (("", True), ("May leave for a release under contract.", True), ("Not yet.", False)):
        left = Left("f", "contract", ALL_CRITERIA, 1, says, gone, 4, known, 1, 1, agreed)
        assert left.is_reached is (is_reached and may)


def test_k_alone_asks_for_the_same_k_and_the_same_share() -> None:
    for key, k, share in (("public", 11, 0.95), ("contract", 5, 0.95), ("within", 5, 0.98)):
        smallest, kept = k_alone(Aim.for_recipient(key)).criteria
        assert isinstance(smallest, SmallestClass)
        assert isinstance(kept, RecordsKept)
        assert (smallest.k, kept.least) == (k, share)


def test_another_k_is_of_every_criterion_that_has_one() -> None:
    before, after = (aim.criteria for aim in (Aim.for_recipient("contract"), with_k(Aim.for_recipient("contract"), 2)))
    assert {each.k for each in after if isinstance(each, SmallestClass)} == {2}
    assert {each.least for each in after if isinstance(each, Combinations)} == {2}
    assert {each.least for each in after if isinstance(each, RecordsKept)} == {0.95}
    assert [type(each) for each in before] == [type(each) for each in after]


def test_where_nothing_is_proposed_the_line_says_so() -> None:
    nothing = Nothing("f", "public", ALL_CRITERIA, 1.0)
    assert len(nothing.cells) == line(nothing).count("|") - 1
    assert "no proposal" in nothing.cells
