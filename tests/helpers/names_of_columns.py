"""Names of columns of public data sets, by language and by survey, and how far the kinds of these names agree.

`tests/reference/names/` has a file a language or survey, of names put together before any word for them was written,
and independently: `column` as the data set has it, `title` in its language, and `expected`, what it is: identifier,
known, sensitive, weight, neither. No word is taken from them.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from anonlib.columns.identifiers import Kind, kinds_of_survey
from anonlib.columns.roles.columns import kind_named
from anonlib.reading.sources import Described

FOLDER = Path(__file__).parents[1] / "reference" / "names"
LANGUAGES = ("english", "german", "french", "spanish", "italian", "portuguese", "dutch", "polish", "swedish")
SURVEYS = tuple(sorted({path.stem for path in FOLDER.glob("*.csv")} - {*LANGUAGES}))
TITLES = {
    "acs_pums": "American Community Survey, PUMS",
    "brfss": "Behavioral Risk Factor Surveillance System",
    "dhs": "Demographic and Health Surveys",
    "ess": "European Social Survey",
    "eu_silc": "EU-SILC",
    "german_p21": "Germany, § 21 KHEntgG",
    "german_sgbv": "Germany, claims data of SGB V",
    "i2b2": "i2b2",
    "mimic": "MIMIC-IV",
    "nhanes": "NHANES",
    "omop": "OMOP Common Data Model",
    "share": "SHARE",
    "uk_biobank": "UK Biobank",
}
_MATTERS = ("known", "sensitive", "identifier")
_OF_GROUP = {
    **dict.fromkeys(("identifier", "person", "text", "code"), "identifier"),
    **dict.fromkeys(("date", "demographic", "stay", "place"), "known"),
    "sensitive": "sensitive",
    **dict.fromkeys(("weight", "count"), "weight"),
    "fieldwork": "neither",
}


@dataclass(frozen=True)
class Agreement:
    """How far names agree: columns in all; those that matter, found, found rightly; those taken for such, rightly."""

    columns: int = 0
    matter: int = 0
    found: int = 0
    found_right: int = 0
    taken: int = 0
    taken_right: int = 0

    def __add__(self, other: Agreement) -> Agreement:
        return Agreement(*(a + b for a, b in zip(vars(self).values(), vars(other).values(), strict=True)))

    @property
    def recall(self) -> float:
        """Of the columns that are known, harmful or identifying, the share that is taken for one of these."""
        return self.found / self.matter

    @property
    def precision(self) -> float:
        """Of the columns that are taken for known, harmful or identifying, the share that is one of these."""
        return self.taken_right / self.taken

    @property
    def in_words(self) -> str:
        return f"{self.precision:.0%} / {self.recall:.0%} | {self.found_right / self.matter:.0%}"


@cache
def agreement(name: str, *, with_titles: bool) -> Agreement:
    """How far the names of a file agree, by themselves or with what a dictionary calls the columns."""
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    coded = kinds_of_survey([row["column"] for row in rows])
    total = Agreement()
    for row in rows:
        column = row["column"]
        described = Described(column, row["title"] if with_titles else "")
        is_taken_for = _role(kind_named(column, described, coded.get(column))[0])
        matters, found = row["expected"] in _MATTERS, is_taken_for in _MATTERS
        right = is_taken_for == row["expected"]
        total += Agreement(1, matters, matters and found, matters and right, found, found and matters)
    return total


def _role(kind: Kind | None) -> str:
    return "neither" if kind is None else _OF_GROUP[kind.group]


def rows() -> list[str]:
    """The table of `docs/roles.md`."""
    found = []
    for title, names in (("all languages", LANGUAGES), ("all surveys and models", SURVEYS)):
        for name in names:
            found.append(_row(TITLES.get(name, name.capitalize()), (name,)))
        found.append(_row(f"**{title}**", names))
    return found


def _row(title: str, names: tuple[str, ...]) -> str:
    both = [sum((agreement(name, with_titles=titles) for name in names), Agreement()) for titles in (False, True)]
    return f"| {title} | {both[0].columns} | {' | '.join(each.in_words for each in both)} |"
