"""The part of a report that says what the release is still good for.

It begins with how well what must survive does, original against release.
"""

from __future__ import annotations

import numpy as np

from anonlib.analyses.utility import Association, Prediction, Utility
from anonlib.analyses.utility.levels import in_words
from anonlib.basics import figures, words
from anonlib.filing.evidence.evidence import Evidence
from anonlib.filing.evidence.report.wording import ReportWording
from anonlib.filing.evidence.utility import PurposeFacts, UtilityFacts
from anonlib.filing.report.blocks import Block, Bullets, Figure, Paragraph, Table
from anonlib.plots import levels as level_plots
from anonlib.plots import utility as plots
from anonlib.plots.still import svg
from anonlib.release.analysing import advice_on

_TITLE = "What must survive, original against release"


def survives(utility: UtilityFacts) -> tuple[Block, ...]:
    """A row for each purpose, and what it means; nothing where none is named."""
    if not utility.purposes:
        return ()
    rows = tuple(
        (purpose.title, purpose.measure or "–", _figure(purpose.original), _figure(purpose.release), _share(purpose))
        for purpose in utility.purposes
    )
    table = Table(
        _TITLE,
        ("What must survive", "Measure", "Original", "Release", "Kept"),
        rows,
        ("left", "left", "right", "right", "right"),
        ("100% is as in the original; a mean by group is 0% where it is no better than the overall mean.",),
    )
    return (table, Bullets(tuple(purpose.sentence for purpose in utility.purposes)))


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}"


def _share(purpose: PurposeFacts) -> str:
    return "not measured" if purpose.share is None else words.percent(purpose.share)


_WIDE = 660  # pixels of a figure
_MOST_BARS, _MOST_CELLS = 25, 20  # columns of a figure of bars, and of a square of pairs
_WORST = 8  # pairs in the table


def kept(evidence: Evidence, say: ReportWording) -> tuple[Block, ...]:
    """Rows, columns, pairs of columns, the task, and other releases of the file beside this one."""
    utility = evidence.utility
    blocks: list[Block] = [*_levels(evidence)]
    if utility is None:
        blocks.append(
            Paragraph(
                f"{figures.ROWS_KEPT.name}: {words.percent(evidence.records_kept)}. {figures.ENTROPY_KEPT.name}: "
                f"{words.percent(evidence.information_kept)}. {figures.ENTROPY_KEPT.meaning()}"
            )
        )
        if "utility" in evidence.left_out:
            blocks.append(Paragraph("More on what the release is still good for was left out by choice."))
    else:
        blocks += [_figures(utility), _columns(utility), *_pairs(utility)]
        blocks += survives(utility)
        if utility.prediction is not None:
            blocks += _task(utility.prediction)
    return (*blocks, *_others(evidence, say))


def _levels(evidence: Evidence) -> list[Block]:
    """At which levels the cells of each column leave, as a picture and a table, and how they are analysed."""
    if not evidence.levels:
        return []
    levels = evidence.levels
    blocks: list[Block] = []
    if len(levels) <= _MOST_BARS:
        drawn = level_plots.columns(levels)
        caption = "The cells of each column that leave, by their level. The lighter, the coarser; hatched: empty."
        blocks.append(Figure(svg(drawn, _WIDE), in_words(levels), caption))
    rows = tuple(
        (column_levels.column, part.name, words.percent(part.share))
        for column_levels in levels
        for part in column_levels.parts
    )
    blocks.append(Table("At which level cells leave", ("Column", "Level", "Share of the cells that leave"), rows))
    own, notes = advice_on(levels, [column_levels.column in evidence.may_be_blank for column_levels in levels])
    minded = (*own, *notes)
    return [*blocks, Paragraph("For those who analyse the release:"), Bullets(minded)] if minded else blocks


def _figures(utility: UtilityFacts) -> Table:
    rows = tuple((figures.OF_USE[figure.key].name, figure.value, figure.sentence) for figure in utility.figures)
    header = ("Measure", "Value", "Meaning")
    return Table("What is kept, and what it means for an analysis", header, rows, ("left", "right", "left"))


def _columns(utility: UtilityFacts) -> Block:
    """Column by column, as a picture where they are few enough."""
    if len(utility.columns) > _MOST_BARS:
        rows = tuple(
            (
                column.column,
                words.percent(column.entropy_kept),
                "does not leave"
                if column.distance is None
                else "blank"
                if column.is_blank
                else words.percent(column.distance),
            )
            for column in utility.columns
        )
        return Table("Columns", ("Column", figures.ENTROPY_KEPT.name, "Distance"), rows, ("left", "right", "right"))
    none = Association((), np.zeros((0, 0)), np.zeros((0, 0)), np.zeros((0, 0), dtype=bool))
    drawn = plots.columns(Utility(utility.records_before, utility.records_after, utility.columns, none, None))
    by_column = "; ".join(f"{column.column} {words.percent(column.entropy_kept)}" for column in utility.columns)
    return Figure(
        svg(drawn, _WIDE, 60 + 22 * len(utility.columns)),
        f"{figures.ENTROPY_KEPT.name} by column: {by_column}.",
        "Entropy kept: entropy of the column in the release / in the original. Distance: the share of records that "
        "would need another label for the labels to be spread as in the original.",
    )


def _pairs(utility: UtilityFacts) -> list[Block]:
    """How columns go together, as a square where they are few enough, and the pairs that changed most."""
    if not utility.pairs:
        return []
    blocks: list[Block] = []
    together = _association(utility)
    if len(together.columns) <= _MOST_CELLS:
        drawn = plots.association_change(together)
        blocks.append(
            Figure(
                svg(drawn, _WIDE, 110 + 24 * len(together.columns)),
                "How much closer or looser each two columns go together in the release than in the original; the pairs "
                "that changed most are in the table below.",
                "Release less original: blue where two columns go together less, orange where more.",
            )
        )
    rows = tuple(
        (words.listed(pair.columns), pair.measure, f"{pair.before:.2f}", f"{pair.after:.2f}")
        for pair in utility.pairs[:_WORST]
    )
    blocks.append(
        Table(
            "The pairs of columns whose association changed most",
            ("Columns", "Measure", "Original", "Release"),
            rows,
            ("left", "left", "right", "right"),
            (
                "Cramér’s V with Bergsma’s correction; Spearman’s rank correlation where both are numbers, intervals "
                "or dates. 0 is no association, 1 the closest.",
                *([f"{_WORST} of {len(utility.pairs):,} pairs are listed."] if len(utility.pairs) > _WORST else []),
            ),
        )
    )
    return blocks


def _association(utility: UtilityFacts) -> Association:
    """The pairs as a square of columns, which the figure is drawn of."""
    paired = {name for pair in utility.pairs for name in pair.columns}
    names = tuple(column.column for column in utility.columns if column.column in paired)
    place = {name: i for i, name in enumerate(names)}
    before, after = np.eye(len(names)), np.eye(len(names))
    ranked = np.zeros((len(names), len(names)), dtype=bool)
    for pair in utility.pairs:
        i, j = (place[name] for name in pair.columns)
        before[i, j] = before[j, i] = pair.before
        after[i, j] = after[j, i] = pair.after
        ranked[i, j] = ranked[j, i] = pair.measure == "Spearman"
    return Association(names, before, after, ranked)


def _task(prediction: Prediction) -> list[Block]:
    rows = tuple(
        (
            score.model,
            "–" if score is prediction.commonest else score.learnt_from,
            words.percent(score.accuracy),
            f"{score.auc:.3f}",
        )
        for score in prediction.scores
    )
    parts, records = len(prediction.scores[0].accuracies), f"{prediction.n_records:,} records"
    table = Table(
        f"Predicting “{prediction.target}” for original records that were held back",
        ("Model", "Learnt from", "Right", "AUC"),
        rows,
        ("left", "left", "right", "right"),
        (f"Mean of {parts} parts held back in turn; {records} took part.",),
    )
    return [table, Bullets(prediction.sentences)]


def _others(evidence: Evidence, say: ReportWording) -> list[Block]:
    if not evidence.others:
        return []
    with_persons = all(version.persons_kept is not None for version in evidence.others)
    in_population = evidence.before is not None and evidence.before.attackers[-1].in_population
    shown = (figures.K, figures.HIGHEST_RISK, figures.average_risk(in_population))
    rows = tuple(
        (
            version.name,
            say.people(version.k, True) if version.k else "–",
            words.percent(version.highest) if version.k else "–",
            words.percent(version.average) if version.k else "–",
            *(
                words.percent(share)
                for share in (version.records_kept, *([version.persons_kept] if with_persons else []))
                if share is not None
            ),
            words.percent(version.information_kept),
        )
        for version in evidence.others
    )
    return [
        Table(
            "The release beside the original and beside what Safe Harbor makes of the file",
            (
                "Version",
                *(figure.named(evidence.unit, by_values=evidence.several_rows) for figure in shown),
                figures.ROWS_KEPT.name,
                *([figures.PERSONS_KEPT.name] if with_persons else []),
                figures.ENTROPY_KEPT.name,
            ),
            rows,
            ("left", *(("right",) * 6)) if with_persons else ("left", *(("right",) * 5)),
            ("Safe Harbor: the rule’s own steps on this file, 45 CFR 164.514(b)(2), without those of this release.",),
        )
    ]
