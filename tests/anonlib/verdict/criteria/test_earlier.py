"""Two releases of one file: who holds both and finds somebody by what one of them lacks."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pandas as pd
from hypothesis import assume, given
from hypothesis import strategies as st

from anonlib.coarsening.recoding import ValueMap
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.filing.project import LoadedFile, Project, open_project
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode, Step
from anonlib.verdict.criteria import Aim, EarlierReleases, Inference, SmallestClass, State
from tests.helpers.examples import settings
from tests.helpers.small_release import QI, SENSITIVE
from tests.helpers.verdicts import case_with

ROLES = {"ward": QI, "age": QI, "ill": SENSITIVE}
SAME_AGE = Recode("age", ValueMap((), otherwise="*"))


def people(*rows: tuple[str | None, str, str]) -> Dataset:
    return Dataset.from_frame(pd.DataFrame(rows, columns=list(ROLES), dtype=object), roles=ROLES)


def alike(ward: str, age: str, n: int) -> list[tuple[str | None, str, str]]:
    """So many of a ward and an age, of whom every second one has a cold."""
    return [(ward, age, ["flu", "cold"][i % 2]) for i in range(n)]


WARDS = people(*alike("A", "30", 12), *alike("B", "30", 11), ("C", "30", "HIV"))


def test_a_ward_is_dropped_in_one_release_and_one_man_left_out_of_the_other() -> None:
    """Each has k = 11 and nobody certain; the rows of the one less those of the other are his."""
    first, second = Recipe.of([DropColumns(("ward",))]), Recipe.of([LeaveOut(11)])
    alone = case_with(WARDS, *second.enabled)
    for each in (case_with(WARDS, *first.enabled), alone):
        assert SmallestClass(11).check(each).is_met and Inference(2, most=0.0).check(each).is_met
    found = EarlierReleases(11, 0.0).check(case_with(WARDS, *second.enabled, earlier=(first,)))
    assert (found.state, found.now, found.n_persons) == (State.NOT_MET, 1, 24)
    other_way = EarlierReleases(11, 0.0).check(case_with(WARDS, *first.enabled, earlier=(second,)))
    assert (other_way.state, other_way.now) == (State.NOT_MET, 1), "whichever is the later one"


def test_what_one_release_lacks_is_no_missing_value() -> None:
    """A missing ward in both, and one who is in the first alone: they are not alike."""
    rows = [(None, "30", "flu"), (None, "30", "cold"), (None, "31", "cold")]
    data = people(*rows)
    only_thirty = LeaveOut(2)
    case = case_with(data, only_thirty, earlier=(Recipe.of([SAME_AGE]),))
    found = EarlierReleases(2, 1.0).check(case)
    assert (found.state, found.now, found.persons) == (State.NOT_MET, 1, 1)


def test_enough_who_are_alike_may_be_left_out_of_one() -> None:
    rows = alike("A", "30", 6) + alike("B", "40", 4)
    case = case_with(people(*rows), LeaveOut(5), earlier=(Recipe(),))
    assert EarlierReleases(4, 0.0).check(case).is_met
    assert EarlierReleases(5, 0.0).check(case).state is State.NOT_MET
    harmless = case_with(people(*rows[:-1], ("B", "40", "HIV")), LeaveOut(5), earlier=(Recipe(),))
    assert EarlierReleases(4, 0.0).check(harmless).is_met, "four illnesses of them are still not one"
    certain = case_with(people(*rows[:6], *[("B", "40", "HIV")] * 4), LeaveOut(5), earlier=(Recipe(),))
    assert EarlierReleases(4, 0.0).check(certain).persons == 4, "they are in the earlier one alone, and all have HIV"


STEPS = st.sampled_from(
    [
        Recode("ward", ValueMap((("A", "A or B"), ("B", "A or B"), ("C", "C")))), DropColumns(("ward",)), SAME_AGE,
        DropColumns(("ill",)), LeaveOut(2), LeaveOut(3),
    ]
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from("ABC"), st.sampled_from(["30", "40"]), st.sampled_from(["flu", "HIV"])),
        min_size=1, max_size=10,
    ),
    st.lists(STEPS, max_size=2, unique_by=repr),
    st.lists(st.lists(STEPS, max_size=2, unique_by=repr), min_size=1, max_size=2),
)  # fmt: skip
def test_signatures_are_labels_in_all_and_whether_they_are_in_it(
    rows: list[tuple[str, str, str]], now: list[Step], before: list[list[Step]]
) -> None:
    """Counted again by a plain loop over the rows of two or three releases."""
    data = people(*rows)
    recipes = tuple(Recipe.of(steps) for steps in before)
    assume(not any(recipe.apply(data).problems for recipe in recipes))
    case = case_with(data, *now, earlier=recipes)
    assume(not any(recipe.apply(data).problems for recipe in recipes))  # as where a column is dropped, then recoded
    signatures: list[list[tuple[str, ...] | None]] = [[] for _ in rows]
    ill: list[list[str | None]] = [[] for _ in rows]
    for recipe in (case.recipe, *recipes):
        released = recipe.apply(data).released
        place = {int(row): i for i, row in enumerate(data.rows_of(released))}
        known = [name for name in ("ward", "age") if name in released.columns]
        for i in range(len(rows)):
            here = None if i not in place else released.records.iloc[place[i]]
            signatures[i].append(None if here is None else tuple(str(here[name]) for name in known))
            ill[i].append(None if here is None or "ill" not in released.columns else str(here["ill"]))
    inside = [i for i in range(len(rows)) if any(each is not None for each in signatures[i])]
    sizes = Counter(tuple(signatures[i]) for i in inside)
    concerned = {i for i in inside if sizes[tuple(signatures[i])] < 3}
    for when in range(1 + len(recipes)):
        for i in inside:
            together = {ill[j][when] for j in inside if signatures[j] == signatures[i]}
            if len(together) == 1 and together != {None}:
                concerned.add(i)
    found = EarlierReleases(3, 0.0).check(case)
    if not inside or not any(any(signatures[i]) for i in inside):
        return
    assert found.now == min(sizes.values())
    assert (found.persons, found.n_persons) == (len(concerned), len(inside))
    assert found.is_met is (not concerned)


# ---- another month's file ----


def csv(*rows: tuple[str | None, str, str]) -> LoadedFile:
    frame = pd.DataFrame(rows, columns=list(ROLES), dtype=object)
    return LoadedFile.of(frame.to_csv(index=False).encode(), "people.csv")


def test_the_recipe_of_another_file_is_not_applied_to_this_one() -> None:
    """It would be compared with a release that never was: next month's file has one patient more."""
    march, april = csv(*alike("A", "30", 12)), csv(*alike("A", "30", 12), ("A", "30", "HIV"))
    aim = Aim(criteria=(EarlierReleases(5, 0.0),), measured=())
    recipe = Recipe.of([SAME_AGE])
    released = open_project(Project(roles=ROLES, aim=aim, recipe=recipe), march).project.having_released("a" * 64)
    saved = Project.from_json(released.to_json())
    assert saved == released
    (same,) = open_project(saved, march).verdict.findings
    assert same.is_met
    (other,) = open_project(saved, april).verdict.findings
    assert (
        other.state is State.UNKNOWN
        and "What 1 earlier release and this one give together is not counted" in other.says
    )
    again = Project.from_json(open_project(saved, april).project.to_json())
    assert open_project(again, april).verdict.findings[0].state is State.UNKNOWN, "also once it is saved of this file"
    assert open_project(again, march).verdict.findings[0].is_met


def test_a_project_saved_before_has_its_earlier_releases_of_its_own_file() -> None:
    march, april = csv(*alike("A", "30", 12)), csv(*alike("A", "30", 13))
    aim = Aim(criteria=(EarlierReleases(5, 0.0),), measured=(), earlier=(Recipe.of([SAME_AGE]),))
    project = open_project(Project(roles=ROLES, aim=aim), march).project
    before = replace(project, aim=replace(project.aim, earlier_of=()))
    assert open_project(before, march).verdict.findings[0].is_met
    assert open_project(before, april).verdict.findings[0].state is State.UNKNOWN


def test_what_can_be_counted_and_is_not_met_comes_before_what_cannot() -> None:
    first = Recipe.of([DropColumns(("ward",))])
    case = replace(case_with(WARDS, LeaveOut(11), earlier=(first,)), earlier_elsewhere=1)
    assert EarlierReleases(11, 0.0).check(case).state is State.NOT_MET


def test_an_earlier_recipe_that_cannot_be_applied_is_not_counted_as_a_release() -> None:
    """It was saved without the values that it names, or names a column that is gone: that release never was."""
    gone = Recipe.of([Recode("bed", ValueMap((), otherwise="*"))])
    finding = EarlierReleases(2, 1.0).check(case_with(WARDS, SAME_AGE, earlier=(gone,)))
    assert finding.state is State.UNKNOWN and "can no longer be applied" in finding.says


def test_an_earlier_release_is_made_again_with_the_roles_and_the_missing_values_of_then() -> None:
    """Ages left then, and are an identifier today: the release made with the roles of today would not have them."""
    rows = [(["A", "B"][i % 2], f"{30 + i}", ["flu", "cold"][i // 2 % 2]) for i in range(12)]
    file = csv(*rows)
    aim = Aim(criteria=(EarlierReleases(3, 0.0),), measured=())
    project = open_project(Project(roles=ROLES, aim=aim), file).project.having_released("a" * 64)
    saved = Project.from_json(project.to_json())
    assert saved == project
    today = replace(saved, roles={**ROLES, "age": Role.IDENTIFIER}, recipe=Recipe.of([DropColumns(("ward",))]))
    (finding,) = open_project(today, file).verdict.findings
    assert (finding.state, finding.now, finding.persons) == (State.NOT_MET, 1, 12)
    again = replace(saved, roles={**ROLES, "age": Role.IDENTIFIER})
    (finding,) = open_project(replace(again, aim=replace(again.aim, criteria=())), file).verdict.measured
    assert isinstance(finding.criterion, EarlierReleases) and finding.persons == 12, "the same steps, and other roles"


def test_each_time_that_a_recipe_released_a_file_counts_with_what_was_decided_then() -> None:
    """Also where it released another month's file since, and where the last time was harmless."""
    rows = [(["A", "B"][i % 2], f"{30 + i}", ["flu", "cold"][i // 2 % 2]) for i in range(12)]
    march, april = csv(*rows), csv(*rows, ("A", "50", "flu"))
    aim = Aim(criteria=(EarlierReleases(3, 0.0),), measured=())
    without_ages = {**ROLES, "age": Role.IDENTIFIER}
    project = Project(roles=ROLES, aim=aim)
    for file, roles in ((march, ROLES), (march, without_ages), (april, without_ages)):
        opened = open_project(replace(project, roles=roles), file)
        project = opened.project.having_released("a" * 64, opened.data)
    saved = Project.from_json(project.to_json())
    assert saved.aim.earlier_then == project.aim.earlier_then and len(saved.aim.earlier_then) == 3
    (finding,) = open_project(replace(saved, roles=without_ages), march).verdict.findings
    assert (finding.state, finding.persons) == (State.NOT_MET, 12), "the ages of the first time"


def test_another_sheet_of_a_workbook_is_another_file() -> None:
    """Its digest is the same; the recipe on this sheet would be a release that never was."""
    opened = open_project(Project(roles=ROLES, aim=Aim(criteria=(EarlierReleases(3, 0.0),), measured=())), csv(
        *alike("A", "30", 12)
    ))  # fmt: skip
    released = opened.project.having_released("a" * 64, opened.data)
    (same,) = replace(opened, project=released).verdict.findings
    assert same.is_met
    applied = released.recipe.apply(replace(opened.data, prepared=opened.data.prepared + " sheet April"))
    (other,) = replace(opened, project=released, data=applied.original, applied=applied).verdict.findings
    assert other.state is State.UNKNOWN
