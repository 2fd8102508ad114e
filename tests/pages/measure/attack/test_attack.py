"""The Attack page without a browser: its figures are the library's, its controls are taken, and odd data do no harm."""

from __future__ import annotations

import pandas as pd
import pytest
from streamlit.runtime.scriptrunner import StopException

from anonlib.basics import words
from anonlib.coarsening.recoding import Intervals
from anonlib.filing.project import LoadedFile
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, Recode
from anonlib.verdict.attacks import attacking
from anonlib.verdict.attacks.attacking import Attacks, AttackSettings, attack
from anonlib.verdict.attacks.in_words import worst_of_each
from anonlib.verdict.attacks.linkage import AttackerRegister
from anonlib.verdict.criteria import UniquenessOfRelease
from pages.measure.attack import results
from tests.helpers.app import ATTACK, ATTACK_FOLDS, App, dataset_of, seeded
from ui.kit import page
from ui.session.releases import FilesBeside
from ui.text import plain

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
def test_every_fold_of_odd_data(name):
    app = opened(name)
    for fold in app.each_fold("attack", ATTACK_FOLDS):
        assert not app.errors, (fold, app.errors)


def lines(app: App) -> list[str]:
    """The three lines of the page."""
    kinds = ("**Found**", "**Linked**", "**Guessed**")
    return [text.value for text in app.at.markdown if any(kind in text.value for kind in kinds)]


def test_the_page_opens_with_the_worst_of_each_kind_and_the_rest_is_folded():
    app = opened("records")
    found, linked, guessed = lines(app)
    assert found.startswith(":red") and "(singling out)" in found and "**That is red: above 20%.**" in found
    assert "(linkage)" in linked and "(inference)" in guessed and "ill is guessed right" in guessed
    assert "**Learned** (attribute disclosure): Of what leaves, somebody who knows any 2 facts" in app.text
    assert not app.at.metric and not app.at.tabs and not any(app.folds.values()) and "attack-Every attack" in app.folds
    app.choose("slider", "Red above a gain of", 50)
    assert [each.startswith(":red") for each in lines(app)] == [
        worst.is_red for worst in worst_of_each(expected(app), 0.5)
    ]  # fmt: skip
    app = opened("nothing known")
    assert "no column that leaves may be known" in lines(app)[1] and lines(app)[1].startswith(":material/help:")


def expected(app: App, **settings: object) -> Attacks:
    """What the library finds with the settings that the page begins with, or these."""
    data = dataset_of(app)
    known = {"known": ("age", "sex"), "one": ("age", "sex"), "other": ("ill", "who", "people")}
    attacker = AttackSettings(**{**known, "facts": 2, "sensitive": ("ill",), "n_columns": 3} | settings)
    return attack(Recipe().apply(data), Recipe(), attacker)


def test_figures_are_those_of_the_library_and_a_recipe_and_the_controls_are_taken():
    app = opened("records")
    found = expected(app)
    for line, worst in zip(lines(app), worst_of_each(found, 0.2), strict=True):
        assert plain(worst.says) in line
    app.fold("attack", "Columns at fault")
    assert f"**{words.share(found.alone.alone, 80, 'records')}** alone" in app.text
    assert "There is no recipe yet" in app.text
    app.session.recipe = Recipe.of([Recode("age", Intervals(10)), DropColumns(("who", "people"))])
    assert "There is no recipe yet" not in app.run().text
    app.choose("slider", "Columns of a condition", 1)
    assert not app.errors and "No condition that was drawn" in lines(app)[0]


def test_a_slider_has_only_those_attacks_tried_again_that_it_changes(monkeypatch):
    app = opened("records")
    tried: list[str] = []

    def noting(name, attack):
        def noted(*settings, **more):
            tried.append(name)
            return attack(*settings, **more)

        noted.__name__ = name
        return noted

    for name in ("predicate_attack", "linkage", "linkability", "inference_attack", "model_attack", "membership"):
        monkeypatch.setattr(attacking, name, noting(name, getattr(attacking, name)))
    app.choose("slider", "Red above a gain of", 3)
    assert tried == []
    app.choose("slider", "Wrong in the attacker’s list", 10)
    assert tried == ["linkage"]
    app.choose("slider", "Columns of a condition", 2)
    assert tried == ["linkage", "predicate_attack", "predicate_attack"] and not app.errors
    asked = {"n_columns": 2, "register": AttackerRegister(wrong=0.1)}
    for line, worst in zip(lines(app), worst_of_each(expected(app, **asked), 0.03), strict=True):
        assert plain(worst.says) in line, "as if all were tried"


def test_what_takes_seconds_begins_by_itself_and_what_takes_longer_by_its_button(monkeypatch):
    at_once = lines(opened("records"))
    monkeypatch.setattr(results, "AT_ONCE", -1.0)
    app = opened("records")
    assert lines(app) == at_once and not app.has_button("Start")
    monkeypatch.setattr(results, "BY_ITSELF", -1.0)
    app = opened("records")
    assert app.has_button("Start") and not lines(app)
    app.press("Start")
    assert lines(app) == at_once


def test_the_last_figures_stay_marked_while_others_wait_for_their_button(monkeypatch):
    app = opened("records")
    before = lines(app)
    monkeypatch.setattr(results, "AT_ONCE", -1.0)
    app.choose("slider", "Columns of a condition", 2)
    assert lines(app) == before and "takes about" in app.text
    assert "Shown is what was tried last, with 3 columns of a condition, a register and 1,000 tries" in app.text
    app.press("Start")
    assert "Shown is what was tried last" not in app.text and "on two columns" in lines(app)[0]
    app.choose("slider", "Columns of a condition", 3)
    assert lines(app) == before and "Shown is what was tried last" not in app.text, "remembered"


def test_what_was_stopped_says_what_was_not_tried(monkeypatch):
    monkeypatch.setattr(results, "AT_ONCE", -1.0)

    def inference_attack(*settings, **more):
        raise StopException

    monkeypatch.setattr(attacking, "inference_attack", inference_attack)
    app = opened("records")
    assert app.has_button("Stop")
    app.press("Stop")
    assert "attacks were not tried yet" in app.text and lines(app)[2].endswith("Not tried yet.")
    assert lines(app)[2].startswith(":material/help:")


def test_a_limit_is_set_with_one_click():
    app = opened("records").fold("attack", "Columns at fault")
    app.press("Set a limit on it in the verdict")
    assert not app.errors
    assert any(isinstance(each, UniquenessOfRelease) for each in app.session.aim.criteria)


def test_another_file_is_attacked_and_removed():
    app = opened("records")
    frame = pd.DataFrame({"age": ["30", "31"], "sex": ["F", "M"], "ill": ["x", "y"]}, dtype=object)
    other = dataset_of(app).from_frame(frame, "synthetic.csv")
    app.session.parts = {**app.session.parts, FilesBeside: FilesBeside(another=other)}
    app.fold("attack", "Another file")
    assert not app.errors
    assert "of its 2 records are a record of the original" in app.text.replace("**", "")
    app.press("Remove it")
    assert app.session.parts[FilesBeside].another is None


def test_a_sheet_that_was_filled_in_is_scored_and_a_wrong_one_is_refused(monkeypatch):
    sheets = {}
    download = page.download

    def noted(label, make, *arguments, **settings):
        sheets[label] = make
        download(label, make, *arguments, **settings)

    monkeypatch.setattr(page, "download", noted)
    app = opened("records").fold("attack", "Intruder")
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
