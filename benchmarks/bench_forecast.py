"""Forecast: drawing releases of the Tennessee set, what a policy keeps, the finest one, and the table of policies."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from anonlib.analyses.forecast import (
    DRAWS,
    LevelLattice,
    NewPeople,
    Promise,
    draw_futures,
    finest_policy,
    forecast,
    policy_table,
    usual_ranges,
)
from anonlib.coarsening.hierarchies import suggested_hierarchy
from anonlib.counting.classes import ClassTable
from benchmarks.frontier_data import state
from benchmarks.measuring import Row, seconds, spoken

A_WEEK, MOST = 1_000, 20_000
LIMIT = 10.0  # seconds for a forecast, its search and its table


def rows() -> list[Row]:
    return list(_rows())


def _rows() -> Iterator[Row]:
    of = state()
    people = of.space.population
    assert people is not None
    hierarchies = {
        name: suggested_hierarchy(values, np.bincount(people.codes[:, j], people.counts), name)
        for j, (name, values) in enumerate(zip(people.attributes, people.categories, strict=True))
    }
    lattice, promise = LevelLattice(people, hierarchies), Promise()
    many = draw_futures(people, NewPeople.of(MOST), DRAWS)
    futures = draw_futures(people, NewPeople.of(A_WEEK), DRAWS)
    as_it_is = lattice.groups([0] * len(lattice.columns))
    finest = finest_policy(futures, lattice, promise)
    table = policy_table(many, lattice, promise, usual_ranges(promise.k, MOST))
    where = f"{people.n_records:,} people ({of.where}) in {people.n_classes:,} combinations of values"
    yield Row(
        f"{where}: {DRAWS:,} draws of {A_WEEK:,} people",
        spoken(seconds(lambda: draw_futures(people, NewPeople.of(A_WEEK), DRAWS), 3)),
    )
    yield Row(
        "the same: the share below 11 and marketer risk of one policy, all draws",
        spoken(seconds(lambda: forecast(futures, as_it_is), 3)),
    )
    yield Row(
        f"the same: the finest of {lattice.n_policies:,} policies, of which {finest.looked_at:,} are counted",
        spoken(seconds(lambda: finest_policy(futures, lattice, promise), 3)),
    )
    yield Row(
        f"{DRAWS:,} draws of {MOST:,} people: the table of {len(table.ranges):,} ranges, every number of people looked "
        f"at, {table.looked_at:,} policies counted",
        spoken(seconds(lambda: policy_table(many, lattice, promise, usual_ranges(promise.k, MOST)), 1)),
    )
    whole = seconds(lambda: _page(people, lattice, promise), 3)
    yield Row(
        f"All of the page for {A_WEEK:,} people: draws, the recipe, the finest policy, new draws, the table to 5,000",
        spoken(whole), f"< {LIMIT:.0f} s", whole < LIMIT,
    )  # fmt: skip


def _page(people: ClassTable, lattice: LevelLattice, promise: Promise) -> None:
    """What the page computes for one question."""
    searched, fresh = (draw_futures(people, NewPeople.of(A_WEEK), DRAWS, np.random.default_rng(s)) for s in (0, 1))
    forecast(fresh, lattice.groups([0] * len(lattice.columns)))
    policy = finest_policy(searched, lattice, promise).policy
    assert policy is not None
    forecast(fresh, lattice.groups(policy))
    by_number = draw_futures(people, NewPeople.of(5 * A_WEEK), DRAWS, np.random.default_rng(2))
    policy_table(by_number, lattice, promise, usual_ranges(promise.k, 5 * A_WEEK))
