"""What the Individuals page says is said of the attacker in force and of the columns looked at."""

from __future__ import annotations

import re

import numpy as np
import pytest

from anonlib.analyses.individuals import Attacker, leave_one_out
from anonlib.dataset import Dataset
from tests.helpers.app import INDIVIDUALS, INDIVIDUALS_TABS, LEAKAGE, loaded, seeded
from tests.helpers.individuals import STORY, TABS, any_known, opened, wide
from ui.kit.columns import LEAST_KNOWN, MOST_AT_FIRST, default_columns
from ui.session import cache


def test_what_certain_means_is_stated_for_the_attacker_that_is_shown(file):
    app = loaded(file, page=INDIVIDUALS)
    assert "Certain: no peer has another value (PPP 0)" in app.text and "“From up to 2 others”" in app.text
    app.choose("selectbox", "The attacker knows", "chance")
    assert "Certain: the value is inferred with a probability above 20%" in app.text
    assert "Certain: PPP" not in app.text and "“From up to 2 others”" not in app.text


def test_the_fields_terms_stand_beside_plain_words(file):
    """In brackets behind them, or in a help: nobody has to know what PPP is."""
    app = loaded(file, page=INDIVIDUALS)
    measure = app.widget("segmented_control", "Measure")
    assert measure.options == ["Certain", "Ruled out", "Peers"] and "(PPP)" in measure.help
    for _ in app.each_tab(TABS, INDIVIDUALS_TABS):
        assert not re.findall(r"(?<!\()\bPPP\b", app.text)
        assert not [name for table in app.at.dataframe for name in table.value.columns if "PPP" in name]


def test_the_sets_looked_at_are_stated_where_they_are_fewer_than_all(file):
    app = seeded(file, page=INDIVIDUALS, tab=(TABS, "What each column adds"), settings=any_known())
    assert "All others are known." in app.text
    app.choose("segmented_control", "Of the columns that remain", "any set")
    assert "every set of up to 4" in app.text
    app.tab("individuals-tabs", "One individual")
    assert "Every set of the other columns" in app.text
    app.choose("selectbox", "The attacker knows", 2)
    assert "Every set of up to 2 of the other columns" in app.text


@pytest.mark.parametrize(
    ("known", "sensitive", "of_sensitive", "of_known"),
    [(40, 2, 2, 10), (20, 20, MOST_AT_FIRST - LEAST_KNOWN, LEAST_KNOWN), (2, 30, 10, 2), (30, 0, 0, 12), (6, 6, 6, 6)],
)
def test_sensitive_columns_come_first_then_those_that_tell_most_apart(
    known, sensitive, of_sensitive, of_known, monkeypatch
):
    monkeypatch.setattr(
        cache.Remembered, "__call__", lambda self, *inputs, **parameters: self.compute(*inputs, **parameters)
    )
    frame, roles = wide(known, sensitive)
    chosen = default_columns(Dataset.from_frame(frame.astype(str), roles=roles))
    expected = [f"q{i}" for i in range(known - of_known, known)] + [f"s{i}" for i in range(of_sensitive)]
    assert chosen == expected


@pytest.mark.parametrize(("at", "choose"), [(INDIVIDUALS, "Columns: each"), (LEAKAGE, "Columns looked at")])
def test_a_page_that_does_not_look_at_all_columns_says_so_and_where_to_choose(at, choose):
    frame, roles = wide(48, 2)
    app = opened(frame, roles, at)
    assert "**12 of 50 columns** are looked at." in app.text and "choose others under **More**" in app.text
    assert {"s0", "s1", "q47"} <= set(app.widget("multiselect", choose).value)
    app.choose("multiselect", choose, ["q1", "q2", "s0"])
    assert "**3 of 50 columns** are looked at." in app.text
    few = opened(*wide(3, 1), at)
    assert "are looked at." not in few.text


def test_what_gives_most_away_is_stated_of_the_attacker_in_force():
    frame, roles = wide(4, 1, n=200)
    frame["q3"] = np.random.default_rng(2).integers(0, 60, 200)
    app = opened(frame, roles)
    classes = Dataset.from_frame(frame.astype(str), roles=roles).classes(list(roles))
    for attacker, words_of_it in (
        (2, "someone who knows the right 2 of the 3 columns that are left"),
        (1, "someone who knows the right one of the 3 columns that are left"),
        ("all", "someone who knows all 3 columns that are left"),
    ):
        app.choose("selectbox", "The attacker knows", attacker)
        adds = leave_one_out(classes, "s0", Attacker(knows=attacker)).to_frame(0.0).iloc[0]
        message = f"**{adds['freed']:,}** more records would be safe from {words_of_it}"
        assert (message in app.text) == bool(adds["freed"])
        assert "all the rest" not in app.text
    assert adds["freed"]


def test_a_story_of_a_limited_attacker_does_not_speak_of_one_who_knows_everything():
    frame, roles = wide(4, 1, n=200)
    app = opened(frame, roles).choose("selectbox", "The attacker knows", 1).tab(TABS, STORY)
    assert "which is more than the 1 column asked about" in app.text
    assert "No set of up to 1 known column " in app.text
    app.choose("selectbox", "The attacker knows", 4)
    assert "With everything else known, " in app.text and "asked about" not in app.text
