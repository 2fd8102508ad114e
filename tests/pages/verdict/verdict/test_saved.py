"""A proposal taken on the Verdict page is in the project that is saved: the command line releases the same bytes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pandas as pd
import pytest
import streamlit as st

from anonlib.columns.roles import Role
from anonlib.verdict.criteria import PARTS, WHOLE_COLUMNS, Aim, RareValues, RecordsKept, SmallestClass
from tests.helpers.app import RELEASE, VERDICT, seeded, within
from tests.helpers.evidence import as_bytes
from tests.helpers.other_process import OtherProcess
from ui.files import projects
from ui.session import view

ROLES = {"age": Role.QUASI_IDENTIFIER, "value": Role.SENSITIVE, "ill": Role.SENSITIVE}
CRITERIA = (SmallestClass(5), RareValues(8), RecordsKept(1.0))


@pytest.fixture
def elsewhere() -> Iterator[OtherProcess]:
    process = OtherProcess()
    yield process
    process.close()


@pytest.fixture
def downloads(monkeypatch: pytest.MonkeyPatch) -> dict[str, Callable[[], bytes]]:
    """What makes each download that a page offers, by its label."""
    shown: dict[str, Callable[[], bytes]] = {}
    download = st.download_button

    def noted(label, data, *arguments, **options):
        shown[label] = data
        return download(label, data, *arguments, **options)

    monkeypatch.setattr(st, "download_button", noted)
    return shown


def laboratory() -> bytes:
    """Ages, a laboratory value with rare ones and texts, and illnesses of which some are rare."""
    n = 120
    values = [str(100 + 7 * (i % 12)) for i in range(n - 6)] + ["913", "917", "500", "510", "low", "low"]
    ill = ["gout", "lupus", "polio"] + ["flu" if i % 3 else "cold" for i in range(n - 3)]
    return as_bytes(pd.DataFrame({"age": [str(40 + i % 6) for i in range(n)], "value": values, "ill": ill}))


@pytest.mark.parametrize("way", [WHOLE_COLUMNS, PARTS])
def test_what_the_page_releases_the_command_line_releases(way, elsewhere, downloads, tmp_path: Path) -> None:
    file = laboratory()
    aim = Aim("own", CRITERIA, ways=(way,))
    app = seeded(file, page=VERDICT, roles=ROLES, aim=aim, seed=11)
    app.press("Take this")
    assert "value" in {name for step in app.session.recipe.enabled for name in step.recodes}
    says = within(app.session, lambda: view.now().verdict.says)
    app.open(RELEASE)
    released = within(app.session, downloads["Released CSV"])
    text = within(app.session, lambda: projects.text(projects.current()))
    recipe = json.loads(text)["tables"][0]["recipe"]
    assert "lupus" not in json.dumps(recipe) and "913" not in json.dumps(recipe), "no value of a sensitive column"
    data, project = tmp_path / "visits.csv", tmp_path / "project.json"
    data.write_bytes(file)
    project.write_bytes(text)
    there = elsewhere.release(data, project)
    assert there["why_not"] == "" and there["verdict"] == says
    assert there["sha256"] == sha256(released).hexdigest()
