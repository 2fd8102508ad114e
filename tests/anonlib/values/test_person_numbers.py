"""Numbers of persons are known by their check digits, and other numbers are none."""

from __future__ import annotations

import pytest

from anonlib.values.person_numbers import kind_of_numbers, person_number_spans

NUMBERS = [
    "DE89 3704 0044 0532 0130 00", "NL91ABNA0417164300", "4111-1111-1111-1111", "A123456780", "A 123 456 780",
    "a123456780", "1 85 05 78 006 084 91", "44051401359", "529.982.247-25", "RSSMRA85T10A562S", "rss mra 85t10 a562s",
    "12345678Z", "X-1234567-L", "756.9217.0769.85", "811218-9876", "131052-308T", "93.05.18-223.61", "13097248022",
    "1237 010180", "AB 12 34 56 C", "800101-1234567", "1EG4-TE5-MK73", "123-45-6789A", "1HGCM82633A004352",
]  # fmt: skip
OTHERS = [
    "DE89 3704 0044 0532 0130 01", "4111-1111-1111-1112", "A123456781", "44051401358", "529.982.247-26", "12345678A",
    "NM_000492.4", "EUCTR2004-000446-20", "NCT01234567", "0002-8215-01", "2020-01-01 12:30:00", "C50.911", "A10BA02",
    "195967001", "1.2.840.113619.2.55", "20200101123000", "3 4 5 6 7 8 9 10",
]  # fmt: skip


@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_of_a_person_is_found_among_words(number):
    assert list(person_number_spans(number))
    assert list(person_number_spans(f"refund to {number} today"))


@pytest.mark.parametrize("number", OTHERS)
def test_another_number_is_none(number):
    assert not list(person_number_spans(f"see {number} today"))


@pytest.mark.parametrize(
    ("numbers", "kind"),
    [
        (["943 476 5919", "948 337 8877", "432-860-1296", "904 796 6694", "7510273463"], "mrn"),
        (["219 09 9999", "219-09-9998", "219099997", "219 09 9996", "219-09-9995"], "ssn"),
        (["111222333", "123456782", "1112.22.333", "111 222 333", "123 456 782"], "ssn"),
        (["A123456780", "A 123 456 780", "A123-456-780", "a123456780", "A-123-456-780"], "health_plan"),
    ],
)
def test_a_column_of_numbers_of_persons_is_known_without_a_name(numbers, kind):
    assert kind_of_numbers(numbers) == (kind, 1.0)
    assert kind_of_numbers([*numbers, *map(str, range(100000000, 100000010))]) is None
    assert kind_of_numbers(numbers[:4]) is None, "too few to tell"


def test_nine_figures_alone_may_be_anything():
    assert kind_of_numbers([str(219_099_900 + i) for i in range(40)]) is None
