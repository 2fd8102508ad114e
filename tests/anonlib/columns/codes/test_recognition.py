"""Which system a column's codes are of: by its name, by its values, and what only looks like codes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy, masking, suggested_hierarchy
from anonlib.coarsening.recoding import CodeGroup
from anonlib.columns.codes import SYSTEMS, offered, recognised
from anonlib.columns.codes.recognition import HEALTH
from anonlib.columns.identifiers import KINDS
from anonlib.columns.roles import Role, suggest_roles
from anonlib.release.suggestions import suggested_recoding
from tests.helpers.codes import ATC, ICD_9, ICD_9_PROCEDURES, ICD_10, LOINC, SNOMED_CT, hospital
from tests.helpers.examples import settings

PCS = "0DTJ4ZZ 02703ZZ 3E0336Z 0SRC0J9 10D00Z1 B2111ZZ 5A1935Z".split()
OPS = "5-470.11 8-980.2 1-20a.3 5-820.00 3-200 8-930 9-401.22".split()
ICPC = "A04 K86 P76 R74 D01 L03 T90 K87 A97 S18".split()
CPT = "99213 99214 36415 93000 80053 71046 27447 00540 0042T J1885 G0008".split()


@pytest.mark.parametrize(
    ("name", "values", "key"),
    [
        ("diag_1", ICD_9, "icd-9-cm"), ("DX1", ICD_9, "icd-9-cm"), ("icd9_code", ICD_9, "icd-9-cm"),
        ("ICD9_DGNS_CD_1", [code.replace(".", "") for code in ICD_9 if len(code) > 3], "icd-9-cm"),
        ("Hauptdiagnose", ICD_10, "icd-10"), ("Diagnóstico", ICD_10, "icd-10"), ("x", ICD_10, "icd-10"),
        ("diag", [code.replace(".", "") for code in ICD_10], "icd-10"),
        ("diagnosis", ["250", "428"], "icd-9-cm"), ("diagnosis", ["I21", "J18"], "icd-10"),
        ("x", ATC, "atc"), ("atc", ["C09", "C10", "A02"], "atc"),
        ("dx", ["25000", "4019", "0389", "41401"], "icd-9-cm"), ("dx", ["25000", "4019", "V5789"], "icd-9-cm"),
        ("proc", ["3601", "4513", "0066"], "icd-9-cm-procedures"),
        ("procedure", ICD_9_PROCEDURES, "icd-9-cm-procedures"),
        ("icd9_proc_1", ICD_9_PROCEDURES, "icd-9-cm-procedures"),
        ("proc_1", PCS, "icd-10-pcs"), ("x", PCS, "icd-10-pcs"), ("x", OPS, "ops"), ("OPS-Code", OPS, "ops"),
        ("icpc_diagnosis", ICPC, "icpc-2"), ("cpt", CPT, "cpt"), ("HCPCS_CD_1", CPT, "cpt"),
        ("x", LOINC, "loinc"), ("x", SNOMED_CT, "snomed-ct"),
        ("diag_1", ["001-139", "240-279", "390-459", "V01-V91"], "icd-9-cm"),
    ],
)  # fmt: skip
def test_the_system_of_a_column_whatever_the_order_of_its_values(name, values, key):
    found = recognised(values, name)
    assert found is not None and found.key == key
    assert recognised(np.random.default_rng(1).permutation(values).tolist(), name) is found


FALSE_FRIENDS = [
    ("zip", ["02138", "10001", "37203", "60601", "94110"]),
    ("procedure_zip", ["02138", "10001", "37203", "60601", "94110"]),
    ("diagnosis_id", [str(n) for n in range(1, 5000, 3)]),
    ("diagnosis_key", [str(n) for n in range(100, 999, 3)]),
    ("diagnosis", [str(n) for n in range(1998, 2016)]),
    ("procedures", [str(n) for n in range(90, 400)]),
    ("diagnosis", ["1.0", "2.0", "3.0", "4.0"]),
    ("diagnosis", ["0.0", "1.0"]),
    ("procedures", ["1.0", "2.0", "3.0", "12.0"]),
    ("part", [f"{letter}{n}.{n % 10}" for letter in "ABCDEFGHIJKLMNOPQRST" for n in range(10, 99, 3)]),
    ("hash", [f"{n * 2654435761 % 16**7:07X}" for n in range(1, 200)]),
    ("room", [f"{letter}{n}" for letter in "ABCD" for n in range(10, 40)]),
    ("room", [f"{letter}{n}.{m}" for letter in "ABCD" for n in range(10, 30) for m in (1, 2)]),
    ("age", [str(n) for n in range(1, 100)]),
    ("age_at_diagnosis", [str(n) for n in range(1, 104)]),
    ("number_diagnoses", [str(n) for n in range(1, 17)]),
    ("num_procedures", [str(n) for n in range(7)]),
    ("diagnoses", [str(n) for n in range(1, 17)]),
    ("diagnosis_cost", [str(n) for n in range(101, 999, 7)]),
    ("diagnosis_year", [str(n) for n in range(1999, 2016)]),
    ("days_since_diagnosis", [str(n) for n in range(1, 900)]),
    ("count", [str(n) for n in range(100, 999, 3)]),
    ("patient_id", [str(n) for n in range(10_001, 10_400)]),
    ("record", [f"A{n}" for n in range(100, 400)]),
    ("diagnosis", ["flu", "asthma", "HIV", "diabetes"]),
    ("diabetes", ["0", "1"]),
    ("diagnosis", ["0", "1"]),
    ("dx_flag", ["1", "2"]),
    ("icd", ["0", "1"]),
    ("blood_type", ["A", "B", "AB", "0"]),
    ("blood_type", ["A", "B"]),
    ("diagnosis_group", ["A", "B", "C", "D"]),
    ("postcode", ["E11 9AB", "N17 8QQ", "SW1A 1AA", "M11 1AE"]),
    ("postcode", ["E11", "N17", "S10", "M11", "B12"]),
    ("diagnosis_drg", [str(n) for n in range(1, 999, 7)]),
    ("score", [f"{n / 10:.1f}" for n in range(10, 999)]),
    ("phone", ["555-1234", "555-2345", "555-3456", "555-4567", "555-5678"]),
    ("lot", [f"{n}-{n % 10}" for n in range(1000, 1400)]),
    ("account", [str(n) for n in range(100_000_000, 100_004_000, 7)]),
    ("plate", ["ABC123Z", "KLM456Z", "XYZ789Z"]),
    ("diag", []),
    ("diag", ["?"]),
]


@pytest.mark.parametrize(("name", "values"), FALSE_FRIENDS)
def test_what_only_looks_like_codes(name, values):
    assert recognised(values, name) not in HEALTH


@pytest.mark.parametrize("name", ["x", "zip", "age", "count", "score", "main"])
def test_numbers_of_icd_9_need_a_name(name):
    """``428`` and ``250.83`` may be anything."""
    assert recognised([code for code in ICD_9 if code[0].isdigit()], name) not in HEALTH


def test_years_in_which_the_system_changed():
    """Half of each: neither system has nine in ten values, so none is taken; both are offered."""
    both = ICD_9[:60] + ICD_10[:60]
    assert recognised(both, "diag_1") not in HEALTH
    assert {"icd-9-cm", "icd-10"} <= {system.key for system in offered(both, "diag_1")}
    assert recognised(ICD_9 + ICD_10[:5], "diag_1").key == "icd-9-cm", "few of the other are what stays as it is"


def health(values: list[str], name: str) -> list[str]:
    """The keys of the systems of health care that are offered."""
    return [system.key for system in offered(values, name) if system in HEALTH]


def test_systems_are_offered_where_half_of_the_values_fit_and_the_name_says_nothing_else():
    assert offered(ICD_9, "diag_1")[0].key == "icd-9-cm"
    numbers = [code for code in ICD_9 if code[0].isdigit()]
    assert "icd-9-cm" in [system.key for system in offered(numbers, "x")]
    assert health(numbers, "age") == [] and health(["02138", "10001"], "zip") == []
    assert health([str(n) for n in range(1, 100)], "x") == [], "numbers of two digits are hardly diagnoses"
    assert health(SNOMED_CT, "concept") == [], "without groups there is nothing to offer"
    assert offered([], "diag") == []
    assert health(numbers, "cholesterol") == [], "results are no diagnoses"
    assert health(["0", "1055", "2174", "10520"], "gain") == [] and health(["0.0", "1.0"], "flag") == []


@given(st.sets(st.text(max_size=8), max_size=30), st.text(max_size=12))
@settings(max_examples=100)
def test_any_column_is_one_systems_or_none(values, name):
    found = recognised(sorted(values), name)
    assert found is None or found.fits(sorted(values)).mean() >= 0.9
    assert found is None or not found.levels or offered(sorted(values), name)[0] is found


def test_the_suggested_hierarchy_has_the_systems_levels():
    levels = [level.level for level in suggested_hierarchy(ICD_9, None, "diag_1").recodings[:-1]]
    assert levels == ["categories", "blocks", "chapters"]
    for values in (LOINC, SNOMED_CT):
        assert suggested_hierarchy(values) == Hierarchy((EVERYTHING,)), "their digits mean nothing"


def test_a_first_recoding_of_codes():
    assert suggested_recoding(ICD_9, None, "diag_1") == CodeGroup("icd-9-cm", "chapters")
    assert suggested_recoding(ICD_9_PROCEDURES, None, "proc") == CodeGroup("icd-9-cm-procedures", "categories")
    assert suggested_recoding(SNOMED_CT) is None


def test_roles_of_columns_of_codes():
    found = {suggestion.column: suggestion for suggestion in suggest_roles(hospital())}
    coded = ("diag_1", "diag_2", "main", "drug_given", "procedure", "analyte", "concept")
    assert all(found[name].role is Role.SENSITIVE for name in coded)
    assert found["diag_1"].reasons[1] == "82 of 83 values are ICD-9-CM diagnosis codes."
    assert found["main"].reasons[0] == "All 64 values are ICD-10 diagnosis codes."
    assert found["concept"].reasons[0] == "All 10 values are SNOMED CT codes."
    assert not any("codes (" in reason for name in ("age", "sex") for reason in found[name].reasons)


def test_ids_that_are_codes_by_their_values():
    """A name such as “concept_id” says that it is a number of something, and the values say of what."""
    rows = hospital().rename(columns={"concept": "concept_id"})
    (found,) = (suggestion for suggestion in suggest_roles(rows) if suggestion.column == "concept_id")
    assert found.role is Role.SENSITIVE and "SNOMED CT" in found.reasons[0]


def test_every_system_says_what_kind_of_content_it_is_and_has_a_key_of_its_own():
    assert all(key == system.key for key, system in SYSTEMS.items())
    assert all(system.kind in KINDS for system in HEALTH)


@pytest.mark.parametrize("values", [["M", "F"], ["ON", "QC", "BC"], ["MA", "NY", "TX", "CA"], ["DE", "FR", "IT", "AT"]])
def test_labels_alone_are_not_offered_as_finer_codes(values):
    finer = {"us-zip", "ca-postcode", "uk-postcode", "nuts"}
    assert not finer & {system.key for system in offered(values, "place")}


def test_codes_of_which_no_level_merges_any_are_merged_where_they_are_rare():
    values, records = ["A01.0", "F32.9", "I21.4", "K35.8", "S72.0"], np.array([900, 500, 20, 18, 12])
    first, *_, top = suggested_hierarchy(values, records, "icd").recodings
    assert top == EVERYTHING
    assert first.labels(values).tolist() == ["A01.0", "F32.9", *["other"] * 3]


def test_zip_codes_of_several_states_become_states_and_those_of_one_lose_digits():
    several = suggested_hierarchy(["02138", "02139", "37201", "37934", "90210"], None, "zip").recodings[:-1]
    assert several == tuple(CodeGroup("us-zip", level) for level in ("four digits", "states"))
    assert suggested_hierarchy(["02138", "02139", "01841"], None, "zip") == masking(5)
