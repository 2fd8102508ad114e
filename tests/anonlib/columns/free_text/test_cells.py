"""What is found inside short cells, and what is not."""

from __future__ import annotations

import pytest

from anonlib.columns.free_text import hold_identifiers
from anonlib.columns.identifiers import points_to_someone

OTHERS = ["ward", "none", "clinic", "home", "other"]
HOLD = [
    "teacher (Miss Jane Holloway)", "driver, 07700 900123", "retired 12 Abbey Road", "A1 (Whitcombe, Eleanor)",
    "call Mrs Whitcombe 07700 900123", "mail e.whitcombe@example.org", "see MRN 00482913", "C3 NHS 943 476 5919",
    "B2 / tel +44 7700 900123", "Hausarzt Dr. Anna Meier", "Klinik, Tel. 0171 5551234", "selbst (geb. 12.03.1950)",
    "bakery (Hans Müller)", "SMITH, JOHN", "MRS WHITCOMBE", "dr meier", "Mme Lefèvre", "rappeler 06 12 34 56 78",
    "né le 03/04/1951", "ward 3, DOB 01/02/1960", "Sra. García López", "Dhr. van den Berg", "Pani Kowalska",
    "Fru Andersson", "dott. Rossi", "lives with daughter Anna", "other: Maria Garcia", "Prof. Dr. med. Schulz",
    "rent, seen 03.04.2021", "operaio RSSMRA80A01H501U", "CPF 123.456.789-09 aposentado", "ward A, J. Smith",
    "Smith, J.",
    "vaktmästare 19510403-1234", "contact: Jane Holloway, daughter", "C3 9434765919", "O'Brien, Patrick",
]  # fmt: skip
ORDINARY = [
    "Crohn's disease", "Crohn", "M. Crohn", "Parkinson's", "Wilson disease", "Wolff-Parkinson-White",
    "Morbus Bechterew",
    "Guillain-Barré syndrome", "Ehlers Danlos", "Hodgkin lymphoma", "St. Mary's Hospital", "Robert Koch Institut",
    "Johns Hopkins", "King's College", "Hôpital Pierre Wertheimer", "Klinikum Ernst von Bergmann", "Nurse Practitioner",
    "Dr. visit", "MS Clinic", "MS CLINIC", "Sr. Manager", "Prince George's County", "Santa Rosa", "San Antonio",
    "Augusta, Georgia", "Richmond, Virginia", "Sierra Leone", "White, British", "Young Adult", "Ms", "Herr", "Frau",
    "NHS 111", "Mary Seacole ward", "Marie Curie Hospice",
    "E. coli", "H. pylori",
    "MARRIED, SPOUSE PRESENT", "Type 2 diabetes mellitus", "Lisinopril 10 mg", "2019-2020", "10-19",
    "02-OCT-20 10.11.12.345000 AM", "Batch A12345", "grace period", "3rd degree, 10%",
]  # fmt: skip


@pytest.mark.parametrize("cell", HOLD)
def test_a_cell_that_holds_an_identifier_points_to_someone(cell):
    assert points_to_someone([cell, *OTHERS]).tolist() == [True, *[False] * len(OTHERS)]


@pytest.mark.parametrize("cell", ORDINARY)
def test_ordinary_cells_do_not(cell):
    assert not points_to_someone([cell, *OTHERS]).any()


def test_numbers_beside_words_are_codes_where_most_cells_have_one():
    codes = ["22298006 infarct", "73211009 diabetes", "195967001 asthma"]
    assert not hold_identifiers(codes).any()
    assert hold_identifiers(["infarct", "diabetes", "asthma 195967001"]).tolist() == [False, False, True]


def test_towns_and_hospitals_are_called_by_names():
    assert hold_identifiers(["Maria Garcia", "A1 (Maria Garcia)"], of_places=True).tolist() == [False, True]
    assert points_to_someone(["Maria Garcia", "x"], "hospital").tolist() == [False, False]
    assert points_to_someone(["Maria Garcia", "x"], "contact").tolist() == [True, False]


def test_a_telephone_number_in_figures_among_short_numbers():
    assert points_to_someone(["31", "07700900123", "45"]).tolist() == [False, True, False]
    assert points_to_someone(["31", "123-45-6789", "415-555-0172", "192.168.10.24"]).tolist() == [
        False,
        True,
        True,
        True,
    ]
    assert not points_to_someone(["31.12.2021", "2021-12-31", "1.234.567", "02138-1234", "100-1999"]).any()
    assert not points_to_someone(["0770090012", "0312345678", "1"]).any(), "most of them are such numbers: codes"
