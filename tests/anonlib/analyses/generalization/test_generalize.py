"""The published example and tables of generalization (Arca and Hewett 2021), and the result's own figures.

Columns that matter more than others: every search against the slow reference with random weights.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from math import log2
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.generalization as slow
from anonlib.analyses.generalization import (
    Generalization,
    NodeEvaluation,
    WholeClasses,
    generalize,
    parts_within,
    solve,
)
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy, generalized
from anonlib.coarsening.recoding import Intervals
from anonlib.counting.classes import ClassTable
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import GeneralizeLocally
from anonlib.release.steps.of_cells import Requirement
from tests.helpers.examples import settings
from tests.helpers.generalization import RULES, TENS, check_searches, problem_of, run
from tests.helpers.weight_loss import ANY, PROFILES, THREE, ZIP, profiles
from tools.samples.published import weight_loss

DOCS = Path(__file__).resolve().parents[4] / "docs"
ERRATA = DOCS / "errata.md"
# Figure 7.
HEART = {
    "smoker": ANY,
    "sex": ANY,
    "age": Hierarchy((Intervals(cuts=(25, 35, 45, 65)), Intervals(cuts=(25, 45)), EVERYTHING)),
    "zip": ZIP,
}
# Table 7: the rows that its method 1 (exhaustive) and its own method keep.
TABLE_7 = [
    (("zip", "smoker", "sex", "age"), 297),
    (("zip", "smoker", "sex"), 303),
    (("zip", "smoker", "age"), 298),
    (("zip", "age"), 298),
]
# Table 4, with the count of Table 1 in its first row: it prints 1 + 3.
TABLE_4 = """
F|Med|35|5200*|143|Black|No|3
F|Low|35|5200*|143|Black|No|3
M|Med|50|5300*|166|White|No|4
M|Low|35|5200*|143|White|No|1
M|Med|68|5200*|190|Hispanic|No|3
M|High|68|5200*|190|Hispanic|No|4
M|Med|44|5200*|166|Asian|Hereditary Thrombophilia|3
F|Low|75|5200*|122|Native Hawaiian|No|4
F|High|75|5200*|143|White|Hereditary Thrombophilia|1
M|High|44|5200*|166|Asian|Hereditary Thrombophilia|3
F|Med|38|5200*|166|White|No|4
F|High|35|5200*|122|American Indian|Hereditary Thrombophilia|1
F|Low|35|5200*|122|American Indian|Hereditary Thrombophilia|2
M|Med|38|5200*|122|White|No|3
F|Med|22|5400*|180|Native Hawaiian|No|3
M|High|20|5400*|180|American Indian|L.O. Alzheimer's|3
M|Low|21|5400*|180|Black|Parkinson's|3
F|High|24|5400*|180|Asian|Hereditary Thrombophilia|3
M|No|25|5400*|122|American Indian|Celiac|3
M|No|26|5400*|166|Asian|L.O. Alzheimer's|3
F|High|23|5400*|180|Asian|Parkinson's|3
"""
# Table 5. Intervals that are open at the end here, 65-85, are written as the paper does.
TABLE_5 = """
F|Med|35-44|5200*|143|Black|No|3
F|Low|35-44|5200*|143|Black|No|3
M|Med|45-64|5300*|166|White|No|4
M|Low|35-44|5200*|143|White|No|1
M|Med|65-85|5200*|190|Hispanic|No|3
M|High|65-85|5200*|190|Hispanic|No|4
M|Med|35-44|5200*|166|Asian|Hereditary Thrombophilia|3
F|Low|65-85|5200*|122|Native Hawaiian|No|4
F|High|65-85|5200*|143|White|Hereditary Thrombophilia|1
M|High|35-44|5200*|166|Asian|Hereditary Thrombophilia|3
F|Med|35-44|5200*|166|White|No|4
F|High|35-44|5200*|122|American Indian|Hereditary Thrombophilia|1
F|Low|35-44|5200*|122|American Indian|Hereditary Thrombophilia|2
M|Med|35-44|5200*|122|White|No|3
F|Med|20-34|5400*|180|Native Hawaiian|No|3
M|High|20-34|5400*|180|American Indian|L.O. Alzheimer's|3
M|Low|20-34|5400*|180|Black|Parkinson's|3
F|High|20-34|5400*|180|Asian|Hereditary Thrombophilia|3
M|No|20-34|5400*|122|American Indian|Celiac|3
M|No|20-34|5400*|166|Asian|L.O. Alzheimer's|3
F|High|20-34|5400*|180|Asian|Parkinson's|3
"""
# Table 6 with its slips mended: it prints zip 52000 for row 3, which is 53000 in Table 1, 3 records for row 8 and 10
# for row 12, which are 4 and 4 there. It has these 18 rows; the text beside it says 19.
TABLE_6 = """
F|Yes|35|52000|143|Black|No|4
M|Yes|50|53000|166|White|No|4
M|Yes|35|52003|143|White|No|1
M|Yes|68|52000|190|Hispanic|No|7
M|Yes|44|52003|166|Asian|Hereditary Thrombophilia|6
F|Yes|75|52002|122|Native Hawaiian|No|4
F|Yes|35|52003|143|Black|No|2
F|Yes|75|52002|143|White|Hereditary Thrombophilia|1
F|Yes|38|52000|166|White|No|4
F|Yes|35|52000|122|American Indian|Hereditary Thrombophilia|3
M|Yes|38|52003|122|White|No|3
F|Yes|22|54004|180|Native Hawaiian|No|3
M|Yes|20|54000|180|American Indian|L.O. Alzheimer's|3
M|Yes|21|54001|180|Black|Parkinson's|3
F|Yes|24|54003|180|Asian|Hereditary Thrombophilia|3
M|Any|25|54000|122|American Indian|Celiac|3
M|Any|26|54001|166|Asian|L.O. Alzheimer's|3
F|Yes|23|54003|180|Asian|Parkinson's|3
"""


def published(text: str) -> Counter:
    rows = [line.replace("65-85", "65+").split("|") for line in text.split("\n") if line]
    return Counter({tuple(row[:-1]): int(row[-1]) for row in rows})


def levels(**steps: int) -> dict[str, int]:
    return {"alcohol_consumption": 0, "age": 0, "zip": 0} | steps


# --- the worked example ---------------------------------------------------------------------------------------------


def evaluated(state: Mapping[str, int]) -> NodeEvaluation:
    problem = WholeClasses(profiles(), PROFILES, [THREE])
    return problem.evaluate(tuple(state[name] for name in problem.columns))


@pytest.mark.parametrize(
    ("state", "violating", "rows"),
    [
        (levels(), 5, 22),  # the paper counts 6 violating rows: row 14 shares the attributes of row 2
        (levels(zip=1), 2, 21),  # T1, Table 4
        (levels(age=1), 3, 22),  # T2; the paper has (4, 21), but no two rows become one
        (levels(alcohol_consumption=1), 0, 18),  # T3, Table 6; 18 in Figure 3, 19 in section 4.1
        (levels(zip=2), 2, 21),  # T4
        (levels(zip=1, age=1), 0, 21),  # T5, Table 5
        (levels(zip=1, alcohol_consumption=1), 0, 17),  # T6
    ],
)
def test_the_tables_of_figure_3(state, violating, rows):
    """T(violating rows, rows), of Table 1 and the guarantee <{Zip, Age, Alcohol}, 3>."""
    found = evaluated(state)
    assert (found.rows, found.n_rows) == (violating, rows)
    assert found.satisfied == (violating == 0)


def test_groups_rows_and_records_that_violate_are_distinguished():
    """Row 9 has two records: five rows in five groups, six records."""
    root = evaluated(levels())
    assert (root.groups, root.rows, root.records, root.left_out) == (5, 5, 6, 6)


def test_records_to_add_where_nothing_is_generalized():
    """As many as the violating groups lack: of k = 3, once 1 and four times 2."""
    sizes = profiles().project(THREE.columns).counts
    assert sorted(sizes[sizes < 3]) == [1, 1, 1, 1, 2]
    assert int((3 - sizes[sizes < 3]).sum()) == 9


@pytest.mark.parametrize("method", ["optimal", "iab", "exhaustive"])
def test_the_answer_is_table_5(method):
    found = generalize(profiles(), PROFILES, THREE, method=method)
    assert found.levels == levels(zip=1, age=1) and found.proven and found.finished
    assert slow.counted(found.classes) == published(TABLE_5)
    assert (found.utility.rows, found.utility.records, found.left_out, found.k) == (21, 60, 0, (3,))
    assert (found.violations.groups, found.violations.rows, found.violations.records) == (0, 0, 0)
    assert found.guarantees == (THREE,) and found.objective == "rows"


def test_the_table_with_a_zip_digit_less_is_table_4():
    """The paper has 1 + 3 records in its first row, and four in the text, where Table 1 has 1 and 2: 61 in all."""
    coarser = slow.counted(generalized(profiles(), PROFILES, {"zip": 1}))
    assert coarser == published(TABLE_4)
    assert (len(coarser), coarser.total()) == (21, 60)
    assert coarser["F", "Med", "35", "5200*", "143", "Black", "No"] == 1 + 2


def test_table_3():
    """Six rows of Table 1, three of which violate <{AC, Age, Zip}, 3>; coarser cells of the women leave four groups of
    3 and 4. The text takes 20-44 for one step of age and 20-85 for two: in the trees of Table 5 they are two and three.
    """
    columns = ["sex", "alcohol_consumption", "age", "zip"]
    women = [("F", "Med", "35", "52000", 1), ("F", "Low", "35", "52000", 3)]
    rare = [("F", "High", "75", "52002", 1), ("F", "Med", "35", "52003", 2)]
    men = [("M", "High", "68", "52000", 4), ("M", "Med", "68", "52000", 3)]

    def of(rows: list[tuple[str, str, str, str, int]], **steps: int) -> ClassTable:
        table = ClassTable.from_frame(pd.DataFrame(rows, columns=[*columns, "n"]), columns, weights="n")
        return generalized(table, PROFILES, steps)

    assert sorted(of(women + rare + men).project(THREE.columns).counts.tolist()) == [1, 1, 2, 3, 3, 4]
    coarser = [of(women, alcohol_consumption=1), of(rare, alcohol_consumption=1, age=3, zip=1), of(men)]
    assert sum((slow.counted(part) for part in coarser), Counter()) == {
        ("F", "Yes", "35", "52000"): 4, ("F", "Yes", "*", "5200*"): 3,
        ("M", "High", "68", "52000"): 4, ("M", "Med", "68", "52000"): 3,
    }  # fmt: skip
    assert set(of(women + rare + men, age=1).column("age")) == {"35-44", "65+"}
    assert set(of(women + rare + men, age=2).column("age")) == {"20-44", "45+"}


def test_the_groups_the_paper_follows():
    """Rows 4 and 14 become a group of three records, 6 and 10 of five, 11 and 13 of four (section 4.1)."""
    groups = generalize(profiles(), PROFILES, THREE).classes.project(["alcohol_consumption", "age", "zip"])
    sizes = slow.counted(groups)
    assert sizes["High", "65+", "5200*"] == 5 and sizes["High", "35-44", "5200*"] == 4
    # With row 2, which the paper leaves out, the first are six.
    assert sizes["Low", "35-44", "5200*"] == 3 + 3


def test_the_greedy_answer_is_table_6():
    """Three tables are made (Figure 5), and the third, of fewer rows than the best, is the answer."""
    found = generalize(profiles(), PROFILES, THREE, method="greedy")
    assert found.levels == levels(alcohol_consumption=1) and not found.proven
    assert slow.counted(found.classes) == published(TABLE_6)
    assert (found.utility.rows, found.tables) == (18, 3)
    tables = [(node.attribute, node.evaluation.rows) for node in found.trace]
    assert tables == [(None, 5), ("alcohol_consumption", 0), ("age", 3), ("zip", 2)]  # the paper's 6, 0, 4, 2
    assert [node.expanded for node in found.trace] == [0, None, None, None]


def test_the_search_tree_of_iab():
    """All tables of Figure 3 are in it but T4 and T6: age keeps 22 rows here, so that it is followed before zip."""
    found = generalize(profiles(), PROFILES, THREE, method="iab")
    made = {node.evaluation.node: (node.evaluation.rows, node.evaluation.n_rows) for node in found.trace}
    assert len(made) == len(found.trace) == found.tables + 1 == 12
    assert (made[0, 0, 0], made[0, 0, 1], made[0, 1, 0], made[1, 0, 0]) == ((5, 22), (2, 21), (3, 22), (0, 18))
    assert made[0, 1, 1] == (0, 21)
    turns = {node.expanded: node.evaluation.node for node in found.trace if node.expanded is not None}
    assert [turns[i] for i in range(4)] == [(0, 0, 0), (0, 1, 0), (0, 2, 0), (0, 3, 0)]
    exhaustive = generalize(profiles(), PROFILES, THREE, method="exhaustive")
    assert exhaustive.tables + 1 == 3 * 4 * 6 > found.tables


def test_parts_of_the_table_keep_every_row():
    whole, parts = (generalize(profiles(), PROFILES, THREE, method=method) for method in ("optimal", "mondrian"))
    assert parts.utility.rows == 22 > whole.utility.rows and parts.utility.records == 60
    assert parts.utility.cell_loss < whole.utility.cell_loss / 4
    assert parts.utility.entropy_loss < whole.utility.entropy_loss / 4
    assert parts.k == (3,) and parts.levels is None and not parts.proven and parts.finished


@settings(max_examples=150)
@given(slow.cases() | slow.cases(rules=RULES) | slow.cases(weighted=True))
def test_parts_of_any_limit_are_those_of_each(case):
    asked = problem_of(case)
    try:
        found = parts_within(solve(problem_of(replace(case, limit="1")), "parts"), asked)
    except InputError:
        with pytest.raises(InputError):
            solve(asked, "parts")
        return
    if found is not None:
        expected = solve(asked, "parts")
        assert np.array_equal(found.cell_levels, expected.cell_levels) and np.array_equal(found.kept, expected.kept)
        assert (found.violations, found.tables, found.k) == (expected.violations, expected.tables, expected.k)
        assert (found.utility, found.score, found.left_out) == (expected.utility, expected.score, expected.left_out)
        assert found.problem is asked and found.left_out <= asked.suppression_limit


def test_parts_that_leave_out_more_than_may_be_are_no_answer():
    ages = ClassTable.from_frame(pd.DataFrame({"age": ["1", "1", "1", "2"]}))
    asked = {"left_out_limit": 1.0}, {"left_out_limit": 0.25}, {}
    problems = [WholeClasses(ages, {}, (KAnonymity(columns=("age",), least=2),), **each) for each in asked]
    parts = solve(problems[0], "parts")
    assert parts.left_out == 1 and parts_within(parts, problems[1]).left_out == 1
    with pytest.raises(InputError):
        parts_within(parts, problems[2])


# --- the heart data -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def heart(shared_data) -> ClassTable:
    return ClassTable.from_frame(pd.read_csv(shared_data("heart_cleveland.csv"), dtype=str))


@pytest.mark.parametrize("method", ["optimal", "iab", "exhaustive"])
@pytest.mark.parametrize(("shield", "rows"), TABLE_7)
def test_table_7(heart, shield, rows, method):
    """Its counts of generalizations are not those of its lattices: of the first it has 563, and that has 96 states.

    The paper drew ZIPs that it does not print; those of this file were drawn so that these rows come out.
    """
    found = generalize(heart, HEART, KAnonymity(columns=shield, least=5), method=method)
    assert found.utility.rows == rows and found.proven and found.k[0] >= 5
    if method == "exhaustive":
        assert (
            found.tables + 1 == found.problem.n_nodes == {4: 96, 3: 24 if "sex" in shield else 48, 2: 24}[len(shield)]
        )


@pytest.mark.slow
def test_the_rows_of_table_7_are_those_of_the_zips_that_were_drawn(shared_data):
    """Of 60 other draws of five digits two keep as many rows for all four guarantees; by method 2 none keeps 274, which
    the paper prints. The errata say both.
    """
    frame = pd.read_csv(shared_data("heart_cleveland.csv"), dtype=str)
    agree = 0
    for seed in range(60):
        drawn = [f"{number:05d}" for number in np.random.default_rng(seed).integers(0, 100_000, len(frame))]
        table = ClassTable.from_frame(frame.assign(zip=drawn))
        agree += all(
            generalize(table, HEART, KAnonymity(columns=shield, least=5)).utility.rows == rows
            for shield, rows in TABLE_7
        )
        for shield in (shield for shield, rows in TABLE_7 if rows != 303):
            greedy = generalize(table, HEART, KAnonymity(columns=shield, least=5), method="greedy")
            assert greedy.utility.rows != 274
    assert agree == 2
    assert "of 60 other draws two agree" in ERRATA.read_text(encoding="utf-8")


@pytest.mark.parametrize("shield", [shield for shield, rows in TABLE_7 if rows != 303])
def test_no_table_that_satisfies_has_the_274_rows_of_method_2(heart, shield):
    """Whatever the order in which equal tables are taken: the paper keeps 274, 303, 274 and 274 rows by it."""
    problem = WholeClasses(heart, HEART, [KAnonymity(columns=shield, least=5)])
    found = [problem.evaluate(state) for state in product(*(range(level + 1) for level in problem.highest))]
    kept = {each.n_rows for each in found if each.satisfied}
    assert {273, 283} <= kept and 274 not in kept


@pytest.mark.parametrize(
    ("shield", "rows", "kept"),
    [(*case, kept) for case, kept in zip(TABLE_7, (293, 303, 297, 298), strict=True)],
)
def test_greedy_satisfies_and_makes_fewer_tables(heart, shield, rows, kept):
    greedy, iab = (
        generalize(heart, HEART, KAnonymity(columns=shield, least=5), method=method) for method in ("greedy", "iab")
    )
    assert greedy.k[0] >= 5 and greedy.left_out == 0
    assert greedy.utility.rows == kept <= rows and greedy.tables <= iab.tables


def documented(heading: str) -> list[list[str]]:
    """The rows of a table of the document."""
    text = (DOCS / "analyses" / "generalization.md").read_text(encoding="utf-8").partition(heading)[2]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    return rows[: next((i for i, row in enumerate(rows) if row[0] == "criterion on"), len(rows))]


DOCUMENTED = {
    "Exhaustive": "exhaustive", "Greedy": "greedy", "IAB": "iab", "Same coarseness for everyone": "optimal",
}  # fmt: skip


def test_the_document_has_what_each_method_keeps_of_the_worked_example():
    for name, _, levels_shown, _, rows, _, tables in documented("Beside the paper's tables."):
        if name not in DOCUMENTED:
            continue
        found = generalize(profiles(), PROFILES, THREE, method=DOCUMENTED[name])
        named = {f"{name.split('_')[0]} {level}" for name, level in found.levels.items() if level}
        assert set(levels_shown.split(", ")) == named and int(rows) == found.utility.rows
        assert tables in ("–", f"{found.tables}")


def test_the_document_has_what_each_method_keeps_of_the_heart_data(heart):
    """Beside what Table 7 prints, which the ZIPs that the paper drew decide too."""
    printed = dict(TABLE_7)
    for criterion, *cells in documented("Of the heart data (Table 7)"):
        shield = tuple(criterion.split(", "))
        assert cells[0].startswith(f"{printed.pop(shield)} rows")
        for method, cell in zip(("exhaustive", "greedy", "iab", "optimal"), cells[1::2] + cells[6:], strict=True):
            found = generalize(heart, HEART, KAnonymity(columns=shield, least=5), method=method)
            assert cell == f"{found.utility.rows} rows" + (f", {found.tables}" if method != "optimal" else "")
    assert not printed


def loss(classes: ClassTable, attribute: str) -> float:
    """Entropy of the sizes of the groups that share a value, as a share of log2 of the records (section 3.1)."""
    sizes, n = classes.project([attribute]).counts, classes.n_records
    return -sum(size / n * log2(size / n) for size in sizes.tolist()) / log2(n) + 0.0


def test_table_8(heart):
    """What age and zip give away before and after <{Age, Zip}, 5>; the others stay. The paper truncates."""
    before = {"age": 0.61, "zip": 0.99, "smoker": 0.12, "sex": 0.11, "chol": 0.85, "bs": 0.07}
    after = before | {"age": 0, "zip": 0.40}
    found = generalize(heart, HEART, KAnonymity(columns=("age", "zip"), least=5))
    assert {name: loss(heart, name) for name in before} == pytest.approx(before, abs=0.01)
    assert {name: loss(found.classes, name) for name in after} == pytest.approx(after, abs=0.01)
    assert loss(found.classes, "age") == 0


def test_table_8_with_four_attributes(heart):
    """<{Age, Zip, Smoker, Sex}, 5>: smoker is generalized too, and sex is not (section 4.3)."""
    classes = generalize(heart, HEART, KAnonymity(columns=("zip", "smoker", "sex", "age"), least=5)).classes
    assert (loss(classes, "age"), loss(classes, "smoker")) == (0, 0)
    assert loss(classes, "zip") == pytest.approx(0.40, abs=0.01) and loss(classes, "sex") == loss(heart, "sex")


# --- the result -----------------------------------------------------------------------------------------------------


def test_levels_as_a_table():
    found = generalize(profiles(), PROFILES, THREE)
    frame = found.level_frame()
    assert frame.columns.tolist() == ["attribute", "levels", "level", "values_before", "values_after", "loss"]
    assert frame["attribute"].tolist() == ["alcohol_consumption", "age", "zip"] == list(found.attributes)
    assert frame["levels"].tolist() == [3, 4, 6] and frame["level"].tolist() == [0, 1, 1]
    assert frame["values_before"].tolist() == [4, 13, 8] and frame["values_after"].tolist() == [4, 4, 3]
    assert frame["loss"].mean() == pytest.approx(found.utility.cell_loss, abs=1e-9)


def test_values_are_counted_without_missing_ones():
    classes = ClassTable.from_frame(pd.DataFrame({"age": ["30", None, "31", "30", None]}))
    found = generalize(classes, {"age": ANY}, KAnonymity(columns=("age",), least=3))
    assert found.level_frame()["values_before"].tolist() == [2]


def check_records(found: Generalization, frame: pd.DataFrame) -> None:
    """The class of each record in the result is the one of its recoded values; -1 where it is left out."""
    classes, original = found.classes, found.problem.classes
    left_out = ~found.kept[original.class_of_record]
    assert np.array_equal(classes.class_of_record < 0, left_out)
    for name in frame:
        shown = classes.column(name)[classes.class_of_record[~left_out]]
        if name not in found.attributes:
            assert shown.tolist() == frame[name][~left_out].tolist()
        elif found.levels is not None:
            labels = found.problem.ladders.levels[found.attributes.index(name)].label(found.levels[name])
            places = original.codes[original.class_of_record[~left_out], original.attributes.index(name)]
            assert shown.tolist() == labels[places].tolist()
    assert found.left_out == int(left_out.sum()) and classes.n_records == found.n_records - found.left_out


@pytest.mark.parametrize("method", ["optimal", "mondrian"])
@pytest.mark.parametrize("limit", [0.0, 0.05])
def test_records_keep_their_place(method, limit):
    found = generalize(profiles(), PROFILES, THREE, method=method, left_out_limit=limit)
    check_records(found, weight_loss())


def test_leaving_out_two_records_keeps_more_classes():
    """Zip a step up has two violating records: without them it keeps more classes than any table of all the records."""
    every, most = (
        generalize(profiles(), PROFILES, THREE, left_out_limit=limit, objective="classes") for limit in (0, 0.05)
    )
    assert (every.levels, every.left_out, every.utility.classes) == (levels(alcohol_consumption=1), 0, 15)
    assert (most.levels, most.left_out, most.utility.classes) == (levels(zip=1), 2, 16)
    assert (most.violations.groups, most.violations.rows, most.violations.records) == (2, 2, 2)
    assert most.k == (3,) and (most.utility.rows, most.utility.records) == (21 - 2, 58)
    assert most.problem.suppression_limit == 3  # 5% of 60
    # That leaves 19 rows, fewer than the 21 of a table of all the records.
    rows = generalize(profiles(), PROFILES, THREE, left_out_limit=0.05)
    assert rows.levels == levels(zip=1, age=1) and rows.left_out == 0


def test_the_limit_is_exact_as_it_is_written():
    """0.29 of 100 is 29, though floats make it 28.999."""
    table = ClassTable.from_frame(pd.DataFrame({"a": [str(i) for i in range(29)] + ["x"] * 71}))
    found = generalize(table, {}, KAnonymity(columns=("a",), least=2), left_out_limit=0.29)
    assert (found.left_out, found.k) == (29, (71,))


def test_the_best_of_very_many_states_is_proven():
    names = [f"c{j}" for j in range(25)]
    table = ClassTable.from_frame(pd.DataFrame([["1"] * 25, ["2"] * 25], columns=names))
    asked = dict.fromkeys(names, ANY), KAnonymity(columns=tuple(names), least=2)
    found = generalize(table, *asked)
    assert found.k == (2,) and found.proven and found.problem.n_nodes == 2**25
    assert generalize(table, *asked, method="mondrian").k == (2,)
    found = generalize(table, *asked, method="greedy", time_limit=20.0)
    assert found.k == (2,) and not found.proven


WEIGHTED = slow.cases(weighted=True, columns=[2, 3, 3])
LOSSES = st.sampled_from(["cell_loss", "entropy"])


@settings(max_examples=200)
@given(WEIGHTED | WEIGHTED | slow.cases(weighted=True, columns=[2, 3, 3], rules=RULES), LOSSES)
def test_every_search_is_the_references_with_random_weights(case, objective):
    """The best is still proven: the reference looks at every state, the search at few."""
    check_searches(case, objective)


@given(WEIGHTED, st.data())
def test_no_state_above_loses_less_than_a_state_whatever_the_weights(case, data):
    """What the proof rests on: before leaving out, weighted losses only grow upwards."""
    if not case.rows:
        return
    problem = problem_of(case, "cell_loss")
    low = tuple(data.draw(st.integers(0, height)) for height in problem.highest)
    high = tuple(data.draw(st.integers(level, height)) for level, height in zip(low, problem.highest, strict=True))
    for objective in ("cell_loss", "entropy"):
        problem, everyone = problem_of(case, objective), np.ones(len(problem.counts), dtype=bool)
        lost = [problem.share(problem.cost(state)) for state in (low, high)]
        assert lost[0] <= lost[1] + 1e-12 <= 1 + 2e-12
        cells = np.broadcast_to(np.array(low), (len(problem.counts), len(low)))
        of_cells = problem.losses_of(objective).of_cells(problem.rows, cells, everyone)
        assert lost[0] == pytest.approx(of_cells, abs=1e-9)


@given(slow.cases(columns=[2, 3]), st.sampled_from([1, 2, 3, 0.5]), LOSSES)
def test_weights_that_are_all_alike_change_nothing(case, weight, objective):
    names = list(case.laddered)
    for method in ("optimal", "mondrian"):
        try:
            plain = run(case, method, objective)
        except InputError:
            return
        alike = replace(case, matter=tuple((name, weight) for name in names))
        found = run(alike, method, objective)
        assert not found.problem.is_weighted and found.utility == plain.utility and found.levels == plain.levels
        assert np.array_equal(found.cell_levels, plain.cell_levels)


# Either column alone can be given up to reach k = 2.
ROWS = [(a, b) for a in "12" for b in "12"]
TWO_COLUMNS = slow.Case(("a", "b"), ROWS, [1] * 4, dict.fromkeys("ab", TENS[::2]), (Requirement(("a", "b"), 2),))


@pytest.mark.parametrize(
    ("weights", "levels", "loss"),
    [
        ({}, {"a": 0, "b": 1}, 1 / 2),
        ({"b": 3}, {"a": 1, "b": 0}, 1 / 4),
        ({"a": 0}, {"a": 1, "b": 0}, 0.0),
        ({"a": 3, "b": 2}, {"a": 0, "b": 1}, 2 / 5),
    ],
)
@pytest.mark.parametrize("method", ["optimal", "exhaustive", "mondrian"])
def test_the_column_that_matters_less_is_given_up(weights, levels, loss, method):
    found = run(replace(TWO_COLUMNS, matter=tuple(weights.items())), method, "cell_loss")
    kept = dict(zip(found.attributes, found.cell_levels.max(axis=0).tolist(), strict=True))
    if method == "mondrian" and not weights:  # of two that are as wide the first is split first
        assert kept == {"a": 0, "b": 1}
    assert kept == levels and found.utility.cell_loss == pytest.approx(loss)


def test_a_column_that_may_be_lost_without_regret_is_still_kept_where_that_costs_nothing():
    case = replace(TWO_COLUMNS, weights=[2] * 4, matter=(("a", 0),))
    for method in ("optimal", "mondrian"):
        assert not run(case, method, "cell_loss").cell_levels.any()


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        ({"a": 4}, "must lie between 0 and 3"),
        ({"a": -1}, "must lie between 0 and 3"),
        ({"a": float("nan")}, "must be a number"),
        ({"a": "much"}, "must be a number"),
        ({"c": 1}, "“c”"),
        ({"a": 0, "b": 0}, "Every column that can be generalized has the weight 0"),
    ],
)
def test_weights_that_cannot_be(weights, sentence):
    with pytest.raises(InputError, match=sentence):
        run(replace(TWO_COLUMNS, matter=tuple(weights.items())), "optimal")


# ---- in the recipe ---------------------------------------------------------------------------------------------------


def step(**changes) -> GeneralizeLocally:
    return GeneralizeLocally((("a", ANY), ("b", ANY)), (KAnonymity(columns=("a", "b"), least=2),), **changes)


def test_a_step_keeps_its_weights_and_releases_by_them():
    data = Dataset.from_frame(
        slow.pd.DataFrame(ROWS, columns=["a", "b"], dtype=object),
        roles=dict.fromkeys("ab", "quasi_identifier"),  # type: ignore[arg-type]
    )
    weighted = step(column_weights=(("a", 0.0), ("b", 3.0)))
    assert weighted.describe().endswith("(weights: a 0, b 3)") and "weights" not in step().describe()
    again = Recipe.from_json(Recipe.of([weighted]).to_json())
    assert again.enabled == (weighted,) and "column_weights" not in step().to_dict()
    for one, given_up in ((step(), "b"), (weighted, "a")):
        released = Recipe.of([one]).apply(data).released.records
        assert [name for name in "ab" if set(released[name]) == {"*"}] == [given_up]


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        ([], "must be given by their names"),
        ({"a": 9}, "between 0 and 3"),
        ({"a": "2"}, "must be a number"),
        ({"z": 1}, "has a hierarchy"),
    ],
)
def test_a_recipe_with_weights_that_cannot_be_is_refused(weights, sentence):
    with pytest.raises(InputError, match=sentence):
        GeneralizeLocally.from_dict(step().to_dict() | {"column_weights": weights})
