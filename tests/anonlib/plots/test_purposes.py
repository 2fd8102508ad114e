"""What the figures of what must survive say: the numbers of the results, original beside release, text as text."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonlib.analyses.utility.purposes import GroupMeans, Learnt, MeanByGroup, SharedTables, Together, kept
from anonlib.dataset import Dataset
from anonlib.plots import purposes as plots
from anonlib.plots.theme import Palette
from tests.helpers.figures import HOSTILE, THEMES, sent, texts_of

MEANS = GroupMeans("hours", "ward", ("a", "b"), np.array([9.0, 4.0]), np.array([40.0, 50.0]), np.array([41.0, np.nan]))
TABLES = SharedTables(
    ("age", "ill"), ("1", "2"), ("x", "y"), np.array([[1.0, 3.0], [0.0, 0.0]]), np.array([[2.0, 2.0], [0.0, 0.0]]),
    "Spearman", 0.4, 0.2, 4,
)  # fmt: skip
LEARNT = Learnt("ill", (0.9, 0.8, np.nan), (0.7, 0.6, 0.7), 90, False)
DRAWN = [(plots.group_means, MEANS), (plots.together, TABLES), (plots.learnt, LEARNT)]


@pytest.mark.parametrize(("draw", "found"), DRAWN)
@THEMES
def test_nothing_is_red(draw, found, dark: bool, colours: Palette):
    assert colours.risky not in draw(found, dark=dark).to_json()


def test_each_group_has_its_two_means():
    _, before, after = plots.group_means(MEANS).data
    assert list(before.x) == [40, 50] and before.name == "original"
    assert after.x[0] == 41 and np.isnan(after.x[1])


def test_cells_are_shares_of_their_row_and_rows_without_records_stay_empty():
    before, after = plots.together(TABLES).data
    assert np.asarray(before.z)[0].tolist() == [0.25, 0.75] and np.isnan(np.asarray(before.z)[1]).all()
    assert np.asarray(after.z)[0].tolist() == [0.5, 0.5]
    assert before.zmax == after.zmax == 0.75


def test_a_model_is_drawn_by_its_mean_over_the_parts():
    drawn = plots.learnt(LEARNT).data
    assert [trace.text[0] for trace in drawn if trace.text] == ["0.850", "0.667"]
    assert list(drawn[0].x) == [0.8, 0.9]


def test_names_of_a_file_are_text():
    n = 60
    frame = pd.DataFrame({HOSTILE: [f"{HOSTILE}{i % 3}" for i in range(n)], "n": [str(i) for i in range(n)]})
    data = Dataset.from_frame(frame)
    for each in kept([Together(HOSTILE, "n"), MeanByGroup("n", HOSTILE)], data, data):
        draw = plots.group_means if isinstance(each.detail, GroupMeans) else plots.together
        assert not [text for text in texts_of(sent(draw(each.detail))) if HOSTILE in text]
