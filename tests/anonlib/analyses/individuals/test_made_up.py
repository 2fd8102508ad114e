"""Values made up in the place of a person's: common ones, drawn without regard to theirs, their pattern kept."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest

from anonlib.analyses.individuals.history import visit_times
from anonlib.analyses.individuals.made_up import made_up
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from tests.helpers.errors import refused

COLUMNS = ("sex", "ward", "zip")


def people(seed: int = 3) -> Dataset:
    """120 persons of three rows; the first has a ward and postcodes that nobody else has, and lacks one."""
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(120):
        sex = "fm"[i % 2]
        for day in sorted(rng.integers(0, 300, 3).tolist()):
            ward = rng.choice(["ear", "eye", "skin", "heart"])
            came = str(np.datetime64("2024-01-01") + day)
            rows.append((f"p{i}", sex, ward, rng.choice(["02138", "02139"]), came, came[:7], str(day)))
    frame = pd.DataFrame(rows, columns=["id", "sex", "ward", "zip", "came", "month", "day"], dtype=object)
    frame.loc[:2, "ward"] = ["rare", "rare", "ear"]
    frame.loc[:2, "zip"] = ["09999", None, "09998"]
    frame.loc[:2, ["came", "month", "day"]] = [
        ["2020-02-29", "2020-02", "-900"], ["2020-02-29", "2020-02", "-900"], ["2029-12-24", "2029-12", "2000"],
    ]  # fmt: skip
    return Dataset.from_frame(frame).with_roles({"id": Role.PERSON_ID})


DATA = people()
ROWS = [0, 1, 2]


def drawn(seed: int = 0, column: str | None = "came", least: int = 10):
    times = None if column is None else visit_times(DATA, column)
    return made_up(DATA, ROWS, COLUMNS, times, np.random.default_rng(seed), least)


@pytest.mark.parametrize("seed", range(8))
def test_equal_values_stay_equal_different_ones_different_and_only_common_ones_are_shown(seed):
    found = drawn(seed)
    for name in ("sex", "ward", "came"):
        own = [None if pd.isna(each) else each for each in DATA.records[name].iloc[ROWS]]
        shown = [found.shown[name][value] for value in own]
        assert [[a == b for a in own] for b in own] == [[a == b for a in shown] for b in shown]
    having = DATA.records.groupby("ward", observed=True)["id"].nunique()
    assert {having[value] >= 10 for value in found.shown["ward"].values()} == {True}, "persons enough have it"
    assert "rare" not in found.shown["ward"].values()


def test_a_column_of_too_few_common_values_shows_nothing():
    """Three different postcodes, a missing one among them, of which only two are common."""
    assert "zip" not in drawn().shown
    assert "ward" not in drawn(least=121).shown


def test_what_is_drawn_does_not_depend_on_the_persons_own_values():
    """Of two sexes the one that is shown is each as often as the other, whichever is the person's."""
    for rows in ([0, 1, 2], [3, 4, 5]):
        own = DATA.records["sex"].iloc[rows[0]]
        shown = Counter(
            made_up(DATA, rows, ["sex"], None, np.random.default_rng(seed)).shown["sex"][own] for seed in range(200)
        )
        assert 70 < shown["f"] < 130


@pytest.mark.parametrize("column", ["came", "month", "day"])
def test_the_order_of_time_stays_and_times_are_those_of_others(column):
    times = visit_times(DATA, column)
    own = times.of_record[ROWS]
    for seed in range(20):
        found = drawn(seed, column, least=3)
        shown = [found.day_of[time] for time in own.tolist()]
        assert shown[0] == shown[1] < shown[2]
        low, high = np.sort(times.of_record[3:])[[0, -1]]
        assert low <= shown[0] and shown[2] <= high, "neither before nor after all others, as the person is"
        written = [found.shown[column][value] for value in DATA.records[column].iloc[ROWS]]
        assert written[0] == written[1] != written[2]
        if column == "came":
            assert [float(np.datetime64(text).astype("datetime64[D]").astype(int)) for text in written] == shown


def test_a_row_without_a_time_has_none():
    frame = DATA.records.astype(object)
    frame.loc[1, "came"] = None
    data = Dataset.from_frame(frame).with_roles(DATA.roles)
    found = made_up(data, ROWS, [], visit_times(data, "came"), np.random.default_rng(1))
    assert found.shown["came"][None] is None and len(found.day_of) == 2


def test_with_few_persons_no_time_is_made_up():
    found = drawn(least=121)
    assert not found.day_of and "came" not in found.shown
    with refused("number-out-of-range"):
        drawn(least=1)


def test_the_same_seed_draws_the_same():
    assert drawn(5) == drawn(5) and any(drawn(5) != drawn(seed) for seed in range(6, 9))
