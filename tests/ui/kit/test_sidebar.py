"""The sidebar's figures are those of the verdict: its k, by the rows of a person that the recipient is asked for."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Role
from anonlib.counting.privacy_models import ALL, ONE, VALUES
from anonlib.filing.evidence import gather
from anonlib.filing.project import LoadedFile, Project, open_project
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut, Recode, Unlink
from anonlib.verdict.criteria import Aim, Inference, SmallestClass
from tests.helpers.app import RISK, seeded

ROLES = {
    "who": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER, "sex": Role.QUASI_IDENTIFIER, "ward": Role.QUASI_IDENTIFIER,
    "ill": Role.SENSITIVE,
}  # fmt: skip
STEPS = (Recode("age", Intervals(30)), LeaveOut(5))  # who is left has a class of five by the values of each column


def visits() -> bytes:
    """Eighty persons of one to three visits, whose ward changes from visit to visit."""
    rng = random.Random(2)
    lines = ["who,age,sex,ward,ill"]
    for i in range(80):
        age, sex = rng.randrange(20, 50), rng.choice("fm")
        lines += [f"p{i},{age},{sex},{rng.choice('abc')},{rng.choice('xyz')}" for _ in range(rng.randint(1, 3))]
    return ("\n".join(lines) + "\n").encode()


@pytest.mark.parametrize(
    ("criterion", "steps", "by"),
    [
        (SmallestClass(5), STEPS, "with one visit or all values known"),
        (SmallestClass(5, rows=(ALL,)), STEPS, "with all visits known"),
        (SmallestClass(5, rows=(ONE,)), STEPS, "with one visit known"),
        (None, STEPS, "with one visit or all values known"),  # the recipient's own k and rows
        (SmallestClass(5, rows=(ALL, ONE)), (*STEPS, Unlink("who")), "with all visits or one visit known"),
    ],
)
def test_k_of_persons_is_that_of_the_criterion_and_says_by_which_rows(criterion, steps, by):
    aim = Aim.for_recipient("within") if criterion is None else replace(Aim(), criteria=(criterion,))
    recipe = Recipe.of(list(steps))
    app = seeded(visits(), page=RISK, roles=ROLES, aim=aim, recipe=recipe)
    beside = dict(line.split(": ", 1) for line in app.sidebar_lines if ": " in line)
    assert f"k, {by}" in beside and "k" not in beside and not [name for name in beside if ", values known" in name]
    if criterion is None:
        return
    project = open_project(Project(roles=ROLES, aim=aim, recipe=recipe, seed=1), LoadedFile.of(visits(), "visits.csv"))
    (found,) = gather(project, parts=()).criteria
    shown = beside[f"k, {by}"].replace("**", "").removeprefix(":red[").removesuffix("]")
    assert shown == (found.now if found.now == found.original else f"{found.original} → {found.now}")
    assert beside[f"below k = 5, {by}"].replace("**", "").split(" → ")[-1].strip(":red[]") == f"{found.persons:,}"
    assert app.metric("k, the smallest class, values known") != shown or found.now == "5", "another figure"


def test_a_release_of_class_five_by_values_and_of_one_by_all_rows_shows_one():
    aim = replace(Aim(), criteria=(SmallestClass(5, rows=(ALL,)),))
    app = seeded(visits(), page=RISK, roles=ROLES, aim=aim, recipe=Recipe.of(list(STEPS)))
    beside = dict(line.split(": ", 1) for line in app.sidebar_lines if ": " in line)
    assert app.metric("k, the smallest class, values known").endswith("5")
    assert beside["k, with all visits known"] == ":red[**1**]"


def test_of_two_smallest_classes_the_one_that_is_not_met_is_shown_whichever_is_larger():
    by_values, by_all_rows = SmallestClass(5, rows=(VALUES,)), SmallestClass(3, rows=(ALL,))
    for criteria in ((by_values, by_all_rows), (by_all_rows, by_values)):
        aim = replace(Aim(), criteria=criteria)
        app = seeded(visits(), page=RISK, roles=ROLES, aim=aim, recipe=Recipe.of(list(STEPS)))
        beside = dict(line.split(": ", 1) for line in app.sidebar_lines if ": " in line)
        assert beside["k, with all visits known"] == ":red[**1**]" and "below k = 3, with all visits known" in beside
    met = replace(Aim(), criteria=(by_values, SmallestClass(1, rows=(ALL,))))
    app = seeded(visits(), page=RISK, roles=ROLES, aim=met, recipe=Recipe.of(list(STEPS)))
    assert any(line.startswith("k, with all values known: ") for line in app.sidebar_lines)


def test_persons_of_one_row_need_no_word_on_rows():
    data = visits().decode().splitlines()
    first = {line.partition(",")[0]: line for line in reversed(data[1:])}
    app = seeded("\n".join([data[0], *first.values()]).encode(), page=RISK, roles=ROLES)
    assert [
        line for line in app.sidebar_lines if line.startswith(("k: ", "highest risk (prosecutor): ", "below k = 5: "))
    ]
    assert not [line for line in app.sidebar_lines if ", with " in line]


def test_what_is_certain_of_persons_says_by_which_rows():
    aim = replace(Aim.for_recipient("public"), criteria=(SmallestClass(5), Inference(known=2)))
    app = seeded(visits(), page=RISK, roles=ROLES, aim=aim)
    project = open_project(Project(roles=ROLES, aim=aim, seed=1), LoadedFile.of(visits(), "visits.csv"))
    found = next(each for each in gather(project, parts=("inference",)).inferred if each.known == 2)
    assert found.by == "all visits known"
    assert f"ill certain from 2 quasi-identifiers, with all visits known: **{found.after}**" in app.sidebar_lines


def test_the_help_says_in_full_what_is_known_and_leads_to_its_words():
    app = seeded(visits(), page=RISK, roles=ROLES, recipe=Recipe.of(list(STEPS)))
    (counted,) = [each.proto.help for each in app.at.sidebar.markdown if "below k" in each.value]
    assert "somebody who saw a person once or who knows the values that a person's visits have" in counted
    assert "the worse of these is shown." in counted and "(glossary#one-visit-known)" in counted
    of_one_row = visits().decode().splitlines()[:1] + [f"p{i},{20 + i % 9},f,a,x" for i in range(40)]
    app = seeded("\n".join(of_one_row).encode(), page=RISK, roles=ROLES)
    (counted,) = [each.proto.help for each in app.at.sidebar.markdown if "below k" in each.value]
    assert counted.startswith("Glossary: ") and "visit" not in counted
