"""The invented facts behind the admissions sample: ZIP codes, races, diagnoses, names.

Nothing here is an estimate of anything real. ZIP codes have the form of Massachusetts ones; how many people
live in each, who they are and how often they fall ill is made up so that the file behaves like hospital data.
"""

from __future__ import annotations

from typing import NamedTuple


class ZipArea(NamedTuple):
    """One ZIP code: its people, kind of place, deprivation in [0, 1] and shares of each of ``RACES``."""

    zip: str
    people: int
    kind: str
    deprivation: float
    race_shares: tuple[float, ...]


class Diagnosis(NamedTuple):
    """One diagnosis and whom it meets.

    ``rates`` are relative admission rates at the ages ``RATE_AGES``, linear between them; ``female`` and ``male``
    multiply them; ``deprivation`` says how much more often it meets the poorest area (0 = no more).
    ``stay`` is the mean length of stay in days at age 60, ``mortality`` the chance of death in hospital at age 60.
    ``season`` is the amplitude in [0, 1] of a yearly wave that peaks on day ``peak``. It meets nobody outside ``ages``.
    """

    name: str
    department: str
    rates: tuple[float, ...]
    female: float
    male: float
    deprivation: float
    stay: float
    mortality: float
    season: float = 0.0
    peak: int = 0
    ages: tuple[int, int] = (0, 120)


RACES = ("White", "Black", "Hispanic", "Asian", "American Indian", "Two or more")

_CITY = (0.62, 0.09, 0.10, 0.14, 0.003, 0.047)
_SOUTH = (0.24, 0.44, 0.24, 0.03, 0.005, 0.045)
_SUBURB = (0.76, 0.03, 0.04, 0.14, 0.001, 0.029)
_MILL = (0.38, 0.05, 0.52, 0.02, 0.004, 0.026)
_SHORE = (0.93, 0.015, 0.02, 0.01, 0.005, 0.020)

ZIPS = (
    ZipArea("01810", 7200, "family", 0.15, _SUBURB),
    ZipArea("01840", 1100, "family", 0.95, _MILL),
    ZipArea("01841", 9400, "family", 0.90, _MILL),
    ZipArea("01844", 8300, "family", 0.50, _MILL),
    ZipArea("01850", 4100, "family", 0.70, _MILL),
    ZipArea("02115", 6200, "student", 0.45, _CITY),
    ZipArea("02118", 5600, "city", 0.50, _CITY),
    ZipArea("02119", 6100, "family", 0.85, _SOUTH),
    ZipArea("02121", 5900, "family", 0.90, _SOUTH),
    ZipArea("02124", 9800, "family", 0.75, _SOUTH),
    ZipArea("02128", 8600, "city", 0.65, _MILL),
    ZipArea("02138", 7800, "city", 0.20, _CITY),
    ZipArea("02139", 7400, "student", 0.35, _CITY),
    ZipArea("02140", 4600, "city", 0.25, _CITY),
    ZipArea("02142", 900, "student", 0.20, _CITY),
    ZipArea("02420", 3400, "family", 0.05, _SUBURB),
    ZipArea("02421", 3900, "family", 0.05, _SUBURB),
    ZipArea("02445", 5200, "city", 0.10, _SUBURB),
    ZipArea("02474", 6300, "family", 0.15, _SUBURB),
    ZipArea("02493", 1800, "senior", 0.02, _SUBURB),
    ZipArea("02633", 2300, "senior", 0.20, _SHORE),
    ZipArea("02642", 1900, "senior", 0.30, _SHORE),
    ZipArea("02652", 650, "senior", 0.35, _SHORE),
    ZipArea("02663", 210, "senior", 0.30, _SHORE),
    ZipArea("02667", 1340, "senior", 0.30, _SHORE),
)
"""120,000 people in 25 ZIP codes; the area of the prefix 026 has fewer than 20,000 (Safe Harbor's limit)."""

AGE_PROFILES = {
    "family": (1.20, 1.20, 1.05, 1.10, 1.10, 1.00, 0.65, 0.40),
    "city": (0.80, 0.65, 1.25, 1.70, 1.00, 0.85, 0.60, 0.40),
    "student": (0.25, 0.20, 4.50, 1.60, 0.60, 0.45, 0.30, 0.20),
    "senior": (0.55, 0.65, 0.60, 0.60, 0.85, 1.50, 1.70, 1.00),
}
"""Relative sizes of the ages 0, 10, 20, 30, 45, 60, 75 and 90 in each kind of place, before mortality."""

PROFILE_AGES = (0, 10, 20, 30, 45, 60, 75, 90)

RATE_AGES = (0, 5, 18, 30, 45, 60, 75, 95)

DIAGNOSES = (
    Diagnosis("A41 Sepsis", "Internal medicine", (3, 0.3, 0.3, 0.6, 1.5, 4, 9, 18), 1, 1.1, 0.5, 8.0, 0.10),
    Diagnosis(
        "B20 HIV disease",
        "Infectious diseases",
        (0, 0, 0.1, 0.8, 1.2, 0.8, 0.2, 0),
        0.5,
        1.6,
        1.5,
        7.0,
        0.02,
        ages=(16, 120),
    ),
    Diagnosis("C18 Colon cancer", "Oncology", (0, 0, 0, 0.2, 1.2, 3.2, 4.2, 3.0), 0.9, 1.1, 0.1, 7.0, 0.03),
    Diagnosis("C34 Lung cancer", "Oncology", (0, 0, 0, 0.1, 0.9, 3.8, 4.6, 2.2), 0.9, 1.1, 0.5, 8.0, 0.09),
    Diagnosis("C50 Breast cancer", "Oncology", (0, 0, 0, 0.7, 2.6, 3.2, 3.0, 2.2), 1.9, 0.02, 0.0, 3.0, 0.01),
    Diagnosis(
        "C61 Prostate cancer", "Oncology", (0, 0, 0, 0, 0.5, 3.2, 3.4, 2.0), 0.0, 2.0, 0.0, 3.0, 0.01, ages=(40, 120)
    ),
    Diagnosis("D57 Sickle-cell disorder", "Internal medicine", (1, 3, 5, 5, 2.5, 1, 0, 0), 1, 1, 0.3, 5.0, 0.005),
    Diagnosis(
        "E11 Type 2 diabetes",
        "Internal medicine",
        (0, 0, 0.2, 0.9, 2.5, 4.5, 5.0, 4.0),
        0.9,
        1.1,
        1.2,
        4.5,
        0.01,
        ages=(12, 120),
    ),
    Diagnosis(
        "F10 Alcohol dependence",
        "Psychiatry",
        (0, 0, 0.6, 1.8, 3.2, 2.6, 0.8, 0.1),
        0.6,
        1.5,
        0.7,
        5.0,
        0.01,
        ages=(15, 120),
    ),
    Diagnosis(
        "F11 Opioid dependence",
        "Psychiatry",
        (0, 0, 0.8, 2.4, 1.6, 0.6, 0.1, 0),
        0.7,
        1.4,
        1.6,
        5.0,
        0.01,
        ages=(16, 120),
    ),
    Diagnosis(
        "F20 Schizophrenia",
        "Psychiatry",
        (0, 0, 1.0, 1.4, 1.1, 0.7, 0.3, 0.1),
        0.8,
        1.2,
        1.2,
        14.0,
        0.002,
        ages=(15, 120),
    ),
    Diagnosis(
        "F32 Depressive episode",
        "Psychiatry",
        (0, 0.1, 2.2, 1.8, 1.7, 1.2, 0.9, 0.6),
        1.3,
        0.8,
        0.4,
        9.0,
        0.001,
        0.2,
        30,
        ages=(10, 120),
    ),
    Diagnosis(
        "G30 Alzheimer disease",
        "Geriatrics",
        (0, 0, 0, 0, 0, 0.4, 3.0, 11.0),
        1.2,
        0.9,
        0.1,
        11.0,
        0.06,
        ages=(55, 120),
    ),
    Diagnosis(
        "I21 Myocardial infarction",
        "Cardiology",
        (0, 0, 0, 0.2, 2.2, 6.0, 9.0, 13.0),
        0.7,
        1.3,
        0.4,
        5.0,
        0.05,
        0.2,
        15,
    ),
    Diagnosis(
        "I50 Heart failure", "Cardiology", (0.1, 0, 0, 0.2, 1.2, 5.0, 14.0, 30.0), 1, 1.05, 0.5, 6.0, 0.05, 0.2, 20
    ),
    Diagnosis("I63 Stroke", "Neurology", (0, 0, 0.1, 0.3, 1.4, 4.2, 9.0, 16.0), 1, 1, 0.4, 8.0, 0.08, ages=(15, 120)),
    Diagnosis(
        "J10 Influenza", "Internal medicine", (3.0, 0.8, 0.4, 0.4, 0.6, 1.4, 4.0, 9.0), 1, 1, 0.3, 4.0, 0.03, 1.0, 30
    ),
    Diagnosis(
        "J18 Pneumonia",
        "Internal medicine",
        (4.0, 1.2, 0.5, 0.7, 1.6, 4.0, 10.0, 22.0),
        1,
        1.1,
        0.5,
        5.5,
        0.06,
        0.6,
        25,
    ),
    Diagnosis(
        "J21 Bronchiolitis", "Pediatrics", (40, 0, 0, 0, 0, 0, 0, 0), 0.9, 1.1, 0.4, 3.0, 0.0, 0.8, 355, ages=(0, 2)
    ),
    Diagnosis(
        "J44 Chronic lung disease",
        "Internal medicine",
        (0, 0, 0, 0.1, 1.2, 4.5, 8.0, 8.0),
        1,
        1.05,
        0.9,
        5.0,
        0.03,
        0.3,
        20,
    ),
    Diagnosis(
        "J45 Asthma", "Internal medicine", (3.0, 6.0, 1.8, 0.8, 0.8, 0.8, 0.6, 0.4), 1, 1, 1.3, 2.5, 0.002, 0.4, 265
    ),
    Diagnosis("K35 Appendicitis", "Surgery", (0.2, 2.2, 3.0, 2.0, 1.3, 0.9, 0.7, 0.4), 0.9, 1.1, 0.0, 2.5, 0.002),
    Diagnosis(
        "K80 Gallstones", "Surgery", (0, 0, 0.8, 2.0, 2.6, 3.0, 3.4, 3.0), 1.3, 0.8, 0.1, 3.5, 0.005, ages=(12, 120)
    ),
    Diagnosis("M16 Hip arthrosis", "Orthopedics", (0, 0, 0, 0.1, 1.2, 5.0, 7.0, 3.0), 1.1, 0.9, -0.2, 2.5, 0.002),
    Diagnosis("M17 Knee arthrosis", "Orthopedics", (0, 0, 0, 0.1, 1.2, 6.0, 7.5, 2.5), 1.2, 0.8, -0.1, 2.5, 0.002),
    Diagnosis(
        "N39 Urinary tract infection",
        "Internal medicine",
        (1.0, 0.4, 0.4, 0.6, 0.8, 1.8, 5.5, 16.0),
        1.4,
        0.7,
        0.2,
        4.0,
        0.02,
    ),
    Diagnosis("O80 Delivery", "Maternity", (0, 0, 6, 40, 2, 0, 0, 0), 1.0, 0.0, 0.1, 2.2, 0.0, ages=(16, 47)),
    Diagnosis(
        "S06 Head injury", "Surgery", (0.8, 0.8, 1.4, 0.9, 0.9, 1.2, 2.6, 7.0), 0.8, 1.3, 0.3, 5.0, 0.04, 0.2, 200
    ),
    Diagnosis(
        "S72 Hip fracture", "Orthopedics", (0, 0.1, 0.1, 0.1, 0.2, 1.2, 6.0, 30.0), 1.3, 0.7, 0.0, 7.0, 0.03, 0.3, 15
    ),
    Diagnosis(
        "T40 Opioid poisoning",
        "Emergency",
        (0, 0, 0.7, 1.6, 1.2, 0.5, 0.1, 0),
        0.7,
        1.4,
        1.4,
        2.0,
        0.03,
        ages=(14, 120),
    ),
)
"""ICD-10 three-character categories with short names. Sickle-cell disorder meets only people of one race here."""

_FEMALE_NAMES = """
Abigail Adele Agnes Alice Amara Amelia Anita Beatrice Bella Bianca Camille Carmen Cecilia Celeste Clara Cora
Dahlia Daphne Delia Edith Elena Elise Esther Fiona Flora Freya Gloria Greta Hazel Helena Imani Ingrid Irene
Isabel Ivy Jasmine Joanna Judith June Keiko Lena Lillian Lucia Mabel Marisol Mei Miriam Nadia Naomi Nina Olive
Paloma Priya Ramona Rosa Ruth Selma Simone Sofia Tamara Thea Uma Valeria Vera Viola Wanda Ximena Yasmin
Yolanda Zora
"""

_MALE_NAMES = """
Abel Adrian Alan Amir Andre Anton Arthur Basil Benito Boris Calvin Carlos Cedric Cyrus Damian Dario Desmond
Diego Edgar Elias Emil Enzo Ethan Felix Franklin Gavin Gilbert Hassan Hector Hugo Ian Ignacio Isaac Ivan Jamal
Jasper Javier Joel Julian Kenji Kofi Lamar Leon Linus Luis Malik Marcel Mateo Milo Nathan Nestor Oliver Omar
Oscar Pablo Percy Quentin Rafael Raj Reuben Roland Rufus Samir Silas Stefan Theo Tobias Victor Vikram Walter
Wei Xavier Yusuf
"""

_SURNAMES = """
Abbott Acosta Alvarez Ames Baptiste Barlow Beaumont Bell Brandt Burke Cabrera Calloway Carver Chan Clayton
Cordero Crane Dalton Delgado Dixon Dorsey Drake Duarte Eaton Ellery Espinoza Everett Fairbanks Farrow Feng
Figueroa Fitzroy Flint Galloway Garland Gomes Grady Grant Guerrero Hadley Hale Harlow Hayward Holt Huang
Hurley Ibarra Ingalls Irwin Jarvis Jimenez Joyce Kaplan Keane Kendrick Kimball Kwan Lacey Langley Larkin Lim
Lowell Machado Madden Maguire Marsh Medina Mercer Montoya Moody Nakamura Nash Newell Nolan Oakes Okafor Olsen
Ortega Osborne Pacheco Padilla Paine Patel Pell Pham Pratt Quincy Quispe Ramos Reilly Rhodes Rivas Rourke
Salazar Sawyer Shah Shepard Silva Snow Soto Sterling Stokes Tavares Thorne Tran Tully Underhill Upton Valdez
Vance Vaughn Vega Walden Ward Webb Whitlock Winslow Wood Wu Xiong Yates York Zamora Zhu
"""

FEMALE_NAMES, MALE_NAMES, SURNAMES = (tuple(names.split()) for names in (_FEMALE_NAMES, _MALE_NAMES, _SURNAMES))
