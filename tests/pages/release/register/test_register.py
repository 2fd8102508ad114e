"""The Register page: nothing is written before it is asked for, what is taken home is entered and found again."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from anonlib.coarsening.recoding import Intervals
from anonlib.filing.case import ReleaseCase
from anonlib.filing.register import FolderRegister, Register
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Recode
from tests.helpers.app import CASE, DATA, PAGES, REGISTER, RELEASE, VERDICT, App, sampled, within
from tests.helpers.errors import refused
from ui.files import projects, registers

CASE_OF_IT = ReleaseCase(
    title="Length of stay", reference="EC 1/26", recipient="University of Example", contract="DUA 7",
    purpose="Which comorbidities prolong stays", author="B. Officer",
    until=(date.today() + timedelta(days=20)).isoformat(),
)  # fmt: skip
Made = Callable[[str], bytes]
pytestmark = pytest.mark.usefixtures("without_searches")


@pytest.fixture(autouse=True)
def folder_of_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anonscope as it was started with ``--register``."""
    monkeypatch.setenv(registers.FOLDER, str(tmp_path))


def with_register(app: App) -> App:
    """The app with a register made in the folder that was named at the start."""
    app.open(REGISTER).press("Make a register")
    assert not app.errors, app.errors
    return app


def to_release(app: App, case: ReleaseCase = CASE_OF_IT) -> App:
    app.session.case = case
    assert not app.open(RELEASE).leave_anyway().errors
    return app


def test_nothing_is_written_before_it_is_asked_for(tmp_path: Path) -> None:
    app = sampled("admissions", REGISTER)
    assert "No register is used" in app.text and not app.errors
    assert not list(tmp_path.iterdir()) and not app.has_button("Open the register")
    app.press("Make a register")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["anonscope-register.key", "anonscope-register.sqlite3"]
    app.press("register-let-go").press("Open the register")
    assert not app.errors and registers_of(app) is not None


def test_a_folder_that_is_gone_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(registers.FOLDER, str(tmp_path / "nowhere"))
    app = sampled("admissions", REGISTER).press("Make a register")
    assert app.errors and str(tmp_path) not in app.errors[0]
    assert registers_of(app) is None


def test_without_a_folder_at_the_start_no_session_opens_a_register_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FolderRegister.create(tmp_path)
    monkeypatch.delenv(registers.FOLDER)
    app = sampled("admissions", REGISTER)
    assert "anonscope serve --register folder" in app.text and "make run REGISTER=folder" in app.text
    assert not app.has_button("Open the register") and not app.has_button("Make a register")
    assert not app.at.text_input, "no path is typed"
    within(app.session, _opening_is_refused)
    assert registers_of(app) is None


def _opening_is_refused() -> None:
    for act in (registers.open_it, registers.make):
        with refused("register-not-readable"):
            act()


def registers_of(app: App) -> Register | None:
    return within(app.session, registers.current)


def test_what_is_taken_home_is_entered_by_itself_once_in_all_its_formats(tmp_path: Path, made: Made) -> None:
    app = to_release(with_register(sampled("admissions", REGISTER)))
    file = made("Released CSV")
    app.choose("selectbox", "Format of the release", "Parquet")
    parquet = made("Released Parquet")
    made("All of these (zip)")
    (entry,) = FolderRegister.open(tmp_path).entries()
    assert dict(entry.formats) == {"CSV": sha256(file).hexdigest(), "Parquet": sha256(parquet).hexdigest()}
    assert entry.case == CASE_OF_IT and not entry.may_leave and entry.leaves_anyway
    assert entry.records == len(list(csv.reader(io.StringIO(file.decode())))) - 1
    assert "In the register: No. 1 of" in app.open(RELEASE).text and "(CSV and Parquet)" in app.text
    app.open(REGISTER)
    assert not app.errors and app.table("Recipient")["Recipient"].tolist() == ["University of Example"]
    rows = list(csv.DictReader(io.StringIO(made("Register (CSV)").decode("utf-8-sig"))))
    assert len(rows) == 1 and "EC 1/26" in rows[0].values()
    assert b"02138" not in made("Register (CSV)"), "no cell"


def test_without_a_register_nothing_is_entered_and_every_page_names_the_one_in_use(
    tmp_path: Path, made: Made, without_searches: None
) -> None:
    app = to_release(sampled("admissions", RELEASE))
    assert made("Released CSV")
    with_register(app)
    assert not FolderRegister.open(tmp_path).entries()
    for each in PAGES:
        app.open(each)
        links = [link.proto.label for link in app.at.sidebar.get("page_link")]
        assert f"Register: {tmp_path.name[:20]}" in "".join(links).replace("\\", ""), each
    app.open(REGISTER).press("register-let-go")
    assert registers_of(app) is None and "No register is used" in app.text
    assert (tmp_path / "anonscope-register.sqlite3").exists()


def test_a_new_case_on_the_same_persons_is_checked_without_being_asked(tmp_path: Path, made: Made) -> None:
    app = to_release(with_register(sampled("admissions", REGISTER)))
    made("Released CSV")
    app.session.case = replace(CASE_OF_IT, title="Another question", reference="EC 2/26")
    app.session.recipe = Recipe.of([Recode("age", Intervals(20))])
    for each in (VERDICT, RELEASE):
        app.open(each)
        labels = " ".join(link.proto.label for link in app.at.get("page_link"))
        assert "1 earlier release in the register could be held beside this one" in labels, each
    app.open(REGISTER)
    assert "EC 1/26" in app.text and "could be held beside this one" in app.text
    app.session.case = replace(CASE_OF_IT, title="Another question", recipient="Another university")
    assert "No other release in the register" in app.run().text, "to somebody else, who does not hold the first"


def test_what_is_due_and_what_came_back(tmp_path: Path, made: Made) -> None:
    app = to_release(with_register(sampled("admissions", REGISTER)))
    made("Released CSV")
    app.open(REGISTER)
    metrics = {metric.label: metric.value for metric in app.at.metric}
    assert metrics == {"Overdue": "0", "Due in 30 days": "1", "Open": "1", "Releases": "1"}
    app.tab("register-tabs", "What is due")
    assert app.table("By")["By"].tolist() == [CASE_OF_IT.until]
    app.tab("register-tabs", "One release")
    app.choose("date_input", "May be kept until", date.today() - timedelta(days=1))
    assert {metric.label: metric.value for metric in app.at.metric}["Overdue"] == "1"
    app.tab("register-tabs", "One release")
    app.press("The data were returned or deleted today")
    (entry,) = FolderRegister.open(tmp_path).entries()
    assert entry.closed == date.today().isoformat() and not app.errors
    assert {metric.label: metric.value for metric in app.at.metric}["Open"] == "0"


def test_a_register_that_is_gone_is_a_sentence_and_the_file_does_not_leave_unnoticed(
    tmp_path: Path, made: Made
) -> None:
    app = to_release(with_register(sampled("admissions", REGISTER)))
    (tmp_path / "anonscope-register.sqlite3").unlink()
    with refused("register-missing"):
        made("Released CSV")
    app.open(REGISTER)
    assert app.errors and "register" in app.errors[0]
    assert not app.press("register-let-go").errors


def test_a_served_anonscope_has_no_register(monkeypatch: pytest.MonkeyPatch) -> None:
    option = registers.st.get_option
    monkeypatch.setattr(
        registers.st, "get_option", lambda name: "0.0.0.0" if name == "server.address" else option(name)
    )
    app = sampled("admissions", REGISTER)
    assert "one machine" in app.text and not app.has_button("Make a register")


def test_the_page_needs_no_data() -> None:
    app = with_register(App(CASE))
    assert not app.errors and "No file is loaded" in app.text


def opened_another(app: App) -> App:
    app.open(DATA).choose("selectbox", "Or a sample", "weight_loss")
    return app.press("Open sample")


def test_a_register_stays_open_for_other_files_and_what_was_undone(tmp_path: Path, made: Made) -> None:
    app = with_register(sampled("admissions", REGISTER))
    assert any("every file" in each.value for each in app.at.success), "what the page claims"
    within_key = within(app.session, projects.of_register)
    opened_another(app)
    register = registers_of(app)
    assert register is not None and register.folder == tmp_path
    assert within(app.session, projects.of_register) == within_key
    to_release(app)
    made("Released CSV")
    (entry,) = FolderRegister.open(tmp_path).entries()
    assert entry.original == app.session.loaded.digest, "the second file's release is entered"
    app.press("undo")
    while app.session.loaded.name != "admissions.csv":
        app.press("undo")
    assert registers_of(app) is not None
    app.open(REGISTER).press("register-let-go").press("redo")
    assert registers_of(app) is None, "a register that was closed is not opened by going to another file"


def test_a_register_goes_with_the_data_and_that_is_stated(tmp_path: Path) -> None:
    app = with_register(sampled("admissions", REGISTER)).open(DATA)
    assert any("closes the register" in each.value for each in app.at.markdown)
    app.press("Forget this data for good")
    assert registers_of(app) is None and "The register is closed" in app.text
