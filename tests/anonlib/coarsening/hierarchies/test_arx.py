"""Hierarchies as files in the format of ARX: what is read, what is refused, and that nothing is lost on the way."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import (
    EVERYTHING,
    Hierarchy,
    from_csv,
    from_labels,
    intervals,
    masking,
    to_csv,
    tree,
)
from anonlib.coarsening.recoding import ValueMap
from tests.helpers.errors import refused

ARX = "High;Yes;*\nMed;Yes;*\nNo;No;*\n"


def labels(hierarchy: Hierarchy, values: list[str | None]) -> list[list[str | None]]:
    levels = hierarchy.on(values)
    return [levels.label(level).tolist() for level in range(levels.n_levels)]


def test_a_file_of_arx():
    read = from_csv(ARX)
    assert read == Hierarchy((ValueMap.of({"High": "Yes", "Med": "Yes", "No": "No"}), EVERYTHING))
    assert to_csv(read, ["High", "Med", "No"]) == ARX


@pytest.mark.parametrize(
    "file",
    [
        ARX.replace(";", ","),
        ARX.replace(";", "\t"),
        ARX.replace("\n", "\r\n"),
        ARX.rstrip("\n"),
        "\n" + ARX + "\n\n",
        '"High";"Yes";"*"\n"Med";"Yes";"*"\n"No";"No";"*"\n',
        "\ufeff" + ARX,
        ARX.encode("utf-8-sig"),
        ARX.encode("utf-16"),
    ],
)
def test_other_delimiters_line_ends_quotes_and_encodings(file):
    assert from_csv(file) == from_csv(ARX)


def test_cells_that_hold_what_stands_between_them():
    numbers = "1.5;[1, 2);*\n2.5;[2, 3);*\n"
    assert labels(from_csv(numbers), ["1.5", "2.5"])[1] == ["[1, 2)", "[2, 3)"]
    assert labels(from_csv('"a;b",x\n"c;d",y\n'), ["a;b", "c;d"])[1] == ["x", "y"]
    assert labels(from_csv("1,5;low\n2,5;low\n", delimiter=";"), ["1,5", "2,5"])[1] == ["low", "low"]


def test_missing_values_are_an_empty_first_cell():
    message = from_csv("a;x;*\n;not said;*\n")
    assert labels(message, ["a", None]) == [["a", None], ["x", "not said"], ["*", "*"]]
    assert to_csv(message, ["a", None]) == "a;x;*\n;not said;*\n"
    assert labels(from_csv("a;x;*\nb;y;*\n"), ["a", None])[1:] == [["x", None], ["*", "*"]]
    kept = from_csv("a;x;*\nb;y;*\n;;\n", top=False)
    assert labels(kept, ["a", None])[1:] == [["x", None], ["*", None]]


def test_a_file_without_a_last_level_of_everything_gets_one():
    assert from_csv("a;x\nb;y\n").recodings[-1] == EVERYTHING
    assert not from_csv("a;x\nb;y\n", top=False).has_top
    assert from_csv("a;x;Any\nb;y;Any\n").recodings[-1] == ValueMap((), otherwise="Any", missing="Any")


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        ("", "empty"),
        (" \n\n", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        ("a\nb\n", "single column"),
        ("a;x;*\nb;x\n", "Row 2 .* has 2 cells, the first row has 3"),
        ("a;x\nb;x;*\n", "Row 2 .* has 3 cells"),
        ("a,x,*\nb,x\n", "Row 2 .* has 2 cells"),
        ("a;x;*\nb;x;*\na;x;*\n", "Row 3 .* repeats the value of row 1"),
        (";x;*\n;x;*\n", "Row 2 .* missing value"),
        ("a;x;p\nb;x;q\n", "number 1 and 2 in the column’s order share a label on level 1 but part"),
        (";".join(["a"] * 60), "60 columns"),
    ],
)
def test_files_that_are_refused(file, sentence):
    with pytest.raises(InputError, match=sentence):
        from_csv(file)


def test_a_cell_too_large_is_refused():
    before = csv.field_size_limit(10)
    try:
        with refused("file-damaged"):
            from_csv("a;" + "x" * 20)
    finally:
        csv.field_size_limit(before)


def test_a_file_too_large_is_refused(monkeypatch):
    monkeypatch.setattr("anonlib.coarsening.hierarchies.arx.MOST_BYTES", 10)
    with refused("hierarchy-too-large"):
        from_csv(ARX)


def test_an_empty_text_cannot_be_written():
    with refused("value-is-empty"):
        to_csv(masking(5), ["", "02138"])


def test_formulas_are_left_as_they_are():
    """A file for another program: its labels come back as they were."""
    formulas = tree({"=1+1": ("@sum",), "-5": ("+x",)})
    assert to_csv(formulas, ["=1+1", "-5"]) == "=1+1;@sum;*\n-5;+x;*\n"


TEXTS = st.text(
    st.one_of(st.sampled_from(";,\"\t\r\n \ufeff=*'|"), st.characters(exclude_categories=["Cs"])), max_size=6
)


@given(
    st.lists(TEXTS.filter(bool), min_size=1, max_size=8, unique=True),
    st.lists(TEXTS, min_size=9, max_size=9),
    st.integers(1, 3),
    st.booleans(),
)
def test_what_is_written_is_read_back(values, names, n_levels, with_missing):
    leaves: list[str | None] = [*values, None] if with_missing else list(values)
    levels, group = [], list(range(len(leaves)))
    for _ in range(n_levels):  # each level joins pairs of the one before
        group = [place // 2 for place in group]
        levels.append([f"{names[place]}{place}" for place in group])
    hierarchy = from_labels(leaves, levels)
    file = to_csv(hierarchy, leaves)
    read = from_csv(file)
    assert labels(read, leaves) == labels(hierarchy, leaves)
    assert labels(from_csv(file.encode()), leaves) == labels(hierarchy, leaves)
    assert to_csv(read, leaves) == file
    rows = list(csv.reader(io.StringIO(file, newline=""), delimiter=";"))
    assert [row[0] or None for row in rows] == leaves, "any CSV reader sees the same values"


def test_hierarchies_of_every_kind_come_back():
    for hierarchy, values in (
        (intervals((5, 10), top_group=90), ["3", "17", "91", "unknown", None]),
        (intervals((0.5, 1)), ["1.5", "2", "2.75"]),
        (masking(5), ["02138", "02139", None]),
    ):
        read = from_csv(to_csv(hierarchy, values))
        assert labels(read, values) == labels(hierarchy, values)
        assert read.has_top
