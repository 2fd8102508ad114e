"""Evidence gathered once, of a project on its files; every view of it shows this and computes nothing."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Collection, Sequence
from datetime import date
from importlib.metadata import version

import pandas as pd

from anonlib.analyses.utility.levels import ColumnLevels
from anonlib.basics import checks, words
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, Stages
from anonlib.basics.version import VERSION
from anonlib.coarsening.recoding import Redaction
from anonlib.columns.roles import Suggestion, suggest_roles
from anonlib.counting.guarantees import in_short
from anonlib.dataset import Dataset
from anonlib.filing.evidence import measures
from anonlib.filing.evidence.evidence import (
    PART_NAMES,
    PARTS,
    VALUE_TABLES,
    ColumnFacts,
    CriterionFacts,
    Evidence,
    FileFacts,
    Recoded,
    ReleasedFacts,
    StepFacts,
)
from anonlib.filing.evidence.leaving import Digested, write_file
from anonlib.filing.project import Opened
from anonlib.filing.project.opened import verdict_of
from anonlib.release.codebook import may_be_blank
from anonlib.release.comparison import (
    ColumnLoss,
    Comparison,
    column_losses,
    compare,
    counted_by,
    entropy_kept,
)
from anonlib.release.export import value_mapping
from anonlib.release.files import FORMATS
from anonlib.release.files.harmless import neutralise
from anonlib.release.levels import levels_of, steps_on
from anonlib.release.steps import Recode
from anonlib.verdict.criteria import Finding, NoIdentifiers, Verdict
from anonlib.verdict.criteria.cells import looked_at_as_texts

MOST_RECODED = 5_000
"""Most rows of the value tables; of a longer one the value mapping is the file to keep."""
MOST_CELLS = 500_000
"""Cells of the largest release that is digested in every format, asked for or not: 1.5 seconds."""
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
    progress: Stages | None = None,
) -> Evidence:
    """Gather the evidence of a release.

    Parameters
    ----------
    opened : Opened
        The project on its files.
    parts : collection of str
        Which of :data:`PARTS` to look at; the report says which were left out. With :data:`VALUE_TABLES` among them it
        lists values of the original too.
    target : str
        The column that a task for the release predicts; "" for no task.
    people : int, optional
        Everybody whom the file could have been drawn from, for estimates of who is alone among them.
    who : str
        Who says so, as typed.
    on : date, optional
        Today when left out.
    formats : collection of str
        Names of :data:`anonlib.release.files.FORMATS` in which it leaves beside the CSV, whose digests are to be on
        record. A release of at most :data:`MOST_CELLS` cells has those of every format that can hold it.
    suggestions : tuple of Suggestion, optional
        Suggested roles of the file's columns where they are at hand.
    progress : callable, optional
        See :data:`Stages`.

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
        raise InputError(f"{len(unknown)} of the parts asked for are none of: {', '.join((*PARTS, VALUE_TABLES))}.")
    if not set(formats) <= set(FORMATS):
        raise InputError(f"A release leaves as {words.listed(FORMATS, last='or')}. Name some of them as formats.")
    name = checks.text(who, "The name").strip()
    if len(name) > _LONGEST_NAME:
        raise InputError(f"The name is longer than {_LONGEST_NAME} characters. Shorten it.")
    tell = _Progress(progress, parts, bool(target))
    project, case = opened.project, opened.case
    verdict = verdict_of(case, project.aim, opened.undecided, tell("criteria", "Checking the criteria"))
    tell("columns", "What each column is")
    suggested = suggest_roles(opened.data.held, opened.data.described) if suggestions is None else suggestions
    losses = column_losses(opened.applied)
    comparison = _comparison(opened)
    inferred = measures.inferred(case, tell("inference", PART_NAMES["inference"])) if "inference" in parts else ()
    leaking = measures.leaking(case, tell("leakage", PART_NAMES["leakage"])) if "leakage" in parts else ()
    singled_out = None
    if "singling_out" in parts:
        singled_out = measures.singled_out(case, tell("singling_out", PART_NAMES["singling_out"]))
    alone = measures.alone(case, project.aim, tell("alone", "Who is alone by all that leaves"))
    attacks = None
    if "attacks" in parts:
        attacks = measures.attacks(case, project.aim, alone, tell("attacks", PART_NAMES["attacks"]))
    in_population = None if people is None else measures.in_population(case, people)
    useful = None
    if "utility" in parts:
        # The seed of the order is a secret: another one, that is no secret, draws what is drawn here.
        useful = measures.utility(
            case, project.aim.k, target, SEED, tell("utility", PART_NAMES["utility"]), project.aim.purposes
        )
    tell("versions", "Safe Harbor beside it")
    others = () if comparison is None else measures.versions(case, comparison)
    recoding, values_recoded = _recoding(opened) if VALUE_TABLES in parts else ((), 0)
    tell("released", "The file that leaves")
    return Evidence(
        made_on=(on or date.today()).isoformat(),
        who=name,
        versions=_versions(),
        project=hashlib.sha256(project.to_json().encode()).hexdigest(),
        file=_file(opened),
        population=_population(opened),
        areas=None if project.areas is None else FileFacts(project.areas.name, project.areas.digest, 0, 0),
        unit=opened.data.unit,
        missing=project.missing,
        k=project.aim.k,
        threshold=project.asked_threshold,
        recipient=project.aim.of.name,
        to_whom=project.aim.of.to_whom,
        verdict=verdict.says,
        may_leave=verdict.may_leave,
        leaves_anyway=project.aim.leaves_anyway,
        undecided=opened.undecided,
        unknowable=project.unknowable,
        harmless=tuple((column, len(values)) for column, values in project.aim.harmless),
        columns=_columns(opened, suggested, losses),
        steps=_steps(opened),
        criteria=tuple(_criterion(finding, verdict, opened.data) for finding in verdict.findings),
        before=None if comparison is None else measures.risk(comparison.before),
        after=None if comparison is None or not comparison.records_after else measures.risk(comparison.after),
        records_kept=case.released.n_records / max(1, case.original.n_records),
        persons_kept=_persons_kept(case.original, case.released),
        texts_looked_at=_texts_looked_at(opened),
        levels=_levels(opened),
        may_be_blank=_may_be_blank(opened),
        information_kept=entropy_kept(losses, counted_by(case.original)),
        sensitive=measures.sensitive(case) if case.known else (),
        inferred=inferred,
        leaking=leaking,
        singled_out=singled_out,
        others=others,
        utility=useful,
        in_population=in_population,
        recoding=recoding,
        released=_released(opened, formats),
        why_no_file=opened.applied.why_not,
        left_out=tuple(part for part in PARTS if part not in parts),
        alone=measures.alone_facts(alone),
        attacks=attacks,
        several_rows=opened.data.has_several_rows,
        values_recoded=values_recoded,
        case=project.case,
    )


class _Progress:
    """The share that is done of all that is looked at."""

    def __init__(self, progress: Stages | None, parts: Collection[str], with_task: bool) -> None:
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

        def tell(share: float) -> None:
            if self._progress is not None:
                self._progress(min(1.0, done + share * self._share[part]), what)

        tell(0.0)
        return tell


# ---- what it is of ----


def _versions() -> tuple[tuple[str, str], ...]:
    libraries = tuple((name, version(name)) for name in _LIBRARIES)
    return (("Anonscope", VERSION), ("Python", platform.python_version()), *libraries)


def _file(opened: Opened) -> FileFacts:
    data, file = opened.data, opened.project.file
    persons = data.with_missing("category").classes([]).n_records if data.unit == "persons" else None
    by_content = data.frame is None
    digest = data.content_digest if by_content else data.digest
    columns = len(data.columns if file is None else file.columns)
    return FileFacts(data.name, digest, data.n_records, columns, persons, by_content)


def _population(opened: Opened) -> FileFacts | None:
    table, people = opened.project.population, opened.people
    if table is None:
        return None
    if people is None:
        return FileFacts(table.name, table.digest, 0, 0)
    return FileFacts(table.name, table.digest, people.n_records, len(people.columns), people.classes([]).n_records)


def _columns(opened: Opened, suggested: Sequence[Suggestion], losses: Sequence[ColumnLoss]) -> tuple[ColumnFacts, ...]:
    data = opened.data
    by_name = {each.column: each for each in suggested}
    by_loss = {loss.column: loss for loss in losses}
    found = []
    for name in data.columns:
        about, loss = by_name[name], by_loss.get(name)
        found.append(
            ColumnFacts(
                name,
                str(data.roles.get(name, "")),
                about.reasons,
                str(about.role),
                name in opened.applied.released.columns,
                about.distinct if loss is None else loss.values_before,
                0 if loss is None else loss.values_after,
                about.missing,
                0.0 if loss is None else loss.entropy_before,
                0.0 if loss is None else loss.entropy_after,
                0.0 if loss is None else loss.entropy_kept,
            )
        )
    return tuple(found)


def _steps(opened: Opened) -> tuple[StepFacts, ...]:
    return tuple(
        StepFacts(
            entry.step.describe(),
            entry.step.reason,
            effect is not None and not effect.problem,
            0 if effect is None else effect.records_removed,
            0 if effect is None else effect.columns_removed,
            0 if effect is None else effect.cells_changed,
            "" if effect is None else effect.problem,
        )
        for entry, effect in zip(opened.project.recipe.entries, opened.applied.effects, strict=True)
    )


def _criterion(finding: Finding, verdict: Verdict, data: Dataset) -> CriterionFacts:
    criterion, accepted = finding.criterion, verdict.acceptance(finding)
    reason = accepted if accepted is not None and not finding.is_met else None
    return CriterionFacts(
        criterion.title,
        criterion.describe_in(data.unit, data.has_several_rows),
        criterion.bound,
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
    )


# ---- what is counted ----


def _texts_looked_at(opened: Opened) -> tuple[str, ...]:
    """The columns of free text that leave and in which a criterion or a step looks for identifiers."""
    released = opened.applied.released
    steps = opened.project.recipe.enabled
    redacted = [step.column for step in steps if isinstance(step, Recode) and isinstance(step.recoding, Redaction)]
    checked = any(isinstance(each, NoIdentifiers) for each in opened.project.aim.criteria)
    found = looked_at_as_texts(released) if checked else ()
    return tuple(name for name in released.columns if name in found or name in redacted)


def _levels(opened: Opened) -> tuple[ColumnLevels, ...]:
    """At which levels cells leave; none where that cannot be counted, as of columns of too many values in an engine."""
    try:
        return levels_of(opened.applied, opened.project.recipe)
    except InputError:
        return ()


def _may_be_blank(opened: Opened) -> tuple[str, ...]:
    applied, recipe = opened.applied, opened.project.recipe
    leaving = applied.released.columns
    return tuple(name for name in leaving if may_be_blank(name, steps_on(name, applied, recipe)))


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


def _recoding(opened: Opened) -> tuple[tuple[Recoded, ...], int]:
    """What the values of known columns became, and how many there are in all.

    None of another column's, whose values are confidential.
    """
    table = value_mapping(opened.applied, opened.project.recipe)
    table = table[table["column"].isin(opened.case.known)]
    n_values, table = len(table), table.head(MOST_RECODED)
    rows = zip(table["step"], table["column"], table["value"], table["released as"], strict=True)
    recoded = (
        Recoded(int(step), column, *(None if pd.isna(each) else str(each) for each in (value, label)))
        for step, column, value, label in rows
    )
    return tuple(recoded), n_values


def _released(opened: Opened, formats: Collection[str]) -> ReleasedFacts | None:
    applied, released = opened.applied, opened.applied.released
    if applied.why_not or not released.n_records:
        return None
    every = released.n_records * len(released.columns) <= MOST_CELLS
    kinds = [
        kind
        for kind, each in FORMATS.items()
        if kind == "CSV" or ((every or kind in formats) and not each.why_not(released))
    ]
    files = {kind: _digested(opened, kind) for kind in kinds}
    return ReleasedFacts(
        files["CSV"].digest.hexdigest(),
        files["CSV"].tell(),
        released.n_records,
        tuple(neutralise(released.columns)),
        applied.left_out,
        tuple((kind, file.digest.hexdigest()) for kind, file in files.items()),
        applied.of_nobody,
    )


def _digested(opened: Opened, kind: str) -> Digested:
    file = Digested()
    write_file(file, opened, kind)
    return file
