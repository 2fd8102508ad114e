"""Each order of the report: what the case says stands in it, and what it concludes follows from the released file."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from dataclasses import replace
from datetime import date
from functools import cache

import pandas as pd
import pytest
from pypdf import PdfReader

from anonlib.basics.words import percent
from anonlib.columns.roles import Role
from anonlib.filing.case import ITEMS, NOT_STATED, ReleaseCase
from anonlib.filing.evidence import Evidence, gather, released_file
from anonlib.filing.evidence.report import ORDERS, html_of, pdf_of, report_of
from anonlib.filing.evidence.report.wording import LONG
from anonlib.filing.report import Bullets, Callout, Cell, Facts, Figure, Paragraph, Statement, Table
from anonlib.release.steps import LeaveOut
from anonlib.verdict.criteria import Aim, SmallestClass
from tests.helpers.evidence import ROLES, opened, text_of, visits
from tests.helpers.reports import kinds_and_alternatives

ON = date(2026, 11, 22)
FULL = ReleaseCase(
    **{item.name: "2028-12-31" if item.kind == "date" else f"Of the case: {item.name}" for item in ITEMS}
)


def of_two_classes(few: int, many: int = 40) -> pd.DataFrame:
    """Visits of two classes of known columns, one of so few and one of so many."""
    return visits(few + many).assign(age="40", zip="02138", sex=["f"] * few + ["m"] * many)


def evidence_for(recipient: str, k: int, case: ReleaseCase = FULL) -> tuple[Evidence, bytes]:
    found = opened(of_two_classes(k), k=k, aim=Aim.for_recipient(recipient))
    found = replace(found, project=replace(found.project, case=case))
    return gather(found, parts=("inference",), on=ON), released_file(found)


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    return evidence_for("contract", 5)[0]


def blocks_of(evidence: Evidence, order: str, public: bool = False) -> list:
    report = report_of(evidence, order, public=public)  # type: ignore[arg-type]
    return [report.facts, *report.opening, *(block for section in report.sections for block in section.blocks)]


def class_sizes(file: bytes, known: tuple[str, ...]) -> Counter:
    """How many rows of a released file have each combination, by nothing of ours."""
    rows = csv.DictReader(io.StringIO(file.decode()))
    return Counter(tuple(row[name] for name in known) for row in rows)


def table_of(evidence: Evidence, order: str, caption: str) -> Table:
    """The one table of a report that has this in its caption."""
    (found,) = [each for each in blocks_of(evidence, order) if isinstance(each, Table) and caption in each.caption]
    return found


@pytest.mark.parametrize("order", ORDERS)
def test_an_order_has_all_that_it_asks_the_case_for_and_says_what_is_not_given(evidence: Evidence, order: str) -> None:
    text = text_of(html_of(evidence, order))  # type: ignore[arg-type]
    asked = [item for item in ITEMS if order in item.asked_by]
    assert not [item.name for item in asked if getattr(FULL, item.name) not in text]
    assert NOT_STATED not in text and "Not stated yet" not in text
    empty = replace(evidence, case=ReleaseCase(), who="")
    text = text_of(html_of(empty, order))  # type: ignore[arg-type]
    assert NOT_STATED in text and ("Not stated yet" in text) == bool(asked)
    (lacking,) = re.findall(r"those who read this(.*?)\. Say it on the page Case", text) or [""]
    assert not [item.name for item in asked if item.label.lower() not in lacking.lower()]


@pytest.mark.parametrize(
    "recipient, k, stands",
    [("public", 12, "met"), ("public", 11, "met by convention"), ("contract", 5, "not met"), ("contract", 12, "met")],
)
def test_the_threshold_of_the_ema_is_compared_with_the_risk_in_the_released_file(
    recipient: str, k: int, stands: str
) -> None:
    evidence, file = evidence_for(recipient, k)
    highest = 1 / min(class_sizes(file, evidence.known).values())
    assert stands == ("met" if highest <= 0.09 else "met by convention" if highest <= 1 / 11 else "not met")
    row = next(row for row in table_of(evidence, "ema", "0.09").rows if str(row[0]).startswith("Prosecutor"))
    assert row[2] == percent(highest) and isinstance(row[3], Cell) and row[3].text == stands
    text = text_of(html_of(evidence, "ema"))
    is_below = stands != "not met" and recipient == "public"
    assert ("not ready to be published" in text) == (not (is_below and evidence.may_leave))
    all_met = all(each.state == "met" for each in evidence.criteria)
    assert ("may be published under the policy" in text) == (is_below and all_met)
    assert ("is to be assessed for “Public release”" in text) == (recipient != "public")


def test_nothing_can_be_published_of_which_no_risk_was_counted() -> None:
    found = opened(visits(40), LeaveOut(1000))
    assert "nothing follows" in text_of(html_of(gather(found, parts=(), on=ON), "ema"))


@pytest.mark.parametrize("public", [False, True])
def test_what_the_expert_and_the_boards_sign_is_asserted_by_nobody(evidence: Evidence, public: bool) -> None:
    signed = {"expert": "the risk is very small", "ethics": "Opinion of the board", "dpia": "Advice of the data"}
    for order in ORDERS:
        blocks = blocks_of(evidence, order, public)
        statements = [each for each in blocks if isinstance(each, Statement)]
        assert len(statements) == (order in signed)
        if statements:
            assert signed[order] in statements[0].text and "Signature" in statements[0].lines
    without = [each for each in blocks_of(evidence, "expert") if not isinstance(each, Statement)]
    assert not re.search(r"\bI have determined\b|is very small that", repr(without))
    assert "Not signed" in repr(without) and FULL.qualifications in repr(without)


def test_the_risks_of_an_impact_assessment_are_those_of_the_released_file() -> None:
    found = opened(of_two_classes(1))
    evidence = gather(found, parts=("inference",), on=ON)
    sizes = class_sizes(released_file(found), evidence.known)
    assert list(sizes.values()).count(1) == 1
    table = table_of(evidence, "dpia", "Risks")
    assert str(table.rows[0][3]).endswith(f"(1 of {sizes.total()} records)")
    assert isinstance(table.rows[0][4], Cell) and table.rows[0][4].text == "somebody"
    assert isinstance(table.rows[1][4], Cell) and table.rows[1][4].text == "not counted", "there is no population"


def test_nobody_is_not_claimed_of_a_column_that_was_too_much_to_count(evidence: Evidence) -> None:
    counted = [replace(each, before=0, after=0) for each in evidence.inferred if each.known == 2]
    unknown = replace(counted[0], column="other", before=None, after=None)
    for inferred, state in ((counted, "nobody"), ([*counted, unknown], "not counted")):
        cell = table_of(replace(evidence, inferred=tuple(inferred)), "dpia", "Risks").rows[2][4]
        assert isinstance(cell, Cell) and cell.text == state


@pytest.mark.parametrize("order", ORDERS)
def test_two_pages_at_the_front_have_the_verdict_and_all_in_short(evidence: Evidence, order: str) -> None:
    document = PdfReader(io.BytesIO(pdf_of(evidence, order)))  # type: ignore[arg-type]
    first, second, third = (" ".join(page.extract_text().split()) for page in document.pages[:3])
    assert evidence.verdict in first and FULL.title in first and FULL.purpose in first
    assert "Original and release" in first
    section = "1 " + report_of(evidence, order).sections[1].title  # type: ignore[arg-type]
    assert "In short" in second and section in f"{second} {third}", "the contents may stand at the foot of the first"


# Pages are broken by the same rules whatever stands on them: each order once, and each language and audience.
PAGES = [
    pytest.param(order, *form, marks=() if form == ("en", False) or order == "ethics" else pytest.mark.repeats)
    for order in ORDERS
    for form in (("en", False), ("en", True), ("de", False))
]


@pytest.mark.parametrize("order, language, public", PAGES)
def test_no_page_but_the_last_ends_in_its_upper_half(order: str, language: str, public: bool) -> None:
    evidence = with_everything()
    document = PdfReader(io.BytesIO(pdf_of(evidence, order, public=public, language=language)))  # type: ignore[arg-type]
    pages = [lowest_text(page) for page in document.pages]
    assert len(pages) > 4 and max(pages[:-1]) < 842 / 2
    numbers = [re.findall(r"(?:Page|Seite) (\d+) (?:of|von)", page.extract_text()) for page in document.pages]
    assert numbers == [[f"{i + 1}"] for i in range(len(pages))], "the pages were set to the end"


@cache
def with_everything() -> Evidence:
    return gather(opened(of_two_classes(6), k=5, case=FULL), on=ON)


def lowest_text(page) -> float:
    """Points above the lower edge, of the lowest text over the foot of a page."""
    found: list[float] = []

    def look(text: str, outer: list[float], inner: list[float], font: object, size: object) -> None:
        y = outer[1] * inner[4] + outer[3] * inner[5] + outer[5]
        if text.strip() and y > 62:
            found.append(y)

    page.extract_text(visitor_text=look)
    return min(found)


# Each order's own first lines; that of a report for everybody differs in what stands below.
BY_REASON = [
    pytest.param(order, public, marks=pytest.mark.repeats if public and order != "assessment" else ())
    for order in ORDERS
    for public in (False, True)
]


@pytest.mark.parametrize(("order", "public"), BY_REASON)
def test_what_leaves_by_a_written_reason_says_so_in_title_and_first_line(
    evidence: Evidence, order: str, public: bool
) -> None:
    def front(found: Evidence, language: str) -> tuple[str, str]:
        report = report_of(found, order, public=public, language=language)  # type: ignore[arg-type]
        first = report.opening[0]
        assert isinstance(first, Callout) and report.footer.startswith(report.title)
        return report.title, f"{first.tone}: {first.text}"

    unmet = replace(evidence.criteria[0], state="not met", accepted="Agreed on 2026-11-20.", who="A. Officer")
    sentence = "May leave for a release under contract, by a written reason: 4 of 5 criteria are met, 1 is accepted."
    accepted = replace(evidence, may_leave=True, criteria=(unmet, *evidence.criteria[1:]), verdict=sentence)
    against = replace(evidence, may_leave=False, leaves_anyway="Agreed in writing.", verdict="Not yet: 1 is not met.")
    for found, line in ((accepted, sentence), (against, "Leaves by a written reason although the verdict is against")):
        title, first = front(found, "en")
        assert title.endswith(": release by a written reason") and first.startswith(f"accepted: {line}")
        title, first = front(found, "de")
        assert title.endswith(": Freigabe mit schriftlicher Begründung") and "schriftlicher Begründung" in first
    for add in ((), ("reasons",)) if public else ((),):
        opening = report_of(accepted, order, public=public, add=add).opening  # type: ignore[arg-type]
        written = any("Agreed on 2026-11-20." in each.text for each in opening if isinstance(each, Callout))
        assert written is (not public or bool(add)), "for anybody only where it is added"
    for found in (evidence, replace(against, leaves_anyway="")):
        assert found.is_by_reason is False and "reason" not in " ".join(front(found, "en"))


@pytest.mark.parametrize("order", ORDERS)
def test_long_tables_stand_in_an_annex_with_a_line_in_their_place(order: str) -> None:
    names = [f"column {i}" for i in range(LONG + 4)]
    frame = pd.DataFrame({name: ["a", "b"] * 10 for name in names})
    evidence = gather(opened(frame, roles=dict.fromkeys(names, Role.QUASI_IDENTIFIER)), parts=(), on=ON)
    report = report_of(evidence, order)  # type: ignore[arg-type]
    (annex,) = [each for each in report.sections if each.title == "Annex: Long tables"]
    long_ones = [each for each in annex.blocks if isinstance(each, Table)]
    assert len(long_ones) == len(annex.blocks) and all(len(each.rows) > LONG for each in long_ones)
    assert {str(row[0]) for each in long_ones for row in each.rows} >= set(names)
    others = [block for each in report.sections if each is not annex for block in each.blocks]
    assert all(len(each.rows) <= LONG for each in others if isinstance(each, Table))
    lines = [each.text for each in others if isinstance(each, Paragraph) and "is in annex" in each.text]
    assert lines == [f"{t.caption}: the table of {len(t.rows)} rows is in annex {annex.number}." for t in long_ones]


def test_each_risk_names_its_attacker_and_what_that_attacker_knows(evidence: Evidence) -> None:
    table = table_of(evidence, "assessment", "Risk of re-identification")
    assert table.header == ("Attacker", "Knows", "Highest risk", "Average risk", "Records at risk")
    assert [row[:2] for row in table.rows] == [
        ("Prosecutor", "who is in the file; age, zip and sex"),
        ("Marketer", "everybody in the file: age, zip and sex"),
    ]
    (front,) = [each for each in report_of(evidence).opening if isinstance(each, Table)]
    assert all("(prosecutor)" in row[0] or "(marketer" in row[0] for row in front.rows if "risk" in str(row[0]))


def test_each_limit_of_a_criterion_stands_with_what_it_is_counted_in(evidence: Evidence) -> None:
    by_title = {str(row[0]): row[1] for row in table_of(evidence, "ema", "What the release must meet").rows}
    assert by_title["Smallest class"] == "at least 5 records" and by_title["No identifiers"].startswith("none (")


def test_each_figure_of_the_summary_has_a_unit_and_its_place_on_screen(evidence: Evidence) -> None:
    (table,) = [each for each in report_of(evidence).opening if isinstance(each, Table)]
    assert table.header == ("What is counted", "Original", "Release", "Counted in", "On screen")
    assert all(all(str(cell).strip() for cell in row) for row in table.rows)


def test_the_front_names_the_case_and_its_absence(evidence: Evidence) -> None:
    facts = report_of(evidence, "ethics").facts
    assert isinstance(facts, Facts) and dict(facts.pairs)["Case"] == f"{FULL.reference} {FULL.title}"
    empty = report_of(replace(evidence, case=ReleaseCase()), "ethics").facts
    assert dict(empty.pairs)["Case"] == NOT_STATED


def test_where_persons_have_several_rows_the_conclusion_is_of_the_worse_of_both_counts() -> None:
    """By the values of each column all are alike; one who saw a person once finds some alone."""
    rows = [(f"p{i}", "30" if visit else str(40 + i), "02138", "f") for i in range(24) for visit in range(2)]
    frame = pd.DataFrame(rows, columns=["name", "age", "zip", "sex"]).assign(illness="flu", note="n")
    roles = ROLES | {"name": Role.PERSON_ID}
    evidence = gather(opened(frame, roles=roles, k=12, aim=Aim.for_recipient("contract")), parts=(), on=ON)
    assert evidence.several_rows and evidence.after is not None
    by_rows = next(row for row in table_of(evidence, "ema", "0.09").rows if "known of visits" in str(row[0]))
    assert by_rows[2] == "100%" and isinstance(by_rows[3], Cell) and by_rows[3].text == "not met"
    assert "risk of re-identification in the release is 100%" in text_of(html_of(evidence, "ema"))
    without = replace(evidence, criteria=())
    assert "no criterion counts the risk by what somebody knows of these" in text_of(html_of(without, "ema"))
    risks = table_of(evidence, "dpia", "Risks")
    recognised, linked, learned = (str(row[1]) for row in risks.rows)
    assert "(the values of each column known)" in recognised and "(the values of each column known)" in linked
    assert "certain from 2 quasi-identifiers" in learned


@pytest.mark.parametrize("order", ORDERS)
def test_the_pdf_of_an_order_is_tagged_whole(order: str) -> None:
    """Each heading, table and picture of the report is one in the PDF's structure, each picture with its text."""
    evidence = gather(opened(of_two_classes(6)), on=ON)
    report = report_of(evidence, order)  # type: ignore[arg-type]
    document = PdfReader(io.BytesIO(pdf_of(evidence, order)))  # type: ignore[arg-type]
    found = kinds_and_alternatives(document.trailer["/Root"]["/StructTreeRoot"], {})
    blocks = blocks_of(evidence, order)
    pictures = [each.alt for each in blocks if isinstance(each, Figure)]
    assert pictures and [alt for alt in found["/Figure"] if alt] == pictures
    assert len(found["/H1"]) == sum(section.level == 1 for section in report.sections)
    assert len(found.get("/H2", [])) == sum(section.level == 2 for section in report.sections)
    headers = sum(len(each.header) for each in blocks if isinstance(each, Table))
    assert len(found["/TH"]) == headers
    assert len(found["/LI"]) >= sum(len(each.items) for each in blocks if isinstance(each, Bullets))


def test_for_anybody_nothing_was_tried_that_was_left_out(evidence: Evidence) -> None:
    found = replace(evidence, left_out=("attacks", "utility", "inference"), attacks=None, utility=None)
    text = text_of(html_of(found, public=True))
    assert "Filed: it stands" not in text.partition("Measured without a limit")[0]
    assert text.count("Left out of this assessment by choice") >= 5, "found, linked, guessed, how, what it is good for"


def test_a_release_for_anybody_is_not_called_ready_by_a_class_that_visits_make_smaller() -> None:
    """k = 5 by visits is a risk of 20%, whatever the values of all visits together come to."""
    frame = pd.DataFrame(
        {"name": [f"P{i // 2}" for i in range(80)], "age": ["30", "40"] * 40, "illness": ["a", "b"] * 40}
    )
    roles = {"name": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE}
    for k, is_ready in ((5, False), (11, True)):
        aim = replace(Aim.for_recipient("public"), criteria=(SmallestClass(k),))
        found = gather(opened(frame, roles=roles, aim=aim), parts=(), on=ON)
        assert found.may_leave and found.as_released is not None and found.as_released.several_rows
        text = text_of(html_of(found, "ema", public=True))
        assert ("may be published under the policy" in text) is is_ready
        assert ("no criterion counts the risk by what somebody knows of these visits" in text) is not is_ready
