"""A made-up hospital's file of visits: as many rows, persons and columns as the largest public ones of their kind have.

Every column is drawn; ages, sexes and races stay with a person, the rest changes from visit to visit. Of 23 medicines
nearly everybody takes none, so that most of their values are “No”.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

ROWS, PERSONS = 101_766, 71_518
EXTRACT_ROWS, EXTRACT_PERSONS = 6_000, 2_400
MEDICINES = (
    "metformin", "repaglinide", "nateglinide", "chlorpropamide", "glimepiride", "acetohexamide", "glipizide",
    "glyburide", "tolbutamide", "pioglitazone", "rosiglitazone", "acarbose", "miglitol", "troglitazone", "tolazamide",
    "sitagliptin", "linagliptin", "insulin", "glyburide-metformin", "glipizide-metformin", "glimepiride-pioglitazone",
    "metformin-rosiglitazone", "metformin-pioglitazone",
)  # fmt: skip
_TAKEN = (0.2, 0.015, 0.007, 0.001, 0.05, 0.0002, 0.12, 0.1, 0.0003, 0.07, 0.06, 0.003, 0.0004, 0.0001, 0.0004, 0.002,
          0.0003, 0.53, 0.007, 0.0002, 0.0001, 0.0001, 0.0001)  # fmt: skip
KNOWN = (
    "race", "gender", "age", "payer_code", "admission_type", "discharge_to", "admission_source", "time_in_hospital",
)  # fmt: skip
"""What somebody outside may know of a visit."""
SENSITIVE = ("diag_1", "A1Cresult", "readmitted", *MEDICINES)


def visits(rows: int = ROWS, persons: int = PERSONS, seed: int = 11) -> pd.DataFrame:
    """The file: 50 columns of text, ``patient_nbr`` the person.

    Parameters
    ----------
    rows, persons
        How many; persons at most as many as rows. Most have one row, few have many.
    seed
        Of all that is drawn.
    """
    rng = np.random.default_rng(seed)
    extra = rng.choice(persons, rows - persons, p=_often(persons, rng))
    person = rng.permutation(np.concatenate([np.arange(persons), extra]))
    columns = {
        "encounter_id": (2_278_392 + np.arange(rows) * 13).astype(str),
        "patient_nbr": (8_222_157 + rng.permutation(persons) * 7)[person].astype(str),
        "race": _drawn(rng, ["Caucasian", "AfricanAmerican", "?", "Hispanic", "Other", "Asian"],
                       [0.748, 0.189, 0.022, 0.02, 0.015, 0.006], persons)[person],
        "gender": _drawn(rng, ["Female", "Male"], [0.54, 0.46], persons)[person],
        "age": np.array([f"[{10 * i}-{10 * i + 10})" for i in range(10)], dtype=object)[_ages(rng, persons)[person]],
        "weight": _drawn(rng, ["?", "[75-100)", "[50-75)", "[100-125)", "[125-150)"],
                         [0.97, 0.014, 0.009, 0.005, 0.002], rows),
        "admission_type": _drawn(rng, list("12345678"),
                                 [0.53, 0.18, 0.185, 0.0002, 0.047, 0.052, 0.0003, 0.0055], rows),
        "discharge_to": skewed(rng, [str(i) for i in range(1, 27)], 1.6, rows),
        "admission_source": skewed(rng, ["7", "1", "17", "4", "6", "2", "5", "3", "20", "9", "8", "22"], 1.8, rows),
        "time_in_hospital": np.minimum(rng.geometric(0.24, rows), 14).astype(str),
        "payer_code": skewed(rng, ["?", "MC", "HM", "SP", "BC", "MD", "CP", "UN", "CM", "OG", "PO", "DM"], 1.4, rows),
        "medical_specialty": skewed(rng, ["?", *(f"Specialty {i}" for i in range(1, 73))], 1.5, rows),
        "num_lab_procedures": np.clip(rng.normal(43, 19, rows).round(), 1, 132).astype(int).astype(str),
        "num_procedures": np.minimum(rng.poisson(1.3, rows), 6).astype(str),
        "num_medications": np.clip(rng.normal(16, 8, rows).round(), 1, 81).astype(int).astype(str),
        "number_outpatient": np.minimum(rng.geometric(0.75, rows) - 1, 40).astype(str),
        "number_emergency": np.minimum(rng.geometric(0.85, rows) - 1, 60).astype(str),
        "number_inpatient": np.minimum(rng.geometric(0.62, rows) - 1, 20).astype(str),
        **{f"diag_{i}": skewed(rng, _diagnoses(), 1.15, rows) for i in (1, 2, 3)},
        "number_diagnoses": np.clip(rng.normal(8, 2, rows).round(), 1, 16).astype(int).astype(str),
        "max_glu_serum": _drawn(rng, ["None", "Norm", ">200", ">300"], [0.947, 0.026, 0.015, 0.012], rows),
        "A1Cresult": _drawn(rng, ["None", ">8", "Norm", ">7"], [0.833, 0.081, 0.049, 0.037], rows),
        **{name: _doses(rng, share, rows) for name, share in zip(MEDICINES, _TAKEN, strict=True)},
        "change": _drawn(rng, ["No", "Ch"], [0.54, 0.46], rows),
        "diabetesMed": _drawn(rng, ["Yes", "No"], [0.77, 0.23], rows),
        "readmitted": _drawn(rng, ["NO", ">30", "<30"], [0.54, 0.35, 0.11], rows),
    }  # fmt: skip
    return pd.DataFrame(columns, dtype=object)


def _often(persons: int, rng: np.random.Generator) -> np.ndarray:
    """How likely each person is to come once more: a few come again and again."""
    often = rng.gamma(0.6, 1.0, persons)
    return often / often.sum()


def _ages(rng: np.random.Generator, n: int) -> np.ndarray:
    return np.clip(np.round(rng.normal(6.1, 1.6, n)), 0, 9).astype(int)


def _drawn(rng: np.random.Generator, values: list[str], shares: list[float], n: int) -> np.ndarray:
    weights = np.array(shares) / np.sum(shares)
    return np.array(values, dtype=object)[rng.choice(len(values), n, p=weights)]


def skewed(rng: np.random.Generator, values: list[str], power: float, n: int) -> np.ndarray:
    return _drawn(rng, values, (1 / np.arange(1, len(values) + 1) ** power).tolist(), n)


def _diagnoses() -> list[str]:
    """Codes of ICD-9-CM, the commonest first."""
    order = np.random.default_rng(5).permutation(np.arange(1, 1000))[:700]
    return ["428", "250.8", "276", "427", "401", "250", *(f"{code:03d}" for code in order)]


def _doses(rng: np.random.Generator, taken: float, n: int) -> np.ndarray:
    return _drawn(rng, ["No", "Steady", "Up", "Down"], [1 - taken, taken * 0.8, taken * 0.12, taken * 0.08], n)


def extract(seed: int = 2) -> pd.DataFrame:
    """A hospital's extract: 6,000 visits of 2,400 persons with dates, ward, diagnosis, lists of medicines, laboratory
    values and a body weight."""
    rng = np.random.default_rng(seed)
    n, persons = EXTRACT_ROWS, EXTRACT_PERSONS
    person = np.concatenate([np.arange(persons), rng.integers(0, persons, n - persons)])
    born = pd.Timestamp("1925-01-01") + pd.to_timedelta(rng.integers(0, 33_000, persons), unit="D")
    admitted = pd.Timestamp("2023-01-01") + pd.to_timedelta(rng.integers(0, 700, n), unit="D")
    stay = rng.geometric(0.22, n)
    medicines = np.array(
        ["A10BA02", "B01AC06", "C03CA01", "C07AB02", "C09AA05", "C10AA01", "J01CR02", "N02BE01", "N05BA06"]
    )
    codes = [f"{letter}{i:02}" for letter in "EIJKNS" for i in range(10, 40, 3)]
    ward = skewed(rng, ["MED1", "MED2", "SUR", "CARD", "NEURO", "ICU", "GYN"], 0.7, n)
    return pd.DataFrame(
        {
            "patient_id": (rng.permutation(90_000)[:persons][person] + 10_000).astype(str),
            "birth_date": born[person].strftime("%Y-%m-%d"),
            "sex": rng.choice(["f", "m"], persons)[person],
            "zip": rng.choice([f"8{i:03}" for i in range(0, 400, 9)], persons)[person],
            "insurer": skewed(rng, ["AOK", "TK", "Barmer", "DAK", "private", "other"], 0.6, persons)[person],
            "admission": admitted.strftime("%Y-%m-%d"),
            "discharge": (admitted + pd.to_timedelta(stay, unit="D")).strftime("%Y-%m-%d"),
            "ward": ward,
            "icd10": skewed(rng, codes, 0.9, n),
            "atc": [";".join(sorted(rng.choice(medicines, rng.integers(1, 4), replace=False))) for _ in range(n)],
            "creatinine_mg_dl": rng.lognormal(0, 0.4, n).round(1).astype(str),
            "crp_mg_l": rng.lognormal(2, 1.2, n).round().astype(int).astype(str),
            "weight_kg": rng.normal(78, 15, persons).round()[person].astype(int).astype(str),
        }
    )
