"""The scan for a threshold above zero, which waits for its button: what it finds is the library's."""

from __future__ import annotations

import pytest

from anonlib.analyses.individuals import generalization_scan
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
