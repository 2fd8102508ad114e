"""What is filed of what the method tells: who left for a value, the coin in words, and its secret nowhere."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from datetime import date
from pathlib import Path

import pandas as pd
import pytest

from anonlib.analyses.generalization.search.coins import Coin
from anonlib.coarsening.hierarchies import masking
from anonlib.columns.roles import Role
from anonlib.command import main
from anonlib.counting.privacy_models import AttributeDisclosure, KAnonymity
from anonlib.filing.evidence import evidence_of, gather, script_of, to_json
from anonlib.filing.evidence.report import ORDERS, html_of, report_of
from anonlib.filing.evidence.report.wording import names_in
from anonlib.filing.languages.report import translated
from anonlib.filing.project import Opened
from anonlib.release.codebook import codebook
from anonlib.release.steps import GeneralizeLocally, LeaveOut
from anonlib.verdict.criteria import Aim, Inference, MethodDisclosure, RecordsKept, SmallestClass
from tests.helpers.evidence import as_bytes, opened, text_of

ON = date(2026, 12, 1)
SIZE = KAnonymity(columns=("zip",), least=5)
UNSURE = AttributeDisclosure(columns=("zip",), sensitive="illness", known=None)
ROLES = {"zip": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE}
SECRET = "fedcba9876543210" * 2
ILLS = ("flu", "asthma", "gout", "burn", "cold", "measles")
CLINIC = pd.DataFrame(
    [("60119", "HIV")] * 5 + [(place, ill) for place in ("60110", "60221", "60222") for ill in ILLS],
    columns=["zip", "illness"],
)
CRITERIA = (SmallestClass(5), Inference(known=0, most=0.0), MethodDisclosure(q=0.2, budget=3), RecordsKept(0.5))
LEFT = "5 records of classes that met every size left for their value"


def clinic(*steps: GeneralizeLocally | LeaveOut) -> Opened:
    aim = replace(Aim.for_recipient("own"), criteria=CRITERIA)
    return opened(CLINIC, *steps, roles=ROLES, aim=aim, name="clinic.csv")


LEAVING = LeaveOut(guarantees=(SIZE, UNSURE))
TOSSED = GeneralizeLocally((("zip", masking(5)),), (SIZE, UNSURE), coin=Coin(0.2, 3, SECRET))


def texts(data: bytes) -> str:
    """All that is in a file, unpacked where it is an archive."""
    if not zipfile.is_zipfile(io.BytesIO(data)):
        return data.decode("utf-8", "replace")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return "\n".join(archive.read(name).decode("utf-8", "replace") for name in archive.namelist())


def test_who_left_for_a_value_is_filed_and_not_in_a_report_for_anybody() -> None:
    evidence = gather(clinic(LEAVING), parts=(), on=ON)
    (left,) = evidence.left_for_value
    assert (left.persons, left.classes, left.position) == (5, 1, 0)
    assert evidence_of(to_json(evidence)) == evidence
    report = text_of(html_of(evidence, "assessment"))
    assert report.count(LEFT) == 3, "in short, among what was done, and by the criterion"
    for order in ORDERS:
        anybody = text_of(html_of(evidence, order, public=True))
        assert "left for their value" not in anybody and "5 records of classes" not in anybody, order
    german, missing = translated(report_of(evidence, "assessment"), "de", names_in(evidence))
    assert not missing
    assert "5 Datensätze aus Klassen, die groß genug waren" in str(german)


def test_without_such_persons_there_is_no_sentence() -> None:
    evidence = gather(clinic(TOSSED), parts=(), on=ON)
    assert evidence.left_for_value == ()
    assert "left for their value" not in text_of(html_of(evidence, "assessment"))


def test_evidence_of_nobody_is_as_before_and_is_read() -> None:
    text = to_json(gather(clinic(TOSSED), parts=(), on=ON))
    assert "left_for_value" not in text and evidence_of(text).left_for_value == ()


def test_a_coin_is_named_and_its_secret_is_nowhere() -> None:
    project = clinic(TOSSED)
    evidence = gather(project, parts=("attacks",), on=ON)
    aim = project.project.aim
    book = codebook(project.applied.released, project.project.recipe, None, aim.coin)
    views = {"evidence": to_json(evidence), "codebook": texts(book.to_excel()), "repr": repr(project.project.recipe)}
    for public in (False, True):
        views |= {f"{order} {public}": text_of(html_of(evidence, order, public=public)) for order in ORDERS}
    for name, view in views.items():
        assert SECRET not in view and SECRET[:12] not in view, name
    for name in ("evidence", "codebook", "assessment False", "assessment True"):
        assert "a coin refuses 20% of the tries" in views[name] and "a budget of 3" in views[name], name
    assert "at most 125 times what the release shows" in views["assessment False"], "(1 / 0.2) ** 3"
    assert SECRET in project.project.to_json() and SECRET in script_of(project, evidence), "made again by it"
    _, missing = translated(report_of(evidence, "assessment"), "de", names_in(evidence))
    assert not missing


def test_the_codebook_names_the_coin_that_is_asked_and_no_other() -> None:
    project = clinic(TOSSED)
    released, recipe = project.applied.released, project.project.recipe
    named = [note for note in codebook(released, recipe, None, Coin(0.2, 3)).notes if "coin" in note]
    assert len(named) == 1
    for recipe_of, coin in ((recipe, None), (recipe, Coin(0.3, 3)), (clinic(LEAVING).project.recipe, Coin(0.2, 3))):
        assert not any("coin" in note for note in codebook(released, recipe_of, None, coin).notes)


@pytest.mark.parametrize("command", ["assess", "advise"])
def test_commands_say_who_left_for_a_value(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "clinic.csv").write_bytes(as_bytes(CLINIC))
    (tmp_path / "project.json").write_text(clinic(LEAVING).project.to_json(), encoding="utf-8")
    given = [command, str(tmp_path / "clinic.csv"), "--project", str(tmp_path / "project.json"), "--quiet"]
    main([*given, *(["--out", str(tmp_path / "taken.json")] if command == "advise" else [])])
    shown = capsys.readouterr().out
    if command == "assess":
        assert f"\n{LEFT}." in shown and "NOT MET  What the method tells: 5 records of classes" in shown
    else:
        assert "left out: " in shown
    assert SECRET not in shown
