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
    "refund to DE89370400440532013000", "PESEL 44051401359", "529.982.247-25", "811218-9876", "A123456780",
    "VIN 1HGCM82633A004352", "implant SN 4471-88213", "license plate B-XY 1234", "claim 2021-0044556", "* 12.03.1948",
    "Dra. Molina", "Sig.ra Ferrari", "dott.ssa Conti", "M. Dupont", "Hr. Brandstetter gibt Bescheid", "lek. Nowicki",
    "GP Harrison", "Kowalski Jan", "DUPONT Marie", "contact: Sarah Connor", "dochter Anneke Hoekstra",
    "fils M. Jean Beaumont", "home of son, Robert Whitfield",
    "web 192.168.14.23", "MAC 00:1B:44:11:3A:B7", "jane (at) example.com", "facebook.com/jane.doe", "@jane_doe84",
    "(11) 98765-4321", "079 123 45 67", "333-1234567", "ph 555-0142",
    "Am Markt 3", "Unter den Linden 77", "os. Kościuszki 4", "Av. Paulista 900", "Postfach 1234",
    "Ehemann Karl-Heinz", "Betreuer Herr Sänger", "Kfz M-AB 1234", "hosp no. K123456",
    "jdoe at gmail dot com",
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
    "King Edward Ward", "Elizabeth Wing", "Prince Edward Island", "Alice Springs", "Gene Therapy",
    "3 St", "0.0.0.1",
    "SNOMED 44054006", "NDC 0002-8215-01", "PMID 12345678", "version 10.20.30.40", "UPC 012345678905",
    "Mother: Diabetes, father MI", "sister Breast cancer", "24 Hr. Urine", "M. Scheuermann", "Weber B.", "@rest",
    "Fr. Vormittag", "Hüft-TEP n. Müller", "Mutter Diabetes",
    "plate AB-123", "claim 2021", "per os. Aspirin 100", "et al. Smith 2010", "Im Wald 3 km",
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


def test_a_word_of_no_list_behind_a_given_name_is_a_surname_where_capitals_say_something():
    name = "see Robert Castellano"
    assert hold_identifiers([name, "left upper arm", "no change since then"]).tolist() == [True, False, False]
    assert hold_identifiers([name, "asthma", "gout", "migraine"]).tolist() == [True, False, False, False]
    assert not hold_identifiers(["Thomas Splint", "Walking Stick", "Elastic Bandage", "Knee Brace Soft"]).any()
    assert hold_identifiers(["Robert Castellano", "Jane Holloway", "Susan Kowalski"]).all()


def test_numbers_of_persons_in_figures_alone():
    assert points_to_someone(["31", "44051401359", "45"]).tolist() == [False, True, False]
    nhs = ["9434765919", "9483378877", "4328601296", "9047966694", "7510273463"]
    assert points_to_someone(nhs).all()
