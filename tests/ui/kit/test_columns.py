"""While columns are undecided the sidebar and the pages say both ends, the worse first."""

from __future__ import annotations

import re

import pytest

from anonlib.columns.roles import Role
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns
from tests.helpers.app import HOME, RELEASE, RISK, VERDICT, seeded

SURVEY = "\n".join(["sex,q1,q2", *(f"{'fm'[i % 2]},{i},{i % 3}" for i in range(60))]).encode()
SEX = {"sex": Role.QUASI_IDENTIFIER}


def lines(text: str, start: str) -> list[str]:
    return [line.rstrip() for line in text.replace("\\", "").split("\n") if line.startswith(start)]


def test_the_sidebar_says_both_ends_the_worse_first():
    text = seeded(SURVEY, page=HOME, roles=SEX).text
    assert "2 columns undecided.** If all are known too:" in text and "If only what is decided is known:" in text
    assert lines(text, "k: ") == ["k: :red[**1**]", "k: **30**"]
    assert lines(text, "alone: ") == ["alone: :red[**100%**]", "alone: **0%**"]
    assert lines(text, "below k = 5: ") == ["below k = 5: :red[**60**]", "below k = 5: **0**"]


def test_it_follows_the_recipe_and_ends_with_the_last_decision():
    app = seeded(SURVEY, page=HOME, roles=SEX, recipe=Recipe.of([DropColumns(("q1",))]))
    assert lines(app.text, "k: ") == ["k: **1 → 10**", "k: **30**"]
    app.session.roles = {**SEX, "q1": Role.SENSITIVE, "q2": Role.OTHER}
    app.run()
    assert lines(app.text, "k: ") == ["k: **30**"] and "undecided" not in app.text


def test_without_a_known_column_there_is_the_worse_end_alone():
    text = seeded(SURVEY, page=HOME, roles={"q1": Role.SENSITIVE}).text
    assert lines(text, "k: ") == ["k: **10**"] and "If only what is decided" not in text


def test_before_any_role_there_is_no_figure():
    text = seeded(SURVEY, page=HOME, roles={}).text
    assert not lines(text, "k: ") and "Say on the page Data what each column is" in text


@pytest.mark.parametrize("page", [RISK, RELEASE, VERDICT])
def test_figures_of_what_is_decided_stand_below_what_is_not(page):
    app = seeded(SURVEY, page=page, roles=SEX)
    message = [each.value for each in app.at.warning if "undecided" in each.value]
    assert len(message) == 1 and re.search(
        r"class has \*\*1\*\*, and \*\*100% \(60 of 60 records\)\*\* are alone", message[0]
    )
