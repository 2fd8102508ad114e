"""The Individuals page on a file made elsewhere: what it shows is what plain counts of both files say."""

from __future__ import annotations

from io import BytesIO

import pandas as pd
import pytest

from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut
from tests.helpers.app import ATTACK, INDIVIDUALS, App, seeded
from tests.helpers.individuals import QI, SENSITIVE, STORY, TABS
from ui.session.releases import FilesBeside

ROLES = {"age": QI, "sex": QI, "ill": SENSITIVE}
ROWS = [(str(30 + i % 9), "FM"[i % 2], "xyz"[i % 3]) for i in range(60)]
ORIGINAL = pd.DataFrame(ROWS, columns=list(ROLES), dtype=object)
MADE = pd.DataFrame(
    [(str(30 + i % 7), "FM"[i % 2], "xy"[i % 2]) for i in range(40)], columns=list(ROLES), dtype=object
)  # fmt: skip
TABS_ELSEWHERE = ("Columns", STORY, "How it works")


def opened(other: pd.DataFrame | None = MADE, original: pd.DataFrame = ORIGINAL, roles=ROLES, page: str = INDIVIDUALS,
           recipe: Recipe | None = None, **settings: object) -> App:  # fmt: skip
    app = seeded(original.to_csv(index=False).encode(), page=page, roles=roles, recipe=recipe or Recipe())
    if other is not None:
        app.session.parts = {
            **app.session.parts,
            FilesBeside: FilesBeside(another=Dataset.from_frame(other, "made.csv")),
        }
    app.put(**settings)
    return app.choose("segmented_control", "Look at", "Another file") if page == INDIVIDUALS else app.run()


def certain(person: tuple, s: int, known: list[int], other: pd.DataFrame) -> bool | None:
    """Whether all records like a person have their value; None where there are none."""
    rows = [row for row in other.itertuples(index=False) if all(row[j] == person[j] for j in known)]
    return all(row[s] == person[s] for row in rows) if rows else None


def test_the_page_opens_on_another_file_and_says_where_to_load_one():
    app = opened(other=None)
    assert not app.errors and "each person of the original is looked up in it" in app.text
    assert not app.at.metric
    app.upload(MADE.to_csv(index=False).encode(), "made.csv", "Load a file made of the original elsewhere")
    assert not app.errors and app.metric("Certain in ill") and "Everybody is looked up in **made.csv**" in app.text


def test_the_figures_are_those_of_plain_counts():
    app = opened(individuals_attacker="all")
    people = list(ORIGINAL.itertuples(index=False))
    says = [certain(person, 2, [0, 1], MADE) for person in people]
    others = [certain(person, 2, [0, 1], ORIGINAL.drop(i)) for i, person in enumerate(people)]
    own = [certain(person, 2, [0, 1], ORIGINAL) for person in people]
    n = len(people)
    share = words.percent(says.count(True) / n)
    assert app.metric("Certain in ill") == words.change(words.percent(own.count(True) / n), share)
    beyond = sum(a is True and b is not True for a, b in zip(says, others, strict=True))
    assert app.metric("Beyond what others give away") == words.percent(beyond / n)
    assert app.metric("Nobody like them") == words.percent(says.count(None) / n)
    wrong = 0
    for person in people:
        rows = MADE[(MADE["age"] == person[0]) & (MADE["sex"] == person[1])]["ill"]
        wrong += rows.nunique() == 1 and rows.iloc[0] != person[2]
    assert app.metric("Right, where all agree") == words.percent(says.count(True) / (says.count(True) + wrong))
    table = app.table("Nobody like them").set_index("Column").loc["ill"]
    assert (table["Certain"], table["Nobody like them"]) == (says.count(True), says.count(None))
    assert (table["All known: right"], table["wrong"]) == (says.count(True), wrong)
    assert table["In the original"] == own.count(True)
    assert "sand: nobody in the file is like most of those drawn there" in app.text
    assert "All 2 other columns are known at once: Kroes et al. 2021, Figure 1, here with PPP." in app.text


def test_a_file_equal_to_the_original_says_what_the_original_says():
    app = opened(ORIGINAL)
    assert "→" not in app.metric("Certain in ill") and "sand" not in app.text
    assert app.metric("Nobody like them") == "0%" and app.metric("Right, where all agree") in ("100%", "nobody")


def test_red_can_be_only_what_the_others_do_not_give_away():
    app = opened()
    every = app.table("Nobody like them").set_index("Column")
    app.choose("toggle", "Red only beyond", True)
    assert not app.errors and "that the original’s other people do not give away" in app.text
    figures = app.table("Nobody like them").set_index("Column")
    assert figures.loc["ill", "Certain"] == every.loc["ill", "Certain"], "the table counts both"


def test_every_tab_and_measure_of_another_file():
    for measure in ("ppp", "poac", "npp"):
        app = opened(individuals_measure=measure)
        for tab in app.each_tab(TABS, TABS_ELSEWHERE):
            assert not app.errors and app.at.metric, (measure, tab, app.errors)


def test_one_person_looked_up():
    app = opened()
    app.session.settings["individuals-record"] = 8  # of 37, of whom the other file has nobody
    app.tab(TABS, STORY)
    story = app.table("Smallest set that is enough").set_index("Column")
    person = ORIGINAL.iloc[7]
    assert story.loc["age", "Value"] == person["age"] and story.loc["ill", "Value"] == "•••"
    assert story.loc["ill", "Peers"] == 0
    app.choose("toggle", "Show sensitive values", True)
    assert app.table("Smallest set that is enough").set_index("Column").loc["ill", "Value"] == person["ill"]


def test_what_differs_is_on_the_page():
    app = opened(MADE[["age", "ill"]])
    assert "The other file lacks **sex**: nothing is looked up by it." in app.text and not app.errors
    app = opened(MADE[["age"]])
    assert any("fewer than two of these columns" in info.value for info in app.at.info) and not app.errors
    visits = ORIGINAL.assign(who=[str(i // 2) for i in range(60)])
    app = opened(MADE, visits, ROLES | {"who": "person_id"})
    assert "the rows of persons are looked up one by one" in app.text and "of 60 records" in app.text
    app = opened(MADE.assign(who="1"), visits, ROLES | {"who": "person_id"})
    assert "looked up one by one" not in app.text and "of 30 persons" in app.text


def test_labels_of_several_levels_and_hidden_cells():
    mixed = MADE.assign(age=["30-39" if i % 3 else age for i, age in enumerate(MADE["age"])], sex=["*"] + ["F"] * 39)
    app = opened(mixed, individuals_near=["age"])
    assert not app.errors and "numbers that are near do not count as equal" in app.text
    for tab in app.each_tab(TABS, TABS_ELSEWHERE):
        assert not app.errors, (tab, app.errors)


def test_longer_work_begins_by_itself_or_waits_for_its_button(slow):
    app = opened(individuals_attacker="any")
    assert not app.errors and app.at.metric


def test_it_is_not_asked_of_somebody_who_knows_with_a_probability():
    app = opened(individuals_attacker="chance")
    assert "chance" not in app.widget("selectbox", "The attacker knows").options and not app.errors
    app.choose("segmented_control", "Look at", "Original")
    assert app.widget("selectbox", "The attacker knows").value == "chance"


def test_the_release_can_be_looked_at_too_and_attack_leads_here():
    app = opened(recipe=Recipe.of([LeaveOut(2)]))
    assert app.widget("segmented_control", "Look at").options == ["Original", "Release", "Another file"]
    app = opened(page=ATTACK).fold("attack", "Another file")
    assert not app.errors
    app.press("Look everybody up in it")
    assert app.at.title[0].value == "Individuals" and app.metric("Nobody like them")


def test_downloads_hold_the_values_and_no_cell(made):
    opened(individuals_attacker="all")
    by_record = pd.read_csv(BytesIO(made["download-elsewhere-records"]()))
    assert len(by_record) == 60 and by_record["record"].tolist() == list(range(1, 61))
    for i, person in enumerate(ORIGINAL.itertuples(index=False)):
        says = certain(person, 2, [0, 1], MADE)
        assert by_record["ill: nobody like them"][i] == (says is None)
        assert (by_record["ill: PPP in the other file"][i] == 0) == (says is True)
    assert pd.read_csv(BytesIO(made["download-elsewhere"]()))["Column"].tolist()[0] == "ill"


@pytest.mark.parametrize("other", [ORIGINAL.assign(ill="x"), ORIGINAL.iloc[:1], ORIGINAL.assign(ill=None)])
def test_odd_files(other):
    app = opened(other)
    assert not app.errors
    for tab in app.each_tab(TABS, TABS_ELSEWHERE):
        assert not app.errors, (tab, app.errors)
