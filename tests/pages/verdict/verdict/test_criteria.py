"""The criteria that the page offers: every kind, each with a row and a page that shows more of it."""

from __future__ import annotations

from anonlib.verdict.criteria import CRITERION_KINDS, Aim
from pages.verdict.verdict.controls.criteria import _OFFERED
from tests.helpers.app import ROOT, SMALL, VERDICT, seeded
from ui.kit.criterion_pages import _WHERE


def test_every_kind_is_offered_once_and_leads_to_a_page() -> None:
    assert {type(criterion) for criterion in _OFFERED} == {*CRITERION_KINDS.values()}
    assert len({criterion.title for criterion in _OFFERED}) == len(_OFFERED)
    assert all((ROOT / _WHERE[criterion.page]).exists() for criterion in _OFFERED)


def test_each_that_is_asked_has_a_row_with_a_way_to_its_page() -> None:
    app = seeded(SMALL, page=VERDICT, aim=Aim("contract", criteria=_OFFERED))
    rows = [row for row in app.at.expander if " · " in row.label]
    assert {row.label.split("· ")[1].split("**")[0] for row in rows} == {criterion.title for criterion in _OFFERED}
    for row in rows:
        title = row.label.split("· ")[1].split("**")[0]
        pages = {criterion.page for criterion in _OFFERED if criterion.title == title and criterion.page != "Verdict"}
        assert pages <= {button.label for button in row.button}, title
