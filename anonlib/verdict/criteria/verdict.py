"""The verdict: whether a release may leave for a recipient, in one sentence, and what stands against it.

The one gate: whether what leaves may be taken out, for every page, command and script that offers it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from anonlib.basics import checks, words
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody, share_of
from anonlib.counting.privacy_models.models import n_sets_of
from anonlib.release.applied import Applied
from anonlib.verdict.criteria.case import Case
from anonlib.verdict.criteria.criterion import Criterion, Finding, State, not_implied
from anonlib.verdict.criteria.recipients import OWN, RECIPIENTS

_LONGEST_REASON = 2000
_USUAL_WORK = 100  # sets of columns that take as long as all else that a criterion does
AT_ONCE = 5e7
"""Work, in rows looked at, that something without a limit may take where a page waits for it: a few seconds."""
NOT_COUNTED_YET = "Not counted yet, since it takes longer than the criteria do."
_A_RELEASE = {recipient.name: recipient.a_release for recipient in RECIPIENTS}


@dataclass(frozen=True)
class Accepted:
    """A criterion that is not met, or cannot be checked, and accepted all the same.

    Attributes
    ----------
    criterion : Criterion
        With the limits at which it was accepted; with others it is not.
    reason : str
        Why, as typed.
    who, when : str, default ""
        Who says so, and the date as ``2026-11-22``.
    columns : tuple[str, ...], default ()
        Where it was accepted that something of these columns cannot be checked, they: it counts for no other column,
        and not once the criterion is found not to be met, unless it is one of cells of columns
        (:attr:`Criterion.by_column`). Empty: it counts whatever is found.
    values : tuple[tuple[str, tuple[str, ...]], ...], default ()
        By column, the different values that could not be read and that the reason is about: it counts for no other
        value of that column. Of a column that is not among them it counts for each.
    """

    criterion: Criterion
    reason: str
    who: str = ""
    when: str = ""
    columns: tuple[str, ...] = ()
    values: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def __post_init__(self) -> None:
        reason = checks.text(self.reason, "The reason").strip()
        if not reason:
            raise InputError("Say why the criterion is accepted although it is not met.", code="reason-missing")
        if len(reason) > _LONGEST_REASON:
            raise InputError(
                f"The reason is longer than {_LONGEST_REASON:,} characters. Shorten it.", code="text-too-long"
            )
        object.__setattr__(self, "reason", reason)
        object.__setattr__(self, "who", checks.text(self.who, "The name").strip())
        object.__setattr__(self, "when", checks.text(self.when, "The date"))
        names = tuple(checks.text(name, "The name of a column") for name in self.columns)
        object.__setattr__(self, "columns", names)
        answered = tuple(
            (checks.text(name, "The name of a column"), tuple(checks.text(value, "A value") for value in values))
            for name, values in self.values
        )
        object.__setattr__(self, "values", answered)

    @classmethod
    def of(cls, finding: Finding, reason: str, who: str = "", when: str = "") -> Accepted:
        """What is accepted of a finding: where it is about the cells of some columns, of these alone."""
        columns = finding.columns if _is_of_columns(finding) else ()
        return cls(finding.criterion, reason, who, when, columns, finding.cells)

    def holds_of(self, finding: Finding) -> bool:
        """Whether a finding is what was accepted."""
        if finding.criterion != self.criterion or not self.columns:
            return finding.criterion == self.criterion
        if not _is_of_columns(finding) or not finding.columns or not set(finding.columns) <= set(self.columns):
            return False
        answered = dict(self.values)
        return all(set(unread) <= set(answered.get(name, unread)) for name, unread in finding.cells)

    def without_values_of(self, may_name: Callable[[str], bool]) -> Accepted | None:
        """The acceptance without columns of which values may not be named; None where nothing of it is left.

        Parameters
        ----------
        may_name : Callable[[str], bool]
            Whether the values of a column may be named.
        """
        hidden = {name for name, _ in self.values if not may_name(name)}
        if not hidden:
            return self
        columns = tuple(name for name in self.columns if name not in hidden)
        values = tuple((name, held) for name, held in self.values if name not in hidden)
        return replace(self, columns=columns, values=values) if columns else None


def _is_of_columns(finding: Finding) -> bool:
    return finding.state is State.UNKNOWN or finding.criterion.by_column


@dataclass(frozen=True)
class Verdict:
    """What was found of a release for a recipient.

    Attributes
    ----------
    recipient : str
        The recipient's name.
    findings : tuple[Finding, ...]
        One a criterion, in their order.
    accepted : tuple[Accepted, ...], default ()
        Those that are accepted although they are not met.
    undecided : tuple[str, ...], default ()
        Columns that leave and nobody has decided on: not assessed.
    why_no_file : str, default ""
        Why no file could be made of the recipe, in a sentence; "".
    measured : tuple[Finding, ...], default ()
        What was measured besides, without a limit: it stands against nothing.
    """

    recipient: str
    findings: tuple[Finding, ...]
    accepted: tuple[Accepted, ...] = ()
    undecided: tuple[str, ...] = ()
    why_no_file: str = ""
    measured: tuple[Finding, ...] = ()

    def acceptance(self, finding: Finding) -> Accepted | None:
        """The reason for which a finding that is not met, or cannot be checked, is accepted."""
        return next((acceptance for acceptance in self.accepted if acceptance.holds_of(finding)), None)

    @property
    def against(self) -> tuple[Finding, ...]:
        """Findings that are not met, or could not be checked, and that nobody accepted."""
        return tuple(finding for finding in self.findings if not finding.is_met and self.acceptance(finding) is None)

    @property
    def _unmet(self) -> int:
        return sum(finding.state is State.NOT_MET for finding in self.against)

    @property
    def _unchecked(self) -> int:
        return len(self.against) - self._unmet

    @property
    def n_accepted(self) -> int:
        """Criteria that are not met and accepted."""
        return sum(not finding.is_met and self.acceptance(finding) is not None for finding in self.findings)

    @property
    def may_leave(self) -> bool:
        """Whether nothing stands against it."""
        return bool(self.findings) and not self.against and not self.undecided and not self.why_no_file

    @property
    def says(self) -> str:
        """The verdict in one sentence, with what was measured without a limit in another one."""
        return " ".join(part for part in (self.decision, self.learned) if part)

    @property
    def learned(self) -> str:
        """The worst of each kind that was measured without a limit, and what was not counted; "" where nothing was."""
        if self.why_no_file:
            return ""
        counted = [finding for finding in self.measured if finding.state is not State.UNKNOWN]
        by_kind = dict[str, Finding]()
        for finding in sorted(counted, key=lambda finding: finding.persons):
            by_kind[finding.criterion.kind] = finding
        worst = [by_kind[kind] for kind in dict.fromkeys(finding.criterion.kind for finding in counted)]
        open_ones = [finding for finding in self.measured if finding.state is State.UNKNOWN]
        says = (finding.criterion.without_limit(finding) for finding in (*worst, *open_ones))
        return " ".join(dict.fromkeys(filter(None, says)))

    @property
    def decision(self) -> str:
        """Whether it may leave, and what stands against it, in one sentence."""
        to = _A_RELEASE.get(self.recipient, OWN.a_release)
        total = len(self.findings)
        if not total:
            return f"Nothing is asked of {to}: choose at least one criterion."
        if self.why_no_file:
            return f"Not yet for {to}: {self.why_no_file[0].lower()}{self.why_no_file[1:]}"
        parts = []
        if self._unmet:
            are = "is" if self._unmet == 1 else "are"
            parts.append(f"{self._unmet} of {words.count(total, 'criteria')} {are} not met")
        if self._unchecked:
            parts.append(f"{self._unchecked} cannot be checked")
        if parts:
            return f"Not yet for {to}: {words.listed(parts)}."
        if self.undecided:
            names = words.listed(self.undecided)
            return f"Not yet for {to}: {self._met}, but {names} {_is(self.undecided)} not assessed."
        if self.n_accepted:
            return f"May leave for {to}, by a written reason: {self._met}."
        return f"May leave for {to}: {self._met}."

    @property
    def _met(self) -> str:
        """How many criteria are met, where nothing stands against it."""
        total, accepted = len(self.findings), self.n_accepted
        if total == 1:
            return "its criterion is accepted" if accepted else "its criterion is met"
        if not accepted:
            return f"all {total} criteria are met"
        met = total - accepted
        both = "is" if met == 1 else "are", "is" if accepted == 1 else "are"
        return f"{met} of {total} criteria {both[0]} met, {accepted} {both[1]} accepted"

    @property
    def short(self) -> str:
        """The verdict in a few words, for the sidebar."""
        if self.may_leave:
            return f"May leave · {self.recipient}"
        if self.against:
            what = "not met" if not self._unchecked else "unchecked" if not self._unmet else "against it"
            return f"Not yet · {len(self.against)} of {len(self.findings)} {what}"
        return "Not yet · " + ("no file can be made" if self.why_no_file else "columns not assessed")


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def judge(
    case: Case,
    criteria: Sequence[Criterion],
    *,
    recipient: str,
    measured: Sequence[Criterion] = (),
    accepted: Sequence[Accepted] = (),
    undecided: Sequence[str] = (),
    most_work: float | None = None,
    progress: Progress = nobody,
) -> Verdict:
    """Check every criterion on a release.

    Parameters
    ----------
    case : Case
        The release and what it was made of.
    criteria : Sequence[Criterion]
        What it must meet. One that asks nothing of this file that another one does not is not
        looked at.
    recipient : str
        The recipient's name.
    measured : Sequence[Criterion], default ()
        What is measured besides, without a limit.
    accepted : Sequence[Accepted], default ()
        What was accepted; counts for criteria with the same limits alone.
    undecided : Sequence[str], default ()
        Columns that nobody has decided on; those that leave are not assessed.
    most_work : float, optional
        What one of ``measured`` may take (:meth:`Criterion.work`): one that takes more is not counted yet. None: all
        are.
    progress : Progress, default nobody
        Called with the share that is done, in [0, 1]; may raise to stop.

    Returns
    -------
    Verdict
    """
    released, several_rows = case.released, case.original.has_several_rows
    criteria = not_implied(criteria, several_rows)
    if released.n_records:
        counted = [criterion for criterion in measured if most_work is None or criterion.work(case) <= most_work]
        findings = _all_checked([*criteria, *counted], case, progress)
    else:
        nothing = "No record is left in the release, so there is nothing to judge. Take a step of the recipe back."
        findings, measured = tuple(criterion.unknown(nothing) for criterion in criteria), ()
    leaving = tuple(name for name in undecided if name in released.columns)
    by_criterion = {finding.criterion: finding.measured for finding in findings[len(criteria) :]}
    return Verdict(
        recipient,
        findings[: len(criteria)],
        tuple(accepted),
        leaving,
        case.applied.why_not,
        tuple(by_criterion.get(criterion, criterion.unknown(NOT_COUNTED_YET)) for criterion in measured),
    )


def _all_checked(criteria: Sequence[Criterion], case: Case, progress: Progress) -> tuple[Finding, ...]:
    work = [
        _USUAL_WORK + sum(n_sets_of(guarantee) for guarantee in criterion.guarantees(case)) for criterion in criteria
    ]
    findings = list[Finding]()
    for i, criterion in enumerate(criteria):
        progress(sum(work[:i]) / sum(work))
        with case.watched(share_of(progress, sum(work[:i]) / sum(work), sum(work[: i + 1]) / sum(work))):
            findings.append(_checked(criterion, case))
    return tuple(findings)


def _checked(criterion: Criterion, case: Case) -> Finding:
    try:
        return criterion.check(case)
    except InputError as error:
        return criterion.unknown(str(error))


def why_it_stays(applied: Applied, verdict: Verdict | None, reason: str = "") -> str:
    """Why the records of a release may not be taken out yet, in a sentence; "" where they may.

    Parameters
    ----------
    applied : Applied
        What a recipe made of the data.
    verdict : Verdict or None
        What was found of that very release; None while all columns are undecided.
    reason : str
        Why it leaves all the same, as the officer wrote it.

    Returns
    -------
    str

    Notes
    -----
    A reason lets out what does not meet its criteria. It lets out nothing that has no record, of which a step does not
    fit the data, or of which no column has a role.
    """
    if applied.why_not:
        return applied.why_not
    if not applied.released.n_records:
        return "No record is left in the release, so that there is no file. Change the recipe."
    if verdict is None:
        return "Nobody has decided yet what the columns are: accept their roles on the Data page first."
    if verdict.may_leave or reason.strip():
        return ""
    return "The verdict is against it: meet its criteria, or write why it leaves all the same."
