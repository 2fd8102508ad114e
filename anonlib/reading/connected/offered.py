"""What is offered to be opened."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ibis.expr.types as ir


@dataclass(frozen=True, eq=False)
class OpenedTable:
    """A table that was opened.

    Attributes
    ----------
    table : ir.Table
        The Ibis expression, every column of which has text.
    digest : str
        Names the table as it is now, 64 hexadecimal digits; another state of it has another.
    state : Hashable, optional
        What shows that it has changed, as far as that can be seen.
    notes : tuple[str, ...], default ()
        What is to know of how it is read, in sentences.
    """

    table: ir.Table
    digest: str
    state: Hashable = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Offered(ABC):
    """A table that can be opened.

    Attributes
    ----------
    name : str
        What it is called on screen, once among those that are offered.
    kind : str
        Such as "Parquet" or "PostgreSQL".
    """

    name: str
    kind: str

    @property
    def n_bytes(self) -> int | None:
        """How large it is where it is; None where that is not known."""
        return None

    @property
    def place_of_releases(self) -> str | None:
        """Where a release can be written beside it: a schema, or a folder of Spark; None where nowhere."""
        return None

    def why_changed(self, opened: OpenedTable) -> str:
        """Why what was opened is not what is there now, in a sentence; "" where it is, or that cannot be known."""
        return ""

    @abstractmethod
    def open(self, beside: Sequence[OpenedTable] = ()) -> OpenedTable:
        """Open it; nothing but its schema is read.

        Parameters
        ----------
        beside : Sequence[OpenedTable], default ()
            Tables that are open already, with one of which it shares the connection if it can.

        Raises
        ------
        InputError
            When it is not there, or not as it must be; the message has neither credentials nor cells.
        """
