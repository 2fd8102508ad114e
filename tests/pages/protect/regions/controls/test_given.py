"""Regions that are given, on the Regions page: chosen by a code or a column, compared with ours, and released."""

from __future__ import annotations

import csv
import io
from collections import Counter
from types import SimpleNamespace

import pytest

from anonlib.analyses.regions import Grouping, aggregate, as_they_are, given_regions, grouped_by, joined_above
from anonlib.basics import words
from anonlib.release.export import released_csv
from anonlib.release.steps import AggregatePlaces
from pages.protect.regions import question
from tests.helpers.app import DATA, REGIONS, RELEASE, App, dataset_of
from tests.helpers.hostile import HOSTILE
from tests.helpers.regions import (
    BY_HAND,
    LINES,
    N_AREAS,
    PLACE,
    QUASI,
    TABS,
    as_text,
    at_first,
    check_figures,
    counted,
    every_tab,
    file_of,
    of_files,
    records_csv,
)

DISTRICTS = ("Fjord", "Isles", "Coast", HOSTILE[1])
DISTRICT_OF = {
    line.partition(",")[0]: DISTRICTS[(7 * i + i // 9 if i % 3 else i) % 4] for i, line in enumerate(LINES[1:])
}
PEOPLE_OF = {line.partition(",")[0]: int(line.rpartition(",")[2]) for line in LINES[1:]}


def districts(blank: str = "") -> bytes:
    rows = (f'{line},"{"" if line.startswith(blank or "x") else DISTRICT_OF[line.partition(",")[0]]}"'
            for line in LINES[1:])  # fmt: skip
    return file_of(LINES[0] + ",district", *rows)


def of_districts(**fields) -> App:
    return of_files(b"", districts(), **fields).choose("segmented_control", "Placement", "given")


def grouping(app: App) -> Grouping:
    return grouped_by("district", [DISTRICT_OF[area] for area in counted(app).areas.ids])


def cutoff_between() -> int:
    """People whom some districts exceed and others do not."""
    held = Counter[str]()
    for area, district in DISTRICT_OF.items():
        held[district] += PEOPLE_OF[area]
    ordered = sorted(held.values())
    return (ordered[1] + ordered[2]) // 2


def test_a_column_of_the_areas_is_the_regions_and_its_codes_can_be_cropped():
    app = of_districts()
    of = counted(app)
    assert app.widget("selectbox", "Grouped by").value == "district", "the column that groups areas"
    check_figures(app, given_regions(of, grouping(app), 5))
    assert "**4 regions.** A region for each value of **district**." in app.text
    assert "These borders were there before the records." in app.text
    app.choose("slider", "First characters", 1)
    check_figures(app, given_regions(of, grouped_by("district", [*grouping(app).labels], 1), 5))
    app.choose("selectbox", "Grouped by", "area")
    assert app.widget("slider", "First characters").value == 3, "the most by which areas share a region"
    cropped = given_regions(of, grouped_by("area", of.areas.ids, 3), 5)
    check_figures(app, cropped)
    app.choose("selectbox", "Look at", "470")
    assert f"**{words.count(int(cropped.areas_of_region[0]), 'areas')}** with" in app.text
    check_figures(app.choose("slider", "First characters", 4), given_regions(of, as_they_are(of.areas), 5))
    every_tab(app)
    app.open(DATA).open(REGIONS)
    assert app.widget("selectbox", "Grouped by").value == "area", "settings stay"


def test_regions_up_to_a_cutoff_are_left_out_whole_or_joined():
    app = of_districts()
    of, cutoff = counted(app), cutoff_between()
    app.choose("selectbox", "Population cutoff", -1).choose("number_input", "People that a region must exceed", cutoff)
    found = given_regions(of, grouping(app), 5, cutoff=cutoff)
    assert found.measures.withheld == 2 and not app.errors
    assert app.metric("Regions") == f"{N_AREAS} → 2 of 4"
    assert app.metric("Records left out").endswith(words.percent(found.measures.share_left_out))
    assert f"**2** of them, with no more than {cutoff:,} people, would be left out whole." in app.text
    assert "are or live in a region that is left out whole" in app.text
    assert app.metric("Fewest people").endswith(f"{found.spatial.fewest_people:,}")
    app.choose("selectbox", "Look at", found.names[found.withheld][0])
    assert "Its people do not exceed the cutoff: all of its records would be left out." in app.text
    app.choose("segmented_control", "Regions up to it", True)
    joined = given_regions(of, joined_above(of.areas, grouping(app), cutoff), 5, cutoff=cutoff)
    check_figures(app, joined)
    assert f"Joined from **district**. Each has more than {cutoff:,} people." in app.text
    assert "These borders depend on where people live, and on no record." in app.text


def test_a_cutoff_that_nobody_exceeds_releases_nothing_and_says_so():
    app = of_districts()
    app.choose("selectbox", "Population cutoff", 120_000)
    assert not app.errors and app.metric("Regions").endswith("0 of 4") and app.metric("Fewest people").endswith("—")
    button = app.button("Add to recipe")
    assert button.disabled and "No region exceeds the cutoff" in button.proto.help
    every_tab(app)


def test_given_regions_are_released_without_what_is_withheld_and_the_reason_compares():
    app, cutoff = of_districts(), cutoff_between()
    app.choose("selectbox", "Population cutoff", -1).choose("number_input", "People that a region must exceed", cutoff)
    app.press("Add to recipe")
    places = app.session.recipe.enabled[0]
    assert isinstance(places, AggregatePlaces) and len(places.regions) == 2
    assert places.reason.startswith(f"district, above {cutoff:,} people, 4 regions, k = 5 on 3 columns. When chosen: ")
    assert "; area, first 3 characters, 6 regions: " in places.reason and "; district, 4 regions: " in places.reason
    applied = app.session.recipe.apply(dataset_of(app))
    released = list(csv.DictReader(io.StringIO(released_csv(applied.released).decode("utf-8-sig"))))
    held = Counter[str]()
    for area, district in DISTRICT_OF.items():
        held[district] += PEOPLE_OF[area]
    records = as_text(records_csv())
    records = records.assign(area=records["area"].map(DISTRICT_OF)).dropna(subset=["area"])
    records = records[records["area"].map(held) > cutoff]
    sizes = Counter(records[["age", "sex", "area"]].itertuples(index=False, name=None))
    expected = Counter({values: n for values, n in sizes.items() if n >= 5})
    assert Counter((row["age"], row["sex"], row["area"].removeprefix("'")) for row in released) == expected
    assert "Add these regions" not in app.download("Protected records").proto.help, "the reason does not matter"
    app.press("Add to recipe")
    assert len(app.session.recipe) == 2, "the same again gives way to itself"
    app.open(RELEASE)
    assert not app.errors


def test_given_regions_stand_beside_ours_of_as_many():
    app = of_files(b"", districts(), tab="Compare")
    of = counted(app)
    names = set(app.table("configuration")["configuration"])
    for name, found in (
        ("district", given_regions(of, grouping(app), 5)),
        ("area, first 3 characters", given_regions(of, grouped_by("area", of.areas.ids, 3), 5)),
    ):
        assert {f"{name}, {found.n_regions} regions, k = 5", f"Balanced, {found.n_regions} regions, k = 5"} <= names
        row = app.table("configuration").set_index("configuration").loc[f"{name}, {found.n_regions} regions, k = 5"]
        assert row["records left out"] == found.measures.left_out
        assert row["fewest people"] == found.spatial.fewest_people
        assert row["area guessed, %"] == pytest.approx(100 * found.spatial.area_guessed, rel=0.005)
    app.choose("multiselect", "Compare with", ["district, above 70,000 people"])
    table = app.table("configuration").set_index("configuration")
    row = table.loc["district, above 70,000 people, 4 regions, k = 5"]
    assert (row["left out, %"], row["left out whole"]) == (100, 4)
    assert not any(name.startswith("area, first") for name in table.index)
    assert "Balanced, 4 regions, k = 5" in table.index
    app.choose("multiselect", "Compare with", [])
    assert f"Balanced, {at_first(of).asked} regions, k = 5" in set(app.table("configuration")["configuration"])


def test_as_many_regions_may_take_more_sites(monkeypatch):
    """A site to which no area is nearest has no region, and then one of the next numbers leads to as many."""
    of = counted(of_files(b"", districts()))
    monkeypatch.setattr(question, "_aggregate", aggregate)
    asked = SimpleNamespace(classes=of, k=5)
    sites = {n: question.sites_for(asked, n) for n in range(1, N_AREAS)}
    reached = {n: aggregate(of, 5, number=number).n_regions for n, number in sites.items()}
    assert any(number > n == reached[n] for n, number in sites.items()), "more sites for as many regions"
    assert all(number == n for n, number in sites.items() if reached[n] != n), "else the number itself"


def test_a_column_of_the_records_groups_areas_and_a_sensitive_one_does_not():
    lines = records_csv().decode().splitlines()
    rows = [f"{line},{DISTRICT_OF.get(line.split(',')[3], '')[:5]},{DISTRICT_OF.get(line.split(',')[3], '')[:5]}"
            for line in lines[1:]]  # fmt: skip
    roles = {"name": "identifier", "age": QUASI, "sex": QUASI, "area": PLACE, "county": "other", "secret": "sensitive"}
    app = of_files(file_of(lines[0] + ",county,secret", *rows), roles=roles)
    app.choose("segmented_control", "Placement", "given")
    assert app.widget("selectbox", "Grouped by").options == ["area", "county"]
    assert app.metric("Regions") == f"{N_AREAS} → 4"
    without = N_AREAS - len({line.split(",")[3] for line in lines[1:]} & set(DISTRICT_OF))
    assert (f"{words.count(without, 'areas')} of which no record says anything" in app.text) == bool(without)


def test_blanks_and_areas_without_people_are_sentences():
    app = of_files(b"", districts(blank="471")).choose("segmented_control", "Placement", "given")
    assert len(app.errors) == 1 and "is blank in rows" in app.errors[0] and "Fill it in" in app.errors[0]
    app.choose("selectbox", "Grouped by", "area")
    assert not app.errors and app.at.metric
    app = of_files(b"", file_of(*(line.rpartition(",")[0] for line in LINES)))
    app.choose("segmented_control", "Placement", "given")
    cutoff = app.widget("selectbox", "Population cutoff")
    assert cutoff.disabled and "names no number of people" in cutoff.proto.help
    assert not [metric.label for metric in app.at.metric if "eople" in metric.label]
    assert not app.errors and "people" not in app.tab(TABS, "Compare").widget("multiselect", "Compare with").value
    app.choose("segmented_control", "Placement", "balanced").choose("selectbox", "Number of regions", BY_HAND)
    assert not app.errors
