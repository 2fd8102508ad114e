"""Other releases on the Frontier page's map: each where its file puts it, and taken by one click."""

from __future__ import annotations

import re
from collections import Counter
from math import log, prod

import pytest

from anonlib.basics import words
from anonlib.coarsening.recoding import Intervals, Mask
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from pages.protect.frontier import releases
from tests.helpers.app import FRONTIER, VERDICT, App, dataset_of
from tests.helpers.frontier import NAMES, TABS, of_file, people_csv, point, space_of


def numbers_of_file(app: App) -> tuple[float, float, int]:
    """Risk, loss and k of the release by its own records, with nobody left out and each label one value's or more."""
    original = dataset_of(app).records[list(NAMES)].astype(object)
    released = app.session.recipe.apply(dataset_of(app)).released.records
    before = [tuple(row) for row in original.itertuples(index=False)]
    after = [tuple(row) for row in released[list(NAMES)].astype(object).itertuples(index=False)]
    assert len(before) == len(after)

    def divergence(labels: list) -> float:
        covered = [
            Counter(label for _, label in {(r[j], a[j]) for r, a in zip(before, labels, strict=True)}) for j in range(3)
        ]
        cells, groups = Counter(before), Counter(labels)
        return sum(
            log(cells[r] * prod(covered[j][a[j]] for j in range(3)) / groups[a])
            for r, a in zip(before, labels, strict=True)
        )

    whole = divergence([("*",) * 3] * len(before))
    least = divergence(before)
    groups = Counter(after)
    return len(groups) / len({*before}), (divergence(after) - least) / (whole - least), min(groups.values())


def line(app: App, name: str) -> str:
    return next(element.value for element in app.at.markdown if f"**{name}**" in element.value)


def take(app: App, key: str) -> App:
    next(button for button in app.at.button if button.key == f"frontier-take-{key}").click()
    return app.run()


def check_line(app: App, name: str) -> None:
    risk, loss, k = numbers_of_file(app)
    assert f"risk {words.percent(risk)}, loss {words.percent(loss)}, k {k:,}" in line(app, name)


def test_the_present_recipe_stands_where_its_file_puts_it(app):
    check_line(app, "The present recipe")
    assert "risk 100%, loss 0%, k 1" in line(app, "The present recipe")
    app.session.recipe = Recipe.of([Recode("age", Intervals(20)), Recode("zip", Mask(3))])
    app.run()
    check_line(app, "The present recipe")
    assert "present recipe" in line(app, "The present recipe")


@pytest.mark.parametrize("k", releases.KS)
def test_one_click_takes_a_k_anonymous_solution_whose_file_has_its_numbers(app, k):
    name = f"k = {k}, one level a column"
    before, shown = app.session.recipe, line(app, name)
    take(app, f"k {k}")
    assert app.session.recipe != before and "In the recipe: " in app.text.replace("\\", "")
    check_line(app, "The present recipe")
    risk, loss, smallest = numbers_of_file(app)
    assert smallest >= k and f"risk {words.percent(risk)}, loss {words.percent(loss)}, k {smallest:,}" in shown
    assert next(b for b in app.at.button if b.key == f"frontier-take-k {k}").disabled, "it is the recipe"
    app.press("Undo")
    assert app.session.recipe == before


def test_a_release_that_is_looked_at_is_read_and_taken_on_the_right(app):
    plane_key = (
        next(name for name in app.work.latest if name.startswith("frontier-")).split("-", 1)[1].rsplit("-", 1)[0]
    )
    app.session.parts = {**app.session.parts, releases.ReleasesLookedAt: releases.ReleasesLookedAt({plane_key: "k 5"})}
    app.run()
    assert "▲ **k = 5, one level a column**" in app.text and "Full-domain generalization" in app.text
    assert any("chosen" in chart.proto.spec and "k = 5" in chart.proto.spec for chart in app.at.get("plotly_chart"))
    app.press("Take it into the recipe")
    risk, loss, _ = numbers_of_file(app)
    assert f"**Risk {words.percent(risk)} of the original’s, loss {words.percent(loss)}.**" in app.text
    assert app.metric("Risk").endswith(words.percent(risk)) and app.metric("Loss").endswith(words.percent(loss))
    app.choose("slider", "Policy", 1)
    assert app.has_button("Add to recipe") and not app.has_button("Take it into the recipe")


def test_the_verdict_s_proposals_are_those_of_this_session(app):
    assert "none was searched in this session yet" in app.text
    app.open(VERDICT).open(FRONTIER)
    titles = re.findall(r"\*\*(Proposal “[^*]+”)\*\*", app.text)
    assert titles and "none was searched" not in app.text
    shown = line(app, titles[0])
    key = next(b.key for b in app.at.button if (b.key or "").startswith("frontier-take-proposal")).split("take-")[1]
    assert "risk " in shown
    take(app, key)
    figures = re.search(r"risk .*", shown)[0]
    assert figures in line(app, "The present recipe"), "what leaves now is what was shown"
    app.open(VERDICT)
    assert "In the recipe: " in app.text


def test_earlier_releases_on_record_are_there_and_taken_as_they_left(app):
    digest = dataset_of(app).digest
    earlier = Recipe.of([Recode("age", Intervals(20)), LeaveOut(5)])
    app.session.aim = app.session.aim.having_released(earlier, digest)
    app.run()
    shown = line(app, "Earlier release 1")
    left_out = 90 - earlier.apply(dataset_of(app)).released.n_records
    assert left_out and f"({left_out} of 90 records) left out" in shown
    take(app, f"earlier {earlier.digest}")
    assert app.session.recipe == earlier
    assert re.search(r"risk .*", shown)[0] in line(app, "The present recipe")
    assert not any("Earlier release" in element.value for element in app.at.markdown), "it is the present recipe"


def test_what_cannot_be_compared_is_listed_with_its_reason(app):
    app.session.recipe = Recipe.of([DropColumns(("sex",))])
    app.session.aim = app.session.aim.having_released(Recipe.of([Recode("age", Intervals(20))]), dataset_of(app).digest)
    app.run()
    assert "not on the map. It releases sex, which the present recipe drops" in line(app, "Earlier release 1").replace(
        "\\", ""
    )
    assert "sex" not in app.widget("multiselect", "Quasi-identifiers").options


def test_among_the_people_of_an_area_the_solutions_are_policies_of_the_map(app):
    app.tab(TABS, "Population").upload(people_csv(), "people.csv", "Load a population")
    shown = line(app, "The present recipe")
    assert "risk 100%, loss 0%" in shown
    take(app, "k 2")
    assert "k 2" not in shown and re.search(r"risk .*", line(app, "The present recipe"))[0] in line(
        app, "k = 2, one level a column"
    )


def test_marks_carry_their_numbers(app):
    space = space_of(app)
    chart = next(chart.proto.spec for chart in app.at.get("plotly_chart") if "triangle-up" in chart.proto.spec)
    assert chart.count('"triangle-up"') == 3 and '"star"' in chart and ">recipe<" not in chart
    assert point(releases.Plane(space), space.bottom) == (1.0, 0.0)
    assert of_file is not None
