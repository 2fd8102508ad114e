"""Laboratory values of the stays of the admissions sample: which tests a stay has, when, and what they find.

They name the person by the record number and the day of the sample, and no stay: the admissions have no number of one.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from tools.samples.laboratory_tests import TESTS, LabTest

SEED = 20261126
_ROUTINE = 0.1  # share of the stays from which on a test is a routine one
_KEPT = 0.4  # share of the routine tests that are in the file, which stays small
_DAYS_BETWEEN = 5  # of a long stay, about, until a routine test is done again
_OFTEN = 2  # most times that a test is done in a stay


def laboratory(admissions: pd.DataFrame, seed: int = SEED) -> pd.DataFrame:
    """The laboratory values, a row each, all cells text, in order of day.

    Parameters
    ----------
    admissions
        As :func:`tools.samples.admissions.admissions_and_population` makes them.
    seed
        The same seed gives the same values.
    """
    rng = np.random.default_rng(seed)
    code = admissions["diagnosis"].str[:3].to_numpy(dtype=object)
    age = admissions["age"].to_numpy().astype(int)
    stay = admissions["length_of_stay"].to_numpy().astype(int)
    admitted = admissions["admission_date"].to_numpy().astype("datetime64[D]")
    rows, days, tests, values = [], [], [], []
    for number, test in enumerate(TESTS):
        middle, share = _expected(test, code, age)
        is_routine = test.share >= _ROUTINE
        done = np.flatnonzero(rng.random(len(code)) < share * (_KEPT if is_routine else 1))
        times = np.minimum(1 + stay[done] // _DAYS_BETWEEN, _OFTEN if is_routine else 1)
        row = np.repeat(done, times)
        nth = np.arange(len(row)) - np.repeat(np.cumsum(times) - times, times)
        rows.append(row)
        days.append(np.minimum(nth * _DAYS_BETWEEN + (rng.random(len(row)) * 2).astype(int), stay[row]))
        values.append(_values(rng, test, _recovering(test, middle[row], nth)))
        tests.append(np.full(len(row), number))
    row, day, test_of_row = np.concatenate(rows), np.concatenate(days), np.concatenate(tests)
    frame = pd.DataFrame(
        {
            "medical_record_number": admissions["medical_record_number"].to_numpy(dtype=object)[row],
            "sample_date": (admitted[row] + day).astype(str),
            "test": np.array([test.name for test in TESTS], dtype=object)[test_of_row],
            "value": np.concatenate(values),
            "unit": np.array([test.unit for test in TESTS], dtype=object)[test_of_row],
        },
        dtype=object,
    )
    frame["flag"] = [_flag(TESTS[number], value) for number, value in zip(test_of_row, frame["value"], strict=True)]
    order = np.lexsort((test_of_row, rng.random(len(code))[row], admitted[row] + day))
    return frame.iloc[order].reset_index(drop=True)


def _expected(test: LabTest, code: np.ndarray, age: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """By stay the middle of its values, and how often it has the test."""
    middle, share = np.full(len(code), test.middle), np.full(len(code), test.share)
    for diagnosis, (found, often) in test.found.items():
        middle[code == diagnosis], share[code == diagnosis] = found, often
    return middle + test.aging * np.maximum(age - 60, 0) / 10, share


def _recovering(test: LabTest, middle: np.ndarray, nth: np.ndarray) -> np.ndarray:
    """Later values are nearer to a healthy person's."""
    return test.middle + (middle - test.middle) * 0.6**nth


def _values(rng: np.random.Generator, test: LabTest, middle: np.ndarray) -> np.ndarray:
    """Values around their middles, as written."""
    normal = np.sqrt(-2 * np.log1p(-rng.random(len(middle)))) * np.cos(2 * np.pi * rng.random(len(middle)))
    found = middle * np.exp(test.spread * normal) if test.ratio else middle + test.spread * normal
    return np.array([f"{max(value, 0):.{test.decimals}f}" for value in found], dtype=object)


def _flag(test: LabTest, value: str) -> str:
    """H above the usual values, L below, blank within."""
    if test.high is not None and float(value) > test.high:
        return "H"
    return "L" if test.low is not None and float(value) < test.low else ""
