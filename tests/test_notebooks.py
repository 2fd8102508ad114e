"""The notebooks run from top to bottom, and print what stands in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.notebooks import FOLDER, cells_of, outputs_of

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_prints_what_stands_in_it(path: Path) -> None:
    cells = cells_of(path, "code")
    for cell, outputs in zip(cells, outputs_of(cells, path.name), strict=True):
        assert printed(outputs) == printed(cell["outputs"]), "".join(cell["source"])
        assert kinds(outputs) == kinds(cell["outputs"])


def printed(outputs: list[dict]) -> str:
    return "".join(text for output in outputs for text in output.get("text", []))


def kinds(outputs: list[dict]) -> list[str]:
    return [kind for output in outputs for kind in output.get("data", {"text": ""})]


def test_both_are_there_as_jupyter_reads_them() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["frontier", "release"]
    for path in NOTEBOOKS:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        assert notebook["nbformat"] == 4 and notebook["cells"][0]["source"][0].startswith("# ")
