"""Criteria on how many share what is known: smallest class, risks of the attackers, combinations of a few columns.

A criterion on single columns: how many share each value that leaves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar, Literal

from anonlib.basics import checks, words
from anonlib.basics.errors import InputError
from anonlib.basics.thresholds import ROUNDING, smallest_class
from anonlib.counting.classes.subsets import n_subsets
from anonlib.counting.privacy_models import (
    ALL,
    VALUES,
    AverageRiskLimit,
    Coded,
    KAnonymity,
    PrivacyModel,
    RowsKnown,
    average_risk,
    number_of_any,
    violating,
)
from anonlib.release.comparison import compare
from anonlib.release.unprotected import Sizes
from anonlib.verdict.criteria.case import A_QUESTION, MOST_LOOKED_AT, Case
from anonlib.verdict.criteria.criterion import Criterion, Finding, Limit
from anonlib.verdict.criteria.rows import LINKED, USUAL, Rows, by_rows, checked, known, of_rows

NOTHING_KNOWN = (
    "No quasi-identifier or place is chosen, so nothing is taken to be known. Say on the Data page what somebody "
    "outside may know."
)


def share(value: float, what: str) -> float:
    """Check that a limit is a share in [0, 1]."""
    if not 0 <= checks.number(value, what) <= 1:
        raise InputError(f"{what} must lie between 0 and 1.", code="number-out-of-range")
    return float(value)


def searched(rows: Rows, case: Case) -> tuple[RowsKnown, ...]:
    """What is taken to be known of rows while a change is searched for.

    Whether rows can be linked by what they share is only known of a release: a search takes them for linked where a
    person id tells it, or columns that it leaves as they are; the verdict on what it finds says the rest.
    """
    return known(rows, case.linking_that_stays)


@dataclass(frozen=True)
class SmallestClass(Criterion):
    """k-anonymity: every combination of all known columns is shared by at least k (Samarati and Sweeney 1998).

    Where persons have several rows, by each of what may be known of these (``rows``): of one row, of so many, of the
    values of each column, or of all.

    Attributes
    ----------
    k : int, default 5
        The smallest size of a group that is enough.
    source : str, default ""
        Where the limit comes from, in words that are shown beside it.
    rows : Rows, default USUAL
        By which rows a person is known, where persons have several: each of these is looked at.
    """

    k: int = 5
    source: str = ""
    rows: Rows = USUAL
    kind: ClassVar[str] = "smallest_class"
    word: ClassVar[str] = "smallest class"
    page: ClassVar[str] = "Risk"
    counted_in: ClassVar[str] = "{unit}"
    of_any_file: ClassVar[bool] = True
    limits: ClassVar[tuple[Limit, ...]] = (Limit("k", "Smallest class", "count", 1, None, (3, math.inf), "class_size"),)

    def __post_init__(self) -> None:
        checks.whole(self.k, "The smallest class", 1)
        object.__setattr__(self, "rows", checked(self.rows))

    @property
    def title(self) -> str:
        return "Smallest class"

    @property
    def bound(self) -> str:
        return f"at least {self.k:,}"

    def describe(self, unit: str = "persons") -> str:
        return f"At least {words.count(self.k, unit)} share every combination of what may be known (k = {self.k:,})."

    def in_short(self, unit: str) -> str:
        return f"a smallest class of {words.count(self.k, unit)}"

    def guarantees(self, case: Case) -> tuple[PrivacyModel, ...]:
        if not case.known:
            return ()
        return tuple(KAnonymity(columns=case.known, least=self.k, rows=rows) for rows in searched(self.rows, case))

    def check(self, case: Case) -> Finding:
        if not case.known:
            return self.unknown(NOTHING_KNOWN)
        rows_asked = known(self.rows, case.linking)
        columns = [name for name in case.known if name in case.released.columns]
        violations = case.violations([KAnonymity(columns=case.known, least=self.k, rows=rows) for rows in rows_asked])
        smallest = min(smallest_size(case.rows, columns, rows) for rows in rows_asked)
        rows_asked_before = known(self.rows, case.linking_before)
        before = min(smallest_size(case.rows_before, case.known, rows) for rows in rows_asked_before)
        below = {
            rows: violation.records
            for rows, violation in zip(rows_asked, violations, strict=True)
            if violation is not None
        }
        most, n = max(below.values()), case.rows.n_records
        if most:
            says = (
                f"{words.share(most, n, case.unit)} are in classes smaller than {self.k:,}; the smallest class has "
                f"{smallest:,}." + (f" Below {self.k:,}: {by_rows(below)}." if case.linking.several else "")
            )
        else:
            says = f"The smallest class has {words.count(smallest, case.unit)}"
            says += f", with {of_rows(rows_asked)}." if case.linking.several else "."
        return self.found(
            not most, says + linked_by(case, self.rows), now=smallest, original=before, persons=most, n_persons=n,
            by_rows=tuple(below.items()) if case.linking.several else (),
        )  # fmt: skip


def smallest_size(coded: Coded, columns: Sequence[str], rows: RowsKnown) -> int:
    """How many share the rarest thing that can be known of somebody; 0 of nobody."""
    sizes = coded.peers(columns, rows).least_sizes()[coded.counts > 0]
    return int(sizes.min()) if len(sizes) else 0


@dataclass(frozen=True)
class AskedSizes:
    """How many share all that may be known of a person, by the rows that the smallest class is asked for.

    Attributes
    ----------
    k : int
        The smallest class that is asked for.
    rows : tuple[RowsKnown, ...]
        What is taken to be known of the rows of a person; of each figure the worst counts. () where every person has
        one row in the original and in the release, so that all of these are the same.
    before, after : Sizes
        Of the original and of the release.
    """

    k: int
    rows: tuple[RowsKnown, ...]
    before: Sizes
    after: Sizes


def sizes_asked(case: Case, k: int, rows: Rows) -> AskedSizes:
    """The smallest class, and who is alone or below k, as :class:`SmallestClass` counts them.

    Parameters
    ----------
    case : Case
        The release beside its original.
    k : int
        The smallest class that is asked for, 1 or more.
    rows : Rows
        By which rows a person is known, where persons have several: each of these is looked at.

    Returns
    -------
    AskedSizes
    """
    rows_asked_before, rows_asked = known(rows, case.linking_before), known(rows, case.linking)
    now = [name for name in case.known if name in case.released.columns]
    before, after = _worst(case.rows_before, case.known, k, rows_asked_before), _worst(case.rows, now, k, rows_asked)
    return AskedSizes(k, rows_asked_before if case.linking_before.several else (), before, after)


def _worst(coded: Coded, columns: Sequence[str], k: int, rows: Sequence[RowsKnown]) -> Sizes:
    """Each figure by the knowledge by which it is worst."""
    is_counted = coded.counts > 0
    counts = coded.counts[is_counted]
    least = [coded.peers(columns, rows_known).least_sizes()[is_counted] for rows_known in rows]
    smallest = min((int(sizes.min()) for sizes in least if len(sizes)), default=0)
    alone, below = (max(int(counts[sizes < size].sum()) for sizes in least) for size in (2, k))
    return Sizes(tuple(columns), smallest, alone, below, coded.n_records)


def linked_by(case: Case, rows: Rows) -> str:
    """A sentence on which columns tell whose rows are whose, where that is not the person id; what tells most first."""
    linking = case.linking
    if LINKED not in rows or not linking.is_linked or linking.by == (case.original.person_id,):
        return ""
    bits = {name: case.released.held.sizes_of(name).entropy for name in linking.by}
    telling = sorted([name for name in linking.by if bits[name]] or linking.by, key=lambda name: -bits[name])
    by = words.listed(telling, 4)
    is_one = len(telling) == 1
    change = f"{'changes' if is_one else 'change'} for few persons" if linking.for_few else (
        f"{'does' if is_one else 'do'} not change for a person"
    )  # fmt: skip
    return f" Rows can be linked without the person id: by {by}, which {change}."


@dataclass(frozen=True)
class HighestRisk(Criterion):
    """The highest probability of picking the right record: of the prosecutor, or of the journalist (El Emam 2013).

    The journalist's is counted by the values of each column, as a population table has one row a person.

    Attributes
    ----------
    limit : float, default 0.2
        The largest probability, 0 to 1.
    attacker : Literal["prosecutor", "journalist"], default "prosecutor"
        Whose: the prosecutor's, or the journalist's, who needs a population table.
    source : str, default ""
        Where the limit comes from, in words that are shown beside it.
    rows : Rows, default USUAL
        By which rows a person is known, where persons have several: each of these is looked at.
    """

    limit: float = 0.2
    attacker: Literal["prosecutor", "journalist"] = "prosecutor"
    source: str = ""
    rows: Rows = USUAL
    kind: ClassVar[str] = "highest_risk"
    word: ClassVar[str] = "highest risk"
    page: ClassVar[str] = "Risk"
    counted_in: ClassVar[str] = "(a probability)"
    of_any_file: ClassVar[bool] = True
    limits: ClassVar[tuple[Limit, ...]] = (Limit("limit", "Highest risk", "share", 0, 1, (0, 1 / 3)),)

    def __post_init__(self) -> None:
        share(self.limit, "The highest risk")
        if self.attacker not in ("prosecutor", "journalist"):
            raise InputError("The attacker is a prosecutor or a journalist.", code="choice-unknown")
        object.__setattr__(self, "rows", (VALUES,) if self.attacker == "journalist" else checked(self.rows))

    @classmethod
    def offered(cls) -> tuple[Criterion, ...]:
        return cls(), cls(attacker="journalist")

    @property
    def title(self) -> str:
        return f"Highest {self.attacker} risk"

    @property
    def bound(self) -> str:
        return f"at most {words.percent(self.limit)}"

    def describe(self, unit: str = "persons") -> str:
        of = "the file" if self.attacker == "prosecutor" else "the population"
        return f"Nobody in {of} can be picked out with a probability above {words.percent(self.limit)}."

    def shown(self, value: float) -> str:
        return words.percent(value)

    @property
    def _least(self) -> int:
        """The smallest class whose risk is not too high."""
        return smallest_class(self.limit)

    def guarantees(self, case: Case) -> tuple[PrivacyModel, ...]:
        if self.attacker != "prosecutor" or not case.known or not self.limit:
            return ()
        return tuple(KAnonymity(columns=case.known, least=self._least, rows=rows) for rows in searched(self.rows, case))

    def check(self, case: Case) -> Finding:
        if not case.known:
            return self.unknown(NOTHING_KNOWN)
        return self._of_journalist(case) if self.attacker == "journalist" else self._of_prosecutor(case)

    def _of_journalist(self, case: Case) -> Finding:
        comparison = compare(case.applied, case.recipe, threshold=self.limit, population=case.population)
        before, risk = comparison.before.journalist, comparison.after.journalist
        if before is None or risk is None:
            return self.unknown("There is no population table with the known columns. Load one under “More”.")
        says = f"The highest risk is {words.percent(risk.highest)}, {words.one_in(risk.highest)}."
        return self.found(
            risk.highest <= self.limit, says, now=risk.highest, original=before.highest, persons=risk.at_risk,
            n_persons=risk.n_records,
        )  # fmt: skip

    def _of_prosecutor(self, case: Case) -> Finding:
        rows_asked, n = known(self.rows, case.linking), case.rows.n_records
        smallest = {rows: smallest_size(case.rows, case.released.quasi_identifiers, rows) for rows in rows_asked}
        rows_asked_before = known(self.rows, case.linking_before)
        before = min(smallest_size(case.rows_before, case.known, rows) for rows in rows_asked_before)
        least = self._least if self.limit else n + 1
        at_risk = {
            rows: 0 if violation is None else violation.records
            for rows, violation in zip(
                rows_asked,
                case.violations([KAnonymity(columns=case.known, least=least, rows=rows) for rows in rows_asked]),
                strict=True,
            )
        }  # fmt: skip
        rows = min(smallest, key=smallest.__getitem__)
        highest = 1 / max(1, smallest[rows])
        says = f"The highest risk is {words.percent(highest)}, {words.one_in(highest)}"
        says += f", with {of_rows([rows])}." if case.linking.several else "."
        return self.found(
            highest <= self.limit, says + linked_by(case, self.rows), now=highest, original=1 / max(1, before),
            persons=max(at_risk.values()), n_persons=n, by_rows=tuple(at_risk.items()) if case.linking.several else (),
        )  # fmt: skip


@dataclass(frozen=True)
class AverageRisk(Criterion):
    """The average probability of picking the right record, which is the marketer's: classes / records.

    Attributes
    ----------
    limit : float, default 0.2
        The largest average, 0 to 1.
    source : str, default ""
        Where the limit comes from, in words that are shown beside it.
    rows : Rows, default USUAL
        By which rows a person is known, where persons have several: each of these is looked at.
    """

    limit: float = 0.2
    source: str = ""
    rows: Rows = USUAL
    kind: ClassVar[str] = "average_risk"
    word: ClassVar[str] = "average risk"
    page: ClassVar[str] = "Risk"
    counted_in: ClassVar[str] = "of {unit}"
    of_any_file: ClassVar[bool] = True
    limits: ClassVar[tuple[Limit, ...]] = (Limit("limit", "Average risk", "share", 0, 1, (0, 1 / 3), "average_risk"),)

    def __post_init__(self) -> None:
        share(self.limit, "The average risk")
        object.__setattr__(self, "rows", checked(self.rows))

    @property
    def title(self) -> str:
        return "Average risk"

    @property
    def bound(self) -> str:
        return f"at most {words.percent(self.limit)}"

    def describe(self, unit: str = "persons") -> str:
        return (
            f"At most {words.percent(self.limit)} of the {unit} can be expected to be re-identified by a marketer, who "
            "matches the file with itself."
        )

    def shown(self, value: float) -> str:
        return words.percent(value)

    def in_short(self, unit: str) -> str:
        return f"an average risk of {words.percent(self.limit)}"

    def guarantees(self, case: Case) -> tuple[PrivacyModel, ...]:
        if not case.known:
            return ()
        return tuple(
            AverageRiskLimit(columns=case.known, limit=self.limit, rows=rows) for rows in searched(self.rows, case)
        )

    def check(self, case: Case) -> Finding:
        if not case.known:
            return self.unknown(NOTHING_KNOWN)
        rows_asked, columns = known(self.rows, case.linking), case.released.quasi_identifiers
        risks = {rows: average_risk(case.rows, columns, rows) for rows in rows_asked}
        worst = max(risks, key=risks.__getitem__)
        now, n = risks[worst], case.rows.n_records
        rows_asked_before = known(self.rows, case.linking_before)
        before = max(average_risk(case.rows_before, case.known, rows) for rows in rows_asked_before)
        says = f"Someone who matches the whole file is right for {words.percent(now)} of the {case.unit} on average"
        says += f", with {of_rows([worst])}." if case.linking.several else "."
        expected = {
            rows: math.ceil(risk * n * (1 - ROUNDING)) if risk > self.limit else 0 for rows, risk in risks.items()
        }
        return self.found(
            now <= self.limit, says + linked_by(case, self.rows), now=now, original=before, persons=expected[worst],
            n_persons=n, by_rows=tuple(expected.items()) if case.linking.several else (),
        )  # fmt: skip


@dataclass(frozen=True)
class Combinations(Criterion):
    """Every combination of a few known columns is shared by enough, for all but a share: LKC-privacy's K, unicity.

    Where persons have several rows, by each of what may be known of these (``rows``).

    Attributes
    ----------
    known : int, default 2
        How many facts somebody knows at most; 0: all.
    least : int, default 2
        How many must share a combination.
    most : float, default 0.0
        The share of persons that may be in smaller groups, 0 to 1.
    source : str, default ""
        Where the limit comes from, in words that are shown beside it.
    rows : Rows, default USUAL
        By which rows a person is known, where persons have several: each of these is looked at.
    """

    known: int = 2
    least: int = 2
    most: float = 0.0
    source: str = ""
    rows: Rows = USUAL
    kind: ClassVar[str] = "combinations"
    word: ClassVar[str] = "people sharing few facts"
    page: ClassVar[str] = "Risk"
    counted_in: ClassVar[str] = "of {unit}"
    of_any_file: ClassVar[bool] = True
    limits: ClassVar[tuple[Limit, ...]] = (
        Limit("known", "Facts known at most (0: all)", "count", 0, 20),
        Limit("least", "Shared by at least", "count", 2, None),
        Limit("most", "Except for at most", "share", 0, 1, (0, 0.05), "share_at_risk"),
    )

    def __post_init__(self) -> None:
        checks.whole(self.known, "The number of known facts", 0)
        checks.whole(self.least, "The smallest class", 1)
        share(self.most, "The share that may be in smaller classes")
        object.__setattr__(self, "rows", checked(self.rows))

    @property
    def title(self) -> str:
        if self.known:
            return f"People sharing any {words.count(self.known, 'facts')}"
        return "People sharing all visits" if self.rows == (ALL,) else "People sharing all facts"

    @property
    def bound(self) -> str:
        return f"at most {words.percent(self.most)}"

    def describe(self, unit: str = "persons") -> str:
        facts = f"any {words.count(self.known, 'known facts')}" if self.known else "all that may be known"
        but = f", but for at most {words.percent(self.most)} of them" if self.most else ""
        return f"At least {words.count(self.least, unit)} share {facts}{but}."

    def shown(self, value: float) -> str:
        return words.percent(value)

    def in_short(self, unit: str) -> str:
        return f"{words.percent(self.most)} of the {unit} among fewer like them at most"

    def is_implied(self, others: Sequence[Criterion], several_rows: bool) -> bool:
        """Where every person has one row, a share that may be in smaller classes than another one lets nobody be in."""
        if several_rows or self.known or self.rows != (ALL,):
            return False
        return any(isinstance(other, SmallestClass) and other.k >= self.least for other in others)

    def _asked(self, case: Case, rows: tuple[RowsKnown, ...]) -> list[KAnonymity]:
        most = self.known or None
        return [
            KAnonymity(columns=case.known, known=most, least=self.least, share=self.most, rows=rows_known)
            for rows_known in rows
        ]

    def guarantees(self, case: Case) -> tuple[PrivacyModel, ...]:
        return tuple(self._asked(case, searched(self.rows, case))) if case.known else ()

    def check(self, case: Case) -> Finding:
        if not case.known:
            return self.unknown(NOTHING_KNOWN)
        rows_asked, rows_asked_before = known(self.rows, case.linking), known(self.rows, case.linking_before)
        n_known, times = self.known or len(case.known), max(len(rows_asked), len(rows_asked_before))
        if self.known and (why := too_many_sets(case, len(case.known), n_known, times)) is not None:
            return self.unknown(why)
        guarantees = self._asked(case, rows_asked)
        of_original = case.violations_before(self._asked(case, rows_asked_before))
        before = max(violation.share for violation in of_original if violation is not None)
        violations = {
            rows: violation
            for rows, violation in zip(rows_asked, case.violations(guarantees), strict=True)
            if violation is not None
        }
        worst = max(violations.values(), key=lambda violation: violation.records)
        below = {rows: violation.records for rows, violation in violations.items()}
        some = " by some of the facts" if self.known else ""
        says = (
            f"{words.share(worst.records, worst.n_records, case.unit)} are among fewer than {self.least:,} like "
            f"them{some}"
        )
        says += f": {by_rows(below)}." if case.linking.several and worst.records else "."
        by_set = tuple((words.listed(names), n) for names, n in worst.by_set[:5] if n) if self.known else ()
        return self.found(
            all(violation.is_met for violation in violations.values()), says + linked_by(case, self.rows),
            now=worst.share,
            original=before, persons=worst.records, n_persons=worst.n_records, worst=by_set,
            by_rows=tuple(below.items()) if case.linking.several else (),
        )  # fmt: skip


def too_many_sets(case: Case, columns: int, most_known: int, times: int = 1, questions: int = 1) -> str | None:
    """Why so many sets of columns, each looked at so many times, cannot all be looked at; None where they can.

    ``questions`` are sensitive columns that each set is asked about.
    """
    if work_of_sets(case, columns, most_known, times, questions) <= MOST_LOOKED_AT:
        return None
    sets, rows = n_subsets(columns, most_known), case.rows.n_looked_at
    return (
        f"There are {sets:,} sets of at most {most_known} of {columns} columns, too many to look at all in {rows:,} "
        "rows. Choose fewer known facts, or fewer known columns on the Data page."
    )


def work_of_sets(case: Case, columns: int, most_known: int, times: int = 1, questions: int = 1) -> float:
    """How many rows are looked at, each once for each set of columns; of few rows a question takes longer than they
    do."""
    return n_subsets(columns, most_known) * times * (case.rows.n_looked_at + A_QUESTION * questions)


@dataclass(frozen=True)
class RareValues(Criterion):
    """Every released value of a column, a missing one too, is shared by enough: a smallest cell for one column.

    Each sensitive column is looked at by itself and the worst counts; ``column`` names another, or one of them.

    Attributes
    ----------
    least : int, default 5
        How many must share a value.
    column : str, default ""
        The column; "": each sensitive one.
    source : str, default ""
        Where the limit comes from, in words that are shown beside it.
    rows : Rows, default USUAL
        By which rows a person is known, where persons have several: each of these is looked at.
    """

    least: int = 5
    column: str = ""
    source: str = ""
    rows: Rows = USUAL
    kind: ClassVar[str] = "rare_values"
    word: ClassVar[str] = "rare values"
    page: ClassVar[str] = "Risk"
    counted_in: ClassVar[str] = "{unit}"
    of_any_file: ClassVar[bool] = True
    limits: ClassVar[tuple[Limit, ...]] = (Limit("least", "Each value shared by at least", "count", 1, None),)

    def __post_init__(self) -> None:
        checks.whole(self.least, "The smallest number that share a value", 1)
        checks.text(self.column, "The column")
        object.__setattr__(self, "rows", checked(self.rows))

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

    def guarantees(self, case: Case) -> tuple[PrivacyModel, ...]:
        in_search = {*case.known, *case.sensitive}
        return tuple(
            KAnonymity(columns=(name,), least=self.least, rows=rows)
            for name in self._columns(case)
            if name in in_search
            for rows in searched(self.rows, case)
        )

    def check(self, case: Case) -> Finding:
        columns = self._columns(case)
        if self.column and self.column not in case.original.columns:
            return self.unknown(f"The file has no column “{self.column}”. Remove this criterion.")
        rows_asked = known(self.rows, case.linking)
        rows_asked_before = known(self.rows, case.linking_before)
        original = min(_rarest(case.original.coded(columns), columns, rows_asked_before).values(), default=None)
        leaving = [name for name in columns if name in case.released.columns]
        if not leaving:
            which = self.column or "No sensitive column"
            return self.found(True, f"{which} is {'not ' if self.column else ''}released.", original=original)
        coded = case.released.coded(leaving)
        fewest = _rarest(coded, leaving, rows_asked)
        rarest, n = min(fewest, key=fewest.__getitem__), coded.n_records
        rare = {
            name: [violating(coded, KAnonymity(columns=(name,), least=self.least, rows=rows)) for rows in rows_asked]
            for name in leaving
        }
        below = {name: number_of_any(coded, masks) for name, masks in rare.items()}
        persons = number_of_any(coded, chain.from_iterable(rare.values()))
        says = f"The rarest value, one of {rarest}, is that of {words.count(fewest[rarest], case.unit)}."
        if persons:
            of = words.listed([name for name in leaving if below[name]], most=len(leaving), last="or")
            says = f"{words.share(persons, n, case.unit)} have a rarer value of {of}. {says}"
        worst = tuple(sorted(((name, number) for name, number in below.items() if number), key=lambda pair: -pair[1]))
        return self.found(
            not worst, says, now=fewest[rarest], original=original, persons=persons, n_persons=n, worst=worst[:5]
        )


def _rarest(coded: Coded, columns: Sequence[str], rows_asked: Sequence[RowsKnown]) -> dict[str, int]:
    """By column, how many share its rarest value."""
    return {name: min(smallest_size(coded, [name], rows) for rows in rows_asked) for name in columns}
