"""The Leakage page without a browser: its figures are the library's, for samples, releases and odd data."""

from __future__ import annotations

from math import log2
from types import SimpleNamespace

import pandas as pd
import pytest

from anonlib.analyses.leakage import LeakageTable, alerts_in, information_loss
from anonlib.basics import words
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import Intervals, Mask
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.filing.project import Variant
from anonlib.reading.samples import SAMPLES
from anonlib.release.covering import covered_classes
from anonlib.release.recipe import Recipe
from anonlib.release.safe_harbor import with_safe_harbor
from anonlib.release.steps import DropColumns, GeneralizeLocally, LeaveOut, Recode
from anonlib.verdict.criteria.aim import Then
from tests.helpers.app import EXPLAINED, LEAKAGE, LEAKAGE_TABS, RISK, TRY, App, dataset_of, loaded, sampled, seeded
from tests.helpers.hostile import HOSTILE, MARK, check_text, hostile_file
from ui.session import proposed
from ui.session.releases import FilesBeside
from ui.text import plain

TABS = "leakage-tabs"
QUASI, SENSITIVE = "quasi_identifier", "sensitive"
BASIC = {"age": QUASI, "sex": QUASI, "ill": SENSITIVE}
ROWS = [f"{30 + i % 7},{'FM'[i % 2]},{'xyz'[i % 3]},{i // 2},{i % 4}" for i in range(60)]
VISITS = ("age,sex,ill,who,people\n" + "\n".join(ROWS) + "\n").encode()

FILES: dict[str, tuple[bytes, dict[str, str]]] = {
    "persons": (VISITS, BASIC | {"who": "person_id"}),
    "weights": (VISITS, BASIC | {"people": "weight"}),
    "one column": (VISITS, {"age": QUASI}),
    "missing": (b"age,sex,ill\n30,F,x\n,F,y\n31,,x\n,,\n30,M,\n32,F,y\n" * 4, BASIC),
    "all missing": (b"age,sex,ill,n\n" + b",,,1\n" * 6 + b"3,,,1\n", BASIC),
    "all equal": (b"age,sex,ill\n" + b"30,F,x\n" * 20, BASIC),
    "one record": (b"age,sex,ill\n30,F,x\n", BASIC),
    "two records": (b"age,sex,ill\n30,F,x\n31,M,y\n", BASIC),
}


def opened(name: str) -> App:
    data, roles = FILES[name]
    return seeded(data, page=LEAKAGE, roles=roles)


def every_tab(app: App) -> None:
    for tab in app.each_tab(TABS, LEAKAGE_TABS):
        assert not app.errors, (tab, app.errors)


def measured(app: App, data=None, size: int = 3, k: int = 5) -> LeakageTable:
    """What the library says of the same columns."""
    data = data or dataset_of(app)
    names = [name for name in data.columns if name in (*data.quasi_identifiers, *data.sensitive)]
    return information_loss(data.classes(names), max_size=min(size, len(names)), k=k)


def released(app: App):
    return app.session.recipe.apply(dataset_of(app)).released


def leakiest(table: LeakageTable) -> int:
    singles = table.at_most(1)
    return table.place(singles.sets[singles.ranked()[0]])


def check_metrics(app: App, before: LeakageTable, after: LeakageTable | None = None, **limits) -> None:
    """The row of figures, with limits of the sliders: 50%, 90% and 5 unless said."""
    asked = {"average": 0.5, "worst": 0.9, "smallest": 5} | limits
    shown = after if after is not None and app.widget("segmented_control", "Look at").value == "Release" else before
    (name,) = shown.sets[leakiest(shown)]
    assert app.at.metric[0].label.replace("\\", "") == f"Leakiest: {name}", "of what is shown"
    tables = [before] if after is None else [before, after]
    there = [name in table.attributes for table in tables]
    for label, values in (("Leakiest", "normalized"), ("Worst person’s loss", "worst_normalized")):
        message = [
            words.percent(getattr(table, values)[table.place([name])]) if has else "dropped"
            for table, has in zip(tables, there, strict=True)
        ]
        assert app.metric(label) == words.change(message[0], message[-1])
    sets = [{frozenset(one.attributes) for one in alerts_in(table, **asked).alerts} for table in tables]
    if not app.session.recipe.enabled:
        assert app.metric("Alerts") == f"{len(sets[0]):,}"
        return
    now = sets[1] if after is not None else set()
    assert app.metric("Alerts that remain") == f"{len(sets[0] & now):,} of {len(sets[0]):,}"
    assert app.metric("Other alerts") == f"{len(now - sets[0]):,}"


# ---- the way in ------------------------------------------------------------------------------------------------------


def test_the_sample_says_something_at_once():
    app = App(LEAKAGE).press(TRY)
    table = measured(app)
    check_metrics(app, table)
    assert app.at.metric[0].label == "Leakiest: admission_date" and table.n_records == 4_600
    assert "it narrows 4,600 persons down to about" in app.text and "combinations of columns are past" in app.text
    together = information_loss(dataset_of(app).classes(), [dataset_of(app).quasi_identifiers])
    assert app.metric("All quasi-identifiers") == words.percent(together.normalized[0])
    every_tab(app)
    assert not app.tab(TABS, EXPLAINED).errors


def test_without_quasi_identifiers_there_is_a_way_to_them(file):
    app = App(LEAKAGE, file)
    assert "No quasi-identifiers are chosen" in app.text and not app.at.metric
    app.press("Accept suggested roles")
    check_metrics(app, measured(app))


@pytest.mark.parametrize("sample", [one for one in SAMPLES if one.key != "admissions"], ids=lambda one: one.key)
def test_every_sample_opens(sample):
    """In a tab that is another for each; in the first all are seen by the tests of all pages."""
    app = sampled(sample.key, LEAKAGE, (TABS, LEAKAGE_TABS[SAMPLES.index(sample) % 4]))
    if app.at.metric:
        assert not app.errors
    else:
        assert "No quasi-identifiers" in app.text


def test_table_2_is_on_the_page():
    app = sampled("weight_loss", LEAKAGE, (TABS, "Combinations"))
    shown = app.table("Average, %").set_index("Columns known")
    printed = {"sex": 16.8, "alcohol_consumption": 31.5, "age": 60.2, "zip": 46.7, "weight": 38.0, "race": 42.7}
    assert {name: shown.loc[name, "Average, %"] for name in printed} == printed
    assert shown.loc["alcohol_consumption + age + zip", "Average, %"] == 72.4
    assert shown.index[0] == "alcohol_consumption + age + zip", "ranked"


# ---- controls --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def app(file) -> App:
    return loaded(file, page=LEAKAGE)


def test_limits_make_the_alerts(app):
    for average, worst, smallest in ((100, 100, 1), (20, 100, 1), (100, 60, 1), (100, 100, 8), (0, 0, 50)):
        app.widget("slider", "Average above").set_value(average)
        app.widget("slider", "Worst above").set_value(worst)
        app.choose("slider", "Classes below", smallest)
        table = measured(app, k=smallest)
        found = alerts_in(table, average=average / 100, worst=worst / 100, smallest=smallest)
        assert app.metric("Alerts") == f"{len(found.alerts)}"
        if not found.alerts:
            assert "No combination of up to 3 columns is past a limit" in app.text
            assert "all three are switched off" in app.text
            continue
        shown = app.table("Why it is an alert")
        assert shown["Columns known"].tolist() == [" + ".join(one.attributes) for one in found.alerts]
        for alert, why in zip(found.alerts, shown["Why it is an alert"], strict=True):
            assert ("average" in alert.reasons) == ("on average" in why)
            assert ("smallest" in alert.reasons) == (f"{alert.below_k} in classes below {smallest}" in why)
            assert ("worst" in alert.reasons) <= ("alone" in why or "orst " in why)
    app.set("slider", "Average above", 50).set("slider", "Worst above", 90).choose("slider", "Classes below", 5)


def test_combinations_of_the_size_asked_for_are_ranked(app):
    for size in (1, 2, 4):
        app.set("selectbox", "Combined", size).tab(TABS, "Combinations")
        table = measured(app, size=size)
        shown = app.table("Average, bits")
        order = table.ranked()
        assert shown["Columns known"].tolist() == [" + ".join(table.sets[i]) for i in order]
        assert shown["Average, bits"].tolist() == [round(one, 3) for one in table.loss[order].tolist()]
        assert shown["Below 5"].tolist() == table.below_k[order].tolist()
        if size == 1:
            assert "Set **Combined** to 2 or more" in app.tab(TABS, "Pairs").text
    app.choose("selectbox", "Combined", 3)


def test_a_column_in_words(app):
    table = measured(app)
    for name in ("sex", "visit_date"):
        app.choose("selectbox", "Column in words", name)
        i = table.place([name])
        assert f"**{words.percent(table.normalized[i])}** of what it takes to name someone" in app.text
        pairs = [j for j in table.ranked() if len(table.sets[j]) == 2 and name in table.sets[j]]
        assert f"gives away most: **{words.percent(table.normalized[pairs[0]])}**" in app.text
        alone = "is alone with their value" if table.smallest[i] == 1 else f"with {table.smallest[i] - 1:,} other"
        assert alone in app.text
    assert words.share(int(table.below_k[i]), table.n_records) in app.text


def test_k_of_the_risk_page_is_where_small_groups_begin(file):
    app = seeded(file, page=LEAKAGE, k=11)
    assert app.widget("slider", "Classes below").value == 11
    check_metrics(app, measured(app, k=11), smallest=11)


def test_other_columns_can_be_looked_at_and_settings_stay(file):
    app = loaded(file, page=LEAKAGE)
    chosen = app.widget("multiselect", "Columns looked at")
    assert chosen.value == ["age", "sex", "zip", "visit_date", "diagnosis"]
    assert "full_name" not in chosen.options and "notes" in chosen.options
    app.set("multiselect", "Columns looked at", ["notes", "sex"]).choose("slider", "Average above", 33)
    app.open(RISK).open(LEAKAGE)
    assert app.widget("multiselect", "Columns looked at").value == ["notes", "sex"]
    assert app.widget("slider", "Average above").value == 33
    assert app.at.metric[0].label in ("Leakiest: notes", "Leakiest: sex")
    app.choose("multiselect", "Columns looked at", [])
    assert any("at least one column" in info.value for info in app.at.info) and not app.errors


def test_what_takes_long_waits_for_a_button(file, monkeypatch):
    monkeypatch.setattr("pages.measure.leakage.results.AT_ONCE", 0.0)
    app = loaded(file, page=LEAKAGE)
    assert app.has_button("Start") and "every combination of up to 3 columns takes" in app.text
    check_metrics(app, measured(app, size=1))
    app.press("Start")
    assert not app.has_button("Start") and not app.has_button("Go on")
    check_metrics(app, measured(app))


# ---- before and after ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "steps",
    [[Recode("age", Intervals(20)), DropColumns(("zip",)), LeaveOut(2)], [Recode("age", Intervals(500))],
     [DropColumns(("age", "sex", "zip", "visit_date"))],
     [Recode("age", Intervals(30)), DropColumns(("visit_date",)), LeaveOut(2)]],
    ids=["coarser, dropped and suppressed", "one value left", "one column left", "the leakiest dropped"],
)  # fmt: skip
def test_a_release_is_compared_with_the_original(steps, file):
    app = seeded(file, page=LEAKAGE, recipe=Recipe.of(steps))
    assert app.widget("segmented_control", "Look at").value == "Release"
    before, after = measured(app), measured(app, released(app))
    check_metrics(app, before, after)
    assert app.widget("selectbox", "Column in words").value == after.sets[leakiest(after)][0]
    gone = alerts_in(after, average=0.5, worst=0.9, smallest=5).utility_gone
    assert ("Utility gone" in app.text) == bool(gone)
    assert not app.tab(TABS, ("Pairs", "Combinations")[len(steps) % 2]).errors
    app.tab(TABS, "Original and release")
    shown = app.table("Average before, %").set_index("Columns known")
    for (name,) in (names for names in before.sets if len(names) == 1):
        row = shown.loc[name]
        assert row["Average before, %"] == round(100 * before.normalized[before.place([name])], 1)
        there = name in after.attributes
        share = after.normalized[after.place([name])] if there else 0.0
        assert row["average after, %"] == round(100 * share, 1)
        assert row["Outcome now"] == ("dropped" if not there else "utility gone" if share == 0 else "")
    app.choose("segmented_control", "Compare", "Combinations")
    assert not app.errors and " + " in app.table("Average before, %")["Columns known"].iloc[0]
    app.choose("segmented_control", "Look at", "Original")
    check_metrics(app, before, after)


def test_alerts_of_original_and_release_are_compared_set_by_set(file):
    """Bands of ages: age alone is past no limit any more, and combinations that it stood for are named in its place."""
    app = seeded(file, page=LEAKAGE, recipe=Recipe.of([Recode("age", Intervals(20)), Recode("visit_date", Mask(7))]))
    before, after = (
        {frozenset(one.attributes) for one in alerts_in(table, average=0.5, worst=0.9, smallest=5).alerts}
        for table in (measured(app), measured(app, released(app)))
    )
    gone, others = before - after, after - before
    assert gone and others and len(after) >= len(before), "more alerts, of fewer sets past a limit"
    assert all(any(one < other for one in gone) for other in others)
    sentence = f"in the original {len(before & after):,} remain" if before & after else "in the original are gone"
    assert sentence in app.text and f"{len(others)} others appear, which contain one that is gone" in app.text
    assert not [metric.value for metric in app.at.metric if metric.label == "Alerts"], "no number beside another"
    shown = app.table("In the original").set_index("Columns known")["In the original"].to_dict()
    assert {name for name, was in shown.items() if was == "past a limit too"} == {
        name for name in shown if frozenset(name.split(" + ")) in others
    }
    app.tab(TABS, "Original and release").choose("segmented_control", "Compare", "Alerts")
    both = app.table("In the release")
    assert set(both["Columns known"].map(lambda name: frozenset(name.split(" + ")))) == before | after
    assert (both["In the release"] == "gone").sum() == len(gone) and sentence in app.text
    app.choose("segmented_control", "Look at", "Original").tab(TABS, "Alerts")
    assert (app.table("In the release")["In the release"] == "gone").sum() == len(gone)


def test_the_release_opens_on_what_it_still_gives_away(file):
    app = loaded(file, page=LEAKAGE)
    (name,) = (before := measured(app)).sets[leakiest(before)]
    assert app.widget("selectbox", "Column in words").value == name
    app.session.recipe = Recipe.of([Recode(name, Mask(0))])
    app.open(RISK).open(LEAKAGE)
    after = measured(app, released(app))
    (now,) = after.sets[leakiest(after)]
    assert after.loss[after.place([name])] == 0 and now != name
    assert app.widget("selectbox", "Column in words").value == now and "says nothing" not in app.text
    check_metrics(app, before, after)
    assert f"The leakiest in the original is {plain(name)}." in app.at.metric[0].help
    app.choose("selectbox", "Column in words", name)
    assert "says nothing: all have the same value" in app.text
    app.open(RISK).open(LEAKAGE)
    assert app.widget("selectbox", "Column in words").value == name, "the choice stays"


@pytest.mark.parametrize(
    "step", [LeaveOut(1_000), DropColumns(("age", "sex", "zip", "visit_date", "diagnosis"))], ids=["nobody", "nothing"]
)
def test_a_release_of_nothing_is_stated_and_the_original_is_still_there(step, file):
    app = seeded(file, page=LEAKAGE, recipe=Recipe.of([step]))
    assert any("nothing is left to leak" in info.value for info in app.at.info) and not app.errors
    app.choose("segmented_control", "Look at", "Original")
    check_metrics(app, measured(app))
    assert app.metric("All quasi-identifiers").endswith("→ none left")
    for tab in ("Pairs" if isinstance(step, LeaveOut) else "Combinations", "Original and release"):
        assert not app.tab(TABS, tab).errors


# ---- a second release ------------------------------------------------------------------------------------------------


SECOND = "Beside it a second release"


def offered(app: App, title: str) -> str:
    """The option of a second release with a title."""
    return next(key for key in app.widget("selectbox", SECOND).options if key.startswith(title))


def check_second(app: App, before: LeakageTable, after: LeakageTable | None, second: LeakageTable) -> None:
    shown = app.table("average second, %").set_index("Columns known")
    for (name,) in (names for names in before.sets if len(names) == 1):
        row = shown.loc[name]
        for when, table in (("before", before), ("after", after), ("second", second)):
            if table is None:
                assert "average after, %" not in shown
                continue
            there = name in table.attributes
            of_it = table.place([name]) if there else 0
            measure = "Average" if when == "before" else "average"
            assert row[f"{measure} {when}, %"] == (round(100 * table.normalized[of_it], 1) if there else 0)
            if there:
                assert row[f"{'Below' if when == 'before' else 'below'} 5 {when}"] == table.below_k[of_it]


def test_a_version_that_was_kept_is_held_beside_the_release(file):
    """Of mixed coarseness: by what its labels cover, whatever the present release is."""
    data = dataset_of(seeded(file, page=LEAKAGE))
    ladders = {"age": Hierarchy((Intervals(5), Intervals(20), EVERYTHING)), "sex": Hierarchy((EVERYTHING,))}
    parts = GeneralizeLocally(tuple(ladders.items()), (KAnonymity(columns=("age", "sex"), least=20),))
    kept = Recipe.of([parts])
    app = seeded(
        file, page=LEAKAGE, recipe=Recipe.of([Recode("age", Intervals(20))]), tab=(TABS, "Original and release")
    )
    app.session.variants = (Variant("By parts", kept),)
    app.run().choose("selectbox", SECOND, offered(app, "By parts"))
    names = [name for name in data.columns if name in (*data.quasi_identifiers, *data.sensitive)]
    covered = covered_classes(kept.apply(data), kept, names)
    assert set(covered.by_covering) == {"age", "sex"}
    second = information_loss(covered.classes, max_size=3, k=5)
    check_second(app, measured(app), measured(app, released(app)), second)
    assert (
        "labels of several levels stand side by side" in app.text and "On average **By parts** gives away" in app.text
    )
    app.choose("segmented_control", "Compare", "Combinations")
    assert " + " in app.table("average second, %")["Columns known"].iloc[0] and not app.errors


def test_a_proposal_of_the_verdict_and_an_earlier_release_are_offered(file, monkeypatch):
    """As far as proposals were made there; an earlier release by its own steps."""
    app = seeded(file, page=LEAKAGE, tab=(TABS, "Original and release"))
    held, recipe = app.session.loaded, Recipe.of([Recode("age", Intervals(20))])
    data = held.dataset(held.records(), app.session.missing).with_roles(app.session.roles)
    proposal = Recipe.of([DropColumns(("zip",))])
    offers = [SimpleNamespace(title="Mixed coarseness", proposal=proposal)]
    monkeypatch.setattr(proposed, "made", lambda data: SimpleNamespace(offers=offers))
    monkeypatch.setattr(proposed, "recipe_with", lambda steps, data: steps)
    app.session.aim = app.session.aim.having_released(recipe, data.digest, Then.of_data(data))
    app.run()
    for title, steps in (("Proposal: Mixed coarseness", proposal), ("Earlier release 1 (1 step)", recipe)):
        app.choose("selectbox", SECOND, offered(app, title))
        check_second(app, measured(app), None, measured(app, steps.apply(data).released))
    offers.clear()
    assert not [key for key in app.run().widget("selectbox", SECOND).options if key.startswith("Proposal")]


def test_safe_harbor_is_held_beside_the_original_where_there_is_no_recipe(file):
    app = loaded(file, page=LEAKAGE).tab(TABS, "Original and release")
    assert "There is no recipe yet" in app.text
    app.choose("selectbox", SECOND, offered(app, "Safe Harbor"))
    data = dataset_of(app)
    recipe = with_safe_harbor(Recipe(), data, None, app.session.aim.year)
    check_second(app, measured(app), None, measured(app, recipe.apply(data).released))


def test_another_file_is_read_by_what_its_labels_cover():
    frame = pd.DataFrame({"age": [str(30 + i % 7) for i in range(60)], "sex": ["F", "M"] * 30, "ill": list("xyz") * 20})
    other = frame.iloc[:50].assign(age=["30-33" if int(age) < 34 else "*" for age in frame["age"][:50]], sex="?")
    app = seeded(frame.to_csv(index=False).encode(), page=LEAKAGE, roles=BASIC, tab=(TABS, "Original and release"))
    elsewhere = FilesBeside(another=Dataset.from_frame(other, "elsewhere.csv"))
    app.session.parts = {**app.session.parts, FilesBeside: elsewhere}
    app.run().choose("selectbox", SECOND, offered(app, "File elsewhere.csv"))
    shown = app.table("average second, %").set_index("Columns known")
    stars = int((other["age"] == "*").sum())  # which cover everybody
    sizes = [50 if int(age) < 34 else stars for age in frame["age"]]
    assert shown.loc["age", "average second, %"] == round(100 * sum(log2(50 / n) for n in sizes) / 60 / log2(50), 1)
    assert shown.loc["age", "Fit no record, second"] == 0 and shown.loc["sex", "Fit no record, second"] == 60
    says = app.text.replace("\\", "")
    assert "sex: 50" in says and "it is not known what they cover" in says and not app.errors
    app.session.parts = {
        **app.session.parts,
        FilesBeside: FilesBeside(another=Dataset.from_frame(frame[["ill"]].rename(columns=str.upper))),
    }
    app.run().choose("selectbox", SECOND, offered(app, "File"))
    assert any("has none of these columns" in info.value for info in app.at.info) and not app.errors


def test_persons_with_several_rows_are_not_compared_with_a_file_made_elsewhere():
    app = opened("persons").tab(TABS, "Original and release")
    app.session.parts = {**app.session.parts, FilesBeside: FilesBeside(another=dataset_of(app).with_roles({}))}
    app.run().choose("selectbox", SECOND, offered(app, "File"))
    assert any("nobody knows which rows are of one person" in info.value for info in app.at.info) and not app.errors


# ---- odd data --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FILES)
def test_odd_data_opens_and_its_figures_are_the_librarys(name):
    app = opened(name)
    table = measured(app)
    check_metrics(app, table)
    assert words.count(table.n_records, dataset_of(app).unit) in app.text or not table.loss.any()
    if name == "all equal":
        message = "".join(info.value for info in app.at.info)
        assert "all have the same value" in app.text and "have one value each" in message
        assert app.metric("Alerts") == "0" and app.metric("Leakiest") == "0%"
    if name == "one record":
        assert "there is one to find" in app.text
    assert not app.errors
    tab = LEAKAGE_TABS[1 + list(FILES).index(name) % 3] if name != "one column" else "Pairs"  # another, in turn
    assert not app.tab(TABS, tab).errors
    assert ("at least two columns" in app.text) == (name == "one column")


def test_a_file_of_which_every_record_is_left_out_is_no_fault():
    app = seeded(b"age,sex,ill\n1,,a\n,F,b\n,M,c\n", page=LEAKAGE, roles=BASIC, missing="drop")
    assert any("Nobody is left" in info.value for info in app.at.info) and not app.errors


def test_many_columns_begin_with_some_of_them():
    names = [f"c{i}" for i in range(40)]
    frame = pd.DataFrame({name: [str(i * j % 5) for j in range(30)] for i, name in enumerate(names)})
    app = seeded(frame.to_csv(index=False).encode(), page=LEAKAGE, roles=dict.fromkeys(names, QUASI))
    assert len(app.widget("multiselect", "Columns looked at").value) == 12
    every_tab(app)
    app.set("multiselect", "Columns looked at", names).tab(TABS, "Combinations")
    assert "10,700 combinations" in app.text and len(app.table("Average, bits")) == 500 and not app.errors


def test_hostile_names_are_text_in_every_tab():
    names = [*HOSTILE, "age"]
    kinds = [QUASI, QUASI, SENSITIVE, "place", "identifier", SENSITIVE, QUASI, QUASI]
    roles = dict(zip(names, kinds, strict=True))
    app = seeded(hostile_file(), f"![{MARK}](http:h.example.png).csv", LEAKAGE, roles=roles)
    for steps in ([], [DropColumns((names[0],)), Recode("age", Intervals(500))]):
        app.session.recipe = Recipe.of(steps)
        for tab in LEAKAGE_TABS[:-1]:
            check_text(app.tab(TABS, tab), but_chosen=True)
            assert MARK in app.text
