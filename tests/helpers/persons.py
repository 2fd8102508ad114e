"""Small files in which it is doubtful whose row it is, as text."""

from __future__ import annotations

import random
from collections.abc import Sequence

DIAGNOSES = ("I21.4", "J18.9", "C50.9", "E11.9")


def _csv(rows: Sequence[Sequence[object]]) -> bytes:
    return "\n".join(",".join(map(str, row)) for row in rows).encode() + b"\n"


def once(n: int = 16, rows: int = 3) -> bytes:
    """Ids, births and sexes in the first row of a person alone."""
    drawn = random.Random(1)
    found: list[list[object]] = [["patient_id", "birth_year", "sex", "diagnosis"]]
    for i in range(n):
        first = [f"P{i:03}", drawn.randint(1930, 2000), drawn.choice("FM")]
        found += [[*(first if j == 0 else ["", "", ""]), drawn.choice(DIAGNOSES)] for j in range(rows)]
    return _csv(found)


def once_beside_whole_columns(n: int = 12, rows: int = 4) -> bytes:
    """Ids in the first row of a person alone, and a sex and an age in each row."""
    drawn = random.Random(2)
    found: list[list[object]] = [["patient_id", "age_group", "sex", "smoker"]]
    for i in range(n):
        of_person = [drawn.choice(["0-17", "18-44", "45+"]), drawn.choice("FM")]
        found += [[f"P{i:03}" if j == 0 else "", *of_person, drawn.choice(["yes", "no"])] for j in range(rows)]
    return _csv(found)


def spelled(n: int = 16) -> bytes:
    """Three spellings of each number."""
    drawn = random.Random(3)
    found: list[list[object]] = []
    for i in range(n):
        number = f"{4_000_000_000 + 7_919 * i * 1_000}"
        of_person = [drawn.choice(["18-44", "45-64"]), drawn.choice("FM")]
        parts = (number[:3], number[3:6], number[6:])
        spellings = (number, " ".join(parts), "-".join(parts))
        found += [[each, *of_person, drawn.choice(["yes", "no"])] for each in spellings]
    drawn.shuffle(found)
    return _csv([["nhs_number", "age_group", "sex", "smoker"], *found])


def visits(n: int = 30, placeholders: Sequence[str] = (), of_each: int = 10) -> bytes:
    """Visits of persons, and rows of persons whose id is a placeholder."""
    drawn = random.Random(4)
    found: list[list[object]] = []
    for i in range(n):
        of_person = [4_000_000_000 + 104_729 * i * i, drawn.randint(1930, 2000), drawn.choice("FM")]
        found += [[*of_person, drawn.choice(DIAGNOSES)] for _ in range(1 + i % 3)]
    found += [
        [mark, drawn.randint(1930, 2000), drawn.choice("FM"), "J18.9"] for mark in placeholders for _ in range(of_each)
    ]
    drawn.shuffle(found)
    return _csv([["nhs_number", "year_of_birth", "sex", "diagnosis"], *found])


def two_sites(n: int = 20, site: str = "facility") -> bytes:
    """Two hospitals that number their patients from 1, each."""
    drawn = random.Random(5)
    found: list[list[object]] = []
    for name in ("Addis", "Bahir"):
        for i in range(n):
            of_person = [i + 1, name, drawn.randint(1930, 2000), drawn.choice("FM")]
            found += [[*of_person, drawn.randint(90, 180)] for _ in range(1 + i % 3)]
    drawn.shuffle(found)
    return _csv([["medical_record_number", site, "birth_year", "sex", "sbp"], *found])
