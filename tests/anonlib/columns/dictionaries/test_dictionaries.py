"""Dictionaries of every form: what they say of columns, of codes, and of what is missing."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pyreadstat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.basics.errors import InputError
from anonlib.columns.dictionaries import Dictionary, read_dictionary, syntax, tables
from anonlib.columns.dictionaries.dictionary import choices
from anonlib.reading.sources import Described
from tests.helpers.examples import settings
from tests.helpers.steps import counted_in

REDCAP = """"Variable / Field Name","Field Type","Field Label","Choices, Calculations, OR Slider Labels",Identifier?
record_id,text,Study ID,,y
sex,radio,<b>Sex</b> of the &amp; participant,"1, Male | 2, Female",
ill,checkbox,Illnesses,"1, Diabetes | 2, HIV",
bmi,calc,Body mass index,"[weight]/[height]^2",
smoker,yesno,Smokes?,,
"""
SEX = (("1", "Male"), ("2", "Female"))


def one(dictionary: Dictionary, name: str) -> Described:
    (found,) = [each for each in dictionary.described if each.name == name]
    return found


def of(text: str, form: str) -> Dictionary:
    found = read_dictionary(text.encode())
    assert found.form == form
    return found


def test_redcap_has_choices_yes_and_no_identifiers_and_a_column_for_each_checkbox():
    found = of(REDCAP, "REDCap data dictionary")
    assert one(found, "record_id").identifies and not one(found, "sex").identifies
    assert one(found, "sex") == Described("sex", "Sex of the & participant", labels=SEX)
    assert one(found, "bmi").labels == () and one(found, "smoker").labels == (("1", "Yes"), ("0", "No"))
    columns = ["sex", "ill___2", "other___1", "smoker"]
    sex, hiv, smoker = found.on(columns)
    assert (sex.name, smoker.name) == ("sex", "smoker")
    assert hiv == Described("ill___2", "Illnesses: HIV", labels=(("0", "Unchecked"), ("1", "Checked")))
    assert found.says(columns) == "REDCap data dictionary: it describes 3 of 4 columns, with labels of codes for 3."


def test_redcap_as_json_is_the_same():
    rows = [
        {"field_name": "sex", "field_type": "radio", "field_label": "Sex", "identifier": "y",
         "select_choices_or_calculations": "1, Male | 2, Female"}
    ]  # fmt: skip
    assert read_dictionary(json.dumps(rows).encode()).described == (
        Described("sex", "Sex", labels=SEX, identifies=True),
    )


@pytest.mark.parametrize(
    ("text", "name", "title", "labels"),
    [
        ("variable,label,values,unit\nSEX,Sex,1=Male; 2=Female,\nAGE,Age,,years\n", "SEX", "Sex", SEX),
        ("Variable;Beschreibung;Wert;Bedeutung\nG;Geschlecht;1;Male\n;;2;Female\n", "G", "Geschlecht", SEX),
        ("nom,libellé,modalités\nsexe,Sexe,\"1 : Male\n2 : Female\"\n", "sexe", "Sexe", SEX),
        ("campo;descrição;valores\nSEXO;Sexo;1 - Male | 2 - Female\n", "SEXO", "Sexo", SEX),
        ("campo;descripción;valores\nSEXO;Sexo;1. Male | 2. Female\n", "SEXO", "Sexo", SEX),
        ("nazwa zmiennej;opis;kodowanie\nPLEC;Płeć;1 Male| 2 Female\n", "PLEC", "Płeć", SEX),
        ("variabelnamn;beskrivning;värden\nKON;Kön;\"1=Male, 2=Female\"\n", "KON", "Kön", SEX),
        ("naam,omschrijving,waarden\ngesl,Geslacht,1) Male|2) Female\n", "gesl", "Geslacht", SEX),
        ("nome variabile;descrizione;codifica\nSESSO;Sesso;\"1=Male;2=Female\"\n", "SESSO", "Sesso", SEX),
        ("name,value,label\nsex,1,Male\nsex,2,Female\n", "sex", "", SEX),
    ],
)  # fmt: skip
def test_tables_in_nine_languages(text, name, title, labels):
    found = read_dictionary(text.encode())
    assert found.form.startswith("Table") and (one(found, name).title, one(found, name).labels) == (title, labels)


def test_a_workbook_has_columns_in_one_sheet_and_codes_in_another():
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (("Variable", "Description", "Unit"), ("AGE", "Age", "years"), ("SEX", "Sex", None)):
        sheet.append(row)
    codes = book.create_sheet("Codes")
    for row in (("Variable", "Code", "Label"), ("SEX", 1, "Male"), ("SEX", 2, "Female")):
        codes.append(row)
    written = io.BytesIO()
    book.save(written)
    found = read_dictionary(written.getvalue())
    assert one(found, "AGE").in_words == "Age, years"
    assert (one(found, "SEX").title, one(found, "SEX").labels) == ("Sex", SEX)


def test_ddi_has_labels_missing_codes_and_levels_of_measurement():
    text = """<?xml version="1.0"?><codeBook xmlns="ddi:codebook:2_5"><dataDscr>
    <var ID="V1" name="AGE" nature="ratio" measUnit="years"><labl>Age of
    the person</labl></var>
    <var name="SEX"><qstn><qstnLit>What is your sex?</qstnLit></qstn>
    <catgry><catValu>1</catValu><labl>Male</labl></catgry><catgry><catValu>2</catValu><labl>Female</labl></catgry>
    <catgry missing="Y"><catValu>9</catValu></catgry></var></dataDscr></codeBook>"""
    found = of(text, "DDI Codebook")
    assert one(found, "AGE") == Described("AGE", "Age of the person", "years", measure="scale")
    assert one(found, "SEX") == Described("SEX", "What is your sex?", labels=SEX, missing=("9",))


def test_frictionless_croissant_and_others_in_json():
    fields = [{"name": "sex", "title": "Sex", "categories": [{"value": 1, "label": "Male"}]}, {"name": "age"}]
    found = of(json.dumps({"resources": [{"schema": {"fields": fields, "missingValues": ["", "-9"]}}]}),
               "Frictionless Table Schema")  # fmt: skip
    assert one(found, "sex") == Described("sex", "Sex", labels=(("1", "Male"),), missing=("-9",))
    field = {"@id": "r/age", "description": "Age", "source": {"extract": {"column": "AGEP"}}}
    found = of(json.dumps({"@type": "sc:Dataset", "recordSet": [{"field": [field]}]}), "Croissant")
    assert found.described == (Described("AGEP", "Age"),)
    found = of(json.dumps({"tableSchema": {"columns": [{"name": "age", "dc:description": "Age"}]}}), "CSV on the Web")
    assert found.described == (Described("age", "Age"),)
    found = of(json.dumps({"properties": {"sex": {"title": "Sex", "oneOf": [{"const": 1, "title": "Male"}]}}}),
               "JSON Schema")  # fmt: skip
    assert found.described == (Described("sex", "Sex", labels=(("1", "Male"),)),)
    found = of(json.dumps({"age": "Age", "sex": {"label": "Sex", "labels": {"1": "Male"}}}), "JSON dictionary")
    assert found.described == (Described("age", "Age"), Described("sex", "Sex", labels=(("1", "Male"),)))


def test_fhir_profiles_have_paths_and_the_codes_of_their_value_sets():
    elements = [
        {"path": "Patient", "short": "A person"},
        {"path": "Patient.gender", "short": "Sex", "binding": {"valueSet": "#sexes|1.0"}},
        {"path": "Patient.birthDate", "short": "The date of birth"},
    ]
    concepts = [{"code": "m", "display": "Male"}, {"code": "f", "display": "Female"}]
    found = of(
        json.dumps(
            {"resourceType": "StructureDefinition", "snapshot": {"element": elements},
             "contained": [{"resourceType": "ValueSet", "id": "sexes", "compose": {"include": {"concept": concepts}}}]}
        ),
        "FHIR StructureDefinition",
    )  # fmt: skip
    sex, birth = found.on(["gender", "birth_date"])
    assert sex == Described("gender", "Sex", labels=(("m", "Male"), ("f", "Female")))
    assert birth == Described("birth_date", "The date of birth")


def test_programs_of_spss_stata_and_sas_name_columns_and_codes():
    spss = of(
        "variable labels age 'Person''s age' / sex \"Sex\".\nvalue labels sex q1 1 'Male' 2 'Female' / r 'N' 'North'.\n"
        "missing values sex (8, 9).\nvariable level age (scale).\n",
        "SPSS labels",
    )
    assert one(spss, "age") == Described("age", "Person's age", measure="scale")
    assert one(spss, "sex") == Described("sex", "Sex", labels=SEX, missing=("8", "9"))
    assert one(spss, "q1").labels == SEX and one(spss, "r").labels == (("N", "North"),)
    stata = of(
        'label variable age "Age"\nlabel define s 1 "Male", replace\nla de s 2 "Female", add\nlabel values sex q1 s\n',
        "Stata labels",
    )
    assert one(stata, "age").title == "Age" and one(stata, "sex").labels == one(stata, "q1").labels == SEX
    sas = of(
        "proc format; value sexf 1='Male' 2='Female'; value $r 'N'='North'; run;\n"
        "data a; set b; label age='Age' sex=\"Sex\"; format sex q1 sexf. r $r5.; run;\n",
        "SAS labels and formats",
    )
    assert one(sas, "age").title == "Age" and one(sas, "q1").labels == SEX and one(sas, "r").labels == (("N", "North"),)
    for written in ("SEXF", "sexf.", "SEXF8."):
        (known,) = sas.on(["x"], {"x": Described("x", format=written)})
        assert known.labels == SEX, "the file names the format"
    assert not sas.on(["x"], {"x": Described("x", format="BEST12.")}) and not sas.on(["x"])


def test_lines_of_text_and_the_labels_of_another_file(tmp_path):
    found = of("AGEP: Age of person\nSEX = Sex\nPUMA\tArea\n", "Lines of text")
    assert [(each.name, each.title) for each in found.described] == [
        ("AGEP", "Age of person"), ("SEX", "Sex"), ("PUMA", "Area"),
    ]  # fmt: skip
    path = tmp_path / "a.sav"
    pyreadstat.write_sav(
        pd.DataFrame({"s": [1.0, 2.0]}), str(path), column_labels=["Sex"],
        variable_value_labels={"s": {1: "Male", 2: "Female"}},
    )  # fmt: skip
    assert read_dictionary(path.read_bytes()).described[0].labels == SEX


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (b"", "empty"), (b"hello", "No names of columns"), (b"a,b\n1,2\n", "No names of columns"),
        (b"{}", "describes no columns"), (b"[1]", "describes no columns"), (b'{"a":', "damaged or cut off"),
        (b"<a/>", "no variables of a DDI"), (b"<a", "damaged or cut off"), (b"%PDF-1.4 x", "PDF"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "entities"), (b"[" * 100_000, "nested too deeply"),
        (b'{"a": "\xff"}', "UTF-8"), (b"x" * 31_000_000, "MB"),
        (bytes(12) + bytes.fromhex("c2ea8163b31411cfbd92080009c7318c181f1011") + bytes(99), "SAS catalog is damaged"),
    ],
)  # fmt: skip
def test_what_is_no_dictionary_says_so(given, says):
    with pytest.raises(InputError) as error:
        read_dictionary(given)
    assert says in str(error.value)


@given(st.lists(st.tuples(st.from_regex(r"[A-Za-z0-9]{1,4}", fullmatch=True),
                          st.from_regex(r"[A-Za-z][a-z ]{0,8}[a-z]", fullmatch=True)),
                min_size=2, max_size=6, unique_by=lambda pair: pair[0]),
       st.sampled_from(["|", "\n", ";"]), st.sampled_from(["=", " = ", ": ", ", ", " - "]))  # fmt: skip
@settings(max_examples=150, deadline=None)
def test_lists_of_choices_are_read_as_they_are_written(pairs, between, within):
    written = between.join(f"{code}{within}{label}" for code, label in pairs)
    assert choices(written) == tuple((code, " ".join(label.split())) for code, label in pairs)


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_a_dictionary_or_a_sentence(given):
    try:
        found = read_dictionary(given)
    except InputError:
        return
    assert all(each.name and isinstance(each.title, str) for each in found.described)
    assert np.isfinite(len(found.on(["a"])))


@pytest.mark.parametrize("none", ["NA", "n/a", "None", "-", "", "not applicable"])
def test_a_unit_that_says_there_is_none_is_none(none: str) -> None:
    table = f"variable,label,units\nage,Age at visit,years\nclinic,Clinic,{none}\n".encode()
    assert {each.name: each.in_words for each in read_dictionary(table).described} == {
        "age": "Age at visit, years", "clinic": "Clinic",
    }  # fmt: skip
    fields = {"fields": [{"name": "clinic", "title": "Clinic", "unit": none}, {"name": "age", "title": "Age"}]}
    assert read_dictionary(json.dumps(fields).encode()).described[0].in_words == "Clinic"


@pytest.mark.parametrize(
    "headings",
    [
        "variable,label,code,meaning",
        "name,label,code,value_label",
        "variable,description,code,label",
        "variable,label,code,value",
    ],
)
def test_a_text_for_all_codes_of_a_column_is_its_title(headings: str) -> None:
    rows = ["grp,Age group,18,90-94", "grp,Age group,19,95+", "sex,Sex,1,female", "ward,Ward of stay,,"]
    dictionary = of("\n".join([headings, *rows]), "Table (Delimited text (CSV))")
    assert one(dictionary, "grp") == Described("grp", "Age group", labels=(("18", "90-94"), ("19", "95+")))
    assert one(dictionary, "ward").title == "Ward of stay"


def test_headings_behind_another_word_are_found() -> None:
    table = (
        b"clean_variable_name,raw_variable_name,description,clean_categorical_values\n"
        b"sexe,Sexe du patient,Sexe du cas,f || h\n"
    )
    (described,) = read_dictionary(table).described
    assert (described.name, described.title) == ("sexe", "Sexe du cas")
    plain = read_dictionary(b"variable,display variable name,label\nage,Shown,Age\n").described
    assert plain[0].name == "age", "a heading that is one comes first"


AWKWARD: dict[str, Callable[[int], str]] = {
    "empty lines": lambda n: "x" + "\n" * n,
    "comments without an end": lambda n: "/*" * (n // 2),
    "blanks before a star": lambda n: " \n" * (n // 2) + "*x",
    "SPSS without an end": lambda n: "variable labels x 'y'\n" * (n // 22),
    "SPSS with a quote that stays open": lambda n: "value labels x 1 \n" * (n // 18) + '"',
    "SAS lists without an end": lambda n: "value x 1='a' " * (n // 14),
    "SAS lists with a bracket that stays open": lambda n: "value x (" * (n // 9),
    "SAS lists without labels": lambda n: "value x " + "1, " * (n // 3) + ";",
    "SAS labels without an end": lambda n: "label a='b' " * (n // 12),
    "SAS labels that are none": lambda n: "label " + "a='b' " * (n // 6) + "c;",
    "SAS formats without an end": lambda n: "format a " * (n // 9),
    "SAS formats of nothing": lambda n: "value f 1='a'; format a b." + " a" * (n // 2) + ";",
    "Stata labels with quotes that stay open": lambda n: "label define x 1 'a\n" * (n // 19),
    "quotes": lambda n: "'\"" * (n // 2),
    "blanks in a list": lambda n: "a=b" + " " * n + "x=1",
    "blanks in a part of a list": lambda n: "1=b" + " " * n + "x|2=c",
    "tabs in a part of a list": lambda n: "1=b" + " \t" * (n // 2) + "x|2=c",
    "blanks in a line": lambda n: "a" + " " * n + "b",
}


@pytest.mark.parametrize("text", AWKWARD.values(), ids=AWKWARD.keys())
def test_twice_the_text_takes_no_more_than_twice_the_steps(text: Callable[[int], str]) -> None:
    def steps(n: int) -> int:
        with counted_in(syntax, sys.modules[choices.__module__], tables) as taken:
            syntax.of_program(text(n))
            choices(text(n))
            tables.of_lines(text(n))
        return taken[0]

    assert steps(1_600) <= 2.2 * steps(800) + 500


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("value labels sex 1 'Male'\n 2 'Female' /* of all */\nvariable labels age 'Age'.", "sex", SEX),
        ("* value labels sex 1 'No'.\nvalue labels sex 1 'Male' 2 'Female'", "sex", SEX),
        ("value labels sex 1 'Male' 2 'Female'.\nvariable labels q \"don't\".", "sex", SEX),
        ("title John's data;\nproc format; value s 1 = 'Male' 2 = 'Female'; format sex s.;", "sex", SEX),
        ("proc format; value s (default=9) 1,3='Male' 2='Female'; data; format age 8. sex s1.;", "sex",
         (("1", "Male"), ("3", "Male"), ("2", "Female"))),
        ("label define s ///\n 1 \"Male\" 2 \"Female\"\n  label values sex s", "sex", SEX),
    ],
)  # fmt: skip
def test_commands_end_where_the_next_begins(text: str, name: str, expected: tuple[tuple[str, str], ...]) -> None:
    assert one(read_dictionary(text.encode()), name).labels == expected


DDI = (
    '<?xml version="1.0" encoding="UTF-16"?><codeBook><dataDscr><var name="sex"><labl>Geschlecht ♀</labl></var>'
    "</dataDscr></codeBook>"
)


@pytest.mark.parametrize("order", ["utf-16", "utf-16-le", "utf-16-be"])
def test_documents_in_utf_16_are_read_and_held_against_the_same_rules(order: str) -> None:
    found = read_dictionary(DDI.encode(order))
    assert found.form == "DDI Codebook" and one(found, "sex").title == "Geschlecht ♀"
    assert one(read_dictionary('{"sex": "Geschlecht ♀"}'.encode(order)), "sex").title == "Geschlecht ♀"
    with pytest.raises(InputError) as error:
        read_dictionary('<!DOCTYPE a [<!ENTITY b "c">]><codeBook><var name="a"/>&b;</codeBook>'.encode(order))
    assert error.value.code == "file-declares-entities"
    with pytest.raises(InputError):
        read_dictionary(DDI.encode(order)[:-1])


def test_a_dictionary_in_utf_32_is_a_sentence() -> None:
    with pytest.raises(InputError, match="UTF-32"):
        read_dictionary(DDI.encode("utf-32"))


DOCUMENTS = (
    {"fields": [{"name": "a", "title": "A", "categories": [{"value": 1, "label": "x"}], "missingValues": ["9"]}],
     "missingValues": ["-1"]},
    {"columns": [{"name": "a", "titles": ["A"], "dc:description": "d"}]},
    {"recordSet": [{"field": [{"name": "a", "source": {"extract": {"column": "a"}}}]}]},
    {"properties": {"a": {"title": "A", "unit": "kg", "oneOf": [{"const": 1, "title": "x"}]}}},
    {"entry": [{"resourceType": "StructureDefinition", "snapshot": {"element": [
        {"path": "P.a", "short": "s", "binding": {"valueSet": "u|1"}}]}},
     {"resourceType": "ValueSet", "url": "u", "expansion": {"contains": [{"code": "c", "display": "d"}]}}]},
    {"a": {"title": "A", "unit": "kg", "labels": {"1": "x"}, "missing": ["9"]}, "b": "text"},
    [{"field_name": "a", "field_label": "A", "select_choices_or_calculations": "1, x | 2, y", "field_type": "radio"}],
)  # fmt: skip
STRANGE = (None, 5, 1.5, True, "", [], {}, [[]], [5], {"a": 5}, [{"a": [5]}], {"value": [1]}, ["", {"value": {}}])


@pytest.mark.parametrize("document", DOCUMENTS)
def test_any_part_of_a_document_may_be_of_another_form_than_it_should(document: object) -> None:
    for place in _places(document):
        for strange in STRANGE:
            try:
                read_dictionary(json.dumps(_with(document, place, strange)).encode())
            except InputError:
                continue


def _places(document: object) -> Iterator[tuple[Any, ...]]:
    yield ()
    listed = document if isinstance(document, list) else []
    for key, part in document.items() if isinstance(document, dict) else enumerate(listed):
        yield from ((key, *place) for place in _places(part))


def _with(document: Any, place: tuple[Any, ...], part: object) -> Any:
    if not place:
        return part
    changed = dict(document) if isinstance(document, dict) else list(document)
    changed[place[0]] = _with(document[place[0]], place[1:], part)
    return changed


@pytest.mark.parametrize(("given", "codes"), [(5, ("5",)), ("x", ("x",)), (["", 9, None], ("9",)), (True, ())])
def test_codes_of_missing_values_may_be_a_single_one(given: object, codes: tuple[str, ...]) -> None:
    document = {"fields": [{"name": "a", "title": "A"}], "missingValues": given}
    assert one(read_dictionary(json.dumps(document).encode()), "a").missing == codes
