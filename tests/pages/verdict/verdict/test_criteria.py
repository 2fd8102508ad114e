"""The criteria that the page offers: every kind, each with a row and a page that shows more of it."""

from __future__ import annotations

from random import Random

import pytest

from anonlib.coarsening.recoding import Intervals
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, Recode
from anonlib.verdict.criteria import CRITERION_KINDS, Aim, NoRevealingColumns
from pages.verdict.verdict.controls.criteria import _IN_ORDER, FORMS, _offered
from tests.helpers.app import ROOT, SMALL, VERDICT, seeded
from ui.kit.criterion_pages import _WHERE, OPENS_ON

OFFERED = tuple(_offered())


def test_every_kind_is_offered_once_and_leads_to_a_page() -> None:
    assert {type(criterion) for criterion in OFFERED} == {*CRITERION_KINDS.values()}
    assert {*_IN_ORDER} | {*FORMS} | {*OPENS_ON} <= {*CRITERION_KINDS}
    assert len({criterion.title for criterion in OFFERED}) == len(OFFERED)
    assert all((ROOT / _WHERE[criterion.page]).exists() for criterion in OFFERED)


@pytest.mark.usefixtures("without_searches")
def test_each_that_is_asked_has_a_row_with_a_way_to_its_page() -> None:
    app = seeded(SMALL, page=VERDICT, aim=Aim("contract", criteria=OFFERED))
    rows = [row for row in app.at.expander if " · " in row.label]
    assert {row.label.split("· ")[1].split("**")[0] for row in rows} == {criterion.title for criterion in OFFERED}
    for row in rows:
        title = row.label.split("· ")[1].split("**")[0]
        pages = {criterion.page for criterion in OFFERED if criterion.title == title and criterion.page != "Verdict"}
        assert pages <= {button.label for button in row.button}, title


def test_of_all_nearly_unique_columns_it_is_asked_once_and_an_answer_holds_of_these_alone() -> None:
    """Two numbers of which nothing is found; a third that comes in later is asked about again."""
    numbers = [*range(7001, 7121)]
    order = Random(3)
    columns = [order.sample(numbers, len(numbers)) for _ in range(3)]
    rows = [f"{30 + i % 12},{a},{b},{c}" for i, (a, b, c) in enumerate(zip(*columns, strict=True))]
    file = "\n".join(["age,first,second,third", *rows]).encode()
    criterion = NoRevealingColumns(0)
    roles = {"age": "quasi_identifier", "first": "other", "second": "other", "third": "other"}
    steps = (Recode("age", Intervals(30)), DropColumns(("third",)))
    app = seeded(
        file, page=VERDICT, roles=roles, recipe=Recipe.of(steps), aim=Aim("own", criteria=(criterion,)),
    )  # fmt: skip
    asked = [text for text in app.rendered_text() if "Does anything in" in text]
    assert len(asked) == 1 and "first" in asked[0] and "second" in asked[0] and "third" not in asked[0]
    app.press("Nothing does")
    (accepted,) = app.session.aim.accepted
    assert (accepted.criterion, accepted.columns) == (criterion, ("first", "second")) and "second" in accepted.reason
    assert not [text for text in app.rendered_text() if "Does anything in" in text]
    assert any("May leave" in text and "by a written reason" in text for text in app.rendered_text())
    app.session.recipe = Recipe.of(steps[:1])
    app.run()
    assert [text for text in app.rendered_text() if "Does anything in" in text and "third" in text]
