"""A population table whose columns have other names than the file's, or that does not say what counts its people."""

from __future__ import annotations

import pytest

from anonlib.analyses.risk import AttackerRisk, assess
from anonlib.basics import words
from anonlib.counting.classes import ClassTable
from anonlib.reading.sources import open_source
from tests.helpers.app import FRONTIER, FRONTIER_TABS, RELEASE, RISK, SMALL, App, dataset_of, loaded

TABLE = b"AGE,ZCTA5,gender,where,heads\n34,02139,F,02138,100\n52,02138,M,02139,7\n40,02139,M,02139,3\n"
LOAD = "Load a population"


def journalist(app: App, weight: str | None, **names: str) -> AttackerRisk:
    """By the table counted by hand: quasi-identifier -> its column."""
    frame = open_source(TABLE, "people.csv").frame
    table = frame[list(names.values()) + ([weight] if weight else [])].rename(
        columns={other: name for name, other in names.items()}
    )
    found = assess(dataset_of(app).classes(), population=ClassTable.from_frame(table, list(names), weight)).journalist
    assert found is not None
    return found


def highest(risk: AttackerRisk) -> str:
    return f"highest **{words.percent(risk.highest)}**, average **{words.percent(risk.average)}**"


@pytest.fixture
def app() -> App:
    app = loaded(SMALL, page=RISK)
    app.tab("risk-tabs", "Attackers")
    assert set(dataset_of(app).quasi_identifiers) == {"age", "sex", "zip"}
    return app.upload(TABLE, "people.csv", LOAD)


def test_columns_are_taken_by_their_words_and_kinds_and_people_by_the_column_chosen(app: App) -> None:
    app.choose("selectbox", "People are counted by", "heads")
    assert "**AGE as age**, **gender as sex** and **ZCTA5 as zip**" in app.text and "110 people" in app.text
    risk = journalist(app, "heads", age="AGE", sex="gender", zip="ZCTA5")
    assert f"{words.count(risk.unmatched, 'records')} have nobody like them" in app.text
    app.choose("selectbox", "zip is", "where")
    assert highest(journalist(app, "heads", age="AGE", sex="gender", zip="where")) in app.text
    app.choose("selectbox", "age is", "")
    assert highest(journalist(app, "heads", sex="gender", zip="where")) in app.text
    assert "By what the population table has: **sex** and **zip**." in app.text
    app.choose("selectbox", "People are counted by", "")
    assert highest(journalist(app, None, sex="gender", zip="where")) in app.text


def test_the_marketer_matches_with_the_population_on_every_page(app: App) -> None:
    app.choose("selectbox", "People are counted by", "heads")
    risk = journalist(app, "heads", age="AGE", sex="gender", zip="ZCTA5")
    expected = f"{round(risk.average * risk.n_records):,}"
    assert f"[{expected}]" in app.text.replace("\\", "")
    table = app.open(RELEASE).table("Marketer: expected")
    assert table["Marketer: expected"].tolist() == [int(expected)] * 2
    assert "matching them with the population table" in app.text


def test_a_column_that_holds_no_counts_is_refused_and_the_one_before_stays(app: App) -> None:
    app.choose("selectbox", "People are counted by", "heads").choose("selectbox", "People are counted by", "gender")
    assert len(app.errors) == 1 and "gender" in app.errors[0]
    assert app.widget("selectbox", "People are counted by").value == "heads"
    assert app.session.population.weight == "heads"


def test_what_was_paired_holds_on_other_pages_and_goes_with_the_table(app: App) -> None:
    app.choose("selectbox", "People are counted by", "heads").choose("selectbox", "zip is", "where").open(FRONTIER)
    assert not app.errors
    assert "The population table has no" not in app.text
    app.tab(f"frontier-tabs-{len(FRONTIER_TABS)}", "Population")
    assert "by **age**, **sex** and **zip**" in app.text and "match somebody" in app.text
    assert app.widget("selectbox", "zip is").value == "where"
    app.press("Remove it").upload(TABLE.replace(b"ZCTA5", b"zip"), "people.csv", LOAD)
    assert app.widget("selectbox", "zip is").value == "zip"
