"""Reports in German: whole, with the same numbers and names, and dated as there."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from datetime import date
from functools import cache
from html import unescape
from pathlib import Path

import pytest
from pypdf import PdfReader

import anonlib
from anonlib.coarsening.recoding import Intervals, Mask, ValueMap
from anonlib.columns.roles import Role
from anonlib.filing.case import ReleaseCase
from anonlib.filing.evidence import PARTS, VALUE_TABLES, Evidence, gather
from anonlib.filing.evidence.report import ORDERS, html_of, pdf_of, report_of
from anonlib.filing.evidence.report.wording import OUR_REASONS, names_in
from anonlib.filing.languages import languages
from anonlib.filing.languages.report import translated
from anonlib.filing.project import LoadedFile, LoadedTables, Project, open_project
from anonlib.filing.report import Code, Report, Table
from anonlib.reading.tables import Linked, ListColumn, NamedTable
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, MergeRare, Recode
from anonlib.verdict.criteria import (
    CRITERION_KINDS,
    Accepted,
    Aim,
    Closeness,
    Diversity,
    EarlierReleases,
    SafeHarbor,
    SmallestClass,
)
from tests.helpers.errors import refused
from tests.helpers.evidence import ROLES, opened, text_of, visits

ON = date(2026, 11, 22)
CASE = ReleaseCase(
    title="Release", reference="Step 1,234", purpose="Rows and values", recipient="Persons", author="Table",
    until="2028-12-31",
)  # fmt: skip
DATED = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")


@cache
def under_contract() -> Evidence:
    steps = (Recode("age", Intervals(25)), Recode("zip", Mask(3), "Few live there."), DropColumns(("note",)))
    found = opened(visits(90), *steps, LeaveOut(3), aim=Aim.for_recipient("contract"), case=CASE)
    return gather(found, parts=(*PARTS, VALUE_TABLES), on=ON, target="sex", people=4000)


def to_the_public() -> Evidence:
    criterion = SmallestClass(30)
    aim = replace(
        Aim.for_recipient("public"), leaves_anyway="Agreed in writing",
        accepted=(Accepted(criterion, "Known to all.", "A. Officer", "2026-11-20"),),
    )  # fmt: skip
    return gather(opened(visits(60), aim=replace(aim, criteria=(*aim.criteria, criterion))), parts=("attacks",), on=ON)


def of_persons_with_several_rows() -> Evidence:
    """A step that fits nothing, another that is in doubt, a column nobody decided on, and criteria of one's own."""
    frame = visits(80).assign(name=[f"P{i // 2}" for i in range(80)])
    roles = {each: role for each, role in ROLES.items() if each != "note"} | {"name": Role.PERSON_ID}
    others = {kind: kind() for kind in CRITERION_KINDS.values()}  # each kind that there is, some with other limits
    criteria = (Diversity(2), Closeness(0.2, "ordered"), SafeHarbor(), EarlierReleases(5, 0.1))
    criteria = tuple((others | {type(each): each for each in criteria}).values())
    aim = replace(
        Aim.for_recipient("own"), criteria=criteria, earlier=(Recipe.of([Recode("age", Intervals(50))]),),
        harmless=(("illness", ("ill a",)),),
    )  # fmt: skip
    steps = (MergeRare("zip", 20), Recode("height", Mask(1)))
    found = opened(frame, *steps, roles=roles, aim=aim, unknowable=("sex",), k=5)
    return gather(found, parts=("inference", "leakage", "singling_out"), on=ON)


def of_several_tables() -> Evidence:
    files = [
        ("patients.csv", b"patient_id;born;sex\n7;1950;f\n8;1961;m\n9;1984;f\n"),
        ("visits.csv", b"visit_id;patient_id;ward\n1;7;B\n2;7;C\n3;9;B\n"),
        ("values.csv", b"visit_id;test\n1;K\n2;K\n2;K\n3;K\n1;Na\n1;Na\n2;Na\n3;Na\n3;Na\n3;K\n9;K\n"),
    ]
    roles = {"patient_id": "person_id", "born": "quasi_identifier", "ward": "quasi_identifier", "test": "sensitive"}
    return gather(open_project(Project(roles=roles), LoadedTables.of(files)), parts=("leakage",), on=ON)


def of_lists() -> Evidence:
    file = LoadedFile.of(b"age,medicines\n30,A01;B02\n30,A01\n40,B02;A01\n40,A01;C03\n30,A01;B02\n", "people.csv")
    lists = (ListColumn("people", "medicines", ";"),)
    loaded = LoadedTables.linking([NamedTable.of_source("people", file.source)], Linked(None), lists, file)
    roles = {"age": "quasi_identifier", "medicines": "quasi_identifier", **loaded.roles}
    return gather(open_project(Project(roles=roles), loaded), parts=(), on=ON)


def of_nothing() -> Evidence:
    return gather(opened(visits(40), LeaveOut(1000), aim=Aim.for_recipient("safe_harbor")), parts=(), on=ON)


MADE = (under_contract, to_the_public, of_persons_with_several_rows, of_several_tables, of_lists, of_nothing)


@pytest.fixture(scope="module", params=MADE, ids=[made.__name__ for made in MADE])
def evidence(request: pytest.FixtureRequest) -> Evidence:
    return request.param()


def texts_of(part: object) -> Iterator[str]:
    """All texts of a report, of a picture those that are drawn."""
    if isinstance(part, str):
        is_picture = part.startswith("<svg")
        yield from re.findall(r"<(?:text|tspan)\b[^>]*>([^<]+)<", part) if is_picture else [part]
    elif isinstance(part, tuple):
        for each in part:
            yield from texts_of(each)
    elif is_dataclass(part):
        left_out = {"language", "align", "tone", "furniture"}
        for each in fields(part):
            if each.name not in left_out:
                yield from texts_of(getattr(part, each.name))


def numbers_in(report: Report) -> Counter[str]:
    """All numbers, whatever their marks for thousands and decimals are, and days."""
    found: Counter[str] = Counter()
    for text in texts_of(report):
        plain = DATED.sub(lambda day: f"{day[3]}.{day[2]}.{day[1]}", unescape(text))
        found.update(re.sub("[.,]", "", number) for number in re.findall(r"\d[\d.,]*", plain))
    return found


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("order", ORDERS)
def test_a_report_is_german_throughout_with_the_same_numbers(evidence: Evidence, order: str, public: bool) -> None:
    english = report_of(evidence, order, public=public)  # type: ignore[arg-type]
    german, missing = translated(english, "de", names_in(evidence))
    assert not missing
    assert numbers_in(german) == numbers_in(english)
    assert not [text for text in texts_of(german) if re.search("[\ue000-\ue002]", text)]


def test_what_was_typed_and_named_is_not_translated(evidence: Evidence) -> None:
    german = " ".join(texts_of(report_of(evidence, language="de")))
    typed = (evidence.case.title, evidence.case.reference, evidence.case.purpose, evidence.case.recipient)
    for name in [*typed, *(each.name for each in evidence.columns), evidence.file.name, evidence.leaves_anyway]:
        assert name in german, name


def test_a_label_that_a_step_gives_and_the_pages_of_the_app_are_called_as_they_are() -> None:
    step = Recode("sex", ValueMap((("f", "f"),), otherwise="other"), "for the verdict")
    evidence = gather(opened(visits(60), step), parts=(), on=ON)
    texts = [*texts_of(report_of(evidence, language="de"))]
    assert "sex umkodieren: 1 Wert beibehalten, alle anderen zu other (für das Urteil)" in texts
    assert {"Seite Risk", "Seite Release"} <= {*texts}


def test_the_reasons_of_steps_that_are_proposed_are_all_known() -> None:
    given = {
        found
        for path in Path(anonlib.__file__).parent.rglob("*.py")
        for found in re.findall(r'(?:_REASON = |reason=)"([^"]+)"', path.read_text(encoding="utf-8"))
    }
    assert given == {*OUR_REASONS}


def test_days_stand_as_in_germany_wherever_they_are() -> None:
    shown = text_of(html_of(under_contract(), "ethics", language="de").replace(b"<", b" <"))
    assert {"22.11.2026", "31.12.2028"} <= {*re.findall(r"\d\d\.\d\d\.\d{4}", shown)} and not DATED.search(shown)


def test_code_stays_as_it_is_but_for_what_digests_are_of() -> None:
    def codes(language: str) -> list[str]:
        report = report_of(under_contract(), language=language)
        return [block.text for section in report.sections for block in section.blocks if isinstance(block, Code)]

    english, german = ([re.findall("[0-9a-f]{64}", text) for text in codes(language)] for language in ("en", "de"))
    assert english == german
    first = codes("de")[0]
    assert "Original    " in first and "Freigabe    " in first and "original" not in first


def test_numbers_have_german_marks_and_a_blank_before_per_cent() -> None:
    report = report_of(under_contract(), language="de")
    (table,) = [block for block in report.opening if isinstance(block, Table)]
    row = next(row for row in table.rows if row[0] == "Erhaltene Zeilen")
    assert re.fullmatch(r"\d+(,\d+)?\u00a0%", str(row[2]))


def test_the_pdf_is_german_throughout() -> None:
    document = PdfReader(io.BytesIO(pdf_of(under_contract(), "dpia", language="de")))
    text = " ".join(page.extract_text() for page in document.pages)
    assert document.trailer["/Root"]["/Lang"] == "de"
    assert f"Seite 1 von {len(document.pages)}" in text and "22.11.2026" in text and "Inhalt" in text
    assert "Page 1" not in text


def test_an_unknown_language_is_a_sentence() -> None:
    assert next(iter(languages())) == "en" and languages()["de"] == "Deutsch"
    with refused("choice-unknown"):
        report_of(of_nothing(), language="xx")
