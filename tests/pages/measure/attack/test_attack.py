"""The Attack page without a browser: its figures are the library's, its controls are taken, and odd data do no harm."""

from __future__ import annotations

import pandas as pd
import pytest

from anonlib.coarsening.recoding import Intervals
from anonlib.filing.project import LoadedFile
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, Recode
from anonlib.verdict.attacks.attacking import Attacker, attack
from anonlib.verdict.criteria import AloneByWhatLeaves
from pages.measure.attack import results
from pages.measure.attack.question import Files
from tests.helpers.app import ATTACK, ATTACK_TABS, App, dataset_of, seeded
from ui.kit import page

TABS = "attack-tabs"
QUASI, SENSITIVE = "quasi_identifier", "sensitive"
BASIC = {"age": QUASI, "sex": QUASI, "ill": SENSITIVE}
ROWS = [f"{30 + i % 17},{'FM'[i % 2]},{'xyz'[i % 3]},{i // 2},{i % 4}" for i in range(80)]
VISITS = ("age,sex,ill,who,people\n" + "\n".join(ROWS) + "\n").encode()
FILES: dict[str, tuple[bytes, dict[str, str]]] = {
    "records": (VISITS, BASIC),
    "persons": (VISITS, BASIC | {"who": "person_id"}),
    "weights": (VISITS, BASIC | {"people": "weight"}),
    "nothing known": (VISITS, {"ill": SENSITIVE}),
    "missing": (b"age,sex,ill\n30,F,x\n,F,y\n31,,x\n,,\n30,M,\n32,F,y\n" * 4, BASIC),
    "all equal": (b"age,sex,ill\n" + b"30,F,x\n" * 20, BASIC),
    "one record": (b"age,sex,ill\n30,F,x\n", BASIC),
}


def opened(name: str) -> App:
    data, roles = FILES[name]
    return seeded(data, page=ATTACK, roles=roles)


@pytest.mark.parametrize("name", FILES)
def test_every_tab_of_odd_data(name):
    app = opened(name)
    for tab in app.each_tab(TABS, ATTACK_TABS):
        assert not app.errors, (tab, app.errors)


def test_figures_are_those_of_the_library_and_a_recipe_and_the_controls_are_taken():
    app = opened("records")
    data = dataset_of(app)
    attacker = Attacker(("age", "sex"), 2, ("ill",), 5, (), 3, ("age", "sex"), ("ill", "who", "people"))
    found = attack(Recipe().apply(data), Recipe(), attacker)
    (link,) = found.of_kind("linkage")
    assert app.metric("Linked rightly") == f"{100 * link.rate.share:.3g}%"
    assert app.metric("Alone by 3 columns") == f"{100 * found.alone.share_alone:.3g}%"
    assert "There is no recipe yet" in app.text
    app.session.recipe = Recipe.of([Recode("age", Intervals(10)), DropColumns(("who", "people"))])
    assert "There is no recipe yet" not in app.run().text
    app.choose("slider", "Columns of a predicate", 1)
    assert not app.errors and "of one of the released columns" in app.text


def test_what_takes_seconds_begins_by_itself_and_what_takes_longer_by_its_button(monkeypatch):
    at_once = opened("records").metric("Linked rightly")
    monkeypatch.setattr(results, "AT_ONCE", -1.0)
    app = opened("records")
    assert app.metric("Linked rightly") == at_once and not app.has_button("Start")
    monkeypatch.setattr(results, "BY_ITSELF", -1.0)
    app = opened("records")
    assert app.has_button("Start") and "Linked rightly" not in app.text
    app.press("Start")
    assert app.metric("Linked rightly") == at_once


def test_a_limit_is_set_with_one_click():
    app = opened("records")
    for tab in app.each_tab(TABS, ("Columns at fault",)):
        app.press("Set a limit on it in the verdict")
        assert not app.errors, tab
    assert any(isinstance(each, AloneByWhatLeaves) for each in app.session.aim.criteria)


def test_another_file_is_attacked_and_removed():
    app = opened("records")
    frame = pd.DataFrame({"age": ["30", "31"], "sex": ["F", "M"], "ill": ["x", "y"]}, dtype=object)
    other = dataset_of(app).from_frame(frame, "synthetic.csv")
    app.session.parts = {**app.session.parts, Files: Files(another=other)}
    for _ in app.each_tab(TABS, ("Another file",)):
        assert not app.errors
        assert "of its 2 records are a record of the original" in app.text.replace("**", "")
        app.press("Remove it")
        assert app.session.parts[Files].another is None


def test_a_sheet_that_was_filled_in_is_scored_and_a_wrong_one_is_refused(monkeypatch):
    sheets = {}
    download = page.download

    def noted(label, make, *arguments, **settings):
        sheets[label] = make
        download(label, make, *arguments, **settings)

    monkeypatch.setattr(page, "download", noted)
    app = opened("records").tab(TABS, "Intruder")
    form = LoadedFile.of(sheets["Sheet for the intruder (Excel)"](), "sheet.xlsx").source.frame
    assert len(form) == 20 and not app.errors
    form["record"] = "1"
    app.upload(form.to_csv(index=False).encode(), "filled.csv", "The sheet as it was filled in")
    assert not app.errors and "Of 20 targets" in app.text and "of 20 claims" in app.text
    form["record"] = "999"
    app.upload(form.to_csv(index=False).encode(), "filled.csv", "The sheet as it was filled in")
    assert any("from 1 to 80" in error for error in app.errors) and "999" not in "".join(app.errors)
    app.choose("number_input", "Draw number", 2)
    assert any("none of this draw" in error for error in app.errors)
