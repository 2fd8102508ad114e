"""Evidence gathered once, of a project on its files; every view of it shows this and computes nothing.

Evidence of the case that a project holds: the one thing in it that can change without anything being counted.

What evidence holds of one table, gathered of a project on its files.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date
from importlib.metadata import version

import pandas as pd

from anonlib.analyses.utility.columns import ColumnLoss
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
from anonlib.filing.evidence.leaving import Digested, write_file
from anonlib.filing.evidence.table import (
    ColumnFacts,
    FileFacts,
    PartFacts,
    RecodedValue,
    ReleasedFacts,
    StepFacts,
    TableFacts,
)
from anonlib.filing.project import Opened, Project
from anonlib.filing.project.opened import verdict_of
from anonlib.reading.joining import rows_of_tables
from anonlib.release.codebook import may_be_blank
from anonlib.release.comparison import Comparison, column_losses, compare, counted_by, entropy_kept
from anonlib.release.detail import detail_lost
from anonlib.release.export import value_mapping
from anonlib.release.files import FORMATS
from anonlib.release.files.rows import neutralise
from anonlib.release.files.tables import columns_that_leave
from anonlib.release.left import columns_left
from anonlib.release.levels import levels_if_counted, steps_on
from anonlib.release.whose_rows import doubts_of
from anonlib.verdict.attacks.attacking import Attacks
from anonlib.verdict.criteria import Finding, Verdict, coin_in_words, spelled_differently


def of_case(evidence: Evidence, project: Project) -> Evidence:
    """The evidence of a project, with what the project says of the case now.

    Parameters
    ----------
    evidence : Evidence
        As gathered of the project, of whatever case; it may have been gathered before the case was changed.
    project : Project
        As it is now, with the case as the officer describes it.

    Returns
    -------
    Evidence
        With the project's case, the digest of the project as it is saved, and the case's author as who says so where
        nobody else is named.

    Raises
    ------
    InputError
        When the project names more values than a saved one can.
    """
    is_author = evidence.who in ("", evidence.case.author)
    return replace(
        evidence,
        who=project.case.author if is_author else evidence.who,
        project=hashlib.sha256(project.to_json().encode()).hexdigest(),
        case=project.case,
    )


MOST_RECODED = 5_000
"""Most rows of the value tables; of a longer one the value mapping is the file to keep."""
MOST_CELLS = 500_000
"""Cells of the largest release that is digested in every format, asked for or not: 1.5 seconds."""


def table_of(
    opened: Opened,
    suggested: Sequence[Suggestion],
    losses: Sequence[ColumnLoss],
    formats: Collection[str],
    *,
    with_values: bool,
) -> TableFacts:
    """What the evidence of a project on its files holds of its table.

    Parameters
    ----------
    opened : Opened
        The project on its files.
    suggested : Sequence[Suggestion]
        Suggested roles, one for each column.
    losses : Sequence[ColumnLoss]
        What the columns that leave have lost.
    formats : Collection[str]
        As of :func:`anonlib.filing.evidence.gather.gather`.
    with_values : bool
        Whether it lists values of the original and what they became.
    """
    project, applied = opened.project, opened.applied
    recoding, values_recoded = _recoding(opened) if with_values else ((), 0)
    levels = levels_if_counted(applied, project.recipe)
    return TableFacts(
        file=_file(opened),
        population=_population(opened),
        areas=None if project.areas is None else FileFacts(project.areas.name, project.areas.digest, 0, 0),
        missing=project.missing,
        undecided=opened.undecided,
        unknowable=project.unknowable,
        harmless=tuple((column, len(values)) for column, values in project.aim.harmless),
        columns=_columns(opened, suggested, losses),
        steps=_steps(opened),
        records_kept=applied.released.n_records / max(1, applied.original.n_records),
        information_kept=entropy_kept(losses, counted_by(applied.original)),
        recoding=recoding,
        released=_released(opened, formats),
        why_no_file=applied.why_not or opened.why_no_key,
        values_recoded=values_recoded,
        texts_looked_at=_texts_looked_at(opened),
        levels=levels,
        may_be_blank=_may_be_blank(opened),
        parts=_parts(opened),
        spelled=spelled_differently(opened.data, (*opened.data.quasi_identifiers, *opened.data.sensitive)),
        ids=doubts_of(opened.data, read=None if project.file is None else project.file.ids) or None,
        left=columns_left(applied) if applied.released.n_records else None,
        lost=detail_lost(applied, levels),
        held_beside=_held_beside(opened),
        left_for_value=opened.left_for_value,
    )


# ---- what it is of ----


def _file(opened: Opened) -> FileFacts:
    data, file = opened.data, opened.project.file
    persons = data.with_missing("category").classes([]).n_records if data.unit == "persons" else None
    by_content = data.frame is None
    digest = data.content_digest if by_content else data.digest
    columns = len(data.columns if file is None else file.columns)
    if data.tables is not None and data.tables.rows_are_persons:
        columns -= 1  # the number of a row is no column of the file
    return FileFacts(data.name, digest, data.n_rows, columns, persons, by_content)


def _parts(opened: Opened) -> tuple[PartFacts, ...]:
    layout, released = opened.data.tables, opened.applied.released
    if layout is None:
        return ()
    before, after = (rows_of_tables(dataset.held, layout) for dataset in (opened.data, released))
    return tuple(
        PartFacts(
            place.name,
            place.digest,
            before[place.name].rows,
            after[place.name].rows,
            place.parent,
            place.parent_column,
            after[place.name].names_none,
            bool(place.mark),
        )
        for place in layout.tables
    )


def _population(opened: Opened) -> FileFacts | None:
    table, people = opened.project.population, opened.people
    if table is None:
        return None
    if people is None:
        return FileFacts(table.name, table.digest, 0, 0)
    return FileFacts(table.name, table.digest, people.n_records, len(people.columns), people.classes([]).n_records)


def _held_beside(opened: Opened) -> tuple[FileFacts, ...]:
    """The files of earlier releases, with what left of each."""
    facts = []
    for earlier in opened.beside:
        released = earlier.applied.released
        persons = released.classes([]).n_records if earlier.data.unit == "persons" else None
        facts.append(
            FileFacts(earlier.data.name, earlier.data.digest, released.n_records, len(released.columns), persons)
        )
    return tuple(facts)


def _columns(opened: Opened, suggested: Sequence[Suggestion], losses: Sequence[ColumnLoss]) -> tuple[ColumnFacts, ...]:
    data = opened.data
    by_name = {suggestion.column: suggestion for suggestion in suggested}
    by_loss = {loss.column: loss for loss in losses}
    columns = []
    for name in data.columns:
        about, loss = by_name[name], by_loss.get(name)
        columns.append(
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
    return tuple(columns)


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
            (*entry.step.for_recipient, *coin_in_words(entry.step.coin)) if entry.enabled else (),
        )
        for entry, effect in zip(opened.project.recipe.entries, opened.applied.effects, strict=True)
    )


# ---- what became of it ----


def _texts_looked_at(opened: Opened) -> tuple[str, ...]:
    """The columns of free text that leave and in which a criterion or a step looks for identifiers."""
    released = opened.applied.released
    redacted = opened.project.recipe.recoded_by("text")
    searched = {name for criterion in opened.project.aim.criteria for name in criterion.texts_searched(released)}
    return tuple(name for name in released.columns if name in searched or name in redacted)


def _may_be_blank(opened: Opened) -> tuple[str, ...]:
    applied, recipe = opened.applied, opened.project.recipe
    leaving = applied.released.columns
    return tuple(name for name in leaving if may_be_blank(name, steps_on(name, applied, recipe)))


def _recoding(opened: Opened) -> tuple[tuple[RecodedValue, ...], int]:
    """What the values of known columns became, and how many there are in all.

    None of another column's, whose values are confidential, and none of dates that were moved: a date beside what one
    person's became says by how many days all of that person's are moved.
    """
    table = value_mapping(opened.applied, opened.project.recipe)
    moving = [i for i, entry in enumerate(opened.project.recipe.entries, 1) if entry.step.labels_by == "person"]
    table = table[table["column"].isin(opened.case.known) & ~table["step"].isin(moving)]
    n_values, table = len(table), table.head(MOST_RECODED)
    rows = zip(table["step"], table["column"], table["value"], table["released as"], strict=True)
    recoded = (
        RecodedValue(int(step), column, *(None if pd.isna(cell) else str(cell) for cell in (value, label)))
        for step, column, value, label in rows
    )
    return tuple(recoded), n_values


def _released(opened: Opened, formats: Collection[str]) -> ReleasedFacts | None:
    applied, released = opened.applied, opened.applied.released
    if applied.why_not or not released.n_records or opened.why_no_key:
        return None
    every = released.n_records * len(released.columns) <= MOST_CELLS
    kinds = [
        kind
        for kind, file_format in FORMATS.items()
        if kind == "CSV" or ((every or kind in formats) and not file_format.why_not(released))
    ]
    files = {kind: _digested(opened, kind) for kind in kinds}
    return ReleasedFacts(
        files["CSV"].digest.hexdigest(),
        files["CSV"].tell(),
        released.n_rows,
        tuple(neutralise(columns_that_leave(released))),
        applied.left_out,
        tuple((kind, file.digest.hexdigest()) for kind, file in files.items()),
        applied.of_nobody,
    )


def _digested(opened: Opened, kind: str) -> Digested:
    file = Digested()
    write_file(file, opened, kind)
    return file


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
