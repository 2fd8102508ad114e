"""Criteria on what can be inferred of sensitive columns: certainty from a few facts, l-diversity, t-closeness.

For how many a sensitive value is certain to somebody who knows a few columns: one count for pages and evidence.

Columns in which spellings are read as one value, and what that means for what is counted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from anonlib.basics import checks, words
from anonlib.basics.errors import InputError
from anonlib.counting.privacy_models import AttributeDisclosure, PrivacyModel, RowsKnown, Violation
from anonlib.dataset import Dataset
from anonlib.reading.labelled import few_values
from anonlib.release.left import nearly_constant
from anonlib.values.spellings import groups_read_as_one
from anonlib.verdict.criteria.case import Case
from anonlib.verdict.criteria.criterion import Criterion, Finding, Limit, Option, State
from anonlib.verdict.criteria.rows import USUAL, Rows, by_rows, checked, known, of_rows
from anonlib.verdict.criteria.sizes import linked_by, searched, share, too_many_sets, work_of_sets

NOTHING_SENSITIVE = (
    "No column is sensitive, so nothing can be learned. Say on the Data page which columns would harm a person if "
    "somebody outside learned them."
)
Knows = Literal["quasi_identifiers", "other_sensitive"]
_ALONE = 4  # times that one column by itself takes as long as all together
ALL = 0
"""As many known facts as there are columns."""


@dataclass(frozen=True)
class Inference(Criterion):
    """At most a share have a sensitive value that is certain to someone who knows a few facts: PPP at most p.

    A value is certain where at most a share ``p`` of those who share the facts have another one (Kroes et al. 2021,
    Definition 3), so that with p = 0 all of them have it. With ``most`` 0 it is the C of LKC-privacy, C = 1 - p
    (Mohammed et al. 2009). Each sensitive column is looked at by itself and the worst counts. Of persons with several
    rows a value is certain where it is among those of all peers, by each of what may be known of rows (``rows``).

    Attributes
    ----------
    known : int, default 2
        How many facts somebody knows at most; 0: all.
    p : float, default 0.0
        A value is certain where at most this share of those who share the facts have another one, 0 to 1.
    most : float, default 0.01
        The share of persons of whom a value may be certain, 0 to 1.
    knows : Knows, default "quasi_identifiers"
        What may be known: the quasi-identifiers, or other sensitive columns too.
    column : str, default ""
        The sensitive column; "": each of them.
    source : str, default ""
        Where the limit comes from, in words that are shown beside it.
    rows : Rows, default USUAL
        By which rows a person is known, where persons have several: each of these is looked at.
    """

    known: int = 2
    p: float = 0.0
    most: float = 0.01
    knows: Knows = "quasi_identifiers"
    column: str = ""
    source: str = ""
    rows: Rows = USUAL
    kind: ClassVar[str] = "inference"
    word: ClassVar[str] = "inference"
    page: ClassVar[str] = "Individuals"
    counted_in: ClassVar[str] = "of {unit}"
    disclosure = "attribute"
    of_any_file: ClassVar[bool] = True
    limits: ClassVar[tuple[Limit, ...]] = (
        Limit("known", "Facts known at most (0: all)", "count", 0, 20),
        Limit("most", "Certain for at most", "share", 0, 1, (0, 0.05), "share_at_risk"),
        Limit("p", "Others that still count as certain", "share", 0, 0.99),
    )
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "knows",
            "What may be known",
            (("quasi_identifiers", "Quasi-identifiers"), ("other_sensitive", "Other sensitive columns too")),
        ),
    )

    def __post_init__(self) -> None:
        checks.whole(self.known, "The number of known facts", 0)
        share(self.most, "The share that may be certain")
        if not 0 <= checks.number(self.p, "The share of others") < 1:
            raise InputError(
                "The share of others that still counts as certain must be below 1.", code="number-out-of-range"
            )
        if self.knows not in ("quasi_identifiers", "other_sensitive"):
            raise InputError("Known are the quasi-identifiers, or other sensitive columns too.", code="choice-unknown")
        checks.text(self.column, "The sensitive column")
        object.__setattr__(self, "rows", checked(self.rows))

    @property
    def title(self) -> str:
        return "Inference" if not self.column else f"Inference of {self.column}"

    @property
    def bound(self) -> str:
        return f"at most {words.percent(self.most)}"

    def describe(self, unit: str = "persons") -> str:
        also = ", other sensitive columns among them," if self.knows == "other_sensitive" else ""
        what = f"the value of {self.column}" if self.column else "a sensitive value"
        who = f"at most {words.percent(self.most)} of the {unit}" if self.most else "nobody"
        where = "" if self.column else ", in each sensitive column"
        return f"Someone who knows {self._facts}{also} of a person is {self._certain} of {what} for {who}{where}."

    @property
    def _facts(self) -> str:
        return "all that may be known" if self.known == ALL else f"any {words.count(self.known, 'facts')}"

    @property
    def _certain(self) -> str:
        return "certain" if self.p == 0 else f"{words.percent(1 - self.p)} certain"

    @property
    def _also(self) -> str:
        return " (sensitive ones too)" if self.knows == "other_sensitive" else ""

    @property
    def title_measured(self) -> str:
        return f"Certain from {self._facts}{self._also}"

    def measures(self, unit: str = "persons") -> str:
        what = self.column or "each sensitive column"
        return (
            f"For how many {unit} somebody who knows {self._facts} of a person{self._also} is {self._certain} of a "
            f"value of {what}."
        )

    def without_limit(self, finding: Finding) -> str:
        who = f"somebody who knows {self._facts} of a person{self._also}"
        if finding.says == NOTHING_SENSITIVE:
            return "What can be learned of somebody was not counted, since no column is sensitive."
        if finding.state is State.UNKNOWN:
            return f"What {who} can be sure of was not counted; it is not limited for this recipient."
        if not finding.persons:
            return f"Of what leaves, {who} is {self._certain} of no sensitive value."
        name, persons = finding.by_column[0]
        share = words.share(persons, finding.n_persons)
        more = "" if persons == finding.persons else ", and for more of columns that hardly vary"
        return f"Of what leaves, {who} is {self._certain} of {name} for {share}{more}: not limited for this recipient."

    def is_implied(self, others: Sequence[Criterion], several_rows: bool) -> bool:
        """Another one asks it already: of somebody who knows as much or more, is certain as soon, and of as few."""
        return any(isinstance(other, Inference) and self._is_weaker_than(other) for other in others)

    def _is_weaker_than(self, other: Inference) -> bool:
        more_known = other.known == ALL or 0 < self.known <= other.known
        more_columns = other.knows == "other_sensitive" or self.knows == "quasi_identifiers"
        of_it = other.column in ("", self.column) and set(self.rows) <= set(other.rows)
        is_weaker = more_known and more_columns and of_it and self.p <= other.p and self.most >= other.most
        return is_weaker and replace(self, source="") != replace(other, source="")

    def shown(self, value: float) -> str:
        return words.percent(value)

    def in_short(self, unit: str) -> str:
        return f"a sensitive value certain for {words.percent(self.most)} of the {unit} at most"

    @property
    def certain_from(self) -> int:
        return self.known

    def _of(self, case: Case, column: str, harmless: tuple[str, ...], rows: RowsKnown) -> AttributeDisclosure:
        columns = (*case.known, *self._also_known(case, column))
        most = None if self.known == ALL else self.known
        return AttributeDisclosure(
            columns=columns, sensitive=column, known=most, p=self.p, share=self.most, harmless=harmless, rows=rows
        )

    def _also_known(self, case: Case, column: str) -> tuple[str, ...]:
        """The other sensitive columns, where these may be known."""
        return tuple(n for n in case.sensitive_facts if n != column) if self.knows == "other_sensitive" else ()

    def _columns(self, case: Case) -> tuple[str, ...]:
        return tuple(name for name in case.sensitive if self.column in ("", name))

    def guarantees(self, case: Case) -> tuple[PrivacyModel, ...]:
        return tuple(
            self._of(case, name, tuple(case.harmless.get(name, ())), rows)
            for name in self._columns(case)
            for rows in searched(self.rows, case)
        )

    def check(self, case: Case) -> Finding:
        columns = self._columns(case)
        if not columns:
            return self.unknown(NOTHING_SENSITIVE if not self.column else f"“{self.column}” is not a sensitive column.")
        rows_asked = known(self.rows, case.linking)
        if (why := self._too_many(case, columns, rows_asked)) is not None:
            return self.unknown(why)
        pairs = [(name, rows) for name in columns for rows in rows_asked]
        now = [self._of(case, name, case.harmless_now(name), rows) for name, rows in pairs]
        before = [
            self._of(case, name, tuple(case.harmless.get(name, ())), rows)
            for name in columns
            for rows in known(self.rows, case.linking_before)
        ]
        was = max(
            (violation.share for violation in case.violations_before(before) if violation is not None), default=0.0
        )
        violations = {
            pair: violation
            for pair, violation in zip(pairs, case.violations(now), strict=True)
            if violation is not None
        }
        if not violations:
            names = words.quoted(columns)
            return self.found(
                True, f"{names} {'is' if len(columns) == 1 else 'are'} not released.", now=0.0, original=was
            )
        return self._finding(case, violations, was)

    def work(self, case: Case) -> float:
        columns = self._columns(case)
        sets = self._sets(case, columns, known(self.rows, case.linking)) if columns else None
        return 0.0 if sets is None else work_of_sets(case, *sets)

    def _too_many(self, case: Case, columns: tuple[str, ...], rows_asked: tuple[RowsKnown, ...]) -> str | None:
        """Why so many sets of columns cannot all be looked at; None where they can."""
        sets = self._sets(case, columns, rows_asked)
        return None if sets is None else too_many_sets(case, *sets)

    def _sets(
        self, case: Case, columns: tuple[str, ...], rows_asked: tuple[RowsKnown, ...]
    ) -> tuple[int, int, int, int] | None:
        """Of how many columns sets are looked at, of how many at most, how often, and how many are asked about at once;
        None where the largest set settles all."""
        n_columns = len(case.known) + max(len(self._also_known(case, column)) for column in columns)
        if self.known == ALL and self.p == 0:
            return None
        times, together = len(rows_asked), len(columns)
        if self.p > 0:  # each column is looked at by itself
            times, together = times * together * _ALONE, 1
        return n_columns, n_columns if self.known == ALL else self.known, times, together

    def _finding(self, case: Case, violations: Mapping[tuple[str, RowsKnown], Violation], was: float) -> Finding:
        (name, _), worst = max(violations.items(), key=lambda item: item[1].share)
        certain = {rows: violation.records for (column, rows), violation in violations.items() if column == name}
        several, harmless = case.linking.several, any(case.harmless.values())
        if worst.records:
            says = f"{words.share(worst.records, worst.n_records, case.unit)} have a value of {name} that is certain"
            says += f": {by_rows(certain)}." if several else "."
        else:
            leaving = list(dict.fromkeys(column for column, _ in violations))
            says = f"No value of {words.listed(leaving)}{' that harms' if harmless else ''} is certain for anybody"
            says += f", with {of_rows(certain)}." if several else "."
        most_of = dict[str, int]()
        for (column, _), violation in violations.items():
            most_of[column] = max(most_of.get(column, 0), violation.records)
        alike = {*nearly_constant(case.released, most_of)}
        by_column = sorted(most_of.items(), key=lambda pair: (not pair[1], pair[0] in alike, -pair[1]))
        by_set = tuple((words.listed(names) or "nothing", n) for names, n in worst.by_set[:5] if n)
        return self.found(
            all(violation.is_met for violation in violations.values()), says + linked_by(case, self.rows),
            now=worst.share,
            original=was, persons=worst.records, n_persons=worst.n_records, worst=by_set,
            by_rows=tuple(certain.items()) if several else (), by_column=tuple(by_column),
        )  # fmt: skip


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
        AttributeDisclosure(columns=case.known, sensitive=name, known=known, harmless=harmless, rows=rows_known)
        for name in case.sensitive
        for harmless in [tuple(case.harmless.get(name, ())) if before else case.harmless_now(name)]
        for rows_known in rows
    ]
    violations = (case.violations_before if before else case.violations)(guarantees)
    by_column: dict[str, Certain] = {}
    for guarantee, violation in zip(guarantees, violations, strict=True):
        if violation is not None:
            name = guarantee.sensitive
            most = max(violation.records, by_column[name].certain if name in by_column else 0)
            by_column[name] = Certain(name, most, violation.n_records)
    return by_column


@dataclass(frozen=True)
class Spelled:
    """A column in which spellings are read as one value.

    Attributes
    ----------
    column : str
        Its name.
    spellings, values : int
        How many spellings are read as others too, and how many values these are.
    """

    column: str
    spellings: int
    values: int


def spelled_differently(data: Dataset, columns: Iterable[str]) -> tuple[Spelled, ...]:
    """The columns, of some, in which spellings are read as one value.

    Parameters
    ----------
    data : Dataset
        The records.
    columns : Iterable[str]
        Columns of theirs.

    Returns
    -------
    tuple of Spelled
        In the order of the columns; none for a column with more than a million values in an engine.
    """
    by_column = ((name, groups_read_as_one(few_values(data.held, name))) for name in columns)
    return tuple(Spelled(name, sum(map(len, groups)), len(groups)) for name, groups in by_column if groups)


def spelled_in_words(spelled: Collection[Spelled]) -> str:
    """What is counted of spellings that are read as one value, in sentences.

    Parameters
    ----------
    spelled : Collection[Spelled]
        As of :func:`spelled_differently`.

    Returns
    -------
    str
        It names no value; "" of no column.
    """
    if not spelled:
        return ""
    spellings, values = sum(column.spellings for column in spelled), sum(column.values for column in spelled)
    return (
        f"In {words.quoted([column.column for column in spelled])}, {spellings:,} spellings are read as "
        f"{words.count(values, 'values')}. They count as one value each for what can be learned of a person, and as "
        "several for who can be found: whichever is stricter."
    )
