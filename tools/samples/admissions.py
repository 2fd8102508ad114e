"""The admissions sample: 5,000 invented hospital admissions, and the population they were drawn from.

The population comes first: 120,000 people with age, sex, ZIP code and race. Patients are drawn from it by how often
such a person would fall ill, then get diagnoses, dates, insurance and outcomes that depend on who they are.
So every patient is one of the people counted in the population table, and journalist risk is a true number.
"""

from __future__ import annotations

import datetime
from typing import NamedTuple

import numpy as np
import pandas as pd

from tools.samples.admissions_population import (
    DEPRIVATION,
    SEXES,
    ZIP_CODES,
    People,
    admission_rates,
    count_people,
    draw_population,
    pick,
    pick_many,
)
from tools.samples.admissions_tables import DIAGNOSES, FEMALE_NAMES, MALE_NAMES, RACES, SURNAMES

SEED = 20240912
YEAR = 2024
DAYS = 366
N_ADMISSIONS = 5_000
N_PATIENTS = 4_600

DIAGNOSIS_NAMES = tuple(diagnosis.name for diagnosis in DIAGNOSES)
INSURANCES = ("Medicare", "Private", "Medicaid", "Self-pay")
OUTCOMES = ("Home", "Home with care", "Nursing facility", "Left against advice", "Died")


class Senator(NamedTuple):
    """The public figure whose admission the newspaper reported (see data/samples/README.md)."""

    name: str = "Walter Q. Fairbanks"
    age: int = 62
    sex: str = "Male"
    zip: str = "02138"
    race: str = "White"
    admission_date: str = "2024-09-12"
    diagnosis: str = "F10 Alcohol dependence"


class Cottage(NamedTuple):
    """A recovery home: its residents are the only male patients in their forties from the ZIP codes 026xx."""

    sex: str = "Male"
    zip: str = "02642"
    youngest: int = 40
    oldest: int = 49
    patients: int = 6
    diagnosis: str = "F11 Opioid dependence"


SENATOR, COTTAGE = Senator(), Cottage()


def admissions_and_population(seed: int = SEED) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The two tables, all cells text (the population's ``people`` is an integer).

    The population has one row for each combination of age, sex, zip and race that somebody has.
    The same seed gives the same tables.
    """
    rng = np.random.default_rng(seed)
    population = draw_population(rng)
    patients, planted = _draw_patients(rng, population)
    return _admit(rng, patients, planted), count_people(population)


def _draw_patients(rng: np.random.Generator, population: People) -> tuple[People, int]:
    """Patients drawn without replacement; the planted ones come first: the senator, then the cottage.

    Returns the patients and how many of them are planted.
    """
    zips = ZIP_CODES[population.zip].astype(str)
    is_senator = (
        (population.age == SENATOR.age)
        & (population.sex == SEXES.index(SENATOR.sex))
        & (zips == SENATOR.zip)
        & (population.race == RACES.index(SENATOR.race))
    )
    alike = (
        (population.age >= COTTAGE.youngest)
        & (population.age <= COTTAGE.oldest)
        & (population.sex == SEXES.index(COTTAGE.sex))
        & np.char.startswith(zips, COTTAGE.zip[:3])
    )
    residents = np.flatnonzero(alike & (zips == COTTAGE.zip))[: COTTAGE.patients]
    planted = np.append(np.flatnonzero(is_senator)[:1], residents)

    weights = admission_rates(population).sum(axis=1)
    weights[alike] = 0
    weights[planted] = 0
    # Exponential races: the smallest waiting times are a draw without replacement in proportion to the weights.
    with np.errstate(divide="ignore"):
        waiting = -np.log1p(-rng.random(len(weights))) / weights
    drawn = np.argsort(waiting, kind="stable")[: N_PATIENTS - len(planted)]
    return population.take(np.append(planted, drawn)), len(planted)


def _admit(rng: np.random.Generator, patients: People, planted: int) -> pd.DataFrame:
    """Admissions of the patients, one row each, in order of date."""
    n = len(patients.age)
    insurance = pick(rng, _insurance_weights(patients))
    names, numbers = _names(rng, patients), _record_numbers(rng, n)
    names[0] = SENATOR.name

    # Further admissions go to people who are often ill; nobody planted comes back.
    again = admission_rates(patients).sum(axis=1)
    again[:planted] = 0
    patient = np.sort(np.append(np.arange(n), pick_many(rng, again, N_ADMISSIONS - n)))
    people = patients.take(patient)
    first = np.append(True, patient[1:] != patient[:-1])

    diagnosis = _diagnoses(rng, people, first)
    diagnosis[np.isin(patient, np.arange(1, planted))] = DIAGNOSIS_NAMES.index(COTTAGE.diagnosis)
    diagnosis[0] = DIAGNOSIS_NAMES.index(SENATOR.diagnosis)
    day = _days(rng, diagnosis)
    day[0] = (datetime.date.fromisoformat(SENATOR.admission_date) - datetime.date(YEAR, 1, 1)).days
    day = _in_order(day, patient)
    stay = _stays(rng, people, diagnosis)
    followed = np.append(~first[1:], False)
    stay[followed] = np.minimum(stay, np.append(day[1:], 0) - day - 1)[followed].clip(min=0)
    outcome = _outcomes(rng, people, diagnosis, stay, followed)
    outcome[:planted] = OUTCOMES.index("Home")

    department = np.array([DIAGNOSES[d].department for d in diagnosis], dtype=object)
    medical = ~np.isin(department, ("Surgery", "Orthopedics", "Psychiatry", "Maternity", "Emergency"))
    department = np.where(medical & (people.age < 18), "Pediatrics", department)
    dates = np.datetime64(f"{YEAR}-01-01") + day
    frame = pd.DataFrame(
        {
            "patient_name": names[patient],
            "medical_record_number": numbers[patient],
            "age": people.age.astype(str),
            "sex": np.array(SEXES, dtype=object)[people.sex],
            "zip": ZIP_CODES[people.zip],
            "race": np.array(RACES, dtype=object)[people.race],
            "admission_date": dates.astype(str),
            "department": department,
            "diagnosis": np.array(DIAGNOSIS_NAMES, dtype=object)[diagnosis],
            "insurance": np.array(INSURANCES, dtype=object)[insurance[patient]],
            "length_of_stay": stay.astype(str),
            "outcome": np.array(OUTCOMES, dtype=object)[outcome],
        },
        dtype=object,
    )
    _leave_gaps(rng, frame, patient >= planted)
    return frame.iloc[np.lexsort((rng.random(len(frame)), day))].reset_index(drop=True)


def _diagnoses(rng: np.random.Generator, people: People, first: np.ndarray) -> np.ndarray:
    """Positions in ``DIAGNOSES``; half of the further admissions are for what the one before was for."""
    delivery = DIAGNOSIS_NAMES.index("O80 Delivery")
    rates = admission_rates(people)
    rates[~first, delivery] = 0
    diagnosis = pick(rng, rates)
    for row in np.flatnonzero(~first & (rng.random(len(first)) < 0.5)):
        if diagnosis[row - 1] != delivery:
            diagnosis[row] = diagnosis[row - 1]
    return diagnosis


def _insurance_weights(people: People) -> np.ndarray:
    """Relative frequency of each of ``INSURANCES``: people x 4."""
    deprivation = DEPRIVATION[people.zip]
    old, child = people.age >= 65, people.age < 19
    medicare = np.where(old, 0.88, np.where(child, 0.0, 0.04))
    medicaid = np.where(
        old, 0.02 + 0.10 * deprivation, np.where(child, 0.12 + 0.68 * deprivation, 0.07 + 0.52 * deprivation)
    )
    self_pay = np.where(old, 0.01, np.where(child, 0.01, 0.03 + 0.07 * deprivation))
    private = np.where(old, 0.09 - 0.06 * deprivation, 1 - medicare - medicaid - self_pay)
    return np.column_stack([medicare, private, medicaid, self_pay])


def _names(rng: np.random.Generator, people: People) -> np.ndarray:
    n = len(people.age)
    given = np.where(
        people.sex == SEXES.index("Female"),
        np.array(FEMALE_NAMES, dtype=object)[(rng.random(n) * len(FEMALE_NAMES)).astype(int)],
        np.array(MALE_NAMES, dtype=object)[(rng.random(n) * len(MALE_NAMES)).astype(int)],
    )
    initial = np.array(list("ABCDEFGHJKLMNPRSTVW"), dtype=object)[(rng.random(n) * 19).astype(int)]
    surname = np.array(SURNAMES, dtype=object)[(rng.random(n) * len(SURNAMES)).astype(int)]
    return np.array([f"{a} {b}. {c}" for a, b, c in zip(given, initial, surname, strict=True)], dtype=object)


def _record_numbers(rng: np.random.Generator, n: int) -> np.ndarray:
    """Distinct numbers of eight digits, leading zeros kept."""
    order = np.argsort(rng.random(n), kind="stable")
    return np.array([f"{number:08d}" for number in 310_007 + 113 * order], dtype=object)


def _days(rng: np.random.Generator, diagnosis: np.ndarray) -> np.ndarray:
    """Day of the year (0..365) of each admission, by the season of its diagnosis."""
    day = np.arange(DAYS)
    days = np.empty(len(diagnosis), dtype=int)
    for column, entry in enumerate(DIAGNOSES):
        rows = np.flatnonzero(diagnosis == column)
        wave = 1 + entry.season * np.cos(2 * np.pi * (day - entry.peak) / DAYS)
        days[rows] = pick_many(rng, wave, len(rows))
    return days


def _in_order(day: np.ndarray, patient: np.ndarray) -> np.ndarray:
    """The days of each patient's admissions sorted, two on one day moved apart."""
    day = day[np.lexsort((day, patient))]
    for row in range(1, len(day)):
        if patient[row] == patient[row - 1] and day[row] <= day[row - 1]:
            day[row] = day[row - 1] + 1
    return day.clip(max=DAYS - 1)


def _stays(rng: np.random.Generator, people: People, diagnosis: np.ndarray) -> np.ndarray:
    """Length of stay in days: two exponential phases, longer for the old, at most 60."""
    mean = np.array([entry.stay for entry in DIAGNOSES])[diagnosis] * (1 + 0.006 * (people.age - 60))
    phases = -np.log1p(-rng.random((len(diagnosis), 2))).sum(axis=1)
    return np.rint(mean * phases / 2).astype(int).clip(0, 60)


def _outcomes(
    rng: np.random.Generator, people: People, diagnosis: np.ndarray, stay: np.ndarray, followed: np.ndarray
) -> np.ndarray:
    """Positions in ``OUTCOMES``; nobody dies in an admission that another one follows."""
    died = np.array([entry.mortality for entry in DIAGNOSES])[diagnosis] * np.exp(0.03 * (people.age - 60))
    died = np.where(followed, 0, died.clip(max=0.6))
    addiction = np.isin(diagnosis, [i for i, name in enumerate(DIAGNOSIS_NAMES) if name[:3] in ("F10", "F11", "T40")])
    frail = ((people.age - 60) / 50).clip(0, 0.7) * (0.4 + 0.06 * stay).clip(max=1)
    weights = np.column_stack([1 - frail, 0.12 + 0.5 * frail, 0.5 * frail, np.where(addiction, 0.18, 0.008)])
    weights *= ((1 - died) / weights.sum(axis=1))[:, None]
    return pick(rng, np.column_stack([weights, died]))


def _leave_gaps(rng: np.random.Generator, frame: pd.DataFrame, allowed: np.ndarray) -> None:
    """Blank a few cells, as real files have them: ``?`` where nobody asked, empty where nobody typed."""
    for column, mark, share in (
        ("race", "?", 0.014),
        ("race", "", 0.004),
        ("zip", "", 0.003),
        ("insurance", "?", 0.010),
        ("outcome", "", 0.006),
    ):
        frame.loc[allowed & (rng.random(len(frame)) < share), column] = mark
