"""A report as a value: what does not fit together is refused when it is made, and its text is clean."""

from __future__ import annotations

import json
import unicodedata
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.filing.report import Callout, Cell, Facts, Figure, Paragraph, Report, Section, Table
from anonlib.filing.report.rendering import UNSHOWABLE, as_plain, clean, clean_lines
from tests.helpers.reports import report_of

DAY = date(2026, 1, 1)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Table("t", (), ()),
        lambda: Table("t", ("a", "b"), (("1",),)),
        lambda: Table("t", ("a", "b"), (), align=("left",)),
        lambda: Callout("c", "good"),  # type: ignore[arg-type]
        lambda: Cell("c", "bad"),  # type: ignore[arg-type]
        lambda: Figure("<svg/>", " ", "caption"),
        lambda: Facts((("a", "b", "c"),)),  # type: ignore[arg-type]
        lambda: Section("s", (), 3),  # type: ignore[arg-type]
        lambda: Section(" ", ()),
        lambda: Report("r", "", "en", Facts(()), (), (Section("s", (), 2),), "", DAY),
        lambda: Report("r", "", "English", Facts(()), (), (), "", DAY),
        lambda: Report("", "", "en", Facts(()), (), (), "", DAY),
    ],
)
def test_what_does_not_fit_together_is_refused(make):
    with pytest.raises(ValueError):
        make()


def test_columns_of_numbers_stand_right_and_all_others_left():
    rows = (("1", "1,200", "12.5%", "–", "at most 5", "", "<0.001%"), ("2", "7", "<0.001%", "3", "4", "", "1e-9"))
    table = Table("t", tuple("abcdefg"), rows)
    assert table.alignment == ("left", "right", "right", "right", "left", "left", "right"), "the first names the row"
    assert Table("t", ("a", "b"), (("1", "2"),), align=("right", "left")).alignment == ("right", "left")
    assert Table("t", ("a", "b"), (("1", Cell("2", "met")),)).alignment == ("left", "left"), "a verdict is no number"
    assert Table("t", ("a", "b"), ()).alignment == ("left", "left")


def test_tables_and_figures_are_numbered_through_the_whole_report():
    table, figure = Table("t", ("a",), ()), Figure("<svg/>", "alt", "c")
    report = Report(
        "r", "", "en", Facts(()), (table,), (Section("s", (figure, table)), Section("s", (table, figure))), "", DAY
    )
    plain = as_plain(report)
    found = [*plain["opening"], *(block for section in plain["sections"] for block in section["blocks"])]
    assert [block["label"] for block in found] == ["Table 1", "Figure 1", "Table 2", "Table 3", "Figure 2"]


@given(st.text() | st.text(st.characters(categories=("Cc", "Cs", "Co", "Cf", "Zs", "Zl")), max_size=20))
def test_clean_text_is_one_line_that_can_be_written_and_read_again(text):
    found = clean(text)
    found.encode()
    assert "\n" not in found and found == clean(found) and len(found) <= len(text)
    assert not {unicodedata.category(letter) for letter in found} & {"Cc", "Cs", "Co", "Cn"} - {
        unicodedata.category(UNSHOWABLE)
    }


def test_marks_that_turn_what_follows_are_replaced_and_those_inside_a_word_stay():
    assert clean("a\u202eb\u2066c\u200dd\u200fe") == f"a{UNSHOWABLE}b{UNSHOWABLE}c\u200dd\u200fe"
    assert clean("a\u200bb") == "ab", "a place to break is not a letter"


def test_code_keeps_its_lines_and_spaces():
    assert clean_lines("a\n  b\tc\x00  \n\nd") == f"a\n  b c{UNSHOWABLE}\n\nd"


def test_a_plain_report_is_json():
    plain = as_plain(report_of("α “β”"))
    assert json.loads(json.dumps(plain)) == plain
    assert plain["sections"][0]["blocks"][0] == {"kind": "paragraph", "text": "α “β” (paragraph)"}


def test_an_empty_report_has_all_parts():
    plain = as_plain(Report("r", "", "en", Facts(()), (), (Section("s", (Paragraph(""),)),), "", DAY))
    assert plain["facts"] == [] and plain["sections"][0]["blocks"] == [{"kind": "paragraph", "text": ""}]
