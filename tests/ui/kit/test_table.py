"""Tables of pages: a sentence is read whole."""

from __future__ import annotations

import pytest

from tests.helpers.app import app_of


def _shown(texts: list[str]) -> None:
    import pandas as pd

    from ui.kit import page

    page.table(pd.DataFrame({"Says": texts, "n": range(len(texts))}), "A table")


@pytest.mark.parametrize(
    ("texts", "is_high"),
    [(["short", "a sentence " * 8], True), (["short"] * 3, False), (["a sentence " * 8] * 50, False), ([], False)],
)
def test_rows_are_high_where_a_few_hold_a_long_text(texts: list[str], is_high: bool) -> None:
    app = app_of(_shown, texts).run()
    assert not app.exception
    assert bool(app.dataframe[0].proto.row_height) is is_high
