"""A criterion on earlier releases of the same data: what somebody who holds both can tell apart and infer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

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
        known, now, before, rows = both_together(case.original, case.recipe, earlier)
        n = rows.n_records
        if not n:
            return self.found(True, "No record is in both releases.", n_persons=0)
        small = exposure(rows, Shared(columns=known, least=self.k))
        sizes = rows.groups(known)[1]
        smallest = int(sizes[sizes > 0].min())
        certain, few = 0, True
        harmless_now = {name: case.harmless_now(name) for name in now}
        harmless_then = {name: case.harmless_now(of, earlier) for name, of in before.items()}
        for name, harmless in (harmless_now | harmless_then).items():
            found = exposure(rows, Uncertain(columns=known, sensitive=name, share=self.most, harmless=harmless))
            certain, few = max(certain, found.records), few and found.is_met
        met = not small.records and few
        says = (
            f"Together with an earlier release the smallest class has {words.count(smallest, case.unit)}; "
            f"{words.share(small.records, n, case.unit)} are in smaller classes than {self.k:,}, and a sensitive value "
            f"of {words.share(certain, n, case.unit)} is certain."
        )
        return self.found(met, says, now=smallest, persons=max(small.records, certain), n_persons=n)


def both_together(
    original: Dataset, recipe: Recipe, earlier: Recipe
) -> tuple[tuple[str, ...], tuple[str, ...], dict[str, str], CodedRows]:
    """The records in both releases with their labels in both.

    Returns
    -------
    tuple
        The known columns of both, the sensitive ones of this release, those of the earlier one with their names there,
        and the rows.
    """
    number = unused_name("record", original.held.columns)
    numbered = original.with_held(original.held.told_apart(number), " numbered")
    now, before = (each.apply(numbered).released for each in (recipe, earlier))
    theirs = [*before.quasi_identifiers, *before.sensitive]
    names = {name: unused_name(f"{name} (earlier release)", now.held.columns) for name in theirs}
    together = replace(now, held=now.held.joined(before.held, number, names))
    known = (*now.quasi_identifiers, *(names[name] for name in before.quasi_identifiers))
    of_before = {names[name]: name for name in before.sensitive}
    classes = together.with_missing("category").classes([*known, *now.sensitive, *of_before])
    return known, tuple(now.sensitive), of_before, CodedRows.of(classes)
