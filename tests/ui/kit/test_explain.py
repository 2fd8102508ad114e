"""The documents that the app shows: each opens whole, and what it links to opens with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ui.kit import explain

ROOT = explain.DOCUMENTS.parent
ANALYSES = sorted((explain.DOCUMENTS / "analyses").glob("*.md"))


def shown(path: Path) -> str:
    """All that a page shows of a document."""
    document = explain.read(path)
    return "\n\n".join([document.lead, *document.sections.values(), *document.linked.values()])


@pytest.mark.parametrize("path", ANALYSES, ids=lambda path: path.stem)
def test_a_document_is_shown_whole(path: Path) -> None:
    document = explain.read(path)
    own = " ".join([document.lead, *(f"## {heading} {text}" for heading, text in document.sections.items())])
    title, _, text = path.read_text(encoding="utf-8").partition("\n")
    assert title.startswith("# ")
    assert own.split() == re.sub(r"\[([^]]+)\]\([^)]+\)", r"**\1**", text).split()
    assert all(document.sections.values()) and all(document.linked.values())
    assert "](" not in shown(path), "no link leads out of the app"


@pytest.mark.parametrize("path", ANALYSES, ids=lambda path: path.stem)
def test_formulas_are_whole(path: Path) -> None:
    """A formula in a line ends in its paragraph, and one by itself has its marks on lines of their own."""
    without_code = re.sub(r"`[^`]*`", "", shown(path))
    text, marks = re.subn(r"^\$\$$", "", without_code, flags=re.MULTILINE)
    assert marks % 2 == 0
    assert "$$" not in text
    assert all(line.count("$") % 2 == 0 for line in re.split(r"\n\n|\n(?=[|*])", text))


def test_pages_show_documents_that_are_there() -> None:
    named = [
        name
        for page in (ROOT / "pages").rglob("*.py")
        for name in re.findall(r"explain\.show, \"(\w+)\"", page.read_text(encoding="utf-8"))
    ]
    assert len(set(named)) == 14
    assert set(named) <= {path.stem for path in ANALYSES}
