"""An id is one however it is written, and no two ids become one that are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.values.ids import normalised


@pytest.mark.parametrize(
    "written, as_kept",
    [
        ("123", "123"),
        (" 123 ", "123"),
        ("123.0", "123"),
        ("0.0", "0"),
        ("-5.0", "-5"),
        ("00123", "00123"),
        ("00123.0", "00123.0"),
        ("123.00", "123.00"),
        ("123.5", "123.5"),
        ("1e3", "1e3"),
        ("P-12.0", "p-12.0"),
        ("P\u00a0１２", "p 12"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("Ann \t LEE", "ann lee"),
        ("１２３．０", "123"),
        ("  ", ""),
    ],
)
def test_an_id_is_normalised(written: str, as_kept: str) -> None:
    assert normalised(written) == as_kept


@given(st.text())
def test_what_is_normalised_stays_so(text: str) -> None:
    once = normalised(text)
    assert normalised(once) == once
    assert normalised(f" {text}\n") == once
