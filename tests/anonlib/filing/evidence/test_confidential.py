"""What is filed of a release holds no value of the original that does not leave, unless value tables are asked for."""

from __future__ import annotations

import html
import io
import re
import sys
import zipfile
from dataclasses import replace
from datetime import date
from hashlib import sha256
from pathlib import Path

import pandas as pd
import pytest
from pypdf import PdfReader

from anonlib.coarsening.hierarchies import intervals, rounding
from anonlib.coarsening.recoding import DateUnit, Intervals, Mask, Redaction, Rounding, ValueMap
from anonlib.columns.roles import Role
from anonlib.counting.privacy_models import KAnonymity
from anonlib.filing.evidence import CONFIDENTIAL, VALUE_TABLES, evidence_of, gather, released_file, to_json
from anonlib.filing.evidence.report import ORDERS, html_of, pdf_of
from anonlib.filing.project import LoadedFile, Opened, open_project, read_population
from anonlib.release.codebook import codebook
from anonlib.release.files import FORMATS
from anonlib.release.steps import DropColumns, GeneralizeLocally, LeaveOut, MergeRare, Recode
from anonlib.verdict.criteria import Aim
from tests.helpers.evidence import as_bytes, opened

SAVED = Path(__file__).parents[3] / "saved"
ON = date(2026, 11, 22)
ROLES = {
    "patient": Role.IDENTIFIER, "born": Role.QUASI_IDENTIFIER, "admitted": Role.QUASI_IDENTIFIER,
    "postcode": Role.PLACE, "cost": Role.QUASI_IDENTIFIER, "wage": Role.QUASI_IDENTIFIER,
    "town": Role.QUASI_IDENTIFIER, "job": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE, "lab": Role.SENSITIVE,
    "note": Role.SENSITIVE, "memo": Role.OTHER,
}  # fmt: skip


def planted(n: int = 60) -> pd.DataFrame:
    """A file each of whose cells occurs once, and is found again wherever it is written."""
    return pd.DataFrame(
        {
            "patient": [f"Zqpatient{i:03}" for i in range(n)],
            "born": [f"{1921 + i // 6}-0{1 + i % 9}-1{i % 9}" for i in range(n)],
            "admitted": [f"2021-0{1 + i % 9}-1{i % 9} 13:{i % 60:02}" for i in range(n)],
            "postcode": [f"{90003 + 37 * i}" for i in range(n)],
            "cost": [f"{1_000_003 + 7919 * i}" for i in range(n)],
            "wage": [f"{2_000_003 + 7919 * i}.75" for i in range(n)],
            "town": [f"Zqtown{i:03}" for i in range(n)],
            "job": [f"Zqjob{i:03}" for i in range(n)],
            "illness": [f"Zqillness{i:03}" for i in range(n)],
            "lab": [f"Zqlab{i:03}" for i in range(n)],
            "note": [f"She was seen by Dr. Zqgarcia{i:03} on 03/04/2021, and has no pain." for i in range(n)],
            "memo": [f"Zqmemo{i:03}" for i in range(n)],
        }
    )


FRAME = planted()
PEOPLE = FRAME[["cost", "town"]].assign(people="7")
WHOLE = (
    Recode("born", DateUnit("year")),
    Recode("admitted", DateUnit("year")),
    Recode("postcode", Mask(2)),
    Recode("cost", Intervals(100_000)),
    Recode("wage", Rounding(100_000)),
    Recode("town", ValueMap.of(dict.fromkeys(FRAME["town"][:30], "north"), "south")),
    MergeRare("job", 5, "rare"),
    Recode("illness", ValueMap.of(dict.fromkeys(FRAME["illness"][:40], "lung"), "other")),
    Recode("note", Redaction()),
    DropColumns(("memo",)),
    LeaveOut(3),
)
LITTLE = (DropColumns(("born", "admitted", "postcode", "wage", "town", "job", "note", "memo")), LeaveOut(2))
LOCAL = (
    DropColumns(("born", "admitted", "postcode", "town", "job", "note", "memo")),
    GeneralizeLocally(
        (("cost", intervals([50_000, 200_000])), ("wage", rounding([100_000, 500_000]))),
        (KAnonymity(columns=("cost", "wage"), least=5),),
    ),
)
RECIPES = {"every column": WHOLE, "few columns, all alone": LITTLE, "part by part": LOCAL}


def gone(project: Opened) -> list[str]:
    """The cells of the original that are nowhere in the release, and days, names and amounts of them."""
    leaves = "\n".join(released_file(project).decode().splitlines()[1:])
    cells = {cell for name in FRAME for cell in FRAME[name]}
    cells |= {cell[:10] for cell in FRAME["admitted"]} | {cell[16:27] for cell in FRAME["note"]}
    cells |= {f"{int(cell):,}" for cell in FRAME["cost"]}
    return [cell for cell in cells if cell not in leaves]


def texts_of(data: bytes) -> str:
    """What stands in an HTML file or a workbook, without marks of either."""
    return html.unescape(re.sub(r"<wbr\s*/?>", "", _unpacked(data).decode()))


def shown(cells: list[str], view: str) -> list[str]:
    """The cells that stand in a text, and not inside another word, number or digest."""
    either = "|".join(re.escape(cell) for cell in sorted(cells, key=len, reverse=True))
    return sorted({*re.findall(rf"(?<![\w.])(?:{either})(?!\w)", view)})


@pytest.mark.parametrize(
    "recipient, recipe",
    [(key, "every column") for key in ("public", "safe_harbor")]
    + [("public", "few columns, all alone"), ("own", "part by part")]
    # Other recipients ask for criteria of the same kinds, whose sentences are in one of these.
    + [pytest.param(key, "every column", marks=pytest.mark.repeats) for key in ("contract", "cms")],
)
def test_what_is_filed_names_no_value_that_does_not_leave(recipient: str, recipe: str) -> None:
    harmless = (("illness", tuple(FRAME["illness"][:3])), ("lab", (FRAME["lab"][7],)))
    project = opened(FRAME, *RECIPES[recipe], roles=ROLES, aim=replace(Aim.for_recipient(recipient), harmless=harmless))
    cells = gone(project)
    assert len(cells) > 8 * len(FRAME)
    evidence = gather(project, on=ON, people=5_000)
    assert recipe != "every column" or 30 < project.applied.released.n_records < len(FRAME)
    views = {
        "evidence": to_json(evidence),
        "codebook": texts_of(codebook(project.applied.released, project.project.recipe).to_excel()),
    }
    for public in (False, True):
        views |= {f"{order} {public}": texts_of(html_of(evidence, order, public=public)) for order in ORDERS}
    for name, view in views.items():
        assert not shown(cells, view), name


def test_the_pdf_names_no_value_either_and_a_planted_one_is_found() -> None:
    project = opened(FRAME, *WHOLE, roles=ROLES)
    cells = gone(project)

    def in_pdf(evidence) -> list[str]:
        return shown(cells, " ".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf_of(evidence))).pages))

    evidence = gather(project, parts=("utility",), on=ON)
    assert not in_pdf(evidence)
    planted_ones = [FRAME["born"][3], FRAME["illness"][4]]
    assert in_pdf(replace(evidence, who=" and ".join(planted_ones))) == sorted(planted_ones)


def test_value_tables_that_are_asked_for_are_of_known_columns_and_say_how_confidential_they_are() -> None:
    project = opened(FRAME, *WHOLE, roles=ROLES)
    evidence = gather(project, parts=(VALUE_TABLES,), on=ON)
    assert evidence_of(to_json(evidence)) == evidence and evidence.values_recoded == len(evidence.recoding) == 7 * 60
    for order in ORDERS:
        view = texts_of(html_of(evidence, order))
        assert view.count(CONFIDENTIAL) == 2 and "Annex: Value tables" in view
        assert set(FRAME["born"]) <= set(shown([*FRAME["born"]], view)), "each of the values is listed"
        assert not shown([*FRAME["illness"], *FRAME["note"], *FRAME["patient"], *FRAME["memo"]], view)
        public = texts_of(html_of(evidence, order, public=True))
        assert CONFIDENTIAL not in public and not shown(gone(project), public)
    plain = gather(project, parts=(), on=ON)
    assert CONFIDENTIAL not in texts_of(html_of(plain)) and not plain.recoding and not plain.is_confidential
    assert evidence.with_table(recoding=(), values_recoded=0) == plain


def test_value_tables_say_how_many_of_how_many_they_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["anonlib.filing.evidence.gather"], "MOST_RECODED", 100)
    evidence = gather(opened(FRAME, *WHOLE, roles=ROLES), parts=(VALUE_TABLES,), on=ON)
    assert len(evidence.recoding) == 100
    assert "100 of 420 values are listed" in texts_of(html_of(evidence))
    many = planted(3 * 60)
    evidence = gather(opened(many, Recode("postcode", Mask(1)), roles=ROLES), parts=(VALUE_TABLES,), on=ON)
    assert "100 of 180 values are listed" in texts_of(html_of(evidence)) and "(79 more)" in texts_of(html_of(evidence))


def test_evidence_that_was_saved_with_value_tables_says_so_in_a_report() -> None:
    evidence = evidence_of((SAVED / "0.1.0" / "evidence" / "admissions-contract.json").read_bytes())
    assert evidence.recoding and CONFIDENTIAL in texts_of(html_of(evidence))


@pytest.mark.parametrize("kind", FORMATS)
def test_no_released_file_has_a_digest_that_confirms_a_guess(kind: str) -> None:
    project = _beside_others()
    assert not _digests_in(_unpacked(released_file(project, kind)), project)


def test_nothing_else_that_leaves_has_a_digest_that_confirms_a_guess() -> None:
    project = _beside_others()
    evidence = gather(project, parts=(), on=ON)
    assert len(_digests_in(to_json(evidence).encode(), project)) == 3, "the file, the people, the project: inside"
    for order in ORDERS:
        public = html_of(evidence, order, public=True)
        assert not _digests_in(public, project) and evidence.released.sha256.encode() in public
        assert _digests_in(html_of(evidence, order), project), "those who review it have them"
    pdf = PdfReader(io.BytesIO(pdf_of(evidence, public=True)))
    text = "".join(page.extract_text() for page in pdf.pages) + repr(pdf.metadata) + repr(pdf.xmp_metadata)
    assert not _digests_in(re.sub(r"\s", "", text).encode(), project)
    assert not _digests_in(_unpacked(codebook(project.applied.released, project.project.recipe).to_excel()), project)


def _beside_others() -> Opened:
    """A project on a file with a population table."""
    people = read_population(as_bytes(PEOPLE), "people.csv")
    alone = opened(FRAME, *WHOLE, roles=ROLES)
    return open_project(alone.project, LoadedFile.of(as_bytes(FRAME), "planted.csv"), people)


def _digests_in(data: bytes, project: Opened) -> list[str]:
    """The digests of what does not leave whose first figures stand in a file."""
    digests = [sha256(as_bytes(frame)).hexdigest() for frame in (FRAME, PEOPLE)]
    digests += [sha256(project.project.to_json().encode()).hexdigest(), project.data.key, project.data.content_digest]
    return [digest for digest in digests if digest[:12].encode() in data.lower()]


def _unpacked(data: bytes) -> bytes:
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return b"".join(archive.read(name) for name in archive.namelist())
    return data
