"""The pages without a browser: bad input is a sentence, and nothing that was loaded is lost."""

from __future__ import annotations

import pytest

from anonlib.analyses.regions import open_areas, suggest_columns
from anonlib.reading.sources import AS_FOUND, open_source
from tests.helpers.app import (
    ACCEPT,
    DATA,
    EXPLAINED,
    LEAKAGE,
    OUR_FAULT,
    RELEASE,
    RISK,
    SMALL,
    TABS_OF,
    App,
    is_read,
    loaded,
    seeded,
)
from tests.helpers.corpus import SECRETS, Refused, cases
from ui.session.companions import AreaTable
from ui.session.view import View

NUMBERED = open_areas(b"area,lon,lat\n" + b"".join(b"%d,%f,59\n" % (i, 10 + i / 9) for i in range(100)), "areas.csv")


def test_a_bad_file_after_a_good_one_changes_nothing_and_can_be_read_in_another_way(file):
    app = loaded(file)
    roles, digest = dict(app.session.roles), app.session.loaded.source.digest
    ragged = b"a,b,c\n1,2,3\n4,5\n6,7,8\n"
    app.upload(ragged, "ragged.csv")
    assert len(app.errors) == 1 and "Line" in app.errors[0]
    assert app.session.roles == roles and app.session.loaded.source.digest == digest
    assert app.metric("Rows") == "300"
    assert "ragged.csv" in app.text and "was not read" in app.text
    assert "was not read" in app.run().text, "the box stays until it is left"
    fill = next(box for box in app.at.checkbox if "refused" in box.key)
    fill.set_value(True)
    next(button for button in app.at.button if button.label == "Read again" and "refused" in button.key).click()
    assert app.run().metric("Rows") == "3" and not app.errors and "was not read" not in app.text


def test_a_bad_file_can_be_left(file):
    app = loaded(file).upload(b"", "empty.csv")
    assert app.errors
    app.press("Leave it")
    assert "was not read" not in app.text and app.metric("Rows") == "300"


def test_a_file_can_be_read_again_and_roles_of_columns_that_are_still_there_stay():
    app = App(DATA, b"age,sex\n34,F\n35,M\n").press(ACCEPT)
    roles = dict(app.session.roles)
    app.set("selectbox", "First row is the header", "No").press("Read again")
    assert app.metric("Rows") == "3" and app.session.roles == {}
    app.set("selectbox", "First row is the header", "Yes").press("Read again")
    assert app.metric("Rows") == "2"
    app.press(ACCEPT)
    assert app.session.roles == roles


def test_correcting_how_a_file_is_read_to_something_impossible_keeps_what_was_read(file):
    app = loaded(file)
    app.set("number_input", "Lines to skip above", 9_999).press("Read again")
    assert len(app.errors) == 1 and app.metric("Rows") == "300"


@pytest.fixture(scope="module")
def kept() -> App:
    """A session with a good file, to which every bad one is given in turn."""
    return loaded(SMALL, "good.csv")


@pytest.fixture(scope="module")
def gone_on() -> set[tuple]:
    """The cells of the files that were looked at on another page than Data."""
    return set()


CASES = cases()
UNPACKED = ("gzip named csv", "zip named csv")
"""What no reader of a single file takes, and the page unpacks: a table in an archive."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_odd_file_is_read_or_refused_in_a_sentence_and_every_page_still_works(case, kept, gone_on, capfd):
    """One that is read, on Data before anything is decided, and then on Risk or on Release, which take turns.

    These look at the cells and not at the file that they were in: of several with the same cells one goes there.
    """
    refused = isinstance(case.outcome, Refused)
    if case.options != AS_FOUND:  # by which it is read or refused once they are set
        refused = not is_read(case.data, case.filename)
    if case.name in UNPACKED:
        app = App(DATA).upload(case.data, case.filename)
        assert app.session.loaded is not None and not app.errors
    elif refused:
        app = kept.upload(case.data, case.filename)
        assert len(app.errors) == 1 and app.errors[0].endswith(".")
        assert not any(secret in app.text for secret in SECRETS)
        assert app.metric("Rows") == "4", "what was loaded is still here"
    else:
        app = App(DATA, case.data, case.filename)
        assert app.session.loaded is not None and not app.errors
        frame = app.session.loaded.source.frame
        cells = tuple(frame.columns), frame.to_csv(index=False, na_rep="\0")
        if cells not in gone_on:
            gone_on.add(cells)
            loaded(case.data, case.filename, (RISK, RELEASE)[CASES.index(case) % 2])  # which fails at a fault of ours
    printed = capfd.readouterr()
    assert not any(secret in printed.out + printed.err for secret in SECRETS)


AWKWARD = {
    "one value": b"one\n" + b"1\n" * 30,
    "one value each": b"one,two\n" + b"1,2\n" * 30,
    "missing": b"one,two\n" + b",\n" * 3 + b"1,\n",
    "one record": b"age,sex\n34,F\n",
    "our words": b"index,count,size,level_0,record,value,records,risk\n" + b"1,2,3,4,5,6,7,8\n" * 6,
    "our headings": b"class of,Column,Role,Label,below k\n" + b"1,2,3,4,5\n" * 6,
    "look-alike names": "age,age\u200b,Age,\u00e1ge,a\u0301ge\n34,35,36,37,38\n".encode() + b"1,2,3,4,5\n",
    "invisible names": "\u200b,\u202e,ok\n1,2,3\n4,5,6\n".encode(),
    "long name": ("x" * 5000 + ",b\n1,2\n3,4\n").encode(),
    "long cell": ("a,b\n" + "y" * 30_000 + ",2\n1,4\n").encode(),
    "decimal comma": b"age;weight\n1.234,5;70,5\n2.345,6;71,5\n",
    "wide": "\n".join([",".join(f"c{i}" for i in range(200)), *[",".join("12" for _ in range(200))] * 2]).encode(),
}
ROLES = ("quasi_identifier", "sensitive", "person_id", "weight")
TABS = {page: tabs for page, tabs in TABS_OF.items() if page != LEAKAGE}


@pytest.mark.parametrize("page", TABS)
@pytest.mark.parametrize("table", AWKWARD)
def test_awkward_tables_with_any_role_on_any_page(table, page):
    """Each table and each role on every page, and each table in every role; in the first tab and in another in turn."""
    if not is_read(AWKWARD[table]):
        assert App(DATA, AWKWARD[table]).errors
        return
    columns = open_source(AWKWARD[table], "visits.csv").frame.columns
    turn = list(AWKWARD).index(table)
    role = ROLES[(turn + list(TABS).index(page)) % len(ROLES)]
    parts = {AreaTable: AreaTable(NUMBERED, suggest_columns(NUMBERED))}
    roles = {columns[0]: "quasi_identifier", columns[-1]: role}
    app = seeded(AWKWARD[table], page=page, roles=roles, parts=parts)
    if app.at.metric:
        assert not app.errors
        key, tabs = TABS[page]
        others = [tab for tab in tabs[1:] if tab != EXPLAINED]
        assert not app.tab(key, others[turn % len(others)]).errors


def test_ten_thousand_columns_are_refused_in_a_sentence():
    data = ",".join(f"c{i}" for i in range(10_000)).encode() + b"\n" + b"1," * 9_999 + b"1\n"
    app = App(DATA, data)
    assert len(app.errors) == 1 and app.session.loaded is None


def fail(*_: object, **__: object) -> None:
    raise KeyError("Person 7 Example")


def test_a_fault_of_ours_is_a_sentence_with_its_place_and_no_cell_value(file, monkeypatch, caplog):
    app = loaded(file, page=RISK)
    monkeypatch.setattr(View, "comparison", property(fail))
    app.at.run()
    assert not app.at.exception
    assert app.errors and all(OUR_FAULT in message and "KeyError" in message for message in app.errors)
    assert "Person 7" not in app.text + caplog.text and "Traceback" not in app.text
    monkeypatch.undo()
    assert not app.run().errors and app.metric("k, the smallest class") == "1", "nothing is lost"


def test_a_fault_of_ours_in_a_click_is_a_sentence_too(file, monkeypatch, caplog):
    """A callback runs before the page: its exception must not reach the screen with a cell in it."""
    app = loaded(file, page=DATA)
    monkeypatch.setattr("ui.session.decide.set_roles", fail)
    app.press("Clear roles")
    app.button(ACCEPT).click()
    app.at.run()
    assert not app.at.exception, "an exception box instead of a sentence"
    assert "Person 7" not in app.text + caplog.text
