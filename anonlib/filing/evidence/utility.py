"""What the release is still good for, and how well it keeps what must survive, as evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from anonlib.analyses.utility import ColumnUtility, FigureInWords, Pair, Prediction
from anonlib.analyses.utility.purposes import Kept
from anonlib.filing.evidence.table import CAME_LATER


@dataclass(frozen=True)
class PurposeFacts:
    """How well the release keeps what must survive.

    Attributes
    ----------
    title : str
        What must survive.
    share : float | None
        How much of it is kept, in [0, 1]; None where that cannot be measured.
    measure : str
        What the figures are; "" where there are none.
    original, release : float | None
        The figure of the original and of the release; None where there is none.
    sentence : str
        What it means.
    """

    title: str
    share: float | None
    measure: str
    original: float | None
    release: float | None
    sentence: str


@dataclass(frozen=True)
class UtilityFacts:
    """What the release is still good for.

    Attributes
    ----------
    records_before, records_after : int
        Rows of the files.
    figures : tuple[FigureInWords, ...]
        The numbers that matter, each with what it means for an analyst.
    columns : tuple[ColumnUtility, ...]
        What became of each column.
    pairs : tuple[Pair, ...]
        How strongly each two columns that leave go together, before and after, those that changed most first.
    prediction : Prediction, optional
        How well a column is predicted by models that learnt from the release; None where none was asked for.
    purposes : tuple[PurposeFacts, ...], default ()
        How well it keeps what must survive, as the project names it.
    """

    records_before: int
    records_after: int
    figures: tuple[FigureInWords, ...]
    columns: tuple[ColumnUtility, ...]
    pairs: tuple[Pair, ...]
    prediction: Prediction | None = None
    purposes: tuple[PurposeFacts, ...] = field(default=(), metadata=CAME_LATER)


def purpose_facts(outcomes: Sequence[Kept]) -> tuple[PurposeFacts, ...]:
    """What was measured, as evidence."""
    return tuple(
        PurposeFacts(
            outcome.purpose.title, outcome.share, outcome.measure, outcome.original, outcome.release, outcome.sentence
        )
        for outcome in outcomes
    )
