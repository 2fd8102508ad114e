"""What is found of columns that tell."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Telling:
    """A column that leaves and tells, alone or with another, a quasi-identifier that is recoded or dropped.

    Attributes
    ----------
    column : str
        The column that leaves; k does not count it.
    tells : str
        The quasi-identifier that the recipe recodes or drops.
    known : int
        Records (persons, summed weights) that leave whose value of ``tells`` more than half of the others with
        the same label of ``column``, and of ``beside``, or in which the same is read, have too.
    n_records : int
        All that leave.
    beside : str, default ""
        The other column, without which it does not tell it: ``tells`` for the label with which that leaves itself; ""
        where it does alone.
    by : str, default ""
        What is read in it, or what the two come to, as :attr:`anonlib.release.readings.Reading.by` has it; "" where
        its values tell it as they are.
    of_rows : bool, default False
        Whether rows are counted, although persons have several.
    """

    column: str
    tells: str
    known: int
    n_records: int
    beside: str = ""
    by: str = ""
    of_rows: bool = False

    @property
    def share(self) -> float:
        """Share of the records whose value is known, 0 to 1."""
        return self.known / self.n_records if self.n_records else 0.0


@dataclass(frozen=True)
class Tellers:
    """The columns by which what a recipe recodes or drops is known all the same.

    Attributes
    ----------
    alone : tuple[Telling, ...]
        Each column that tells one, in the file's order.
    pairs : tuple[Telling, ...] | None
        Columns that tell one beside its label, and two that tell one together that neither tells alone, of which k
        counts at most one; None where they are too many to look at.
    nearly_unique : tuple[str, ...], default ()
        Columns that tell nothing by all that is looked at, of which fewer than 95% of the records share a value with
        another, and these do not rule out that something else in it tells.
    unread : tuple[str, ...], default ()
        Those of them that have too many values to be read.
    is_asked : bool, default True
        Whether a known column is recoded or dropped that another could tell.
    """

    alone: tuple[Telling, ...]
    pairs: tuple[Telling, ...] | None
    nearly_unique: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    is_asked: bool = True
