"""Criteria on the sensitive values of each class: l-diversity and t-closeness."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from anonlib.basics import checks, words
from anonlib.basics.errors import InputError
from anonlib.basics.thresholds import is_at_least, is_at_most
from anonlib.counting.privacy_models import (
    LDiversity,
    PrivacyModel,
    RowsKnown,
    TCloseness,
    number_of_any,
    violating,
    worst,
)
from anonlib.counting.privacy_models.violations import Measure
from anonlib.verdict.criteria.case import Case
from anonlib.verdict.criteria.criterion import Criterion, Finding, Limit
from anonlib.verdict.criteria.inference import NOTHING_SENSITIVE
from anonlib.verdict.criteria.rows import USUAL, Rows, by_column, by_rows, checked, known, of_rows
from anonlib.verdict.criteria.sizes import NOTHING_KNOWN, linked_by, searched, share


@dataclass(frozen=True)
class Diversity(Criterion):
    """l-diversity: every class has at least l sensitive values (Machanavajjhala et al. 2007).

    Attributes
    ----------
    l : float, default 2
        So many values, at least.
    by : Literal["distinct", "entropy"], default "distinct"
        Distinct values, or the exponential of their entropy.
    source : str, default ""
        Where the limit comes from, in words that are shown beside it.
    rows : Rows, default USUAL
        By which rows a person is known, where persons have several: each of these is looked at.
    """

    l: float = 2  # noqa: E741 - the measure's own name
    by: Literal["distinct", "entropy"] = "distinct"
    source: str = ""
    rows: Rows = USUAL
    kind: ClassVar[str] = "diversity"
    word: ClassVar[str] = "diversity"
    page: ClassVar[str] = "Risk"
    counted_in: ClassVar[str] = "values"
    disclosure = "attribute"
    of_any_file: ClassVar[bool] = True
    limits: ClassVar[tuple[Limit, ...]] = (Limit("l", "Values in each class", "number", 1, None),)

    def __post_init__(self) -> None:
        if checks.number(self.l, "l") < 1:
            raise InputError("l must be 1 or more.", code="number-out-of-range")
        if self.by not in ("distinct", "entropy"):
            raise InputError("l-diversity counts distinct values or their entropy.", code="choice-unknown")
        object.__setattr__(self, "rows", checked(self.rows))

    @property
    def title(self) -> str:
        return "Diversity"

    @property
    def bound(self) -> str:
        return f"at least {self.l:g}"

    def describe(self, unit: str = "persons") -> str:
        how = "different" if self.by == "distinct" else "equally likely (by entropy)"
        return f"Every class has at least {self.l:g} {how} values of each sensitive column."

    def shown(self, value: float) -> str:
        return f"{value:.3g}"

    def guarantees(self, case: Case) -> tuple[PrivacyModel, ...]:
        if not case.known:
            return ()
        pairs = [(name, rows) for name in case.sensitive for rows in searched(self.rows, case)]
        return tuple(self._of(case, name, rows) for name, rows in pairs)

    def _of(self, case: Case, name: str, rows: RowsKnown) -> LDiversity:
        return LDiversity(columns=case.known, sensitive=name, l=self.l, by=self.by, rows=rows)

    def check(self, case: Case) -> Finding:
        return _finding(self, case, self.by, min, lambda value: is_at_least(value, self.l))


@dataclass(frozen=True)
class Closeness(Criterion):
    """t-closeness: no class's sensitive values are further than t from those of the whole release (Li et al. 2007).

    Attributes
    ----------
    t : float, default 0.3
        The largest distance, 0 to 1.
    distance : Literal["equal", "ordered"], default "equal"
        How far values are apart: all equally, or by their order.
    source : str, default ""
        Where the limit comes from, in words that are shown beside it.
    rows : Rows, default USUAL
        By which rows a person is known, where persons have several: each of these is looked at.
    """

    t: float = 0.3
    distance: Literal["equal", "ordered"] = "equal"
    source: str = ""
    rows: Rows = USUAL
    kind: ClassVar[str] = "closeness"
    word: ClassVar[str] = "closeness"
    page: ClassVar[str] = "Risk"
    counted_in: ClassVar[str] = "(a distance, 0 to 1)"
    disclosure = "attribute"
    of_any_file: ClassVar[bool] = True
    limits: ClassVar[tuple[Limit, ...]] = (Limit("t", "Largest distance", "share", 0, 1),)

    def __post_init__(self) -> None:
        share(self.t, "t")
        if self.distance not in ("equal", "ordered"):
            raise InputError("t-closeness takes values as equal in distance or as ordered.", code="choice-unknown")
        object.__setattr__(self, "rows", checked(self.rows))

    @property
    def title(self) -> str:
        return "Closeness"

    @property
    def bound(self) -> str:
        return f"at most {self.t:g}"

    def describe(self, unit: str = "persons") -> str:
        how = "all values equally far apart" if self.distance == "equal" else "values in their order"
        return f"No class is further than {self.t:g} from the whole release in any sensitive column, {how}."

    def shown(self, value: float) -> str:
        return f"{value:.3g}"

    def guarantees(self, case: Case) -> tuple[PrivacyModel, ...]:
        if not case.known:
            return ()
        pairs = [(name, rows) for name in case.sensitive for rows in searched(self.rows, case)]
        return tuple(self._of(case, name, rows) for name, rows in pairs)

    def _of(self, case: Case, name: str, rows: RowsKnown) -> TCloseness:
        return TCloseness(columns=case.known, sensitive=name, t=self.t, distance=self.distance, rows=rows)

    def check(self, case: Case) -> Finding:
        return _finding(self, case, self.distance, max, lambda value: is_at_most(value, self.t))


def _finding(
    criterion: Diversity | Closeness,
    case: Case,
    measure: Measure,
    of_all: Callable[..., Any],
    is_met: Callable[[float], bool],
) -> Finding:
    """The finding on a figure of the worst class, over the sensitive columns and what may be known of rows."""
    if not case.known:
        return criterion.unknown(NOTHING_KNOWN)
    if not case.sensitive:
        return criterion.unknown(NOTHING_SENSITIVE)
    rows_asked, rows_asked_before = known(criterion.rows, case.linking), known(criterion.rows, case.linking_before)
    was = of_all(
        worst(case.rows_before, case.known, name, measure, rows)
        for name in case.sensitive
        for rows in rows_asked_before
    )
    columns = case.released.quasi_identifiers
    pairs = [(name, rows) for name in case.released.sensitive for rows in rows_asked]
    now = {pair: worst(case.rows, columns, pair[0], measure, pair[1]) for pair in pairs}
    if not now:
        return criterion.found(True, "No sensitive column is released.", original=was)
    name, rows = pair = of_all(now, key=now.__getitem__)
    figure = now[pair]
    says = f"The worst class has {criterion.shown(figure)}, in {name}"
    says += f", with {of_rows([rows])}." if case.linking.several else "."
    holds, n, persons, of_each_rows = is_met(figure), case.rows.n_records, 0, dict.fromkeys(rows_asked, 0)
    if not holds:
        lacking = {
            (name, rows): violating(case.rows, replace(criterion._of(case, name, rows), columns=tuple(columns)))
            for name, rows in pairs
        }
        persons = number_of_any(case.rows, lacking.values())
        of_each_rows = {
            rows_known: number_of_any(case.rows, (mask for (_, rows), mask in lacking.items() if rows == rows_known))
            for rows_known in rows_asked
        }
        of_each_column = {
            column: number_of_any(case.rows, (mask for (name, _), mask in lacking.items() if name == column))
            for column in case.released.sensitive
        }
        says += f" {words.share(persons, n, case.unit)} are in classes that do not do"
        says += f": {by_rows(of_each_rows)}." if case.linking.several else "."
        says += by_column(of_each_column)
    return criterion.found(
        holds, says + linked_by(case, criterion.rows), now=figure, original=was, persons=persons, n_persons=n,
        by_rows=tuple(of_each_rows.items()) if case.linking.several else (),
    )  # fmt: skip
