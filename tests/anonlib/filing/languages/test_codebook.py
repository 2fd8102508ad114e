"""A codebook in German: no sentence of ours stays English, and no name, label or code changes."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy, codes
from anonlib.coarsening.recoding import CodeGroup, DateUnit, Intervals, Mask, Redaction, Rounding, ValueMap
from anonlib.columns.codes import SYSTEMS
from anonlib.columns.roles import Role
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.filing.languages.report import translated_codebook
from anonlib.filing.languages.translator import Translator
from anonlib.reading.sources import Described, ReadOptions, open_source
from anonlib.release.codebook import Codebook, codebook
from anonlib.release.recipe import Recipe
from anonlib.release.steps import (
    AggregatePlaces,
    AtMostRows,
    BlankCells,
    GeneralizeLocally,
    MergeRare,
    Recode,
    ShiftDates,
    Step,
)
from tests.helpers.errors import refused

N = 24
FRAME = pd.DataFrame(
    {
        "patient": [f"p{i // 2}" for i in range(N)],
        "age": [str(20 + 3 * i) if i % 7 else "" for i in range(N)],
        "seen": [f"2024-{1 + i % 12:02d}-0{1 + i % 9}" for i in range(N)],
        "zip": ["02138", "02139", "01840", "01841"] * (N // 4),
        "stay": [str(1 + i % 5) for i in range(N)],
        "paid": [f"{100 * i} €" for i in range(N)],
        "diagnosis": ["I21", "I25", "J45", "C50", "E11", "F32"] * (N // 6),
        "code": ["390", "250", "401", "V10", "E880", "140"] * (N // 6),
        "drug": ["A10BA02", "C07AB02", "N02BE01"] * (N // 3),
        "other": ["none", "missing", "other", "date"] * (N // 4),
        "note": [f"Anna Miller came on 3 May, {i}" for i in range(N)],
    }
)
ROLES = {
    "patient": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER, "zip": Role.QUASI_IDENTIFIER, "diagnosis": Role.SENSITIVE,
    "other": Role.OTHER,
}  # fmt: skip
TOGETHER = GeneralizeLocally(
    (("age", Hierarchy((Intervals(10), Intervals(30), EVERYTHING))),), (KAnonymity(columns=("age",), least=3),)
)
SECRET = "00112233445566778899aabbccddeeff"
RECIPES: dict[str, tuple[Step, ...]] = {
    "nothing": (),
    "groups": (
        Recode("age", Intervals(10, top=70)), Recode("seen", DateUnit("quarter")), Recode("zip", Mask(3)),
        Recode("stay", Rounding(5)), Recode("paid", Intervals(500)),
        Recode("diagnosis", CodeGroup("icd-10", "chapters")),
        Recode("code", CodeGroup("icd-9-cm", "chapters")), Recode("drug", CodeGroup("atc", "anatomical groups")),
        Recode("other", ValueMap((("none", "none"),), otherwise="other")),
    ),
    "others": (
        TOGETHER, Recode("seen", DateUnit("half")), Recode("stay", ValueMap.of({"1": "few", "2": "few"})),
        Recode("other", ValueMap((("none", "type"),)), others="star"), Recode("zip", Mask(2, "end")),
        MergeRare("diagnosis", 9), MergeRare("code", 5, hierarchy=codes(SYSTEMS["icd-9-cm"])),
        Recode("note", Redaction()),
    ),
    "cells": (
        AggregatePlaces("zip", (("north", ("02138", "02139")), ("south", ("01840", "01841")))),
        Recode("age", Intervals(20)), Recode("seen", DateUnit("day")), Recode("stay", Mask(0)),
        BlankCells(("zip", "diagnosis"), (KAnonymity(columns=("zip", "diagnosis"), least=5),), 0.5),
        Recode("other", ValueMap((), otherwise="*")),
    ),
    "persons": (AtMostRows(1, "first", "seen", secret=SECRET), ShiftDates(("seen",), secret=SECRET)),
    "weeks": (AtMostRows(1, secret=SECRET), ShiftDates(("seen",), "offset", 183, True, True, secret=SECRET)),
    "days": (AtMostRows(1, "last", "stay", secret=SECRET), ShiftDates(("seen",), "since_first")),
}  # fmt: skip


def made(*steps: Step, described: dict[str, Described] | None = None) -> Codebook:
    data = Dataset.from_frame(FRAME).with_roles(ROLES)
    recipe = Recipe.of(list(steps))
    return codebook(recipe.apply(replace(data, described=described or {})).released, recipe)


@pytest.mark.parametrize("name", RECIPES)
def test_a_codebook_is_german_throughout(name: str) -> None:
    described = {
        "age": Described("age", "Age at the visit", "years"),
        "stay": Described("stay", "Stay", "days", labels=(("1", "missing"), ("2", "from 2 to 3"))),
    }
    book = made(*RECIPES[name], described=described)
    german, missing = translated_codebook(book, "de")
    assert not missing
    assert german.sheets == ("Spalten", "Stufen", "Hinweise") and {"Spalte", "Typ"} <= {*german.columns}
    for kept in ("column", "title", "unit", "different values", "name in SPSS", "name in Stata"):
        assert german.columns[Translator("de").text(kept)].tolist() == book.columns[kept].tolist()
    for kept in ("column", "level"):
        pd.testing.assert_series_equal(german.levels[Translator("de").text(kept)], book.levels[kept], check_names=False)
    for code, label in () if name != "nothing" else (("1", "missing"), ("2", "from 2 to 3")):
        row = german.levels[(german.levels["Spalte"] == "stay") & (german.levels["Stufe"] == code)]
        assert row["Bedeutung"].tolist() == [f"im Original {label}"], "what a dictionary calls a code is not ours"


def test_a_label_that_a_step_gives_stays_as_it_stands_in_the_file() -> None:
    book = translated_codebook(made(*RECIPES["groups"]), "de")[0]
    row = book.columns.set_index("Spalte").loc["other"]
    levels = book.levels[book.levels["Spalte"] == "other"]
    assert levels.iloc[:, 1:].to_numpy().tolist() == [["none", "wie es dasteht"], ["other", "wie es dasteht"]]
    assert row["was sie ist"] == "Keins von beiden"


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("January to June 2024", "Januar bis Juni 2024"),
        ("September 2023 to May 2024", "September 2023 bis Mai 2024"),
        ("7 March 2024", "7. März 2024"),
        ("March 2024", "März 2024"),
        ("El Emam 2013", "El Emam 2013"),
    ],
)
def test_months_and_days_are_written_as_in_germany(english: str, german: str) -> None:
    assert Translator("de").text(english) == german


def test_the_german_workbook_can_be_read() -> None:
    file = translated_codebook(made(), "de")[0].to_excel()
    frame = open_source(file, "codebook.xlsx", ReadOptions(sheet="Stufen")).frame
    assert [*frame.columns] == ["Spalte", "Stufe", "Bedeutung"]


def test_english_is_as_it_was_and_another_language_is_a_sentence() -> None:
    book = made()
    assert translated_codebook(book, "en") == (book, ())
    with refused("choice-unknown"):
        translated_codebook(book, "xx")
