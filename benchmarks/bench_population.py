"""Unique in the population: how far each estimate is from the truth, on samples of populations that are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.analyses.population_uniqueness import population_uniqueness
from anonlib.analyses.population_uniqueness.decision import METHODS
from anonlib.analyses.population_uniqueness.measured import plain
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.vector import anonymity_vector
from anonlib.reading.samples import SAMPLES
from anonlib.reading.sources import open_source
from benchmarks.measuring import ADULT_NINE, REPOSITORY, Row, adult_bytes, complete, seconds, spoken

FRACTIONS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
DRAWS = 20
TENNESSEE = REPOSITORY.parent / "shared" / "data" / "tennessee_population.parquet"
NOT_IN_CODE = "Tennessee"  # its people are no part of the repository: shown, and not in what the code says
TITLE = f"### Who of those alone in a sample is alone among all, in %: mean ± standard deviation of {DRAWS} samples"
HEAD = "| population | sampled | truth | Pitman | Zayatz | SNB | rule |\n|---|---|---|---|---|---|---|"
TIMES = "### Estimates of the people alone among all, as multiples of the truth: least to most of the populations"
TIMES_HEAD = "| sampled | populations | Pitman | Zayatz | SNB | highest | lowest |\n|---|---|---|---|---|---|---|"


@dataclass(frozen=True)
class Measured:
    """What the estimates say of samples of one size: shares of those alone in the sample, a row a draw.

    ``truth`` and ``used`` are one number a draw, ``estimates`` one a draw and method, NaN where it has no solution.
    ``times`` are the estimated people who are alone among all, as multiples of those who are: a row a draw.
    """

    truth: np.ndarray
    estimates: np.ndarray
    used: np.ndarray
    times: np.ndarray

    def mean_times(self) -> np.ndarray:
        """Means over the draws of each method, the highest and the lowest; NaN where hardly a draw has a solution."""
        columns = [*self.times.T, np.nanmax(self.times, axis=1), np.nanmin(self.times, axis=1)]
        solved = [column[~np.isnan(column)] for column in columns]
        return np.array([each.mean() if len(each) * 2 >= len(self.times) else np.nan for each in solved])


def rows() -> list[Row]:
    frame = complete(open_source(adult_bytes(), "adult.csv").frame)
    vector = ClassTable.from_frame(frame, ADULT_NINE).anonymity_vector
    taken = seconds(lambda: population_uniqueness(vector, 10_000_000), 21)
    what = "The three estimates on Adult, 19,502 classes, of 10 million people"
    return [Row(what, spoken(taken), "< 10 ms", taken < 0.01)]


def tables() -> str:
    """Shares of those alone in the sample who are alone among all, and how far estimates are from the truth."""
    lines, times = [TITLE, "", HEAD], {fraction: list[np.ndarray]() for fraction in FRACTIONS}
    for name, make in populations().items():
        cells = make()
        for fraction in FRACTIONS:
            measured = simulate(cells, fraction, DRAWS, np.random.default_rng(20_260))
            if measured is None:
                continue
            shares = [measured.truth, *measured.estimates.T, measured.used]
            lines.append(f"| {name} | {100 * fraction:g}% | {' | '.join(map(_spread, shares))} |")
            if not name.startswith(NOT_IN_CODE):
                times[fraction].append(measured.mean_times())
    lines += ["", TIMES, "", TIMES_HEAD]
    for fraction, measured_ones in times.items():
        cells_of_line = " | ".join(_least_to_most(column) for column in np.array(measured_ones).T)
        lines.append(f"| {100 * fraction:g}% | {len(measured_ones)} | {cells_of_line} |")
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
        "generated: log-normal cells, wide (1 million)": lambda: _generated(_log_normal(500_000, 3), 1_000_000),
        "generated: gamma cells (1 million)": lambda: _generated(
            np.random.default_rng(3).gamma(0.1, 1, 300_000), 1_000_000
        ),
        "generated: towns, age, sex, race (2 million)": lambda: _generated(_towns(600), 2_000_000),
        "generated: a common core and rare cells (2 million)": lambda: _generated(_core(30_000, 0.6), 2_000_000),
        "generated: a common core and rare cells (8 million)": lambda: _generated(_core(80_000, 0.8), 8_000_000),
        "generated: a common core and very rare cells (4 million)": lambda: _generated(
            _core(40_000, 0.8, 2.5), 4_000_000
        ),
        "generated: an even core and even rare cells (1 million)": lambda: _generated(_core(20_000, 0, 0), 1_000_000),
    }


def simulate(cells: np.ndarray, fraction: float, draws: int, rng: np.random.Generator) -> Measured | None:
    """Draw simple random samples and estimate from each; None where the samples have nobody alone."""
    people, alone_among_all = int(cells.sum()), int((cells == 1).sum())
    truth, estimates, used, times = [], [], [], []
    for _ in range(draws):
        sample = rng.multivariate_hypergeometric(cells, round(fraction * people), method="marginals")
        alone = sample == 1
        if alone.any():
            found = population_uniqueness(anonymity_vector(sample), people)
            truth.append(float((cells[alone] == 1).mean()))
            estimates.append([np.nan if each.share is None else each.share for each in found.estimates])
            used.append(found.used.share)
            uniques = [np.nan if each.uniques is None else each.uniques for each in found.estimates]
            times.append([each / alone_among_all for each in uniques])
    if not truth:
        return None
    of_methods = (np.array(each).reshape(-1, len(METHODS)) for each in (estimates, times))
    return Measured(np.array(truth), next(of_methods), np.array(used), next(of_methods))


def _least_to_most(column: np.ndarray) -> str:
    """Of one method and fraction: the least and the most of the populations where it has a solution."""
    solved = column[~np.isnan(column)]
    if not len(solved):
        return "none"
    some = "" if len(solved) == len(column) else f" ({len(solved)} of {len(column)})"
    return f"{plain(solved.min())} to {plain(solved.max())}{some}"


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


def _generated(weights: np.ndarray, people: int = 200_000) -> np.ndarray:
    cells = np.random.default_rng(7).multinomial(people, weights / weights.sum())
    return cells[cells > 0]


def _log_normal(cells: int, spread: float) -> np.ndarray:
    weights = np.random.default_rng(3).lognormal(0, spread, cells)
    return weights / weights.sum()


def _core(cells: int, spread: float, rare_spread: float = 2.0) -> np.ndarray:
    """Nine of ten people in cells that are much alike, and one of ten in ten times as many that differ more."""
    return np.concatenate([0.9 * _log_normal(cells, spread), 0.1 * _log_normal(10 * cells, rare_spread)])


def _towns(towns: int) -> np.ndarray:
    """Each town has its size and its shares of six races; ages fall off from 60 on, and both sexes are alike."""
    rng = np.random.default_rng(11)
    size = rng.lognormal(0, 1.4, towns)
    races = rng.dirichlet(6 * np.array([0.77, 0.16, 0.05, 0.015, 0.004, 0.001]), towns)
    ages = np.interp(np.arange(101), [0, 60, 75, 90, 100], [1, 1, 0.6, 0.12, 0.003])
    return np.repeat((size[:, None, None] * races[:, :, None] * ages).ravel(), 2)
