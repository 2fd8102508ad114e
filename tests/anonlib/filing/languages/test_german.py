"""Reports in German: whole, with the same numbers and names, and dated as there."""

from __future__ import annotations

import io
import re
from collections import Counter
from dataclasses import replace
from datetime import date
from html import unescape

import pytest
from babel.messages.pofile import read_po
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from anonlib.basics.errors import InputError
from anonlib.coarsening.recoding import Intervals, Mask
from anonlib.filing.case import ReleaseCase
from anonlib.filing.evidence import PARTS, VALUE_TABLES, Evidence, gather
from anonlib.filing.evidence.report import ORDERS, html_of, pdf_of, report_of
from anonlib.filing.evidence.report.names import names_in
from anonlib.filing.languages import FOLDER, languages
from anonlib.filing.languages.report import translated
from anonlib.filing.languages.translator import Translator
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from anonlib.verdict.criteria import Accepted, Aim, SmallestClass
from tests.helpers.evidence import opened, visits
from tests.helpers.examples import settings

ON = date(2026, 11, 22)
CASE = ReleaseCase(
    title="Release", reference="Step 1,234", purpose="Rows and values", recipient="Persons", author="Table"
)
PLACE = re.compile(r"\{(\d+)(?::\w+)?\}")
LIBRARIES = "pandas|numpy|scipy|geopandas|shapely|plotly|scikit-learn|Python|Anonscope"
NO_WORDS = re.compile(rf"[\d\W]*|[0-9a-f]{{64}}|({LIBRARIES}).*")


def of_visits() -> Evidence:
    steps = (Recode("age", Intervals(25)), Recode("zip", Mask(3)), DropColumns(("note",)), LeaveOut(3))
    found = opened(visits(90), *steps, aim=Aim.for_recipient("contract"))
    found = replace(found, project=replace(found.project, case=CASE))
    return gather(found, parts=(*PARTS, VALUE_TABLES), on=ON, target="sex", people=4000)


def of_the_public() -> Evidence:
    criterion = SmallestClass(30)
    aim = replace(
        Aim.for_recipient("public"), leaves_anyway="Agreed in writing",
        accepted=(Accepted(criterion, "Known to all.", "A. Officer", "2026-11-20"),),
    )  # fmt: skip
    return gather(opened(visits(60), aim=replace(aim, criteria=(*aim.criteria, criterion))), parts=("attacks",), on=ON)


@pytest.fixture(scope="module", params=[of_visits, of_the_public], ids=["under contract", "to the public"])
def evidence(request: pytest.FixtureRequest) -> Evidence:
    return request.param()


def text_of(html: bytes) -> str:
    return unescape(re.sub(r"<style.*?</style>|<wbr>|<img[^>]*>", "", html.decode(), flags=re.DOTALL))


def numbers_in(text: str) -> Counter[str]:
    """All numbers, whatever their marks for thousands and decimals; the digits of days in any order."""
    plain = re.sub(r"<[^>]*>", " ", text)
    plain = re.sub(r"\b(\d{4})-(\d\d)-(\d\d)\b", lambda day: f" {int(day[3])}.{int(day[2])}.{day[1]} ", plain)
    return Counter("".join(re.findall(r"\d", each)) for each in re.findall(r"\d[\d.,]*", plain))


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("order", ORDERS)
def test_no_text_of_a_report_stays_english(evidence: Evidence, order: str, public: bool) -> None:
    english = report_of(evidence, order, public=public)  # type: ignore[arg-type]
    _, missing = translated(english, "de", names_in(evidence))
    assert not [text for text in missing if not NO_WORDS.fullmatch(text)]


@pytest.mark.parametrize("order", ORDERS)
def test_the_numbers_are_the_same(evidence: Evidence, order: str) -> None:
    english, german = (text_of(html_of(evidence, order, language=each)) for each in ("en", "de"))  # type: ignore[arg-type]
    before, after = numbers_in(english), numbers_in(german)
    assert not before - after, "each number of the English report is in the German one"


def test_what_was_typed_and_named_is_not_translated(evidence: Evidence) -> None:
    german = text_of(html_of(evidence, language="de"))
    for name in [*evidence.case.to_dict().values(), *(each.name for each in evidence.columns), evidence.file.name]:
        assert name in german, name


def test_the_pdf_is_german_throughout() -> None:
    document = PdfReader(io.BytesIO(pdf_of(of_visits(), "dpia", language="de")))
    text = " ".join(page.extract_text() for page in document.pages)
    assert document.trailer["/Root"]["/Lang"] == "de"
    assert f"Seite 1 von {len(document.pages)}" in text and "22.11.2026" in text and "Inhalt" in text
    assert "Page 1" not in text


def test_an_unknown_language_is_a_sentence() -> None:
    assert next(iter(languages())) == "en" and languages()["de"] == "Deutsch"
    with pytest.raises(InputError, match="language of a report"):
        report_of(of_the_public(), language="xx")


NAMES = [
    "Release", "Step", "and", "1,234", "a, b and c", "“x”", "{0}", "\ue000" + "0" + "\ue001", "a.*b", "Records", "met",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_never_translated(name: str) -> None:
    translator = Translator("de", {name})
    assert translator.text(name) == name


@settings(60)
@given(st.text(max_size=60))
def test_any_text_can_be_looked_for(text: str) -> None:
    assert Translator("de", {text}).text(text) == text
    assert isinstance(Translator("de", ()).text(text), str)


def test_a_sentence_keeps_the_names_that_it_quotes() -> None:
    translator = Translator("de", {"Release", "a, b and c"})
    found = translator.text("Taken to be known outside: “Release” and “a, b and c”.")
    assert "„Release“" in found and "„a, b and c“" in found and "Freigabe" not in found


def test_each_message_has_the_places_of_its_english() -> None:
    with (FOLDER / "de.po").open("rb") as file:
        catalog = read_po(file, locale="de")
    wrong = [
        entry.id
        for entry in catalog
        if entry.id and entry.string and {*PLACE.findall(str(entry.id))} != {*PLACE.findall(str(entry.string))}
    ]
    assert len(catalog) > 1_000 and not wrong
