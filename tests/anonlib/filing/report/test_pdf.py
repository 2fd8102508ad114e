"""A report as PDF: all of its text, tagged, with an outline, the same bytes each time, and no text read as markup."""

from __future__ import annotations

import io
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from anonlib.filing.report import Facts, Report, Section, Table
from anonlib.filing.report.rendering import as_plain, to_pdf
from tests.helpers.examples import settings
from tests.helpers.reports import HOSTILE, kinds_and_alternatives, report_of, texts

UNREADABLE = {"turned", "scripts"}  # an extractor gives text that runs to the left in another order


def opened(report: Report) -> PdfReader:
    return PdfReader(io.BytesIO(to_pdf(report)))


def without_spaces(text: str) -> str:
    return re.sub(r"\s", "", text)


def text_of(document: PdfReader) -> str:
    """Its text without white space; what stands at the foot of each page stands there once."""
    return without_spaces("".join(page.extract_text() for page in document.pages))


@pytest.mark.parametrize("words", [words for name, words in HOSTILE.items() if name != "long"], ids=list(HOSTILE)[:-1])
def test_any_text_is_set_as_text(words):
    report = report_of(words)
    document = opened(report)
    assert document.trailer["/Root"]["/MarkInfo"]["/Marked"]
    if words in [HOSTILE[name] for name in UNREADABLE]:
        return
    found = text_of(document)
    for text in texts(as_plain(report), skipped=("alt",)):
        assert without_spaces(text) in found, text[:80]


def test_a_long_name_is_broken_and_none_of_its_letters_lost():
    name = "".join(f"column_{i}_" for i in range(25)) + "y" * 200
    table = Table("caption", (name, "b"), ((name, "1"), ("c", name)), notes=(name,))
    document = opened(Report("title", name, "en", Facts(((name, name),)), (), (Section("s", (table,)),), name, DAY))
    assert text_of(document).count(name) >= 6
    pages = [page for page in document.pages if name[:40] in without_spaces(page.extract_text())]
    ends = [float(page.mediabox.right) for page in pages]
    for page, end in zip(pages, ends, strict=True):
        reached: list[float] = []
        page.extract_text(visitor_text=lambda text, cm, tm, font, size, at=reached: at.append(tm[4]))
        assert max(reached) < end - 40, "nothing begins beyond the margin"


@settings(12)
@given(st.text(min_size=1, max_size=40))
def test_random_text_can_be_set(words):
    assert to_pdf(report_of(words)).startswith(b"%PDF-")


def test_it_is_tagged_named_and_has_an_outline_and_labels_of_pages():
    document = opened(report_of("It"))
    root = document.trailer["/Root"]
    assert root["/Lang"] == "en-GB" and root["/ViewerPreferences"]["/DisplayDocTitle"] and "/StructTreeRoot" in root
    assert document.metadata is not None and document.metadata.title == "It (title)" and not document.metadata.author
    assert b"pdfuaid" in root["/Metadata"].get_data(), "it says that it keeps to PDF/UA"
    section, parts, annex = document.outline
    assert [section.title, parts[0].title, annex.title] == ["1 It (section)", "1.1 It (part)", "It (annex)"]
    assert document.page_labels == [str(i + 1) for i in range(len(document.pages))]
    assert f"Page1of{len(document.pages)}" in text_of(document)


def test_its_structure_names_headings_tables_lists_and_pictures():
    found = kinds_and_alternatives(opened(report_of("It")).trailer["/Root"]["/StructTreeRoot"], {})
    assert "It (alternative)" in found["/Figure"]
    assert {"/H1", "/H2", "/P", "/Table", "/TH", "/TD", "/L", "/LI", "/Caption"} <= set(found)
    assert len(found["/TH"]) == 3


def test_words_in_a_picture_are_text():
    assert "drawnwords" in text_of(opened(report_of()))


def test_the_same_report_gives_the_same_bytes_in_any_thread():
    report = report_of()
    with ThreadPoolExecutor(4) as threads:
        assert len({*threads.map(to_pdf, [report] * 4), to_pdf(report)}) == 1


def test_a_long_table_has_its_header_on_each_page():
    table = Table("caption", ("name", "count"), tuple((f"row {i}", str(i)) for i in range(150)))
    document = opened(Report("t", "", "en", Facts(()), (), (Section("s", (table,)),), "", DAY))
    with_rows = [page.extract_text() for page in document.pages if "row 1" in page.extract_text()]
    assert len(with_rows) >= 3 and all("name count" in text for text in with_rows)


def test_an_empty_report_is_a_page():
    assert len(opened(Report("t", "", "en", Facts(()), (), (), "", DAY)).pages) == 1


def test_nothing_is_read_beside_the_template(tmp_path, monkeypatch):
    """Typst begins in its own folder: a file in the working directory cannot come into a report."""
    (tmp_path / "secret.txt").write_text("a secret")
    monkeypatch.chdir(tmp_path)
    assert "secret" not in text_of(opened(report_of('#read("secret.txt")'))).replace('#read("secret.txt")', "")


DAY = report_of().date
