"""What a case says names categories of Art. 51 of the EHDS regulation, or none."""

from __future__ import annotations

import pytest

from anonlib.filing.record.categories import CATEGORIES, categories_in


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
