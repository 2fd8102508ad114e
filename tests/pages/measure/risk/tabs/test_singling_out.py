"""The tab "Singling out" of the Risk page, without a browser."""

from __future__ import annotations

import io
from collections.abc import Callable
from itertools import combinations

import pandas as pd
import pytest

from anonlib.analyses.individuals import singling_out
from anonlib.basics import words
from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut, Recode
from pages.measure.risk.tabs import singling_out as tab
from tests.helpers.app import RISK, App, dataset_of, seeded
from tests.helpers.hostile import HOSTILE, MARK, check_text, hostile_file

ONE_EACH = b"sex,age\n" + b"".join(f"{sex},{30 + i}\n".encode() for i in range(8) for sex in "FM" for _ in range(3))


def opened(data: bytes, **roles: str) -> App:
    """The tab of a file, with its suggested roles or with these."""
    return seeded(data, page=RISK, roles=roles or None, tab=("risk-tabs", tab.TAB))


def by_hand(data: Dataset, k: int, max_size: int) -> dict[int, set[tuple[str, ...]]]:
    """Record -> its minimal combinations, from the cells themselves, one record and one combination at a time."""
    assert data.frame is not None
    rows = data.frame.astype(object).fillna("(missing)").to_dict("records")
    few: dict[int, set[tuple[str, ...]]] = {i: set() for i in range(len(rows))}
    for size in range(1, max_size + 1):
        for names in combinations(data.quasi_identifiers, size):
            keys = [tuple(row[name] for name in names) for row in rows]
            times: dict[tuple, int] = {}
            for key in keys:
                times[key] = times.get(key, 0) + 1
            for i, key in enumerate(keys):
                if times[key] < k and not any(set(part) <= set(names) for part in few[i]):
                    few[i].add(names)
    return few


@pytest.mark.parametrize(("size", "who", "k"), [(1, tab.UNIQUE, 2), (3, tab.UNIQUE, 2), (2, tab.BELOW, 5)])
def test_the_tab_counts_what_counting_by_hand_gives(size, who, k, file):
    app = opened(file)
    app.widget("segmented_control", "Combinations of up to").set_value(size)
    app.choose("segmented_control", "Counts as singled out", who)
    data = dataset_of(app)
    few = by_hand(data, k, size)
    shown = app.table("Combination")
    expected: dict[str, int] = {}
    for sets in few.values():
        for names in sets:
            expected[tab.named(names)] = expected.get(tab.named(names), 0) + 1
    assert dict(zip(shown["Combination"], shown["Records"], strict=True)) == expected
    assert shown["Records"].is_monotonic_decreasing
    assert [len(name.split(" + ")) for name in shown["Combination"]] == shown["Columns"].tolist()
    alone = sum(map(bool, few.values()))
    assert words.share(alone, data.n_records, "records") in app.text
    assert f"**{shown['Records'].iloc[0]:,}** are {'alone' if k == 2 else 'in classes below 5'}" in app.text
    for record, row in app.table("score").iterrows():
        sets = {tab.named(names) for names in few[record - 1]}
        assert row["combinations"] == len(sets) and row["smallest"] in sets
        assert len(row["smallest"].split(" + ")) == min(map(len, few[record - 1]))


def test_the_records_are_those_of_the_highest_score_with_their_quasi_identifiers_and_nothing_else(file):
    app = opened(file)
    data = dataset_of(app)
    scores = singling_out(data.classes()).records()["score"]
    shown = app.table("score")
    assert len(shown) == tab.SHOWN_RECORDS
    assert shown["score"].tolist() == sorted(scores, reverse=True)[: len(shown)]
    assert shown["score"].tolist() == scores[shown.index - 1].tolist()
    assert list(shown.columns) == ["smallest", "combinations", "score", *data.quasi_identifiers]
    assert not set(shown.columns) & set(data.columns_with(Role.IDENTIFIER, Role.PERSON_ID, Role.SENSITIVE))
    for record, age in shown["age"].items():
        there = data.records["age"].iloc[record - 1]
        assert age == there or (pd.isna(age) and pd.isna(there))


def test_the_scores_of_all_records_go_home_as_csv(file):
    data = dataset_of(opened(file))
    found = singling_out(data.classes())
    table = pd.read_csv(io.BytesIO(tab._scores_csv(found)))
    expected = found.records()
    assert table["record"].tolist() == list(range(1, data.n_records + 1))
    assert table["score"].tolist() == expected["score"].tolist()
    assert table["combinations"].tolist() == expected["n_sets"].tolist()
    assert table["smallest"].isna().tolist() == (expected["smallest"] < 0).tolist()


def test_the_k_of_the_session_is_what_below_k_means(file):
    app = opened(file).choose("segmented_control", "Counts as singled out", tab.BELOW)
    app.choose("slider", "k:", 11)
    assert app.widget("segmented_control", "Counts as singled out").value == tab.BELOW, "the choice stays"
    expected = singling_out(dataset_of(app).classes(), k=11).minimal
    assert app.table("Combination")["Records"].tolist() == expected.counts.tolist()
    assert "in classes below 11" in app.text


def test_one_quasi_identifier():
    app = opened(b"age,illness\n30,flu\n30,flu\n31,flu\n32,flu\n", age="quasi_identifier")
    assert (
        "By **age**, **50% (2 of 4 records)** are alone. **age** singles out most: **2** are alone in it." in app.text
    )
    assert app.table("Combination")["Combination"].tolist() == ["age"]
    assert app.table("score").index.tolist() == [3, 4]
    assert app.widget("segmented_control", "Combinations of up to").options == ["1"]


def test_nobody_singled_out_is_stated():
    app = opened(ONE_EACH, sex="quasi_identifier", age="quasi_identifier")
    assert "**Nobody is singled out**: everyone shares any 2 quasi-identifiers with someone else." in app.text
    assert not any("Combination" in table.value.columns for table in app.at.dataframe)
    app.choose("segmented_control", "Combinations of up to", 1)
    assert "any 1 quasi-identifier with someone else" in app.text
    assert "More columns" not in app.text, "everybody has all values with someone else, so no more columns can"
    app.choose("segmented_control", "Counts as singled out", tab.BELOW)
    assert "Nobody" in app.text and "at least 4 others" in app.text
    together = "all 2 quasi-identifiers leave **100% (48 of 48 records)** in classes below 5"
    assert f"More columns together do it: {together}." in app.text
    app.choose("segmented_control", "Combinations of up to", 2)
    assert app.table("Combination")["Combination"].tolist() == ["sex + age"]


def test_the_release_has_its_own_combinations(file):
    app = seeded(file, page=RISK, recipe=Recipe.of([Recode("age", Intervals(30))]), tab=("risk-tabs", tab.TAB))
    released = app.session.recipe.apply(dataset_of(app)).released
    for look, data in (("Release", released), ("Original", dataset_of(app))):
        app.choose("segmented_control", "Look at", look)
        expected = singling_out(data.classes()).minimal
        assert app.table("Combination")["Records"].tolist() == expected.counts.tolist()
        assert app.table("score")["age"].dropna().isin(data.records["age"].cat.categories).all()
    app.session.recipe = Recipe.of([Recode("age", Intervals(200)), LeaveOut(2)])
    assert not app.run().errors


@pytest.mark.parametrize(("role", "line"), [("weight", "{i},{w}"), ("person_id", "{i},{i}")])
def test_persons_are_counted_where_there_are_persons(role, line):
    rows = [line.format(i=i // 2, w=i % 3) for i in range(20)]
    app = opened(("age,who\n" + "\n".join(rows) + "\n").encode(), age="quasi_identifier", who=role)
    found = singling_out(dataset_of(app).classes()).minimal
    assert app.table("Combination")["Persons"].tolist() == found.counts.tolist()
    assert words.share(found.n_with_sets, found.people.n_records, "persons") in app.text
    expected = found.records()["n_sets"].gt(0).sum()
    assert len(app.table("score")) == expected, "every row of a person is shown, none of weight 0"


def test_records_left_out_for_a_missing_value_have_no_score(file):
    app = opened(file)
    app.session.missing = "drop"
    app.run()
    data = dataset_of(app)
    missing = data.records["age"].isna().to_numpy()
    assert missing.any() and not missing[app.table("score").index - 1].any()
    csv = pd.read_csv(io.BytesIO(tab._scores_csv(singling_out(data.classes()))))
    assert csv["score"].isna().tolist() == missing.tolist()


def test_names_of_columns_are_text():
    app = opened(hostile_file(), **dict.fromkeys([*HOSTILE, "age"], "quasi_identifier"))
    assert any(MARK in name for name in app.table("Combination")["Combination"])
    check_text(app)


def test_columns_named_as_ours_are_not_lost():
    app = opened(
        b"score,record,combinations\n" + b"".join(b"%d,%d,%d\n" % (i, i % 3, i % 4) for i in range(9)),
        score="quasi_identifier", record="quasi_identifier", combinations="quasi_identifier",
    )  # fmt: skip
    shown = app.table("score")
    assert list(shown.columns) == ["smallest", "combinations", "score", "score_", "record", "combinations_"]
    assert shown["score_"].tolist() == [str(i - 1) for i in shown.index]


def test_too_many_quasi_identifiers_begin_with_fewer_columns_a_combination():
    names = [f"c{i}" for i in range(120)]
    rows = [",".join(str((i * j) % 7) for j in range(120)) for i in range(30)]
    data = ("\n".join([",".join(names), *rows]) + "\n").encode()
    app = opened(data, **dict.fromkeys(names, "quasi_identifier"))
    size = app.widget("segmented_control", "Combinations of up to")
    assert size.value == 2 and size.options == ["1", "2", "3"]


def test_a_sample_of_individuals_is_stated_with_its_interval(file, monkeypatch):
    few: Callable = lambda classes, **how: singling_out(classes, memory=4_000, **how)  # noqa: E731
    monkeypatch.setattr(tab, "singling_out", few)
    app = opened(file)
    found = few(dataset_of(app).classes())
    people = found.minimal.people
    assert people.is_sampled
    assert f"Estimated from {people.n_sampled:,} records" in app.text and "95% confidence" in app.text
    assert app.table("Combination")["Records"].tolist() == found.minimal.counts.tolist()
    assert set(app.table("score").index) <= set(found.records()["score"].dropna().index + 1)
