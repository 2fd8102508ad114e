"""How much detail of a file what leaves has lost: one figure, of the cells that leave, whatever a search weighed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.analyses.utility.levels import ColumnLevels
from anonlib.basics import words
from anonlib.release.applied import Applied
from anonlib.release.left import nearly_constant


@dataclass(frozen=True)
class DetailLost:
    """The detail that a release has lost, by columns in which not nearly all records of the original are alike.

    Attributes
    ----------
    share : float
        The mean over :attr:`by_column`, in [0, 1]; 0 where there is no such column.
    by_column : tuple[tuple[str, float], ...]
        Each column with the share of its detail that is lost: the mean over the original's cells that had a value of
        the loss metric LM (Iyengar 2002), (values with its label - 1) / (values - 1). A cell that is blank or ``*``,
        of a record that is left out or of a column that is dropped or removed loses all.
    nearly_constant : tuple[str, ...]
        The other columns, which are not counted; identifiers, person ids and weights are neither.
    """

    share: float
    by_column: tuple[tuple[str, float], ...]
    nearly_constant: tuple[str, ...] = ()

    @property
    def says(self) -> str:
        """Of which columns it is, with every one that is not counted."""
        columns = words.count(len(self.by_column), "columns")
        if not self.nearly_constant:
            return f"The mean over {columns}."
        names = words.listed(self.nearly_constant, most=len(self.nearly_constant))
        return f"The mean over {columns}; nearly constant, and not counted: {names}."


def detail_lost(applied: Applied, levels: Sequence[ColumnLevels]) -> DetailLost | None:
    """The detail that is lost of what a recipe was applied to.

    Parameters
    ----------
    applied : Applied
        The recipe's outcome.
    levels : Sequence[ColumnLevels]
        Of :func:`anonlib.release.levels.levels_of`; empty where no record leaves or levels cannot be counted.

    Returns
    -------
    DetailLost or None
        None where records leave and their levels could not be counted.
    """
    original, released = applied.original, applied.released
    if released.n_records and not levels:
        return None
    aside = {*original.identifiers, original.person_id, original.weight}
    looked_at = [name for name in original.columns if name not in aside]
    alike = nearly_constant(original, looked_at)
    cells_kept = {
        column.column: sum(part.share * part.detail for part in column.parts) * released.n_records for column in levels
    }
    lost = []
    for name in looked_at:
        if name not in alike:
            n_cells = original.n_records - original.held.sizes_of(name).missing
            lost.append((name, 1.0 - min(1.0, cells_kept.get(name, 0.0) / n_cells)))
    share = float(np.mean([lost_share for _, lost_share in lost])) if lost else 0.0
    return DetailLost(share, tuple(lost), alike)
