"""The Schedules page with files of people and tables of slots, and what the library makes of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from anonlib.analyses.schedules import (
    Invitees,
    Schedule,
    Slots,
    optimal_schedule,
    people_of,
    random_schedule,
    slots_of,
    with_values,
)
from anonlib.basics import words
from anonlib.basics.budget import A_SECOND
from tests.helpers.app import (
    SCHEDULES,
    SCHEDULES_TABS,
    App,
    dataset_of,
    seeded,
)
from tools.samples.screening import screening_county_slots

TABS = "schedules-tabs"
EXPERIMENTS = SCHEDULES_TABS[7]
_OPTIMA: dict[tuple, Schedule] = {}


KNOWN = ["birth_year", "municipality"]


QUASI = "quasi_identifier"


LONG = 60 * A_SECOND  # enough to prove the optima of these tests
TWELVE = b"age,sex\n" + b"30,F\n30,F\n30,M\n31,F\n31,F\n31,F\n" * 2


THIRTEEN = (
    b"name,age,sex\n" + b"".join(b"p%d,%d,%s\n" % (i, 30 + i, b"FM"[i % 2 :][:1]) for i in range(12)) + b"p12,42,X\n"
)


HOURS = b"centre,hour,seats\nLia,9,5\nLia,10,4\nNes,9,4\n"


RULES = {
    "Own region only": ("municipality",),
    "Not too far": ("latitude", "longitude"),
    "Mixed origins": ("born_in",),
}


def of_file(data: bytes, roles: dict[str, str], **fields: Any) -> App:
    """A session with a file whose roles are these, on the Schedules page; and fields of the session."""
    return seeded(data, page=SCHEDULES, roles=roles, **fields)


def county_of(app: App, also: tuple[str, ...] = (), known: list[str] | None = None) -> tuple[Invitees, Slots]:
    return people_of(dataset_of(app), known or KNOWN, also), slots_of(screening_county_slots(), "places")


def optimum(people: Invitees, slots: Slots) -> Schedule:
    """The best schedule, searched once a process for the same people and slots."""
    asked = tuple(tuple(np.asarray(part).tolist()) for part in (people.frequencies, slots.capacities, people.quasi_ids))
    if asked not in _OPTIMA:
        _OPTIMA[asked] = optimal_schedule(people.frequencies, slots.capacities, quasi_ids=people.quasi_ids, work=LONG)
    return _OPTIMA[asked]


def at_random(people: Invitees, slots: Slots, draw: int = 1) -> Schedule:
    drawn = random_schedule(people.frequencies, slots.capacities, np.random.default_rng(draw))
    return with_values(drawn, people.quasi_ids)


def check_figures(app: App, random: Schedule, taken: Schedule, k: int = 5) -> None:
    """The four figures are those of random invitations and of the schedule that is taken."""
    assert not app.errors
    assert app.metric("k, the smallest") == words.change(f"{random.k:,}", f"{taken.k:,}")
    alone = random.vector.people_below(2)
    assert f"**At random**, {words.share(alone, random.vector.n_records, 'people')} would be alone" in app.text
    below = [f"{schedule.vector.people_below(k):,}" for schedule in (random, taken)]
    assert app.metric(f"People below k = {k}") == words.change(*below)
    assert app.metric("The best there is?") == ("Yes, proven" if taken.proven else "Not known")


def every_tab(app: App, but: tuple[str, ...] = (EXPERIMENTS,)) -> App:
    """All that show something of the people; the paper's experiments are the same for all of them."""
    for tab in app.each_tab(TABS, [name for name in SCHEDULES_TABS if name not in but]):
        assert not app.errors, (tab, app.errors)
    return app


def places_stated(app: App) -> str:
    return next(caption.value for caption in app.at.caption if "to spare" in caption.value)


def warnings(app: App) -> list[str]:
    return [element.value for element in app.at.warning]
