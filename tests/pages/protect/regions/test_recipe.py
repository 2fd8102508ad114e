"""From the Regions page to the recipe and to files: what is added holds, and what the recipe does is counted."""

from __future__ import annotations

import pandas as pd

from anonlib.analyses.regions import aggregate, open_areas, regions_for_target
from anonlib.analyses.regions.aggregation import Aggregation
from anonlib.analyses.regions.exchange import exchange
from anonlib.basics import words
from anonlib.coarsening.recoding import Intervals
from anonlib.release.from_analyses import protected
from anonlib.release.recipe import Recipe
from anonlib.release.steps import AggregatePlaces, DropColumns, LeaveOut, Recode
from pages.protect.regions import results
from tests.helpers.app import REGIONS, RELEASE, App, dataset_of
from tests.helpers.errors import refused
from tests.helpers.regions import (
    BY_HAND,
    PLACE,
    PROTECTED,
    QUASI,
    as_text,
    at_first,
    by_gaps,
    by_hand,
    check_figures,
    counted,
    file_of,
    of_files,
)


def check_release(app: App, found: Aggregation) -> None:
    """The recipe's release has the regions and the records that the page said, and the Release page says so too."""
    applied = app.session.recipe.apply(dataset_of(app))
    assert applied.problems == ()
    kept = found.measures.n_records - found.measures.left_out
    assert applied.released.n_records == kept
    names = ["area", *found.area_classes.classes.attributes]
    released = applied.released.classes(names)
    assert released.counts.min() >= found.k
    assert set(released.column("area")) <= set(found.names.tolist())
    app.open(RELEASE)
    assert not app.errors and f"{words.count(kept, 'records')}, " in app.text
    assert "name" not in applied.released.columns


def test_what_is_added_to_the_recipe_gives_the_numbers_shown(app):
    assert "Counted as the recipe releases the columns" not in app.text
    app.choose("selectbox", "Number of regions", "max_combinations")
    app.choose("number_input", "k", 4)
    found = by_gaps(counted(app), 4)
    check_figures(app, found)
    app.press("Add to recipe")
    assert [type(step) for step in app.session.recipe.enabled] == [AggregatePlaces, LeaveOut]
    assert "In the recipe: Aggregate the places in area to 6 regions" in app.text.replace("\\", "")
    check_figures(app, found)
    check_release(app, found)
    app.leave_anyway()
    for label in ("Released CSV", "Value mapping", "Save recipe"):
        assert not app.download(label).proto.disabled, label
    app.press("Change step 1")
    assert not app.errors and "Regions" in "".join(link.proto.label for link in app.at.get("page_link"))
    app.press("Leave it as it was").open(REGIONS)
    app.choose("selectbox", "Number of regions", BY_HAND).choose("slider", "Regions", 5).press("Add to recipe")
    assert len(app.session.recipe) == 2 and "2 earlier steps gave way" in app.text
    check_release(app, aggregate(counted(app), 4, number=5))


def test_the_reason_in_the_recipe_names_the_regions_that_are_shown(app, monkeypatch):
    monkeypatch.setattr(results, "AT_ONCE", -1.0)
    monkeypatch.setattr(results, "BY_ITSELF", -1.0)
    of = counted(app)
    app.choose("segmented_control", "Placement", "exchange")
    exchanged = regions_for_target(of, 5, 0.05, search=exchange).aggregation
    for found, name in ((at_first(of), "Balanced"), (exchanged, "Exchanged")):
        check_figures(app, found)
        app.press("Add to recipe")
        steps = app.session.recipe.enabled
        assert all(step.reason.startswith(f"{name}, {found.n_regions} regions, k = 5") for step in steps)
        regions = {area: label for label, areas in steps[0].regions for area in areas}
        assert regions == dict(found.area_table().itertuples(index=False, name=None))
        if name == "Balanced":
            app.press("Start")


def test_places_are_counted_with_what_the_recipe_recodes():
    app = of_files(recipe=Recipe.of([LeaveOut(2), Recode("age", Intervals(40)), DropColumns(("sex",))]))
    assert "Counted as the recipe releases the columns: **age** recoded, **sex** dropped." in app.text
    data = app.session.recipe.remove(0).apply(dataset_of(app)).released
    found = at_first(counted(app, ("age",), data))
    check_figures(app, found)
    app.press("Add to recipe")
    assert [step.kind for step in app.session.recipe.enabled] == [
        "recode", "drop_columns", "aggregate_places", *(["leave_out"] if found.measures.left_out else []),
        "leave_out",
    ]  # fmt: skip
    check_release(app, found)


def test_a_recipe_that_drops_all_that_is_known_is_a_sentence():
    app = of_files(recipe=Recipe.of([DropColumns(("age", "sex"))]))
    assert len(app.errors) == 1 and "drops every column" in app.errors[0] and not app.at.metric


def test_each_download_is_made(app, monkeypatch):
    made: dict[str, bytes] = {}

    def keep(label, make, file_name, key, **options):
        made[file_name] = make()

    monkeypatch.setattr("ui.kit.page.download", keep)
    app.run()
    found = at_first(counted(app))
    assert made["area_to_region.csv"].decode().split() == [
        "area,region", *(f"{row.area},{row.region}" for row in found.area_table().itertuples()),
    ]  # fmt: skip
    released = pd.read_csv(pd.io.common.BytesIO(made["protected_records.csv"]), dtype=str)
    assert len(released) == found.measures.n_records - found.measures.left_out
    assert released.columns.tolist() == ["age", "sex", "area", "illness"]
    assert released.groupby(["age", "sex", "area"]).size().min() >= 5
    for name in ("regions.geojson", "regions.gpkg"):
        again = open_areas(made[name], name)
        assert len(again.table) == found.n_regions and again.geometry is not None, name
        assert set(found.names.tolist()) == set(again.table["region"])
        assert {"records", "left out", "smallest class"}.isdisjoint(again.table.columns), "no count of records leaves"


def test_records_are_not_protected_by_a_recipe_that_does_not_fit(made):
    app = of_files(recipe=Recipe.of([DropColumns(("illness",)), Recode("illness", Intervals(10))]))
    assert not app.errors and app.at.metric
    button = app.download("Protected records").proto
    assert button.disabled and "does not fit: see the Release page" in button.help
    assert not app.download("Area to region").proto.disabled, "the regions do not depend on it"
    with refused("release-stays"):
        protected(dataset_of(app), app.session.recipe, at_first(counted(app)))
    with refused("release-stays"):
        made[PROTECTED]()
    app.session.recipe = app.session.recipe.remove(1)
    assert "Add these regions to the recipe first" in app.run().download("Protected records").proto.help
    app.press("Add to recipe")
    assert not app.download("Protected records").proto.disabled and len(as_text(made[PROTECTED]()))


def test_protected_records_of_other_regions_have_other_numbers_and_another_order(made):
    rows = [f"p{i // 2 % 300},30,{4_700 + i // 2 % 30 * 2},note {i}" for i in range(600)]
    app = of_files(file_of("who,age,area,note", *rows), roles={"who": "person_id", "age": QUASI, "area": PLACE})
    first, other, again = (by_hand(app, n) and made[PROTECTED]() for n in (3, 4, 3))
    three, four = as_text(first), as_text(other)
    assert [frame["area"].nunique() for frame in (three, four)] == [3, 4]
    assert sorted(three["note"]) == sorted(four["note"]) == sorted(f"note {i}" for i in range(600)), "nobody is lost"
    assert (three["note"] == four["note"]).mean() < 0.1
    same = three.set_index("note")["who"] == four.set_index("note")["who"].loc[three["note"]]
    assert same.mean() < 0.1, "the numbers of persons lead from one file to the other"
    assert first == again, "the same regions are the same file"
