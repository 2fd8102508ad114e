"""Documents name what is there: links lead to a file and a heading, and paths are those of the repository."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted(path for pattern in ("*.md", "docs/**/*.md", "data/**/*.md") for path in ROOT.glob(pattern))
LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH = re.compile(r"`((?:anonlib|ui|pages|tests|docs|data|benchmarks|tools)/[\w./-]*)(?:::(\w+))?`")
DECISIONS = ROOT / "docs" / "decisions"


def anchors_of(text: str) -> set[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_a_document_names_is_there(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    missing = []
    for target, _, anchor in (link.partition("#") for link in LINK.findall(text) if "://" not in link):
        file = (document.parent / target).resolve() if target else document
        if not file.exists() or (anchor and anchor not in anchors_of(file.read_text(encoding="utf-8"))):
            missing.append(f"{target}#{anchor}")
    for path, name in PATH.findall(text):
        file = ROOT / path
        if not file.exists() or (name and not re.search(rf"\b{name}\b", file.read_text(encoding="utf-8"))):
            missing.append(f"{path}::{name}" if name else path)
    assert not missing, missing


def test_the_index_lists_every_decision() -> None:
    listed = set(LINK.findall((DECISIONS / "README.md").read_text(encoding="utf-8")))
    assert listed == {path.name for path in DECISIONS.glob("*.md")} - {"README.md"}
