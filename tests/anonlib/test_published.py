"""The papers' own numbers, as far as the counting and the risk figures show them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from anonlib.analyses.individuals import Attacker, privacy_profile
from anonlib.analyses.risk import assess, sensitive_risk
from anonlib.counting.classes import ClassTable, anonymity_vector

SAMPLES = Path(__file__).resolve().parents[2] / "data" / "samples"
ADULT_NINE = [
    "age", "workclass", "education", "marital_status", "occupation", "race", "sex", "native_country", "salary",
]  # fmt: skip


def sample(name: str) -> pd.DataFrame:
    return pd.read_csv(SAMPLES / name, dtype=str, keep_default_na=False)


def dense(table: ClassTable) -> tuple[int, ...]:
    """The anonymity vector as the paper prints it, zeros included."""
    sizes = table.counts.tolist()
    return tuple(sizes.count(size) for size in range(1, max(sizes) + 1))


# --- Caballero et al. 2017: anonymity by construction ---------------------------------------------------------------


def test_screening_people():
    """Tables 2(b) and 4: four quasi-ids of 4, 4, 5 and 2 people; section 4.3: vector (0,1,0,2,1), k = 2."""
    table = ClassTable.from_frame(sample("screening_people.csv"), ["zip", "gender", "age"])
    counts = {tuple(row[:3]): row[3] for row in table.to_frame().values.tolist()}
    assert counts == {
        ("88888", "male", "50-54"): 4,
        ("11111", "male", "55-59"): 4,
        ("11111", "female", "55-59"): 5,
        ("88888", "female", "55-59"): 2,
    }
    assert dense(table) == (0, 1, 0, 2, 1)
    assert table.anonymity_vector.k == 2


def test_screening_schedule():
    """Table 3 (printed again as Table 6): the text says (11,2); its rows give (9,3), as three pairs share a quasi-id.

    Rows 7 and 9, 11 and 15, and 13 and 14 are the pairs, so that 9 of the 15 people are alone.
    """
    frame = sample("screening_schedule.csv")
    table = ClassTable.from_frame(frame, ["zip", "gender", "age", "centre", "hour"])
    assert dense(table) == (9, 3)
    assert table.anonymity_vector.people_below(2) == 9
    printed = anonymity_vector([1] * 11 + [2] * 2)
    assert table.anonymity_vector < printed
    pairs = [[i + 1 for i, c in enumerate(table.class_of_record) if c == pair] for pair in range(table.n_classes)]
    assert sorted(pair for pair in pairs if len(pair) == 2) == [[7, 9], [11, 15], [13, 14]]
    assert dense(table.project(["zip", "gender", "age"])) == (0, 1, 0, 2, 1)


def test_vectors_of_five_quasi_ids():
    """Table 5 and the order below it: (1,0,1,1) < (1,1,0,0,1) < (2,0,0,0,0,1) < (3,0,0,0,1)."""
    columns = ["ABCDDDDD", "ABCCCCCC", "ABBCCCCC", "ABBBCCCC"]
    a, b, c, d = tables = [ClassTable.from_frame(pd.DataFrame({"q": list(column)})) for column in columns]
    assert [dense(t) for t in tables] == [
        (3, 0, 0, 0, 1),
        (2, 0, 0, 0, 0, 1),
        (1, 1, 0, 0, 1),
        (1, 0, 1, 1),
    ]
    assert d.anonymity_vector < c.anonymity_vector < b.anonymity_vector < a.anonymity_vector
    assert all(table.anonymity_vector.k == 1 for table in tables)


# --- Kroes et al. 2021: individual re-identification ----------------------------------------------------------------


def test_five_people():
    """Table 1: every combination of gender and age is one person; with ages by ten years Alice (1) has a peer (5)."""
    frame = sample("five_people.csv")
    original = ClassTable.from_frame(frame, ["gender", "age"])
    assert original.counts.tolist() == [1] * 5
    tens = {"50": "45–54", "49": "45–54", "40": "35–44", "35": "35–44", "64": "55–64"}  # option 2
    grouped = ClassTable.from_frame(frame.assign(age=frame["age"].map(tens)), ["gender", "age"])
    assert grouped.size_of_record.tolist() == [2, 1, 1, 1, 2]
    assert assess(grouped).unique == 3


def test_adult(shared_data: Callable[[str], Path]):
    """Table 2: nine variables of Adult, 30,162 records of which 19,502 distinct ("unique rows" means distinct).

    Its sizes of domains; and that less than 10% of the rows are left out.
    """
    whole = pd.read_csv(shared_data("adult.csv"), dtype=str, na_values="?", keep_default_na=False)
    frame = whole.dropna()
    assert frame[ADULT_NINE].nunique().tolist() == [72, 7, 16, 7, 14, 5, 2, 41, 2]
    assert round(1 - len(frame) / len(whole), 3) == 0.074
    table = ClassTable.from_frame(frame, ADULT_NINE)
    assert (table.n_records, table.n_classes) == (30_162, 19_502)
    marketer = assess(table).marketer
    assert marketer.average == 19_502 / 30_162


def test_adult_drops_by_the_missing_policy(shared_data: Callable[[str], Path]):
    """Only workclass, occupation and native_country hold ``?``: dropping by attribute is dropping by row."""
    frame = pd.read_csv(shared_data("adult.csv"), dtype=str, na_values="?", keep_default_na=False)
    table = ClassTable.from_frame(frame, ADULT_NINE, missing="drop")
    assert (table.n_records, table.n_classes) == (30_162, 19_502)
    kept = ClassTable.from_frame(frame, ADULT_NINE)
    assert kept.n_records == 32_561 and kept.n_classes > table.n_classes
    risk = sensitive_risk(table, ADULT_NINE[:-1], "salary")
    assert (risk.distinct_l, risk.n_records) == (1, 30_162)


def test_cervical(shared_data: Callable[[str], Path]):
    """Table 2: cervical cancer risk factors, 789 records of which 254 distinct; sizes of domains, and rows left out."""
    whole = pd.read_csv(shared_data("cervical_cancer.csv"), dtype=str, na_values="?", keep_default_na=False)
    frame = whole.dropna(subset=["Num of pregnancies", "Smokes"])
    table = ClassTable.from_frame(frame, ["Num of pregnancies", "Smokes", "Age", "Biopsy"])
    assert (table.n_records, table.n_classes) == (789, 254)
    assert frame[list(table.attributes)].nunique().tolist() == [11, 2, 43, 2]
    assert round(1 - len(frame) / len(whole), 3) == 0.08


def test_biopsy_has_upward_and_downward_privacy_of_the_same_223(shared_data: Callable[[str], Path]):
    """Figure 4: 223 of 789 protected as the file is (p = 0). The result is binary, so that at q = p both are one."""
    frame = pd.read_csv(shared_data("cervical_cancer.csv"), dtype=str, na_values="?", keep_default_na=False)
    frame = frame.dropna(subset=["Num of pregnancies", "Smokes"])
    table = ClassTable.from_frame(frame, ["Num of pregnancies", "Smokes", "Age", "Biopsy"])
    upward = privacy_profile(table, sensitive="Biopsy")
    downward = privacy_profile(table, Attacker(measure="poac"), sensitive="Biopsy")
    assert upward.people.number(upward.has_upward_privacy(0)).tolist() == [223]
    assert downward.people.number(downward.has_downward_privacy()).tolist() == [223]


# --- Arca and Hewett 2021: leakage ----------------------------------------------------------------------------------


def test_weight_loss_profiles():
    """Table 1: 60 people, 27 of them female (section 3.1); the 22 rows of the search's root, 5 of them violating.

    The printed table lacks row 7 and misprints row 9's count; with both mended the counts sum to 60. Section 3.3
    counts 6 rows that violate <{Zip, Age, Alcohol}, 3>: row 14 shares row 2's values, so it is 5.
    """
    frame = sample("weight_loss.csv")

    assert len(frame) == 60
    sex = ClassTable.from_frame(frame, ["sex"])
    assert dict(sex.to_frame().values.tolist()) == {"F": 27, "M": 33}
    rows = ClassTable.from_frame(frame)
    assert rows.n_classes == 22
    shield = ["zip", "age", "alcohol_consumption"]
    small = rows.project(shield).counts[rows.membership(shield)] < 3
    assert int(small.sum()) == 5
