"""The pages without a browser: cold visits, and a file of one's own."""

from __future__ import annotations

import pytest

from anonlib.analyses.risk import assess
from anonlib.basics import words
from anonlib.columns.roles import Role, suggest_roles
from anonlib.reading.samples import SAMPLES
from tests.helpers.app import (
    ATTACK,
    DATA,
    FRONTIER,
    GENERALIZE,
    HOME,
    INDIVIDUALS,
    LEAKAGE,
    PAGES,
    REGIONS,
    REGISTER,
    RELEASE,
    RISK,
    SCHEDULES,
    SMALL,
    TITLES,
    TRY,
    TRY_COUNTY,
    TRY_PROVINCE,
    App,
    dataset_of,
    loaded,
)
from ui.session import state

WHAT_IT_DOES = {
    INDIVIDUALS: "whose sensitive value can be inferred", LEAKAGE: "narrow a person down",
    ATTACK: "attacks the release", GENERALIZE: "how coarse each column must be", REGIONS: "merges small areas",
    FRONTIER: "compares them with Safe Harbor",
}  # fmt: skip


@pytest.mark.parametrize("page", [page for page in PAGES if page != REGISTER])  # which needs none
def test_a_page_without_data_says_what_it_does_and_offers_the_sample(page, monkeypatch, without_searches):
    """Nothing is searched, else the page runs again, and the notice is of the run before."""
    monkeypatch.setattr("pages.release.report.results.BY_ITSELF", -1.0)
    app = App(page)
    assert app.at.title[0].value == TITLES[page] and not app.errors and WHAT_IT_DOES.get(page, "") in app.text
    assert not app.at.metric or page == SCHEDULES, "which makes people up"
    assert "Nothing you load leaves this machine" in app.text
    address = page.rpartition("/")[2].removesuffix(".py")
    assert not [link for link in app.at.get("page_link") if link.proto.page == address and page != HOME], "to itself"
    assert all(button.proto.type != "primary" for button in app.at.button), "the sample does not come first"
    if page == HOME:
        app.press("open-admissions")
    elif page == SCHEDULES:
        assert "Nothing is loaded" in app.text
        app.press(TRY_COUNTY)
    else:
        assert "Nothing is loaded yet" in app.text
        app.press(TRY_PROVINCE if page == REGIONS else TRY)
    assert app.at.title[0].value == TITLES[page], "the page stays"
    assert "is loaded, with its roles accepted" in app.text.replace("\\", "") and not app.errors
    sample = {SCHEDULES: "screening_county", REGIONS: "province_records"}.get(page, "admissions")
    assert f"{sample}.csv" in app.text.replace("\\", ""), "the sidebar names the file"


@pytest.mark.parametrize("page", [page for page in PAGES if page not in (DATA, SCHEDULES, REGISTER)])
def test_a_file_is_loaded_on_the_page_that_needs_one(page, file):
    app = App(page).upload(b"\x00\x01\x02", "visits.csv")
    assert "was not read" in app.text and app.session.loaded is None, "one that cannot be read is not lost"
    app.upload(file, "visits.csv")
    assert not app.errors and app.at.title[0].value == TITLES[page] and "visits" in app.text


OPENED_ELSEWHERE = ("admissions", "screening_county")  # on each page, by the tests of that page
EACH_SAMPLE = [
    pytest.param(sample, marks=pytest.mark.repeats if sample.key in OPENED_ELSEWHERE else ()) for sample in SAMPLES
]


@pytest.mark.parametrize("sample", EACH_SAMPLE, ids=lambda sample: sample.key)
def test_every_sample_says_something_on_every_page(sample, monkeypatch, without_searches):
    """Searches and attacks wait for a button here; they have tests of their own."""
    for name in ("measure.attack", "release.report"):
        monkeypatch.setattr(f"pages.{name}.results.AT_ONCE", 1.0)
        monkeypatch.setattr(f"pages.{name}.results.BY_ITSELF", 1.0)
    opened = App(HOME).press(f"open-{sample.key}")
    assert set(opened.session.roles) == set(sample.roles) and not opened.errors
    app = App(DATA, session=opened.session)  # goes on with what others computed of the sample
    for page in PAGES[2:]:
        assert not app.open(page).errors
        if page == RELEASE:
            assert app.metric("k, the smallest class") == str(assess(dataset_of(app).classes()).k)


def test_downloading_public_data_without_a_network_is_a_sentence(monkeypatch, tmp_path):
    import urllib.request

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("ANONSCOPE_CACHE", str(tmp_path))

    def refuse(*_: object, **__: object) -> None:
        raise OSError("no network at /secret/place")

    monkeypatch.setattr(urllib.request.OpenerDirector, "open", refuse)
    monkeypatch.setattr(urllib.request, "urlopen", refuse)
    app = App(HOME).press("fetch-adult")
    assert app.errors and "secret" not in app.text
    assert app.session.loaded is None


def test_an_upload_is_shown_and_nothing_is_decided(file):
    app = App(DATA, file)
    assert "visits.csv is loaded" in app.text and not app.errors
    assert app.metric("Rows") == "300" and app.metric("Columns") == "8"
    assert app.session.roles == {}
    assert set(app.table("Role")["Role"]) == {"Undecided"}
    suggestions = suggest_roles(dataset_of(app).frame)
    suggested = {s.column: "Nothing: only you can say" if s.is_open else s.role.answer for s in suggestions}
    table = app.table("Role")
    assert dict(zip(table["Column"], table["Suggested"], strict=True)) == suggested
    assert all(f"**{role.answer}**: {role.meaning}" in app.text for role in Role)
    preview = app.table("zip")
    assert preview["zip"].iloc[0].startswith("0") and len(preview) == 200, "cells as they are in the file"
    assert preview.columns.tolist() == file.decode().splitlines()[0].split(",")
    app.open(RISK)
    assert "No quasi-identifiers are chosen" in app.text and app.has_button("Accept suggested roles")
    app.press("Accept suggested roles")
    assert app.metric("k, the smallest class") == "1"


def test_a_role_can_be_set_and_taken_away_in_the_table(file):
    app = App(DATA, file).give_roles(age="Quasi-identifier", sex="Quasi-identifier", diagnosis="Sensitive")
    assert app.session.roles == {
        "age": Role.QUASI_IDENTIFIER,
        "sex": Role.QUASI_IDENTIFIER,
        "diagnosis": Role.SENSITIVE,
    }
    app.give_roles(sex="Undecided")
    assert "sex" not in app.session.roles


def test_two_columns_that_count_persons_are_refused_in_a_sentence_and_nothing_changes(file):
    app = App(DATA, file).give_roles(record_number="Person id", age="Quasi-identifier")
    before = dict(app.session.roles)
    app.give_roles(full_name="Person id")
    assert len(app.errors) == 1 and "Only one column can be the person id" in app.errors[0]
    assert app.session.roles == before
    shown = app.table("Role").set_index("Column")["Role"]
    assert shown["full_name"] == "Undecided" and shown["record_number"] == "Person id"
    assert not app.run().errors, "said once"
    app.give_roles(sex="Quasi-identifier")
    assert not app.errors and app.session.roles["sex"] == Role.QUASI_IDENTIFIER, "the refused choice is gone"
    app.give_roles(zip="Weight")
    assert len(app.errors) == 1 and "not both" in app.errors[0] and "zip" not in app.session.roles


def test_a_weight_column_without_numbers_is_a_sentence_on_every_page():
    app = App(DATA, SMALL).give_roles(age="Quasi-identifier", illness="Weight")
    for page in PAGES:
        app.open(page)
        assert app.errors or "illness" not in app.session.roles
        others = [message for message in app.errors if "fewer than k" not in message]  # of four records none is found
        assert all("whole numbers" in message and "“illness”" in message for message in others)
    app.open(DATA).give_roles(illness="Sensitive")
    app.open(RISK)
    assert not app.errors, "and the way out works"


def test_forget_this_data_drops_everything(file):
    app = loaded(file, page=RELEASE).press("Start with these steps")
    app.open(DATA).press("Forget this data")
    assert "Nothing is loaded yet" in app.text and "visits" not in app.text
    assert app.session == state.Session(generation=app.session.generation, shown=app.session.shown)
    for page in PAGES:
        app.open(page)
        assert "visits" not in app.text and "Nothing you load leaves this machine" in app.text


def test_missing_values_count_or_leave_as_the_officer_says():
    app = loaded(SMALL, page=RISK)
    assert app.session.missing == "category"
    app.open(DATA).choose("radio", "A record with a missing", "drop")
    assert app.session.missing == "drop"
    app.open(RISK)
    expected = assess(dataset_of(app).classes(), k=5)
    assert app.below(5) == str(expected.below_k) == "3"
    app.open(RELEASE)
    assert app.metric("Rows kept") == "75%" and "1 record with a missing quasi\\-identifier" in app.text.replace(
        "quasi-identifier", "quasi\\-identifier"
    )
    app.open(DATA)
    assert app.widget("radio", "A record with a missing").value == "drop", "and it stays chosen"


def test_marks_for_missing_values_can_be_chosen_and_added():
    data = b"age,sex\n34,F\n?,M\n-,M\nNA,F\nzz,F\n"
    app = App(DATA, data)
    assert app.metric("Missing cells") == words.percent(2 / 10), "? and NA by default"
    marks = app.widget("multiselect", "Marks that mean")
    marks.set_value(["?", "-"])
    assert app.run().session.loaded.marks == ("", "?", "-")
    assert app.metric("Missing cells") == "20%"
    app.open(HOME).open(DATA)
    assert app.metric("Missing cells") == "20%" and sorted(app.widget("multiselect", "Marks").value) == ["-", "?"]


def test_the_reasons_for_a_role_are_shown_whole():
    ages = [20 + i % 9 for i in range(40)]
    app = App(DATA, "\n".join(["age,band", *(f"{age},b{age}" for age in ages)]).encode())
    table = next(table for table in app.at.data_editor if "Why" in table.value.columns)
    assert table.value.set_index("Column")["Why"]["band"].startswith("Anybody who knows “age” knows this too.")
    assert table.proto.row_height > 4 * 15, "in lower rows Streamlit cuts a text after one line"


def test_outside_a_session_there_is_no_state():
    """A download is made there: Streamlit would give the makers of all sessions the same one."""
    with pytest.raises(RuntimeError, match="no session"):
        state.session()
    with pytest.raises(RuntimeError, match="no session"):
        state.lot("release")
