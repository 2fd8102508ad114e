"""What a report says of a release in which labels of several levels stand side by side, recounted from its CSV."""

from __future__ import annotations

import csv
import io
import re
from datetime import date
from itertools import combinations
from math import log2

import numpy as np
import pandas as pd
import pytest

from anonlib.basics import words
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Role
from anonlib.counting.privacy_models import AttributeDisclosure, KAnonymity
from anonlib.filing.evidence import Evidence, gather, released_file
from anonlib.filing.evidence.report import html_of
from anonlib.filing.project import Opened
from anonlib.release.steps import GeneralizeLocally
from tests.helpers.evidence import opened, text_of

AGES, ANY = Hierarchy((Intervals(5), Intervals(10), EVERYTHING)), Hierarchy((EVERYTHING,))
KNOWN = ("age", "race", "sex")
ROLES = {
    "number": Role.OTHER, "age": Role.QUASI_IDENTIFIER, "race": Role.QUASI_IDENTIFIER, "sex": Role.QUASI_IDENTIFIER,
    "diagnosis": Role.SENSITIVE,
}  # fmt: skip
STEP = GeneralizeLocally(
    (("age", AGES), ("race", ANY), ("sex", ANY)),
    (KAnonymity(columns=KNOWN, least=5), AttributeDisclosure(columns=KNOWN, sensitive="diagnosis")),
    left_out_limit=0.05,
)


def people(n: int = 150) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    return pd.DataFrame({
        "number": [str(i) for i in range(n)], "age": rng.integers(30, 70, n).astype(str),
        "race": rng.choice(["a", "b", "c", "d"], n, p=[0.7, 0.2, 0.08, 0.02]), "sex": rng.choice(["f", "m"], n),
        "diagnosis": rng.choice(["flu", "cold", "gout"], n),
    }, dtype=object)  # fmt: skip


@pytest.fixture(scope="module")
def project() -> Opened:
    return opened(people(), STEP, roles=ROLES)


@pytest.fixture(scope="module")
def evidence(project: Opened) -> Evidence:
    return gather(project, parts=("leakage", "singling_out", "utility"), on=date(2026, 11, 28))


@pytest.fixture(scope="module")
def rows(project: Opened) -> list[tuple[dict[str, str], dict[str, str]]]:
    """Each row of the file that leaves, and what it was, by its number."""
    original = {row["number"]: row for row in people().to_dict("records")}
    leaving = csv.DictReader(io.StringIO(released_file(project).decode("utf-8-sig")))
    return [(row, original[row["number"]]) for row in leaving]


def covers(column: str, label: str, value: str) -> bool:
    if label in (value, "*"):
        return True
    low = re.fullmatch(r"(\d+)-(\d+)", label) if column == "age" else None
    return low is not None and int(low[1]) <= int(value) <= int(low[2])


def losses(rows: list, names: tuple[str, ...]) -> tuple[float, float]:
    """Average and worst loss, as shares."""
    sizes = [sum(all(covers(n, label[n], who[n]) for n in names) for label, _ in rows) for _, who in rows]
    n = len(rows)
    return sum(log2(n / size) for size in sizes) / n / log2(n), log2(n / min(sizes)) / log2(n)


def test_the_file_has_labels_of_several_levels(rows):
    assert len({("-" in row["age"]) + 2 * (row["age"] == "*") for row, _ in rows}) > 1
    races = {row["race"] for row, _ in rows}
    assert "*" in races and len(races) > 1, "else this file tries nothing"


def test_what_combinations_give_away_is_recounted_from_the_file(evidence, rows):
    assert set(evidence.by_covering) <= set(KNOWN) and "race" in evidence.by_covering and not evidence.by_labels
    assert evidence.leaking
    for each in evidence.leaking:
        average, worst = losses(rows, each.columns)
        assert each.after == pytest.approx(average) and each.worst_after == pytest.approx(worst)
        assert each.after <= each.before + 1e-9 and each.worst_after <= each.worst_before + 1e-9
    text = text_of(html_of(evidence))
    assert "is left with all records whose labels cover it" in text
    assert "Equal labels are counted here" in text, "of the risks by class sizes"


def test_who_is_alone_by_some_combination_is_recounted_from_the_file(evidence, rows):
    sets = [names for size in (1, 2, 3) for names in combinations(KNOWN, size)]

    def is_alone(who: dict[str, str]) -> bool:
        return any(sum(all(covers(n, row[n], who[n]) for n in names) for row, _ in rows) == 1 for names in sets)

    assert evidence.singled_out.after == sum(is_alone(who) for _, who in rows)


def test_what_leaves_as_it_was_is_what_every_cell_of_the_file_says(evidence, rows):
    text = text_of(html_of(evidence, "ethics"))
    share = {name: sum(row[name] == who[name] for row, who in rows) / len(rows) for name in ROLES}
    whole = [name for name, kept in share.items() if kept == 1]
    assert "diagnosis" in whole and "race" not in whole
    assert f"With every cell as it was leave: {words.listed([f'“{name}”' for name in whole])}." in text
    assert "With all their detail leave" not in text
    in_part = [f"“{name}” ({words.percent(kept)})" for name, kept in share.items() if 0 < kept < 1]
    assert f"missing ones among them, leave: {words.listed(in_part, most=8)}." in text
    german = text_of(html_of(evidence, "ethics", language="de"))
    assert "Mit allen Zellen unverändert freigegeben: „number“" in german
    assert "Nur mit einem Teil der Zellen unverändert freigegeben" in german


def test_entropy_kept_is_what_labels_tell_by_what_they_cover(evidence, rows):
    for each in evidence.columns:
        if each.name in evidence.by_covering:
            average, _ = losses(rows, (each.name,))
            assert each.entropy_after == pytest.approx(average * log2(len(rows)))
            assert each.information_kept <= 1 and (each.information_kept < 1 or each.name == "sex")
            (beside,) = [column for column in evidence.utility.columns if column.column == each.name]
            assert beside.entropy_after == pytest.approx(each.entropy_after)
