"""The pages of the library's names are made from their docstrings, and load nothing from elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import anonlib
from tools.api import packages, write


@pytest.mark.slow
def test_pages_are_of_what_packages_offer_and_load_nothing_from_elsewhere(tmp_path: Path) -> None:
    write(tmp_path / "api", ["anonlib", "anonlib.analyses.leakage"])
    pages = {path.relative_to(tmp_path / "api").as_posix(): path.read_text() for path in tmp_path.rglob("*.html")}
    assert set(pages) == {"index.html", "anonlib.html", "anonlib/analyses/leakage.html"}
    assert all(f'id="{name}"' in pages["anonlib.html"] for name in anonlib.__all__)
    assert "Longpr\u00e9" in pages["anonlib/analyses/leakage.html"]
    loaded = [
        what
        for page in pages.values()
        for what in re.findall(r"<(?:script|img|link)[^>]*(?:src|href)=.([^\"']+)", page)
    ]
    assert not [what for what in loaded if what.startswith(("http", "//"))]


def test_every_package_that_offers_something_has_a_page() -> None:
    names = packages()
    assert names[0] == "anonlib" and {"anonlib.analyses.frontier", "anonlib.verdict.criteria"} <= set(names)
