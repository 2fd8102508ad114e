"""Public data dictionaries: names and values of columns, the roles that are right, and how far suggestions agree.

`tests/reference/dictionaries/` has a file a dictionary. `role` is one letter, or several where several are right: I
identifier, P person id, Q known outside (quasi-identifier or place), S sensitive, O other. `values` are examples parted
by `|`, or a sort of values: `whole 1 99`, `real 0 5 2` (decimals), `unique 9` and `repeated 9` (digits), `date`,
`datetime` and `digits` with the first and the last year, `times`, `uuid`, `ssn`, `names`, `addresses`.

`tests/reference/surveys/` has files of the same form, with a `title` and sometimes a `unit` of each column, as surveys
and hospital extracts have them. Those in `set_apart` were written down, with their roles, before any word was added for
them, and their words are among those that names are compared with; those in `kept_back` were only measured, once.
"""

from __future__ import annotations

import csv
import uuid
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from anonlib.columns.roles import Role, Suggestion, suggest_roles
from anonlib.reading.sources import Described

FOLDER = Path(__file__).parents[1] / "reference" / "dictionaries"
SURVEYS = FOLDER.parent / "surveys"
SET_APART, KEPT_BACK = (
    tuple(f"{part}/{path.stem}" for path in sorted((SURVEYS / part).glob("*.csv")))
    for part in ("set_apart", "kept_back")
)
HELD_OUT = ("kaggle_healthcare",)
"""Looked at only to measure: no rule and no word was chosen by them."""
MADE_WITH = tuple(sorted({path.stem for path in FOLDER.glob("*.csv")} - {*HELD_OUT}))

TITLES = {
    "cdc_covid": "CDC, COVID-19 case surveillance (with geography)",
    "datasus_sih": "Brazil, DATASUS hospital admissions (SIH-RD), Portuguese",
    "eicu_patient": "eICU Collaborative Research Database, patient",
    "german_hospital": "Germany, hospital data of § 21 KHEntgG",
    "hcup_nis": "HCUP National Inpatient Sample, core",
    "hes_apc": "England, Hospital Episode Statistics, admitted patient care",
    "kaggle_healthcare": "Kaggle, Healthcare Dataset",
    "mimic_admissions": "MIMIC-IV, admissions and patients",
    "nhanes_demo": "NHANES, demographics",
    "omop_cdm": "OMOP Common Data Model, person, visit, condition, drug, measurement",
    "sparcs": "New York SPARCS, de-identified discharges",
    "synpuf": "CMS DE-SynPUF, beneficiaries and inpatient claims",
    "synthea_patients": "Synthea, patients",
    "texas_pudf": "Texas, inpatient public use data file",
    "uci_diabetes": "UCI, Diabetes 130-US hospitals",
}
_TITLES_OF_SURVEYS = {
    "attitudes": "Attitudes",
    "cluster_household_children": "Households, women and children by clusters",
    "dutch_panel_background": "Panel of households in the Netherlands, background and health",
    "french_conditions_de_vie": "Living conditions, French",
    "german_haushalt_gesundheit": "Households and health, German",
    "german_intensivstation": "Intensive care: laboratory, vital signs, doses, German",
    "health_habits": "Health habits",
    "hospital_measurements": "Hospital: laboratory, vital signs, doses",
    "household_panel": "Panel of households and persons",
    "italian_vita_quotidiana": "Daily life, Italian",
    "labour_force": "Labour force",
    "spanish_encuesta_salud": "Health, Spanish",
}
_RECORDS = 600
_LETTER = {
    Role.IDENTIFIER: "I",
    Role.PERSON_ID: "P",
    Role.QUASI_IDENTIFIER: "Q",
    Role.PLACE: "Q",
    Role.SENSITIVE: "S",
    Role.OTHER: "O",
    Role.WEIGHT: "W",
}
_FIRST = "Anna Ben Carla David Emma Felix Grace Henry Irene Jonas Karen Louis Maria Nina Oscar Paula".split()


Rate = tuple[int, int]
"""How many are found, and of how many."""


@dataclass(frozen=True)
class Judged:
    """A column of a dictionary: the letters of the roles that are right, and what was suggested."""

    dictionary: str
    right: frozenset[str]
    suggestion: Suggestion

    @property
    def letter(self) -> str:
        return _LETTER[self.suggestion.role]

    @property
    def agrees(self) -> bool:
        return self.letter in self.right


@cache
def judged(dictionary: str, folder: Path = FOLDER, *, with_titles: bool = True) -> tuple[Judged, ...]:
    """Every column of a dictionary, with what is suggested for it among the others."""
    with (folder / f"{dictionary}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    rng = np.random.default_rng(20)
    frame = pd.DataFrame({row["column"]: _cells(row["values"], rng) for row in rows}, dtype=object)
    titles = (Described(row["column"], row.get("title", ""), row.get("unit", "")) for row in rows)
    described = {each.name: each for each in titles} if with_titles else {}
    found = suggest_roles(frame.where(frame != "", None), described)
    return tuple(
        Judged(dictionary, frozenset(row["role"].split("/")), each) for row, each in zip(rows, found, strict=True)
    )


@dataclass(frozen=True)
class Score:
    """How far suggestions agree: columns in all, right ones, right ones of those accepted unasked, and by letter.

    ``understated`` are columns that somebody outside knows, or that would harm, and that are other unasked.
    ``precision`` and ``recall`` are of the letters I (with P), Q and S: the share of the columns suggested so for which
    that is right, and the share of the columns for which it alone is right that are suggested so.
    """

    columns: int
    right: int
    unasked: int
    unasked_right: int
    understated: int
    precision: dict[str, float]
    recall: dict[str, float]

    @classmethod
    def of(cls, columns: list[Judged]) -> Score:
        unasked = [each for each in columns if not each.suggestion.asked]
        precision, recall = {}, {}
        for letter, alike in {"I": {"I", "P"}, "Q": {"Q"}, "S": {"S"}}.items():
            suggested = [each for each in columns if each.letter in alike]
            must = [each for each in columns if each.right <= alike]
            hits = Counter(bool(each.right & alike) for each in suggested)
            precision[letter] = hits[True] / len(suggested) if suggested else 1.0
            recall[letter] = sum(each.letter in alike for each in must) / len(must) if must else 1.0
        right, right_unasked = (sum(each.agrees for each in some) for some in (columns, unasked))
        understated = sum(each.letter == "O" and "O" not in each.right for each in unasked)
        return cls(len(columns), right, len(unasked), right_unasked, understated, precision, recall)

    def row(self, name: str) -> str:
        """The line of `docs/roles.md`."""
        both = (f"{self.precision[letter]:.0%} / {self.recall[letter]:.0%}" for letter in "QIS")
        return (
            f"| {name} | {self.columns} | {' | '.join(both)} | {self.unasked_right} of {self.unasked} | "
            f"{self.understated} |"
        )


def rows() -> list[str]:
    """The table of `docs/roles.md`: a line a dictionary, and one for those words were taken from and the others."""
    found = []
    for title, names in (("all of these", MADE_WITH), ("all of those held out", HELD_OUT)):
        found += [Score.of(list(judged(name))).row(TITLES[name]) for name in names]
        found.append(Score.of([each for name in names for each in judged(name)]).row(f"**{title}**"))
    return found


def rates(names: tuple[str, ...], *, with_titles: bool = True) -> tuple[Rate, Rate, Rate]:
    """Of the files of surveys: known columns suggested as known, harmful ones as sensitive, and all rightly."""
    columns = [each for name in names for each in judged(name, SURVEYS, with_titles=with_titles)]
    known = [each.letter == "Q" for each in columns if each.right == {"Q"}]
    harmful = [each.letter == "S" for each in columns if each.right == {"S"}]
    right = [each.agrees for each in columns]
    return tuple((sum(found), len(found)) for found in (known, harmful, right))  # type: ignore[return-value]


def rows_of_surveys() -> list[str]:
    """The table of `docs/roles.md` of the files of surveys: with their titles, and by names and values alone."""
    found = []
    for title, names in (("all that were set apart", SET_APART), ("all that were kept back", KEPT_BACK)):
        found += [_row_of_survey(_TITLES_OF_SURVEYS[name.split("/")[1]], (name,)) for name in names]
        found.append(_row_of_survey(f"**{title}**", names))
    return found


def _row_of_survey(title: str, names: tuple[str, ...]) -> str:
    both = rates(names), rates(names, with_titles=False)
    cells = [" | ".join(f"{found} of {n}" for found, n in of) for of in both]
    return f"| {title} | {' | '.join(cells)} |"


def _cells(values: str, rng: np.random.Generator) -> list[str]:
    sort, *numbers = values.split()[:4] or [""]
    match sort, [float(n) for n in numbers if n.replace(".", "").lstrip("-").isdigit()]:
        case "whole", [low, high]:
            return [str(n) for n in rng.integers(int(low), int(high) + 1, _RECORDS)]
        case "real", [low, high, decimals]:
            return [f"{n:.{int(decimals)}f}" for n in rng.uniform(low, high, _RECORDS)]
        case "unique" | "repeated", [length]:
            low, distinct = 10 ** int(length - 1), _RECORDS if sort == "unique" else _RECORDS // 3
            ids = (
                low + rng.choice(8 * min(low, 10**15), distinct, replace=False)
                if low < 10**6
                else low + np.sort(rng.integers(0, 8 * low if low < 10**17 else low, distinct))
            )
            return [str(n) for n in rng.permutation(np.resize(ids, _RECORDS))]
        case "date" | "datetime" | "digits", [first, last]:
            days = np.datetime64(f"{int(first)}-01-01") + rng.integers(0, 365 * int(last - first + 1), _RECORDS)
            pattern = {"date": "%Y-%m-%d", "datetime": "%Y-%m-%d %H:%M:%S", "digits": "%Y%m%d"}[sort]
            at = pd.DatetimeIndex(days) + pd.to_timedelta(rng.integers(0, 86400, _RECORDS), unit="s")
            return at.strftime(pattern).tolist()
        case "times", []:
            return [f"{s // 3600:02d}:{s // 60 % 60:02d}:{s % 60:02d}" for s in rng.integers(0, 86400, _RECORDS)]
        case "uuid", []:
            return [str(uuid.UUID(bytes=rng.bytes(16))) for _ in range(_RECORDS)]
        case "ssn", []:
            return [f"999-{n // 10000:02d}-{n % 10000:04d}" for n in rng.choice(10**6, _RECORDS, replace=False)]
        case "names", []:
            return [f"{rng.choice(_FIRST)}{n}" for n in rng.integers(100, 999, _RECORDS)]
        case "addresses", []:
            return [f"{n} {rng.choice(_FIRST)} Street" for n in rng.integers(1, 999, _RECORDS)]
    return rng.choice(values.split("|"), _RECORDS).tolist()
