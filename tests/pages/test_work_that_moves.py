"""Pages that protect and collect: what takes long moves to another process, and comes to what it does in place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from pages.collect.schedules import results as schedules
from pages.protect.generalize import results as generalize
from pages.protect.regions import question as counted_areas
from pages.protect.regions import results as regions
from tests.helpers import away as away_in_tests
from tests.helpers import frontier
from tests.helpers import regions as regions_helpers
from tests.helpers import schedules as schedules_helpers
from tests.helpers.app import FORECAST, GENERALIZE, GENERALIZE_TABS, SCHEDULES, App, loaded, sampled, seeded, visits
from tests.helpers.regions import of_files
from ui.session import away, long_work

SECONDS = re.compile(r"(less than )?(?<![\w.])\d+(\.\d+)?(e\+\d+)?(?= (s|minutes)\b)")  # which are not the same twice
APPOINTMENTS = b"age,sex,centre,hour\n" + b"".join(
    b"%d,%s,%s,%d\n" % (30 + i % 4, b"FM"[i % 2 :][:1], (b"Lia", b"Nes")[i % 3 > 0], 9 + i % 2) for i in range(24)
)
Shown = Iterator[App]


def methods_of_generalize() -> Shown:
    app = loaded(visits(), page=GENERALIZE)
    yield app
    yield app.tab(f"generalize-tabs-{len(GENERALIZE_TABS)}", "Methods side by side").press("Start")


def a_long_search_of_generalize() -> Shown:
    generalize.AT_ONCE = -1.0
    app = loaded(visits(), page=GENERALIZE)
    yield app.choose("selectbox", "Method", "optimal")


def searches_of_frontier() -> Shown:
    app = frontier.of_file(frontier.records_csv(400, ages=frontier.LONG))
    yield app
    yield app.press("Search for")
    yield app.press("Search a bound")
    yield app.tab(frontier.TABS, "Searches").press("Start")


def regions_of_a_number() -> Shown:
    regions.AT_ONCE = -1.0
    app = regions_helpers.by_hand(of_files(), 12)
    for placement in ("clustering", "exchange"):
        yield app.choose("segmented_control", "Placement", placement)
    yield app.tab(regions_helpers.TABS, "Number of regions")
    app.tab(regions_helpers.TABS, "Compare").press("Start")
    yield app


def regions_of_a_target() -> Shown:
    regions.AT_ONCE = -1.0
    yield of_files().choose("segmented_control", "Placement", "exchange")


def schedules_and_few_moves() -> Shown:
    app = schedules_helpers.of_file(APPOINTMENTS, dict.fromkeys(("age", "sex"), "quasi_identifier"))
    yield app
    yield app.tab(schedules_helpers.TABS, "Few moves")


def searches_of_schedules() -> Shown:
    schedules.AT_ONCE = 0.0
    app = sampled("screening_county", SCHEDULES)
    if app.has_button("Start"):
        app.press("Start")
    yield app
    app.tab(schedules_helpers.TABS, schedules_helpers.EXPERIMENTS).choose("selectbox", "Sizes up to", 50)
    for key in [button.key for button in app.at.button if button.label == "Start"]:
        yield app.press(key)


def policies_of_forecast() -> Shown:
    roles = {"age": "quasi_identifier", "sex": "quasi_identifier", "zip": "quasi_identifier"}
    yield seeded(visits(), page=FORECAST, roles=roles)


MOVES: dict[Callable[[], Shown], set[str]] = {
    methods_of_generalize: {"_search", "_tried_so_far"},
    a_long_search_of_generalize: {"_search"},
    searches_of_frontier: {"_begin", "lower_bounds", "_all_places", "_drawn"},
    regions_of_a_number: {"_searched", "_runs", "_curve", "_most_regions"},
    regions_of_a_target: {"_better_target"},
    schedules_and_few_moves: {"_solved", "search_few_moves"},
    searches_of_schedules: {"_solved", "_run_table10", "_run_table11"},
    policies_of_forecast: {"_find_finest", "_find_table"},
}


def name_of(work: object) -> str:
    """Of the function that a job does."""
    while not hasattr(work, "__name__"):
        work = work.args[0] if getattr(work.func, "__module__", "") == "ui.session.away" else work.func  # type: ignore[attr-defined]
    return work.__name__


@pytest.mark.parametrize("journey", MOVES, ids=lambda journey: journey.__name__)
def test_what_takes_long_moves_and_comes_to_the_same(journey, monkeypatch):
    for module in (generalize, counted_areas, regions):
        monkeypatch.setattr(module, "STAYS", -1.0)
    for module in (generalize, regions, schedules):
        monkeypatch.setattr(module, "AT_ONCE", module.AT_ONCE)  # journeys set it
    press = long_work._press_search
    monkeypatch.setattr(long_work, "_press_search", lambda name, given: press(name, frontier.WORK))
    moved = []

    def begin(session, function, first):
        moved.append(name_of(function))
        return away_in_tests.begin(session, function, first)

    monkeypatch.setattr(away, "begin_job", begin)
    shown = [SECONDS.sub("", app.text) for app in journey()]
    assert MOVES[journey] <= {*moved}
    monkeypatch.setattr(away, "begin_job", lambda *_: None)
    in_place = [SECONDS.sub("", app.text) for app in journey()]
    assert shown == in_place
