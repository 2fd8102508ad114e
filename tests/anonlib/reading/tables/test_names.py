"""What names say of keys: ids of persons and of visits in many languages, and names that only look like ids."""

from __future__ import annotations

import pytest

from anonlib.reading.tables.names import evidence, is_defined, of_column, of_table

PERSONS = (
    "patient_id subject_id person_id medical_record_number Pat-ID PatNr Patientennummer PATIENT patientid id_patient "
    "numero_paciente id_paziente nr_pacjenta rinpersoon LopNr usubjid participant_no mrn member_id"
)
VISITS = (
    "encounter_id visit_occurrence_id hadm_id Fallnummer fall_id numero_sejour num_episodio opnamenummer id_ricovero "
    "nr_pobytu vtfid ENCOUNTER admission_number icustay_id csn besoksid atendimento_id"
)
NEITHER = (
    "mother_patient_id patient_name patient_age visit_type admission_date length_of_stay visits persons fall stay "
    "medical provider_id lab_id number_of_visits patient_count id row_number preceding_visit_occurrence_id age"
)


@pytest.mark.parametrize(
    ("names", "thing"), [(PERSONS, "person"), (VISITS, "visit"), (NEITHER, "")], ids=["persons", "visits", "neither"]
)
def test_ids_of_persons_and_visits(names, thing):
    found = {name: of_column(name).thing for name in names.split()}
    assert found == dict.fromkeys(names.split(), thing)


@pytest.mark.parametrize(
    ("name", "thing"),
    [
        ("patients", "person"), ("Patienten_2024", "person"), ("tbl_person", "person"), ("demographics", "person"),
        ("visits", "visit"), ("Fälle", "visit"), ("patient_visits", "visit"), ("Encounter", "visit"), ("labs", ""),
        ("patient_medication", ""), ("", ""), ("data", ""),
    ],
)  # fmt: skip
def test_tables_of_persons_and_visits(name, thing):
    assert of_table(name).thing == thing


@pytest.mark.parametrize(
    ("child", "parent", "table", "strength"),
    [
        ("visit_id", "visit_id", "x", 3), ("Visit-ID", "visit_id", "x", 3), ("visit_number", "visit_id", "x", 3),
        ("order_id", "id", "orders", 3), ("order", "id", "orders", 3), ("Pat_Nr", "Nr", "Patienten", 2),
        ("ENCOUNTER", "Id", "encounters", 3), ("hadm_id", "encounter_id", "x", 2), ("subject_id", "id", "patients", 2),
        ("id", "ID", "x", 1), ("record_id", "record_id", "x", 1),
        ("order_id", "id", "visits", 0), ("row", "row", "x", 0), ("number", "number", "x", 0), ("nr", "nr", "x", 0),
        ("patient_id", "row", "patients", 0), ("patient_id", "number", "patients", 0), ("age", "age", "x", 0),
        ("birth_date", "birth_date", "x", 0), ("patient_id", "visit_id", "visits", 0), ("zip", "id", "areas", 0),
        ("mother_patient_id", "patient_id", "patients", 0), ("icd_code", "code", "codes", 0),
    ],
)  # fmt: skip
def test_how_clearly_a_name_says_that_it_is_a_key(child, parent, table, strength):
    assert evidence(child, parent, table) == strength


def test_omop_defines_its_keys_and_no_others():
    person, visit = ("person", "person_id"), ("visit_occurrence", "visit_occurrence_id")
    assert is_defined("MEASUREMENT", "PERSON_ID", *person) is is_defined("cohort", "subject_id", *person) is True
    assert is_defined("measurement", "measurement_concept_id", "visit_detail", "visit_detail_concept_id") is False
    assert is_defined("visit_occurrence", "preceding_visit_occurrence_id", *visit) is False
    assert is_defined("labs", "person_id", *person) is None
