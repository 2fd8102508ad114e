"""Records and the people they come from, of the size of a state: Tennessee's where at hand, else made-up ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from anonlib.analyses.frontier.domains import safe_harbor_order
from anonlib.analyses.frontier.evaluation import Plane
from anonlib.analyses.frontier.space import PolicySpace, sparse_zip3
from anonlib.counting.classes import ClassTable
from anonlib.values.cells import text_categorical
from benchmarks.measuring import REPOSITORY

ZIPS, RACES, SEXES, AGES = 622, 7, 2, 111
PEOPLE, RECORDS = 6_400_000, 32_561
# As a census tabulates them: neighbours that a policy may join.
CENSUS_RACES = ["White", "Black", "American Indian", "Asian", "Pacific Islander", "Other", "Two or more"]
SHARES = (0.76, 0.16, 0.04, 0.015, 0.015, 0.006, 0.004)
"""Of the made-up people, by race; they differ from ZIP to ZIP."""


@dataclass(frozen=True)
class State:
    """Records with age, sex, race and ZIP code, and the people they come from, in full domains.

    Attributes
    ----------
    space : the policies.
    real : the places, ages and races are modelled after Tennessee's, and not made up.
    """

    space: PolicySpace
    real: bool

    @cached_property
    def plane(self) -> Plane:
        return Plane(self.space)

    @cached_property
    def safe_harbor(self) -> np.ndarray:
        return self.space.safe_harbor("age", "zip")

    @property
    def where(self) -> str:
        return "the Tennessee set" if self.real else "made-up records and people"

    @property
    def people(self) -> int:
        return int(self.space.cells.people.sum())

    def dense(self) -> tuple[np.ndarray, np.ndarray]:
        """int64, the records and the people of every combination of values; every domain is full."""
        cells = self.space.cells
        tables = np.zeros((2, *map(len, self.space.domains)), dtype=np.int64)
        tables[(slice(None), *(cells.places.T // 2))] = cells.records, cells.people
        return tables[0], tables[1]


def state() -> State:
    """Tennessee's where its files are beside the repository, else a made-up one."""
    folder = REPOSITORY.parent / "shared" / "data"
    files = folder / "adult_tennessee.csv", folder / "tennessee_population.parquet"
    if not all(file.exists() for file in files):
        return State(_space(*made_up()), False)
    return State(_space(pd.read_csv(files[0], dtype=str), pd.read_parquet(files[1])), True)


def _space(records: pd.DataFrame, people: pd.DataFrame) -> PolicySpace:
    names = [name for name in people.columns if name != "population"]
    weighted = pd.DataFrame(
        {name: text_categorical(people[name]) for name in names} | {"population": people.population}
    )
    population = ClassTable.from_frame(weighted, names, weights="population")
    classes = ClassTable.from_frame(pd.DataFrame({name: text_categorical(records[name]) for name in names}), names)
    zips = population.categories[names.index("zip")]
    order: dict[str, list[str]] = {"zip": safe_harbor_order(zips, sparse_zip3(population, "zip"))}
    if set(CENSUS_RACES) == set(population.categories[names.index("race")]):
        order["race"] = CENSUS_RACES
    return PolicySpace(classes, population, order, observed_only=False)


def made_up(seed: int = 1) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Records, one a row, and people, one combination a row. Records are drawn from the people without replacement,
    and fewer of the old than of the young; nobody below 17 is among them."""
    rng = np.random.default_rng(seed)
    size = rng.lognormal(0, 1.3, ZIPS)
    race = rng.gamma(8 * np.array(SHARES), size=(ZIPS, RACES))
    age = _ages(rng)
    share = np.einsum("z,zr,za,s->zrsa", size, race / race.sum(axis=1, keepdims=True), age, [0.51, 0.49])
    counts = rng.multinomial(PEOPLE, share.ravel() / share.sum()).reshape(share.shape)
    ages = np.arange(AGES)
    willing = np.where(ages < 17, 0.0, np.exp(-(((ages - 17) / 38) ** 2)))
    asked = rng.binomial(counts, willing)
    drawn = rng.multivariate_hypergeometric(asked.ravel(), RECORDS, method="marginals").reshape(counts.shape)
    values = (_zips(rng), [f"race {i + 1}" for i in range(RACES)], ["Female", "Male"], [str(i) for i in ages])
    people = _rows(counts, values)
    records = _rows(drawn, values)
    return records.loc[records.index.repeat(records.population)].drop(columns="population"), people


def _ages(rng: np.random.Generator) -> np.ndarray:
    """float, ZIPs x ages: as many of each age up to about 60, then ever fewer; older and younger places differ."""
    ages = np.arange(AGES)
    end = rng.normal(74, 5, (ZIPS, 1))
    share = (1 + 0.3 * np.cos(ages / 12 + rng.uniform(0, 3, (ZIPS, 1)))) / (1 + np.exp((ages - end) / 7))
    return share / share.sum(axis=1, keepdims=True)


def _zips(rng: np.random.Generator) -> list[str]:
    """Codes from 370 01 to 385 99, as many in each three-digit area as chance has it."""
    return [f"{37_000 + number:05d}" for number in np.sort(rng.choice(1_600, ZIPS, replace=False))]


def _rows(counts: np.ndarray, values: tuple[list[str], ...]) -> pd.DataFrame:
    places = np.nonzero(counts)
    columns = {
        name: np.array(of, dtype=object)[place]
        for name, of, place in zip(("zip", "race", "sex", "age"), values, places, strict=True)
    }
    return pd.DataFrame(columns | {"population": counts[places]})
