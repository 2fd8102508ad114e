"""Releases of several months: who is new, gone or changed, and what subtracting one from another shows exactly."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import pytest

from anonlib.coarsening.recoding import Intervals, ValueMap
from anonlib.counting.guarantees import ALL, Shared
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import BlankCells, DropColumns, LeaveOut, Recode, Step
from anonlib.verdict.criteria import EarlierReleases, Finding, State
from anonlib.verdict.criteria.verdict import judge
from anonlib.verdict.together import Release, counted_exactly, together
from tests.helpers.small_release import IDENTIFIER, OTHER, PERSON, QI, SENSITIVE, WEIGHT
from tests.helpers.verdicts import case_with

ROLES = {"patient": PERSON, "age": QI, "ward": QI, "ill": SENSITIVE}
Row = tuple[str | None, ...]
TENS = Recode("age", Intervals(10))
SAME_AGE = Recode("age", ValueMap((), otherwise="*"))


def month(*rows: Row, roles: dict | None = None) -> Dataset:
    roles = roles or ROLES
    return Dataset.from_frame(pd.DataFrame(rows, columns=list(roles), dtype=object), roles=roles)


def alike(first: int, n: int, age: str = "30", ward: str = "A", ills: Sequence[str] = ("flu", "cold")) -> list[Row]:
    return [(f"P{i}", age, ward, ills[i % len(ills)]) for i in range(first, first + n)]


def held_together(
    now: Dataset,
    *earlier: Dataset,
    steps: Sequence[Step] = (TENS,),
    before: Sequence[Step] | None = None,
    k: int = 3,
    **limits,
) -> Finding:
    recipe = Recipe.of(steps if before is None else before)
    beside = tuple(Release.of(each, recipe) for each in earlier)
    return EarlierReleases(k, 0.0, **limits).check(case_with(now, *steps, beside=beside))


MARCH = month(*alike(0, 6))


@pytest.mark.parametrize(("new", "state"), [(0, State.MET), (1, State.NOT_MET), (2, State.NOT_MET), (3, State.MET)])
def test_newcomers_of_the_next_month(new: int, state: State) -> None:
    """With the same recipe: the rows of April less those of March are the newcomers'."""
    april = month(*alike(0, 6), *alike(10, new, age="34"))
    finding = held_together(april, MARCH)
    assert finding.state is state
    assert finding.persons == (0 if state is State.MET else new)
    if state is State.NOT_MET:
        assert "A proven leak" in finding.says and f"{new} new, 0 gone" in finding.says
    elif new:
        assert "3 persons are new or gone" in finding.says


def test_enough_newcomers_of_one_illness_are_certain() -> None:
    april = month(*alike(0, 6), *alike(10, 3, ills=["HIV"]))
    finding = held_together(april, MARCH)
    assert (finding.state, finding.persons) == (State.NOT_MET, 3)
    assert held_together(april, MARCH, most_apart=1.0).state is State.NOT_MET, "also of all: 3 of 9"
    recipe = Recipe.of([TENS])
    case = case_with(april, TENS, beside=(Release.of(MARCH, recipe),), harmless={"ill": ("HIV",)})
    assert EarlierReleases(3, 0.0).check(case).is_met, "anybody may be sure of it"


def test_a_share_that_may_be_certain_is_not_for_who_is_new() -> None:
    many = alike(0, 600)
    april = month(*many, *alike(1000, 3, ills=["HIV"]))
    recipe = Recipe.of([TENS])
    case = case_with(april, TENS, beside=(Release.of(month(*many), recipe),))
    assert EarlierReleases(3, 0.01).check(case).state is State.NOT_MET
    assert EarlierReleases(3, 0.01, most_apart=1.0).check(case).is_met


def test_two_new_of_two_values_and_yet_one_is_certain() -> None:
    """k = 2: one release shows all as one class, the next splits it. Both illnesses of a class less those of before."""
    roles = {"patient": PERSON, "age": QI, "ill": SENSITIVE}
    march = month(("A", "30", "cold"), ("C", "40", "gout"), roles=roles)
    april = month(("A", "30", "cold"), ("Bob", "30", "HIV"), ("C", "40", "gout"), ("D", "40", "flu"), roles=roles)
    case = case_with(april, beside=(Release.of(march, Recipe.of([SAME_AGE])),))
    finding = EarlierReleases(2, 0.0).check(case)
    assert (finding.state, finding.now, finding.persons) == (State.NOT_MET, 1, 4)


def test_one_is_gone_while_enough_are_new() -> None:
    march = month(*alike(0, 7))
    april = month(*alike(0, 6), *alike(10, 3))
    finding = held_together(april, march)
    assert (finding.state, finding.persons) == (State.NOT_MET, 1)
    assert "3 new, 1 gone" in finding.says


def test_a_man_who_turns_forty_between_the_months() -> None:
    march = month(*alike(0, 6, age="39"), *alike(10, 6, age="41"))
    april = month(("P0", "40", "A", "flu"), *alike(1, 5, age="39"), *alike(10, 6, age="41"))
    finding = held_together(april, march)
    assert (finding.state, finding.persons) == (State.NOT_MET, 1)
    assert "A proven leak" in finding.says and "1 new, 0 gone" in finding.says and "0 new, 1 gone" in finding.says
    assert "age 40-49 (1 new, 0 gone)" in finding.says
    assert held_together(april, march, steps=(SAME_AGE,)).is_met, "the same cells show nothing"


def test_what_is_rare_elsewhere_joins_rows_though_no_subtraction_shows_anybody() -> None:
    """Other cells in each release: nobody is counted exactly, and one of each class of both is alone."""
    roles = {"patient": PERSON, "age": QI, "ill": SENSITIVE}
    rows = [(f"P{i}", f"{30 + i}", ["flu", "cold"][i % 2]) for i in range(9)]
    now, before = (ValueMap(tuple((f"{30 + i}", f"{(i + shift) // 4}") for i in range(9))) for shift in (0, 2))
    case = case_with(
        month(*rows, roles=roles), Recode("age", now), LeaveOut(2),
        beside=(Release.of(month(*rows, roles=roles), Recipe.of([Recode("age", before), LeaveOut(2)])),),
    )  # fmt: skip
    finding = EarlierReleases(3, 0.0).check(case)
    assert finding.state is State.NOT_MET and finding.now == 1
    case = case_with(month(*rows[:8], roles=roles), Recode("age", now), beside=case.beside)
    assert EarlierReleases(2, 0.0).check(case).state is State.NOT_MET


def test_three_months() -> None:
    """Two newcomers of each month are alike to who has the last release and one other, and not to who has all."""
    march, april = month(*alike(0, 6)), month(*alike(0, 6), *alike(10, 3))
    may = month(*alike(0, 6), *alike(10, 3), *alike(20, 3))
    assert held_together(april, march).is_met and held_together(may, april).is_met
    finding = held_together(may, march, april)
    assert finding.is_met and "6 persons are new or gone" in finding.says
    one_of_april_left = month(*alike(0, 6), *alike(10, 2), *alike(20, 3))
    finding = held_together(one_of_april_left, march, april)
    assert (finding.state, finding.persons) == (State.NOT_MET, 3), "the two of April who stay, and who is gone"


def test_a_label_covers_values_that_the_other_month_has() -> None:
    """30 to 39 here and 35 to 44 there share 35 to 39 whoever has them: no cell ends between."""
    march, april = month(*alike(0, 3, age="31"), *alike(3, 3, age="44")), month(*alike(0, 3, age="31"))
    tens, shifted = TENS, Recode("age", Intervals(10, 5))
    releases = (
        Release.of(april, Recipe.of([tens])), Release.of(march, Recipe.of([shifted])),
    )  # fmt: skip
    assert not counted_exactly(*releases, together(releases).matched, (0, 1), 3), "three are gone"
    more = month(*alike(0, 3, age="31"), *alike(3, 3, age="44"), ("P9", "37", "A", "flu"))
    releases = (releases[0], Release.of(more, Recipe.of([shifted])))
    (cell,) = counted_exactly(*releases, together(releases).matched, (0, 1), 5)
    assert (cell.new, cell.gone, cell.labels) == (0, 4, ()), "37 ties 30 to 39, 35 to 44 and so all of them"


def test_blank_cells_cover_everything() -> None:
    rows = [*alike(0, 3), *alike(3, 3, ward="B"), ("P9", "30", "C", "flu")]
    blank = BlankCells(("age", "ward"), (Shared(columns=("age", "ward"), least=2),), 1.0)
    releases = (Release.of(month(*rows), Recipe.of([blank])), Release.of(month(*rows[:-1]), Recipe()))
    (cell,) = counted_exactly(*releases, together(releases).matched, (0, 1), 2)
    assert (cell.new, cell.gone) == (1, 0)


# ---- who is who ----


def refused(now: Dataset, earlier: Dataset) -> str:
    """What the verdict says of it."""
    case = case_with(now, beside=(Release.of(earlier, Recipe()),))
    (finding,) = judge(case, (EarlierReleases(1, 0.0),), recipient="").findings
    assert finding.state is State.UNKNOWN
    return finding.says


def test_other_ids_in_each_file_are_not_known_to_be_other_persons() -> None:
    april = month(*[(f"Q{i}", *row[1:]) for i, row in enumerate(alike(0, 6))])
    assert "No person id of this file" in refused(april, MARCH)


def test_ids_that_count_up_and_name_others() -> None:
    march = month(*[(f"{i + 1}", f"{30 + i}", "A", "flu") for i in range(6)])
    april = month(*[(f"{i + 1}", f"{33 + 2 * i}", "B", "flu") for i in range(6)])
    assert "count up" in refused(april, march)
    assert held_together(march, march, steps=(), k=1, most_apart=1.0).state is not State.UNKNOWN


def test_without_ids_rows_are_matched_by_all_columns() -> None:
    roles = {"age": QI, "weight": OTHER, "ill": SENSITIVE}
    rows = [(f"{30 + i // 3}", f"{60 + i}", ["flu", "cold"][i % 2]) for i in range(6)]
    march = month(*rows, roles=roles)
    april = month(*rows, ("30", "90", "flu"), roles=roles)
    finding = held_together(april, march)
    assert (finding.state, finding.persons) == (State.NOT_MET, 1)
    assert held_together(march, april, steps=(SAME_AGE,)).persons == 1, "one is gone"
    changed = month(*rows[:-1], ("31", "99", "cold"), roles=roles)
    assert "each file has rows that the other lacks, 1 and 1" in refused(changed, march)
    twice = month(*rows, rows[0], roles=roles)
    assert "2 rows are the same" in refused(twice, march)


def test_an_id_in_one_of_both_or_weights_cannot_be_matched() -> None:
    without = month(*alike(0, 7), roles={**ROLES, "patient": OTHER})
    assert "role “Person id” in both" in refused(without, MARCH)
    weighted = month(
        *[("1", *row[1:]) for row in alike(0, 6)], roles={"patient": WEIGHT, "age": QI, "ward": QI, "ill": SENSITIVE}
    )
    assert "stand for several people" in refused(weighted, MARCH)


VISITS = {"patient": PERSON, "visit": IDENTIFIER, "age": QI, "ill": SENSITIVE}


def visits(persons: int, of_each: int, month_of: int, roles: dict = VISITS) -> Dataset:
    rows = [
        (f"P{i}", f"{month_of}-{i}-{j}", "30", ["flu", "cold"][i % 2])
        for i in range(persons) for j in range(of_each)
    ]  # fmt: skip
    return month(*rows, roles=roles)


def test_visits_of_each_month_are_matched_by_their_number() -> None:
    """Other visits of the same persons each month; without a number it is not known which of them are the same."""
    finding = held_together(visits(4, 2, 4), visits(4, 2, 3), steps=(), rows=(ALL,))
    assert finding.is_met
    no_number = {**VISITS, "visit": OTHER}
    finding = held_together(visits(4, 2, 4, no_number), visits(4, 2, 3, no_number), steps=(), rows=(ALL,))
    assert finding.state is State.UNKNOWN and "role “Identifier”" in finding.says and "4 persons" in finding.says


def test_one_visit_more_is_counted() -> None:
    rows = [(f"P{i}", f"{i}-{j}", "30", ["flu", "cold"][i % 2]) for i in range(4) for j in range(2)]
    march, april = month(*rows, roles=VISITS), month(*rows, ("P0", "0-2", "30", "flu"), roles=VISITS)
    finding = held_together(april, march, steps=(), rows=(ALL,))
    assert (finding.state, finding.persons, finding.now) == (State.NOT_MET, 1, 1)
    assert "1 new, 0 gone" in finding.says


def test_who_has_no_id_is_in_no_class() -> None:
    march = month(*alike(0, 6), (None, "30", "A", "flu"))
    april = month(*alike(0, 6))
    finding = held_together(april, march)
    assert finding.state is State.UNKNOWN and "1 person" in finding.says


def test_ids_are_one_however_they_are_written() -> None:
    april = month(*[(f" p{row[0][1:]} ", *row[1:]) for row in alike(0, 6)])  # type: ignore[index]
    assert held_together(april, MARCH).is_met


def test_dropping_all_known_columns_leaves_who_is_in_it() -> None:
    """Nothing known leaves in the earlier release, and yet it shows the one row that this one lacks."""
    march = month(*alike(0, 6), ("P9", "30", "A", "HIV"))
    gone = DropColumns(("age", "ward"))
    finding = held_together(month(*alike(0, 6)), march, before=(gone,))
    assert (finding.state, finding.persons) == (State.NOT_MET, 1)
