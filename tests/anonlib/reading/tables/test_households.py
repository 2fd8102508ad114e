"""Households above persons: found, counted with all of their members, and recounted from the files that leave."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.counting.privacy_models import ALL, ONE, KAnonymity
from anonlib.dataset import Dataset
from anonlib.reading.tables import Key, Linked, link
from anonlib.release.export import released_in
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut, Step
from anonlib.verdict.criteria import Case, SmallestClass
from tests.helpers.examples import settings
from tests.helpers.tables import in_duckdb, in_memory
from tests.helpers.three_tables import dataset_of, tables_of, unzipped

LINKED = Linked(
    "households",
    {"households": "household_id", "persons": "household_id"},
    (Key("persons", "household_id", "households", "household_id"), Key("visits", "person_id", "persons", "person_id")),
)
ROLES = {
    "household_id": "person_id", "region": "quasi_identifier", "age": "quasi_identifier", "ward": "quasi_identifier",
    "illness": "sensitive",
}  # fmt: skip
KNOWN = ("region", "age", "ward")


@st.composite
def cases(draw: st.DrawFn) -> dict[str, pd.DataFrame]:
    """Up to five households of up to three persons with up to two visits each."""
    cell = st.sampled_from(["0", "1"])
    households, persons, visits = [], [], []
    for i in range(draw(st.integers(1, 5))):
        households.append({"household_id": f"H{i}", "region": draw(cell)})
        for _ in range(draw(st.integers(0, 3))):
            person = f"P{len(persons)}"
            persons.append({"person_id": person, "household_id": f"H{i}", "age": draw(cell)})
            for _ in range(draw(st.integers(0, 2))):
                visits.append({"person_id": person, "ward": draw(cell), "illness": draw(cell)})
    columns = {
        "households": ["household_id", "region"], "persons": ["person_id", "household_id", "age"],
        "visits": ["person_id", "ward", "illness"],
    }  # fmt: skip
    rows = {"households": households, "persons": persons, "visits": visits}
    return {name: pd.DataFrame(rows[name], columns=columns[name], dtype=object) for name in columns}


def alike(tables: Mapping[str, list[dict[str, str]]]) -> Counter:
    """How many households are just like each, as members with their visits, by plain code from the files that leave."""
    visits, members = defaultdict(list), defaultdict(list)
    for row in tables["visits"]:
        visits[row["person_id"]].append(row["ward"])
    for row in tables["persons"]:
        members[row["household_id"]].append((row["age"], tuple(sorted(visits[row["person_id"]]))))
    return Counter((row["region"], tuple(sorted(members[row["household_id"]]))) for row in tables["households"])


def with_a_row(tables: Mapping[str, list[dict[str, str]]]) -> Counter:
    """How many households have each row of a household, a member or a visit."""
    region = {row["household_id"]: row["region"] for row in tables["households"]}
    home = {row["person_id"]: (row["household_id"], row["age"]) for row in tables["persons"]}
    rows = {(home_id, (region[home_id],)) for home_id in region}
    rows |= {(home_id, (region[home_id], age)) for home_id, age in home.values()}
    for row in tables["visits"]:
        home_id, age = home[row["person_id"]]
        rows.add((home_id, (region[home_id], age, row["ward"])))
    return Counter(row for _, row in rows)


@settings(max_examples=120, deadline=None)
@given(
    cases(), st.sampled_from([[], [LeaveOut(guarantees=(KAnonymity(columns=KNOWN, least=2, rows=ALL),), what="rows")]])
)
def test_households_are_counted_with_what_their_members_have(frames, steps: list[Step]) -> None:
    recipe = Recipe.of(steps)
    applied = recipe.apply(dataset_of(frames, LINKED, ROLES))
    assert not applied.problems
    released = applied.released
    if not released.n_records or not released.has_several_rows:
        return
    tables, case = unzipped(released_in("CSV", released, np.random.default_rng(1))), Case(applied, recipe, k=2)
    assert SmallestClass(2, rows=(ALL,)).check(case).now == min(alike(tables).values())
    assert SmallestClass(2, rows=(ONE,)).check(case).now == min(with_a_row(tables).values())
    if steps:
        assert min(alike(tables).values()) >= 2


@pytest.mark.parametrize("place", [in_memory, in_duckdb], ids=["in memory", "in an engine"])
def test_a_table_of_households_above_the_persons_is_found(place) -> None:
    persons = [f"P{i:03d}" for i in range(80)]
    homes = [f"H{i // 2:03d}" for i in range(80)]
    tables = {
        "persons": {"person_id": persons, "household_id": homes, "age": [20 + i % 50 for i in range(80)]},
        "households": {"household_id": sorted(set(homes)), "region": ["a", "b"] * 20},
        "visits": {"person_id": persons * 2, "ward": ["A"] * 160},
    }
    linked = link(place(**tables))
    assert linked.person_table == "households"
    assert linked.person_columns == {"households": "household_id", "persons": "household_id"}
    assert {key.table: key.parent for key in linked.keys} == {"persons": "households", "visits": "persons"}
    assert len(linked.notes) == 1 and linked.notes[0].startswith("“households” has a row a household, and “persons”")
    del tables["households"]
    assert link(place(**tables)).person_table == "persons"


def test_the_number_of_a_household_may_say_whose_rows_persons_are() -> None:
    persons = {"person_id": ["P0", "P1", "P2"], "household_id": ["H0", "H0", "H1"], "age": ["1"] * 3}
    frames = {
        "persons": pd.DataFrame(persons),
        "visits": pd.DataFrame({"person_id": ["P0", "P2", "P2"], "ward": ["a", "a", "b"]}),
    }
    chosen = Linked(None, {"persons": "household_id"}, (Key("visits", "person_id", "persons", "person_id"),))
    linked = link(tables_of(frames), chosen)
    data = dataset_of(frames, linked, {"household_id": "person_id", "age": "quasi_identifier"})
    assert data.classes([]).n_records == 2 and data.tables is not None and data.tables.within == ("number of persons",)
    tables = unzipped(released_in("CSV", data, np.random.default_rng(1)))
    assert len({row["household_id"] for row in tables["persons"]}) == 2
    assert {row["person_id"] for row in tables["visits"]} < {row["person_id"] for row in tables["persons"]}


def test_counts_of_one_file_can_be_of_households() -> None:
    frame = pd.DataFrame({"hhid": ["1", "1", "2", "2", "3"], "age": ["30", "5", "5", "30", "30"]})
    data = Dataset.from_frame(frame).with_roles({"hhid": "person_id", "age": "quasi_identifier"})
    case = Case(Recipe().apply(data), Recipe(), k=2)
    assert SmallestClass(2, rows=(ALL,)).check(case).now == 1 and SmallestClass(2, rows=(ONE,)).check(case).now == 2
