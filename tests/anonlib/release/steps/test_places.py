"""Places aggregated to regions in a recipe: the step, its place among others, and the numbers of the aggregation."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.regions.aggregation import Aggregation, voronoi_regions
from anonlib.analyses.regions.areas import AreaClasses, Areas
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy, intervals
from anonlib.coarsening.recoding import Intervals, Mask, ValueMap
from anonlib.columns.roles import Role
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.comparison import compare
from anonlib.release.export import released_csv, value_mapping
from anonlib.release.from_analyses import prepared_for_places, protected, steps_of_aggregation
from anonlib.release.recipe import Entry, Recipe
from anonlib.release.steps import STEP_KINDS, AggregatePlaces, DropColumns, GeneralizeLocally, LeaveOut, Recode, Scope
from anonlib.release.steps.of_cells import EarlierLDiversity, Requirement
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.leaving_out import for_requirements
from tests.helpers.small_release import IDENTIFIER, PERSON, QI, SENSITIVE, WEIGHT, column, rows_of, taken

PLACE = Role.PLACE
NORTH, SOUTH = ("R1", ("a", "b")), ("R2", ("c", "d"))
STEP = AggregatePlaces("area", (NORTH, SOUTH))
ROWS = [("Ann", "a", "30"), ("Bob", "b", "30"), ("Cy", "c", "41"), ("Di", None, "30"), ("Ed", "z", "52")]


def people(rows=ROWS, names=("name", "area", "age"), **fields) -> Dataset:
    roles = {"name": IDENTIFIER, "area": PLACE, "age": QI, "sex": QI, "who": PERSON, "n": WEIGHT, "ill": SENSITIVE}
    frame = pd.DataFrame(rows, columns=list(names), dtype=object)
    return Dataset.from_frame(frame, **({"roles": {name: roles[name] for name in names}} | fields))


def areas(n: int, rng: np.random.Generator) -> Areas:
    points = rng.permutation(n * 40)[:n, None] % [[20, 7]] * 1_000.0 + np.arange(n)[:, None]
    ids = np.array([f"A{i}" for i in range(n)], dtype=object)
    return Areas(ids, points, None, gpd.GeoDataFrame({"area": ids}, geometry=gpd.points_from_xy(*points.T)))


# ---- the step --------------------------------------------------------------------------------------------------------


def test_areas_become_regions_and_records_in_none_are_left_out():
    data = people()
    after = STEP.apply(data)
    assert rows_of(after) == [("Ann", "R1", "30"), ("Bob", "R1", "30"), ("Cy", "R2", "41")]
    assert dict(after.roles) == dict(data.roles) and rows_of(data) == ROWS, "the original stays"
    assert after.records["age"].cat.categories.tolist() == ["30", "41"], "values that are gone are forgotten"
    assert after.key == STEP.apply(data).key != data.key
    assert STEP.apply(people([])).n_records == 0
    applied = Recipe.of([STEP]).apply(data)
    assert applied.effects[0] and (applied.effects[0].records_removed, applied.effects[0].cells_changed) == (2, 3)
    assert "name" not in applied.released.columns and compare(applied, Recipe.of([STEP])).records_after == 3


def test_regions_are_in_natural_order():
    step = AggregatePlaces("area", (("10", ("a",)), ("9", ("b",)), ("8", ("c", "z"))))
    assert step.apply(people()).records["area"].cat.categories.tolist() == ["8", "9", "10"]


def test_a_region_of_one_area_may_keep_its_id():
    step = AggregatePlaces("area", (("a", ("a",)), ("rest", ("b", "c"))))
    (effect,) = Recipe.of([step]).apply(people()).effects
    assert effect and effect.cells_changed == 2
    assert rows_of(step.apply(people()))[0] == ("Ann", "a", "30")


def test_in_words():
    assert STEP.describe() == "Aggregate the places in area to 2 regions, and leave out records in no region"
    assert AggregatePlaces("area", (NORTH,)).describe().startswith("Aggregate the places in area to 1 region,")
    assert len({STEP, AggregatePlaces("area", (NORTH, SOUTH))}) == 1, "steps are values"


def test_rows_of_a_person_stay_together():
    names = ("who", "area", "age")
    rows = [
        ("p", "a", "30"), ("p", None, "31"), ("q", "a", "30"), ("q", "c", "30"), ("r", None, "30"), ("s", "a", "30"),
        ("s", "z", "30"), (None, "d", "30"), (None, None, "30"), ("t", "a", "30"), ("t", "b", "30"),
    ]  # fmt: skip
    after = STEP.apply(people(rows, names))
    # p is known to be in R1 whatever the second row says; r, and the row without an id, may be anywhere.
    kept = [("p", "R1"), ("p", None), ("q", "R1"), ("q", "R2"), ("s", "R1"), (None, "R2"), ("t", "R1"), ("t", "R1")]
    assert [row[:2] for row in rows_of(after)] == kept
    assert Counter(after.classes(["area"]).to_frame().set_index("area")["count"].to_dict()) == {
        "R1": 3, "R1 | R2": 1, "R2": 1,
    }  # fmt: skip
    dropped = DropColumns(("who",)).apply(people(rows, names))
    assert column(STEP.apply(dropped), "area") == [place for _, place in kept], "persons go on being persons"


def test_a_population_is_recoded_too_if_it_has_the_column():
    population = people([("a", "30"), ("z", "30"), (None, "31"), ("d", "31")], ("area", "age"))
    assert rows_of(Recipe.of([STEP]).apply_to_population(population)) == [("R1", "30"), ("R2", "31")]
    without = population.without_columns(["area"])
    assert STEP.apply_to_population(without) is without
    elsewhere = people([("x", "30")], ("area", "age"))
    assert Recipe.of([STEP]).apply_to_population(elsewhere) is elsewhere


def test_the_value_mapping_follows_every_area_to_its_region():
    data = people([*ROWS, ("Flo", "a", "30")])
    recipe = Recipe.of([DropColumns(("age",)), STEP, LeaveOut(2)])
    applied = recipe.apply(data)
    assert applied.problems == ()
    table = value_mapping(applied, recipe)
    assert [tuple(row) for row in table.itertuples(index=False)] == [
        (2, "area", "a", "R1", 2), (2, "area", "b", "R1", 1), (2, "area", "c", "R2", 1),
    ]  # fmt: skip
    unused = Dataset.from_frame(pd.DataFrame({"area": pd.Categorical(["a"], ["a", "b"], ordered=True)}))
    assert STEP.value_tables(unused, STEP.apply(unused))[0][1]["value"].tolist() == ["a"], "only areas that occur"
    assert table["records"].sum() == data.n_records - applied.effects[1].records_removed
    assert released_csv(applied.released).decode().split() == ["area"] + ["R1"] * 3


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (people().without_columns(["area"]), "no column “area” here: an earlier step dropped it"),
        (people([("Ed", "z", "52"), ("Di", None, "30")]), "No value of “area” is an area of these regions"),
        (people([("Di", None, "30")]), "No value of “area” is an area of these regions"),
        (people(roles={"area": PERSON}), "“area” is what persons are counted by and names no place"),
        (people(roles={"area": WEIGHT}), "“area” is what persons are counted by"),
    ],
)
def test_a_step_that_does_not_fit_says_so_and_changes_nothing(data, sentence):
    with pytest.raises(InputError, match=sentence):
        STEP.apply(data)
    applied = Recipe.of([STEP]).apply(data)
    assert sentence in applied.problems[0] and applied.released.n_records == data.n_records
    assert value_mapping(applied, Recipe.of([STEP])).empty


# ---- JSON ------------------------------------------------------------------------------------------------------------

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=6)


@st.composite
def place_steps(draw: st.DrawFn) -> AggregatePlaces:
    labels = draw(st.lists(TEXTS.filter(str.strip), min_size=1, max_size=4, unique=True))
    ids = draw(st.lists(TEXTS, min_size=len(labels), max_size=9, unique=True))
    shares = np.array_split(np.array([*ids, None], dtype=object)[:-1], len(labels))
    regions = tuple((label, tuple(share.tolist())) for label, share in zip(labels, shares, strict=True))
    return AggregatePlaces(draw(TEXTS), regions, draw(TEXTS))


@given(st.lists(place_steps(), max_size=2))
@settings(max_examples=40)
def test_steps_come_back_from_json(made):
    recipe = Recipe.of(made)
    again = Recipe.from_json(recipe.to_json())
    assert again == recipe and again.key == recipe.key
    assert [step.describe() for step in again.enabled] == [step.describe() for step in made]


GOOD = STEP.to_dict()
ONE = {"label": "R1", "areas": ["a"]}
BAD: dict[str, list[Any]] = {
    "The regions must be a list": [None, "R1", 3, {"R1": ["a"]}, ["R1"], [["R1", ["a"]]], [None]],
    "at least one region": [[]],
    "The label of a region must be text": [[{"areas": ["a"]}], [ONE | {"label": None}], [ONE | {"label": 3}]],
    "A region has no label": [[ONE | {"label": ""}], [ONE | {"label": " \t"}]],
    "a list of at least one area": [[{"label": "R"}], *([ONE | {"areas": x}] for x in (None, "a", [], {"a": 1}, 1))],
    "The id of an area must be text": [[ONE | {"areas": ["b", 3]}], [ONE | {"areas": [None]}]],
    "Two regions have one label": [[ONE, ONE | {"areas": ["b"]}]],
    "An area is named twice": [[ONE, {"label": "R2", "areas": ["b", "a"]}], [ONE | {"areas": ["a", "a"]}]],
    "cannot be written": [[ONE | {"areas": ["\ud800"]}], [ONE | {"label": "\udfff"}]],
}


@pytest.mark.parametrize(("regions", "sentence"), [(x, message) for message, given in BAD.items() for x in given])
def test_a_malformed_step_is_stated_to_be(regions, sentence):
    with pytest.raises(InputError, match=r"^Step 1 of the recipe: .*" + sentence):
        Recipe.from_json(
            json.dumps({"format": "anonscope-recipe", "version": 1, "steps": [GOOD | {"regions": regions}]})
        )


@pytest.mark.parametrize(
    "step", [{"column": None}, {"column": 3}, {"reason": 1}, {"enabled": 1}, {"regions": ...}, {"column": ...}]
)
def test_a_step_that_lacks_a_parameter_is_stated_to_be(step):
    values = {name: value for name, value in (GOOD | step).items() if value is not ...}
    with pytest.raises(InputError, match=r"^Step 1 of the recipe"):
        Recipe.from_json(json.dumps({"format": "anonscope-recipe", "version": 1, "steps": [values]}))
    assert STEP_KINDS["aggregate_places"] is AggregatePlaces


def with_places(recipe: Recipe, steps) -> tuple[Recipe, int]:
    return taken(recipe, steps, steps[0].columns, Scope.REGIONS)


# ---- the numbers of an aggregation -----------------------------------------------------------------------------------

CASES = {
    "records": {},
    "gaps": {"gaps": 0.05},
    "gaps left out": {"gaps": 0.05, "missing": "drop"},
    "weights": {"counting": "n", "gaps": 0.03},
    "persons": {"counting": "who"},
    "persons with gaps": {"counting": "who", "gaps": 0.2},
    "persons with gaps left out": {"counting": "who", "gaps": 0.2, "missing": "drop"},
}


def census(rng: np.random.Generator, n: int, n_areas: int, gaps=0.0, counting="", moves=0.0, missing="category"):
    """Records in areas, of which a twentieth are unknown; persons move between areas only if ``moves``."""
    who = rng.integers(n // 3, size=n) if counting == "who" else np.arange(n)
    home = rng.integers(int(n_areas * 1.05) + 1, size=n)
    moved, away = rng.random(n) < moves, rng.integers(n_areas, size=n)
    cells = {
        "area": [f"A{q if m else home[p]}" for p, m, q in zip(who, moved, away, strict=True)],
        "age": rng.choice(["20", "30", "40", "50"], n, p=[0.5, 0.3, 0.15, 0.05]).tolist(),
        "sex": rng.choice(["F", "M"], n).tolist(),
    }  # fmt: skip
    frame = pd.DataFrame({c: [None if rng.random() < gaps else x for x in xs] for c, xs in cells.items()}, dtype=object)
    if counting:
        frame[counting] = [f"p{i}" for i in who] if counting == "who" else rng.integers(4, size=n).astype(str)
    return people(frame.to_numpy(dtype=object), tuple(frame.columns), missing=missing)


def aggregated(data: Dataset, recipe: Recipe, k: int, rng: np.random.Generator, n_areas=12, names=None) -> Aggregation:
    """As the page does it: from the records that the recipe prepares, by the nearest of a few random sites."""
    where = areas(n_areas, rng)
    records = prepared_for_places(recipe, "area").apply(data).released
    sites = where.points[rng.permutation(n_areas)[: rng.integers(1, n_areas)]]
    return voronoi_regions(AreaClasses.from_records(where, records, "area", names), sites, k)


def check_release(data: Dataset, recipe: Recipe, found: Aggregation) -> None:
    """The records released are those the aggregation counts, and none is in a class below k."""
    made, _ = with_places(recipe, steps_of_aggregation(found))
    applied = made.apply(data)
    assert applied.problems == ()
    names = ["area", *found.area_classes.classes.attributes]
    released = applied.released.with_missing("category").classes(names)
    assert released.counts.min(initial=found.k) >= found.k
    if not found.area_classes.several:
        assert released.n_records == found.measures.n_records - found.measures.left_out
        kept = found.counts.copy()
        kept.data[kept.data < found.k] = 0
        by_region = np.asarray(kept.sum(axis=1)).ravel()
        expected = {name: n for name, n in zip(found.names.tolist(), by_region.tolist(), strict=True) if n}
        assert dict(zip(*released.project(["area"]).to_frame().to_numpy().T, strict=True)) == expected
    assert rows_of(protected(data, recipe, found)) == rows_of(applied.released)
    assert Recipe.from_json(made.to_json()) == made


@pytest.mark.parametrize("moves", [0.0, 0.3])
@pytest.mark.parametrize("case", list(CASES))
def test_the_release_is_what_the_aggregation_reports(case, moves):
    rng = np.random.default_rng(len(case))
    data = census(rng, 600, 12, **CASES[case], moves=moves)
    for k in (1, 3, 8, 10_000):
        for names in (None, ["sex"]):
            check_release(data, Recipe(), aggregated(data, Recipe(), k, rng, names=names))
    kept = [column(data, name) for name in ("age", "sex")]
    ages = Recipe.of([Recode("age", Intervals(20)), Recode("sex", ValueMap((("F", "f"), ("M", "M")), missing="?"))])
    check_release(data, ages, aggregated(data, ages, 4, rng))
    assert kept == [column(data, name) for name in ("age", "sex")]


@given(
    st.integers(0, 2**32 - 1), st.sampled_from(list(CASES)), st.integers(1, 40), st.integers(1, 6), st.integers(1, 5),
    st.floats(0, 1),
)  # fmt: skip
@settings(max_examples=60)
def test_no_class_is_below_k_on_small_files(seed, case, n, n_areas, k, moves):
    rng = np.random.default_rng(seed)
    data = census(rng, n + 3, n_areas + 1, **CASES[case], moves=moves)
    try:
        found = aggregated(data, Recipe(), k, rng, n_areas + 1)
    except InputError:  # nobody is in any of the areas
        return
    check_release(data, Recipe(), found)


def test_regions_without_classes_below_k_need_one_step():
    data = people([("p", "A0", "30"), ("q", "A0", "30"), ("r", "A1", "30")], ("who", "area", "age"))
    where = areas(3, np.random.default_rng(0))
    found = voronoi_regions(AreaClasses.from_records(where, data, "area"), where.points, 1, method="by hand")
    (step,) = steps_of_aggregation(found, "as agreed")
    assert step.column == "area" and step.reason == "as agreed"
    assert sorted(step.regions) == list(step.regions)
    assert {ids for _, ids in step.regions} == {("A0",), ("A1",), ("A2",)}
    two = voronoi_regions(found.area_classes, where.points, 2)
    assert steps_of_aggregation(two)[1] == for_requirements((Requirement(("area", "age"), 2),))
    # Nobody of one area is below k, but who lives in two is known by both.
    both = people([("p", "A0", "30"), ("q", "A0", "30"), ("s", "A0", "30"), ("s", "A1", "30")], ("who", "area", "age"))
    found = voronoi_regions(AreaClasses.from_records(where, both, "area"), where.points, 2)
    assert not found.measures.left_out and len(steps_of_aggregation(found)) == 2
    assert [row[0] for row in rows_of(protected(both, Recipe(), found))] == ["p", "q"]


def test_records_that_a_recipe_cannot_give_are_refused():
    rng = np.random.default_rng(1)
    data = census(rng, 50, 12)
    found = aggregated(data, Recipe(), 2, rng)
    with refused("release-stays"):
        protected(people([("Ed", "z", "52")]), Recipe(), found)


# ---- the recipe that is there already --------------------------------------------------------------------------------

REQUIRED = for_requirements((Requirement(("age",), 2), Requirement(("area", "age"), 5)))
NEW = (STEP, for_requirements((Requirement(("area", "age"), 3),)))
AGES, SEXES = Recode("age", Intervals(10)), Recode("sex", Mask(0))
OTHER_PLACES = AggregatePlaces("work", (("W", ("w",)),))
LOCALLY = GeneralizeLocally((("age", intervals((10,))),), (KAnonymity(columns=("age", "area"), least=2),))
WOMEN = for_requirements((Requirement(("sex",), 2),), (EarlierLDiversity("ill", 2),))


@pytest.mark.parametrize(
    ("before", "after", "gave_way"),
    [
        ([], [*NEW], 0),
        ([AGES], [AGES, *NEW], 0),
        ([Recode("area", Mask(2)), DropColumns(("area",)), REQUIRED, AGES], [AGES, *NEW], 3),
        ([AGES, *NEW, LeaveOut(2)], [AGES, *NEW, LeaveOut(2)], 2),
        ([AGES, LeaveOut(2), WOMEN], [AGES, *NEW, LeaveOut(2), WOMEN], 0),
        ([LeaveOut(2), AGES], [AGES, *NEW, LeaveOut(2)], 0),
        ([DropColumns(("ill", "area"))], [DropColumns(("ill",)), *NEW], 1),
        ([OTHER_PLACES, WOMEN], [OTHER_PLACES, *NEW, WOMEN], 0),
        ([WOMEN, AGES, SEXES, DropColumns(("ill",))], [AGES, *NEW, WOMEN, SEXES, DropColumns(("ill",))], 0),
        ([LOCALLY, AGES, SEXES], [SEXES, *NEW, LOCALLY, AGES], 0),
        ([GeneralizeLocally((("area", Hierarchy((EVERYTHING,))),), LOCALLY.guarantees)], [*NEW], 1),
        ([DropColumns(("name",)), LeaveOut(3)], [DropColumns(("name",)), *NEW, LeaveOut(3)], 0),
    ],
)
def test_the_new_steps_come_after_recodings_and_before_suppression(before, after, gave_way):
    recipe = Recipe.of(before)
    made, n = with_places(recipe, NEW)
    assert (list(made.enabled), n) == (after, gave_way)
    assert with_places(made, NEW)[0] == made, "once more changes nothing"
    counted = prepared_for_places(recipe, "area")
    ahead = after[: after.index(STEP)]
    assert list(counted.enabled) == ahead and prepared_for_places(made, "area") == counted
    assert with_places(made, NEW[:1])[0] == Recipe.of([step for step in after if step != NEW[1]])


def test_steps_switched_off_are_not_counted_and_stay_off():
    recipe = Recipe.of([AGES, LeaveOut(2), SEXES, Recode("area", Mask(1))]).switch(0, False).switch(2, False)
    assert prepared_for_places(recipe, "area") == Recipe()
    made, n = with_places(recipe.switch(3, False), NEW)
    assert n == 1 and made.entries == (
        Entry(AGES, False), Entry(STEP), Entry(NEW[1]), Entry(LeaveOut(2)), Entry(SEXES, False),
    )  # fmt: skip
    dependent = Recipe.of([WOMEN, SEXES]).switch(0, False)
    assert list(prepared_for_places(dependent, "area").enabled) == [SEXES], "a step that is off depends on nothing"


def test_places_are_counted_with_the_coarser_ages_of_the_recipe():
    rng = np.random.default_rng(5)
    data = census(rng, 800, 12)
    recipe = Recipe.of([LeaveOut(2), Recode("age", Intervals(30)), DropColumns(("sex",))])
    found = aggregated(data, recipe, 5, rng)
    assert found.area_classes.classes.attributes == ("age",) and found.area_classes.n_classes == 2
    check_release(data, recipe, found)
