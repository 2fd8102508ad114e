"""The Regions page without a browser: its figures are the library's, and what it adds to the recipe holds."""

from __future__ import annotations

import random
from functools import lru_cache

import pandas as pd
import pytest

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.recoding import Intervals
from anonlib.regions import (
    GAPS,
    AreaClasses,
    Gaps,
    aggregate,
    areas_as_they_are,
    areas_of,
    number_by_gaps,
    open_areas,
    regions_for_target,
    suggest_columns,
)
from anonlib.regions.aggregation import Aggregation
from anonlib.regions.choices import clustering
from anonlib.regions.exchange import exchange
from anonlib.release.recipe import Recipe
from anonlib.release.steps import AggregatePlaces, DropColumns, Recode, Suppress, SuppressViolating
from pages.protect.regions import results
from tests.helpers.app import DATA, HOME, REGIONS, REGIONS_TABS, RELEASE, RISK, TRY_PROVINCE, App, dataset_of

TABS = f"regions-tabs-{len(REGIONS_TABS)}"
MENDING = "regions-tabs-2"  # without a result there is nothing to compare
QUASI, PLACE = "Quasi-identifier", "Place"
BY_HAND = "hand"
N_AREAS = 60


@lru_cache
def areas_csv(n: int = N_AREAS, seed: int = 3) -> bytes:
    """Small areas of a coast: an id, a point in degrees and the people who live there."""
    rng = random.Random(seed)
    lines = ["area,longitude,latitude,population"]
    for i in range(n):
        x, y = 10 + (i % 10) * 0.05 + rng.random() * 0.03, 59 + (i // 10) * 0.03 + rng.random() * 0.02
        lines.append(f"{4_700 + i},{x:.5f},{y:.5f},{rng.randrange(400, 700)}")
    return ("\n".join(lines) + "\n").encode()


@lru_cache
def records_csv(n: int = 2_000, seed: int = 4, ids: tuple[str, ...] = ()) -> bytes:
    """Visits of people in those areas; a few name none, or one that is not in the file."""
    rng = random.Random(seed)
    lines = ["name,age,sex,area,illness"]
    for i in range(n):
        where = rng.choice(["", "9999"]) if i % 100 == 0 else str(4_700 + min(N_AREAS - 1, int(rng.expovariate(0.05))))
        age = 10 * min(9, int(rng.gauss(4, 2) ** 2 // 4))
        lines.append(f"Person {i},{age},{rng.choice('FM')},{where},{rng.choice(['flu', 'asthma', 'cancer'])}")
    return ("\n".join(lines) + "\n").encode()


def with_roles(app: App, **roles: str) -> App:
    """Roles of several columns in one go."""
    columns = list(app.session.loaded.source.frame.columns)
    return app.edit("Role", {columns.index(name): {"Role": role} for name, role in roles.items()})


def of_files(records: bytes = b"", areas: bytes = b"", /, **roles: str) -> App:
    """A session with records and areas of one's own, on the Regions page."""
    app = App(DATA, records or records_csv(), "visits.csv")
    given = roles or {"name": "Identifier", "age": QUASI, "sex": QUASI, "area": PLACE, "illness": "Sensitive"}
    return with_roles(app, **given).open(REGIONS).upload(areas or areas_csv(), "areas.csv", "Load areas")


def counted(app: App, names: tuple[str, ...] = ("age", "sex"), data: Dataset | None = None) -> AreaClasses:
    file = open_areas(areas_csv(), "areas.csv")
    return AreaClasses.from_records(areas_of(file, suggest_columns(file)), data or dataset_of(app), "area", list(names))


def at_first(of: AreaClasses, k: int = 5) -> Aggregation:
    """What the page shows before anything is chosen: the most regions that leave out at most 5%, balanced."""
    return aggregate(of, k, number=regions_for_target(of, k, 0.05).asked)


def by_gaps(of: AreaClasses, k: int = 5, model="max_combinations", gaps: Gaps | None = None, **how) -> Aggregation:
    return aggregate(of, k, number=number_by_gaps(of, model, gaps or next(iter(GAPS.values()))), **how)


def check_figures(app: App, found: Aggregation) -> None:
    """The figures of the page are those of the aggregation, beside those of the areas as they are."""
    assert not app.errors
    before = areas_as_they_are(found.area_classes, k=found.k)
    was, now, n = before.measures, found.measures, found.area_classes.n_records
    unit = found.area_classes.unit
    assert app.metric("Regions") == words.change(f"{was.regions:,}", f"{now.regions:,}")
    left_out = words.change(words.percent(was.suppression), words.percent(now.suppression))
    assert app.metric(f"{unit.capitalize()} left out") == left_out
    people = found.area_classes.population.sum()
    expected = words.change(f"{people / before.n_regions:,.0f}", f"{people / found.n_regions:,.0f}")
    assert app.metric("People a region") == expected
    km = now.compactness / found.area_classes.n_areas / 1_000
    assert app.metric("Distance to the middle") == (f"{km * 1_000:,.0f} m" if km < 1 else f"{km:.3g} km")
    assert f"**By area**, {words.share(was.suppressed, n, unit)} are in classes below {found.k}" in app.text
    if now.suppressed:
        assert f"**By region**, {words.share(now.suppressed, n, unit)} are, and would be left out" in app.text
    else:
        assert f"**By region** nobody does: the smallest class has {now.anonymity:,}." in app.text


def every_tab(app: App) -> App:
    for tab in REGIONS_TABS:
        app.tab(TABS, tab)
        assert not app.errors, (tab, app.errors)
        assert [element.label for element in app.at.tabs if element.children] == [tab]
    return app.tab(TABS, REGIONS_TABS[0])


def shown(app: App) -> tuple:
    return [(metric.label, metric.value) for metric in app.at.metric], app.text


@pytest.fixture
def app() -> App:
    return of_files()


# ---- the way in ------------------------------------------------------------------------------------------------------


def test_without_a_file_the_page_says_what_it_does_and_the_province_shows_regions_at_once():
    app = App(REGIONS)
    assert "Nothing is loaded yet" in app.text and "merges small areas" in app.text and not app.at.metric
    app.press(TRY_PROVINCE)
    assert app.at.title[0].value == "Regions" and not app.errors
    before, after = (int(number.replace(",", "")) for number in app.metric("Regions").split(" → "))
    assert before > 1_000 > after > 50
    assert "**By area**" in app.text and "**By region**" in app.text
    assert app.widget("selectbox", "Number of regions").value == "target"
    left_out = float(app.metric("Records left out").split(" → ")[1].removesuffix("%"))
    assert 4 < left_out <= 5, "close to what may be left out"
    every_tab(app)


def test_own_records_ask_for_areas_and_own_areas_are_taken():
    app = App(DATA, records_csv()).open(REGIONS)
    assert "No quasi-identifiers are chosen" in app.text
    with_roles(app.open(DATA), name="Identifier", age=QUASI, sex=QUASI, area=PLACE).open(REGIONS)
    assert "No areas are loaded" in app.text and not app.at.metric and app.has_button(TRY_PROVINCE)
    app.upload(areas_csv(), "areas.csv", "Load areas")
    assert "The areas of areas.csv are loaded" in app.text.replace("\\", "")
    of = counted(app)
    check_figures(app, at_first(of))
    assert of.unknown and of.without
    assert f"{of.n_records:,} records in {N_AREAS} areas" in app.text
    assert f"{of.unknown} records name an area that is not in the file" in app.text
    assert f"{of.without} records name no area" in app.text
    assert app.widget("selectbox", "Records name their area in").value == "area"
    every_tab(app)
    app.open(DATA).press("Forget this data").open(REGIONS)
    assert "Nothing is loaded yet" in app.text and app.session.areas_file is None


# ---- controls --------------------------------------------------------------------------------------------------------


def test_every_way_to_a_number_is_the_librarys(app):
    of = counted(app)
    for model in ("entropy", "max_combinations"):
        app.choose("selectbox", "Number of regions", model)
        for name, gaps in GAPS.items():
            check_figures(app.choose("selectbox", "Cutoff fitted in", name), by_gaps(of, model=model, gaps=gaps))
    app.choose("selectbox", "Cutoff fitted in", "Own model").choose("number_input", "Factor", 500.0)
    app.choose("number_input", "Exponent", 0.2)
    check_figures(app, by_gaps(of, gaps=Gaps(500.0, 0.2)))
    app.choose("selectbox", "Number of regions", BY_HAND)
    for number in (1, 7, N_AREAS):
        check_figures(app.choose("slider", "Regions", number), aggregate(of, 5, number=number))
    app.choose("selectbox", "Number of regions", "target")
    for share in (0.0, 5.0, 50.0):
        tried = () if share == 5 else regions_for_target(of, 5, 0.05).points
        target = regions_for_target(of, 5, share / 100, curve=tried)
        app.choose("slider", "Left out", share)
        check_figures(app, aggregate(of, 5, number=target.asked))
        assert target.measures.suppression <= share / 100
    every_tab(app)


def test_every_placement_is_the_librarys(app):
    of = counted(app)
    app.choose("selectbox", "Number of regions", BY_HAND).choose("slider", "Regions", 12)
    start = aggregate(of, 5, number=12)
    check_figures(app, start)
    assert "depend on where people live, and on no record" in app.text
    app.choose("segmented_control", "Placement", "clustering")
    clustered = aggregate(of, 5, number=12, placement=clustering)
    check_figures(app, clustered)
    assert "These borders depend on the records" in app.text
    assert ("No site could move" in app.text) == (clustered.shape_key == start.shape_key)
    assert app.widget("slider", "Exchange: more compact").disabled
    app.choose("segmented_control", "Placement", "exchange")
    found = exchange(start)
    check_figures(app, found)
    assert ("Better than the balanced regions on all four" in app.text) == bool(found.improves_all)
    app.choose("slider", "Exchange: more compact", 10).choose("slider", "Exchange: evenness", 70)
    check_figures(app, exchange(start, compactness=0.10, balance=0.70))
    every_tab(app)


def test_k_and_what_is_known_change_what_is_left_out(app):
    app.open(RISK).choose("slider", "k", 12).open(REGIONS)
    assert app.widget("number_input", "k").value == 12
    check_figures(app, at_first(counted(app), 12))
    app.choose("number_input", "k", 3)
    assert app.session.k == 3, "one k for all pages"
    check_figures(app, at_first(counted(app), 3))
    app.choose("multiselect", "Known beside the place", ["sex", "illness"])
    check_figures(app, at_first(counted(app, ("sex", "illness")), 3))
    app.choose("multiselect", "Known beside the place", [])
    assert len(app.errors) == 1 and "at least one quasi" in app.errors[0]
    assert not app.at.metric and "Nothing" not in app.tab(MENDING, "Areas").text
    app.choose("multiselect", "Known beside the place", ["sex"])
    check_figures(app, at_first(counted(app, ("sex",)), 3))
    app.choose("selectbox", "Records name their area in", "illness")
    assert len(app.errors) == 1 and "None of the areas is named in" in app.errors[0] and not app.at.metric
    app.choose("selectbox", "Records name their area in", "area")
    check_figures(app, at_first(counted(app, ("sex",)), 3))


def test_settings_stay_when_other_pages_are_opened(app):
    app.choose("selectbox", "Number of regions", BY_HAND).choose("slider", "Regions", 9)
    app.choose("multiselect", "Known beside the place", ["sex"]).choose("segmented_control", "Placement", "clustering")
    app.tab(TABS, "Compare")
    before, compared = shown(app), app.table("configuration")
    app.open(RISK).open(DATA).open(REGIONS).tab(TABS, "Compare")
    assert shown(app) == before
    pd.testing.assert_frame_equal(app.table("configuration"), compared)


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
    assert listed["left out"].sum() == found.measures.suppressed and listed["areas"].sum() == N_AREAS
    assert listed.sort_index()["people"].tolist() == frame["people"].sort_index().tolist()
    assert listed["left out"].is_monotonic_decreasing
    app.choose("slider", "Regions", 10)
    assert app.widget("selectbox", "Look at").value == "the whole", "another aggregation has other regions"


# ---- side by side ----------------------------------------------------------------------------------------------------


def test_configurations_are_compared_until_they_are_forgotten(app, monkeypatch):
    of = counted(app)
    app.choose("selectbox", "Number of regions", BY_HAND)
    for number in (4, 20):
        app.choose("slider", "Regions", number)
    app.choose("segmented_control", "Placement", "clustering").tab(TABS, "Compare")
    first = f"Balanced, {at_first(of).asked} regions, k = 5"
    compared = app.table("configuration").set_index("configuration")
    names = [first, "Balanced, 4 regions, k = 5", "Balanced, 20 regions, k = 5", "Clustered, 20 regions, k = 5"]
    assert set(compared.index) == {"areas as they are", *names}
    four = aggregate(of, 5, number=4).measures
    row = compared.loc["Balanced, 4 regions, k = 5"]
    assert (row["records left out"], row["discernibility"]) == (four.suppressed, four.discernibility)
    assert (row["regions"], row["smallest class"]) == (four.regions, four.anonymity)
    assert row["left out, %"] == pytest.approx(100 * four.suppression, rel=0.005)
    assert row["entropy, bits"] == round(four.entropy)
    app.press("Start")
    numbers = (20, *(number_by_gaps(of, model) for model in ("entropy", "max_combinations")))
    both = {f"{placed}, {number} regions, k = 5" for number in numbers
            for placed in ("Balanced", "Clustered", "Exchanged")}  # fmt: skip
    assert both <= set(app.table("configuration")["configuration"])
    app.press("Forget these")
    assert app.table("configuration")["configuration"].tolist() == ["areas as they are", names[-1]]


def test_long_work_waits_for_its_button_and_keeps_the_balanced_regions_meanwhile(app, monkeypatch):
    of = counted(app)
    monkeypatch.setattr(results, "AT_ONCE", -1.0)
    app.choose("selectbox", "Number of regions", "max_combinations")
    app.tab(TABS, "Compare").choose("segmented_control", "Placement", "exchange")
    check_figures(app, by_gaps(of))
    assert "depend on where people live" in app.text and "Exchanged regions takes about 1 s" in app.text
    assert not app.table("configuration")["configuration"].str.startswith("Exchanged").any()
    app.press("Start")
    check_figures(app, exchange(by_gaps(of)))
    assert app.table("configuration")["configuration"].str.startswith("Exchanged").any()
    assert "Exchanged regions takes" not in app.text and "These borders depend on the records" in app.text


# ---- the recipe ------------------------------------------------------------------------------------------------------


def check_release(app: App, found: Aggregation) -> None:
    """The recipe's release has the regions and the records that the page said, and the Release page says so too."""
    applied = app.session.recipe.apply(dataset_of(app))
    assert applied.problems == ()
    kept = found.measures.n_records - found.measures.suppressed
    assert applied.released.n_records == kept
    names = ["area", *found.area_classes.classes.attributes]
    released = applied.released.classes(names)
    assert released.counts.min() >= found.k
    assert set(released.column("area")) <= set(found.names.tolist())
    app.open(RELEASE)
    assert not app.errors and f"{words.count(kept, 'records')}, " in app.text
    assert "name" not in applied.released.columns


def test_what_is_added_to_the_recipe_gives_the_numbers_shown(app):
    app.choose("selectbox", "Number of regions", "max_combinations")
    app.choose("number_input", "k", 4)
    found = by_gaps(counted(app), 4)
    check_figures(app, found)
    app.press("Add to recipe")
    assert [type(step) for step in app.session.recipe.enabled] == [AggregatePlaces, SuppressViolating]
    assert "In the recipe: Aggregate the places in area to 6 regions" in app.text.replace("\\", "")
    check_figures(app, found)
    check_release(app, found)
    for label in ("Released CSV", "Value mapping", "Save recipe"):
        assert not app.download(label).proto.disabled, label
    app.press("Change step 1")
    assert not app.errors and "Regions" in "".join(link.proto.label for link in app.at.get("page_link"))
    app.press("Leave it as it was").open(REGIONS)
    app.choose("selectbox", "Number of regions", BY_HAND).choose("slider", "Regions", 5).press("Add to recipe")
    assert len(app.session.recipe) == 2 and "2 earlier steps gave way" in app.text
    check_release(app, aggregate(counted(app), 4, number=5))


def test_places_are_counted_with_what_the_recipe_recodes(app):
    app.session.recipe = Recipe.of([Suppress(2), Recode("age", Intervals(40)), DropColumns(("sex",))])
    app.run()
    data = app.session.recipe.remove(0).apply(dataset_of(app)).released
    found = at_first(counted(app, ("age",), data))
    check_figures(app, found)
    app.press("Add to recipe")
    assert [step.kind for step in app.session.recipe.enabled] == [
        "recode", "drop_columns", "aggregate_places", *(["suppress_violating"] if found.measures.suppressed else []),
        "suppress",
    ]  # fmt: skip
    check_release(app, found)


def test_a_recipe_that_drops_all_that_is_known_is_a_sentence(app):
    app.session.recipe = Recipe.of([DropColumns(("age", "sex"))])
    app.run()
    assert len(app.errors) == 1 and "drops every column" in app.errors[0] and not app.at.metric


def test_each_download_is_made(app, monkeypatch):
    made: dict[str, bytes] = {}

    def keep(label, make, file_name, key, **options):
        made[file_name] = make()

    monkeypatch.setattr("ui.page.download", keep)
    app.run()
    found = at_first(counted(app))
    assert made["area_to_region.csv"].decode().split() == [
        "area,region", *(f"{row.area},{row.region}" for row in found.area_table().itertuples()),
    ]  # fmt: skip
    released = pd.read_csv(pd.io.common.BytesIO(made["protected_records.csv"]), dtype=str)
    assert len(released) == found.measures.n_records - found.measures.suppressed
    assert released.columns.tolist() == ["age", "sex", "area", "illness"]
    assert released.groupby(["age", "sex", "area"]).size().min() >= 5
    for name in ("regions.geojson", "regions.gpkg"):
        again = open_areas(made[name], name)
        assert len(again.table) == found.n_regions and again.geometry is not None, name
        assert set(found.names.tolist()) == set(again.table["region"])
        assert {"records", "left out", "smallest class"}.isdisjoint(again.table.columns), "no count of records leaves"


def test_every_sample_with_its_own_areas_or_none_is_a_sentence_or_a_map():
    app = App(HOME).press("open-admissions").open(REGIONS)
    assert "No areas are loaded" in app.text and not app.errors
    app.press(TRY_PROVINCE)
    assert app.at.metric and not app.errors and "province" in app.session.loaded.source.name
