"""What the Regions page says of the regions: the whole, one of them, the legend, and those seen before."""

from __future__ import annotations

import re

import pytest

from anonlib.analyses.regions import GAPS, aggregate, gaps_cutoff, number_by_gaps
from anonlib.analyses.regions.exchange import exchange
from anonlib.basics import words
from pages.protect.regions import results
from tests.helpers.regions import (
    BY_HAND,
    LINES,
    N_AREAS,
    PLACE,
    QUASI,
    TABS,
    at_first,
    by_gaps,
    by_hand,
    check_figures,
    counted,
    file_of,
    of_files,
)
from ui.kit import page


def test_a_region_is_looked_at(app):
    app.choose("selectbox", "Number of regions", BY_HAND).choose("slider", "Regions", 9)
    found = aggregate(counted(app), 5, number=9)
    frame = found.to_frame().set_index("region")
    for region in (frame["left out"].idxmax(), frame["records"].idxmin()):
        app.choose("selectbox", "Look at", region)
        row = frame.loc[region]
        assert f"**{words.count(int(row['areas']), 'areas')}** with {int(row['people']):,} people" in app.text
        assert f"Its smallest class has {row['smallest class']:,}" in app.text
        if row["left out"]:
            assert f"**{words.share(int(row['left out']), int(row['records']), 'records')}** are in classes" in app.text
            small = app.table("sex")
            assert small["records"].sum() == row["left out"] and small["records"].max() < 5
    app.tab(TABS, "Regions")
    listed = app.table("smallest class").set_index("region")
    assert listed["left out"].sum() == found.measures.left_out and listed["areas"].sum() == N_AREAS
    assert listed.sort_index()["people"].tolist() == frame["people"].sort_index().tolist()
    assert listed["left out"].is_monotonic_decreasing
    app.choose("slider", "Regions", 10)
    assert app.widget("selectbox", "Look at").value == "the whole", "another aggregation has other regions"


def test_the_cutoff_and_the_people_a_region_are_distinguished(app):
    of = counted(app)
    total, cutoff = int(of.population.sum()), gaps_cutoff(of.classes, "max_combinations")
    found = by_gaps(of)
    app.choose("selectbox", "Number of regions", "max_combinations")
    sentence = (
        f"**{found.n_regions} regions.** The cutoff is {cutoff:,.0f} people a region: {total:,} / {cutoff:,.0f} = "
        f"{total / cutoff:,.1f}, rounded."
    )
    assert sentence in app.text and app.metric("People a region").endswith(f"{total / found.n_regions:,.0f}")
    app.choose("selectbox", "Cutoff fitted in", "Own model").choose("number_input", "Exponent", 0.0)
    app.choose("number_input", "Factor", 1.0)
    assert f"= {total:,.1f}, and there are {N_AREAS} areas." in app.text
    app.choose("number_input", "Factor", 1e6)
    assert "= 0.0, and 1 is the least." in app.text


def test_clustering_that_moves_nothing_says_so():
    """A site alone in its region has no other area to gain by."""
    records = b"age,area\n" + b"".join(b"%d,%d\n" % (age, 4700 + i) for i in range(30) for age in range(9))
    app = of_files(records, roles={"age": QUASI, "area": PLACE})
    app.choose("selectbox", "Number of regions", BY_HAND).choose("slider", "Regions", 1)
    assert "No site could move" not in app.text
    app.choose("segmented_control", "Placement", "clustering")
    assert "No site could move: these are the balanced regions." in app.text


def test_without_a_population_nothing_is_stated_of_people():
    app = of_files(b"", file_of(*(line.rpartition(",")[0] for line in LINES)))
    by_hand(app, 7)
    labels = [metric.label for metric in app.at.metric]
    assert "Records a region" in labels and not [label for label in labels if "eople" in label]
    app.choose("selectbox", "Look at", app.widget("selectbox", "Look at").options[1])
    assert re.search(r"\*\*\d+ areas?\*\* with [\d,]+ records?\.", app.text)
    listed = app.tab(TABS, "Regions").table("smallest class")
    assert "people" not in listed.columns and {"areas", "records"} <= set(listed.columns)


def test_points_that_cannot_be_coloured_by_region_show_the_legend_of_their_colours(app, monkeypatch):
    figures, figure = {}, page.figure

    def keep(draw, alt, key, *others):
        figures[key] = draw(dark=False), alt
        return figure(draw, alt, key, *others)

    monkeypatch.setattr(page, "figure", keep)
    app.choose("selectbox", "Colour", "region")
    assert "regions-legend" not in figures and "Neighbours have different colours" in app.text
    app.choose("segmented_control", "Map", "Areas as they are")
    chart, alt = figures["regions-legend"]
    assert alt == "How many areas have which colour" and chart.layout.legend.title.text.startswith("left out")
    assert sum(int(trace.name.rpartition(": ")[2]) for trace in chart.data) == N_AREAS
    assert "The share of each area’s records in classes below k = 5" in app.text and "Neighbours" not in app.text


ALL_PLACEMENTS = "Every placement at these numbers of regions, and at those of both fitted cutoffs, takes"


def test_configurations_are_compared_until_they_are_forgotten(app, monkeypatch):
    of = counted(app)
    app.choose("selectbox", "Number of regions", BY_HAND)
    for number in (4, 20):
        app.choose("slider", "Regions", number)
    app.choose("segmented_control", "Placement", "clustering").tab(TABS, "Compare")
    first = f"Balanced, {at_first(of).asked} regions, k = 5"
    compared = app.table("configuration").set_index("configuration")
    names = [first, "Balanced, 4 regions, k = 5", "Balanced, 20 regions, k = 5", "Clustered, 20 regions, k = 5"]
    cropped = ["area, first 3 characters, 6 regions, k = 5", "Balanced, 6 regions, k = 5"]
    assert set(compared.index) == {"areas as they are", *names, *cropped}
    four = aggregate(of, 5, number=4).measures
    row = compared.loc["Balanced, 4 regions, k = 5"]
    assert (row["records left out"], row["discernibility"]) == (four.left_out, four.discernibility)
    assert (row["regions"], row["smallest class"]) == (four.regions, four.anonymity)
    assert row["left out, %"] == pytest.approx(100 * four.share_left_out, rel=0.005)
    assert row["entropy, bits"] == round(four.entropy)
    app.press("Start")
    numbers = (20, 6, *(number_by_gaps(of, model) for model in ("entropy", "max_combinations")))
    both = {f"{placed}, {number} regions, k = 5" for number in numbers
            for placed in ("Balanced", "Clustered", "Exchanged")}  # fmt: skip
    assert both <= set(app.table("configuration")["configuration"])
    app.press("Forget these")
    assert app.table("configuration")["configuration"].tolist() == ["areas as they are", *cropped, names[-1]]


def test_all_placements_are_run_again_when_they_are_forgotten_or_the_model_is_another(app):
    number = number_by_gaps(counted(app), "max_combinations", GAPS["Eastern Canada"])
    assert number != by_gaps(counted(app)).asked
    app.choose("selectbox", "Number of regions", "max_combinations").tab(TABS, "Compare").press("Start")
    for change in (
        lambda: app.press("Forget these"),
        lambda: app.choose("selectbox", "Cutoff fitted in", "Eastern Canada"),
    ):
        assert ALL_PLACEMENTS not in app.text and not app.has_button("Start")
        assert ALL_PLACEMENTS in change().text
        app.press("Start")
    assert f"Exchanged, {number} regions, k = 5" in set(app.table("configuration")["configuration"])
    by_hand(app.choose("number_input", "k", 4), 7).press("Start")
    assert f"Exchanged, {number} regions, k = 4" in set(app.table("configuration")["configuration"]), "the same model"


def test_long_work_waits_for_its_button_and_keeps_the_balanced_regions_meanwhile(app, monkeypatch):
    of = counted(app)
    monkeypatch.setattr(results, "AT_ONCE", -1.0)
    monkeypatch.setattr(results, "BY_ITSELF", -1.0)
    app.choose("selectbox", "Number of regions", "max_combinations")
    app.tab(TABS, "Compare").choose("segmented_control", "Placement", "exchange")
    check_figures(app, by_gaps(of))
    assert "depend on where people live" in app.text and "Exchanged regions takes about 1 s" in app.text
    assert not app.table("configuration")["configuration"].str.startswith("Exchanged").any()
    app.press("Start")
    check_figures(app, exchange(by_gaps(of)))
    assert app.table("configuration")["configuration"].str.startswith("Exchanged").any()
    assert "Exchanged regions takes" not in app.text and "These borders depend on the records" in app.text
