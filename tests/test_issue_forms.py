"""What the forms for issues ask for, and warn of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1] / ".github" / "ISSUE_TEMPLATE"
FORMS = sorted(path for path in FOLDER.glob("*.yml") if path.name != "config.yml")


def test_there_is_a_form_for_each_kind_of_issue_and_no_issue_without_one() -> None:
    assert [form.name for form in FORMS] == ["1-wrong-number.yml", "2-fault.yml", "3-wish.yml"]
    chooser = (FOLDER / "config.yml").read_text(encoding="utf-8")
    assert "blank_issues_enabled: false" in chooser and "report it privately" in chooser


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_a_form_warns_of_real_data_and_asks_what_is_needed(form: Path) -> None:
    text = form.read_text(encoding="utf-8")
    assert text.index("**Never attach real data**") < text.index("id: ")
    assert re.search(r"real person or made of a real file\.\n +required: true", text)
    assert set(re.findall(r"^    id: (\S+)$", text, re.MULTILINE)) >= {"no-real-data", "version", "shown", "script"}
    assert re.search(r"id: version\n(?: +.*\n)+? +required: true", text)
