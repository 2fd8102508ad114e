"""What ``advise`` proposes and ``release`` writes, counted again from the bytes that left by plain code."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from anonlib.command import main
from tests.reference.released import FACTS, KNOWN, OTHER, SENSITIVE, Release, against, alone_by_labels, most_certain

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT.parent / "shared" / "data"
RECIPIENTS = [("public", True), ("contract", False), ("contract", True), ("within", False), ("within", True)]
"""Recipients, and whether what can be learned is limited for them."""
Table = tuple[list[list[str]], dict[str, str]]


def head(path: Path, roles: dict[str, str], lines: int) -> Table:
    """The first lines of a file, of the columns that have a role."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = list(csv.reader(file))[: lines + 1]
    places = [header.index(name) for name in roles]
    return [list(roles), *([row[j] for j in places] for row in rows)], roles


def sample(name: str, roles: dict[str, str], lines: int) -> Callable[[], Table]:
    return lambda: head(ROOT / "data" / "samples" / name, roles, lines)


def beside(name: str, roles: dict[str, str], lines: int) -> Callable[[], Table]:
    def read() -> Table:
        if not (DATA / name).is_file():
            pytest.skip(f"{name} is not here")
        return head(DATA / name, roles, lines)

    return read


def visits() -> Table:
    """Persons with one to three visits, named by an id that leaves as a number."""
    draw, rows = random.Random(7), []
    for person in range(260):
        constant = [f"P{person:05}", draw.choice("FM"), str(draw.randint(1940, 1999))]
        for _ in range(draw.choice([1, 1, 1, 2, 3])):
            month, ward = f"2024-{draw.randint(1, 6):02}", draw.choice(["A", "B", "C"])
            rows.append([*constant, month, ward, draw.choice(["H1", "J2", "K3", "L4", "M5"])])
    roles = {"id": "person_id", "sex": KNOWN, "born": KNOWN, "month": KNOWN, "ward": KNOWN, "illness": SENSITIVE}
    return [list(roles), *rows], roles


def spelled() -> Table:
    """A file typed by several hands, with numbers of samples of which the last two digits are the age."""
    draw, rows = random.Random(3), []
    illnesses = [["HIV", "hiv", "HIV "], ["gout", "Gout"], ["flu", "FLU "], ["asthma"]]
    for i in range(400):
        age, place = draw.randint(20, 79), draw.randrange(8)
        illness = draw.choice(illnesses[0] if place == 0 else draw.choice(illnesses))
        stage = draw.choice(["1", "1.0", "2", "2.0", "3"])
        rows.append([str(age), draw.choice("FM"), f"60{place}00", illness, stage, f"{1000 + i}{age}"])
    roles = {"age": KNOWN, "sex": KNOWN, "zip": KNOWN, "illness": SENSITIVE, "stage": SENSITIVE, "sample": OTHER}
    return [list(roles), *rows], roles


FILES: dict[str, Callable[[], Table]] = {
    "admissions": sample(
        "admissions.csv",
        {
            "patient_name": "identifier", "medical_record_number": "identifier", "age": KNOWN, "sex": KNOWN,
            "zip": KNOWN, "race": KNOWN, "admission_date": KNOWN, "diagnosis": SENSITIVE, "length_of_stay": SENSITIVE,
            "insurance": OTHER,
        },
        300,
    ),
    "province": sample(
        "province_records.csv",
        {"area": KNOWN, "age_group": KNOWN, "sex": KNOWN, "language": KNOWN, "diagnosis": SENSITIVE, "control": OTHER},
        500,
    ),
    "weight loss": sample(
        "weight_loss.csv",
        {"sex": KNOWN, "age": KNOWN, "zip": KNOWN, "alcohol_consumption": KNOWN, "weight": SENSITIVE, "race": OTHER},
        60,
    ),
    "heart": beside(
        "heart_cleveland.csv",
        {"age": KNOWN, "sex": KNOWN, "zip": KNOWN, "smoker": KNOWN, "chol": SENSITIVE, "hd": SENSITIVE},
        200,
    ),
    "visits": visits,
    "spelled": spelled,
}  # fmt: skip


def toml(recipient: str, limited: bool, roles: dict[str, str]) -> str:
    named = "".join(f'{name} = "{role}"\n' for name, role in roles.items())
    asked = "" if recipient == "public" else f"limit_what_is_learned = {str(limited).lower()}\n"
    return f'recipient = "{recipient}"\nseed = "5f0c3a"\n{asked}[roles]\n{named}'


def written(path: Path, lines: list[list[str]]) -> bytes:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(lines)
    return path.read_bytes()


EVERYDAY = {
    ("admissions", "contract", True), ("province", "within", False), ("weight loss", "public", True),
    ("heart", "contract", False), ("visits", "public", True), ("visits", "within", True), ("spelled", "within", True),
}  # fmt: skip
"""Each file and each recipient is in one; others are the same question of a file of another kind."""
CASES = [
    pytest.param(name, *asked, marks=() if (name, *asked) in EVERYDAY else pytest.mark.repeats)
    for name in FILES
    for asked in RECIPIENTS
]


@pytest.mark.parametrize(("name", "recipient", "limited"), CASES)
def test_what_is_proposed_is_released_and_holds_of_the_bytes(
    name: str,
    recipient: str,
    limited: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines, roles = FILES[name]()
    monkeypatch.chdir(tmp_path)
    original = written(tmp_path / "file.csv", lines)
    (tmp_path / "asked.toml").write_text(toml(recipient, limited, roles), encoding="utf-8")

    options = ["--effort", "0.2", "--json", "--quiet"]
    assert main(["advise", "file.csv", "--project", "asked.toml", "--out", "advised.json", *options]) == 0
    assert json.loads(capsys.readouterr().out)["may_leave"]
    released = main(["release", "file.csv", "--project", "advised.json", "--out", "out", "--json", "--quiet"])
    assert released == 0, capsys.readouterr()
    learned = json.loads(capsys.readouterr().out)["learned"]

    (left,) = tmp_path.glob("out/leaves/*-released.csv")
    release, before = Release.of(left.read_bytes(), roles), Release.of(original, roles)
    assert against(release, before, recipient, limited) == []
    if limited:
        assert learned == ""
    elif most := most_certain(release, FACTS[recipient]):
        assert f"({most:,} of {len(release.persons):,})" in learned
    else:
        assert "is certain of no sensitive value" in learned
    steps = json.dumps(json.loads((tmp_path / "advised.json").read_text(encoding="utf-8")))
    if recipient == "public" and not any(kind in steps for kind in ("generalize_locally", "blank_cells")):
        assert alone_by_labels(release) == []
