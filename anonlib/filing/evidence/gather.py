"""Evidence gathered once, of a project on its files; every view of it shows this and computes nothing."""

from __future__ import annotations

import platform
from collections.abc import Collection
from dataclasses import replace
from datetime import date
from importlib.metadata import version

from anonlib.basics import checks, words
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.basics.version import VERSION
from anonlib.columns.roles import Suggestion, suggest_roles
from anonlib.counting.privacy_models import in_short
from anonlib.dataset import Dataset
from anonlib.filing.evidence import measures
from anonlib.filing.evidence.as_released import as_released
from anonlib.filing.evidence.evidence import PART_NAMES, PARTS, VALUE_TABLES, CriterionFacts, Evidence
from anonlib.filing.evidence.gather_table import MOST_CELLS as MOST_CELLS
from anonlib.filing.evidence.gather_table import table_of
from anonlib.filing.evidence.of_case import of_case
from anonlib.filing.project import Opened
from anonlib.filing.project.opened import verdict_of
from anonlib.release.comparison import Comparison, column_losses, compare
from anonlib.release.files import FORMATS
from anonlib.verdict.attacks.attacking import Attacks
from anonlib.verdict.criteria import Finding, Verdict

SEED = 0
"""Of the samples that utility draws. The project's own is a secret."""
_LIBRARIES = ("pandas", "numpy", "scipy", "geopandas", "shapely", "plotly", "scikit-learn")
_LONGEST_NAME = 200
_WEIGHTS = {
    "criteria": 4,
    "columns": 2,
    "inference": 4,
    "leakage": 2,
    "singling_out": 2,
    "alone": 3,
    "attacks": 20,
    "utility": 6,
    "versions": 2,
    "as_released": 3,
    VALUE_TABLES: 1,
    "released": 2,
}
_A_TASK = 60  # the weight of utility with a task


def gather(
    opened: Opened,
    *,
    parts: Collection[str] = PARTS,
    target: str = "",
    people: int | None = None,
    who: str = "",
    on: date | None = None,
    formats: Collection[str] = (),
    suggestions: tuple[Suggestion, ...] | None = None,
    attacked: Attacks | None = None,
    progress: Progress | None = None,
) -> Evidence:
    """Gather the evidence of a release.

    Parameters
    ----------
    opened : Opened
        The project on its files.
    parts : Collection[str], default PARTS
        Which of :data:`PARTS` to look at; the report says which were left out. With
        :data:`VALUE_TABLES` among them it lists values of the original too.
    target : str
        The column that a task for the release predicts; "" for no task.
    people : int, optional
        Everybody whom the file could have been drawn from, for estimates of who is alone among them.
    who : str
        Who says so, as typed; the author of the project's case when left out.
    on : date, optional
        Today when left out.
    formats : Collection[str], default ()
        Names of :data:`anonlib.release.files.FORMATS` in which it leaves beside the CSV, whose
        digests are to be on record. A release of at most :data:`MOST_CELLS` cells has those of every format that can
        hold it.
    suggestions : tuple[Suggestion, ...], optional
        Suggested roles of the file's columns where they are at hand.
    attacked : Attacks, optional
        What came of attacks on this release without a file of people as a control, where they were tried
        already; those of another attacker are tried again.
    progress : Progress, optional
        Called with the share that is done and, in words, what is being done.

    Returns
    -------
    Evidence

    Raises
    ------
    InputError
        For an unknown part or format, a name that cannot be written, a column that cannot be predicted, or fewer people
        than the file has.
    """
    if unknown := set(parts) - {*PARTS, VALUE_TABLES}:
        raise InputError(
            f"{len(unknown)} of the parts asked for are none of: {', '.join((*PARTS, VALUE_TABLES))}.",
            code="choice-unknown",
        )
    if not set(formats) <= set(FORMATS):
        raise InputError(
            f"A release leaves as {words.listed(FORMATS, last='or')}. Name some of them as formats.",
            code="choice-unknown",
        )
    name = checks.text(who, "The name").strip()
    if len(name) > _LONGEST_NAME:
        raise InputError(f"The name is longer than {_LONGEST_NAME} characters. Shorten it.", code="text-too-long")
    begin = _Parts(progress, parts, bool(target))
    project, case = opened.project, opened.case
    verdict = verdict_of(case, project.aim, opened.undecided, begin("criteria", "Checking the criteria"))
    begin("columns", "What each column is")
    suggested = suggest_roles(opened.data.visible, opened.data.described) if suggestions is None else suggestions
    losses = column_losses(opened.applied, project.recipe)
    covered = measures.of_release(case)
    comparison = _comparison(opened)
    inferred = measures.inferred(case, begin("inference", PART_NAMES["inference"])) if "inference" in parts else ()
    leaking = measures.leaking(case, begin("leakage", PART_NAMES["leakage"])) if "leakage" in parts else ()
    singled_out = None
    if "singling_out" in parts:
        singled_out = measures.singled_out(case, begin("singling_out", PART_NAMES["singling_out"]))
    alone = measures.alone(case, project.aim, begin("alone", "Who is unique on released columns"))
    attacks = None
    if "attacks" in parts:
        attacks = measures.attacks(case, project.aim, alone, attacked, begin("attacks", PART_NAMES["attacks"]))
    in_population = None if people is None else measures.in_population(case, people)
    useful = None
    if "utility" in parts:
        # The seed of the order is a secret: another one, that is no secret, draws what is drawn here.
        useful = measures.utility(
            case, project.aim.k, target, SEED, begin("utility", PART_NAMES["utility"]), project.aim.purposes
        )
    begin("versions", "Safe Harbor beside it")
    others = () if comparison is None else measures.versions(case, comparison)
    criteria = [finding.criterion for finding in verdict.findings]
    counted_as_released = as_released(opened, criteria, begin("as_released", "The rows that leave, by themselves"))
    begin("released", "The file that leaves")
    evidence = Evidence(
        made_on=(on or date.today()).isoformat(),
        who=name,
        versions=_versions(),
        project="",  # as the case, which comes last
        tables=(table_of(opened, suggested, losses, formats, with_values=VALUE_TABLES in parts),),
        unit=opened.data.unit,
        k=project.aim.k,
        threshold=project.asked_threshold,
        recipient=project.aim.of.name,
        to_whom=project.aim.of.to_whom,
        verdict=verdict.decision,
        may_leave=verdict.may_leave,
        leaves_anyway=project.aim.leaves_anyway,
        criteria=tuple(_criterion(finding, verdict, opened.data) for finding in verdict.findings),
        learned=verdict.learned,
        measured=tuple(_measured(finding, verdict, opened.data) for finding in verdict.measured),
        before=None if comparison is None else measures.risk(comparison.before),
        after=None if comparison is None or not comparison.records_after else measures.risk(comparison.after),
        persons_kept=_persons_kept(case.original, case.released),
        sensitive=measures.sensitive(case) if case.known else (),
        inferred=inferred,
        leaking=leaking,
        singled_out=singled_out,
        others=others,
        utility=useful,
        in_population=in_population,
        left_out=tuple(part for part in PARTS if part not in parts),
        alone=measures.alone_facts(alone),
        attacks=attacks,
        several_rows=opened.data.has_several_rows,
        pseudonyms=opened.pseudonyms,
        by_covering=covered.by_covering,
        by_labels=covered.by_labels,
        as_released=counted_as_released,
    )
    return of_case(evidence, project)


class _Parts:
    """All that is looked at, and how far it is."""

    def __init__(self, progress: Progress | None, parts: Collection[str], with_task: bool) -> None:
        self._progress = progress
        looked_at = {n: weight for n, weight in _WEIGHTS.items() if n not in (*PARTS, VALUE_TABLES) or n in parts}
        if with_task and "utility" in looked_at:
            looked_at["utility"] = _A_TASK
        total = sum(looked_at.values())
        self._share = {name: weight / total for name, weight in looked_at.items()}

    def __call__(self, part: str, what: str) -> Progress:
        """Begin a part; what is given back is called with how far that is."""
        names = list(self._share)
        done = sum(self._share[name] for name in names[: names.index(part)])

        def of_part(share: float, *_: object) -> None:
            if self._progress is not None:
                self._progress(min(1.0, done + share * self._share[part]), what)

        of_part(0.0)
        return of_part


# ---- what it is of ----


def _versions() -> tuple[tuple[str, str], ...]:
    libraries = tuple((name, version(name)) for name in _LIBRARIES)
    return (("Anonscope", VERSION), ("Python", platform.python_version()), *libraries)


def _criterion(finding: Finding, verdict: Verdict, data: Dataset) -> CriterionFacts:
    criterion, accepted = finding.criterion, verdict.acceptance(finding)
    reason = accepted if accepted is not None and not finding.is_met else None
    return CriterionFacts(
        criterion.title,
        criterion.describe_in(data.unit, data.has_several_rows),
        criterion.bound_in(data.unit),
        criterion.source,
        str(finding.state),
        finding.says,
        "" if finding.now is None else criterion.shown(finding.now),
        "" if finding.original is None else criterion.shown(finding.original),
        finding.persons,
        finding.n_persons,
        finding.worst,
        "" if reason is None else reason.reason,
        "" if reason is None else reason.who,
        "" if reason is None else reason.when,
        tuple((in_short(rows), number) for rows, number in finding.by_rows),
        finding.by_column,
    )


def _measured(finding: Finding, verdict: Verdict, data: Dataset) -> CriterionFacts:
    """What was measured without a limit."""
    facts = _criterion(finding, verdict, data)
    return replace(facts, title=finding.criterion.title_measured, asks=finding.criterion.measures(data.unit), bound="")


# ---- what is counted ----


def _persons_kept(original: Dataset, released: Dataset) -> float | None:
    """Persons of the release / persons of the original; None where rows are counted."""
    if original.unit != "persons":
        return None
    return released.classes([]).n_records / max(1, original.classes([]).n_records)


def _comparison(opened: Opened) -> Comparison | None:
    """Risk of original and release; None where nothing may be known, or there is no record."""
    if not opened.case.known or not opened.data.n_records:
        return None
    project = opened.project
    return compare(
        opened.applied, project.recipe, k=project.aim.k, threshold=project.asked_threshold, population=opened.people
    )  # fmt: skip
