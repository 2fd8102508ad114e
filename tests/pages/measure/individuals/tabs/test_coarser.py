"""The scan: for a threshold above zero it waits for its button and is the library's; what it opens on."""

from __future__ import annotations

import pytest

from anonlib.analyses.individuals import Attacker, generalization_scan, leave_one_out
from anonlib.basics import words
from tests.helpers.app import INDIVIDUALS, dataset_of, loaded, seeded
from tests.helpers.individuals import QI, SCAN, SENSITIVE, TABS

NARROW = b"kids,sex,ill\n" + b"".join(b"%d,%s,%s\n" % (i * i % 9, b"FM"[i % 2 :][:1], b"abcd"[i * 7 % 4 :][:1])
                                      for i in range(90))  # fmt: skip


@pytest.mark.parametrize(
    ("column", "width", "percent"),
    [("age", width, 20) for width in (1.0, 2.0, 9.0, 40.0)] + [("kids", width, 10) for width in (1.0, 3.0, 8.0)],
)
def test_a_scan_above_zero_by_the_button_is_the_librarys(column, width, percent, file):
    if column == "age":
        app = loaded(file, page=INDIVIDUALS, tab=(TABS, SCAN))
    else:  # of few numbers
        roles = {"kids": QI, "sex": QI, "ill": SENSITIVE}
        app = seeded(NARROW, page=INDIVIDUALS, roles=roles, tab=(TABS, SCAN))
    if app.widget("selectbox", "Column to make coarser").value != column:
        app.choose("selectbox", "Column to make coarser", column)
    app.set("slider", "Widest category", width).choose("slider", "Red up to", percent)
    assert not app.has_button("individuals-scan-add-1")
    app.press("Start")
    assert not app.errors and app.work.running is None
    data = dataset_of(app)
    names = [name for name in data.columns if name in (*data.quasi_identifiers, *data.sensitive)]
    focus = app.widget("selectbox", "Sensitive column").value
    found = generalization_scan(data.classes(names), focus, column, p=percent / 100, max_width=width)
    assert f"**{words.share(found.baseline, data.n_records, 'records')}** are protected" in app.text
    assert f"**Best cuts**: {words.count(found.optimum.categories, 'categories')}" in app.text
    assert f"**{words.share(found.optimum.protected, data.n_records)}** protected" in app.text
    assert f"Protected: more than {percent}% of the peers have another value (PPP)" in app.text


def test_it_opens_on_the_column_that_gives_most_away():
    """Of two numbers the one whose absence frees most, wherever it stands; another that is chosen stays."""
    rows = [f"{i % 3},{i * 7 % 31},{'FM'[i % 2]},{'abcd'[i * 7 % 4]}" for i in range(90)]
    roles = {"few": QI, "many": QI, "sex": QI, "ill": SENSITIVE}
    app = seeded(("few,many,sex,ill\n" + "\n".join(rows)).encode(), page=INDIVIDUALS, roles=roles, tab=(TABS, SCAN))
    data = dataset_of(app)
    adds = leave_one_out(data.classes(list(roles)), "ill", Attacker()).to_frame(0.0)
    assert adds["variable"].iloc[0] == "many"
    assert app.widget("selectbox", "Column to make coarser").value == "many"
    app.choose("selectbox", "Column to make coarser", "few").choose("slider", "Red up to", 5)
    assert app.widget("selectbox", "Column to make coarser").value == "few"


def test_a_column_of_few_numbers_begins_with_more_than_one_width_and_one_point_is_a_sentence():
    app = seeded(NARROW, page=INDIVIDUALS, roles={"kids": QI, "sex": QI, "ill": SENSITIVE}, tab=(TABS, SCAN))
    assert app.widget("slider", "Widest category").value == 2 and "Each point is a partition" in app.text
    app.choose("slider", "Widest category", 1.0)
    assert not app.errors and "Each point is a partition" not in app.text
    assert "With no category wider than 1 there are **8 categories** of **kids** and no other number" in app.text
    assert "That is one point, and no picture. Accept wider categories to see more." in app.text
