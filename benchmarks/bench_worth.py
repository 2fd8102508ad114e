"""What is left of a file for each recipient: the first proposal, counted on what leaves, with the roles as suggested
and what an officer answers who has read what the file is (:func:`files` says what, and why).

Detail kept is one minus what :func:`anonlib.release.detail.detail_lost` counts, the mean over the known and over the
sensitive columns. Overlap is that of :mod:`benchmarks.regression`, of original and release, by one regression a file
(:func:`files`).

Beside the proposal stands what is left where k alone is asked, as ARX is often used: the same known columns, the same k
and the same share that may be left out, mixed and the same for everyone. Where what is wanted is not reached, the
proposal is searched again without each criterion in turn, and with k = 2 in all.

``python -m benchmarks.bench_worth`` prints the table as it is measured; names of files and recipients choose of it, and
``without`` leaves the searches without a criterion out.
"""

from __future__ import annotations

import io
import math
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
import pandas as pd

from anonlib.basics.words import percent
from anonlib.columns.roles import Role, suggest_roles
from anonlib.dataset import Dataset
from anonlib.filing.project import LoadedFile, Opened, Project, open_project
from anonlib.filing.project.opened import case_of, verdict_of
from anonlib.release.applied import Applied
from anonlib.release.detail import detail_lost
from anonlib.release.left import columns_left
from anonlib.release.levels import levels_of
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import (
    PARTS,
    WHOLE_COLUMNS,
    Aim,
    Combinations,
    Criterion,
    NoIdentifiers,
    RecordsKept,
    SmallestClass,
)
from anonlib.verdict.proposals import Adviser, Asked, Proposal
from anonlib.verdict.proposals.offers import AT_ONCE, kinds_of
from benchmarks.hospital import extract, visits
from benchmarks.measuring import REPOSITORY, Row, adult_bytes, spoken
from benchmarks.regression import Agreement, Interval, Term, agreement, design, following, intervals, outcome

BESIDE = REPOSITORY.parent / "shared" / "data"
RECIPIENTS = ("within", "contract", "public")
KEPT, OVERLAP, REMOVED = 0.85, 0.8, 0.25
"""What is wanted: under contract and within no column removed and at least so much detail kept; under contract at least
so much overlap; for the public at most such a share of the columns removed."""
ALL_CRITERIA, NOT_ANSWERED, K_IN_PARTS, K_IN_COLUMNS = (
    "all criteria",
    "all criteria, no question answered",
    "k alone, mixed coarseness",
    "k alone, same coarseness for everyone",
)


@dataclass(frozen=True)
class File:
    """A file and its regression, chosen before any release of it was looked at.

    Attributes
    ----------
    read : Callable[[], bytes]
        Its bytes.
    outcome, value : str
        The column that is explained, and which of its values against all others.
    sensitive : tuple[str, ...]
        Two sensitive columns that explain it, beside all known ones; where fewer are suggested as sensitive, others
        that are not known; none where no other is left.
    codes : tuple[str, ...], default ()
        Columns whose digits are codes.
    unknowable : tuple[str, ...], default ()
        Columns of which an officer answers that nobody outside can know them.
    marks : tuple[tuple[str, str], ...], default ()
        Columns, and texts in them of which an officer answers that they mean “missing”.
    """

    read: Callable[[], bytes]
    outcome: str
    value: str
    sensitive: tuple[str, ...]
    codes: tuple[str, ...] = ()
    unknowable: tuple[str, ...] = ()
    marks: tuple[tuple[str, str], ...] = ()

    @property
    def not_answered(self) -> File:
        """The same where the officer answers nothing."""
        return replace(self, unknowable=(), marks=())

    @cached_property
    def roles(self) -> Mapping[str, Role]:
        """Every column in the role that is suggested for it."""
        before = open_project(Project(), self._loaded())
        return {each.column: each.role for each in suggest_roles(before.data.held, before.data.described)}

    def opened(self, aim: Aim) -> Opened:
        """The file as if for the first time, so that nothing is counted already."""
        return open_project(Project(roles=self.roles, aim=aim, unknowable=self.unknowable), self._loaded())

    def _loaded(self) -> LoadedFile:
        return replace(LoadedFile.of(self.read(), "file.csv"), column_marks=self.marks)

    @cached_property
    def before(self) -> tuple[tuple[Term, ...], set[str], Mapping[str, Interval]]:
        """The terms of the regression, the columns that follow from others, and its intervals on the original."""
        data = self.opened(Aim()).data
        names = [name for name in (*data.quasi_identifiers, *self.sensitive) if name != self.outcome]
        values = {name: texts(data, name) for name in names}
        terms = tuple(Term.of(name, values[name], name in self.codes) for name in names)
        had = texts(data, self.outcome)
        y = outcome(had, had, self.value)
        columns = design(terms, values, values, y)
        out = following(columns, y)
        return terms, out, intervals(columns, y, out)

    def agreement(self, applied: Applied) -> Agreement:
        """How far a release's regression agrees with the original's."""
        (terms, out, before), original, released = self.before, applied.original, applied.released
        if self.outcome not in released.columns or not released.n_rows:
            return agreement(before, {})
        rows = original.rows_of(released)
        names = [term.name for term in terms if term.name in released.columns]
        was = {name: texts(original, name)[rows] for name in (*names, self.outcome)}
        is_now = {name: texts(released, name) for name in (*names, self.outcome)}
        y = outcome(was[self.outcome], is_now.pop(self.outcome), self.value)
        return agreement(before, intervals(design(terms, was, is_now, y), y, out))


def texts(data: Dataset, name: str) -> np.ndarray:
    """object per row: the text of a column, None where it is missing."""
    held = data.records[name].array
    return np.append(np.asarray(held.categories, dtype=object), [None])[np.asarray(held.codes)]


@dataclass(frozen=True)
class Left:
    """What is left of a file for a recipient by one way, and the CPU seconds until it was proposed and judged."""

    file: str
    recipient: str
    way: str
    seconds: float
    says: str
    gone: tuple[str, ...]
    n_columns: int
    known_kept: float
    sensitive_kept: float
    records_kept: float
    agreement: Agreement

    @property
    def wanted(self) -> str:
        """What is wanted for the recipient, in words."""
        if self.recipient == "public":
            return f"at most {percent(REMOVED)} of the columns removed"
        overlap = f", overlap {OVERLAP:.2f}" if self.recipient == "contract" else ""
        return f"none removed, {percent(KEPT)} kept{overlap}"

    @property
    def is_reached(self) -> bool:
        """Whether it is, and the release may leave where it was judged."""
        if self.says and not self.says.startswith("May leave"):
            return False
        if self.recipient == "public":
            return len(self.gone) <= REMOVED * self.n_columns
        agrees = self.recipient != "contract" or self.agreement.mean >= OVERLAP
        is_kept = not any(share < KEPT for share in (self.known_kept, self.sensitive_kept))
        return not self.gone and is_kept and agrees

    @property
    def cells(self) -> list[str]:
        """A line of the table."""
        gone, both = self.agreement, f"{self.agreement.n_both} of {len(self.agreement.overlaps)}"
        names = f": {', '.join(self.gone)}" if self.gone else ""
        return [
            self.file, self.recipient, self.way, spoken(self.seconds),
            f"{len(self.gone)} of {self.n_columns}{names}", _share(self.known_kept), _share(self.sensitive_kept),
            percent(self.records_kept), f"{gone.mean:.2f}", f"{gone.of_both:.2f}, {both}", self.says,
        ]  # fmt: skip


@dataclass(frozen=True)
class Nothing:
    """That nothing was proposed."""

    file: str
    recipient: str
    way: str
    seconds: float

    @property
    def cells(self) -> list[str]:
        """A line of the table."""
        return [self.file, self.recipient, self.way, spoken(self.seconds), "no proposal", *[""] * 6]


HEAD = [
    "file", "recipient", "asked", "until then", "removed or dropped", "known columns keep", "sensitive columns keep",
    "rows", "overlap", "of coefficients in both fits", "verdict",
]  # fmt: skip


def rows() -> list[Row]:
    """The aims."""
    listed = []
    for each in measured():
        if each.way != ALL_CRITERIA:
            continue
        what = f"What is left of {each.file}, {each.recipient}"
        if isinstance(each, Nothing):
            listed.append(Row(what, "no proposal of mixed coarseness", "", False))
            continue
        _, _, _, seconds, gone, known, sensitive, kept, overlap, _, says = each.cells
        sentence = f"{seconds}; removed or dropped {gone}; detail kept: known {known}, sensitive {sensitive}; "
        sentence += f"rows kept {kept}; overlap {overlap}; {says}"
        listed.append(Row(what, sentence, each.wanted, each.is_reached))
    return listed


def tables() -> str:
    """Everything that was measured, with columns of its own."""
    usual = (ALL_CRITERIA, NOT_ANSWERED, K_IN_PARTS, K_IN_COLUMNS)
    beside = [line(each) for each in measured() if each.way in usual]
    without = [line(each) for each in measured() if each.way not in usual]
    titles = ("What is left of a file, beside k alone", "What is left of it without single criteria")
    both = zip(titles, (beside, without), strict=True)
    return "\n".join(text for title, lines in both for text in (f"### {title}", "", *heading(), *lines, ""))


def heading() -> list[str]:
    return [f"| {' | '.join(HEAD)} |", f"|{'---|' * len(HEAD)}"]


def line(each: Left | Nothing) -> str:
    return f"| {' | '.join(each.cells)} |"


@cache
def measured() -> tuple[Left | Nothing, ...]:
    return tuple(lefts())


def lefts(
    names: Collection[str] = (), recipients: Collection[str] = RECIPIENTS, without: bool = True
) -> Iterator[Left | Nothing]:
    """What is left of each file for each recipient: of the proposal, of k alone, and without single criteria.

    Parameters
    ----------
    names
        Files; all where none is named.
    recipients
        Their keys.
    without
        Whether to search without single criteria where what is wanted is not reached.
    """
    for name, file in files().items():
        if names and name not in names:
            continue
        for key in recipients:
            aim = Aim.for_recipient(key)
            left = left_by(name, file, aim, ALL_CRITERIA)
            yield left
            if file.unknowable or file.marks:
                yield left_by(name, file.not_answered, aim, NOT_ANSWERED)
            yield left_by(name, file, k_alone(aim), K_IN_PARTS, is_judged=False)
            yield left_by(name, file, k_alone(aim), K_IN_COLUMNS, WHOLE_COLUMNS, is_judged=False)
            if not without or (isinstance(left, Left) and left.is_reached):
                continue
            for criterion in aim.criteria:
                if not isinstance(criterion, NoIdentifiers | RecordsKept):
                    fewer = aim.replacing(criterion, None)
                    yield left_by(name, file, fewer, f"without “{criterion.title}”", is_judged=False)
            smaller = with_k(aim, 2)
            if smaller != aim:
                yield left_by(name, file, smaller, "k = 2", is_judged=False)


def with_k(aim: Aim, k: int) -> Aim:
    """The aim with another k in every criterion that has one: two of them can ask for the same class."""

    def changed(criterion: Criterion) -> Criterion:
        if isinstance(criterion, Combinations):
            return replace(criterion, least=k)
        return replace(criterion, k=k) if hasattr(criterion, "k") else criterion

    return replace(aim, criteria=tuple(map(changed, aim.criteria)))


def k_alone(aim: Aim) -> Aim:
    """The same k, by the same rows of a person, and the same share that may be left out; nothing else."""
    kept = tuple(each for each in aim.criteria if isinstance(each, RecordsKept))
    return replace(aim, criteria=(SmallestClass(aim.k, rows=aim.rows), *kept), measured=())


def left_by(name: str, file: File, aim: Aim, way: str, kind: str = PARTS, is_judged: bool = True) -> Left | Nothing:
    """What the first proposal of a kind leaves."""
    data = file.opened(aim).data
    begun = time.process_time()
    search = kinds_of([kind])[0].search
    asked = Asked.of(data, aim, {}, unknowable=file.unknowable)
    proposal = search(Adviser(asked), AT_ONCE, None)
    if not isinstance(proposal, Proposal):
        return Nothing(name, aim.recipient, way, time.process_time() - begun)
    recipe = proposal.taken(Recipe(), data)
    applied = recipe.apply(data)
    says = verdict_of(case_of(applied, recipe, None, aim, file.unknowable), aim, ()).decision if is_judged else ""
    seconds = time.process_time() - begun
    left, lost = columns_left(applied), detail_lost(applied, levels_of(applied, recipe))
    kept_by_column = {} if lost is None else {column: 1 - share for column, share in lost.by_column}
    known, sensitive = (
        [kept_by_column[column] for column in columns if column in kept_by_column]
        for columns in (data.quasi_identifiers, data.sensitive)
    )
    gone = tuple(dict.fromkeys((*left.removed, *left.dropped)))
    kept = applied.released.n_rows / max(1, data.n_rows)
    return Left(
        name, aim.recipient, way, seconds, says, gone, left.n_columns, _mean(known), _mean(sensitive), kept,
        file.agreement(applied),
    )  # fmt: skip


def files() -> dict[str, File]:
    """By name, each file that is here; the last three were kept back until everything was built."""
    listed = {
        "admissions": File(
            (REPOSITORY / "data" / "samples" / "admissions.csv").read_bytes,
            "outcome", "Home", ("diagnosis", "insurance"), ("zip",),
        ),
        "adult": File(
            adult_bytes, "salary", ">50K", ("capital_gain", "capital_loss"),
            unknowable=("fnlwgt",),  # a weight that the census bureau computed
        ),
        "hospital extract, made up": File(
            lambda: _csv(extract()), "icd10", "E10", ("creatinine_mg_dl", "crp_mg_l"), ("zip",)
        ),
        "101,766 visits, made up": File(
            lambda: _csv(visits()), "readmitted", "NO", ("diag_1", "A1Cresult"),
            ("admission_type", "admission_source", "diag_1"),
            unknowable=("change",),  # whether the ward changed a dose
        ),
    }  # fmt: skip
    bills = tuple(f"{of}{month}" for of in ("BILL_AMT", "PAY_AMT") for month in range(1, 7))
    beside: dict[str, tuple[str, str, str, tuple[str, ...], tuple[str, ...]]] = {
        "heart_cleveland": ("heart_cleveland.csv", "hd", "1", ("smoker", "chol"), ("zip",)),
        "cervical_cancer": ("cervical_cancer.csv", "Biopsy", "1", ("Hormonal Contraceptives", "STDs"), ()),
        "mach2019": ("arx_benchmark/mach2019_int.csv", "Q1A", "4", ("Q2A", "Q3A"),
            ("gender", "married", "race", "religion", "Q2A", "Q3A")),
        "credit cards": (
            "arx_benchmark/creditcard_int.csv", "default-payment-next-month", "1", ("PAY_0", "PAY_2"),
            ("SEX", "EDUCATION", "MARRIAGE", "PAY_0", "PAY_2"),
        ),
        "attendances": ("reports/05b_placeholder_unknown.csv", "diagnosis", "I21.4", (), ()),
    }  # fmt: skip
    unknowable = {
        "cervical_cancer": ("Hinselmann", "Schiller", "Citology"),  # results of tests
        "mach2019": tuple(f"Q{i}A" for i in range(1, 11)),  # answers to a questionnaire on the web, without names
        "credit cards": bills,  # amounts of single months, which the bank alone knows
    }
    marks = {"attendances": (("nhs_number", "UNKNOWN"),)}  # the page says of it that it names nobody
    for name, (path, *model) in beside.items():
        if (BESIDE / path).is_file():
            read = (BESIDE / path).read_bytes
            listed[name] = File(read, *model, unknowable=unknowable.get(name, ()), marks=marks.get(name, ()))
    return listed


def _csv(frame: pd.DataFrame) -> bytes:
    buffer = io.StringIO()
    frame.to_csv(buffer, index=False)
    return buffer.getvalue().encode()


def _mean(shares: list[float]) -> float:
    """NaN of no columns."""
    return sum(shares) / len(shares) if shares else math.nan


def _share(share: float) -> str:
    return "no columns" if math.isnan(share) else percent(share)


if __name__ == "__main__":
    chosen = {*sys.argv[1:]}
    print("\n".join(heading()))
    asked_for = [key for key in RECIPIENTS if key in chosen] or RECIPIENTS
    for each in lefts(chosen - {*RECIPIENTS, "without"}, asked_for, "without" not in chosen):
        print(line(each), flush=True)
