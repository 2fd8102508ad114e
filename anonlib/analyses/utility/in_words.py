"""What each figure of a release's utility means for those who analyse it. Plain text, without cells."""

from __future__ import annotations

from dataclasses import dataclass

from anonlib.analyses.utility.associations import Association, Pair
from anonlib.analyses.utility.columns import ColumnUtility
from anonlib.analyses.utility.sizes import ClassSizes
from anonlib.basics.figures import (
    ASSOCIATION_KEPT,
    AVERAGE_CLASS_SIZE,
    CELLS_KEPT,
    ENTROPY_KEPT,
    LARGEST_DISTANCE,
    ROWS_KEPT,
)
from anonlib.basics.words import count, listed, percent

_SLIGHT = 0.005  # differences that a picture rounds away
_LONG = 40  # characters


@dataclass(frozen=True)
class FigureInWords:
    """A number and what it means.

    Attributes
    ----------
    key : str
        Its name in a saved file, such as ``records_kept``.
    label, value : str
        As it is shown.
    number : float
        The value itself.
    sentence : str
        What it means for an analyst, in one or two sentences.
    """

    key: str
    label: str
    value: str
    number: float
    sentence: str


def of_records(before: int, after: int) -> FigureInWords:
    """Rows kept."""
    if before == after:
        says = f"All {count(before, 'rows')} are in the release, so nobody is missing from an analysis."
    else:
        says = (
            f"{count(after)} of {count(before, 'rows')} are in the release. Who is left out is mostly rare, so "
            "rare people are missing more often than common ones."
        )
    return FigureInWords("records_kept", ROWS_KEPT.name, percent(after / before), after / before, says)


def of_cells(share: float, gone: tuple[str, ...]) -> FigureInWords:
    """Cells kept."""
    if share == 1:
        says = "Every cell holds what it held in the original."
    else:
        says = f"{percent(share)} of the original's cells are released as they were; the others are coarser or gone."
    if gone:
        says += f" Not released at all: {_named(gone)}."
    return FigureInWords("cells_kept", CELLS_KEPT.name, percent(share), share, says)


def of_entropy(share: float) -> FigureInWords:
    """Entropy kept."""
    if share == 1:
        says = "Each column tells records apart as finely as before."
    else:
        says = (
            f"On average a column still tells {percent(share)} of what it did about a record: questions on detail that "
            "was made coarser or dropped can no longer be answered."
        )
    return FigureInWords("information_kept", ENTROPY_KEPT.name, percent(share), share, says)


def of_distance(farthest: ColumnUtility | None, all_there: bool, blank: tuple[str, ...]) -> FigureInWords:
    """The largest distance of a column's distribution; of ``blank`` ones nothing can be read."""
    nothing = f" Nothing can be read off {_named(blank)}, of which every cell is blank or *." if blank else ""
    label, key = LARGEST_DISTANCE.name, "largest_distance"
    if farthest is None or farthest.distance is None:
        says = nothing.strip() or "No column is released, so there are no shares to compare."
        return FigureInWords(key, label, "—", 0.0, says)
    moved = farthest.distance
    if not moved:
        why = ", since nobody was left out" if all_there else ""
        says = f"The share of each label in a column is the original's{why}: shares can be reported as they are."
    else:
        says = (
            f"The shares of labels moved most in {_named([farthest.column])}: {percent(moved)} of the records would "
            "need another label to be spread as in the original. A share read off the release can be wrong by that."
        )
    return FigureInWords(key, label, percent(moved), moved, says + nothing)


def of_association(association: Association) -> FigureInWords:
    """Association kept."""
    share_kept, pairs = association.kept, association.pairs()
    if not pairs:
        says = "Fewer than two columns are released, so how columns go together cannot be studied."
    elif abs(pairs[0].difference) < _SLIGHT and share_kept > 1 - _SLIGHT:
        says = "Columns go together as they do in the original."
    else:
        says = f"Of how strongly columns go together {percent(share_kept)} is left. {_worst(pairs[0])}"
    if association.passed_over:
        says += f" Not looked at, beyond {len(association.columns)} columns: {_named(association.passed_over)}."
    if association.sampled:
        says += " Measured in a sample of 200,000 records."
    return FigureInWords("association_kept", ASSOCIATION_KEPT.name, percent(share_kept), share_kept, says)


def of_classes(sizes: ClassSizes) -> FigureInWords:
    """Average class size."""
    before, after = f"{sizes.average_before:,.1f}", f"{sizes.average_after:,.1f}"
    beside = f" of {count(sizes.classes_before)}" if sizes.classes_after < sizes.classes_before else ""
    says = (
        f"{count(sizes.classes_after)}{beside} combinations of quasi-identifiers can be distinguished: an analysis by "
        f"all of them has {after} {sizes.unit} in a class on average."
    )
    if sizes.entropy_lost:
        says += f" The quasi-identifiers lost {percent(sizes.entropy_lost)} of their entropy (non-uniform, by cell)."
    shown = after if before == after else f"{before} → {after}"
    return FigureInWords("average_class_size", AVERAGE_CLASS_SIZE.name, shown, sizes.average_after, says)


def _worst(pair: Pair) -> str:
    one, other = pair.columns
    change = f"from {pair.before:.2f} to {pair.after:.2f} ({pair.measure})"
    if pair.difference < 0:
        return f"It fell most between {_named([one])} and {_named([other])}, {change}: a study of these two loses most."
    return (
        f"It changed most between {_named([one])} and {_named([other])}, {change}: a study of the release finds a "
        "closer link than one of the original does."
    )


def _named(names: tuple[str, ...] | list[str]) -> str:
    return listed([named(name) for name in names])


def named(name: str) -> str:
    """A column's name in quotation marks, cut with an ellipsis where it is longer than 40 characters."""
    return f"“{name if len(name) <= _LONG else name[: _LONG - 1] + '…'}”"
