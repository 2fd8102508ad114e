"""A file made elsewhere: every figure recomputed by plain code, and what synthpop publishes of its measures."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.dataset import Dataset
from anonlib.verdict.attacks.attacking import AttackSettings
from anonlib.verdict.attacks.elsewhere import another_file
from anonlib.verdict.attacks.in_words import as_rows, first_sentence, gain, title
from anonlib.verdict.attacks.result import Attack, Rate
from anonlib.verdict.criteria import NoIdentifiers, RecordsKept, SmallestClass
from tests.helpers.examples import settings

ROLES = {"age": "quasi_identifier", "sex": "quasi_identifier", "ill": "sensitive"}
ATTACKER = AttackSettings(("age", "sex"), sensitive=("ill",), tries=20)


@st.composite
def tables(draw: st.DrawFn) -> pd.DataFrame:
    n = draw(st.integers(1, 10))

    def column(*values: str | None) -> list[str | None]:
        return draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))

    cells = {"age": column("30", "31", None), "sex": column("f", "m"), "ill": column("flu", "gout", None)}
    return pd.DataFrame(cells, dtype=object)


def rows_of(frame: pd.DataFrame, *names: str) -> list[tuple]:
    return [
        tuple(None if pd.isna(cell) else cell for cell in row) for row in frame[list(names)].itertuples(index=False)
    ]


@settings(max_examples=40)
@given(tables(), tables())
def test_copies_uniques_and_disco_against_plain_code(original, other):
    found = another_file(
        Dataset.from_frame(original, roles=ROLES), Dataset.from_frame(other), ATTACKER,
        (SmallestClass(2), NoIdentifiers(), RecordsKept(0.9)),
    )  # fmt: skip
    mine, its = (Counter(rows_of(each, "age", "sex", "ill")) for each in (original, other))
    assert found.copies == (
        sum(n for row, n in its.items() if mine[row]), sum(n for row, n in its.items() if mine[row] == 1)
    )  # fmt: skip
    mine, its = (Counter(rows_of(each, "age", "sex")) for each in (original, other))
    uniques = sum(n == 1 and its[row] == 1 for row, n in mine.items())
    assert found.replicated_uniques == pytest.approx(uniques / len(original))
    theirs = rows_of(original, *found.columns)
    near = [
        row for row in rows_of(other, *found.columns)
        if row not in theirs and any(sum(x != y for x, y in zip(row, each, strict=True)) == 1 for each in theirs)
    ]  # fmt: skip
    assert found.near == len(near)
    values = defaultdict(set)
    for *known, ill in rows_of(other, "age", "sex", "ill"):
        values[tuple(known)].add(ill)
    right = sum(values[tuple(known)] == {ill} for *known, ill in rows_of(original, "age", "sex", "ill"))
    assert found.disclosed[0].share == pytest.approx(right / len(original))
    shares = [{row: n / len(each) for row, n in Counter(rows_of(each, "ill")).items()} for each in (original, other)]
    common = sum(min(share, shares[1].get(row, 0)) for row, share in shares[0].items())
    assert found.in_common[2].share == pytest.approx(common)
    assert [each.criterion.kind for each in found.findings] == ["smallest_class", "no_identifiers"]
    assert found.findings[0].is_met == (min(its.values()) >= 2)


def test_identifiers_that_leave_are_not_compared_and_columns_that_lack_are_named():
    frame = pd.DataFrame({"name": ["a", "b"], "age": ["1", "2"], "ill": ["x", "y"]}, dtype=object)
    roles = {"name": "identifier", "age": "quasi_identifier", "ill": "sensitive"}
    found = another_file(
        Dataset.from_frame(frame, roles=roles), Dataset.from_frame(frame[["name", "age"]]),
        AttackSettings(("age",), sensitive=("ill",), tries=20),
    )  # fmt: skip
    assert found.columns == ("age",) and found.without == ("ill",)
    assert all("name" not in each.columns for each in found.attacks.attacks)


def test_attacks_in_words():
    attack = Attack("inference", "nearest records", "recipient", ("age",), 0, "ill", Rate(80, 100), None, Rate(40, 100))
    assert title(attack) == "Guessed ill: known columns"
    assert gain(attack) == pytest.approx(0.65, abs=0.02)
    (row,) = as_rows([attack], 0.2)
    assert row.is_red and row.control == 0.4 and "Of people who are not in the file 40% do." in row.says
    assert not as_rows([attack], 0.9)[0].is_red
    assert gain(Attack("inference", "x", "anybody", (), 0, "", Rate(0, 0))) is None
    commonest = replace(attack, baseline=Rate(79, 100))
    assert commonest.excess == attack.excess and gain(commonest) < 0.06, "no better than who has not got the file"
    assert gain(replace(attack, baseline=Rate(100, 100))) is None


def test_the_first_sentence_says_how_many_single_somebody_out():
    frame = pd.DataFrame({"age": [str(i) for i in range(40)], "sex": ["f", "m"] * 20, "ill": ["x"] * 40}, dtype=object)
    data = Dataset.from_frame(frame, roles=ROLES)
    found = another_file(data, data, ATTACKER).attacks.attacks
    says = first_sentence(found, 3)
    whole, known = (
        next(each for each in found if each.kind == "singling out" and each.knows == who and each.known == n)
        for who, n in (("anybody", 3), ("recipient", 2))
    )
    assert says == (
        f"Of {whole.drawn:,} combinations of three of the released columns that were drawn, {whole.rate.tries:,} "
        f"different ones are true of one released record alone, and each of the {whole.rate.tries:,} singles out one "
        f"person; knowing only what was declared, each of the {known.rate.tries:,} singles out one person."
    )
    for right, tries, words in (
        (0, 4, "4 different ones are true of one released record alone, and none of the 4 singles out one person"),
        (3, 4, "4 different ones are true of one released record alone, and 75% (3 of 4) single out one person"),
        (1, 1, "1 different one is true of one released record alone, and it singles out one person"),
        (0, 1, "1 different one is true of one released record alone, and it singles out nobody"),
    ):
        assert words in first_sentence([replace(whole, rate=Rate(right, tries))], 3)
    alike = Dataset.from_frame(frame.assign(age="1", sex="f"), roles=ROLES)
    says = first_sentence(another_file(alike, alike, ATTACKER).attacks.attacks, 3)
    assert "nobody can be tried by it" in says and says.endswith("knowing only what was declared, none can be tried.")
