"""An officer's way through the app: what is answered is on the page, and what is left of the file is counted."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api")

from anonlib.columns.roles import Role
from benchmarks.bench_in_app import ANSWERS, FILES, HEAD, Case, gone
from benchmarks.bench_worth import files

QUESTIONS = Path(__file__).resolve().parents[2] / "pages" / "verdict" / "verdict" / "questions.py"


def test_every_question_of_the_page_has_an_answer() -> None:
    """The labels are those of the page's buttons: each list of answers has one that the policy presses."""
    source = QUESTIONS.read_text(encoding="utf-8")
    assert [label for label in ANSWERS if f'"{label}"' not in source] == []
    labels = {*re.findall(r'(?:Answer|_stays)\(\s*"([^"]+)"', source)}
    assert {*ANSWERS} <= labels
    assert labels - {*ANSWERS} == {"Nobody can know these", "It harms nobody", "Nothing does"}, "never pressed"


def test_what_is_gone_is_what_no_two_records_differ_in() -> None:
    before = b"id,age,sex,ward,town\n1,20,f,a,x\n2,30,m,b,x\n3,40,f,b,x\n"
    after = b"age,sex,town\n*,f,x\n*,m,x\n*,f,x\n"
    assert gone(before, after, {"id": Role.IDENTIFIER}) == (("age", "ward"), 3)


def test_a_line_says_what_was_asked_again_and_why_it_ended() -> None:
    case = Case("a file", "public", clicks=3, questions=Counter({"Could x be known?": 2, "Could y be known?": 1}))
    case.ended = "not within 600 s, waiting for the page Verdict at rest"
    cells = dict(zip(HEAD, case.cells, strict=True))
    assert cells["questions"] == "3, again: Could x be known?"
    assert (cells["first proposal"], cells["columns removed"]) == ("none", "no file")
    assert cells["at the end"] == case.ended


def test_the_files_are_those_of_what_is_left_of_a_file() -> None:
    assert {"admissions", "hospital extract, made up", "101,766 visits, made up"} <= {*FILES} & {*files()}
