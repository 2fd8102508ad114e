"""What the Generalize page says of a result, and of two methods; and work of more than a moment."""

from __future__ import annotations

from dataclasses import replace

import pytest
from streamlit.runtime.scriptrunner import StopException

from anonlib.analyses.generalization import better_of, solve
from anonlib.basics.errors import InputError
from anonlib.counting.privacy_models import KAnonymity
from anonlib.release.steps import GeneralizeLocally
from pages.protect.generalize import results
from tests.helpers.app import GENERALIZE, loaded, sampled
from tests.helpers.generalize import check_figures, every_tab, expected, released_k


def test_part_by_part_is_shown_while_whole_columns_wait_for_a_button(app, monkeypatch):
    parts = expected(app, method="parts")
    seconds = results.seconds
    monkeypatch.setattr(
        results, "seconds", lambda problem, method: 30 if method == "optimal" else seconds(problem, method)
    )
    app.choose("number_input", "k", 6).choose("number_input", "k", 5)
    check_figures(app, parts)
    assert (
        "Shown is **Mixed coarseness**, without **Same coarseness for everyone** beside it" in app.text
        and app.has_button("Start")
    )
    app.choose("slider", "May be left out", 4.0).press("Start")
    check_figures(app, expected(app, limit=0.04))
    assert "keeps more detail of cells than" in app.text and not app.has_button("Start")


def test_where_only_one_of_both_finds_something_the_other_says_why(app, monkeypatch):
    result = results.result

    def only_parts(data, question, method, **settings):
        if method == "optimal":
            raise InputError("Nothing does.", code="nothing-satisfies")
        return result(data, question, method, **settings)

    monkeypatch.setattr(results, "result", only_parts)
    check_figures(app.run(), expected(app, method="parts"))
    assert "without **Same coarseness for everyone** beside it. Nothing does" in app.text


def test_heart_begins_with_what_keeps_more(shared_data):
    """The trial: one level a column lost 50.4% of the detail and 15 records, part by part 28.5% and nobody."""
    app = loaded(shared_data("heart_cleveland.csv").read_bytes(), "heart_cleveland.csv", GENERALIZE)
    app.choose("number_input", "k", 11)
    assert app.metric("Cell loss") == "28.5%" and app.metric("Records left out") == "0"
    assert "28.5% lost against 50.4%" in app.text
    app.press("Add to recipe")
    assert [type(step) for step in app.session.recipe.enabled] == [GeneralizeLocally] and released_k(app) >= 11


def test_columns_without_a_level_between_are_named():
    app = sampled("weight_loss", GENERALIZE)
    assert "can only stay or go" not in app.text
    app.choose("selectbox", "Method", "optimal")
    assert "**race** can only stay or go" in app.text and "**weight** and" not in app.text
    app.choose("selectbox", "Method", "parts")
    assert "can only stay or go" not in app.text


def test_what_is_satisfied_already_is_stated_and_the_button_says_why(app):
    app.choose("multiselect", "Columns that someone may know", ["sex"])
    assert "**Satisfied already: nothing has to change.**" in app.text
    button = app.button("Add to recipe")
    assert button.disabled and button.help == "Nothing has to change."
    check_figures(app, expected(app, KAnonymity(columns=("sex",), least=5)))
    every_tab(app)


@pytest.fixture
def long(monkeypatch) -> None:
    monkeypatch.setattr(results, "AT_ONCE", -1.0)
    monkeypatch.setattr(results, "BY_ITSELF", -1.0)
    monkeypatch.setattr(results, "solve", unfinished)


def unfinished(problem, method, time_limit=None, progress=None, work=None):
    """As solve, of which searches with a little work do not come to their end, as those of large files."""
    found = solve(problem, method, time_limit, progress, work)
    return found if work is None else replace(found, finished=False)


def test_parts_begin_without_a_button(app, monkeypatch):
    monkeypatch.setattr(results, "AT_ONCE", -1.0)
    app.choose("slider", "May be left out", 4.0)
    check_figures(app, expected(app, limit=0.04, method="parts"))


# Methods for whole columns wait and begin alike.
@pytest.mark.parametrize(
    "method",
    ["optimal", "parts", "blanks"]
    + [pytest.param(method, marks=pytest.mark.repeats) for method in ("iab", "greedy", "exhaustive")],
)
def test_every_method_has_a_first_answer_of_so_much_work_and_not_of_so_much_time(long, app, method):
    app.choose("selectbox", "Method", method)
    searched = "blanks" if method == "blanks" else "optimal"
    check_figures(app, solve(expected(app, method="optimal").problem, searched, work=results.FIRST))
    assert app.has_button("Start") and "Shown is what a first search found" in app.text
    assert "the same on every machine; not proven" in app.text
    app.press("Start")
    check_figures(app, expected(app, method=method))


def test_a_first_answer_that_is_proven_is_the_answer(app, monkeypatch):
    monkeypatch.setattr(results, "AT_ONCE", -1.0)
    app.choose("selectbox", "Method", "optimal")
    check_figures(app, expected(app, method="optimal"))
    assert "**Proven" in app.text and not app.has_button("Start")


def test_what_takes_long_waits_for_the_button(long, app):
    assert app.has_button("Start") and "takes about" in app.text and "300 combinations of levels" in app.text
    first = solve(expected(app, method="optimal").problem, "optimal", work=results.FIRST)
    check_figures(app, first)
    assert "Shown is what a first search found: same coarseness for everyone" in app.text and not app.errors
    app.press("Start")
    check_figures(app, better_of(first, expected(app, method="parts")))
    app.press("Start")
    check_figures(app, expected(app))
    assert not any(app.has_button(label) for label in ("Start", "Stop", "Go on")) and app.work.running is None
    app.choose("slider", "May be left out", 0.0)
    assert app.has_button("Start"), "another question"
    app.choose("slider", "May be left out", 5.0)
    check_figures(app, expected(app))


def test_stopping_keeps_the_best_so_far_and_going_on_finishes(long, app, monkeypatch):
    app.choose("selectbox", "Method", "exhaustive")
    whole = expected(app, method="exhaustive")
    steps: list[float] = []

    def stopped(problem, method, time_limit=None, progress=None, work=None):
        if work is not None:
            return unfinished(problem, method, work=work)

        def tell(share, best):
            progress(share, best)
            steps.append(share)
            if best is not None:
                raise StopException

        return solve(problem, method, time_limit, tell)

    monkeypatch.setattr(results, "solve", stopped)
    app.press("Start")
    assert app.work.running and app.has_button("Stop") and 0 < steps[-1] < 1
    monkeypatch.setattr(results, "solve", unfinished)
    app.press("Stop")
    assert app.work.running is None and "Shown is how far it got" in app.text
    assert "**The best so far: the search was ended early" in app.text
    assert app.metric("k") == "1 → " + app.metric("k").split(" ")[-1] and int(app.metric("k").split(" ")[-1]) >= 5
    loss = float(app.metric("Cell loss").rstrip("%"))
    assert loss >= 100 * whole.utility.cell_loss - 0.1
    every_tab(app)
    app.press("Add to recipe")
    assert released_k(app) >= 5
    app.press("Go on")
    check_figures(app, whole)
    assert "**Proven" in app.text and not app.has_button("Go on")


def test_long_work_without_a_solution_is_a_sentence_and_does_not_start_again(long, app):
    app.choose("number_input", "k", 1000)
    assert len(app.errors) == 1 and "fewer than k" in app.errors[0] and app.work.running is None
    app.choose("number_input", "k", 5).press("Start").press("Start")
    check_figures(app, expected(app))
