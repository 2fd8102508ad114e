"""A criterion on earlier releases of the same data: what somebody who holds both can tell apart and infer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from anonlib import checks, words
from anonlib.criteria.case import Case
from anonlib.criteria.criterion import Criterion, Finding, Limit
from anonlib.criteria.sizes import NOTHING_KNOWN, share
from anonlib.dataset import Dataset
from anonlib.guarantees import CodedRows, Shared, Uncertain, exposure
from anonlib.records.names import unused_name
from anonlib.release.recipe import Recipe


@dataclass(frozen=True)
class EarlierReleases(Criterion):
    """Whoever holds this release and an earlier one of the same data still finds nobody alone, and learns no more.

    The worst case is taken, that the records of both can be matched: each has its labels of both releases, and whoever
    is in one of them alone is left aside. All known columns of both may be known.
    """

    k: int = 5
    most: float = 0.01
    source: str = ""
    kind: ClassVar[str] = "earlier_releases"
    page: ClassVar[str] = "Verdict"
    limits: ClassVar[tuple[Limit, ...]] = (
        Limit("k", "Smallest class of both together", "count", 1, None),
        Limit("most", "Certain for at most", "share", 0, 1),
    )

    def __post_init__(self) -> None:
        checks.whole(self.k, "The smallest class", 1)
        share(self.most, "The share that may be certain")

    @property
    def title(self) -> str:
        return "Earlier releases"

    @property
    def bound(self) -> str:
        return f"at least {self.k:,}"

    def describe(self, unit: str = "persons") -> str:
        return (
            f"Who holds an earlier release of these data too finds no class smaller than {self.k:,}, and is certain of "
            f"a sensitive value of at most {words.percent(self.most)} of the {unit}."
        )

    def check(self, case: Case) -> Finding:
        if not case.known:
            return self.unknown(NOTHING_KNOWN)
        if not case.earlier:
            return self.found(True, "No earlier release of these data is on record.", n_persons=0)
        findings = [self._beside(case, recipe) for recipe in case.earlier]
        return min(findings, key=lambda finding: (finding.is_met, finding.now if finding.now is not None else 0))

    def _beside(self, case: Case, earlier: Recipe) -> Finding:
        known, sensitive, rows = both_together(case.original, case.recipe, earlier)
        n = rows.n_records
        if not n:
            return self.found(True, "No record is in both releases.", n_persons=0)
        small = exposure(rows, Shared(columns=known, least=self.k))
        sizes = rows.groups(known)[1]
        smallest = int(sizes[sizes > 0].min())
        certain, few = 0, True
        for name in sensitive:
            harmless = case.harmless_now(name.removesuffix(_EARLIER), earlier if name.endswith(_EARLIER) else None)
            found = exposure(rows, Uncertain(columns=known, sensitive=name, share=self.most, harmless=harmless))
            certain, few = max(certain, found.records), few and found.is_met
        met = not small.records and few
        says = (
            f"Together with an earlier release the smallest class has {words.count(smallest, case.unit)}; "
            f"{words.share(small.records, n, case.unit)} are in smaller classes than {self.k:,}, and a sensitive value "
            f"of {words.share(certain, n, case.unit)} is certain."
        )
        return self.found(met, says, now=smallest, persons=max(small.records, certain), n_persons=n)


_EARLIER = " (earlier release)"


def both_together(
    original: Dataset, recipe: Recipe, earlier: Recipe
) -> tuple[tuple[str, ...], tuple[str, ...], CodedRows]:
    """The records in both releases with their labels in both: known columns, sensitive ones, and the rows."""
    number = unused_name("record", original.columns)
    numbers = pd.Categorical.from_codes(
        np.arange(original.n_records), categories=pd.Index(np.arange(original.n_records).astype(str), dtype=object)
    )
    numbered = original.with_frame(original.records.assign(**{number: numbers}), " numbered")
    releases = [each.apply(numbered).released for each in (recipe, earlier)]
    frames = [each.records.set_index(each.records[number].astype(str)) for each in releases]
    common = frames[0].index.intersection(frames[1].index, sort=False)
    columns: dict[str, object] = {}
    known: list[str] = []
    sensitive: list[str] = []
    for released, frame, mark in zip(releases, frames, ("", _EARLIER), strict=True):
        matched = frame.loc[common]
        for name in (*released.quasi_identifiers, *released.sensitive):
            columns[name + mark] = matched[name].array
            (known if name in released.quasi_identifiers else sensitive).append(name + mark)
    counted = [name for name in (original.person_id, original.weight) if name is not None]
    columns |= {name: frames[0].loc[common, name].array for name in counted}
    joined = Dataset.from_frame(pd.DataFrame(columns), roles={name: original.roles[name] for name in counted})
    return tuple(known), tuple(sensitive), CodedRows.of(joined.classes([*known, *sensitive]))
