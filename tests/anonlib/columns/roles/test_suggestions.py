"""Suggested roles: what names say, what values look like, and how columns tell records apart."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.columns.identifiers import HIPAA_CLASSES, evidence_of_values, hipaa_class, kind_of_name, name_tokens
from anonlib.columns.roles import MAX_DEMOGRAPHICS, Role, Suggestion, rank_quasi_identifiers, suggest_roles
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.tables import text_frame

SHARED = Path(__file__).resolve().parents[4].parent / "shared" / "data"


def read(name: str) -> pd.DataFrame:
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"{name} is not at hand")
    frame = pd.read_csv(path, dtype=str, keep_default_na=False, na_values=["", "?"])
    return text_frame({column: frame[column] for column in frame})


def roles_of(frame: pd.DataFrame) -> dict[str, Role]:
    return {suggestion.column: suggestion.role for suggestion in suggest_roles(frame)}


def suggestion_for(values: list, name: str = "v17") -> Suggestion:
    return suggest_roles(text_frame({name: values}))[0]


# --- names -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("num_of_pregnancies", ("num", "pregnancies")),
        ("PatientName", ("patient", "name")),
        ("dateOfBirth", ("date", "birth")),
        ("PatientMRN", ("patient", "mrn")),
        ("Smokes (packs/year)", ("smokes", "packs", "year")),
        ("STDs:HIV", ("stds", "hiv")),
        ("address1", ("address", "1")),
        ("Körpergröße", ("korpergrosse",)),
        ("fecha.de.nacimiento", ("fecha", "nacimiento")),
        ("年齢", ()),
        ("", ()),
    ],
)
def test_words_of_a_name(name, tokens):
    assert name_tokens(name) == tokens


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("name", "name patient_name mothers_name PatientName last_name Nachname Prénom Apellidos achternaam full.name"),
        ("address", "street_address Address1 home_address Straße adresse dirección huisnummer"),
        ("postcode", "zip ZIPCode zip_code postcode PLZ Postleitzahl code_postal codigo_postal patient_zip"),
        ("city", "city county Wohnort ville municipio gemeente home_city"),
        ("birth_date", "dob DateOfBirth birthdate Geburtsdatum fecha_nacimiento birth_year"),
        (
            "event_date",
            "admission_date DischargeDate date test_date datum Aufnahmedatum date_of_death diagnosis_date consent_date",
        ),
        ("age", "age patient_age Alter edad leeftijd age_at_diagnosis age_group mother_age age_in_days"),
        ("phone", "phone PhoneNumber mobile Telefon numero_de_telephone telefono emergency_phone"),
        ("fax", "fax fax_number Telefax"),
        ("email", "email e-mail eMail email_address EmailAddress Adresse_mail correo_electronico"),
        ("ssn", "ssn SSN patient_ssn social_security_number Sozialversicherungsnummer DNI BSN"),
        ("mrn", "mrn medical_record_number patient_id PatientID patient_nbr Patientennummer patient NHS_number"),
        ("person", "subject_id USUBJID participant_id person_id"),
        ("health_plan", "health_plan_number member_id insurance_number policy_no Versichertennummer"),
        ("account", "account_number iban Kontonummer credit_card"),
        ("certificate", "driver_license license_number Führerschein permis_de_conduire"),
        ("vehicle", "vin license_plate Kennzeichen plate_number"),
        ("device", "device_id device_serial_number serial_no mac_address"),
        ("url", "url website homepage"),
        ("ip", "ip ip_address IPv4 client_ip"),
        ("biometric", "fingerprint voice_print biometric_id"),
        ("photo", "photo profile_picture Lichtbild"),
        ("identifier", "id encounter_id uuid barcode"),
        ("sex", "sex Gender Geschlecht sexe sexo geslacht"),
        ("race", "race ethnicity ethnic_group Ethnie raza is_hispanic"),
        ("religion", "religion Konfession"),
        ("nationality", "nationality native_country country_of_birth Staatsangehörigkeit pays"),
        ("language", "language Sprache langue idioma taal"),
        ("marital", "marital-status Familienstand estado_civil burgerlijke_staat"),
        ("education", "education education_num Bildung escolaridad"),
        ("occupation", "occupation Beruf profession beroep job_title"),
        ("income", "income household_income Einkommen"),
        ("relationship", "num_of_pregnancies number_of_children household_size"),
        ("body", "height weight_kg BMI Gewicht"),
        ("region", "city_size Gemeindegrösse taille_commune tamano_municipio degree_of_urbanisation"),
        ("housing", "number_of_rooms central_heating Wohnfläche type_logement regimen_tenencia stanze aantal_kamers"),
        ("workclass", "weekly_hours night_work Schichtarbeit type_contrat sector_publico umowa_o_prace arbetstid"),
        ("salary", "rent_arrears Mietschulden impayés fin_de_mes betalingsachterstand"),
        ("lifestyle", "units_alcohol portions_fruit Alkoholkonsum fume consumo_de_vino papierosy rokvanor"),
        ("beliefs", "trust_people left_right_scale Sonntagsfrage confiance fiducia zaufanie vertrouwen_mensen"),
        ("fieldwork", "interview_mode questionnaire_version Erhebungswelle mode_collecte duracion_entrevista"),
        ("diagnosis", "diagnosis Dx:Cancer icd10 diag_1 Krankheit diagnosis_code primary_diagnosis"),
        ("medication", "medication drug_name num_medications Medikamente"),
        (
            "result",
            "test_result lab_value HbA1c chol potassium resp_rate glu_mg_dl Herzfrequenz plaquettes trombocyter",
        ),
        ("hiv", "HIV STDs hiv_status"),
        ("outcome", "outcome readmitted"),
        ("disposition", "discharge_disposition_id DischargeDestination Entlassungsgrund destino_alta"),
        (
            "birth_date",
            "BRTHDTC birth_cohort decade_of_birth birth_m birth_d birth_quarter "
            "Geburtsquartal mes_nacimiento dzień_urodzenia",
        ),
        (
            "event_date",
            "year_of_surgery diagnosis_year YearOfDiagnosis onset_week dx_month Operationsjahr "
            "dia_internamento AESTDTC RFSTDTC mese_dimissione rok_operacji trimestre_entree "
            "season_of_admission epi_week day_of_year doy YYYYMM",
        ),
        ("event_time", "arrival_time admission_hour Uhrzeit heure hora_de_ingreso"),
        (
            "length_stay",
            "length_of_stay LOS los_days length_of_stay_days time_in_hospital DaysInHospital ICU_LOS Verweildauer "
            "durée_de_séjour dias_de_estancia ligduur",
        ),
        ("department", "department Dept ward_name medical_specialty Fachabteilung spécialité especialidad afdeling"),
        ("visit_type", "admission_type_id visit_type EncounterClass admission_source_id Aufnahmeart tipo_de_ingreso"),
        ("facility", "hospital facility_name provider_id Krankenhaus centre"),
        ("insurance", "insurance payer_code payer_type plan_type Krankenkasse"),
        ("salary", "salary Gehalt"),
        ("latitude", "lat latitude Breitengrad"),
        ("longitude", "lon lng Longitude"),
        ("area", "area census_tract LSOA area_id"),
        ("survey_weight", "fnlwgt sample_weight"),
        ("count", "count people n freq"),
        ("note", "notes clinical_note Bemerkungen"),
    ],
)
def test_kinds_by_name(kind, names):
    for name in names.split():
        found = kind_of_name(name)
        assert found is not None and found.key == kind, name


@pytest.mark.parametrize(
    "name",
    "page passage page_size number_of_phones has_fax email_verified phone_type hospital_name_length stage usage "
    "average message image_width length_of_stay time_in_hospital department hours_per_week capital_gain product_name "
    "years_since_surgery days_to_discharge gestational_week study_week weeks_of_treatment "
    "ward_name sextant tracer zipper disease_free_state_machine".split(),
)
def test_names_that_only_look_alike(name):
    found = kind_of_name(name)
    assert found is None or found.group not in ("identifier", "person", "demographic", "place", "date"), name


def test_eighteen_hipaa_classes():
    assert list(HIPAA_CLASSES) == list("ABCDEFGHIJKLMNOPQR")
    assert hipaa_class("B") == "(B) geographic subdivisions smaller than a state"
    assert hipaa_class(None) is None


@pytest.mark.parametrize(
    ("letter", "name"),
    [
        *zip(
            HIPAA_CLASSES,
            "patient_name zip admission_date phone fax email ssn mrn health_plan_number account_number license_number "
            "license_plate device_serial url ip_address fingerprint photo barcode".split(),
            strict=True,
        )
    ],
)
def test_class_of_each_of_the_eighteen(letter, name):
    suggested = suggestion_for([f"value {i}" for i in range(40)], name)
    assert suggested.hipaa_class == hipaa_class(letter)
    assert suggested.role in (Role.IDENTIFIER, Role.QUASI_IDENTIFIER)


# --- values, under a name that says nothing ----------------------------------------------------------------------

SHAPES = {
    "email": ("F", lambda i: f"person{i}@example{i % 7}.org"),
    "phone, North America": ("D", lambda i: f"({200 + i}) 555-{1000 + i}"),
    "phone, international": ("D", lambda i: f"+49 30 {1234567 + i}"),
    "phone, France": ("D", lambda i: f"01 23 45 67 {i:02d}"),
    "ssn": ("G", lambda i: f"{100 + i}-{10 + i % 80}-{1000 + i}"),
    "ip 4": ("O", lambda i: f"10.0.{i}.{255 - i}"),
    "ip 6": ("O", lambda i: f"2001:db8::{i:x}"),
    "url": ("N", lambda i: f"https://example.org/p/{i}"),
    "uuid": ("R", lambda i: f"123e4567-e89b-12d3-a456-{i:012x}"),
    "mac": ("M", lambda i: f"00:1a:2b:3c:4d:{i:02x}"),
    "vin": ("L", lambda i: f"1HGCM8263{i % 10}A{100000 + i}"),
    "card": ("J", lambda i: f"4111 1111 1111 {1000 + i}"),
    "record number": ("R", lambda i: f"MRN-{700000 + 13 * i}"),
    "long number": ("R", lambda i: str(48201000 + 7919 * i)),
    "row number": ("R", lambda i: str(i + 1)),
    "street address": ("B", lambda i: f"{i + 1} Old Mill Road"),
    "person name": ("A", lambda i: f"{chr(65 + i % 26)}nna {chr(65 + i // 26)}mithson{'abcdefghij'[i % 10]}"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_identifiers_by_content_and_no_reason_quotes_a_value(shape):
    letter, write = SHAPES[shape]
    values = [write(i) for i in range(60)]
    suggested = suggestion_for(values)
    assert (suggested.role, suggested.hipaa_class) == (Role.IDENTIFIER, hipaa_class(letter))
    assert not any(value in " ".join(suggested.reasons) for value in values if len(value) > 4)


@pytest.mark.parametrize(
    ("role", "letter", "write"),
    [
        (Role.QUASI_IDENTIFIER, "C", lambda i: f"2019-{i % 12 + 1:02d}-{i % 28 + 1:02d}"),
        (Role.QUASI_IDENTIFIER, "C", lambda i: f"{i % 28 + 1}.{i % 12 + 1}.2019"),
        (Role.QUASI_IDENTIFIER, "C", lambda i: f"2019-03-01 {i % 24:02d}:{i:02d}"),
        (Role.QUASI_IDENTIFIER, "C", lambda i: f"2019{i % 12 + 1:02d}{i % 28 + 1:02d}"),
        (Role.QUASI_IDENTIFIER, "C", lambda i: f"{2000 + i}-Q{i % 4 + 1}"),
        (Role.QUASI_IDENTIFIER, "C", lambda i: f"{['Jan-Mar', 'Apr-Jun'][i % 2]} {2000 + i}"),
        (Role.QUASI_IDENTIFIER, "B", lambda i: f"{210 * i + 501:05d}"),  # leading zeros
        (Role.QUASI_IDENTIFIER, "B", lambda i: f"SW{i % 9 + 1}A {i % 10}AB"),
        (Role.QUASI_IDENTIFIER, "B", lambda i: f"K{i % 10}A {i // 10}B{i % 7}"),
        (Role.PLACE, "B", lambda i: f"52.{5000 + i}, 13.{4000 + i}"),
        (Role.SENSITIVE, None, lambda i: f"{'ABCEF'[i % 5]}{10 + i % 30}.{i % 10}"),
        (Role.QUASI_IDENTIFIER, None, lambda i: ["M", "F", "unknown"][i % 3]),
        (Role.QUASI_IDENTIFIER, None, lambda i: ["married", "widowed", "single"][i % 3]),
        (Role.QUASI_IDENTIFIER, None, lambda i: ["White", "Black", "Asian", "Other"][i % 4]),
        (Role.OTHER, None, lambda i: f"{i * 0.3711 - 4:.4f}"),  # a measurement
        (Role.OTHER, None, lambda i: str(30000 + 313 * i)),  # an amount: five digits, none with a leading zero
        (Role.OTHER, None, lambda i: str(i % 7)),
        (Role.OTHER, None, lambda i: ["New York", "Los Angeles", "San Diego"][i % 3]),
        (Role.OTHER, None, lambda i: "the same"),
    ],
)
def test_other_roles_by_content(role, letter, write):
    suggested = suggestion_for([write(i) for i in range(60)])
    assert (suggested.role, suggested.hipaa_class) == (role, hipaa_class(letter))


def test_iban_by_its_check_digits():
    # The examples of the ISO 13616 registry.
    ibans = ["DE89370400440532013000", "GB29 NWBK 6016 1331 9268 19", "FR1420041010050500013M02606"]
    assert evidence_of_values(ibans).kind.hipaa == "J"
    wrong = [iban[:-1] + ("1" if iban[-1] != "1" else "2") for iban in ibans]
    found = evidence_of_values(wrong).kind
    assert found is None or found.hipaa != "J"


def test_mixed_contacts_identify_together():
    values = [f"a{i}@example.org" if i % 2 else f"212-555-{1000 + i}" for i in range(50)]
    assert suggestion_for(values).role is Role.IDENTIFIER


def test_a_few_stray_identifiers_are_pointed_out():
    suggested = suggestion_for(["kept at home"] * 50 + ["moved"] * 20 + ["a.b@example.org"] * 2 + ["left"] * 5)
    assert suggested.role is Role.OTHER
    assert any("e-mail" in reason for reason in suggested.reasons)


def test_free_text_is_an_identifier_with_a_warning():
    notes = [f"Seen on ward {i}, wife called back from 212-555-{1000 + i} about the second visit" for i in range(40)]
    suggested = suggestion_for(notes)
    assert suggested.role is Role.IDENTIFIER
    assert suggested.reasons[0] == "40 of 40 texts hold telephone numbers."


def test_a_sensitive_name_keeps_its_role_and_says_what_its_texts_hold():
    notes = [f"Seen by Dr. Garcia on ward {i}, wife of the patient called back about it" for i in range(40)]
    (suggested,) = suggest_roles(text_frame({"diagnosis": notes}))
    assert suggested.role is Role.SENSITIVE and "40 of 40 texts hold names." in suggested.reasons


# --- names and values together --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "write", "role"),
    [
        ("patient_id", lambda i: f"P{i // 3:05d}", Role.PERSON_ID),
        ("patient_id", lambda i: f"P{i:05d}", Role.IDENTIFIER),
        ("patient_uuid_patient_id", lambda i: f"123e4567-e89b-12d3-a456-{i // 2:012x}", Role.PERSON_ID),
        ("specimen_type_id", lambda i: str(i % 8), Role.OTHER),  # a list of codes
        ("email", lambda i: ["yes", "no"][i % 2], Role.OTHER),
        ("photo", lambda i: str(i % 2), Role.OTHER),
        ("last_name", lambda i: "Smith", Role.IDENTIFIER),
        ("lat", lambda i: f"{40 + i / 97:.4f}", Role.PLACE),
    ],
)
def test_names_and_values_decide_together(name, write, role):
    assert suggestion_for([write(i) for i in range(400)], name).role is role


def test_one_person_id_at_most_the_medical_record_number_first():
    rows = range(90)
    frame = text_frame({"subject_id": [f"S{i // 3}" for i in rows], "mrn": [f"{i // 3:07d}" for i in rows]})
    assert roles_of(frame) == {"subject_id": Role.IDENTIFIER, "mrn": Role.PERSON_ID}
    assert roles_of(frame[["mrn", "subject_id"]]) == {"subject_id": Role.IDENTIFIER, "mrn": Role.PERSON_ID}


@pytest.mark.parametrize("name", ["ssn", "key", "social security number"])
@pytest.mark.parametrize("between", ["-", " "])
def test_a_social_security_number_that_repeats_says_whose_row_it_is(name, between):
    numbers = [between.join(("219", f"{i:02}", f"{1000 + 7 * i}")) for i in range(1, 21)]
    assert suggestion_for(numbers * 3, name).role is Role.PERSON_ID
    assert suggestion_for(numbers, name).role is Role.IDENTIFIER
    both = pd.DataFrame({name: numbers * 3, "mrn": [f"M{i}" for i in range(20)] * 3})
    assert roles_of(both) == {name: Role.IDENTIFIER, "mrn": Role.PERSON_ID}


def test_health_plan_numbers_with_blanks_say_whose_row_it_is():
    numbers = ["A 123 456 780", "B 123 456 782", "C 123 456 784", "D 123 456 786", "E 123 456 788"] * 20
    assert suggestion_for(numbers, "kvnr").role is Role.PERSON_ID


def test_of_a_case_and_a_patient_that_both_repeat_the_patient_is_the_person():
    rows = [(f"F{case:03}", f"{900_000 + case // 3}") for case in range(60) for _ in range(2)]
    assert roles_of(pd.DataFrame(rows, columns=["Fallnummer", "PID"])) == {
        "Fallnummer": Role.IDENTIFIER,
        "PID": Role.PERSON_ID,
    }


@pytest.mark.parametrize("write", [
    lambda i: f"47{i % 300 // 4:03d}{i % 300:06d}{1 + i % 300 % 4}",  # census block groups of one state
    lambda i: f"{1 + i % 300 % 56}001{i % 300:06d}1",  # of several, zeros in front lost
    lambda i: f"{35_010_000 + i % 400}",  # dissemination areas
    lambda i: f"E0{1_000_000 + 13 * (i % 400)}",  # output areas
    lambda i: f"{i % 300:06d}",  # tracts
])  # fmt: skip
@pytest.mark.parametrize("name", ["unit", "bg", "grp id"])
def test_codes_of_small_areas_are_places_by_their_values(write, name):
    """A hospital's column of block groups, twenty records each and no telling name, tells nearly all pairs apart."""
    suggested = suggestion_for([write(i) for i in range(6_000)], name)
    assert suggested.role is Role.PLACE and suggested.hipaa_class == hipaa_class("B")
    assert "pairs of records apart" in suggested.reasons[0] and "where somebody lives" in suggested.asked


@pytest.mark.parametrize("write", [
    lambda i: f"{10_000 + 37 * (i % 400)}",  # amounts
    lambda i: f"{150_000 + 101 * (i % 400)}",  # platelets
    lambda i: f"{(i % 400) / 7:.6f}",
    lambda i: f"{i % 400}",
    lambda i: f"K{i % 400:03d}",
    lambda i: f"{47_000_000_000 + i % 8}",  # few values
    lambda i: f"{12_345_678 + (i % 200 if i < 400 else 0)}",  # nearly all alike
])  # fmt: skip
def test_measurements_and_short_codes_are_no_places(write):
    assert suggestion_for([write(i) for i in range(6_000)]).role is Role.OTHER


def test_weights():
    counts = [str(i % 9 + 1) for i in range(60)]
    assert suggestion_for(counts, "people").role is Role.WEIGHT
    assert suggestion_for(["-1", *counts], "people").role is not Role.WEIGHT
    assert suggestion_for([f"{i % 9}.5" for i in range(60)], "count").role is Role.OTHER
    body = suggestion_for([str(50 + i) for i in range(60)], "weight")
    assert body.role is Role.QUASI_IDENTIFIER and "body" in body.reasons[0]
    assert suggestion_for([str(12285 + 7 * i) for i in range(60)], "fnlwgt").role is Role.OTHER
    assert not suggestion_for(counts, "people").asked


def test_the_weights_of_a_survey_are_asked_about():
    """Each row is one person, and its weight finds it again in any other copy of the survey."""
    for name in ("fnlwgt", "survey_weight", "PWGTP", "Hochrechnungsfaktor", "design weight"):
        found = suggestion_for([f"{1 + i / 7:.4f}" for i in range(60)], name)
        assert found.role is Role.OTHER and "another copy of this survey" in found.asked, name
        assert "counts as one" in found.reasons[1]
    unlike = suggestion_for([str(12285 + 7 * i) for i in range(60)], "people")
    assert unlike.role is Role.WEIGHT and "In a survey a row is one person" in unlike.asked


def test_no_weight_beside_identifiers_and_one_weight_at_most():
    counts = [str(i % 9 + 1) for i in range(60)]
    named = text_frame({"name": [f"Ann {i}" for i in range(60)], "n": counts})
    assert roles_of(named)["n"] is Role.OTHER
    assert list(roles_of(text_frame({"n": counts, "count": counts})).values()) == [Role.WEIGHT, Role.OTHER]


def test_ages_over_89():
    ages = [str(i) for i in range(20, 95)]
    over = suggestion_for(ages, "age")
    assert over.hipaa_class == hipaa_class("C") and any("5 different ages over 89" in r for r in over.reasons)
    assert suggestion_for(ages[:60], "age").hipaa_class is None


TENS = [f"[{age}-{age + 10})" for age in range(0, 100, 10)]


def test_ranges_of_ages_are_ages_by_name_and_by_their_values():
    for name in ("age", "v17"):
        over = suggestion_for(TENS * 5, name)
        assert (over.role, over.hipaa_class) == (Role.QUASI_IDENTIFIER, hipaa_class("C"))
        assert any("1 range of ages reaches over 89" in reason for reason in over.reasons)
        grouped = suggestion_for([*TENS[:-1], "90+"] * 5, name)
        assert (grouped.role, grouped.hipaa_class) == (Role.QUASI_IDENTIFIER, None)
    assert suggestion_for([f"[{w}-{w + 25})" for w in range(0, 200, 25)] * 5, "weight").role is Role.QUASI_IDENTIFIER
    for values in ([f"{low}-{low + 9}" for low in range(100, 200, 10)], ["<1", "1-2", "3-5", "6+"]):
        assert suggestion_for(values * 5).role is Role.OTHER
    assert suggestion_for(TENS * 5, "count").role is not Role.QUASI_IDENTIFIER


def test_years_are_allowed_by_safe_harbor_and_numbers_of_a_policy_are_not():
    years = suggestion_for([str(1940 + i) for i in range(60)], "birth_year")
    assert (years.role, years.hipaa_class) == (Role.QUASI_IDENTIFIER, None)
    numbers = suggestion_for([f"H{50000 + i}" for i in range(60)], "insurance")
    assert (numbers.role, numbers.hipaa_class) == (Role.IDENTIFIER, hipaa_class("I"))


def test_coordinates_need_values_that_fit():
    assert suggestion_for([f"{100 + i / 97:.4f}" for i in range(60)], "lat").role is not Role.PLACE
    assert suggestion_for(["left", "right"] * 30, "long").role is not Role.PLACE


def test_empty_columns_and_frames():
    empty = suggestion_for([None] * 5, "age")
    assert (empty.role, empty.distinct, empty.missing, empty.separation) == (Role.OTHER, 0, 5, 0.0)
    assert empty.distinction == pytest.approx(0.2)
    none = suggestion_for([], "age")
    assert (none.role, none.distinction, none.separation) == (Role.OTHER, 0.0, 0.0)
    assert suggest_roles(pd.DataFrame()) == ()
    assert suggestion_for(["a"], "x").separation == 0.0


def test_demographics_suggested_are_limited_and_the_rest_say_so():
    names = "age sex race birthplace nationality marital_status education occupation".split()
    names += "workclass language religion income".split()
    suggested = suggest_roles(text_frame({name: [str(i % (5 + j)) for i in range(50)] for j, name in enumerate(names)}))
    chosen = [s.column for s in suggested if s.role is Role.QUASI_IDENTIFIER and not s.asked]
    assert chosen == names[:MAX_DEMOGRAPHICS]
    late = [s for s in suggested if s.column not in chosen]
    assert all(s.asked and any("not among" in r for r in s.reasons) for s in late)
    assert {s.role for s in late} == {Role.QUASI_IDENTIFIER}


def test_a_copy_of_a_quasi_identifier_in_other_words_says_so():
    years = [str(20 + i % 9) if i % 10 else None for i in range(90)]
    band = {year: f"b{i}" for i, year in enumerate(dict.fromkeys(years))}
    group = [band[year] if year else None for year in years]
    suggested = suggest_roles(text_frame({"group": group, "age": years, "backwards": group[::-1]}))
    reasons = {s.column: s.reasons for s in suggested}
    assert reasons["group"][0] == "Tells “age” of every record: give it the same role."
    assert not any("Tells" in reason for column in ("age", "backwards") for reason in reasons[column])
    asked = {s.column: (s.role, s.asked) for s in suggested}
    assert asked["group"] == (Role.QUASI_IDENTIFIER, "Anybody who knows “age” knows this too.")
    assert asked["age"] == (Role.QUASI_IDENTIFIER, "") and asked["backwards"][0] is Role.OTHER
    assert len({s.separation for s in suggested}) == 1  # as many values, each as often, and yet not the same


def test_roles_explain_themselves():
    assert Role.QUASI_IDENTIFIER.label == "Quasi-identifier"
    for role in Role:
        assert role.label and role.meaning.endswith(".") and len(role.meaning) > 20


# --- real files -------------------------------------------------------------------------------------------------


def test_adult():
    frame = read("adult.csv")
    suggested = {s.column: s for s in suggest_roles(frame)}
    expected = {"age", "sex", "race", "marital_status", "native_country", "education", "occupation", "workclass"}
    assert {c for c, s in suggested.items() if s.role is Role.QUASI_IDENTIFIER and not s.asked} == expected
    asked = {"fnlwgt", "education_num", "relationship", "capital_gain", "capital_loss", "hours_per_week"}
    assert {c for c, s in suggested.items() if s.asked} == asked
    assert suggested["salary"].role is Role.SENSITIVE
    assert suggested["education_num"].reasons[0].startswith("Tells “education” of every record")
    assert suggested["fnlwgt"].role is Role.OTHER
    assert suggested["sex"].distinct == 2 and suggested["workclass"].missing == 1836
    men, women = 21790, 10771  # of 32,561
    assert suggested["sex"].separation == pytest.approx(2 * men * women / (32561 * 32560), abs=1e-12)


def test_adult_under_meaningless_names():
    frame = read("adult.csv")
    suggested = roles_of(frame.set_axis([f"c{i}" for i in range(frame.shape[1])], axis=1))
    found = dict(zip(frame.columns, suggested.values(), strict=True))
    assert {found["sex"], found["race"], found["marital_status"]} == {Role.QUASI_IDENTIFIER}
    assert Role.IDENTIFIER not in found.values()


def test_heart_and_cervical_cancer():
    heart = roles_of(read("heart_cleveland.csv"))
    assert [c for c, r in heart.items() if r is Role.QUASI_IDENTIFIER] == ["age", "sex", "zip"]
    cervical = roles_of(read("cervical_cancer.csv"))
    assert cervical["Age"] is Role.QUASI_IDENTIFIER
    assert cervical["Num of pregnancies"] is Role.QUASI_IDENTIFIER
    assert {cervical[c] for c in ("STDs:HIV", "Dx:Cancer", "Smokes", "Number of sexual partners")} == {Role.SENSITIVE}
    assert not {Role.IDENTIFIER, Role.PERSON_ID, Role.WEIGHT} & set(cervical.values())


def test_places_and_populations():
    areas = roles_of(read("canada_dissemination_areas_west.csv"))
    assert {areas[c] for c in ("area", "lon", "lat")} == {Role.PLACE}
    assert areas["population"] is Role.WEIGHT and areas["land_km2"] is Role.OTHER


def test_admissions_sample():
    path = Path(__file__).resolve().parents[4] / "data" / "samples" / "admissions.csv"
    if not path.exists():
        pytest.skip("the admissions sample is not at hand")
    roles = roles_of(pd.read_csv(path, dtype=str, keep_default_na=False, na_values=[""]))
    assert roles["patient_name"] is Role.IDENTIFIER
    assert roles["medical_record_number"] in (Role.PERSON_ID, Role.IDENTIFIER)
    assert {roles[c] for c in ("age", "sex", "zip", "race", "admission_date")} == {Role.QUASI_IDENTIFIER}
    assert {roles[c] for c in ("department", "length_of_stay")} == {Role.QUASI_IDENTIFIER}
    assert {roles[c] for c in ("diagnosis", "insurance")} == {Role.SENSITIVE}


# --- distinction and separation -----------------------------------------------------------------------------------

cells = st.one_of(st.none(), st.sampled_from(["a", "b", "c", "10", "9"]))


@settings(max_examples=150, deadline=None)
@given(st.lists(cells, min_size=2, max_size=25))
def test_separation_and_distinction_by_brute_force(values):
    suggested = suggestion_for(values)
    pairs = list(combinations(values, 2))
    assert suggested.separation == pytest.approx(sum(a != b for a, b in pairs) / len(pairs), abs=1e-12)
    assert suggested.distinction == pytest.approx(len(set(values)) / len(values))
    assert suggested.missing == values.count(None)
    assert suggested.distinct == len(set(values) - {None})


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=25), st.randoms(use_true_random=False))
def test_order_of_rows_and_columns_changes_nothing(rows, random):
    shuffled = random.sample(rows, len(rows))
    before = suggest_roles(text_frame({"age": [a for a, _ in rows], "x": [b for _, b in rows]}))
    after = suggest_roles(text_frame({"x": [b for _, b in shuffled], "age": [a for a, _ in shuffled]}))
    assert before == after[::-1]


def test_order_of_rows_changes_nothing_in_a_large_column():
    rng = np.random.default_rng(7)
    values = [f"a{i}@example.org" if i % 3 else f"note {i}" for i in range(5000)]
    assert suggestion_for(values) == suggestion_for(list(rng.permutation(np.array(values, dtype=object))))


def test_unused_categories_do_not_count():
    column = pd.Categorical(["a", "b", "a"], categories=["a", "b", "a@example.org"])
    suggested = suggest_roles(pd.DataFrame({"x": column}))[0]
    assert suggested.distinct == 2 and suggested.role is Role.OTHER


def test_ranking():
    frame = text_frame(
        {"skewed": list("aaaaaaabcd"), "even": list("aaaaabbbbb"), "key": list("abcdefghij"), "one": ["a"] * 10}
    )
    ranked = rank_quasi_identifiers(frame, ["one", "skewed", "even", "key"])
    assert [r.column for r in ranked] == ["key", "even", "skewed", "one"]
    assert [r.separation for r in ranked] == pytest.approx([1, 50 / 90, 1 - 42 / 90, 0])
    assert [r.distinction for r in ranked] == pytest.approx([1, 0.2, 0.4, 0.1])


def test_ranking_an_unknown_column():
    with refused("column-unknown", "b"):
        rank_quasi_identifiers(text_frame({"a": ["1"]}), ["b"])
