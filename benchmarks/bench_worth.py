"""What is left of a file for each recipient: the first proposal with the roles as suggested, counted on what leaves.

Detail kept is of the columns that are not nearly constant, the mean over columns of what
:func:`anonlib.release.levels.levels_of` counts of their cells; a column that is removed or dropped keeps none.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pandas as pd

from anonlib.basics.words import percent
from anonlib.columns.roles import suggest_roles
from anonlib.filing.project import LoadedFile, Opened, Project, open_project
from anonlib.filing.project.opened import case_of, verdict_of
from anonlib.release.left import columns_left, nearly_constant
from anonlib.release.levels import levels_of
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import PARTS, Aim
from anonlib.verdict.proposals import Adviser, Asked, Proposal
from anonlib.verdict.proposals.offers import AT_ONCE, kinds_of
from benchmarks.hospital import extract, visits
from benchmarks.measuring import REPOSITORY, Row, adult_bytes, spoken

BESIDE = REPOSITORY.parent / "shared" / "data"
RECIPIENTS = ("within", "contract", "public")
KEPT = 0.85
"""What is wanted under contract and within: no column removed, and at least so much detail kept."""


@dataclass(frozen=True)
class Worth:
    """Of one file for one recipient: seconds to the first proposal with its verdict, and what is left."""

    seconds: float
    says: str
    gone: tuple[str, ...]
    n_columns: int
    known_kept: float
    sensitive_kept: float
    records_kept: float

    @property
    def kept(self) -> float:
        """Detail kept of known and sensitive columns."""
        return (self.known_kept + self.sensitive_kept) / 2


def rows() -> list[Row]:
    return list(_rows())


def _rows() -> Iterator[Row]:
    for name, read in files().items():
        for key in RECIPIENTS:
            worth = worth_of(read(), key)
            if worth is None:
                yield Row(f"What is left of {name}, {key}", "no first proposal of mixed coarseness")
                continue
            measured = (
                f"{spoken(worth.seconds)}; {len(worth.gone)} of {worth.n_columns} columns removed; detail kept: known "
                f"{percent(worth.known_kept)}, sensitive {percent(worth.sensitive_kept)}; rows kept "
                f"{percent(worth.records_kept)}; {worth.says}"
            )
            is_aim = key != "public"
            met = not worth.gone and min(worth.known_kept, worth.sensitive_kept) >= KEPT if is_aim else None
            yield Row(
                f"What is left of {name}, {key}", measured, f"none removed, {percent(KEPT)} kept" if is_aim else "", met
            )


def files() -> dict[str, Callable[[], bytes]]:
    """By name, the bytes of each file that is here."""
    found: dict[str, Callable[[], bytes]] = {
        "admissions": (REPOSITORY / "data" / "samples" / "admissions.csv").read_bytes,
        "adult": adult_bytes,
        "hospital extract, made up": lambda: _csv(extract()),
        "101,766 visits, made up": lambda: _csv(visits()),
    }
    for name in ("heart_cleveland", "cervical_cancer"):
        if (BESIDE / f"{name}.csv").is_file():
            found[name] = (BESIDE / f"{name}.csv").read_bytes
    return found


def _csv(frame: pd.DataFrame) -> bytes:
    buffer = io.StringIO()
    frame.to_csv(buffer, index=False)
    return buffer.getvalue().encode()


def worth_of(content: bytes, recipient: str) -> Worth | None:
    """What the first proposal of mixed coarseness leaves; None where there is none."""
    opened = _opened(content, recipient)
    data, aim = opened.data, opened.project.aim
    begun = time.perf_counter()
    (kind,) = kinds_of([PARTS])
    proposal = kind.search(Adviser(Asked.of(data, aim, {})), AT_ONCE, None)
    if not isinstance(proposal, Proposal):
        return None
    recipe = proposal.taken(Recipe(), data)
    applied = recipe.apply(data)
    verdict = verdict_of(case_of(applied, recipe, None, aim), aim, ())
    seconds = time.perf_counter() - begun
    left, alike = columns_left(applied), {*nearly_constant(data, [*data.quasi_identifiers, *data.sensitive])}
    detail = {
        column.column: sum(part.share * part.detail for part in column.parts) for column in levels_of(applied, recipe)
    }
    known = [detail[name] for name in data.quasi_identifiers if name not in alike]
    sensitive = [detail[name] for name in data.sensitive if name not in alike]
    gone = (*left.removed, *left.dropped)
    kept = applied.released.n_rows / max(1, data.n_rows)
    return Worth(seconds, verdict.decision, gone, left.n_columns, _mean(known), _mean(sensitive), kept)


def _opened(content: bytes, recipient: str) -> Opened:
    """The file with every column in the role that is suggested for it."""
    loaded = LoadedFile.of(content, "file.csv")
    before = open_project(Project(), loaded)
    roles = {each.column: each.role for each in suggest_roles(before.data.held, before.data.described)}
    return open_project(Project(roles=roles, aim=Aim.for_recipient(recipient)), loaded)


def _mean(shares: list[float]) -> float:
    return sum(shares) / len(shares) if shares else 1.0


if __name__ == "__main__":
    for row in _rows():
        print(row, flush=True)
