"""A line of a case is taken apart into a name and addresses, and names categories of the law."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.filing.record.vocabulary import CATEGORIES, Contact, agent, categories_in
from tests.helpers.examples import settings

IRI = re.compile(r"(mailto:|https?://)[^\s<>\"{}|\\^`\x00-\x20]+")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("data@hospital.example", ("", "data@hospital.example", "")),
        ("mailto:data@hospital.example.", ("", "data@hospital.example", "")),
        ("Data office, data@hospital.example.", ("Data office", "data@hospital.example", "")),
        ("Data office (https://hospital.example/data).", ("Data office", "", "https://hospital.example/data")),
        (
            "A. Weiß <a.weiss@x.example>; http://x.example/?a=1&b=%20",
            ("A. Weiß", "a.weiss@x.example", "http://x.example/?a=1&b=%20"),
        ),
        ("Data office (Room 7) - a@b.example", ("Data office (Room 7)", "a@b.example", "")),
        ("Room 7, second floor", ("Room 7, second floor", "", "")),
        ("javascript:alert(1)", ("javascript:alert(1)", "", "")),
        ("", ("", "", "")),
    ],
)
def test_a_line_is_taken_apart(line: str, expected: tuple[str, str, str]) -> None:
    found = Contact.of(line)
    assert (found.name, found.email, found.page) == expected
    assert found.is_reachable == bool(expected[1] or expected[2])


PIECES = st.sampled_from(["https://", "a@b", ".example", "%", "%2", "/x", *'<>" \\{}[]`|^ü()'])


@settings(300)
@given(st.lists(PIECES | st.text(max_size=4), max_size=12).map("".join))
def test_an_address_is_one_that_can_stand_in_a_record(line: str) -> None:
    found = Contact.of(line)
    for address in (found.place, found.page, f"mailto:{found.email}" if found.email else ""):
        assert not address or IRI.fullmatch(address)
        assert not re.search(r"%(?![0-9A-Fa-f]{2})", address)


def test_who_has_no_address_has_no_contact() -> None:
    assert agent("The hospital", Contact.of("Room 7"))["cv:contactPoint"] is None
    point = agent("The hospital", Contact.of("a@b.example"))["cv:contactPoint"]
    assert point["cv:email"] == "a@b.example" and point["cv:contactPage"] is None


def test_they_are_those_of_the_law() -> None:
    assert "".join(each.letter for each in CATEGORIES) == "abcdefghijklmnopq"
    assert len({each.code for each in CATEGORIES}) == 17


@pytest.mark.parametrize("category", CATEGORIES, ids=lambda each: each.code)
def test_each_is_named_by_letter_and_by_code(category) -> None:
    assert categories_in(f"Art. 51(1)({category.letter})") == (category,)
    assert categories_in(f"Art. 51 (1) ({category.letter}) EHDS") == (category,)
    assert categories_in(f"{category.code}") == (category,)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("electronic health records", ["EHRS"]),
        ("EHR data", ["EHRS"]),
        ("Claims", ["HRAD"]),
        ("electronic health records, and claims", ["EHRS", "HRAD"]),
        ("Population-based health data registries", ["PHDR"]),
        ("clinical trials", ["EHCT"]),
        ("Biobank and cohort", ["RQSH", "EINS"]),
        ("genomic data", ["HGPD"]),
        ("epigenomic data", ["HGPD"]),
        ("wellness applications", ["WELA"]),
        ("mortality registry", ["MRMR"]),
        ("pathogens", ["RPDG"]),
        ("data", []),
        ("reclaimed land", []),
        ("", []),
    ],
)
def test_words_name_categories(text: str, codes: list[str]) -> None:
    assert [each.code for each in categories_in(text)] == codes
