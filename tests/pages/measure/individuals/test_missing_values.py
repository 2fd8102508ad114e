"""Who certainly has no value in a column has nothing there to infer."""

from __future__ import annotations

import pytest

from anonlib.basics import words
from tests.helpers.individuals import STORY, TABS, smokers


def test_who_certainly_has_no_value_is_stated_and_not_counted_unless_that_is_asked():
    app = smokers()
    assert app.metric("Certain in smoker") == words.percent(9 / 280)
    assert app.metric("Certain in any sensitive column") == words.percent(9 / 280)
    assert "For **3.21% (9 of 280 records)** **smoker** is certain to someone who knows" in app.text
    assert "Not counted: 265 records whose value there is certainly missing" in app.text
    assert "blank: no value, nothing to infer" in app.text
    table = app.table("Certain").set_index("Column")
    assert (table.loc["smoker", "Certain"], table.loc["smoker", "Certainly missing"]) == (9, 265)
    app.choose("toggle", "A missing value is a fact too", True)
    assert app.metric("Certain in smoker") == words.percent(274 / 280) == "97.9%"
    assert "Among them: 265 records whose value there is certainly missing" in app.text
    assert "Not counted" not in app.text


@pytest.mark.parametrize("attacker", ["all", "chance"])
def test_other_attackers_do_not_count_a_missing_value_either(attacker):
    app = smokers()
    app.session.own_threshold = 0.9
    app.choose("selectbox", "The attacker knows", attacker)
    if attacker == "chance":
        app.choose("slider", "Known with", 100)
    assert app.metric("Certain in smoker") == words.percent(9 / 280)
    assert "Not counted: 265 records" in app.text


def test_the_story_of_who_lacks_the_value_says_that_there_is_nothing_to_infer():
    app = smokers((TABS, STORY)).choose("number_input", "Record", 1)
    assert "Its value is **missing**: there is nothing to infer" in app.text
    table = app.table("Takes").set_index("Column")
    assert (table.loc["smoker", "Takes"], table.loc["smoker", "Peers with another value, least"]) == ("never", "n/a")
    app.choose("toggle", "A missing value is a fact too", True)
    assert "To know **sex** is enough" in app.text
