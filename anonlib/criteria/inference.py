"""Criteria on what can be inferred of sensitive columns: certainty from a few facts, l-diversity, t-closeness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from anonlib import checks, words
from anonlib.criteria.case import Case
from anonlib.criteria.criterion import Criterion, Finding, Limit
from anonlib.criteria.sizes import NOTHING_KNOWN, share, too_many_sets
from anonlib.errors import InputError
from anonlib.guarantees import Close, Diverse, Guarantee, Uncertain
from anonlib.risk import SensitiveRisk, sensitive_risk

NOTHING_SENSITIVE = (
    "No column is sensitive, so nothing can be learned. Say on the Data page which columns would harm a person if "
    "somebody outside learned them."
)
Knows = Literal["quasi_identifiers", "other_sensitive"]
ALL = 0
"""As many known facts as there are columns."""


@dataclass(frozen=True)
class Inference(Criterion):
    """At most a share have a sensitive value that is certain to someone who knows a few facts: PPP at most p.

    A value is certain where at most a share ``p`` of those who share the facts have another one (Kroes et al. 2021,
    Definition 3), so that with p = 0 all of them have it. With ``most`` 0 it is the C of LKC-privacy, C = 1 - p
    (Mohammed et al. 2009). Each sensitive column is looked at by itself and the worst counts.
    """

    known: int = 2
    p: float = 0.0
    most: float = 0.01
    knows: Knows = "quasi_identifiers"
    column: str = ""
    source: str = ""
    kind: ClassVar[str] = "inference"
    page: ClassVar[str] = "Individuals"
    limits: ClassVar[tuple[Limit, ...]] = (
        Limit("known", "Facts known at most (0: all)", "count", 0, 20),
        Limit("most", "Certain for at most", "share", 0, 1),
        Limit("p", "Others that still count as certain", "share", 0, 0.99),
    )

    def __post_init__(self) -> None:
        checks.whole(self.known, "The number of known facts", 0)
        share(self.most, "The share that may be certain")
        if not 0 <= checks.number(self.p, "The share of others") < 1:
            raise InputError("The share of others that still counts as certain must be below 1.")
        if self.knows not in ("quasi_identifiers", "other_sensitive"):
            raise InputError("Known are the quasi-identifiers, or other sensitive columns too.")
        checks.text(self.column, "The sensitive column")

    @property
    def title(self) -> str:
        return "Inference" if not self.column else f"Inference of {self.column}"

    @property
    def bound(self) -> str:
        return f"at most {words.percent(self.most)}"

    def describe(self, unit: str = "persons") -> str:
        facts = "all that may be known" if self.known == ALL else f"any {words.count(self.known, 'facts')}"
        also = ", other sensitive columns among them," if self.knows == "other_sensitive" else ""
        what = f"the value of {self.column}" if self.column else "a sensitive value"
        how = "certain" if self.p == 0 else f"{words.percent(1 - self.p)} certain"
        who = f"at most {words.percent(self.most)} of the {unit}" if self.most else "nobody"
        each = "" if self.column else ", in each sensitive column"
        return f"Someone who knows {facts}{also} of a person is {how} of {what} for {who}{each}."

    def shown(self, value: float) -> str:
        return words.percent(value)

    def _of(self, case: Case, column: str, harmless: tuple[str, ...]) -> Uncertain:
        columns = (*case.known, *self._also_known(case, column))
        known = None if self.known == ALL else self.known
        return Uncertain(columns=columns, sensitive=column, known=known, p=self.p, share=self.most, harmless=harmless)

    def _also_known(self, case: Case, column: str) -> tuple[str, ...]:
        """The other sensitive columns, where these may be known."""
        return tuple(n for n in case.sensitive_facts if n != column) if self.knows == "other_sensitive" else ()

    def _columns(self, case: Case) -> tuple[str, ...]:
        return tuple(name for name in case.sensitive if self.column in ("", name))

    def guarantees(self, case: Case) -> tuple[Guarantee, ...]:
        return tuple(self._of(case, name, tuple(case.harmless.get(name, ()))) for name in self._columns(case))

    def check(self, case: Case) -> Finding:
        columns = self._columns(case)
        if not columns:
            return self.unknown(NOTHING_SENSITIVE if not self.column else f"“{self.column}” is not a sensitive column.")
        n_columns = len(case.known) + max(len(self._also_known(case, column)) for column in columns)
        largest = n_columns if self.known == ALL else self.known
        if self.p > 0 or self.known != ALL:
            why = too_many_sets(n_columns, largest, len(case.rows_before.counts) * 2 * len(columns))
            if why is not None:
                return self.unknown(why)
        found = {name: case.exposure(self._of(case, name, case.harmless_now(name))) for name in columns}
        before = {
            name: case.exposure_before(self._of(case, name, tuple(case.harmless.get(name, ())))) for name in columns
        }
        was = max((each.share for each in before.values() if each is not None), default=0.0)
        leaving = {name: each for name, each in found.items() if each is not None}
        if not leaving:
            names = words.quoted(columns)
            return self.found(
                True, f"{names} {'is' if len(columns) == 1 else 'are'} not released.", now=0.0, original=was
            )
        name, worst = max(leaving.items(), key=lambda item: item[1].share)
        met = all(each.is_met for each in leaving.values())
        says = f"{words.share(worst.records, worst.n_records, case.unit)} have a value of {name} that is certain."
        if not worst.records:
            says = f"No value of {words.listed(list(leaving))} is certain for anybody."
        by_set = tuple((words.listed(names) or "nothing", n) for names, n in worst.by_set[:5] if n)
        return self.found(
            met, says, now=worst.share, original=was, persons=worst.records, n_persons=worst.n_records, worst=by_set
        )


@dataclass(frozen=True)
class Diversity(Criterion):
    """l-diversity: every class has at least l sensitive values (Machanavajjhala et al. 2007)."""

    l: float = 2  # noqa: E741 - the measure's own name
    by: Literal["distinct", "entropy"] = "distinct"
    source: str = ""
    kind: ClassVar[str] = "diversity"
    page: ClassVar[str] = "Risk"
    limits: ClassVar[tuple[Limit, ...]] = (Limit("l", "Values in each class", "number", 1, None),)

    def __post_init__(self) -> None:
        if checks.number(self.l, "l") < 1:
            raise InputError("l must be 1 or more.")
        if self.by not in ("distinct", "entropy"):
            raise InputError("l-diversity counts distinct values or their entropy.")

    @property
    def title(self) -> str:
        return "l-diversity"

    @property
    def bound(self) -> str:
        return f"at least {self.l:g}"

    def describe(self, unit: str = "persons") -> str:
        how = "different" if self.by == "distinct" else "equally likely (by entropy)"
        return f"Every class has at least {self.l:g} {how} values of each sensitive column."

    def shown(self, value: float) -> str:
        return f"{value:.3g}"

    def guarantees(self, case: Case) -> tuple[Guarantee, ...]:
        if not case.known:
            return ()
        return tuple(Diverse(columns=case.known, sensitive=name, l=self.l, by=self.by) for name in case.sensitive)

    def check(self, case: Case) -> Finding:
        def least(risk: SensitiveRisk) -> float:
            return risk.distinct_l if self.by == "distinct" else risk.entropy_l

        return _of_classes(self, case, least, worst=min, met=lambda value: value >= self.l - 1e-12)


@dataclass(frozen=True)
class Closeness(Criterion):
    """t-closeness: no class's sensitive values are further than t from those of the whole release (Li et al. 2007)."""

    t: float = 0.3
    distance: Literal["equal", "ordered"] = "equal"
    source: str = ""
    kind: ClassVar[str] = "closeness"
    page: ClassVar[str] = "Risk"
    limits: ClassVar[tuple[Limit, ...]] = (Limit("t", "Largest distance", "share", 0, 1),)

    def __post_init__(self) -> None:
        share(self.t, "t")
        if self.distance not in ("equal", "ordered"):
            raise InputError("t-closeness takes values as equal in distance or as ordered.")

    @property
    def title(self) -> str:
        return "t-closeness"

    @property
    def bound(self) -> str:
        return f"at most {self.t:g}"

    def describe(self, unit: str = "persons") -> str:
        how = "all values equally far apart" if self.distance == "equal" else "values in their order"
        return f"No class is further than {self.t:g} from the whole release in any sensitive column, {how}."

    def shown(self, value: float) -> str:
        return f"{value:.3g}"

    def guarantees(self, case: Case) -> tuple[Guarantee, ...]:
        if not case.known:
            return ()
        names = case.sensitive
        return tuple(Close(columns=case.known, sensitive=name, t=self.t, distance=self.distance) for name in names)

    def check(self, case: Case) -> Finding:
        def furthest(risk: SensitiveRisk) -> float:
            return risk.t_equal if self.distance == "equal" else risk.t_ordered

        return _of_classes(self, case, furthest, worst=max, met=lambda value: value <= self.t + 1e-12)


def _of_classes(criterion, case: Case, figure, *, worst, met) -> Finding:
    """The finding on a figure of the worst class, over the sensitive columns."""
    if not case.known:
        return criterion.unknown(NOTHING_KNOWN)
    if not case.sensitive:
        return criterion.unknown(NOTHING_SENSITIVE)
    figures, n = [], 0
    for dataset in (case.original.with_counted(), case.released):
        known = dataset.quasi_identifiers
        table = dataset.with_missing("category").classes([*known, *dataset.sensitive])
        n = table.n_records
        figures.append({name: figure(sensitive_risk(table, known, name)) for name in dataset.sensitive})
    before, now = figures
    if not now:
        return criterion.found(True, "No sensitive column is released.", original=worst(before.values()))
    name = worst(now, key=now.__getitem__)
    exposures = [case.exposure(each) for each in criterion.guarantees(case)]
    persons = max((each.records for each in exposures if each is not None), default=0)
    holds = met(now[name])
    says = f"The worst class has {criterion.shown(now[name])}, in {name}."
    if not holds:
        says += f" {words.share(persons, n, case.unit)} are in classes that do not do."
    return criterion.found(
        holds, says, now=now[name], original=worst(before.values()), persons=0 if holds else persons, n_persons=n
    )
