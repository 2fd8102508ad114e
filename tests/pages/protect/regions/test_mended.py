"""The Regions page where it once was wrong: what is missing, what waits, what is kept and what is told twice."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pandas as pd
import pytest

from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.recoding import Intervals
from anonlib.regions import (
    GAPS,
    AreaClasses,
    aggregate,
    areas_of,
    gaps_cutoff,
    number_by_gaps,
    open_areas,
    suggest_columns,
)
from anonlib.regions.exchange import exchange
from anonlib.release.recipe import Recipe
from anonlib.release.regions import protected
from anonlib.release.steps import DropColumns, Recode
from pages.protect.regions import results
from tests.helpers.app import App, dataset_of
from tests.pages.protect.regions.test_odd import LINES, file_of
from tests.pages.protect.regions.test_regions import (
    BY_HAND,
    N_AREAS,
    PLACE,
    QUASI,
    TABS,
    areas_csv,
    at_first,
    by_gaps,
    check_figures,
    counted,
    of_files,
    records_csv,
)
from ui import page

PROTECTED = "protected_records.csv"
ALL_PLACEMENTS = "This number and both cutoffs, in all placements, takes"


@pytest.fixture
def app() -> App:
    return of_files()


@pytest.fixture
def made(monkeypatch) -> dict[str, Callable[[], bytes]]:
    """By file name, what makes the file of a download button."""
    shown: dict[str, Callable[[], bytes]] = {}
    download = page.download

    def keep(label, make, file_name, key, **options):
        shown[file_name] = make
        download(label, make, file_name, key, **options)

    monkeypatch.setattr(page, "download", keep)
    return shown


def as_text(data: bytes) -> pd.DataFrame:
    return pd.read_csv(io.BytesIO(data), dtype=str, keep_default_na=False)


def by_hand(app: App, number: int) -> App:
    if app.widget("selectbox", "Number of regions").value != BY_HAND:
        app.choose("selectbox", "Number of regions", BY_HAND)
    return app.choose("slider", "Regions", number)


def with_blanks() -> bytes:
    """The records without areas that are not in the file; some name no illness."""
    lines = records_csv().decode().replace(",9999,", ",,").splitlines()
    return file_of(*(re.sub("[a-z]+$", "", line) if i % 9 == 1 else line for i, line in enumerate(lines)))


# ---- what is missing -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", [PLACE, "Other"])
def test_what_is_missing_in_no_quasi_identifier_is_a_value_and_without_an_area_nobody_is_released(role, made):
    known = ["age", "sex", "illness"]
    app = of_files(with_blanks(), name="Identifier", age=QUASI, sex=QUASI, area=role)
    app.session.missing = "drop"
    app.choose("multiselect", "Known beside the place", known)
    frame = as_text(with_blanks())
    without, placed = frame[frame["area"] == ""], frame[frame["area"] != ""]
    assert len(without) and (placed["illness"] == "").any()
    assert f"{len(placed):,} records in {N_AREAS} areas" in app.text
    said = "lack a quasi-identifier" if role == PLACE else "name no area"
    assert f"**Not counted, and left out of a release:** {len(without)} records {said}" in app.text
    found = at_first(counted(app, tuple(known), dataset_of(app).with_missing("category")))
    check_figures(app, found)
    region = found.area_table().set_index("area")["region"]
    placed = placed.assign(area=placed["area"].map(region))
    kept = placed[placed.groupby([*known, "area"])["name"].transform("size") >= 5]
    assert (kept["illness"] == "").any() and len(kept) == found.measures.n_records - found.measures.suppressed
    released, columns = as_text(made[PROTECTED]()), [*known, "area"]
    assert Counter(released[columns].itertuples(index=False)) == Counter(kept[columns].itertuples(index=False))


def test_persons_with_rows_in_several_areas_are_not_counted_but_may_be_released(made):
    rows = [f"p{i % 400},{30 + 10 * (i % 3)},{4_700 + (i % 400 + (i > 700)) % 50}" for i in range(800)]
    app = of_files(file_of("who,age,area", *rows), who="Person id", age=QUASI, area=PLACE)
    by_hand(app.choose("number_input", "k", 2), 2)
    of = counted(app, ("age",))
    assert f"{of.n_records} persons in {N_AREAS} areas" in app.text and of.n_records + of.several == 400
    assert f"{of.several} people have rows in several areas and are not counted here; the release keeps" in app.text
    assert "Not counted, and left out" not in app.text, "they are not left out for that"
    measures = aggregate(of, 2, number=2).measures
    released = as_text(made[PROTECTED]())["who"].nunique()
    assert measures.n_records - measures.suppressed < released <= 400


# ---- protected records -----------------------------------------------------------------------------------------------


def test_records_are_not_protected_by_a_recipe_that_does_not_fit(app, made):
    app.session.recipe = Recipe.of([DropColumns(("illness",)), Recode("illness", Intervals(10))])
    app.run()
    assert not app.errors and app.at.metric
    button = app.download("Protected records").proto
    assert button.disabled and "does not fit: see the Release page" in button.help
    assert not app.download("Area to region").proto.disabled, "the regions do not depend on it"
    with pytest.raises(InputError, match="illness"):
        protected(dataset_of(app), app.session.recipe, at_first(counted(app)))
    with pytest.raises(InputError, match="illness"):
        made[PROTECTED]()
    app.session.recipe = app.session.recipe.remove(1)
    assert not app.run().download("Protected records").proto.disabled and len(as_text(made[PROTECTED]()))


def test_protected_records_of_other_regions_have_other_numbers_and_another_order(made):
    rows = [f"p{i // 2 % 300},30,{4_700 + i // 2 % 30 * 2},note {i}" for i in range(600)]
    app = of_files(file_of("who,age,area,note", *rows), who="Person id", age=QUASI, area=PLACE)
    first, other, again = (by_hand(app, n) and made[PROTECTED]() for n in (3, 4, 3))
    three, four = as_text(first), as_text(other)
    assert [frame["area"].nunique() for frame in (three, four)] == [3, 4]
    assert sorted(three["note"]) == sorted(four["note"]) == sorted(f"note {i}" for i in range(600)), "nobody is lost"
    assert (three["note"] == four["note"]).mean() < 0.1
    same = three.set_index("note")["who"] == four.set_index("note")["who"].loc[three["note"]]
    assert same.mean() < 0.1, "the numbers of persons lead from one file to the other"
    assert first == again, "the same regions are the same file"


# ---- what waits, and what is kept ------------------------------------------------------------------------------------


def test_the_reason_in_the_recipe_names_the_regions_that_are_shown(app, monkeypatch):
    monkeypatch.setattr(results, "AT_ONCE", -1.0)
    of = counted(app)
    app.choose("segmented_control", "Placement", "exchange")
    for found, name in ((at_first(of), "Balanced"), (exchange(at_first(of)), "Exchanged")):
        check_figures(app, found)
        app.press("Add to recipe")
        steps = app.session.recipe.enabled
        assert all(step.reason.startswith(f"{name}, {found.n_regions} regions, k = 5") for step in steps)
        regions = {area: label for label, areas in steps[0].regions for area in areas}
        assert regions == dict(found.area_table().itertuples(index=False, name=None))
        if name == "Balanced":
            app.press("Start")


def test_the_model_of_the_cutoff_stays_while_another_way_is_looked_at(app):
    app.choose("selectbox", "Number of regions", "max_combinations")
    app.tab(TABS, "Compare").choose("selectbox", "Cutoff fitted in", "Eastern Canada")
    for way in (BY_HAND, "target"):
        app.choose("selectbox", "Number of regions", way)
        app.choose("selectbox", "Number of regions", "max_combinations")
        assert app.widget("selectbox", "Cutoff fitted in").value == "Eastern Canada", way
        check_figures(app, by_gaps(counted(app), gaps=GAPS["Eastern Canada"]))


def test_the_cutoff_and_the_people_a_region_are_told_apart(app):
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


def test_areas_are_forgotten(app):
    app.tab(TABS, "Areas").press("Forget these areas")
    assert "No areas are loaded" in app.text and not app.at.metric and not app.errors
    assert app.session.areas_file is None and app.session.area_columns is None
    check_figures(app.upload(areas_csv(), "areas.csv", "Load areas"), at_first(counted(app)))


# ---- what is said ----------------------------------------------------------------------------------------------------


def test_the_page_says_what_the_recipe_does_to_the_columns(app):
    said = "Counted as the recipe releases the columns"
    assert said not in app.text
    app.session.recipe = Recipe.of([Recode("age", Intervals(40)), DropColumns(("sex",))])
    assert f"{said}: **age** recoded, **sex** dropped." in app.run().text


def test_clustering_that_moves_nothing_says_so():
    """A site alone in its region has no other area to gain by."""
    records = b"age,area\n" + b"".join(b"%d,%d\n" % (age, 4700 + i) for i in range(30) for age in range(9))
    app = of_files(records, age=QUASI, area=PLACE)
    app.choose("selectbox", "Number of regions", BY_HAND).choose("slider", "Regions", 1)
    assert "No site could move" not in app.text
    app.choose("segmented_control", "Placement", "clustering")
    assert "No site could move: these are the balanced regions." in app.text


def test_without_a_population_nothing_is_said_of_people():
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

    def keep(chart, alt, key, *others):
        figures[key] = chart, alt
        return figure(chart, alt, key, *others)

    monkeypatch.setattr(page, "figure", keep)
    app.choose("selectbox", "Colour", "region")
    assert "regions-legend" not in figures and "Neighbours have different colours" in app.text
    app.choose("segmented_control", "Map", "Areas as they are")
    chart, alt = figures["regions-legend"]
    assert alt == "How many areas have which colour" and chart.layout.legend.title.text.startswith("left out")
    assert sum(int(trace.name.rpartition(": ")[2]) for trace in chart.data) == N_AREAS
    assert "The share of each area’s records in classes below k = 5" in app.text and "Neighbours" not in app.text


def test_the_key_of_what_is_counted_names_what_is_said_of_it():
    file = open_areas(areas_csv(), "areas.csv")
    areas, frame = areas_of(file, suggest_columns(file)), pd.read_csv(io.BytesIO(records_csv()), dtype=str)

    def counted_in(frame: pd.DataFrame) -> AreaClasses:
        return AreaClasses.from_records(areas, Dataset.from_frame(frame), "area", ["age", "sex"])

    of = counted_in(frame)
    others = {"several": of.several + 1, "without": of.without + 1, "unknown": of.unknown + 1, "unit": "persons"}
    keys = {of.key, *(replace(of, **{name: value}).key for name, value in others.items())}
    assert len(keys) == 1 + len(others) and counted_in(frame).key == of.key
    fewer = frame.drop(index=frame.index[frame["area"].isna()][0])
    assert counted_in(fewer).key not in keys
    assert counted_in(frame.assign(sex=frame["sex"] + "x")).key not in keys, "the page names the values"
