"""The messages of a language: their places, what recognises them, and what is passed over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from anonlib.filing.languages import FOLDER, translator
from anonlib.filing.languages.translator import HiddenNames, Message, Translator, has_other_places, messages_of
from tools.messages import wrong_ones

NOTHING_HIDDEN = HiddenNames((), (), {})


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.po")), ids=lambda path: path.stem)
def test_each_message_has_the_places_and_the_marks_of_its_english(path: Path) -> None:
    with path.open("rb") as file:
        catalog = read_po(file, locale=path.stem)
    assert len(catalog) > 1_000 and not wrong_ones(catalog)
    translations = [str(entry.string) for entry in catalog if entry.id and entry.string and " == " not in entry.id]
    assert not [each for each in translations if re.search(r"“[^“„]*”|\d%|\w  \w| ,| \.(?!\w)", each)]


@pytest.fixture
def of_a_language(tmp_path, monkeypatch):
    """A language of a few messages, called "nl"."""

    def written(**pairs: str) -> Translator:
        catalog = Catalog(locale="nl", charset="utf-8")
        for number, (english, other) in enumerate(pairs.items()):
            catalog.add(english, other, locations=[("a.py", number)])
        with (tmp_path / "nl.po").open("wb") as file:
            write_po(file, catalog)
        monkeypatch.setattr(translator, "FOLDER", tmp_path)
        messages_of.cache_clear()
        return Translator("nl")

    yield written
    messages_of.cache_clear()


def test_a_message_with_other_places_is_noticed_and_passed_over(of_a_language) -> None:
    pairs = {"{0} rows of {1} stay.": "{0} rijen blijven.", "{0} columns stay.": "{0} kolommen blijven."}
    translator = of_a_language(**pairs)
    assert translator.text("5 rows of 1,000 stay.") == "5 rows of 1.000 stay." and translator.missing
    assert translator.text("5 columns stay.") == "5 kolommen blijven."
    catalog = Catalog(locale="nl")
    for english, other in pairs.items():
        catalog.add(english, other)
    assert wrong_ones(catalog) == ["{0} rows of {1} stay."]
    assert not has_other_places("{0} of {1}", "{1:dative} van {0}, {1}") and has_other_places("{0}", "none")


def test_a_text_without_a_message_stays_english_with_its_numbers_as_the_language_writes_them(of_a_language) -> None:
    translator = of_a_language(**{"Nothing is left.": "Er blijft niets over."})
    assert translator.text("Nothing is left. But 1,234.5 sheep on 2026-11-22.") == (
        "Er blijft niets over. But 1.234,5 sheep on 22 nov 2026."
    )
    assert translator.missing == ["Nothing is left. But 1,234.5 sheep on 2026-11-22."]


@pytest.mark.parametrize(
    "english, text, values",
    [
        ("{0} of {1} met", "5 of 6 met", [{"0": "5", "1": "6"}]),
        ("in {0} rows", "within 5 rows", []),
        ("{0} in {1}", "distinct values", []),
        ("above {0}.", "Above 5.", [{"0": "5"}]),
        ("above {0}", "above 5. The rest is below", []),
        ("“Case” of {0}", "“Cases” of 5", []),
    ],
)
def test_what_stands_at_the_places_of_a_message(english: str, text: str, values: list[dict[str, str]]) -> None:
    other = "{0}: over" if english == "above {0}" else english
    hidden = HiddenNames((), (), {})
    assert list(Message(english, other).values(hidden.put_away(text), hidden)) == values


def test_places_side_by_side_are_parted_at_blanks() -> None:
    ways = list(Message("It {0} {1}.", "{0} {1}").values("It has no rows.", NOTHING_HIDDEN))
    assert {"0": "has", "1": "no rows"} in ways and {"0": "has no", "1": "rows"} in ways


def test_a_sentence_is_no_part_of_another() -> None:
    text = "Nobody in the file can be singled out with a probability above 1%. The highest risk is 100%, 1 in 1."
    found = Translator("de").text(text)
    first, second = found.split(". ")
    assert "1\u00a0%" in first and "100" not in first and "100\u00a0%" in second
