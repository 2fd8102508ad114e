"""States, provinces and the areas that begin with the number of a state."""

from __future__ import annotations

from collections import Counter

import pytest

from anonlib.columns.codes.states import STATE_SYSTEMS, STATES

BY_KEY = {system.key: system for system in STATE_SYSTEMS}


@pytest.mark.parametrize(
    ("key", "code", "groups"),
    [
        ("us-state", "MA", ("MA", "New England", "Northeast")),
        ("us-state", "Massachusetts", ("MA", "New England", "Northeast")),
        ("us-state", "West  virginia", ("WV", "South Atlantic", "South")),
        ("us-state", "Québec", ("QC", "Quebec", "Canada")),
        ("us-state", "Washington, D.C.", ("DC", "South Atlantic", "South")),
        ("us-state", "Washington", ("WA", "Pacific", "West")),
        ("us-state", "Bavaria", None),
        ("us-state-fips", "1", ("AL", "East South Central", "South")),
        ("us-state-fips", "25", ("MA", "New England", "Northeast")),
        ("us-state-fips", "03", None),  # never given
        ("us-geoid", "25017353101", ("25017353101", "25017", "MA", "New England", "Northeast")),
        ("us-geoid", "250173531011", ("25017353101", "25017", "MA", "New England", "Northeast")),
        ("us-geoid", "1001", ("01001", "01001", "AL", "East South Central", "South")),  # a zero was lost
        ("us-geoid", "03001", None),
        ("us-geoid", "250171", None),
    ],
)
def test_groups(key: str, code: str, groups: tuple[str, ...] | None):
    assert BY_KEY[key].groups_of(code) == groups


def test_how_many_states_each_division_has():
    """As the Census Bureau counts them, the District of Columbia in the South Atlantic."""
    system = BY_KEY["us-state"]
    divisions = Counter(system.labels(sorted(STATES), "divisions").tolist())
    assert [divisions[name] for name in (
        "New England", "Middle Atlantic", "East North Central", "West North Central", "South Atlantic",
        "East South Central", "West South Central", "Mountain", "Pacific",
    )] == [6, 3, 5, 7, 9, 4, 4, 8, 5]  # fmt: skip
    regions = Counter(system.labels(sorted(STATES), "regions").tolist())
    assert [regions[name] for name in ("Northeast", "Midwest", "South", "West", "Canada")] == [9, 12, 17, 13, 13]
