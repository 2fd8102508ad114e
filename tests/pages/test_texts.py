"""A column of texts on its way: what was found on Data, what the verdict says, and redaction on Release."""

from __future__ import annotations

import pytest

from anonlib.coarsening.recoding import Redaction
from tests.helpers.app import DATA, RELEASE, VERDICT, App, seeded

NOTES = ["Mr Smith called on 03/04/2021 about it", "no change since the last visit here", "Anna Schmidt rang us today"]
ROLES = {"age": "quasi_identifier", "remarks_free": "sensitive"}
CANNOT = "Names that are in no list, places, rare facts and what a story tells stay."


@pytest.fixture(scope="module")
def file() -> bytes:
    rows = [f"{30 + i % 5},{NOTES[i % 3]} ({i})" for i in range(60)]
    return "\n".join(["age,remarks_free", *rows]).encode()


def test_data_says_what_was_found_and_how_it_can_be_released(file):
    table = App(DATA, file).table("Why").set_index("Column")
    why = table.loc["remarks_free", "Why"]
    assert "40 of 60 texts hold names, 20 dates." in why and "give it the role Sensitive and redact it" in why
    assert not any(value in why for value in ("Smith", "Anna", "2021"))


@pytest.mark.usefixtures("without_searches")
def test_the_verdict_names_kinds_and_numbers(file):
    app = seeded(file, page=VERDICT, roles=ROLES)
    assert "40 of 60 texts hold names, 20 dates. Redact the text or drop the column." in app.text.replace("\\", "")
    assert "Smith" not in app.text


def test_release_offers_to_redact_texts_alone(file):
    app = seeded(file, page=RELEASE, roles=ROLES).choose("selectbox", "Column", "age")
    assert "Redact text" not in app.widget("segmented_control", "Way").options
    app.choose("selectbox", "Column", "remarks_free")
    assert app.widget("segmented_control", "Way").value == "Redact text"
    assert f"40 of 60 texts hold names, 20 dates. {CANNOT} Read a sample before release." in app.text
    app.choose("multiselect", "What is replaced by marks", [])
    assert "Choose at least one kind of identifier to redact" in app.text
    app.choose("multiselect", "What is replaced by marks", ["name"]).press("Add to recipe")
    (entry,) = app.session.recipe.entries
    assert entry.step.recoding == Redaction(("name",))
