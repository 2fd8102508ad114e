"""The Frontier page with awkward files: each has a frontier, or is a sentence with a way out."""

from __future__ import annotations

import pytest

from tests.helpers.app import FRONTIER, FRONTIER_TABS, dataset_of, seeded
from tests.helpers.frontier import QUASI, TABS, file_of, of_file
from tests.helpers.hostile import HOSTILE, check_text, hostile_file

ODD = (
    (b"age\n30\n", {"age": QUASI}),
    (b"age,sex\n" + b"30,F\n" * 9, {"age": QUASI, "sex": QUASI}),
    (b"age,sex\n30,F\n,F\n31,\n,\n", {"age": QUASI, "sex": QUASI}),
    (b"risk,loss,n\n1,2,3\n2,2,0\n1,3,1\n", {"risk": QUASI, "loss": QUASI, "n": "weight"}),
    (b"column,policy,intervals\n1,2,3\n2,2,4\n1,3,1\n", {"column": QUASI, "policy": QUASI, "intervals": QUASI}),
    (b"who,age,zip\n1,30,02138\n1,31,02138\n2,40,02139\n", {"who": "person_id", "age": QUASI, "zip": QUASI}),
    (b"zip\n2138\n02139\nabc\n", {"zip": QUASI}),
    (b"birth_date\n2001-02-03\n2001-05-06\n1999-01-01\n", {"birth_date": QUASI}),
    (b"a,b\n" + b"".join(b"%d,%d\n" % (i % 7, i % 5) for i in range(40)), {"a": QUASI, "b": QUASI}),
)  # fmt: skip


@pytest.mark.parametrize(
    ("data", "roles"), ODD,
    ids=["one record", "all alike", "missing", "our words and weights", "our headings", "several rows", "odd ZIP codes",
         "dates", "numbers"],
)  # fmt: skip
def test_odd_files_have_a_frontier(data, roles):
    """In the first tab and two others, which take turns."""
    app = of_file(data, **roles)
    assert not app.errors and app.at.metric
    others, turn = FRONTIER_TABS[1:-1], [file for file, _ in ODD].index(data)
    for tab in others[turn % 5], others[(turn + 1 + turn // 5) % 5]:
        assert not app.tab(TABS, tab).errors, tab
    app.press("Add to recipe")
    assert not app.errors and not app.session.recipe.apply(dataset_of(app)).problems


def test_columns_of_too_many_values_are_a_sentence(monkeypatch):
    monkeypatch.setattr("pages.protect.frontier.results.MOST_BITS", 30)
    app = of_file(file_of("age,sex", *(f"{i},{'FM'[i % 2]}" for i in range(40))), age=QUASI, sex=QUASI)
    assert len(app.errors) == 1 and "40 boundaries" in app.errors[0] and "“age”" in app.errors[0] and not app.at.metric
    app.choose("multiselect", "Quasi-identifiers to recode", ["sex"])
    assert not app.errors and app.at.metric


def test_the_text_of_files_is_text_everywhere():
    roles = dict(zip(HOSTILE, [QUASI, QUASI, "sensitive", QUASI, "identifier", QUASI, "person_id"], strict=False))
    app = seeded(hostile_file(), "![ZQX](http:h.example.png).csv", FRONTIER, roles=roles)
    assert not app.errors and app.at.metric
    for _ in app.each_tab(TABS, FRONTIER_TABS):
        check_text(app)
    check_text(app.press("Add to recipe"))
