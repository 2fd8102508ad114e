"""FHIR bulk exports: what is read of a resource and what never is, lines over several files, lines that are broken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from anonlib.basics.errors import InputError
from anonlib.columns.codes import recognised
from anonlib.columns.identifiers import kind_of_name
from anonlib.columns.roles import suggest_roles
from anonlib.reading.records import FrameRecords
from anonlib.reading.tables import NamedTable, link, open_tables
from anonlib.reading.tables.fhir import RESOURCES
from anonlib.reading.tables.fhir.fields import reference

FHIR = Path(__file__).resolve().parents[4].parent / "shared" / "data" / "fhir"
CORE = "http://hl7.org/fhir/us/core/StructureDefinition/"


def lines(*resources: dict[str, Any]) -> bytes:
    return ("\n".join(json.dumps(each) for each in resources) + "\n").encode()


def rows(table: NamedTable) -> list[dict[str, str]]:
    frame = table.records.head(1_000).astype(object)
    return [{key: value for key, value in row.items() if isinstance(value, str)} for row in frame.to_dict("records")]


def only(*resources: dict[str, Any]) -> NamedTable:
    (table,) = open_tables([("x.ndjson", lines(*resources))])
    return table


def patient(name: str, **others: Any) -> dict[str, Any]:
    return {"resourceType": "Patient", "id": name, **others}


def concept(code: str, system: str = "http://snomed.info/sct", display: str | None = None) -> dict[str, Any]:
    return {"coding": [{"system": system, "code": code} | ({"display": display} if display else {})]}


PATIENT: dict[str, Any] = {
    "resourceType": "Patient",
    "id": "p1",
    "text": {"status": "generated", "div": "<div>Narrative about Ann</div>"},
    "extension": [
        {"url": CORE + "us-core-race", "extension": [
            {"url": "ombCategory", "valueCoding": {"code": "2106-3", "display": "White"}},
            {"url": "ombCategory", "valueCoding": {"code": "2028-9", "display": "Asian"}},
            {"url": "text", "valueString": "Mixed"}]},
        {"url": CORE + "us-core-ethnicity", "extension": [{"url": "text", "valueString": "Not Hispanic"}]},
        {"url": CORE + "us-core-birthsex", "valueCode": "F"},
        {"url": "http://hl7.org/fhir/StructureDefinition/patient-mothersMaidenName", "valueString": "Mum"},
        {"url": "http://hl7.org/fhir/StructureDefinition/patient-birthPlace", "valueAddress": {"city": "Ulm"}},
    ],
    "identifier": [
        {"system": "urn:x", "value": "p1"},
        {"type": concept("MR", "http://terminology.hl7.org/CodeSystem/v2-0203"), "value": "007"},
        {"system": "http://hl7.org/fhir/sid/us-ssn", "value": "999-11-2222"},
        {"type": concept("DL"), "value": "D7"}, {"type": concept("PPN"), "value": "X8"},
        {"system": "urn:y", "value": "other-9"},
    ],
    "name": [{"use": "maiden", "family": "Born"}, {"use": "official", "family": "Doe", "given": ["Ann", "Bea"]}],
    "telecom": [{"system": "email", "value": "a@b.org"}, {"system": "phone", "value": "555"}],
    "gender": "female",
    "birthDate": "1970-02-03",
    "deceasedDateTime": "2020-05-06T07:08:09+01:00",
    "address": [
        {"use": "old", "city": "Elsewhere"},
        {"use": "home", "line": ["1 Road", "Flat 2"], "city": "Emporia", "district": "Lyon", "state": "KS",
         "postalCode": "01234", "country": "US", "extension": [
            {"url": "http://hl7.org/fhir/StructureDefinition/geolocation", "extension": [
                {"url": "latitude", "valueDecimal": 38.370}, {"url": "longitude", "valueDecimal": -96.1}]}]},
    ],
    "maritalStatus": {"text": "Married"},
    "multipleBirthInteger": 2,
    "communication": [{"language": concept("en", "urn:ietf:bcp:47", "English")}],
}  # fmt: skip


def test_a_person_is_read_without_the_narrative():
    table = only(PATIENT)
    assert rows(table) == [
        {
            "patient_id": "p1", "medical_record_number": "007", "social_security_number": "999-11-2222",
            "driver_license_number": "D7", "passport_number": "X8", "other_identifier": "other-9",
            "family_name": "Doe", "given_name": "Ann Bea", "maiden_name": "Born", "mothers_maiden_name": "Mum",
            "phone": "555", "email": "a@b.org", "gender": "female", "birth_sex": "F", "birth_date": "1970-02-03",
            "birth_place": "Ulm", "deceased": "true", "death_date": "2020-05-06T07:08:09+01:00",
            "race": "White; Asian", "ethnicity": "Not Hispanic", "language": "English", "marital_status": "Married",
            "multiple_birth": "2", "street": "1 Road, Flat 2", "city": "Emporia", "district": "Lyon", "state": "KS",
            "postal_code": "01234", "country": "US", "latitude": "38.37", "longitude": "-96.1",
        }
    ]  # fmt: skip
    assert table.name == "Patient" and table.source is not None
    assert "Narrative" not in repr(table.source.frame.to_dict())


def test_what_names_a_person_is_recognised_as_that():
    for field in RESOURCES["Patient"]:
        kind = kind_of_name(field.column)
        if field.identifies:
            assert kind is not None and kind.group in ("identifier", "person", "code"), field.column
    described = {each.name: each for each in only(PATIENT).source.reading.described}  # type: ignore[union-attr]
    assert described["family_name"].identifies and not described["patient_id"].identifies
    assert described["birth_date"].title == "Birth date (FHIR)"


def test_a_title_makes_no_identifier_of_a_state():
    """As the path of the element did, which has “address” in it."""
    states = ["MA", "NH", "NY", "VT"] * 10
    source = only(*(patient(f"{i}", address=[{"state": state}]) for i, state in enumerate(states))).source
    described = {each.name: each for each in source.reading.described}
    suggested = {each.column: each.role for each in suggest_roles(FrameRecords(source.frame), described)}
    assert suggested["state"] == "quasi_identifier"


SUBJECT, VISIT = {"reference": "Patient/p1"}, {"reference": "Encounter/e1"}
CASES: list[tuple[dict[str, Any], dict[str, str]]] = [
    (
        {
            "resourceType": "Encounter", "id": "e1", "status": "finished", "class": {"code": "AMB"}, "subject": SUBJECT,
            "type": [concept("185", display="Check"), concept("186")],
            "period": {"start": "2020-01-02T03:04:05Z", "end": "2020-01-02T04:00:00Z"},
            "reasonCode": [concept("44", display="Pain")], "serviceProvider": {"display": "HOUSE"},
            "location": [{"location": {"display": "WARD"}}],
            "hospitalization": {"dischargeDisposition": {"text": "Home"}, "admitSource": concept("emd")},
            "participant": [{"individual": {"reference": "Practitioner?identifier=npi|99", "display": "Dr. X"}}],
        },
        {
            "encounter_id": "e1", "patient_id": "p1", "status": "finished", "encounter_class": "AMB", "type": "185",
            "type_display": "Check", "type_system": "SNOMED CT", "start_date": "2020-01-02T03:04:05Z",
            "end_date": "2020-01-02T04:00:00Z", "reason": "44", "reason_display": "Pain", "reason_system": "SNOMED CT",
            "discharge_disposition": "Home", "facility": "HOUSE", "care_site": "WARD", "practitioner_id": "99",
        },
    ),
    (  # R5
        {
            "resourceType": "Encounter", "id": "e1", "class": [concept("IMP")], "subject": SUBJECT,
            "actualPeriod": {"start": "2020"}, "reason": [{"value": [{"concept": concept("44")}]}],
            "admission": {"admitSource": {"text": "Referral"}},
        },
        {
            "encounter_id": "e1", "patient_id": "p1", "encounter_class": "IMP", "start_date": "2020", "reason": "44",
            "reason_system": "SNOMED CT", "admit_source": "Referral",
        },
    ),
    (
        {
            "resourceType": "Condition", "id": "c1", "subject": SUBJECT, "encounter": VISIT,
            "note": [{"text": "secret"}], "clinicalStatus": concept("active"),
            "category": [concept("encounter-diagnosis")],
            "code": {"coding": [{"system": "http://snomed.info/sct", "code": "91302008", "display": "Sepsis"},
                                {"system": "http://hl7.org/fhir/sid/icd-10-cm", "code": "A41.9"},
                                {"system": "urn:oid:1.2.3", "code": "z"}]},
            "onsetAge": {"value": 44, "unit": "a"}, "abatementDateTime": "2021-01", "recordedDate": "2020-12-31",
        },
        {
            "condition_id": "c1", "patient_id": "p1", "encounter_id": "e1", "clinical_status": "active",
            "category": "encounter-diagnosis", "code": "91302008", "code_display": "Sepsis", "code_system": "SNOMED CT",
            "age_at_onset": "44", "abatement_date": "2021-01", "recorded_date": "2020-12-31", "code_icd10cm": "A41.9",
            "code_123": "z",
        },
    ),
    (
        {
            "resourceType": "Procedure", "id": "r1", "status": "completed", "subject": SUBJECT, "encounter": VISIT,
            "code": {"text": "Stitches"}, "performedPeriod": {"start": "2020-01-01", "end": "2020-01-02"},
            "performer": [{"actor": {"display": "Dr. X"}}],
        },
        {
            "procedure_id": "r1", "patient_id": "p1", "encounter_id": "e1", "status": "completed",
            "code_display": "Stitches", "start_date": "2020-01-01", "end_date": "2020-01-02",
        },
    ),
    (
        {
            "resourceType": "Observation", "id": "o1", "status": "final", "subject": SUBJECT, "encounter": VISIT,
            "category": [concept("laboratory")], "code": concept("2951-2", "http://loinc.org", "Sodium"),
            "effectiveDateTime": "2020-01-02", "valueQuantity": {"value": 139.50, "unit": "mmol/L", "comparator": "<"},
            "interpretation": [concept("N")], "referenceRange": [{"low": {"value": 135}, "high": {"value": 145}}],
        },
        {
            "observation_id": "o1", "patient_id": "p1", "encounter_id": "e1", "status": "final",
            "category": "laboratory", "code": "2951-2", "code_display": "Sodium", "code_system": "LOINC",
            "effective_date": "2020-01-02",
            "value": "139.5", "unit": "mmol/L", "comparator": "<", "interpretation": "N", "reference_low": "135",
            "reference_high": "145",
        },
    ),
    (
        {
            "resourceType": "MedicationRequest", "id": "m1", "status": "active", "intent": "order", "subject": SUBJECT,
            "encounter": VISIT, "contained": [{"resourceType": "Medication", "id": "d", "code": concept("860975")}],
            "medicationReference": {"reference": "#d"}, "authoredOn": "2020-03-04",
            "dosageInstruction": [{"text": "as Ann likes", "route": {"text": "oral"},
                                   "doseAndRate": [{"doseQuantity": {"value": 2, "unit": "tablet"}}]}],
            "dispenseRequest": {"quantity": {"value": 30}, "numberOfRepeatsAllowed": 3},
        },
        {
            "medication_request_id": "m1", "patient_id": "p1", "encounter_id": "e1", "status": "active",
            "intent": "order", "code": "860975", "code_system": "SNOMED CT", "authored_date": "2020-03-04",
            "dose_value": "2", "dose_unit": "tablet", "route": "oral", "quantity": "30", "refills": "3",
        },
    ),
    (
        {
            "resourceType": "Immunization", "id": "i1", "status": "completed", "patient": SUBJECT, "encounter": VISIT,
            "vaccineCode": concept("140", "http://hl7.org/fhir/sid/cvx", "Influenza"), "primarySource": True,
            "occurrenceDateTime": "2020-10-11", "lotNumber": "L5", "site": {"text": "left arm"},
            "protocolApplied": [{"doseNumberPositiveInt": 1}],
        },
        {
            "immunization_id": "i1", "patient_id": "p1", "encounter_id": "e1", "status": "completed", "code": "140",
            "code_display": "Influenza", "code_system": "CVX", "occurrence_date": "2020-10-11", "lot_number": "L5",
            "site": "left arm", "dose_number": "1", "primary_source": "true",
        },
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("resource", "row"), CASES, ids=[f"{resource['resourceType']} {i}" for i, (resource, _) in enumerate(CASES)]
)
def test_each_resource_becomes_a_row_of_plain_columns(resource, row):
    """And of nothing else: neither of a note, nor of who performed it."""
    table = only(resource)
    assert rows(table) == [row] and table.name == resource["resourceType"]


@pytest.mark.parametrize(
    ("written", "kind", "found"),
    [
        ("Patient/7", "Patient", "7"), ("https://h/fhir/Patient/7/_history/2", "Patient", "7"),
        ("urn:uuid:7-8", "Patient", "7-8"),
        ("Patient?identifier=http://x|7", "Patient", "7"), ("Group/7", "Patient", None), ("#p", "Patient", None),
        ("7", "Patient", "7"), ("", "Patient", None), ("Practitioner/9", "", "9"), ("Patient/", "Patient", None),
    ],
)  # fmt: skip
def test_references_become_the_ids_that_they_name(written, kind, found):
    assert reference({"reference": written}, kind) == found


def test_codes_are_kept_so_that_their_system_is_recognised():
    codes = ["A41.9", "E11.9", "I10", "J18.9", "N39.0", "K35.80", "S72.001A", "Z23"]
    system = "http://hl7.org/fhir/sid/icd-10-cm"
    table = only(*({"resourceType": "Condition", "id": each, "code": concept(each, system)} for each in codes))
    found = recognised(list(table.records.values("code")), "code")
    assert found is not None and found.key.startswith("icd")
    assert table.records.values("code_system").tolist() == ["ICD-10-CM"]


def test_parts_of_an_observation_are_rows():
    pressure = {
        "resourceType": "Observation", "id": "o", "subject": SUBJECT, "code": concept("85354-9", "http://loinc.org"),
        "effectiveDateTime": "2020-01-01", "component": [
            {"code": concept("8480-6", "http://loinc.org"), "valueQuantity": {"value": 120, "unit": "mmHg"}},
            {"code": concept("8462-4", "http://loinc.org"), "valueQuantity": {"value": 80, "unit": "mmHg"}}],
    }  # fmt: skip
    table = only(pressure, pressure)
    found = [(row["observation_id"], row["effective_date"], row["code"], row["value"]) for row in rows(table)]
    assert found == [("o", "2020-01-01", "8480-6", "120"), ("o", "2020-01-01", "8462-4", "80")]
    notes = table.source.reading.notes  # type: ignore[union-attr]
    assert "Of 2 observations of several parts, each part is a row." in notes
    assert "Left out: 1 resource of an id that comes again; the latest one stays." in notes


def test_several_files_of_a_resource_are_one_table_and_the_latest_state_of_a_resource_stays():
    new, old = {"lastUpdated": "2024-05-01T00:00:00Z"}, {"lastUpdated": "2023-05-01T00:00:00Z"}
    files = [
        ("1-Patient.ndjson", lines(patient("a", gender="male", meta=new), patient("b", gender="female"))),
        ("2-Patient.ndjson", lines(patient("a", gender="other", meta=old), patient("b", gender="male"), patient("c"))),
    ]
    (table,) = open_tables(files)
    assert rows(table) == [
        {"patient_id": "a", "gender": "male"}, {"patient_id": "b", "gender": "male"}, {"patient_id": "c"}
    ]  # fmt: skip
    assert table.source is not None and table.source.name == "1-Patient.ndjson and 2-Patient.ndjson"
    assert table.source.reading.notes[1:] == (
        "Read from 2 files.", "Left out: 2 resources of an id that comes again; the latest one stays.",
    )  # fmt: skip
    assert table.digest != open_tables(files[:1])[0].digest


def test_resources_that_are_not_read_are_a_note_and_the_first_of_several_elements_is_read():
    device, team = {"resourceType": "Device"}, {"resourceType": "CareTeam"}
    table = only(CASES[0][0] | {"id": "e2"}, device, team, device)
    assert table.notes == ("Left out, since it is not read here: 2 kinds of resource: CareTeam (1) and Device (2).",)
    (note,) = [each for each in table.source.reading.notes if "several times" in each]  # type: ignore[union-attr]
    assert note == "Of elements that come several times in a resource, only the first is read: type (1)."
    with pytest.raises(InputError, match=r"No table was found. Left out, .* Device \(1\)"):
        only(device)


def test_a_bundle_over_many_lines_is_read():
    bundle = {"resourceType": "Bundle", "entry": [{"resource": patient("a")}, {"resource": patient("b")}, {}]}
    (table,) = open_tables([("x.json", json.dumps(bundle, indent=1).encode())])
    assert [row["patient_id"] for row in rows(table)] == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (
            lines(patient("a")) + b'{"resourceType": "Patient", "id": "Ann\n',
            "Line 2 of “P.ndjson” is not one whole JSON",
        ),
        (lines(patient("a")) + b"\n\n[1]\n", "Line 4 of “P.ndjson” is not one whole JSON"),
        (lines(patient("a")) + b'{"id": "Ann"}\n', "Line 2 of “P.ndjson” is no FHIR resource"),
        (b'{"resourceType": "Patient", "id": "Ann"', "Line 1 of “P.ndjson” is not one whole JSON"),
        (b'{"resourceType": "Patient", "id": "Ann\xff"}\n', "Line 1 of “P.ndjson” is not one whole JSON"),
    ],
)
def test_a_broken_line_is_named_by_file_and_line_without_its_content(content, sentence):
    with pytest.raises(InputError, match=sentence) as caught:
        open_tables([("folder/P.ndjson", content)])
    assert "Ann" not in str(caught.value)


@pytest.mark.parametrize("element", [None, [], "x", 5, {"coding": "x"}, [None], {"coding": [{"code": {}}]}, True])
@pytest.mark.parametrize("resource", RESOURCES)
def test_elements_of_another_form_than_they_should_have_are_missing(resource, element):
    names = {field.path.replace("[x]", "CodeableConcept").partition(".")[0] for field in RESOURCES[resource]} - {"id"}
    strange = dict.fromkeys(names, element) | {"resourceType": resource, "id": "1"}
    assert len(rows(only(strange))) == 1


@pytest.mark.parametrize("strange", [["Ann"], {"value": "Ann"}, True, []])
def test_an_id_that_is_no_text_is_refused_and_not_quoted(strange: object) -> None:
    of_bundle = {"resourceType": "Bundle", "entry": [{"resource": {"resourceType": "Patient", "id": strange}}]}
    for resource in ({"resourceType": "Patient", "id": strange}, of_bundle):
        with pytest.raises(InputError, match=r"Line 2 of “P\.ndjson” is no FHIR resource: its id") as caught:
            open_tables([("P.ndjson", lines(patient("a"), resource))])
        assert "Ann" not in str(caught.value)


@pytest.fixture(scope="module")
def synthetic() -> tuple[NamedTable, ...]:
    if not FHIR.is_dir():
        pytest.skip("no synthetic bulk data here")
    return open_tables([(path.name, path.read_bytes()) for path in sorted(FHIR.glob("*.ndjson"))])


def test_a_synthetic_export_is_read_line_by_line(synthetic):
    n_rows = {table.name: table.records.n_records for table in synthetic}
    ids: dict[str, set[str]] = {}
    subjects: dict[str, list[str]] = {}
    for path in FHIR.glob("*.ndjson"):
        for line in path.read_text(encoding="utf-8").splitlines():
            resource = json.loads(line)
            ids.setdefault(resource["resourceType"], set()).add(resource["id"])
            person = resource.get("subject") or resource.get("patient")
            if person:
                subjects.setdefault(resource["resourceType"], []).append(person["reference"].split("/")[1])
    assert n_rows == {name: len(each) for name, each in ids.items()}
    for table in synthetic:
        if table.name in subjects:
            assert sorted(table.source.frame["patient_id"].astype(str)) == sorted(subjects[table.name])


def test_a_synthetic_export_hangs_together(synthetic):
    linked = link(synthetic)
    assert linked.person_table == "Patient" and linked.notes == ()
    assert set(linked.person_columns.values()) == {"patient_id"} and len(linked.person_columns) == 5
    assert {(key.table, key.parent): key.inside for key in linked.keys} == {
        ("Encounter", "Patient"): 1.0, ("Condition", "Encounter"): 1.0, ("Procedure", "Encounter"): 1.0,
        ("Immunization", "Encounter"): 1.0,
    }  # fmt: skip
