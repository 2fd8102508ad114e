"""A line of the case is taken apart into a name and addresses, and nothing else becomes an address."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.filing.record.agents import Contact, agent
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
