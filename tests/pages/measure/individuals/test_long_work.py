"""What takes more than a moment on the Individuals page: it waits for a button, can be stopped, and goes on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from streamlit.runtime.scriptrunner import StopException

from anonlib.analyses.individuals import privacy_profile
from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.coarsening.recoding import Intervals
from anonlib.dataset import Dataset
from anonlib.reading.records import FrameRecords
from anonlib.release.covering import CoveredClasses
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Recode
from pages.measure.individuals import results
from pages.measure.individuals.question import IndividualsQuestion
from pages.measure.individuals.tabs import individual
from tests.helpers.app import DATA, INDIVIDUALS, dataset_of, loaded, visits
from tests.helpers.individuals import (
    QI,
    SENSITIVE,
    STORY,
    TABS,
    Asked,
    ask,
    expected,
    first_figure,
    share_certain,
    smokers,
)
from ui.session import cache, long_work


def test_what_takes_long_waits_for_the_button_and_then_is_the_librarys(slow, file):
    app = loaded(file, page=INDIVIDUALS)
    assert app.widget("selectbox", "The attacker knows").value == 1, "what is shown at first takes no button"
    assert not app.has_button("Start") and first_figure(app) == share_certain(app, Asked(attacker=1))
    app.choose("selectbox", "The attacker knows", 4)
    assert app.has_button("Start") and "takes about" in app.text
    assert first_figure(app) == share_certain(app, Asked(attacker=1)), "meanwhile what takes no time"
    assert "the right one of the other" in app.text, "words are of the attacker that was looked at"
    app.press("Start")
    assert "the right ones of the other 4 columns" in app.text
    assert not any(app.has_button(label) for label in ("Start", "Stop", "Go on"))
    assert app.work.running is None and first_figure(app) == share_certain(app, Asked())
    app.choose("slider", "Red up to", 30)
    assert not app.has_button("Start"), "another threshold is the same work"
    assert first_figure(app) == share_certain(app, Asked(threshold=30))
    app.choose("segmented_control", "Measure", "npp")
    assert app.has_button("Start"), "another measure is not"
    app.choose("segmented_control", "Measure", "ppp")
    assert not app.has_button("Start") and first_figure(app) == share_certain(app, Asked(threshold=30))
    app.open(DATA).open(INDIVIDUALS)
    app.choose("selectbox", "The attacker knows", 4)
    assert not app.has_button("Start"), "and is kept on other pages"


def stopping_at(known: int, looked_at: list[int]) -> Callable:
    """A profile that is interrupted, as by a click, in the midst of the sets of so many columns."""

    def profile(classes, attacker, **how):
        looked_at.append(attacker.knows)
        if attacker.knows == known:
            how["progress"](0.5)
            raise StopException
        return privacy_profile(classes, attacker, **how)

    return profile


def test_stopping_keeps_the_stages_that_are_done_and_going_on_does_the_others(slow, file, monkeypatch):
    app = loaded(file, page=INDIVIDUALS).choose("selectbox", "The attacker knows", 4)
    looked_at: list[int] = []
    monkeypatch.setattr(results, "privacy_profile", stopping_at(3, looked_at))
    app.press("Start")
    assert app.work.running and app.has_button("Stop") and not app.has_button("Start")
    monkeypatch.setattr(results, "privacy_profile", stopping_at(2, looked_at))  # what is done is not done again
    app.press("Stop")
    assert app.work.running is None and "Shown is how far it got" in app.text
    assert first_figure(app) == share_certain(app, Asked(attacker=2))
    assert looked_at == [2, 3]
    app.open(DATA).open(INDIVIDUALS).choose("selectbox", "The attacker knows", 4)
    assert first_figure(app) == share_certain(app, Asked(attacker=2)), "and after another page"
    monkeypatch.setattr(results, "privacy_profile", stopping_at(0, looked_at))
    app.press("Go on")
    assert looked_at == [2, 3, 3, 4] and first_figure(app) == share_certain(app, Asked())
    assert not app.has_button("Go on") and app.work.running is None


def test_work_that_is_interrupted_by_the_page_itself_goes_on(slow, file, monkeypatch):
    """A slider that is moved while it runs stops the script, not the work."""
    app = loaded(file, page=INDIVIDUALS).choose("selectbox", "The attacker knows", 4)
    looked_at: list[int] = []
    monkeypatch.setattr(results, "privacy_profile", stopping_at(3, looked_at))
    app.press("Start")
    monkeypatch.setattr(results, "privacy_profile", stopping_at(0, looked_at))
    app.choose("slider", "Red up to", 10)
    assert first_figure(app) == share_certain(app, Asked(threshold=10)) and looked_at == [2, 3, 3, 4]


def test_work_that_fails_is_stated_and_does_not_start_again_by_itself(slow, file, monkeypatch):
    app = loaded(file, page=INDIVIDUALS).choose("selectbox", "The attacker knows", 4)
    tried: list[int] = []

    def refuse(classes, attacker, **how):
        tried.append(attacker.knows)
        raise InputError("This cannot be. Choose fewer.", code="too-many-sets")

    monkeypatch.setattr(results, "privacy_profile", refuse)
    app.press("Start")
    assert any("This cannot be" in message for message in app.errors) and tried == [2]
    app.choose("slider", "Red up to", 10)
    assert tried == [2] and app.work.running is None and app.has_button("Start")


@pytest.mark.parametrize("measure", ["npp", "poac", "ppp"])
def test_an_attacker_with_a_probability_by_the_button(measure, slow, file):
    asked = Asked(measure, threshold=10, attacker="chance", chance=30)
    app = ask(loaded(file, page=INDIVIDUALS), asked)
    assert not app.at.metric and app.has_button("Start"), "nothing to show before"
    app.press("Start")
    assert first_figure(app) == share_certain(app, asked) and not app.errors


@pytest.mark.parametrize("asked", [Asked(attacker=3), Asked(attacker="chance", chance=30)], ids=str)
def test_original_and_release_are_compared_for_one_and_the_same_attacker(asked, slow, file):
    app = ask(loaded(file, page=INDIVIDUALS), asked).press("Start")
    data = dataset_of(app)
    app.session.recipe = Recipe.of([Recode("age", Intervals(30))])
    ask(app.run(), asked)
    assert app.widget("segmented_control", "Look at").value == "Release"
    app.press("Start")
    released = app.session.recipe.apply(data).released
    both = [words.percent(expected(version, asked).of("diagnosis").mean()) for version in (data, released)]
    assert both[0] != both[1]
    assert app.metric("Certain in diagnosis") == words.change(*both)


def test_the_work_of_one_session_is_not_in_anothers(slow, file):
    mine, theirs = (loaded(file, page=INDIVIDUALS) for _ in range(2))
    for app in (mine, theirs):
        app.choose("selectbox", "The attacker knows", 4)
    mine.press("Start")
    assert mine.work.latest and not theirs.run().work.latest
    assert theirs.has_button("Start") and first_figure(theirs) == share_certain(theirs, Asked(attacker=1))
    assert first_figure(mine) == share_certain(mine, Asked())
    mine.open(DATA).upload(visits(50, seed=1), "other.csv")
    assert not mine.work.latest and mine.work.running is None, "another file, other work"


def test_a_change_of_roles_is_other_work(slow, file):
    app = loaded(file, page=INDIVIDUALS).choose("selectbox", "The attacker knows", 4).press("Start")
    app.open(DATA).give_roles(zip="Neither").open(INDIVIDUALS)
    app.choose("selectbox", "The attacker knows", 3)
    assert app.has_button("Start") and first_figure(app) == share_certain(app, Asked(attacker=1))


def test_a_story_that_takes_long_waits_for_a_button(monkeypatch):
    monkeypatch.setattr(individual, "AT_ONCE", -1.0)
    app = smokers((TABS, STORY))
    assert "Looking at record" in app.text and not any("Takes" in table.value.columns for table in app.at.dataframe)
    app.press("Start")
    assert "Takes" in app.table("Takes").columns and "is enough" in app.text


def test_a_million_values_are_long_work_and_thousands_are_not(monkeypatch):
    monkeypatch.setattr(
        cache.Remembered, "__call__", lambda self, *inputs, **parameters: self.compute(*inputs, **parameters)
    )
    monkeypatch.setattr("ui.session.view.covered", lambda data, columns: CoveredClasses(data.classes(list(columns))))

    for n, long in ((1_000_000, True), (30_000, False)):
        values = {"income": n, "sex": 2, "s": 3}
        columns = {
            name: pd.Categorical.from_codes(np.arange(n) % m, np.arange(m).astype(str)) for name, m in values.items()
        }
        held = FrameRecords(pd.DataFrame(columns))
        data = Dataset("people", str(n), held, roles={"income": QI, "sex": QI, "s": SENSITIVE})
        asked = IndividualsQuestion(("income", "sex", "s"), "ppp", 0.0, 0.0, 2, 0.5, (), False)
        assert (individual.estimated_seconds(data, asked) > individual.AT_ONCE) == long


@pytest.mark.parametrize("tab", ["What each column adds", STORY, "Smallest sets"])
def test_work_lets_go_where_nobody_waits_for_it(tab, monkeypatch):
    """What is computed for a page asks, again and again, whether it is still wanted."""
    asked = []
    monkeypatch.setattr(long_work, "let_go", lambda share: asked.append(share))
    for module in ("results", "tabs.individual"):
        for function in vars(__import__(f"pages.measure.individuals.{module}", fromlist=["x"])).values():
            defaults = getattr(getattr(function, "compute", function), "__kwdefaults__", None) or {}
            if "progress" in defaults:
                monkeypatch.setitem(defaults, "progress", long_work.let_go)
    app = smokers()
    begun = len(asked)
    assert begun
    app.tab(TABS, tab)
    assert len(asked) > begun
