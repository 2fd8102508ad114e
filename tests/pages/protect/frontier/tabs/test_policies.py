"""The policy that is looked at: chosen, said in words, compared, drawn, taken home."""

from __future__ import annotations

import io

import pandas as pd
import pytest

from anonlib.analyses.frontier import Frontier, Plane, summary
from anonlib.basics import words
from tests.helpers.app import FRONTIER, RISK
from tests.helpers.frontier import NAMES, TABS, ZIPS, check_figures, chosen, everything, of_file, point, space_of


def test_the_policy_is_chosen_along_the_slider_and_by_presets(app):
    plane = Plane(space_of(app))
    found, harbor = everything(plane), plane.space.safe_harbor("age", "zip")
    for position in (0, len(found) - 1):
        check_figures(app.choose("slider", "Policy", position + 1), found, harbor, position)
    assert "removed" in app.choose("slider", "Policy", 1).text
    assert "as it is, 5 values" in app.choose("slider", "Policy", len(found)).text
    risk, loss = point(plane, harbor)
    for preset, position in (
        ("As detailed", found.least_risk(loss)),
        ("As safe", found.least_loss(risk)),
        ("Middle", found.least_loss(float(found.risk[found.nearest(risk=0, loss=0)]))),
    ):
        assert chosen(app.press(preset)) == position, preset
    app.open(RISK).open(FRONTIER)
    assert chosen(app) == position, "the choice stays"


def test_a_policy_is_stated_against_safe_harbor(app):
    plane = Plane(space_of(app))
    found, harbor = everything(plane), plane.space.safe_harbor("age", "zip")
    risk, loss = point(plane, harbor)
    better = set(found.dominating(harbor).tolist())
    for position in range(len(found)):
        text = app.choose("slider", "Policy", position + 1).text
        assert ("**Better than Safe Harbor" in text) == (position in better)
        here = float(found.risk[position]), float(found.loss[position])
        assert ("just as much as Safe Harbor" in text) == (here == (risk, loss))
        assert ("higher." in text) == (here != (risk, loss) and position not in better)


def test_intervals_and_examples_are_those_of_the_policy(app):
    plane = Plane(space_of(app))
    found = everything(plane)
    ties = [(risk, loss) for risk, loss in zip(found.risk.tolist(), found.loss.tolist(), strict=True)]
    position = next(i for i in range(len(found) // 2, len(found)) if ties.count(ties[i]) == 1)
    app.choose("slider", "Policy", position + 1)  # in the tab of the policy, which is the first
    message = app.table("from-to").set_index("column")
    assert message["from-to"].to_dict() == plane.space.describe(found.policies[position])
    for j, domain in enumerate(plane.space.domains):
        label = [domain.label(*ends) for ends in plane.space.intervals(found.policies[position], j)]
        released = dict(zip(domain.values, plane.space.interval_of_value(found.policies[position], j), strict=True))
        for shown in app.table("age")[domain.attribute]:
            value, _, became = shown.partition(" → ")
            assert (became or value) == label[released[value]]


def test_two_policies_are_compared(app):
    plane = Plane(space_of(app))
    found, harbor = everything(plane), plane.space.safe_harbor("age", "zip")
    app.set("slider", "Policy", 2).tab(TABS, "Compare two")
    figures = app.table("groups").set_index("policy")
    for name, policy in (("Chosen", None), ("Safe Harbor", harbor)):
        risk, loss = (float(found.risk[1]), float(found.loss[1])) if policy is None else point(plane, policy)
        assert tuple(figures.loc[name, ["risk", "loss"]]) == (words.percent(risk), words.percent(loss))
    assert figures.loc["Safe Harbor", "k"] == summary(plane, harbor).k
    notation = app.table("from-to")
    of_harbor = notation[notation["policy"] == "Safe Harbor"].set_index("column")["from-to"]
    assert of_harbor.to_dict() == plane.space.describe(harbor)
    app.press("Set it aside").choose("slider", "Policy", 3)
    app.choose("selectbox", "Compare the chosen policy with", "Set aside")
    assert any("compared" in chart.proto.spec for chart in app.at.get("plotly_chart"))
    figures = app.table("groups").set_index("policy")
    assert figures.loc["Set aside", "risk"] == words.percent(float(found.risk[1]))
    assert figures.loc["Chosen", "risk"] == words.percent(float(found.risk[2]))


def test_counts_of_values_are_those_of_the_file_and_leave_missing_out():
    lines = [f"Person {i},{30 + i % 3},{'FM'[i % 2]},{ZIPS[i % 4]},flu" for i in range(40)]
    lines += [f"Person {i},,F,{ZIPS[0]},flu" for i in range(4)]
    app = of_file(("name,age,sex,zip,illness\n" + "\n".join(lines) + "\n").encode())
    app.choose("slider", "Policy", 2)
    assert "**age**: 3 values and missing to" in app.text or "**age**: removed" in app.text
    last = app.widget("slider", "Policy").max
    assert "**age**: as it is, 3 values and missing" in app.choose("slider", "Policy", last).text
    charts = [chart.proto.spec for chart in app.at.get("plotly_chart")]
    assert any("3 values and missing, 30 to 32" in spec for spec in charts)


def test_downloads_hold_the_frontier(app, monkeypatch):
    made: dict[str, bytes] = {}
    monkeypatch.setattr(
        "ui.kit.page.download", lambda label, make, file_name, key, **how: made.update({file_name: make()})
    )
    app.tab(TABS, "All policies")
    plane = Plane(space_of(app))
    found = everything(plane)
    again = Frontier.from_json(made["frontier.json"], plane)
    assert (again.risk.tolist(), again.loss.tolist()) == (found.risk.tolist(), found.loss.tolist()) and again.exact
    table = pd.read_csv(io.BytesIO(made["frontier.csv"]))
    assert table["risk"].to_numpy() == pytest.approx(found.risk) and set(NAMES) < set(table)
    assert "Person" not in made["frontier.csv"].decode() + made["frontier.json"].decode()
    assert "flu" not in made["frontier.csv"].decode() + made["frontier.json"].decode()
