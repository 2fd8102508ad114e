"""What earlier versions saved is opened by this one, and makes the same release."""

from __future__ import annotations

import json
import runpy
import warnings
from hashlib import sha256
from pathlib import Path

import pytest

from anonlib.command import main
from anonlib.filing.evidence import evidence_of, released_file
from anonlib.filing.evidence.report import report_of
from anonlib.filing.evidence.report.wording import names_in
from anonlib.filing.languages.report import translated
from anonlib.filing.project import LoadedFile, Project, Upgraded, open_project, project_of
from tests.helpers.written import FORMS, SNAPSHOT, digests

SAVED, SAMPLES = Path(__file__).parent / "saved", Path(__file__).parents[1] / "data" / "samples"
VERSIONS = sorted(folder.name for folder in SAVED.iterdir() if folder.is_dir())
EXPECTED = {
    (version, name): found
    for version in VERSIONS
    for name, found in json.loads((SAVED / version / "expected.json").read_text()).items()
}
RELEASED_OTHERWISE: dict[tuple[str, str], str] = {
    ("0.1.0", "admissions-contract"): (
        "a step leaves out persons of whom a value is certain; where rows differ, that was looked at as equal sets, "
        "and is looked at now as a value that all who share what is known have"
    ),
}
"""Releases that come out otherwise today, each with the reason."""


def _original(expected: dict, folder: Path) -> Path:
    """The sample that a project is of, or a folder of several."""
    if "file" in expected:
        return SAMPLES / expected["file"]
    if len(expected["files"]) == 1:
        return SAMPLES / expected["files"][0]
    folder.mkdir()
    for name in expected["files"]:
        (folder / name).symlink_to(SAMPLES / name)
    return folder


def _files(kind: str) -> list[Path]:
    return sorted(path for version in VERSIONS for path in (SAVED / version / kind).iterdir())


@pytest.mark.parametrize("path", [path for kind in FORMS for path in _files(kind)], ids=lambda path: path.stem)
def test_what_was_saved_is_opened_and_saved_again(path: Path) -> None:
    opened, saved = FORMS[path.parent.name]
    found = opened(path.read_bytes())
    again = opened(saved(found))
    assert again == found
    if path.parent.name == "evidence":
        assert found.criteria
    else:
        assert again.seed == found.seed is not None


def test_the_text_of_each_is_written_as_before() -> None:
    """Byte by byte. Where files are to hold something else, `python -m tests.helpers.written` lists the digests."""
    assert digests() == json.loads(SNAPSHOT.read_text(encoding="utf-8"))


OF_0_2 = [path for path in _files("evidence") if path.parents[1].name != "0.1.0"]  # whose sentences have no German


@pytest.mark.parametrize("path", OF_0_2, ids=lambda path: path.stem)
def test_a_report_of_evidence_is_german_throughout(path: Path) -> None:
    """Sentences that evidence holds are those of the version that saved it."""
    evidence = evidence_of(path.read_bytes())
    _, missing = translated(report_of(evidence, "assessment"), "de", names_in(evidence))
    assert not missing


def test_evidence_without_digests_of_formats_compares_the_csv_alone(tmp_path: Path) -> None:
    folder = SAVED / "0.1.0"
    evidence = folder / "evidence" / "weight-loss-t.json"
    project = Project.from_json((folder / "projects" / "weight-loss-t.json").read_bytes())
    data = (SAMPLES / EXPECTED["0.1.0", "weight-loss-t"]["file"]).read_bytes()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Upgraded)
        opened = open_project(project, LoadedFile.of(data, "weight-loss.csv"))
    for kind, status in (("CSV", 0), ("Parquet", 4)):
        (tmp_path / "back").write_bytes(released_file(opened, kind))
        assert main(["verify", str(tmp_path / "back"), "--evidence", str(evidence)]) == status


@pytest.mark.parametrize("path", _files("toml"), ids=lambda path: path.stem)
def test_a_project_by_hand_is_opened(path: Path) -> None:
    expected = EXPECTED.get((path.parents[1].name, path.stem), {"file": "admissions.csv"})
    sample = _original(expected, path)
    opened = open_project(project_of(path.read_bytes()), LoadedFile.of(sample.read_bytes(), sample.name))
    assert opened.applied.released.n_records and opened.verdict.findings


OF_OTHERS = {
    ("0.1.0", "admissions-cms"), ("0.1.0", "admissions-own"), ("0.1.0", "admissions-public"),
    ("0.1.0", "admissions-within"), ("0.1.0", "weight-loss-parts"),
}  # fmt: skip
"""Scripts whose kinds of steps other scripts of the same version have, or that a later version has too."""
SCRIPTS = [
    pytest.param(path, marks=pytest.mark.repeats if (path.parents[1].name, path.stem) in OF_OTHERS else ())
    for path in _files("scripts")
]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_makes_the_same_release(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = path.parents[1].name, path.stem
    if key != ("0.2.0", "admissions-contract"):  # other parts of a report have tests of their own, and take seconds
        monkeypatch.setattr("anonlib.evidence.PARTS", ())
    expected = EXPECTED[key]
    files = [str(_original(expected, tmp_path / "tables"))]
    files += [str(SAMPLES / expected["population"])] if expected["population"] else []
    (tmp_path / "again").mkdir()  # which 0.1.0 did not
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.simplefilter("ignore", Upgraded)
        runpy.run_path(str(path), run_name="script")["main"](*files, str(tmp_path / "again"))
    message = capsys.readouterr().out
    evidence = evidence_of(next((tmp_path / "again").rglob("*-evidence.json")).read_bytes())
    assert len(evidence.criteria) >= len(expected["states"])
    assert evidence.released is not None and (
        evidence.released.records == expected["rows"] or key in RELEASED_OTHERWISE
    )
    released = next((tmp_path / "again").rglob("*-released.*")).read_bytes()
    if key in RELEASED_OTHERWISE:
        assert sha256(released).hexdigest() != expected["released"] and "not the same" in message
    else:
        assert sha256(released).hexdigest() == expected["released"] and "the same, byte by byte" in message
