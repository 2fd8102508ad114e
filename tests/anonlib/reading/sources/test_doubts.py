"""What is asked of cells that another program may have changed, of codes that look like marks, and of rows."""

from __future__ import annotations

import io
from dataclasses import replace

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest

from anonlib.filing.project import LoadedFile
from anonlib.reading.sources import missing_mark_candidates, open_source


def loaded(**columns: list) -> LoadedFile:
    data = pd.DataFrame(columns).to_csv(index=False).encode()
    return LoadedFile.of(data, "file.csv")


def proposed(file: LoadedFile) -> set[tuple[str, str]]:
    return {(each.column, each.mark) for each in missing_mark_candidates(file.counts())}


NOTHING = [str(i) for i in range(40)]


def test_na_that_may_be_a_code_is_asked_and_counts_as_a_value():
    file = loaded(n=NOTHING, continent=["NA", "AS", "EU", "SA"] * 10, ward=["A", "B", "NA", "A"] * 10)
    assert file.notes == (
        "“NA” may be a code of a list in continent, and counts as a value there. If it means that there is none, mark "
        "it as missing in that column.",
    )
    records = file.records()
    assert list(records.values("continent")) == ["AS", "EU", "NA", "SA"] and list(records.values("ward")) == ["A", "B"]
    assert {("continent", "NA"), ("ward", "NA")} <= proposed(file)
    chosen = replace(file, column_marks=(("continent", "NA"),))
    assert list(chosen.records().values("continent")) == ["AS", "EU", "SA"]


def test_codes_of_lists_are_not_proposed_and_the_same_words_elsewhere_are():
    file = loaded(state=["NS", "NB", "ON", "ND"] * 10, answer=["yes", "no", "NS", "NR"] * 10, b=["x", "y"] * 20)
    assert proposed(file) == {("answer", "NS"), ("answer", "NR")}


def test_words_of_other_languages_errors_of_formulas_and_far_dates_are_proposed():
    file = loaded(
        bmi=["20,1", "#NV", "#WERT!", "22,5"] * 10, beruf=["Koch", "keine Angabe", "Lehrer", "unbekannt"] * 10,
        ende=["01.02.2021", "31.12.9999", "03.02.2021", "01.01.1900 00:00:00"] * 10,
    )  # fmt: skip
    assert proposed(file) == {
        ("bmi", "#NV"), ("bmi", "#WERT!"), ("beruf", "keine Angabe"), ("beruf", "unbekannt"), ("ende", "31.12.9999"),
        ("ende", "01.01.1900 00:00:00"),
    }  # fmt: skip


def test_far_moments_of_parquet_are_proposed():
    moments = pa.array([253402214400000000, 1612137600000000] * 5, pa.timestamp("us"))
    out = io.BytesIO()
    pq.write_table(pa.table({"end": moments}), out)
    assert proposed(LoadedFile.of(out.getvalue(), "file.parquet")) == {("end", "9999-12-31 00:00:00")}


@pytest.mark.parametrize(("column", "says"), [
    (["3.27E+15", "1.35E+16", "322236009", "774557006"], "Long numbers in it were rounded by a spreadsheet"),
    (["0-4", "05. Sep", "10. Dez", "18-29"], "Ranges in it were made dates by a spreadsheet"),
    (["04-Jan", "09-May", "15-19", "90+"], "Ranges in it were made dates by a spreadsheet"),
])  # fmt: skip
def test_what_a_spreadsheet_changed_is_in_a_note(column, says):
    (note,) = loaded(n=NOTHING, it=column * 10).notes
    assert note.startswith(says)


def test_a_table_of_counts_is_asked_about():
    counts = ["<5", "11", "59", "*", "7"] * 8
    (note,) = loaded(age_group=NOTHING, patients=counts).notes
    assert note.startswith("The rows may be groups and not persons, by the counts in patients")
    for name in ("crp", "cd4_count"):
        assert loaded(age=NOTHING, **{name: counts}).notes == (), "a result below what can be measured"
    groups = {"age": [f"{i // 4}" for i in range(40)], "area": ["A", "B", "C", "D"] * 10}
    (note,) = loaded(**groups, anything=["<5", "11", "59", "7"] * 10).notes
    assert "by the counts in anything" in note


@pytest.mark.parametrize("column", [["1.2", "3.4E-5", "2", "7"], ["05. Sep", "10. Dez", "11. Jan", "12. Feb"],
                                    ["1", "2", "3", "4"], ["150", "200", "1E+5", "90"]])  # fmt: skip
def test_ordinary_columns_raise_no_doubt(column):
    assert loaded(n=NOTHING, it=column * 10).notes == ()


def test_labelled_kinds_of_missing_of_stata_stay_apart(tmp_path):
    frame = pd.DataFrame({"test": [1, 2, "a", "b"] * 10, "score": [1.5, "a", "b", 7.0] * 10, "n": range(40)})
    labels = {"test": {1: "negative", 2: "positive", "a": "refused", "b": "not asked"}}
    pyreadstat.write_dta(frame, tmp_path / "a.dta", variable_value_labels=labels,
                         missing_user_values={"test": ["a", "b"], "score": ["a", "b"]})  # fmt: skip
    source = open_source((tmp_path / "a.dta").read_bytes(), "a.dta")
    file = LoadedFile.of((tmp_path / "a.dta").read_bytes(), "a.dta")
    assert list(source.frame["test"].cat.categories) == [".a", ".b", "1", "2"]
    assert file.known["test"].missing == (".a", ".b")
    assert {"refused", "not asked"} < set(file.records().values("test"))
    assert list(source.frame["score"].cat.categories) == ["1.5", "7"], "a score stays one of numbers"
    assert "Kinds of missing values, such as .a and .b, count as one: column score." in file.notes


def test_rows_between_the_records_that_are_none_are_asked_about():
    rows = ["A", "A", "A", "A Total", "B", "B", "B", "B Total", "Grand Total"]
    file = loaded(ward=rows, age=range(9))
    assert "may be totals, page numbers or rules, by what stands in ward" in " ".join(file.notes)
    operations = ["hip", "total hip", "knee", "total knee", "hand", "foot"] * 3
    assert not loaded(operation=operations, age=range(18)).notes
    sex = [*"mf" * 10, "Page 1 of 2", *"mf" * 10]
    assert "what stands in sex" in " ".join(loaded(sex=sex, age=[*range(20), "", *range(20)]).notes)
    ruled = loaded(sex=[*"mf" * 10, "---", *"mf" * 10], age=[*range(20), "---", *range(20)])
    assert "what stands in sex and age" in " ".join(ruled.notes)
    assert not loaded(sex=[*"mf" * 10, "---", *"mf" * 10], age=range(41)).notes, "a mark"


def test_kinds_of_missing_in_figures_are_proposed():
    ages = [str(20 + i) for i in range(60)]
    assert proposed(loaded(age=[*ages, "997", "998", "999"])) == {("age", mark) for mark in ("997", "998", "999")}
    assert proposed(loaded(hba1c=[*(f"{5 + i / 10:.1f}" for i in range(30)), "99.9", "999.9"])) == {
        ("hba1c", "99.9"),
        ("hba1c", "999.9"),
    }
    assert not proposed(loaded(age=[*ages, "98"])), "an age"
    codes = [f"{10_000 + 617 * i:05}" for i in range(60)]
    assert proposed(loaded(zip=[*codes, "00000", "99999", "XXXXX"])) == {
        ("zip", mark) for mark in ("00000", "99999", "XXXXX")
    }
    assert proposed(loaded(left=["00.00.0000", "01.02.2020", "03.02.2020"])) == {("left", "00.00.0000")}
