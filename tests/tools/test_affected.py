"""Which tests a change is tried by follows from what imports what."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tools import affected
from tools.affected import ALL_OF_LIBRARY, OF_CODE, OF_OTHER_FILES, Sources

TREE = Sources(
    {
        "anonlib/__init__.py": "",
        "anonlib/basics/words.py": "",
        "anonlib/risk/__init__.py": "from anonlib.risk.highest import highest as highest",
        "anonlib/risk/highest.py": "from anonlib.basics import words\ndef highest(): ...",
        "anonlib/risk/lowest.py": "",
        "anonlib/report.py": "from anonlib.risk import highest",
        "anonlib/other.py": "import anonlib.risk.lowest",
        "pages/measure/risk/page.py": "from pages.measure.risk import picture",
        "pages/measure/risk/picture.py": "def show():\n    from anonlib.report import write",
        "app.py": "",
        "tests/helpers/risks.py": "from anonlib.risk import highest",
        "tests/conftest.py": "",
        "tests/pages/conftest.py": "",
        "tests/anonlib/test_report.py": "",
        "tests/anonlib/risk/test_risk.py": "",
        "tests/anonlib/risk/test_highest.py": "from tests.helpers.risks import made_up",
        "tests/anonlib/test_other.py": "",
        "tests/anonlib/test_all.py": "from anonlib.risk.highest import highest",
        "tests/pages/measure/risk/test_risk.py": "",
        "tests/tools/test_make.py": "",
    }
)
HIGHEST = {"tests/anonlib/risk/test_highest.py", "tests/anonlib/test_all.py", "tests/anonlib/risk/test_risk.py"}


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("anonlib/risk/highest.py", {*OF_CODE, *HIGHEST, "tests/anonlib/test_report.py"}),
        ("anonlib/risk/lowest.py", {*OF_CODE, "tests/anonlib/risk/test_risk.py", "tests/anonlib/test_other.py"}),
        ("anonlib/report.py", {*OF_CODE, "tests/anonlib/test_report.py", "tests/pages/measure/risk/test_risk.py"}),
        ("pages/measure/risk/picture.py", {*OF_CODE, "tests/pages/measure/risk/test_risk.py"}),
        ("anonlib/gone.py", set(OF_CODE)),
        ("tests/anonlib/test_other.py", {"tests/anonlib/test_other.py"}),
        ("tests/anonlib/test_gone.py", set()),
        ("tests/helpers/risks.py", {"tests/anonlib/risk/test_highest.py"}),
        ("tests/pages/conftest.py", {"tests/pages"}),
        ("tests/conftest.py", {"tests"}),
        ("docs/start.md", set(OF_OTHER_FILES)),
    ],
)
def test_a_change_is_tried_by(changed: str, tests: set[str]) -> None:
    assert TREE.tests_of([changed]) == tests


def test_all_of_the_library_is_tried_where_what_all_of_it_needs_changed() -> None:
    tests = TREE.tests_of(["anonlib/basics/words.py", "tests/anonlib/test_other.py"])
    assert ALL_OF_LIBRARY in tests and not [test for test in tests if test.startswith("tests/anonlib/")]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit."""
    monkeypatch.setattr(affected, "ROOT", tmp_path)
    for path in ("app.py", "anonlib/report.py", "tests/anonlib/test_report.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("")
    commit = ["-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "-m", "One"]
    for words in (["init", "-q"], ["add", "-A"], commit):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    return tmp_path


def test_where_nothing_changed_it_says_so(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert affected.main() == affected.NOTHING
    printed = capsys.readouterr()
    assert printed.out == "" and "Nothing differs from HEAD" in printed.err


def test_what_is_not_committed_and_what_nobody_added_is_changed(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "anonlib/report.py").write_text("CHANGED = 1\n")
    (repository / "tests/anonlib/test_new.py").write_text("from anonlib import report\n")
    assert affected.main("HEAD") == 0
    files = ["tests/anonlib/test_new.py", "tests/anonlib/test_report.py", *OF_CODE]
    assert capsys.readouterr().out.split() == sorted(files)
