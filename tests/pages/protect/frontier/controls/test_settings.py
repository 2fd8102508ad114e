"""The Frontier page’s controls: its frontier is the library’s for what is asked."""

from __future__ import annotations

from anonlib.analyses.frontier import LOSSES, RISKS, Plane
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns
from tests.helpers.app import EXPLAINED, FRONTIER, RISK, TRY, App
from tests.helpers.frontier import MENDING, NAMES, TABS, check_exact, chosen, every_tab, point, space_of


def test_the_sample_shows_a_frontier_at_once():
    app = App(FRONTIER).press(TRY)
    risks = [float(number.rstrip("%")) for number in app.metric("Risk").split(" → ")]  # one number where both are alike
    assert 0 < risks[-1] <= risks[0] < 100
    assert "in the population" not in app.errors and "match nobody" in app.text, "its people come with it"
    assert "Search for" in "".join(button.label for button in app.at.button)
    every_tab(app)
    assert not app.tab(TABS, EXPLAINED).errors


def test_few_policies_are_all_looked_at(app):
    plane = Plane(space_of(app))
    assert plane.space.n_bits == 8
    found = check_exact(app, plane)
    assert not any(button.label.startswith("Search for") for button in app.at.button), "there is no more to search"
    assert "of 256 policies looked at" in app.text and "These are all policies there are" in app.text
    safe = found.least_loss(point(plane, plane.space.safe_harbor("age", "zip"))[0])
    assert chosen(app) == safe
    every_tab(app)


def test_every_measure_is_the_librarys(app):
    space = space_of(app)
    for risk in [key for key, measure in RISKS.items() if not measure.needs_population]:
        app.choose("selectbox", "Risk", risk)
        for loss in LOSSES:
            if loss == "class_size" and risk in ("population", "average"):  # both count groups: no policy is better
                assert LOSSES[loss].name not in app.widget("selectbox", "Information loss").options
                continue
            if app.widget("selectbox", "Information loss").value != loss:
                app.choose("selectbox", "Information loss", loss)
            check_exact(app, Plane(space, risk, loss))
            assert RISKS[risk].source in app.text and LOSSES[loss].source in app.text


def test_k_of_records_below_k_is_the_one_of_all_pages(app):
    app.choose("selectbox", "Risk", "below_k").choose("number_input", "k", 9)
    check_exact(app, Plane(space_of(app), "below_k", k=9))
    assert app.session.k == 9
    app.open(RISK).choose("slider", "k", 4).open(FRONTIER)
    check_exact(app, Plane(space_of(app), "below_k", k=4))


def test_what_is_recoded_is_chosen(app):
    app.choose("multiselect", "Quasi-identifiers to recode", ["zip", "age"])
    check_exact(app, Plane(space_of(app, ("zip", "age"))))
    app.choose("multiselect", "Quasi-identifiers to recode", [])
    assert len(app.errors) == 1 and "at least one quasi" in app.errors[0] and not app.at.metric
    for tab in ("Population", "Order of values"):
        assert len(app.tab(MENDING, tab).errors) == 1
    app.choose("multiselect", "Quasi-identifiers to recode", ["sex"])
    assert "Safe Harbor changes nothing here" in app.text and not app.errors
    button = app.button("Take Safe Harbor into the recipe")
    assert button.disabled and "Safe Harbor changes nothing here" in button.help
    assert "It also asks that names" in app.text and "**Safe Harbor** has risk" not in app.text
    assert app.metric("Policies on the frontier") == "2"


def test_what_is_set_stays_while_another_page_is_open(app):
    kept = [
        ("selectbox", "Risk", "below_k"), ("selectbox", "Information loss", "class_size"),
        ("toggle", "Only values that occur", False), ("selectbox", "Ages, for Safe Harbor", "(none)"),
        ("selectbox", "Effort", 30), ("toggle", "Logarithmic risk", True),
    ]  # fmt: skip
    app.choose(*kept[0])  # of which it depends what else is offered
    for kind, label, value in kept[1:]:
        app.set(kind, label, value)
    app.tab(TABS, "Compare two").choose("selectbox", "Compare the chosen policy with", "As it is")
    app.open(RISK).open(FRONTIER, (TABS, "Compare two"))
    for kind, label, value in kept:
        assert app.widget(kind, label).value == value, label
    assert app.widget("selectbox", "Compare the chosen policy with").value == "As it is"


def test_columns_that_the_recipe_drops_are_not_recoded(app):
    app.session.recipe = Recipe.of([DropColumns(("zip",))])
    assert not app.run().errors and "**zip**" not in app.text and "**sex**" in app.text
    app.session.recipe = Recipe.of([DropColumns(NAMES)])
    assert "drops every quasi-identifier" in app.run().text and not app.at.metric and not app.errors
