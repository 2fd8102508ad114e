"""``inspect`` and ``assess`` while columns are undecided: both ends, the worse first."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from anonlib.command import main
from anonlib.filing.project import Project, from_toml

ROWS = [(("f", "m")[i % 2], *(f"z{i * (j + 3) % 17}" for j in range(12))) for i in range(60)]


@pytest.fixture
def survey(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A sex, and twelve answers of which no name tells whether somebody could know them."""
    lines = [",".join(["sex", *(f"q{j}" for j in range(12))]), *map(",".join, ROWS)]
    (tmp_path / "survey.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ks(text: str) -> list[int]:
    return [int(found.replace(",", "")) for found in re.findall(r"k = ([\d,]+);", text)]


def test_inspect_says_both_ends_the_worse_first(survey: Path, capsys):
    assert main(["inspect", "survey.csv"]) == 0
    message = capsys.readouterr().out
    of_all, of_sex = (min(Counter(known).values()) for known in (ROWS, [row[0] for row in ROWS]))
    assert ks(message) == [of_all, of_sex] and of_all < of_sex == 30
    assert message.index("If the 12 undecided columns are all known outside too") < message.index(
        "If only “sex” is known"
    )
    assert main(["inspect", "survey.csv", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["undecided"]
    assert (found["all_known"]["k"], found["decided"]["k"]) == (of_all, of_sex) and len(found["undecided"]) == 12


def test_what_nothing_tells_of_is_left_out_of_the_project_that_it_begins(survey: Path, capsys):
    lines = [f"{'fm'[i % 2]},{i * i % 5},{1 + i % 3}\n" for i in range(60)]
    (survey / "mode.csv").write_text("sex,q1,interview_mode\n" + "".join(lines), encoding="utf-8")
    assert main(["inspect", "mode.csv"]) == 0
    message = capsys.readouterr().out
    roles = message.partition("[roles]")[2]
    assert [line for line in roles.splitlines() if "q1" in line] == ["# q1 =   # decide: nothing tells what it is"]
    assert 'interview_mode = "other"  # decide' in roles and "only you can say" in message
    toml = message[message.index("recipient =") :]
    assert set(from_toml(toml).roles) == {"sex", "interview_mode"}, "what is left out is undecided"
    assert main(["inspect", "mode.csv", "--json"]) == 0
    columns = {each["name"]: each["suggested"] for each in json.loads(capsys.readouterr().out)["columns"]}
    assert columns == {"sex": "quasi_identifier", "q1": None, "interview_mode": "other"}


def test_where_all_is_decided_there_is_one_k(survey: Path, capsys):
    (survey / "plain.csv").write_text("age,sex\n" + "34,f\n35,m\n" * 30, encoding="utf-8")
    assert main(["inspect", "plain.csv"]) == 0
    assert "k, the smallest class: 30" in capsys.readouterr().out


def test_assess_says_both_ends_before_any_risk(survey: Path, capsys):
    (survey / "p.json").write_text(Project(roles={"sex": "quasi_identifier"}).to_json(), encoding="utf-8")
    assert main(["assess", "survey.csv", "--project", "p.json", "--quiet"]) == 3
    message = capsys.readouterr().out
    assert message.index("12 undecided columns are all known") < message.index("Original:")
    assert ks(message)[0] < ks(message)[1]


def test_a_dictionary_beside_the_file_says_what_columns_are(tmp_path, capsys):
    file, dictionary = tmp_path / "s.csv", tmp_path / "d.csv"
    file.write_text("V1,V2\n" + "".join(f"{1 + i % 2},{i % 5}\n" for i in range(40)))
    dictionary.write_text("variable,label,values\nV1,Sex,1=Male; 2=Female\nV2,Municipality of residence,\n")
    assert main(["inspect", str(file), "--dictionary", str(dictionary)]) == 0
    printed = capsys.readouterr().out
    assert "it describes 2 of 2 columns, with labels of codes for 1" in printed
    assert printed.count("Its description points to") == 2 and 'V1 = "quasi_identifier"' in printed
