"""For how many a sensitive value is certain to somebody who knows a few columns: one count for pages and evidence."""

from __future__ import annotations

from dataclasses import dataclass

from anonlib.counting.privacy_models import AttributeDisclosure
from anonlib.verdict.criteria.case import Case
from anonlib.verdict.criteria.sizes import too_many_sets


@dataclass(frozen=True)
class Certain:
    """For how many a value of a sensitive column is certain.

    Attributes
    ----------
    column : str
        The sensitive column.
    certain : int
        Records (persons, summed weights) for whom all who share their values in some set of so many columns, the empty
        set included, have the same value; it is neither missing nor one that harms nobody.
    n_records : int
        All of them.
    """

    column: str
    certain: int
    n_records: int

    @property
    def share(self) -> float:
        """Of all, in [0, 1]."""
        return self.certain / self.n_records if self.n_records else 0.0


def certain(case: Case, known: int | None, *, before: bool = False) -> dict[str, Certain] | None:
    """For how many a value of each sensitive column is certain to somebody who knows at most so many columns.

    Where persons have several rows, by the worst of what the recipient is taken to know of these.

    Parameters
    ----------
    case : Case
        The release beside its original.
    known : int | None
        How many quasi-identifiers somebody knows at most, 0 or more; None: all of them.
    before : bool, default False
        Whether to count in the original and not in the release.

    Returns
    -------
    dict of str to Certain, or None
        By sensitive column, those alone that leave; None where there are too many sets of columns to look at.

    References
    ----------
    Kroes et al. (2021), Definition 3, with p = 0.
    """
    rows = case.rows_asked_before if before else case.rows_asked
    if known is not None and too_many_sets(case, len(case.known), known, 2 * len(rows)) is not None:
        return None
    guarantees = [
        AttributeDisclosure(columns=case.known, sensitive=name, known=known, harmless=harmless, rows=each)
        for name in case.sensitive
        for harmless in [tuple(case.harmless.get(name, ())) if before else case.harmless_now(name)]
        for each in rows
    ]
    found = (case.violations_before if before else case.violations)(guarantees)
    by_column: dict[str, Certain] = {}
    for guarantee, violation in zip(guarantees, found, strict=True):
        if violation is not None:
            name = guarantee.sensitive
            most = max(violation.records, by_column[name].certain if name in by_column else 0)
            by_column[name] = Certain(name, most, violation.n_records)
    return by_column
