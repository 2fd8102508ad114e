"""The part of a report that says what the release is still good for."""

from __future__ import annotations

import numpy as np

from anonlib.analyses.utility import Association, Prediction, Utility
from anonlib.analyses.utility.levels import in_words
from anonlib.basics import figures, words
from anonlib.filing.evidence.evidence import Evidence
from anonlib.filing.evidence.report import purposes
from anonlib.filing.evidence.report.wording import Wording
from anonlib.filing.evidence.utility import UtilityFacts
from anonlib.filing.report.blocks import Block, Bullets, Figure, Paragraph, Table
from anonlib.plots import levels as level_plots
from anonlib.plots import utility as plots
from anonlib.plots.still import svg
from anonlib.release.analysing import advice_on

_WIDE = 660  # pixels of a figure
_MOST_BARS, _MOST_CELLS = 25, 20  # columns of a figure of bars, and of a square of pairs
_WORST = 8  # pairs in the table


def kept(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """Rows, columns, pairs of columns, the task, and other releases of the file beside this one."""
    found = evidence.utility
    blocks: list[Block] = [*_levels(evidence)]
    if found is None:
        blocks.append(
            Paragraph(
                f"{figures.ROWS_KEPT.name}: {words.percent(evidence.records_kept)}. {figures.ENTROPY_KEPT.name}: "
                f"{words.percent(evidence.information_kept)}. {figures.ENTROPY_KEPT.meaning()}"
            )
        )
        if "utility" in evidence.left_out:
            blocks.append(Paragraph("More on what the release is still good for was left out by choice."))
    else:
        blocks += [_figures(found), _columns(found), *_pairs(found)]
        blocks += purposes.survives(found)
        if found.prediction is not None:
            blocks += _task(found.prediction)
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
    rows = tuple((found.column, part.name, words.percent(part.share)) for found in levels for part in found.parts)
    blocks.append(Table("At which level cells leave", ("Column", "Level", "Share of the cells that leave"), rows))
    own, notes = advice_on(levels, [found.column in evidence.may_be_blank for found in levels])
    minded = (*own, *notes)
    return [*blocks, Paragraph("For those who analyse the release:"), Bullets(minded)] if minded else blocks


def _figures(found: UtilityFacts) -> Table:
    rows = tuple((figures.OF_USE[figure.key].name, figure.value, figure.sentence) for figure in found.figures)
    header = ("Measure", "Value", "Meaning")
    return Table("What is kept, and what it means for an analysis", header, rows, ("left", "right", "left"))


def _columns(found: UtilityFacts) -> Block:
    """Column by column, as a picture where they are few enough."""
    if len(found.columns) > _MOST_BARS:
        rows = tuple(
            (
                each.column,
                words.percent(each.entropy_kept),
                "does not leave"
                if each.distance is None
                else "blank"
                if each.is_blank
                else words.percent(each.distance),
            )
            for each in found.columns
        )
        return Table("Columns", ("Column", figures.ENTROPY_KEPT.name, "Distance"), rows, ("left", "right", "right"))
    none = Association((), np.zeros((0, 0)), np.zeros((0, 0)), np.zeros((0, 0), dtype=bool))
    drawn = plots.columns(Utility(found.records_before, found.records_after, found.columns, none, None))
    by_column = "; ".join(f"{each.column} {words.percent(each.entropy_kept)}" for each in found.columns)
    return Figure(
        svg(drawn, _WIDE, 60 + 22 * len(found.columns)),
        f"{figures.ENTROPY_KEPT.name} by column: {by_column}.",
        "Entropy kept: entropy of the column in the release / in the original. Distance: the share of records that "
        "would need another label for the labels to be spread as in the original.",
    )


def _pairs(found: UtilityFacts) -> list[Block]:
    """How columns go together, as a square where they are few enough, and the pairs that changed most."""
    if not found.pairs:
        return []
    blocks: list[Block] = []
    together = _association(found)
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
        (words.listed(each.columns), each.measure, f"{each.before:.2f}", f"{each.after:.2f}")
        for each in found.pairs[:_WORST]
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
                *([f"{_WORST} of {len(found.pairs):,} pairs are listed."] if len(found.pairs) > _WORST else []),
            ),
        )
    )
    return blocks


def _association(found: UtilityFacts) -> Association:
    """The pairs as a square of columns, which the figure is drawn of."""
    paired = {name for pair in found.pairs for name in pair.columns}
    names = tuple(each.column for each in found.columns if each.column in paired)
    place = {name: i for i, name in enumerate(names)}
    before, after = np.eye(len(names)), np.eye(len(names))
    ranked = np.zeros((len(names), len(names)), dtype=bool)
    for pair in found.pairs:
        i, j = (place[name] for name in pair.columns)
        before[i, j] = before[j, i] = pair.before
        after[i, j] = after[j, i] = pair.after
        ranked[i, j] = ranked[j, i] = pair.measure == "Spearman"
    return Association(names, before, after, ranked)


def _task(found: Prediction) -> list[Block]:
    rows = tuple(
        (
            each.model,
            "–" if each is found.commonest else each.learnt_from,
            words.percent(each.accuracy),
            f"{each.auc:.3f}",
        )
        for each in found.scores
    )
    parts, records = len(found.scores[0].accuracies), f"{found.n_records:,} records"
    table = Table(
        f"Predicting “{found.target}” for original records that were held back",
        ("Model", "Learnt from", "Right", "AUC"),
        rows,
        ("left", "left", "right", "right"),
        (f"Mean of {parts} parts held back in turn; {records} took part.",),
    )
    return [table, Bullets(found.sentences)]


def _others(evidence: Evidence, say: Wording) -> list[Block]:
    if not evidence.others:
        return []
    with_persons = all(each.persons_kept is not None for each in evidence.others)
    in_population = evidence.before is not None and evidence.before.attackers[-1].in_population
    shown = (figures.K, figures.HIGHEST_RISK, figures.average_risk(in_population))
    rows = tuple(
        (
            each.name,
            say.people(each.k, True) if each.k else "–",
            words.percent(each.highest) if each.k else "–",
            words.percent(each.average) if each.k else "–",
            *(
                words.percent(share)
                for share in (each.records_kept, *([each.persons_kept] if with_persons else []))
                if share is not None
            ),
            words.percent(each.information_kept),
        )
        for each in evidence.others
    )
    return [
        Table(
            "The release beside the original and beside what Safe Harbor makes of the file",
            (
                "Version",
                *(each.named(evidence.unit, by_values=evidence.several_rows) for each in shown),
                figures.ROWS_KEPT.name,
                *([figures.PERSONS_KEPT.name] if with_persons else []),
                figures.ENTROPY_KEPT.name,
            ),
            rows,
            ("left", *(("right",) * 6)) if with_persons else ("left", *(("right",) * 5)),
            ("Safe Harbor: the rule’s own steps on this file, 45 CFR 164.514(b)(2), without those of this release.",),
        )
    ]
