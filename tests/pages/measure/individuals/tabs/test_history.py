"""The tab "History" of the Individuals page, without a browser."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import numpy as np
import pandas as pd

from anonlib.analyses.individuals.history import history
from anonlib.columns.roles import Role
from anonlib.counting.classes import PersonTable
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns
from pages.measure.individuals.tabs.history import FILE_ORDER, TAB
from tests.helpers.app import INDIVIDUALS, App, connected
from tests.helpers.individuals import QI, SENSITIVE, TABS, opened

ROLES = {"id": Role.PERSON_ID, "sex": QI, "ward": QI, "came": QI, "illness": SENSITIVE}
KNOWN = ["sex", "ward"]
SHARE, LEFT, FEWEST, SURE = "Share it", "Left so far", "Fewest by so many", "Certain so far"


def visits(seed: int = 5) -> pd.DataFrame:
    """A person of one row, then 80 of one to five, in no order of time; the second has four, one without a date."""
    rng = np.random.default_rng(seed)
    rows = [("only", "f", "ear", "2024-05-05", "flu")]
    rows += [
        ("mine", "m", "skin", "2024-03-01", "flu"), ("mine", "m", "rare ward", "2024-01-15", "flu"),
        ("mine", "m", "skin", "2024-02-01", "hidden illness"), ("mine", "m", "ear", None, "cold"),
    ]  # fmt: skip
    for i in range(80):
        for _ in range(int(rng.integers(1, 6))):
            day = str(np.datetime64("2024-01-01") + int(rng.integers(0, 200)))
            rows.append((f"p{i}", "fm"[i % 2], rng.choice(["ear", "eye", "skin"]), day, rng.choice(["flu", "cold"])))
    return pd.DataFrame(rows, columns=list(ROLES), dtype=object)


FRAME = visits()
MINE = [2, 3, 1, 4]
"""Rows of the person looked at, in the order of time."""


def of_mine(**fields) -> App:
    """The tab, of the second person, of whose visits sex and ward are known."""
    app = opened(FRAME, ROLES, tab=(TABS, TAB), **fields)
    return app.set("number_input", "Record", 4).choose("multiselect", "Known of a visit", KNOWN)


def expected(records=MINE, known=KNOWN, sensitive=("illness",), p: float = 0.0):
    table = PersonTable.from_frame(FRAME, ["sex", "ward", "came", "illness"], "id")
    return history(table, records, known, sensitive, p)


def figures(app: App) -> list[dict]:
    return [json.loads(chart.proto.spec) for chart in app.at.get("plotly_chart")]


def shown_of(app: App) -> str:
    """All that is read on the page, its tables and figures."""
    tables = [table.value.to_string() for table in app.at.dataframe]
    return "\n".join([*app.rendered_text(), *tables, json.dumps(figures(app)[1:])])  # the heatmap is of columns alone


def test_the_tab_is_there_for_persons_of_several_rows_alone():
    assert TAB in [tab.label for tab in opened(FRAME, ROLES).at.tabs]
    app = opened(FRAME.drop_duplicates("id"), ROLES)
    assert TAB not in [tab.label for tab in app.at.tabs]
    without = {name: role for name, role in ROLES.items() if role != Role.PERSON_ID}
    assert TAB not in [tab.label for tab in opened(FRAME, without).at.tabs]


def test_the_numbers_are_those_of_the_library():
    app, found = of_mine(), expected()
    table = app.table(SHARE)
    assert table["Record"].tolist() == [3, 4, 2, 5], "in the order of time, the one without a date last"
    assert table[SHARE].tolist() == [visit.sharing for visit in found.visits]
    assert table[LEFT].tolist() == [visit.left for visit in found.visits]
    assert table[FEWEST].tolist() == [found.most_telling(n).persons for n in range(1, 5)]
    assert table[SURE].tolist() == ["illness" if visit.certain else "" for visit in found.visits]
    assert table["came"].tolist() == ["2024-01-15", "2024-02-01", "2024-03-01", "(missing)"]


def test_the_number_that_matters_comes_first():
    """The rare ward is the first visit, and nobody else has one like it."""
    app = of_mine()
    assert (
        "#### Somebody who knows the first visit finds :red[**1 person**], and further ones leave no fewer." in app.text
    )
    app.choose("selectbox", "Visits in the order of", FILE_ORDER)
    left = [visit.left for visit in expected([1, 2, 3, 4]).visits]
    assert left[0] > 5 and left[1:] == [1, 1, 1]
    assert f"the first visit finds **{left[0]} persons**; with the second :red[**1**], and further ones" in app.text
    assert "The visit that reveals most: the 2nd. :red[**1 person**] has a row like it." in app.text


def test_a_person_of_several_rows_is_looked_at_first_and_the_next_on_request():
    app = opened(FRAME, ROLES, tab=(TABS, TAB))
    several = FRAME["id"].map(FRAME["id"].value_counts()) > 1
    first = app.widget("number_input", "Record").value
    assert several.iloc[first - 1] and len(app.table(SHARE)) > 1
    app.choose("number_input", "Record", 1)
    assert len(app.table(SHARE)) == 1 and "one visit: there is no history" in app.text
    app.press("Next with several")
    assert app.widget("number_input", "Record").value == 2 and len(app.table(SHARE)) == 4
    app.press("Next with several")
    assert app.widget("number_input", "Record").value > 5


def test_what_is_known_can_be_changed_and_nothing_known_is_no_error():
    app = of_mine().choose("multiselect", "Known of a visit", ["sex"])
    assert app.table(LEFT)[LEFT].tolist() == [visit.left for visit in expected(known=["sex"]).visits]
    app.choose("slider", "Red up to", 60)
    found = expected(known=["sex"], p=0.6)
    assert app.table(SURE)[SURE].tolist() == ["illness" if visit.certain else "" for visit in found.visits]
    assert any(visit.certain for visit in found.visits) and "All but at most 60%" in app.text
    app.set("slider", "Red up to", 0)
    app.choose("multiselect", "Known of a visit", [])
    assert app.table(LEFT)[LEFT].tolist() == [visit.left for visit in expected(known=[]).visits]
    app.choose("multiselect", "Known of a visit", ["sex", "ward", "illness"])
    assert "certain" not in app.table(SURE)[SURE].tolist() and not app.errors


def test_sensitive_values_are_hidden_until_they_are_asked_for():
    app = of_mine()
    assert "hidden illness" not in shown_of(app) and set(app.table(SHARE)["illness"]) == {"•••"}
    assert "**illness** is **certain** with the first visit known." in app.text
    app.choose("toggle", "Show sensitive values", True)
    assert app.table(SHARE)["illness"].tolist() == ["flu", "hidden illness", "flu", "cold"]
    assert "with the first visit known: cold, flu and hidden illness." in app.text


def test_made_up_values_show_nothing_of_the_persons_own_and_change_no_count():
    app = of_mine()
    true = app.table(SHARE)
    app.set("toggle", "Show sensitive values", True).choose("toggle", "Show made-up values", True)
    table, text = app.table(SHARE), shown_of(app)
    assert "rare ward" not in text and "hidden illness" not in text
    assert "2024-01-15" not in table["came"].tolist() and "Record" not in table.columns
    for name in (SHARE, LEFT, FEWEST, SURE):
        assert table[name].tolist() == true[name].tolist()
    assert set(table["ward"]) == {"•••"} or set(table["ward"]) <= {"ear", "eye", "skin"}
    days = table["came"].tolist()[:3]
    assert days == sorted(days) and len(set(days)) == 3
    assert [note["text"] for note in figures(app)[1]["layout"]["annotations"]] == ["<b>values made up</b>"]
    assert "**Made up**" in app.text and "with made-up values" in app.at.get("plotly_chart")[1].proto.alt
    app.choose("toggle", "Show made-up values", False)
    assert "annotations" not in figures(app)[1]["layout"]


def test_the_download_has_the_counts_and_no_cell(made: dict[str, Callable[[], bytes]]):
    of_mine()
    found = expected()
    table = pd.read_csv(io.BytesIO(made["download-history"]()), keep_default_na=False)
    assert table["record"].tolist() == [3, 4, 2, 5]
    assert table["share_all_so_far"].tolist() == [visit.left for visit in found.visits]
    text = made["download-history"]().decode()
    assert not any(value in text for value in ("rare ward", "skin", "2024", "hidden", "flu"))


def test_a_person_who_is_left_out_has_no_history():
    """One lacks a ward in all rows, and is counted with nobody; another in one, where it gives way to the others."""
    frame = FRAME.copy()
    frame.loc[frame["id"] == "mine", "ward"] = None
    others = frame.index[frame["id"] == "p1"]
    assert len(others) > 1
    frame.loc[others[0], "ward"] = None
    app = opened(frame, ROLES, tab=(TABS, TAB), missing="drop").choose("number_input", "Record", 3)
    assert "left out" in app.text and not [table for table in app.at.dataframe if SHARE in table.value.columns]
    app.choose("number_input", "Record", int(others[0]) + 1)
    assert sorted(app.table(SHARE)["Record"]) == (others + 1).tolist() and "(missing)" in set(app.table(SHARE)["ward"])
    assert f"One of {frame['id'].nunique() - 1} persons" in app.text


def test_a_release_is_looked_at_by_its_own_labels_and_says_that_no_id_leaves():
    app = opened(FRAME, ROLES, tab=(TABS, TAB), recipe=Recipe.of([DropColumns(("came", "id"))]))
    app.choose("segmented_control", "Look at", "Release")
    app.choose("number_input", "Record", 2)
    assert "No person id leaves" in app.text and "No column that has a role says when" in app.text
    assert app.widget("selectbox", "Visits in the order of").options == [FILE_ORDER]
    assert app.table(SHARE)["Record"].tolist() == [2, 3, 4, 5]
    assert app.table(LEFT)[LEFT].tolist() == [visit.left for visit in expected([1, 2, 3, 4]).visits]
    app.choose("segmented_control", "Look at", "Original")
    assert "No person id leaves" not in app.text


def test_rows_in_a_database_are_not_looked_at():
    data = FRAME.to_csv(index=False).encode()
    app = connected(data, page=INDIVIDUALS, tab=(TABS, TAB), roles=ROLES)
    assert "The rows stay in the database, and a history needs those of one person" in app.text


def test_texts_of_a_file_are_text():
    hostile = "**<b>x</b>**"
    frame = FRAME.replace({"illness": {"flu": hostile}}).rename(columns={"ward": hostile, "came": f"{hostile} when"})
    roles = dict(zip(frame.columns, ROLES.values(), strict=True))
    app = opened(frame, roles, tab=(TABS, TAB)).choose("number_input", "Record", 4)
    app.choose("toggle", "Show sensitive values", True)
    assert hostile in app.table(SHARE)["illness"].tolist(), "a table shows text as it is"
    assert not any(hostile in text for text in app.rendered_text()) and not app.errors
    assert not any("<b>x" in json.dumps(figure) for figure in figures(app)[1:])
