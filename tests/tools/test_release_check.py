"""The checklist of a version, on small repositories."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tools import release_check
from tools.release_check import (
    Outcome,
    changelog,
    missing_in_wheel,
    saved_files,
    sections_of,
    version_of,
    versions,
    walk,
    working_tree,
)

ROOT = Path(__file__).resolve().parents[2]
CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n## [1.0.0] - 2026-12-01\n\n### Added\n\n* Much.\n* More.\n"
FILES = {
    "anonlib/basics/version.py": 'VERSION = "1.0.0"\n',
    "CITATION.cff": "version: 1.0.0\ndate-released: 2026-12-01\n",
    "CHANGELOG.md": CHANGELOG,
    "README.md": "pip install anonscope-1.0.0-py3-none-any.whl, at 127.0.0.1\n",
    "pyproject.toml": "",
    "app.py": "",
    "LICENSE": "as you like\n",
    "NOTICE": "of others\n",
    "docs/benchmarks.md": "fast\n",
    "docs/screenshots/risk.png": "a picture\n",
    "pages/risk.py": "shown = 1\n",
}
PROJECT = """
[project]
name = "anonscope"
version = "1.0.0"
license-files = ["LICENSE", "NOTICE"]
[project.scripts]
anonscope = "anonlib:main"
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[tool.hatch.build.targets.wheel]
include = ["/anonlib"]
[tool.hatch.build.targets.wheel.force-include]
"app.py" = "anonscope_app/app.py"
"""
WHEEL = (
    "anonlib/basics/version.py",
    "anonlib/reading/samples/files/admissions.csv",
    "anonscope_app/app.py",
    "anonscope-1.0.0.dist-info/licenses/LICENSE",
    "anonscope-1.0.0.dist-info/licenses/NOTICE",
    "anonscope-1.0.0.dist-info/entry_points.txt",
)
WHEEL_NAME = "anonscope-1.0.0-py3-none-any.whl"


def git(root: Path, *arguments: str) -> None:
    who = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


def write(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text, encoding="utf-8")


def commit(root: Path, name: str, text: str) -> None:
    write(root, name, text)
    git(root, "add", "-A")
    git(root, "commit", "-m", f"{name} changed")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository of which nothing is open."""
    git(tmp_path, "init", "-q")
    for name, text in FILES.items():
        write(tmp_path, name, text)
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-m", "everything")
    return tmp_path


def test_nothing_is_open_where_all_is_done(repository: Path) -> None:
    for step in (versions, changelog, saved_files, working_tree, release_check.pictures, release_check.benchmarks):
        assert step(repository) == Outcome(), step.__name__


@pytest.mark.parametrize(
    "name, text, sentence",
    [
        ("CITATION.cff", "version: 0.9.0\ndate-released: 2026-12-01\n", "CITATION.cff names 0.9.0"),
        ("CITATION.cff", "version: 1.0.0\ndate-released: 2026-12-02\n", "of 2026-12-02 and CHANGELOG.md of 2026-12-01"),
        ("CITATION.cff", "version: 1.0.0\n", "of no day"),
        ("CHANGELOG.md", CHANGELOG.replace(" - 2026-12-01", ""), "no section of 1.0.0 with its day"),
        ("CHANGELOG.md", CHANGELOG.replace("1.0.0", "0.9.0"), "no section of 1.0.0 with its day"),
        ("README.md", "Anonscope 0.9.0\n", "README.md names 0.9.0"),
        ("anonlib/basics/version.py", 'VERSION = "1.1.0"\n', "no section of 1.1.0"),
    ],
)
def test_places_that_name_another_version_are_open(repository: Path, name: str, text: str, sentence: str) -> None:
    write(repository, name, text)
    assert sentence in " ".join(versions(repository).open)


def test_a_changelog_that_waits_or_is_empty_is_open(repository: Path) -> None:
    write(repository, "CHANGELOG.md", CHANGELOG.replace("## [Unreleased]\n", "## [Unreleased]\n\n* New.\n"))
    assert changelog(repository).open[0].startswith("1 entries are under Unreleased")
    write(repository, "CHANGELOG.md", "## [1.0.0] - 2026-12-01\n")
    empty, no_section = changelog(repository).open
    assert "is empty" in empty and "no section “## [Unreleased]”" in no_section


def test_a_version_whose_files_are_not_kept_is_open(repository: Path) -> None:
    write(repository, "CHANGELOG.md", CHANGELOG + "\n## [0.9.0] - 2026-11-01\n\n* First.\n")
    (sentence,) = saved_files(repository).open
    assert sentence.startswith("tests/saved has no files of 0.9.0")
    write(repository, "tests/saved/0.9.0/expected.json", "{}")
    assert saved_files(repository) == Outcome()


def test_sections_count_their_own_entries() -> None:
    sections = sections_of(CHANGELOG + "\n## [0.9.0] - 2026-11-01\n\n* First.\n")
    counted = [(name, section.day, section.entries) for name, section in sections.items()]
    assert counted == [("Unreleased", "", 0), ("1.0.0", "2026-12-01", 2), ("0.9.0", "2026-11-01", 1)]


def test_what_is_not_committed_is_open(repository: Path) -> None:
    write(repository, "pages/new.py", "")
    write(repository, "README.md", "changed")
    assert working_tree(repository).open == ("2 files differ from the last commit: commit or undo them.",)


def test_pictures_older_than_pages_are_open_and_benchmarks_a_reminder(repository: Path) -> None:
    commit(repository, "pages/risk.py", "shown = 2\n")
    assert "changed in 1 commits" in release_check.pictures(repository).open[0]
    outcome = release_check.benchmarks(repository)
    assert not outcome.open and "changed in 1 commits" in outcome.reminders[0]
    commit(repository, "docs/screenshots/risk.png", "another picture\n")
    commit(repository, "docs/benchmarks.md", "faster\n")
    commit(repository, "anonlib/basics/version.py", 'VERSION = "1.0.1"\n')
    assert release_check.pictures(repository) == release_check.benchmarks(repository) == Outcome()


def test_pages_of_a_branch_that_was_merged_after_the_pictures_are_newer_whatever_their_day(repository: Path) -> None:
    git(repository, "checkout", "-q", "-b", "branch")
    commit(repository, "pages/risk.py", "shown = 2\n")
    git(repository, "checkout", "-q", "-")
    commit(repository, "docs/screenshots/risk.png", "another picture\n")
    git(repository, "merge", "-q", "branch")
    assert release_check.pictures(repository).open


def test_a_wheel_with_all_of_it_is_as_it_must_be(repository: Path) -> None:
    assert missing_in_wheel(WHEEL, repository, WHEEL_NAME) == []


@pytest.mark.parametrize("lacking", WHEEL)
def test_what_a_wheel_lacks_is_named(repository: Path, lacking: str) -> None:
    assert len(missing_in_wheel([name for name in WHEEL if name != lacking], repository, WHEEL_NAME)) == 1


def test_a_wheel_of_another_version_or_with_more_in_it_is_named(repository: Path) -> None:
    (sentence,) = missing_in_wheel(WHEEL, repository, "anonscope-0.9.0-py3-none-any.whl")
    assert sentence == "The wheel is anonscope-0.9.0-py3-none-any.whl: it must be of 1.0.0."
    (sentence,) = missing_in_wheel((*WHEEL, "tests/test_x.py"), repository, WHEEL_NAME)
    assert sentence.startswith("The wheel has tests at its top")


@pytest.mark.slow
def test_the_wheel_is_of_what_is_committed(repository: Path) -> None:
    commit(repository, "pyproject.toml", PROJECT)
    (sentence,) = release_check.wheel(repository).open
    assert sentence == "The wheel has no samples: see pyproject.toml."
    commit(repository, "anonlib/reading/samples/files/admissions.csv", "age\n30\n")
    write(repository, "anonlib/new.py", "")
    assert release_check.wheel(repository) == Outcome()


def test_a_wheel_that_is_not_built_is_open(repository: Path) -> None:
    commit(repository, "pyproject.toml", "[build-system\n")
    assert release_check.wheel(repository).open[0].startswith("The wheel is not built: ")


def test_the_list_is_walked_and_the_status_shows_it(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    steps = {"first": lambda _: Outcome(reminders=("Think of it.",)), "second": lambda _: Outcome()}
    monkeypatch.setattr(release_check, "STEPS", steps)
    assert walk(repository)
    assert capsys.readouterr().out.split("\n") == [
        "first         ok", "              Think of it.", "second        ok", ""
    ]  # fmt: skip
    assert not walk(repository, left_out=["second"])
    assert "second        open\n              Left out.\n" in capsys.readouterr().out
    monkeypatch.setattr(release_check, "STEPS", {"first": lambda _: Outcome(("Do it.",))})
    assert release_check.main([]) == 1
    assert capsys.readouterr().out.endswith("Do it.\nNot ready yet.\n")


@pytest.mark.parametrize(("recipe", "is_open"), [("true", False), ("false", True)])
def test_tests_in_databases_that_fail_are_open(
    recipe: str, is_open: bool, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release_check.java, "lacking", lambda: None)
    write(repository, "Makefile", f"test-engines:\n\t@{recipe}\n")
    assert bool(release_check.engines(repository).open) == is_open


def test_without_java_tests_in_databases_are_open_whatever_the_others_say(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(repository))
    write(repository, "Makefile", "test-engines:\n\t@true\n")
    (sentence,) = release_check.engines(repository).open
    assert "it needs Java 17 or newer" in sentence
    assert list(release_check.STEPS)[-2:] == ["tests", "engines"]


def test_this_repository_names_one_version() -> None:
    assert versions(ROOT) == Outcome() and version_of(ROOT)
