"""Whom to hold back of the next month's file: who is new and could be found, and nobody whom a release had."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.recoding import Intervals, ValueMap
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import HoldBack, LeaveOut, Recode, Step
from anonlib.verdict.criteria import EarlierReleases
from anonlib.verdict.proposals.hold_back import HeldBack, hold_back
from anonlib.verdict.together import Release
from tests.helpers.examples import settings
from tests.helpers.small_release import IDENTIFIER, PERSON, QI, SENSITIVE
from tests.helpers.verdicts import case_with

ROLES = {"patient": PERSON, "age": QI, "ill": SENSITIVE}
TENS = Recode("age", Intervals(10))
Row = tuple[str, str, str]


def month(rows: Sequence[tuple[str, ...]], roles: dict | None = None) -> Dataset:
    roles = roles or ROLES
    return Dataset.from_frame(pd.DataFrame(rows, columns=list(roles), dtype=object), roles=roles)


def held(
    april: Dataset, march: Dataset, steps: Sequence[Step], k: int, recipe: Recipe | None = None, before: Sequence = ()
) -> HeldBack:
    case = case_with(april, *steps, beside=(Release.of(march, Recipe.of(before or steps)),))
    mended = hold_back(case, EarlierReleases(k, 0.0), recipe)
    assert mended is not None
    return mended


PERSONS = st.lists(
    st.tuples(st.sampled_from(["31", "35", "44"]), st.sampled_from(["flu", "cold"])), min_size=1, max_size=9
)


@settings(max_examples=300, deadline=None)
@given(PERSONS, PERSONS, st.integers(1, 3))
def test_those_are_held_back_who_are_too_few_or_of_one_illness(
    old: list[tuple[str, str]], new: list[tuple[str, str]], k: int
) -> None:
    """Beside a plain count: with one recipe of bands, the newcomers of each band."""
    march = [(f"P{i}", *values) for i, values in enumerate(old)]
    newcomers = [(f"N{i}", *values) for i, values in enumerate(new)]
    mended = held(month([*march, *newcomers]), month(march), (TENS,), k)
    by_band = defaultdict(list)
    for name, age, ill in newcomers:
        by_band[int(age) // 10].append((name, ill))
    expected = {
        name for band in by_band.values() for name, _ in band if len(band) < k or len({ill for _, ill in band}) == 1
    }
    steps = [entry.step for entry in mended.recipe.entries if isinstance(entry.step, HoldBack)]
    names = {newcomers[row - len(march)][0] for step in steps for row in step.rows}
    assert names == expected and (mended.persons, mended.new) == (len(expected), len(newcomers))
    bands = Counter(int(age) // 10 for _, age, _ in march)
    old_are_alike = all(
        number >= k and len({ill for _, age, ill in march if int(age) // 10 == band}) > 1
        for band, number in bands.items()
    )
    assert mended.finding.is_met is old_are_alike, "who was there before stays, whatever that gives"


def test_who_is_left_out_with_them_is_found_next() -> None:
    """Two newcomers fill up a class of two old ones whom the earlier release left out; without them it is too small."""
    march = [(f"P{i}", "31", ["flu", "cold"][i % 2]) for i in range(6)]
    april = [*march, ("P8", "44", "flu"), ("N1", "44", "cold"), ("N2", "44", "cold")]
    mended = held(month(april), month([*march, ("P8", "44", "flu")]), (TENS, LeaveOut(3)), 3)
    assert mended.finding.is_met, "all three of the forties are new to the release"
    mended = held(month(april[:-1]), month([*march, ("P8", "44", "flu")]), (TENS,), 3)
    assert mended.persons == 1 and not mended.finding.is_met, "P8 was released and stays"


def test_the_steps_of_the_earlier_release_have_the_same_cells() -> None:
    march = [(f"P{i}", f"{30 + i % 4}", ["flu", "cold"][i // 4]) for i in range(8)]
    finer = (Recode("age", ValueMap((("30", "30"), ("31", "31")), otherwise="32-33")),)
    with_finer = held(month(march), month(march), finer, 3, before=(TENS,))
    assert with_finer.persons == 0 and not with_finer.finding.is_met
    assert held(month(march), month(march), finer, 3, Recipe.of([TENS]), before=(TENS,)).finding.is_met


def test_of_a_person_of_before_only_new_visits_are_held_back() -> None:
    roles = {"patient": PERSON, "visit": IDENTIFIER, "age": QI, "ill": SENSITIVE}
    march = [(f"P{i}", f"{i}-{j}", "30", ["flu", "cold"][i % 2]) for i in range(4) for j in range(2)]
    april = [*march, ("P0", "0-2", "30", "flu")]
    mended = held(month(april, roles), month(march, roles), (), 3, before=(TENS,))
    (step,) = (entry.step for entry in mended.recipe.entries)
    assert isinstance(step, HoldBack) and step.rows == (8,) and (mended.persons, mended.new) == (1, 1)
    assert mended.finding.is_met


def test_a_second_look_begins_without_the_first() -> None:
    march = [(f"P{i}", "31", ["flu", "cold"][i % 2]) for i in range(6)]
    april, of = month([*march, ("N", "31", "flu")]), month(march)
    once = held(april, of, (TENS,), 3)
    again = held(april, of, once.recipe.enabled, 3, before=(TENS,))
    assert again.recipe == once.recipe
