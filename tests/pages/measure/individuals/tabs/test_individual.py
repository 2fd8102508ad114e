"""One individual's story and the way from it, and from the scan, to the recipe; without a browser."""

from __future__ import annotations

import re

import numpy as np
import pytest

import tests.reference.individuals as reference
from anonlib.analyses.individuals import GeneralizationScan, generalization_scan, privacy_profile
from anonlib.analyses.individuals.heatmap import certainty_order
from anonlib.basics import words
from anonlib.coarsening.recoding import DateUnit, Intervals, Mask
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from pages.measure.individuals import picture, results
from pages.measure.individuals.tabs.individual import RECORD
from tests.helpers.app import INDIVIDUALS, App, dataset_of, loaded, sampled, seeded, visits
from tests.helpers.individuals import QI, SCAN, STORY, TABS, Asked, any_known, ask, expected, number

EQUAL, CUTS = "individuals-scan-add-1", "individuals-scan-add-2"
FIVE = b"""person,diagnosis,gender,age
Ann Example,Cancer,Female,50
Bob Example,Cancer,Male,40
Cas Example,Diabetes,Female,40
Dan Example,Cancer,Female,60
Eve Example,Cancer,Male,50
"""


def variables_of(data: Dataset) -> list[str]:
    return [name for name in data.columns if name in (*data.quasi_identifiers, *data.sensitive)]


def rows_of(data: Dataset, names: list[str]) -> list[tuple]:
    """The file's rows as text, None where a cell is missing."""
    frame = data.records[names].astype(object)
    return [tuple(None if cell != cell else cell for cell in row) for row in frame.itertuples(index=False)]


def reports(app: App, record: int) -> App:
    return app.put(**{RECORD: record}).tab(TABS, STORY)


def remedies_of(app: App) -> list:
    return [button for button in app.at.button if (button.key or "").startswith("individuals-remedy")]


def press_remedy(app: App, position: int) -> App:
    remedies_of(app)[position].click()
    return app.run()


def everything_shown(app: App) -> str:
    """All that is on the page: text, labels, options, tables."""
    boxes = [option for box in (*app.at.selectbox, *app.at.multiselect) for option in box.options]
    return "\n".join([*app.rendered_text(), *boxes, *(table.value.to_string() for table in app.at.dataframe)])


@pytest.fixture(scope="module")
def app(file) -> App:
    return loaded(file, page=INDIVIDUALS)


# ---- one individual --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "record"),
    [(Asked(), 1), (Asked(), 77), (Asked(threshold=40, attacker=2), 300), (Asked(threshold=40, attacker=2), 1),
     (Asked("npp", 5), 77), (Asked("poac", 40, 20), 300)],
)  # fmt: skip
def test_a_story_is_what_counting_by_hand_gives(asked, record, app):
    ask(app.put(**{RECORD: record}), asked, STORY)
    data = dataset_of(app)
    names = variables_of(data)
    rows = rows_of(data, names)
    person, n = rows[record - 1], len(names)
    table = app.table("Takes").set_index("Column")
    assert table.index.tolist() == names
    values = [len({row[s] for row in rows}) for s in range(n)]
    for s, name in enumerate(names):
        q = asked.q / 100 / (values[s] - 1)
        sets = list(reference.sets(reference.others(n, s), asked.attacker))
        of = {known: reference.measure(rows, person, s, known, asked.measure, q) for known in sets}
        least = table[next(column for column in table.columns if column.endswith(", least"))]
        if person[s] is None:
            assert least[name] == "n/a", "nothing to infer"
            minimal = []
        else:
            assert number(least[name]) == pytest.approx(float(min(of.values())), rel=6e-3)
            minimal = reference.minimal(sets, lambda known, of=of: of[known] <= reference.exact(asked.p))
        if not minimal:
            assert table.loc[name, "Takes"] == "never" and table.loc[name, "Smallest set that is enough"] == ""
            continue
        fewest = min(map(len, minimal))
        assert table.loc[name, "Takes"] == words.count(fewest, "columns")
        set_shown, _, of_how_many = table.loc[name, "Smallest set that is enough"].partition(" (1 of ")
        assert set_shown in {" + ".join(names[j] for j in known) for known in minimal if len(known) == fewest}
        assert (of_how_many or "1)") == f"{len(minimal)})"

    s = names.index(app.widget("selectbox", "Sensitive column").value)
    peers = reference.peers(rows, person, tuple(reference.others(n, s)))
    others = sum(row[s] != person[s] for row in peers)
    if len(peers) == 1:
        assert "it is **alone**" in app.text
    else:
        assert f"**{words.count(len(peers), 'records')}** look like this one, itself included" in app.text
        assert f"**{others:,}** of them have another value of **{names[s]}**" in app.text
    assert f"Record {record:,}: {names[s]}" in app.text


@pytest.mark.parametrize("record", [1, 2, 150])
def test_the_row_reported_is_that_of_the_file_with_sensitive_values_masked_until_revealed(record, app):
    ask(app.put(**{RECORD: record}), Asked(), STORY)
    data = dataset_of(app)
    for reveal in (False, True):
        if app.widget("toggle", "Show sensitive values").value != reveal:
            app.choose("toggle", "Show sensitive values", reveal)
        table = app.table("Takes").set_index("Column")
        for name in variables_of(data):
            cell = data.records[name].iloc[record - 1]
            shown = table.loc[name, "Value"]
            if data.roles[name] == Role.SENSITIVE and not reveal:
                assert shown == "•••" and str(cell) not in everything_shown(app)
            elif cell == cell:
                assert shown == cell
            else:
                assert "missing" in shown.lower()
    app.set("toggle", "Show sensitive values", False)


def test_identifiers_and_person_ids_are_nowhere_on_the_page():
    data = FIVE.replace(b"person,", b"name,").replace(b"\n", b",\n").replace(b"age,", b"age,pid").decode()
    lines = data.strip().splitlines()
    text = "\n".join([lines[0], *(f"{line}P-77{i}" for i, line in enumerate(lines[1:]))]) + "\n"
    roles = {"name": Role.IDENTIFIER, "pid": Role.PERSON_ID, "diagnosis": Role.SENSITIVE, "gender": QI, "age": QI}
    app = seeded(text.encode(), page=INDIVIDUALS, roles=roles)
    for tab in ("Columns", "What each column adds", SCAN, STORY, "Smallest sets", "How it works"):
        if tab != "Columns":  # which is open
            app.tab(TABS, tab)
        for record in range(1, 6) if tab == STORY else ():
            app.set("number_input", "Record", record).choose("toggle", "Show sensitive values", True)
            assert "Example" not in everything_shown(app) and "P-77" not in everything_shown(app)
        shown = everything_shown(app).replace("Examples 2 and 3", "")  # of the paper, in its errata
        assert "Example" not in shown and "P-77" not in shown


def test_the_first_story_is_of_whom_most_is_certain(file):
    app = loaded(file, page=INDIVIDUALS, tab=(TABS, STORY))
    data = dataset_of(app)
    found = expected(data, Asked())
    first = app.widget("number_input", "Record").value
    classes = data.classes(list(found.variables))
    row = int(np.repeat(np.arange(classes.n_classes), classes.counts).searchsorted(classes.class_of_record[first - 1]))
    best = certainty_order(found.values, found.certain)[0]
    assert found.certain[row].sum() == found.certain[best].sum()


@pytest.mark.parametrize("missing", ["category", "drop"])
def test_every_place_of_the_picture_is_the_record_of_one_individual(missing, file):
    data = dataset_of(seeded(file, missing=missing))
    names = tuple(variables_of(data))
    classes = data.classes(list(names))
    profile = privacy_profile(classes)
    certain = profile.values <= 0
    order = certainty_order(profile.values, certain)
    found = results.IndividualsAnswer(
        names, profile.values, certain, profile.certainly_missing(0.0), profile.without_peers, profile.people, order,
        "PPP", 1.0, 4, profile,
    )  # fmt: skip
    records = [results.record_at(classes, found, place) for place in range(classes.n_records)]
    assert len(set(records)) == classes.n_records, "each record once"
    assert (classes.class_of_record[records] >= 0).all()
    ordered = found.people.by_record(found.certain.astype(float))[records]
    expected_order = np.repeat(found.certain[found.order], found.people.counts[found.order], axis=0)
    np.testing.assert_array_equal(ordered, expected_order)


def test_a_record_left_out_for_a_missing_value_is_stated_to_be(file):
    app = seeded(file, page=INDIVIDUALS, missing="drop")
    ages = dataset_of(app).records["age"]
    reports(app, int(np.flatnonzero(ages.isna())[0]) + 1)
    assert "This record is left out: a value is missing" in app.text and not remedies_of(app)
    assert not any("Takes" in table.value.columns for table in app.at.dataframe)
    reports(app, int(np.flatnonzero(ages.notna())[0]) + 1)
    assert "left out: a value" not in app.text


def test_a_record_that_stands_for_nobody_is_not_stated_to_lack_a_value():
    rows = "".join(f"{30 + i % 3},{'FM'[i % 2]},{'xyz'[i % 3]},{i % 4}\n" for i in range(40))
    roles = {"age": QI, "sex": QI, "illness": Role.SENSITIVE, "people": Role.WEIGHT}
    app = seeded(("age,sex,illness,people\n" + rows).encode(), page=INDIVIDUALS, roles=roles)
    reports(app, 1)
    assert "left out" in app.text and "a value is missing" not in app.text
    reports(app, 2)
    assert "look like this one" in app.text


# ---- remedies --------------------------------------------------------------------------------------------------------


def with_remedies(app: App, coarser: bool) -> tuple[int, int]:
    """A record that can be protected by a coarser column (or by dropping one), and the position of the button."""
    for record in range(1, 200):
        reports(app, record)
        for i, button in enumerate(remedies_of(app)):
            if button.label.startswith("Recode" if coarser else "Drop"):
                return record, i
    raise AssertionError("nobody can be protected by a single change")


@pytest.mark.parametrize(
    ("coarser", "asked"), [(True, Asked()), (False, Asked()), (False, Asked("npp", 1, attacker=2))]
)
def test_a_remedy_adds_its_step_and_the_record_is_then_protected(coarser, asked, file):
    app = ask(loaded(file, page=INDIVIDUALS), asked)
    record, position = with_remedies(app, coarser)
    focus = app.widget("selectbox", "Sensitive column").value
    assert expected(dataset_of(app), asked).variables
    label = remedies_of(app)[position].label
    press_remedy(app, position)
    (entry,) = app.session.recipe.entries
    assert isinstance(entry.step, Recode if coarser else DropColumns) and entry.step.reason == f"protects {focus}"
    name = entry.step.column if coarser else entry.step.columns[0]
    assert name in label.replace("\\", "") and f"In the recipe: {entry.step.describe()}" in app.text.replace("\\", "")
    assert app.widget("segmented_control", "Look at").value == "Release"

    released = app.session.recipe.apply(dataset_of(app)).released
    names = variables_of(released)
    rows = rows_of(released, names)
    s = names.index(focus)
    for known in reference.sets(reference.others(len(names), s), asked.attacker):
        assert reference.measure(rows, rows[record - 1], s, known, asked.measure) > reference.exact(asked.p)
    reports(app, record)
    assert "it is **protected**" in app.text and not remedies_of(app)


@pytest.mark.parametrize("coarser", [True, False])
def test_a_remedy_stands_before_the_suppression(coarser):
    app = seeded(visits(60), page=INDIVIDUALS, recipe=Recipe.of([LeaveOut(2)]))
    app.choose("segmented_control", "Look at", "Original")
    press_remedy(app, with_remedies(app, coarser)[1])
    assert [step.kind for step in app.session.recipe.enabled] == ["recode" if coarser else "drop_columns", "leave_out"]


def test_the_same_remedy_twice_is_one_step(file):
    app = loaded(file, page=INDIVIDUALS)
    record, position = with_remedies(app, coarser=False)
    press_remedy(app, position)
    reports(app.set("segmented_control", "Look at", "Original"), record)
    press_remedy(app, position)
    assert app.session.recipe.apply(dataset_of(app)).problems == ()
    assert len(app.session.recipe.entries) == 1


def test_a_protected_record_needs_no_remedy_and_says_so():
    app = reports(seeded(FIVE, page=INDIVIDUALS, roles={"diagnosis": Role.SENSITIVE, "gender": QI}), 1)
    assert "No set of known columns makes it certain (PPP 0): it is **protected**." in app.text and not remedies_of(app)


def test_a_record_that_no_single_change_protects_is_sent_to_the_recipe():
    rows = b"a,b,ill\n" + b"x,x,flu\n" * 4 + b"y,y,none\n" * 4
    app = reports(seeded(rows, page=INDIVIDUALS, roles={"a": QI, "b": QI, "ill": Role.SENSITIVE}), 1)
    assert "No change of a single column would protect it" in app.text and not remedies_of(app)


def test_a_release_with_fewer_records_has_stories_of_its_own_records(file):
    app = loaded(file, page=INDIVIDUALS)
    reports(app, 300)
    app.session.recipe = Recipe.of([Recode("age", Intervals(30)), DropColumns(("visit_date",)), LeaveOut(5)])
    app.run()
    released = app.session.recipe.apply(dataset_of(app)).released
    record = app.widget("number_input", "Record")
    assert record.value <= record.max == released.n_records < 300 and not app.errors, "one that is not there gives way"
    reports(app, released.n_records)
    assert app.table("Takes").set_index("Column").loc["age", "Value"] == released.records["age"].iloc[-1]


# ---- scan and recipe -------------------------------------------------------------------------------------------------


def scanned(app: App, data: Dataset) -> GeneralizationScan:
    focus = app.widget("selectbox", "Sensitive column").value
    width = app.widget("slider", "Widest category").value
    attribute = app.widget("selectbox", "Column to make coarser").value
    return generalization_scan(data.classes(variables_of(data)), focus, attribute, max_width=width)


def best_of_equal_widths(found: GeneralizationScan) -> int:
    """Most protected, then most categories, then the narrowest."""
    each = zip(-found.protected, -found.categories, found.widths, range(len(found.widths)), strict=True)
    return min(each)[-1]


@pytest.mark.parametrize("width", [1.0, 7.0, 60.0])
@pytest.mark.parametrize("focus", ["diagnosis", "sex"])
def test_the_scan_says_what_the_library_finds(width, focus, app):
    ask(app.set("selectbox", "Sensitive column", focus), Asked(), SCAN)
    app.choose("slider", "Widest category", width)
    data = dataset_of(app)
    found = scanned(app, data)
    n = data.n_records
    assert f"**{words.share(found.baseline, n, 'records')}** are protected" in app.text
    assert f"**{words.share(found.ceiling, n)}**: no partition can do better" in app.text
    best = found.partition(best_of_equal_widths(found))
    for title, partition in (("Best of equal widths", best), ("Best cuts", found.optimum)):
        assert (
            f"**{title}**: {words.count(partition.categories, 'categories')}, the widest {partition.widest:g}: "
            f"**{words.share(partition.protected, n)}** protected." in app.text
        )
    assert best.widest <= width and found.optimum.protected >= best.protected
    app.choose("selectbox", "Sensitive column", "diagnosis")


@pytest.mark.parametrize("asked", [Asked(), Asked("npp", 2, attacker=3), Asked("poac", 30), Asked(attacker="all"),
                                   Asked(attacker="chance", chance=30)])  # fmt: skip
def test_what_is_added_to_the_recipe_is_shown_original_and_now(asked, file):
    app = loaded(file, page=INDIVIDUALS, tab=(TABS, SCAN)).choose("slider", "Widest category", 20.0)
    data = dataset_of(app)
    found = scanned(app, data)
    ask(app.press(EQUAL), asked)
    (entry,) = app.session.recipe.entries
    assert entry.step == Recode("age", found.partition(best_of_equal_widths(found)).recoding, "protects diagnosis")
    released = app.session.recipe.apply(data).released
    before, now = (expected(version, asked) for version in (data, released))
    for look in ("Release", "Original"):
        if app.widget("segmented_control", "Look at").value != look:
            app.choose("segmented_control", "Look at", look)
        both = [words.percent(version.of("diagnosis").mean()) for version in (before, now)]
        assert app.metric("Certain in diagnosis") == words.change(*both)
    sentence = re.search(r"\*\*([\d.]+% \(\d+ of 300 records\))\*\*", app.text)
    assert sentence and sentence[1] == words.share(int(before.of("diagnosis").sum()), 300, "records")
    if asked == Asked():
        assert now.of("diagnosis").sum() == 300 - found.protected[best_of_equal_widths(found)] < 300


@pytest.mark.parametrize("asked", [Asked("npp", 2), Asked("poac", 30, 10), Asked("poac")], ids=str)
def test_for_another_measure_the_scan_is_of_who_can_be_certain(asked, file):
    """As it says: PPP above 0. A threshold of peers, or of PoAC, is none of PPP."""
    app = ask(loaded(file, page=INDIVIDUALS), asked, SCAN)
    assert "The scan is of who can be certain (PPP)" in app.text and not app.errors
    assert "Protected: more than 0% of the peers have another value (PPP)" in app.text and app.has_button(EQUAL)
    found = scanned(app, dataset_of(app))
    assert f"**{words.share(found.baseline, 300, 'records')}** are protected" in app.text


@pytest.mark.parametrize("alone", [["street"], ["street", "town"]])
def test_where_no_partition_protects_anybody_more_none_is_offered(alone):
    """Who is alone in another column stays so whatever becomes of the age."""
    rows = [f"{30 + i % 4},{'FM'[i % 2]},{'abc'[i // 4 % 3]},{','.join(f'{name} {i}' for name in alone)}"
            for i in range(24)]  # fmt: skip
    data = "\n".join([f"age,sex,ill,{','.join(alone)}", *rows]).encode()
    roles = dict.fromkeys(("age", "sex", *alone), QI) | {"ill": Role.SENSITIVE}
    app = seeded(data, page=INDIVIDUALS, roles=roles, tab=(TABS, SCAN))
    app.choose("slider", "Widest category", 3.0)
    found = scanned(app, dataset_of(app))
    assert found.protected.max() == found.optimum.protected == found.baseline == found.ceiling == 0
    assert not [button for button in app.at.button if (button.key or "").startswith("individuals-scan-add")]
    assert "**No partition protects more records** than **age** as it is. Nor would dropping it." in app.text
    other = "Of the other columns **street** gives most away: were it unknown, **24** more records would be safe"
    assert (other in app.text) == (len(alone) == 1)
    assert ("No other column does it alone either" in app.text) == (len(alone) == 2)
    assert ("**street** is enough to know for most: **24**." in app.text) == (len(alone) == 2)
    assert "Find the least generalization" in app.rendered_text()
    app.choose("multiselect", "Columns", ["age", "sex", "ill"])
    assert "Everybody is protected already" in app.text and not app.has_button(EQUAL) and not app.has_button(CUTS)


def test_another_partition_of_the_same_column_replaces_the_one_that_is_there(file):
    app = loaded(file, page=INDIVIDUALS, tab=(TABS, SCAN))
    found = scanned(app, dataset_of(app))
    app.press(EQUAL).set("segmented_control", "Look at", "Original").tab(TABS, SCAN)
    app.choose("selectbox", "Column to make coarser", "age").press(CUTS)
    (entry,) = app.session.recipe.entries
    assert entry.step.recoding == found.optimum.recoding and entry.enabled


def test_steps_of_other_columns_and_steps_switched_off_are_left_alone(file):
    mine, other = Recode("age", Intervals(50), "mine"), DropColumns(("zip",))
    app = seeded(file, page=INDIVIDUALS, recipe=Recipe.of([mine, other]).switch(0, False))
    app.set("segmented_control", "Look at", "Original").tab(TABS, SCAN)
    app.choose("selectbox", "Column to make coarser", "age")
    found = scanned(app, dataset_of(app))
    app.press(CUTS)
    kept, dropped, added = app.session.recipe.entries
    assert (kept.step, kept.enabled) == (mine, False) and dropped.step == other and dropped.enabled
    assert added.step.recoding == found.optimum.recoding and added.enabled


def test_a_coarser_column_comes_before_the_suppression_that_is_there():
    """Behind it, ages in intervals of 20 years keep 2,212 of the 5,000 admissions; before it, 4,784."""
    zips, years, small = Recode("zip", Mask(3)), Recode("admission_date", DateUnit("year")), LeaveOut(5)
    app = sampled("admissions", INDIVIDUALS, recipe=Recipe.of([zips, years, small]), settings=any_known())
    app.set("segmented_control", "Look at", "Original").tab(TABS, SCAN)
    app.choose("selectbox", "Column to make coarser", "age").choose("slider", "Widest category", 20.0).press(EQUAL)
    *before, age, last = app.session.recipe.enabled
    assert before == [zips, years] and last == small
    assert age.column == "age" and age.recoding == Intervals(19.0, start=2.0)
    data = dataset_of(app)
    assert app.session.recipe.apply(data).released.n_records == 4748
    assert Recipe.of([zips, years, small, age]).apply(data).released.n_records == 2212


def test_a_sensitive_column_that_the_release_lacks_is_stated_to_be_dropped():
    app = sampled("admissions", INDIVIDUALS)
    data = dataset_of(app)
    app.session.recipe = Recipe.of([DropColumns(tuple(data.sensitive))])
    app.run().choose("segmented_control", "Look at", "Original")
    focus = app.widget("selectbox", "Sensitive column").value
    assert app.metric(f"Certain in {focus}").endswith("→ dropped")
    anywhere = app.metric("Certain in any sensitive column")
    before = expected(data, Asked(attacker=app.widget("selectbox", "The attacker knows").value))
    share = words.percent(np.any([before.of(name) for name in data.sensitive], axis=0).mean())
    assert anywhere.startswith(f"{share} → ") and anywhere.split("→ ")[1] in ("0%", "dropped", "none"), anywhere


@pytest.mark.parametrize(
    ("box", "chosen"),
    [((10.4, 20.6), (10, 21)), ((20.6, 10.4), (10, 21)), ((-5.0, 3.0), (1, 3)), ((90.2, 400.0), (90, 100)),
     ((7.1, 7.2), (7, 7))],
)  # fmt: skip
def test_a_box_drawn_is_a_range_of_individuals(box, chosen):
    assert picture.selected_range([{"x": list(box), "y": [0, 3]}], 100) == chosen
    assert picture.selected_range([], 100) is None
