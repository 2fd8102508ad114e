"""States, provinces and the areas that begin with the number of a state."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.columns.codes import CodeSystem
from anonlib.columns.codes.states import STATE_SYSTEMS, STATES
from tests.helpers.examples import settings
from tests.helpers.nested_codes import columns_of, known_as, levels_on

BY_KEY = {system.key: system for system in STATE_SYSTEMS}
EXAMPLES = {
    "us-state": ["MA", "Massachusetts", "NY", "new-york", "CA", "QC", "Québec", "ON", "PR", "AE", "Washington, D.C."],
    "us-state-fips": ["25", "01", "1", "36", "MA", "72"],
    "us-geoid": ["25017", "01001", "1001", "25017353101", "1001020100", "250173531011", "250173531011000", "72001"],
}


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


@pytest.mark.parametrize(
    ("name", "values", "key"),
    [
        ("state", ["CA", "DE", "IN"], "us-state"),
        ("country", ["CA", "DE", "IN"], None),
        ("x", ["CA", "DE", "IN", "AL", "OR", "ME", "OK", "HI"], None),  # words, countries or states
        ("x", ["Texas", "Ohio", "Iowa", "Utah", "Maine"], "us-state"),
        ("x", ["Ontario", "Quebec"], None),
        ("province", ["ON", "QC"], "us-state"),
        ("fips_state", ["25", "36"], "us-state-fips"),
        ("state", ["1", "2"], None),
        ("fips", ["25017", "36061"], "us-geoid"),
        ("county_fips", ["1001", "36061"], "us-geoid"),
        ("geoid", ["25017353101"], "us-geoid"),
        ("x", ["25017", "36061"], None),
        ("marital_state", ["Married", "Single"], None),
    ],
)
def test_recognised(name: str, values: list[str], key: str | None):
    assert known_as(STATE_SYSTEMS, values, name) == key


@pytest.mark.parametrize("system", STATE_SYSTEMS, ids=lambda system: system.key)
@given(data=st.data())
@settings(100)
def test_levels_are_nested_whatever_stands_there(system: CodeSystem, data: st.DataObject):
    levels_on(system, data.draw(columns_of(system, st.sampled_from(EXAMPLES[system.key]))))
