"""What tests of the Frontier page share: files of few policies, and the frontier of all of them by the library."""

from __future__ import annotations

import random
from functools import lru_cache
from itertools import product

import numpy as np
import pandas as pd

from anonlib.analyses.frontier import (
    Frontier,
    Plane,
    PolicySpace,
    safe_harbor_order,
    summary,
)
from anonlib.analyses.frontier.result import non_dominated
from anonlib.basics import words
from anonlib.basics.budget import A_SECOND
from anonlib.counting.classes import ClassTable
from tests.helpers.app import FRONTIER, FRONTIER_TABS, App, dataset_of, seeded

TABS = f"frontier-tabs-{len(FRONTIER_TABS)}"
MENDING = "frontier-tabs-3"  # without a frontier there is no policy to look at
QUASI = "quasi_identifier"
ROLES = {"name": "identifier", "age": QUASI, "sex": QUASI, "zip": QUASI, "illness": "sensitive"}
NAMES = ("age", "sex", "zip")
ZIPS = ("03601", "37010", "37011", "37203")  # an area of few people, and two others
AGES = (30, 31, 45, 91, 92)
LONG = tuple(range(20, 60))  # ages of too many policies to look at all of them
WORK = 0.4 * A_SECOND  # that a search does at a press of its button


@lru_cache
def records_csv(n: int = 90, seed: int = 4, ages: tuple[int, ...] = AGES) -> bytes:
    rng = random.Random(seed)
    lines = ["name,age,sex,zip,illness"]
    for i in range(n):
        age, sex, where = rng.choice(ages[: 1 + i % len(ages)]), rng.choice("FFM"), rng.choice(ZIPS[i % 2 :])
        lines.append(f"Person {i},{age},{sex},{where},{rng.choice(['flu', 'asthma'])}")
    return ("\n".join(lines) + "\n").encode()


@lru_cache
def people_csv(n: int = 400, seed: int = 5, ages: tuple[int, ...] = AGES) -> bytes:
    """Their neighbours, among whom some combinations are not found."""
    rng = random.Random(seed)
    drawn = [
        f"{rng.choice(ages[1:])},{rng.choice('FM')},{rng.choice(ZIPS[1:])},{rng.randrange(1, 9)}" for _ in range(n)
    ]
    return ("age,sex,zip,people\n" + "\n".join(drawn) + "\n").encode()


def file_of(*lines: str) -> bytes:
    return ("\n".join(lines) + "\n").encode()


def of_file(data: bytes = b"", /, **roles: str) -> App:
    """A session with a file of one's own, on the Frontier page."""
    return seeded(data or records_csv(), page=FRONTIER, roles=roles or ROLES)


def space_of(app: App, names: tuple[str, ...] = NAMES, people: ClassTable | None = None, **how) -> PolicySpace:
    """What the page asks for at first, by the library."""
    data = dataset_of(app)
    if "zip" in names:
        how.setdefault("order", {"zip": safe_harbor_order(data.records["zip"].cat.categories)})
    return PolicySpace(data.classes(list(names)), people, **how)


def everything(plane: Plane) -> Frontier:
    """The frontier of few policies, by looking at each of them."""
    policies = np.array([*product((False, True), repeat=plane.space.n_bits)], dtype=bool)
    sums = np.array([plane.sums(policy) for policy in policies])
    risk, loss = plane.finish(sums[:, 0], sums[:, 1])
    kept, order = non_dominated(risk, loss)
    at = order[kept[order]]
    return Frontier(plane, policies[at], risk[at], loss[at])


def point(plane: Plane, policy: np.ndarray) -> tuple[float, float]:
    risk, loss = plane.finish(*plane.sums(policy))
    return float(risk), float(loss)


def unique(found: Frontier, start: int) -> int:
    """A position from there on whose point is no other policy's."""
    points = list(zip(found.risk.tolist(), found.loss.tolist(), strict=True))
    return next(i for i in range(start, len(found)) if points.count(points[i]) == 1)


def chosen(app: App) -> int:
    """The position along the slider."""
    return app.widget("slider", "Policy").value - 1


def check_figures(app: App, found: Frontier, safe_harbor: np.ndarray | None, position: int | None = None) -> None:
    """The figures of the page are those of the chosen policy, beside Safe Harbor's."""
    assert not app.errors
    at = chosen(app) if position is None else position
    now = summary(found.plane, found.policies[at])
    before = now if safe_harbor is None else summary(found.plane, safe_harbor)
    risks, losses = (
        [words.percent(one) for one in pair] for pair in ((before.risk, now.risk), (before.loss, now.loss))
    )
    assert app.metric("Risk") == words.change(*risks)
    assert app.metric("Loss") == words.change(*losses)
    assert app.metric("k, the smallest") == words.change(f"{before.k:,}", f"{now.k:,}")
    if safe_harbor is None:
        assert app.metric("Policies on the frontier") == f"{len(found):,}"
    else:
        better = found.dominating(safe_harbor)
        assert app.metric("Better than Safe Harbor") == f"{len(better):,} of {len(found):,}"
    of_what = " of the original’s" * (found.plane.risk.key == "population")
    assert f"**Risk {risks[1]}{of_what}, loss {losses[1]}.**" in app.text
    assert f"{words.count(now.groups, 'classes')}, the smallest of {words.count(now.k, 'records')}" in app.text


def check_exact(app: App, plane: Plane, *, safe_harbor: bool = True) -> Frontier:
    """The page has the frontier of all policies, whichever of those that tie."""
    found = everything(plane)
    harbor = plane.space.safe_harbor("age", "zip") if safe_harbor else None
    at = chosen(app)
    if [element.label for element in app.at.tabs if element.children] != ["All policies"]:
        app.tab(TABS, "All policies")
    listed = app.table("intervals of age")
    assert listed["risk"].tolist() == [words.percent(one) for one in found.risk.tolist()]
    assert listed["loss"].tolist() == [words.percent(one) for one in found.loss.tolist()]
    ties = np.flatnonzero((found.risk == found.risk[at]) & (found.loss == found.loss[at]))
    if len(ties) == 1:
        check_figures(app, found, harbor, at)
    return found


def every_tab(app: App) -> App:
    for tab in app.each_tab(TABS, FRONTIER_TABS):
        assert not app.errors, (tab, app.errors)
    return app


def looked_at(app: App) -> pd.DataFrame:
    return app.tab(TABS, "Searches").table("looked at").set_index("search")
