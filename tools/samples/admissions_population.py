"""The invented people of the hospital's area: 120,000 persons with an age, a sex, a ZIP code and a race.

Only ``Generator.random`` is drawn from, turned into choices by inverse distribution functions: its stream is the
same on every platform and numpy version, so the sample files are the same bytes everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from tools.samples.admissions_tables import AGE_PROFILES, DIAGNOSES, PROFILE_AGES, RACES, RATE_AGES, ZIPS

OLDEST = 104
SEXES = ("Female", "Male")
ZIP_CODES = np.array([area.zip for area in ZIPS], dtype=object)
DEPRIVATION = np.array([area.deprivation for area in ZIPS])


@dataclass(frozen=True)
class People:
    """One entry a person: ages in years, and positions in ``SEXES``, ``ZIPS`` and ``RACES``, as int arrays."""

    age: np.ndarray
    sex: np.ndarray
    zip: np.ndarray
    race: np.ndarray

    def take(self, index: np.ndarray) -> People:
        """The people at these positions, in this order."""
        return People(self.age[index], self.sex[index], self.zip[index], self.race[index])


def pick(rng: np.random.Generator, weights: np.ndarray) -> np.ndarray:
    """One column position for each row of ``weights``, drawn in proportion to the row."""
    cumulative = np.cumsum(weights, axis=1)
    return (rng.random((len(weights), 1)) * cumulative[:, -1:] >= cumulative).sum(axis=1)


def pick_many(rng: np.random.Generator, weights: Sequence[float] | np.ndarray, size: int) -> np.ndarray:
    """``size`` positions in ``weights``, drawn in proportion to them."""
    cumulative = np.cumsum(weights)
    return np.searchsorted(cumulative, rng.random(size) * cumulative[-1], side="right")


def draw_population(rng: np.random.Generator) -> People:
    """All the people of ``ZIPS``: race by place, age by race and place (with mortality), sex by age."""
    ages, races, zips = [], [], []
    every_age = np.arange(OLDEST + 1)
    survival = np.exp(-0.0043 * np.exp(0.095 * (every_age - 30)))
    for position, area in enumerate(ZIPS):
        race = pick_many(rng, area.race_shares, area.people)
        profile = np.interp(every_age, PROFILE_AGES, AGE_PROFILES[area.kind]) * survival
        # Younger minorities, older majority: the tilt makes race and age depend on each other.
        tilt = np.exp(np.outer(np.where(np.arange(len(RACES)) == 0, 0.006, -0.009), every_age - 40))
        ages.append(pick(rng, (profile * tilt)[race]))
        races.append(race)
        zips.append(np.full(area.people, position))
    age = np.concatenate(ages)
    share_male = np.interp(age, (0, 40, 65, 80, 104), (0.512, 0.495, 0.47, 0.41, 0.22))
    sex = (rng.random(len(age)) < share_male).astype(int)
    return People(age, sex, np.concatenate(zips), np.concatenate(races))


def admission_rates(people: People) -> np.ndarray:
    """Relative rate of each diagnosis for each person: people x diagnoses."""
    deprivation = DEPRIVATION[people.zip]
    rates = np.empty((len(people.age), len(DIAGNOSES)))
    for column, diagnosis in enumerate(DIAGNOSES):
        by_sex = np.array([diagnosis.female, diagnosis.male])[people.sex]
        inside = (people.age >= diagnosis.ages[0]) & (people.age <= diagnosis.ages[1])
        by_age = np.interp(people.age, RATE_AGES, diagnosis.rates) * inside
        rates[:, column] = by_age * by_sex * (1 + diagnosis.deprivation * deprivation)
    rates[:, [entry.name[:3] for entry in DIAGNOSES].index("D57")] *= people.race == RACES.index("Black")
    return rates


def count_people(population: People) -> pd.DataFrame:
    """Population counts by age, sex, zip and race, in that order."""
    shape = (OLDEST + 1, len(SEXES), len(ZIPS), len(RACES))
    cells = np.ravel_multi_index((population.age, population.sex, population.zip, population.race), shape)
    used, people = np.unique(cells, return_counts=True)
    age, sex, place, race = np.unravel_index(used, shape)
    return pd.DataFrame(
        {
            "age": age.astype(str),
            "sex": np.array(SEXES, dtype=object)[sex],
            "zip": ZIP_CODES[place],
            "race": np.array(RACES, dtype=object)[race],
            "people": people,
        }
    )
