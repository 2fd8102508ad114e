"""A criterion on single columns: how many share each value that leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from anonlib import checks, words
from anonlib.criteria.case import Case
from anonlib.criteria.criterion import Criterion, Finding, Limit
from anonlib.dataset import Dataset
from anonlib.guarantees import Guarantee, Shared


@dataclass(frozen=True)
class RareValues(Criterion):
    """Every released value of a column, a missing one too, is shared by enough: a smallest cell for one column.

    Each sensitive column is looked at by itself and the worst counts; ``column`` names another, or one of them.
    """

    least: int = 5
    column: str = ""
    source: str = ""
    kind: ClassVar[str] = "rare_values"
    page: ClassVar[str] = "Risk"
    limits: ClassVar[tuple[Limit, ...]] = (Limit("least", "Each value shared by at least", "count", 1, None),)

    def __post_init__(self) -> None:
        checks.whole(self.least, "The smallest number that share a value", 1)
        checks.text(self.column, "The column")

    @property
    def title(self) -> str:
        return "Rare values" if not self.column else f"Rare values of {self.column}"

    @property
    def bound(self) -> str:
        return f"at least {self.least:,}"

    def describe(self, unit: str = "persons") -> str:
        of = self.column or "a sensitive column"
        return f"At least {words.count(self.least, unit)} share every value of {of} that is released."

    def _columns(self, case: Case) -> tuple[str, ...]:
        return (self.column,) if self.column else case.sensitive

    def guarantees(self, case: Case) -> tuple[Guarantee, ...]:
        searched = {*case.known, *case.sensitive}
        return tuple(Shared(columns=(name,), least=self.least) for name in self._columns(case) if name in searched)

    def check(self, case: Case) -> Finding:
        columns = self._columns(case)
        if self.column and self.column not in case.original.columns:
            return self.unknown(f"The file has no column “{self.column}”. Remove this criterion.")
        before = [_sharing(case.original, name) for name in columns]
        original = min((min(shared) for shared in before if shared), default=None)
        found = {name: _sharing(case.released, name) for name in columns if name in case.released.columns}
        if not found:
            which = self.column or "No sensitive column"
            return self.found(True, f"{which} is {'not ' if self.column else ''}released.", original=original)
        n = sum(next(iter(found.values())))
        fewest = {name: min(shared, default=0) for name, shared in found.items()}
        rarest = min(fewest, key=fewest.__getitem__)
        below = {name: sum(each for each in shared if each < self.least) for name, shared in found.items()}
        most = max(below, key=below.__getitem__)
        says = f"The rarest value, one of {rarest}, is that of {words.count(fewest[rarest], case.unit)}."
        if below[most]:
            says = f"{words.share(below[most], n, case.unit)} have a rarer value of {most}. {says}"
        worst = tuple(sorted(((name, number) for name, number in below.items() if number), key=lambda each: -each[1]))
        return self.found(
            not worst, says, now=fewest[rarest], original=original, persons=below[most], n_persons=n, worst=worst[:5]
        )


def _sharing(dataset: Dataset, column: str) -> list[int]:
    """How many share each value of a column, of the records that a release of the data set has."""
    return dataset.with_counted().with_missing("category").classes([column]).counts.tolist()
