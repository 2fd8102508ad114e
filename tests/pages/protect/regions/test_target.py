"""The target on the Regions page: as many regions as the placement that is chosen allows, while it is searched for."""

from __future__ import annotations

from itertools import count

import pytest
from streamlit.runtime.scriptrunner_utils.exceptions import StopException

from anonlib.analyses.regions import Target, regions_for_target
from anonlib.analyses.regions.exchange import exchange
from pages.protect.regions import results
from pages.protect.regions.question import why_target
from tests.helpers.app import App
from tests.helpers.regions import TABS, at_first, check_figures, counted, every_tab
from ui.session import long_work


def placed(app: App, placement: str) -> App:
    return app.choose("segmented_control", "Placement", placement)


def searched(app: App, share: float, placement: str) -> Target:
    """What the library finds."""
    search = {"exchange": exchange, "clustering": results._clustered.compute}[placement]
    return regions_for_target(counted(app), 5, share, search=search)


@pytest.mark.parametrize("placement", ["clustering", "exchange"])
def test_the_number_is_that_of_the_placement_and_what_is_shown_is_released(app, placement):
    placed(app, placement)
    for percent in (5.0, 20.0):
        target = searched(app, percent / 100, placement)
        app.choose("slider", "Left out", percent)
        check_figures(app, target.aggregation)
        assert target.is_ended and target.measures.share_left_out <= percent / 100
        assert "largest number tried that leaves out at most" in app.text
        balanced = regions_for_target(counted(app), 5, percent / 100).asked
        assert f"Placed balanced, it would be {balanced}." in app.text
    every_tab(app)
    assert "The dotted line is of the numbers of" in app.tab(TABS, "Number of regions").text
    app.press("Add to recipe")
    regions = {area: label for label, areas in app.session.recipe.enabled[0].regions for area in areas}
    assert regions == dict(target.aggregation.area_table().itertuples(index=False, name=None))


def test_it_is_searched_for_with_the_weights_that_are_set(app):
    placed(app, "exchange").set("slider", "Exchange: more compact", 10).choose("slider", "Exchange: evenness", 70)

    def search(start, *, progress):
        return exchange(start, compactness=0.10, balance=0.70)

    check_figures(app, regions_for_target(counted(app), 5, 0.05, search=search).aggregation)


def test_a_short_search_begins_by_itself_and_a_long_one_waits(app, monkeypatch):
    monkeypatch.setattr(results, "AT_ONCE", -1.0)
    placed(app, "exchange")
    check_figures(app, searched(app, 0.05, "exchange").aggregation)
    assert not app.has_button("Start") and app.work.running is None
    monkeypatch.setattr(results, "BY_ITSELF", -1.0)
    app.choose("slider", "Left out", 10.0)
    assert app.has_button("Start") and "The search for the most exchanged regions takes" in app.text
    assert "Shown are the balanced regions" in app.text
    check_figures(app, regions_for_target(counted(app), 5, 0.1).aggregation)
    app.press("Start")
    check_figures(app, searched(app, 0.1, "exchange").aggregation)


def test_stopping_keeps_the_best_so_far_and_going_on_comes_to_the_same(app, monkeypatch):
    monkeypatch.setattr(results, "AT_ONCE", -1.0)
    monkeypatch.setattr(results, "BY_ITSELF", -1.0)
    monkeypatch.setattr(long_work, "_measure", lambda *_: None)  # which tries a few numbers
    whole, runs = searched(app, 0.05, "exchange"), count()
    placed(app, "exchange")
    assert len(whole.points) > 3

    def stopped(start, **settings):
        if next(runs) == 2:
            raise StopException
        return exchange(start, **settings)

    monkeypatch.setattr(results, "exchange", stopped)
    app.press("Start")
    assert app.work.running and app.has_button("Stop")
    (best,) = [best for _, best in app.work.latest.values()]
    app.press("Stop")
    check_figures(app, best.aggregation)
    assert best.is_kept and at_first(counted(app)).asked <= best.asked <= whole.asked
    assert "The search for more is not done." in app.text and "Shown is how far it got" in app.text
    every_tab(app)
    app.press("Go on")
    check_figures(app, whole.aggregation)
    assert "is not done" not in app.text and not app.has_button("Go on")
    assert next(runs) == len(whole.points) + 1, "what was tried before is not tried again"


def test_the_page_begins_again_to_draw_what_is_better(app, monkeypatch):
    monkeypatch.setattr(results, "AT_ONCE", -1.0)
    monkeypatch.setattr(long_work, "_DRAWN_AGAIN", -1.0)
    shown, see = [], results._see

    def note(question, aggregation):
        shown.append((aggregation.n_regions, aggregation.method, "is not done" in question.number.why))
        see(question, aggregation)

    monkeypatch.setattr(results, "_see", note)
    placed(app, "exchange")
    whole = searched(app, 0.05, "exchange").aggregation
    check_figures(app, whole)
    assert [n for n, *_ in shown] == sorted(n for n, *_ in shown)
    assert shown[0] == (at_first(counted(app)).n_regions, "balanced", False)
    assert {(method, is_so_far) for _, method, is_so_far in shown[1:-1]} == {("exchange", True)}
    assert shown[-1] == (whole.n_regions, "exchange", False)


def test_what_was_tried_is_in_words(app):
    of = counted(app)

    def why(asked: int, *numbers: int, **how) -> str:
        target = regions_for_target(of, 5, 0.05)
        points = tuple((number, target.measures) for number in (asked, *numbers))
        return why_target(Target(0.05, asked, target.aggregation, points), "exchange", **how)

    assert "20 to 22 leave out more; larger ones were not tried." in why(19, 20, 21, 22)
    assert "20 leaves out more, as did 2 larger numbers tried; others were not." in why(19, 20, 30, 31)
    assert "The next one tried, 30, leaves out more; those between were not tried." in why(19, 30, 31)
    assert why(58, 59, 60).endswith("59 to 60 leave out more.") and why(60).endswith("It is the number of areas.")
    assert why(19, 20, is_done=False).endswith("The search for more is not done.")
