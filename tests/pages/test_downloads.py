"""No page offers records of a release while the verdict is against it, and what stays inside says so."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from anonlib.coarsening.recoding import Intervals
from anonlib.filing.register import FolderRegister
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut, Recode
from tests.helpers.app import CASE, DATA, REGIONS, RELEASE, REPORT, ROOT, TABS_OF, VERDICT, App
from tests.helpers.downloads import Offered
from tests.helpers.regions import LINES, of_files
from ui.files import registers

SOURCES = [*(ROOT / "pages").rglob("*.py"), *(ROOT / "ui").rglob("*.py"), ROOT / "app.py"]
ROLES = {"age": "quasi_identifier", "area": "place", "ward": "other", "illness": "sensitive"}
TABS = dict.fromkeys((DATA, VERDICT), ("", ())) | TABS_OF | dict.fromkeys((REPORT, CASE), ("", ()))
OF_A_RELEASE = {"Released CSV", "Codebook", "Protected records", "Release with fakes (CSV)"}


def people(**fields) -> App:
    """39 people, each with a ward and an illness of their own: whatever holds one of these values holds a record.

    One of their eight classes has four, which a fake record fills.
    """
    areas = [line.split(",")[0] for line in LINES[1:]]
    rows = [f"{20 + i % 8},{areas[i % 4]},kept-{i:03},held-{i:03}" for i in range(39)]
    return of_files("\n".join(["age,area,ward,illness", *rows]).encode(), roles=ROLES, **fields)


def walk(app: App) -> Iterator[str]:
    """Every page with its tabs."""
    for page, (key, tabs) in TABS.items():
        app.open(page)
        assert not app.errors, (page, app.errors)
        if key and app.at.tabs:
            for tab in app.each_tab(key, [each.label for each in app.at.tabs if each.label in tabs]):
                yield f"{page} {tab}"
        else:
            yield page


def test_a_download_is_offered_in_one_place():
    """Only ``page.download`` offers a file, by whatever name, and each call says what the file holds."""
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in SOURCES}
    assert [name for name, text in texts.items() if "download_button" in text] == ["ui/kit/page.py"]
    offers = [name for name, text in texts.items() if re.search(r"href=|data:[a-z]+/|write_bytes|write_text", text)]
    assert offers == ["ui/server/sign_in/notices.py"], "its links lead on to sign in"
    calls = [
        node
        for text in texts.values()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "page.download"
    ]
    assert len(calls) > 40
    assert not [ast.unparse(node) for node in calls if "holds" not in {each.arg for each in node.keywords}]
    leaving = [node for node in calls if "Holds.RELEASE" in ast.unparse(node)]
    assert leaving and all("enters" in {each.arg for each in node.keywords} for node in leaving), "for the register"


def test_no_page_offers_records_while_the_verdict_is_against_it(offered: dict[str, Offered]):
    app = people().put(generalize_fakes=True)
    assert len(list(walk(app))) > 30 and "Not yet for" in app.open(RELEASE).text
    assert {each.label for each in offered.values()} >= OF_A_RELEASE
    for each in offered.values():
        if each.label in OF_A_RELEASE:
            assert each.disabled, each.label
        if not each.disabled and not each.stays_inside:
            data = each.make()
            assert b"held-" not in data and b"kept-" not in data, f"{each.label} holds records or values"
    app.leave_anyway()
    assert not offered["download-csv"].disabled and offered["download-csv"].make().count(b"held-") == 39


@pytest.mark.usefixtures("without_searches")
def test_whatever_holds_records_is_entered_in_the_register(offered: dict[str, Offered], tmp_path: Path):
    app = people(recipe=Recipe.of([Recode("age", Intervals(50))])).press("Add to recipe")
    app.session.parts = {**app.session.parts, registers.Chosen: registers.Chosen(FolderRegister.create(tmp_path))}
    app.put(generalize_fakes=True).open(RELEASE).leave_anyway()
    for _ in walk(app):
        pass
    taken = {each.label: each.make() for each in offered.values() if each.label in OF_A_RELEASE and not each.disabled}
    holding = {label: data for label, data in taken.items() if b"held-" in data}
    assert {"Released CSV", "Protected records"} <= set(holding) and "Codebook" not in holding
    entered = {digest for entry in FolderRegister.open(tmp_path).entries() for digest in entry.formats.values()}
    assert entered == {sha256(data).hexdigest() for data in holding.values()}


def test_regions_offer_records_once_they_are_in_the_recipe_and_judged(offered: dict[str, Offered]):
    app = people(recipe=Recipe.of([Recode("age", Intervals(50))]))
    records = offered["regions-records"]
    assert records.disabled and "Add these regions to the recipe first" in records.help
    app.press("Add to recipe")
    assert "verdict is against it" in offered["regions-records"].help
    app.open(RELEASE).leave_anyway().open(REGIONS)
    assert not offered["regions-records"].disabled
    app.session.recipe = Recipe.of([LeaveOut(2)])
    app.run()
    assert offered["regions-records"].disabled, "a reason for one release is none for regions that are not in it"
