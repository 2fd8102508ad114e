"""The tab "Visits known" of the Risk page, without a browser."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd

from anonlib.analyses.individuals import rows_known as module
from anonlib.columns.roles import Role
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns
from pages.measure.risk.tabs.attackers import TAB
from tests.helpers.app import RISK, App, connected, seeded
from tests.reference import persons as slow

ROLES = {"id": "person_id", "sex": "quasi_identifier", "ward": "quasi_identifier", "illness": "sensitive"}


def people(seed: int = 3) -> list[slow.Person]:
    rng = np.random.default_rng(seed)
    return [
        [{"sex": "fm"[i % 2], "ward": str(rng.choice(["ear", "eye", "skin"])), "illness": "flu"}
         for _ in range(int(rng.integers(1, 5)))]
        for i in range(60)
    ]  # fmt: skip


PEOPLE = people()
FILE = slow.frame_of(PEOPLE, names=("sex", "ward", "illness")).to_csv(index=False).encode()


def opened(**fields) -> App:
    return seeded(FILE, page=RISK, roles=ROLES, tab=("risk-tabs", TAB), k=4, **fields)


def test_the_numbers_are_those_of_the_definitions():
    app = opened()
    table = app.table("Known").set_index("Known")
    for label, rows in {"one visit known": 1, "2 visits known": 2, "3 visits known": 3,
                        "the values of each column known": "values", "all visits known": "all"}.items():  # fmt: skip
        sizes = slow.sizes(PEOPLE, ["sex", "ward"], rows)
        assert table.loc[label, "Below k = 4"] == sum(size < 4 for size in sizes)
        assert table.loc[label, "Alone"] == sum(size < 2 for size in sizes)
        assert table.loc[label, "Fewest"] == min(sizes)
    assert "Seen once, **0% (0 of 60 persons)** are below k = 4" in app.text
    assert f"({sum(size < 4 for size in sizes)} of 60 persons)** are." in app.text, "with all visits known"


def test_the_tab_is_there_for_persons_of_several_rows_alone():
    one_row = pd.read_csv(io.BytesIO(FILE)).drop_duplicates("id").to_csv(index=False).encode()
    app = seeded(one_row, page=RISK, roles=ROLES)
    assert TAB not in [tab.label for tab in app.at.tabs] and TAB in [tab.label for tab in opened().at.tabs]


def test_what_has_too_many_choices_is_not_counted(monkeypatch):
    monkeypatch.setattr(module, "MOST_CHOICES", 200)
    table = opened().table("Known").set_index("Known")
    assert pd.isna(table.loc["3 visits known", "Below k = 4"]) and not pd.isna(
        table.loc["all visits known", "Below k = 4"]
    )


def test_of_a_release_without_an_id_it_says_whom_several_rows_are_known_to():
    app = opened(recipe=Recipe.of([DropColumns(("id",))])).choose("segmented_control", "Look at", "Release")
    assert "No person id leaves" in app.text and not app.errors
    assert "No person id leaves" not in opened().text


def test_it_is_counted_in_a_database_too():
    roles = {name: Role(role) for name, role in ROLES.items()}
    there = connected(FILE, page=RISK, tab=("risk-tabs", TAB), roles=roles, k=4)
    pd.testing.assert_frame_equal(there.table("Known"), opened().table("Known"))
