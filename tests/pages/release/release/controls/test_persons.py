"""The forms of steps that go through the rows of each person, without a browser."""

from __future__ import annotations

from hashlib import sha256

import pytest

from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Role
from anonlib.release.recipe import Recipe
from anonlib.release.steps import AtMostRows, HoldBack, Recode, ShiftDates
from tests.helpers.app import RELEASE, App, seeded

ROWS = [
    ("a", "2021-03-01", "2021-03-05", 40), ("a", "2021-05-01", "2021-05-02", 40), ("a", "2021-06-11", "2021-06-30", 41),
    ("b", "2021-01-07", "2021-01-09", 52), ("b", "2021-02-07", "2021-02-11", 52), ("c", "2021-12-24", "2021-12-31", 33),
]  # fmt: skip
FILE = ("id,admitted,left,age\n" + "".join(f"{i},{a},{b},{c}\n" for i, a, b, c in ROWS)).encode()
ONE_ROW = b"id,age\n1,30\n2,31\n3,32\n"
ROLES = {"id": Role.PERSON_ID, "admitted": Role.QUASI_IDENTIFIER, "left": Role.QUASI_IDENTIFIER, "age": Role.SENSITIVE}


def opened(kind: str, recipe: Recipe | None = None) -> App:
    app = seeded(FILE, page=RELEASE, roles=ROLES, recipe=recipe or Recipe())
    return app.choose("segmented_control", "Kind of step", kind)


def test_rows_of_a_person_are_limited_by_hand():
    app = opened("Limit rows", Recipe.of([Recode("age", Intervals(10))]))
    assert "2 persons have more rows." in app.text
    app.choose("number_input", "Rows of a person, at most", 2)
    assert "1 person has more rows." in app.text
    app.choose("selectbox", "Which stay", "last")
    assert app.widget("selectbox", "By").value == "admitted"
    app.press("Add to recipe")
    first, second = app.session.recipe.enabled
    assert isinstance(first, AtMostRows) and isinstance(second, Recode), "before all others"
    assert (first.n, first.which, first.by) == (2, "last", "admitted") and len(first.secret) == 32
    assert "1 row left out, 1 person had more rows" in app.text
    assert first.secret not in app.text


def test_dates_are_moved_by_hand_and_more_of_them_alike():
    app = opened("Move dates")
    assert app.widget("multiselect", "Columns of dates").value == ["admitted", "left"]
    assert "Who knows one date of a person knows all of them." in app.text
    app.set("multiselect", "Columns of dates", ["admitted"]).choose("toggle", "Keep the weekday", True)
    assert "**left** leaves as it is: a date that is near" in app.text
    app.press("Add to recipe")
    (step,) = app.session.recipe.enabled
    assert (step.dates, step.most, step.keep_weekday, step.keep_season) == (("admitted",), 183, True, False)
    app.set("multiselect", "Columns of dates", ["left"]).choose("toggle", "Keep the season", True)
    assert "leaves as it is" not in app.text
    app.press("Add to recipe")
    assert app.session.recipe.enabled[1].secret == step.secret, "the dates of both columns are moved alike"
    assert step.secret not in app.text


def test_other_days_are_drawn_for_another_recipient():
    app = opened("Move dates").press("Draw other days")
    app.press("Add to recipe")
    (step,) = app.session.recipe.enabled
    app.press("Change step 1").press("Draw other days").press("Keep the change")
    assert app.session.recipe.enabled[0].secret != step.secret
    app.press("Change step 1").choose("radio", "They leave", "since_first").press("Keep the change")
    assert app.session.recipe.enabled == (ShiftDates(("admitted", "left"), "since_first"),)


@pytest.mark.parametrize(
    ("kind", "roles", "why"),
    [
        ("Limit rows", {"age": Role.QUASI_IDENTIFIER}, "No column says which rows are of one person."),
        (
            "Limit rows",
            {"id": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER},
            "Each person has one row, so there are no rows to limit.",
        ),
        (
            "Move dates",
            {"id": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER},
            "No column is of dates, so there are none to move.",
        ),
    ],
)
def test_a_step_that_cannot_be_made_says_why(kind, roles, why):
    app = seeded(ONE_ROW, page=RELEASE, roles=roles).choose("segmented_control", "Kind of step", kind)
    assert why in app.text and app.button("Add to recipe").disabled


def test_who_is_held_back_is_switched_off_and_removed_here_and_looked_up_elsewhere():
    step = HoldBack((0, 1, 2), sha256(FILE).hexdigest(), 1)
    app = seeded(FILE, page=RELEASE, roles=ROLES, recipe=Recipe.of([step]))
    assert "Hold back 1 person until enough others are like them" in app.text and "3 rows left out" in app.text
    app.press("Change step 1")
    assert "looked up on the Verdict page, for this file alone" in app.text
    app.choose("text_input", "Reason (kept in the recipe)", "Too few are like them.").press("Keep the change")
    assert app.session.recipe.enabled == (step.with_reason("Too few are like them."),)
    app.choose("toggle", "Step 1 is on", False)
    assert "Switched off" in app.text and "3 rows left out" not in app.text
    assert not app.press("Remove step 1").session.recipe.entries


def test_who_is_held_back_of_another_file_stops_the_release_with_a_way_out():
    app = seeded(FILE, page=RELEASE, roles=ROLES, recipe=Recipe.of([HoldBack((0,), "0" * 64, 1)]))
    assert "This step holds back records of another file" in app.text and "Remove the step" in app.text
    assert "This step holds back records of another file" not in app.press("Remove step 1").text
