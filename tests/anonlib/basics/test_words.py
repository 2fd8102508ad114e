"""Numbers as they are shown: three significant digits, never 0% or 100% when it is not quite."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.basics import words


@pytest.mark.parametrize(
    ("number", "noun", "shown"),
    [
        (0, "records", "0 records"),
        (1, "records", "1 record"),
        (2, "records", "2 records"),
        (5000, "records", "5,000 records"),
        (1_234_567, "", "1,234,567"),
        (1, "", "1"),
    ],
)
def test_count(number, noun, shown):
    assert words.count(number, noun) == shown


# By hand, of every noun that is counted in the sources, and of those that a source takes as an argument.
SINGULARS = {
    "audit lines": "audit line", "browsers": "browser", "characters": "character", "comments": "comment",
    "cores": "core", "days": "day", "draws": "draw", "entries": "entry", "finer releases": "finer release",
    "larger numbers": "larger number", "more attacks": "more attack", "more known columns": "more known column",
    "of them": "of them", "other policies": "other policy", "past periods": "past period", "person ids": "person id",
    "projects": "project", "random sublattices": "random sublattice", "released columns": "released column",
    "requests": "request", "sessions": "session",
    "beginnings": "beginning", "different values": "different value", "ids of several rows": "id of several rows",
    "numbers": "number", "placeholders": "placeholder",
    "parts": "part", "attacks": "attack", "targets": "target", "other columns": "other column", "claims": "claim",
    "tries": "try", "releases": "release", "earlier releases": "earlier release", "properties": "property",
    "areas": "area", "blank rows": "blank row", "categories": "category", "cells": "cell", "classes": "class",
    "columns": "column", "combinations": "combination", "combinations of levels": "combination of levels",
    "configurations": "configuration", "criteria": "criterion", "dates": "date", "distinct values": "distinct value",
    "earlier steps": "earlier step", "facts": "fact", "fake records": "fake record", "formula cells": "formula cell",
    "groups": "group", "intervals": "interval", "known columns": "known column", "known facts": "known fact",
    "labels": "label", "layers": "layer", "levels": "level", "lines": "line", "more columns": "more column",
    "more kinds": "more kind", "more questions": "more question", "more steps": "more step",
    "nameless columns": "nameless column", "origins": "origin", "other sets": "other set", "others": "other",
    "peers": "peer", "people": "person", "person groups": "person group", "persons": "person", "places": "place",
    "policies": "policy", "programmes": "programme", "quasi-identifiers": "quasi-identifier", "records": "record",
    "regions": "region", "rows": "row", "schedules": "schedule", "sensitive columns": "sensitive column",
    "sets": "set", "Shapefiles": "Shapefile", "sheets": "sheet", "slots": "slot", "splits": "split", "steps": "step",
    "tables": "table", "texts": "text", "undecided columns": "undecided column", "values": "value",
    "files": "file", "hidden sheets": "hidden sheet", "ids": "id", "kinds of resource": "kind of resource",
    "more sensitive columns": "more sensitive column", "observations": "observation", "resources": "resource",
    "visits": "visit", "proposals": "proposal",
}  # fmt: skip


@pytest.mark.parametrize(("plural", "singular"), SINGULARS.items())
def test_the_singular_of_a_noun_that_is_counted(plural, singular):
    assert words.count(1, plural) == f"1 {singular}"
    assert words.count(2, plural) == f"2 {plural}"


@pytest.mark.parametrize(
    ("plural", "singular"),
    [
        ("boxes", "box"), ("analyses", "analysis"), ("addresses", "address"), ("countries", "country"),
        ("indices", "index"), ("branches", "branch"), ("series", "series"),
        ("words for marital status", "word for marital status"),
        ("names and codes of countries", "name and code of countries"), ("marital status", "marital status"),
    ],
)  # fmt: skip
def test_the_singular_of_nouns_that_may_come(plural, singular):
    assert words.singular(plural) == singular


def test_every_noun_that_is_counted_is_among_them():
    assert set(counted_nouns(Path(words.__file__).parents[2])) <= set(SINGULARS)


def counted_nouns(root: Path) -> Iterator[str]:
    """The nouns that the sources give to functions of words, those of either branch of a condition among them."""
    places = {"count": 1, "share": 2, "of_number": 1}
    for path in (path for room in ("anonlib", "ui", "pages") for path in (root / room).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        imported = {name.name for node in imports if node.module == words.__name__ for name in node.names}
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            function = ast.unparse(call.func)
            place = (
                places.get(function.removeprefix("words.")) if "words." in function or function in imported else None
            )
            if place is not None and len(call.args) > place:
                nouns = [node.value for node in ast.walk(call.args[place]) if isinstance(node, ast.Constant)]
                yield from (noun for noun in nouns if isinstance(noun, str) and noun.strip() == noun and len(noun) > 1)


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0, "0%"),
        (1, "100%"),
        (0.124, "12.4%"),
        (0.12449, "12.4%"),
        (1 / 3, "33.3%"),
        (0.5, "50%"),
        (0.2, "20%"),
        (1 / 11, "9.09%"),
        (0.999, "99.9%"),
        (0.9999, ">99.9%"),
        (1 - 1e-12, ">99.9%"),
        (1 / 5000, "0.02%"),
        (1e-5, "0.001%"),
        (1e-6, "<0.001%"),
        (5e-324, "<0.001%"),
    ],
)
def test_percent(share, shown):
    assert words.percent(share) == shown


@given(st.floats(0, 1))
def test_a_percentage_is_near_what_it_says_and_never_pretends_none_or_all(share):
    shown = words.percent(share)
    assert re.fullmatch(r"[<>]?\d{1,3}(\.\d+)?%", shown), "no exponent, no sign"
    assert (shown == "0%") == (share == 0)
    assert (shown == "100%") == (share == 1)
    if shown.startswith("<"):
        assert 0 < 100 * share < 0.001
    elif shown.startswith(">"):
        assert 99.9 < 100 * share < 100
    else:
        assert float(shown[:-1]) == pytest.approx(100 * share, rel=0.005)


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_larger_share_never_shows_as_a_smaller_percentage(one, other):
    bounds = {"<0.001%": 0.0005, ">99.9%": 99.95}
    smaller, larger = (words.percent(share) for share in sorted((one, other)))
    assert bounds.get(smaller, float(smaller.strip("<>%"))) <= bounds.get(larger, float(larger.strip("<>%")))


def test_share_has_the_count_behind_it():
    assert words.share(620, 5000, "records") == "12.4% (620 of 5,000 records)"
    assert words.share(0, 0, "records") == "0% (0 of 0 records)"
    assert words.share(1, 1, "records") == "100% (1 of 1 record)"
    assert words.share(4999, 5000) == ">99.9% (4,999 of 5,000)"


@pytest.mark.parametrize(
    ("probability", "shown"),
    [(0, "none"), (1, "1 in 1"), (0.2, "1 in 5"), (1 / 3, "1 in 3"), (0.3, "1 in 3.33"), (1 / 4600, "1 in 4,600")],
)
def test_one_in(probability, shown):
    assert words.one_in(probability) == shown


@given(st.integers(1, 10**6))
def test_one_in_names_the_class_size(size):
    assert words.one_in(1 / size) == f"1 in {size:,}"


@pytest.mark.parametrize(
    ("n_bytes", "shown"),
    [(0, "0 bytes"), (999, "999 bytes"), (1000, "1 kB"), (3_500_000, "3.5 MB"), (2_000_000_000, "2 GB")],
)
def test_size(n_bytes, shown):
    assert words.size(n_bytes) == shown


@given(st.integers(0, 10**12 - 1))
def test_a_size_has_no_exponent(n_bytes):
    assert "e" not in words.size(n_bytes).partition(" ")[0]


def test_change_says_a_thing_once_when_nothing_changed():
    assert words.change("1", "5") == "1 → 5"
    assert words.change("5", "5") == "5"
