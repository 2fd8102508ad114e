"""Codes that are shown by their labels: in the records, in a saved project, and as codes in every file that leaves."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import ibis
import pandas as pd
import pyarrow.parquet as pq
import pyreadstat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.basics.errors import InputError
from anonlib.coarsening.recoding import Intervals, ValueMap
from anonlib.columns.dictionaries import read_dictionary
from anonlib.columns.roles import Role, suggest_roles
from anonlib.dataset import Dataset
from anonlib.filing.evidence.leaving import released_file
from anonlib.filing.project import FileRead, LoadedFile, Project, open_project
from anonlib.filing.project.by_hand import from_toml
from anonlib.reading.labelled import shown_by_labels
from anonlib.reading.sources import Described, by_name, labels_of
from anonlib.release.codebook import codebook
from anonlib.release.export import write_released
from anonlib.release.meanings import AS_IT_STANDS
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Recode
from tests.helpers.examples import settings

DICTIONARY = read_dictionary(
    b"variable,label,values,unit,missing\nSEX,Sex,1=Male; 2=Female,,\nAGEP,Age,90=90 or older,years,\n"
    b"REG,Region,N=North; S=South; E=East,,\nMAR,Marital status,1=Married; 2=Widowed; 3=Never married,,9\n"
)
CSV = b"SEX,AGEP,REG,MAR,INC\n" + b"".join(
    f"{1 + i % 2},{20 + i % 70},{'NSE'[i % 3]},{(1, 2, 3, 9)[i % 4]},{1000 + i}\n".encode() for i in range(60)
)


def loaded_with(dictionary=DICTIONARY, data: bytes = CSV) -> LoadedFile:
    loaded = LoadedFile.of(data, "survey.csv")
    return replace(loaded, described=dictionary.on(loaded.raw.columns, loaded.known))


def opened_with(loaded, *steps, **roles):
    decided = {name: Role(role) for name, role in roles.items()}
    return open_project(Project(file=loaded.as_read, recipe=Recipe.of(steps), roles=decided, seed=7), loaded)


def test_codes_are_shown_by_labels_in_the_order_of_the_codes_and_scales_stay_numbers():
    loaded = loaded_with()
    records = loaded.records()
    assert records.frame["SEX"].tolist()[:2] == ["Male", "Female"]
    assert list(records.values("MAR")) == ["Married", "Widowed", "Never married", "9"], "no label, so as it is"
    assert list(records.values("AGEP"))[:2] == ["20", "21"], "one label of many values is an exception of a scale"
    data = loaded.dataset(records, "category")
    assert data.codes["REG"] == {"East": "E", "North": "N", "South": "S"}
    assert data.described["AGEP"].shown_name == "Age, years (AGEP)"
    assert data.in_codes().records["SEX"].tolist() == loaded.raw.frame["SEX"].tolist()


def test_roles_are_suggested_by_what_the_dictionary_says():
    dictionary = read_dictionary(b"V1: Municipality of residence\nV2: HIV status\nV3: Age at interview\n")
    frame = pd.DataFrame({"V1": list("abab"), "V2": list("0101"), "V3": ["31", "44", "52", "31"]})
    known = {each.name: each for each in dictionary.on(frame.columns)}
    by = {each.column: each for each in suggest_roles(frame, known)}
    assert [by[name].role for name in by] == [Role.QUASI_IDENTIFIER, Role.SENSITIVE, Role.QUASI_IDENTIFIER]
    assert by["V1"].reasons[0].startswith("Its description points to cities")


def test_a_column_that_the_dictionary_says_identifies_persons_is_an_identifier():
    frame = pd.DataFrame({"x": ["a", "b", "a", "b"]})
    (found,) = suggest_roles(frame, {"x": Described("x", identifies=True)})
    assert found.role is Role.IDENTIFIER and "dictionary" in found.reasons[0]


@pytest.mark.parametrize("kind", ["CSV", "Parquet", "Excel", "SPSS", "Stata"])
def test_codes_leave_as_codes_and_a_coarser_level_as_its_label(kind, tmp_path):
    loaded = loaded_with()
    merged = ValueMap((("Married", "Married"), ("Widowed", "Not married"), ("Never married", "Not married")))
    opened = opened_with(
        loaded, Recode("AGEP", Intervals(10)), Recode("MAR", merged),
        SEX="quasi_identifier", AGEP="quasi_identifier", REG="place", MAR="quasi_identifier", INC="sensitive",
    )  # fmt: skip
    assert not opened.applied.problems
    path = tmp_path / "released"
    path.write_bytes(released_file(opened, kind))
    expected = sorted(zip(*[pd.read_csv(io.BytesIO(CSV), dtype=str)[n] for n in ("SEX", "REG", "INC")], strict=True))
    if kind in ("CSV", "Excel"):
        frame = pd.read_csv(path, dtype=str) if kind == "CSV" else pd.read_excel(path, dtype=str)
        assert sorted(set(frame["MAR"])) == ["1", "9", "Not married"]
    elif kind == "Parquet":
        table = pq.read_table(path)
        frame = table.to_pandas().astype(str)
        about = table.schema.field("SEX").metadata
        assert json.loads(about[b"labels"]) == {"1": "Male", "2": "Female"} and about[b"title"] == b"Sex"
        assert table.schema.field("AGEP").metadata[b"unit"] == b"years"
        assert json.loads(table.schema.field("AGEP").metadata[b"labels"])["20-29"] == "from 20 to 29 years"
        assert json.loads(table.schema.field("MAR").metadata[b"labels"])["1"] == "Married"
    else:
        read = pyreadstat.read_sav if kind == "SPSS" else pyreadstat.read_dta
        found, about = read(str(path))
        labels, titles = about.variable_value_labels, about.column_names_to_labels
        assert labels["SEX"] == {1: "Male", 2: "Female"} and titles["SEX"] == "Sex"
        assert titles["AGEP"] == "Age, years" and set(labels["AGEP"].values()) >= {"20-29 years", "70-79 years"}
        assert labels["MAR"] == {1: "Married", 10: "Not married", 9: "9"}
        if kind == "SPSS":
            assert labels["REG"] == {"N": "North", "S": "South", "E": "East"}
            measures = about.variable_measure
            assert (measures["SEX"], measures["AGEP"], measures["INC"]) == ("nominal", "ordinal", "scale")
        frame = found.assign(**{n: found[n].map(lambda cell: f"{cell:.0f}") for n in ("SEX", "INC")})
    assert sorted(zip(frame["SEX"], frame["REG"], frame["INC"], strict=True)) == expected


def test_labels_of_a_file_survive_its_release_with_its_level_and_what_it_declares_missing(tmp_path):
    path = tmp_path / "a.sav"
    frame = pd.DataFrame({"sex": [1.0, 2.0] * 10, "grade": [1.0, 2.0, 3.0, 9.0] * 5})
    pyreadstat.write_sav(
        frame, str(path), column_labels=["Sex of person", "School grade"],
        variable_value_labels={"sex": {1: "Male", 2: "Female"}, "grade": {1: "low", 2: "mid", 3: "high", 9: "NK"}},
        missing_ranges={"grade": [9]}, variable_measure={"sex": "nominal", "grade": "ordinal"},
    )  # fmt: skip
    loaded = LoadedFile.of(path.read_bytes(), "a.sav")
    assert loaded.known["grade"].missing == ("9",)
    assert list(loaded.records().values("grade")) == ["low", "mid", "high", "NK"]
    opened = opened_with(loaded, sex="quasi_identifier", grade="quasi_identifier")
    path.write_bytes(released_file(opened, "SPSS"))
    again, about = pyreadstat.read_sav(str(path), user_missing=True)
    assert sorted(again["grade"]) == sorted(frame["grade"])
    assert about.missing_ranges["grade"] == [{"lo": 9.0, "hi": 9.0}]
    assert about.variable_value_labels["grade"] == {1: "low", 2: "mid", 3: "high", 9: "NK"}
    assert about.column_names_to_labels == {"sex": "Sex of person", "grade": "School grade"}
    assert about.variable_measure == {"sex": "nominal", "grade": "ordinal"}


@pytest.mark.parametrize("kind", ["SPSS", "Stata"])
def test_labels_of_exceptions_and_of_codes_that_are_shown_survive_too(kind, tmp_path):
    """Of a scale a few values have labels; and who looks at codes still hands out their labels."""
    rows = "".join(f"{(90, 31, 45, 52)[i % 4]},{1 + i % 2}\n" for i in range(40))
    loaded = replace(loaded_with(data=f"AGEP,SEX\n{rows}".encode()), in_codes=("SEX",))
    opened = opened_with(loaded, AGEP="quasi_identifier", SEX="quasi_identifier")
    assert not opened.data.codes
    path = tmp_path / "released"
    path.write_bytes(released_file(opened, kind))
    frame, about = (pyreadstat.read_sav if kind == "SPSS" else pyreadstat.read_dta)(str(path))
    assert about.variable_value_labels == {
        "AGEP": {90: "in the original, 90 or older"},
        "SEX": {1: "Male", 2: "Female"},
    }
    assert sorted(set(frame["AGEP"])) == [31, 45, 52, 90]
    if kind == "SPSS":
        assert (about.variable_measure["AGEP"], about.variable_measure["SEX"]) == ("scale", "nominal")
    levels = codebook(opened.applied.released, opened.project.recipe).levels
    meanings = dict(zip(levels["level"], levels["meaning"], strict=True))
    assert (meanings["90"], meanings["31"], meanings["1"]) == ("in the original, 90 or older", AS_IT_STANDS, "Male")


def test_the_codebook_lists_codes_with_what_they_stand_for():
    opened = opened_with(loaded_with(), Recode("AGEP", Intervals(10)), SEX="quasi_identifier", AGEP="quasi_identifier")
    found = codebook(opened.applied.released, opened.project.recipe)
    rows = found.columns.set_index("column")
    assert (rows.at["SEX", "title"], rows.at["SEX", "type"], rows.at["AGEP", "unit"]) == ("Sex", "number", "years")
    levels = {(r.column, r.level): r.meaning for r in found.levels.itertuples()}
    assert levels["SEX", "1"] == "Male" and levels["AGEP", "20-29"] == "from 20 to 29 years"
    assert ("SEX", "Male") not in levels


def test_a_code_that_could_be_mistaken_leaves_as_its_label():
    opened = opened_with(loaded_with(), Recode("SEX", ValueMap((("Female", "1"),))), SEX="quasi_identifier")
    released = pd.read_csv(io.BytesIO(released_file(opened)), dtype=str)
    assert sorted(set(released["SEX"])) == ["1", "Male"], "as 1 both would be one value"


def test_a_project_keeps_the_dictionary_and_an_earlier_one_shows_codes(tmp_path):
    loaded = replace(loaded_with(), in_codes=("REG",))
    project = Project(file=loaded.as_read)
    again = Project.from_json(project.to_json())
    assert again.file == loaded.as_read
    opened = open_project(again, LoadedFile.of(CSV, "survey.csv"))
    assert set(opened.data.codes) == {"SEX", "MAR"} and opened.data.key == open_project(project, loaded).data.key
    document = json.loads(project.to_json())
    for name in ("described", "with_labels", "in_codes"):
        del document["tables"][0]["file"][name]
    earlier = Project.from_json(json.dumps(document))
    assert isinstance(earlier.file, FileRead) and not earlier.file.with_labels
    assert not open_project(earlier, loaded).data.codes


def test_a_project_keeps_thousands_of_labels_and_refuses_damaged_ones():
    many = Described("OCC", "Occupation", labels=tuple((f"{i:04d}", f"occupation {i}") for i in range(3_000)))
    project = Project(file=replace(loaded_with().as_read, described=(many,)))
    assert Project.from_json(project.to_json()).file == project.file
    document = json.loads(project.to_json())
    labels = ([["1"]], {"1": "a"}, [["1", 2]])
    for damage in (*({"labels": each} for each in labels), {"measure": "odd"}, {"missing": 3}):
        document["tables"][0]["file"]["described"] = [{"name": "OCC", **damage}]
        with pytest.raises(InputError, match="damaged"):
            Project.from_json(json.dumps(document))


def test_another_file_is_shown_by_the_same_labels_whether_it_has_codes_or_labels():
    data = loaded_with().dataset(loaded_with().records(), "category")
    for male, female in (("1", "2"), ("Male", "Female"), ("01", "02")):
        other = LoadedFile.of(f"SEX,x\n{male},a\n{female},a\n{male},a\n".encode(), "other.csv")
        shown = other.dataset(other.records(), "category").shown_as(data)
        assert shown.records["SEX"].tolist() == ["Male", "Female", "Male"]


def test_names_are_found_whatever_their_case_and_by_the_last_part_of_a_path():
    named = (Described("Patient.birthDate", "Birth"), Described("A.x"), Described("B.x"), Described("AGE_P", "Age"))
    found = by_name(named, ["birth_date", "x", "agep", "other"])
    assert {name: each.title for name, each in found.items()} == {"birth_date": "Birth", "agep": "Age"}


CODES = [*"123456789", "01", "a", "b"]


@given(
    st.dictionaries(st.sampled_from(CODES), st.sampled_from(["x", "y", "z", "1", "a", ""]), max_size=9),
    st.sets(st.sampled_from([*CODES, "x", "y (1)"]), min_size=1),
)
@settings(max_examples=300, deadline=None)
def test_labels_tell_values_apart_as_they_were(labels, values):
    ordered = sorted(values)
    shown = labels_of(Described("c", labels=tuple(labels.items())), ordered)
    cells = [shown.get(value, value) for value in ordered]
    assert len(set(cells)) == len(ordered)
    if shown:
        assert sum(value in shown for value in ordered) * 2 > len(ordered)


def test_an_engine_shows_labels_and_writes_codes():
    frame = pd.read_csv(io.BytesIO(CSV), dtype=str)
    data = Dataset.from_ibis(ibis.memtable(frame))
    of_value = {"SEX": {"1": "Male", "2": "Female"}}
    data = replace(data, held=shown_by_labels(data.held, of_value), codes={"SEX": {"Male": "1", "Female": "2"}})
    assert sorted(data.held.values("SEX")) == ["Female", "Male"]
    written = io.BytesIO()
    write_released(written, "CSV", data, [1, 2])
    assert sorted(pd.read_csv(io.BytesIO(written.getvalue()), dtype=str)["SEX"]) == sorted(frame["SEX"])
    assert set(data.held.head(60)["SEX"]) == {"Female", "Male"}


def test_a_project_by_hand_shows_codes_unless_it_asks_for_labels(tmp_path):
    path, frame = tmp_path / "a.sav", pd.DataFrame({"sex": [1.0, 2.0] * 5})
    pyreadstat.write_sav(frame, str(path), variable_value_labels={"sex": {1: "Male", 2: "Female"}})
    loaded = LoadedFile.of(path.read_bytes(), "a.sav")
    for read, expected in (("", {"1", "2"}), ("[read]\nlabels = true\n", {"Male", "Female"})):
        project = from_toml(f'recipient = "own"\n[roles]\nsex = "quasi_identifier"\n{read}')
        assert set(open_project(project, loaded).data.held.values("sex")) == expected
