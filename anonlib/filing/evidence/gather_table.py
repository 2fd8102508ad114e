"""What evidence holds of one table, gathered of a project on its files."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pandas as pd

from anonlib.analyses.utility.columns import ColumnLoss
from anonlib.columns.roles import Suggestion
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
from anonlib.filing.project import Opened
from anonlib.reading.joining import rows_of_tables
from anonlib.release.codebook import may_be_blank
from anonlib.release.comparison import counted_by, entropy_kept
from anonlib.release.detail import detail_lost
from anonlib.release.export import value_mapping
from anonlib.release.files import FORMATS
from anonlib.release.files.rows import neutralise
from anonlib.release.files.tables import columns_that_leave
from anonlib.release.left import columns_left
from anonlib.release.levels import levels_if_counted, steps_on
from anonlib.release.whose_rows import doubts_of
from anonlib.verdict.criteria import spelled_differently

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
            entry.step.for_recipient if entry.enabled else (),
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
