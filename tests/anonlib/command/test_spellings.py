"""Spellings that a person reads as one value, on the command line: said by column and number, counted, and released."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pandas as pd
import pytest

from anonlib.command import main
from anonlib.filing.evidence import evidence_of
from anonlib.filing.project import Project

READ = {"HIV": "hiv", "Flu": "flu", "gout ": "gout"}
# Every class of age and sex has two spellings of one illness, and by spellings two values.
ILL = {
    ("31", "f"): ("HIV", "hiv"),
    ("33", "m"): ("flu", "Flu"),
    ("41", "f"): ("gout", "gout "),
    ("42", "m"): ("flu", "Flu"),
}
ROWS = [(age, sex, illness) for (age, sex), pair in ILL.items() for illness in pair * 6]
ASKED = (
    'recipient = "own"\nseed = "7"\n{read}[roles]\nage = "quasi_identifier"\nsex = "quasi_identifier"\n'
    'illness = "sensitive"\n[[criteria]]\nkind = "inference"\nknown = 2\n[[criteria]]\nkind = "diversity"\nl = 2\n'
)
SAYS = "In “illness”, 6 spellings are read as 3 values."


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of several spellings, and a project that keeps them apart and one that merges them."""
    lines = ["age,sex,illness", *(",".join(row) for row in ROWS)]
    (tmp_path / "visits.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "apart.toml").write_text(ASKED.format(read=""), encoding="utf-8")
    merged = ASKED.format(read="") + '[read]\nmerge_spellings = ["illness"]\n'
    (tmp_path / "merged.toml").write_text(merged, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def values_named(text: str) -> list[str]:
    return [value for value in ("HIV", "hiv", "Flu", "flu", "gout") if value in text]


def test_inspect_names_the_column_and_no_value(folder: Path, capsys):
    assert main(["inspect", "visits.csv"]) == 0
    printed = capsys.readouterr().out
    assert SAYS in printed and "merge_spellings" in printed and not values_named(printed)
    assert main(["inspect", "visits.csv", "--json"]) == 0
    printed = capsys.readouterr().out
    assert json.loads(printed)["spelled"] == [{"column": "illness", "spellings": 6, "values": 3}]
    assert not values_named(printed)


def test_assess_counts_them_as_one_and_says_so(folder: Path, capsys):
    """By spellings nobody is certain of anything, and each class has two values."""
    assert main(["assess", "visits.csv", "--project", "apart.toml", "--quiet"]) == 3
    printed = capsys.readouterr().out
    assert SAYS in printed and not values_named(printed)
    assert main(["assess", "visits.csv", "--project", "apart.toml", "--json", "--quiet"]) == 3
    evidence = evidence_of(capsys.readouterr().out)
    assert [(each.column, each.spellings, each.values) for each in evidence.spelled] == [("illness", 6, 3)]
    assert {each.title: each.state for each in evidence.criteria} == {"Inference": "not met", "Diversity": "not met"}
    assert main(["assess", "visits.csv", "--project", "merged.toml", "--json", "--quiet"]) == 3
    merged = evidence_of(capsys.readouterr().out)
    assert not merged.spelled
    assert [each.persons for each in merged.criteria] == [each.persons for each in evidence.criteria] == [48, 48]


@pytest.mark.slow
def test_what_is_advised_and_released_has_no_certain_value(folder: Path, capsys):
    assert main(["advise", "visits.csv", "--project", "apart.toml", "--out", "advised.json", "--quiet"]) == 0
    assert main(["release", "visits.csv", "--project", "advised.json", "--out", "out", "--quiet"]) == 0
    capsys.readouterr()
    released = pd.read_csv(folder / "out/leaves/visits-released.csv", dtype=str, keep_default_na=False)
    assert "illness" in released.columns and set(released["illness"]) - {*READ.values()}, "merging is the officer's"
    known = [name for name in ("age", "sex") if name in released.columns]
    classes = defaultdict(set)
    for row in released.to_dict("records"):
        classes[tuple(row[name] for name in known)].add(READ.get(row["illness"], row["illness"]))
    assert all(len(values) > 1 for values in classes.values())
    project = Project.from_json((folder / "out/stays/visits-project.json").read_bytes())
    assert not project.file.merged
    report = (folder / "out/stays/visits-report.html").read_text(encoding="utf-8")
    assert SAYS in report


@pytest.mark.slow
def test_the_report_says_it_in_german(folder: Path, capsys):
    asked = ["report", "visits.csv", "--project", "apart.toml", "--out", "r.html", "--language", "de", "--quiet"]
    main(asked)
    report = (folder / "r.html").read_text(encoding="utf-8")
    assert "In „illness“ werden 6 Schreibweisen als 3 Werte gelesen." in report
