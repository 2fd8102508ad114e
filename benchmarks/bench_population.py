"""Unique in the population: how far each estimate is from the truth, on samples of populations that are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.classes import ClassTable
from anonlib.classes.vector import anonymity_vector
from anonlib.population_uniqueness import population_uniqueness
from anonlib.population_uniqueness.decision import METHODS
from anonlib.samples import SAMPLES
from anonlib.sources import open_source
from benchmarks.measuring import ADULT_NINE, REPOSITORY, Row, adult_bytes, complete, seconds, spoken

FRACTIONS = (0.001, 0.01, 0.05, 0.1, 0.2, 0.5)
DRAWS = 40
TENNESSEE = REPOSITORY.parent / "shared" / "data" / "tennessee_population.parquet"
TITLE = "### Who of those alone in a sample is alone among all, in %: mean ± standard deviation of 40 samples"
HEAD = "| population | sampled | truth | Pitman | Zayatz | SNB | used |\n|---|---|---|---|---|---|---|"


@dataclass(frozen=True)
class Measured:
    """What the estimates say of samples of one size: shares of those alone in the sample, a row a draw.

    ``truth`` and ``used`` are one number a draw, ``estimates`` one a draw and method, NaN where it has no solution.
    """

    truth: np.ndarray
    estimates: np.ndarray
    used: np.ndarray


def rows() -> list[Row]:
    frame = complete(open_source(adult_bytes(), "adult.csv").frame)
    vector = ClassTable.from_frame(frame, ADULT_NINE).anonymity_vector
    taken = seconds(lambda: population_uniqueness(vector, 10_000_000), 21)
    what = "The three estimates on Adult, 19,502 classes, of 10 million people"
    return [Row(what, spoken(taken), "< 10 ms", taken < 0.01)]


def tables() -> str:
    """Mean and standard deviation, over draws, of the share of those alone in the sample who are alone among all."""
    lines = [TITLE, "", HEAD]
    for name, make in populations().items():
        cells = make()
        for fraction in FRACTIONS:
            measured = simulate(cells, fraction, DRAWS, np.random.default_rng(20_260))
            if measured is not None:
                shares = [measured.truth, *measured.estimates.T, measured.used]
                lines.append(f"| {name} | {100 * fraction:g}% | {' | '.join(map(_spread, shares))} |")
    return "\n".join([*lines, ""])


def populations() -> dict[str, Callable[[], np.ndarray]]:
    """By its name, how many people each combination of values has."""
    known: dict[str, Callable[[], np.ndarray]] = {
        "admissions: age, sex, ZIP, race (120,000)": lambda: _admissions(["age", "sex", "zip", "race"]),
        "admissions: age, ZIP (120,000)": lambda: _admissions(["age", "zip"]),
    }
    if TENNESSEE.exists():
        known["Tennessee: age, sex, ZIP, race (6.4 million)"] = _tennessee
    return known | {
        "generated: 100,000 even cells (200,000)": lambda: _generated(np.ones(100_000)),
        "generated: log-normal cells (200,000)": lambda: _generated(np.random.default_rng(3).lognormal(0, 2, 100_000)),
        "generated: cells by a power law (200,000)": lambda: _generated(np.arange(1, 200_001) ** -1.5),
    }


def simulate(cells: np.ndarray, fraction: float, draws: int, rng: np.random.Generator) -> Measured | None:
    """Draw simple random samples and estimate from each; None where the samples have nobody alone."""
    people = int(cells.sum())
    truth, estimates, used = [], [], []
    for _ in range(draws):
        sample = rng.multivariate_hypergeometric(cells, round(fraction * people), method="marginals")
        alone = sample == 1
        if alone.any():
            found = population_uniqueness(anonymity_vector(sample), people)
            truth.append(float((cells[alone] == 1).mean()))
            estimates.append([np.nan if each.share is None else each.share for each in found.estimates])
            used.append(found.used.share)
    return Measured(np.array(truth), np.array(estimates).reshape(-1, len(METHODS)), np.array(used)) if truth else None


def _spread(shares: np.ndarray) -> str:
    solved = 100 * shares[~np.isnan(shares)]
    if not len(solved):
        return "none"
    some = "" if len(solved) == len(shares) else f" ({len(solved)} of {len(shares)})"
    return f"{solved.mean():.1f} ± {solved.std():.1f}{some}"


def _admissions(columns: list[str]) -> np.ndarray:
    sample = next(each for each in SAMPLES if each.key == "admissions")
    assert sample.population
    path = sample.path.with_name(sample.population)
    return ClassTable.from_frame(open_source(path.read_bytes(), path.name).frame, columns, "people").counts


def _tennessee() -> np.ndarray:
    table = pd.read_parquet(TENNESSEE)
    counts = table.select_dtypes("number").iloc[:, -1].to_numpy(dtype=np.int64)
    return counts[counts > 0]


def _generated(weights: np.ndarray) -> np.ndarray:
    cells = np.random.default_rng(7).multinomial(200_000, weights / weights.sum())
    return cells[cells > 0]
