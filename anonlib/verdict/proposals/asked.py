"""What an adviser is asked, as one value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from anonlib.analyses.utility.purposes import Purpose, named_by
from anonlib.basics.thresholds import DEFAULT
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.dataset import Dataset
from anonlib.verdict.criteria import Aim, Criterion

NAMED = 3.0
"""What a column weighs that is named in what must survive, where others weigh 1: the most that a weight can be."""


def weights_for(purposes: Sequence[Purpose], weights: Mapping[str, float]) -> dict[str, float]:
    """The weights of columns for a search: those that what must survive is about weigh more.

    Parameters
    ----------
    purposes : Sequence[Purpose]
        What must survive.
    weights : Mapping[str, float]
        The officer's own, which hold whatever is named.

    Returns
    -------
    dict
        By column that does not weigh 1, its weight, 0 to 3.
    """
    return {**dict.fromkeys(named_by(purposes), NAMED), **weights}


@dataclass(frozen=True, eq=False)
class Asked:
    """What an adviser is asked: the data, what must hold, and what may be changed.

    Attributes
    ----------
    data : Dataset
        The original with its roles.
    criteria : tuple[Criterion, ...]
        What the release must meet. Those that no search can take part in are checked afterwards.
    hierarchies : Mapping[str, Hierarchy], optional
        By column, the ways to coarsen it; columns that are not named have the suggested one.
    harmless : Mapping[str, tuple[str, ...]], optional
        By sensitive column, the values that anybody may be sure of.
    fixed : tuple[str, ...], default ()
        Columns that must stay as they are.
    weights : Mapping[str, float], optional
        How much columns matter, 0 to 3; 1 where not named.
    droppable : tuple[str, ...], default ()
        Sensitive columns that may be dropped from the release.
    coarsenable : tuple[str, ...], optional
        Sensitive columns that may be coarsened; None: all that have something between a value and everything.
    unknowable : tuple[str, ...], default ()
        Columns that nobody outside can know, which a search leaves as they are.
    needed : tuple[str, ...], default ()
        Columns that what must survive is about: whatever else may give way does so before any of them is dropped.
    dropped : tuple[str, ...], default ()
        Known and sensitive columns of the original that are dropped already: their detail counts as lost.
    k : int, default DEFAULT.k
        How many must share what tells whose rows are whose (:func:`anonlib.verdict.criteria.rows.linking`).
    """

    data: Dataset
    criteria: tuple[Criterion, ...]
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=lambda: MappingProxyType({}))
    harmless: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    fixed: tuple[str, ...] = ()
    weights: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    droppable: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    k: int = DEFAULT.k
    coarsenable: tuple[str, ...] | None = None
    unknowable: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        data: Dataset,
        aim: Aim,
        hierarchies: Mapping[str, Hierarchy],
        criteria: Sequence[Criterion] | None = None,
        original: Dataset | None = None,
        unknowable: Sequence[str] = (),
    ) -> Asked:
        """What an aim asks, with the hierarchies that are chosen; other criteria than the aim's where they are given.

        A column can always be withheld, whatever its hierarchy. Of the original, where it is given, those columns that
        the data have no more are dropped already.

        Parameters
        ----------
        data : Dataset
            What is to be protected.
        aim : Aim
            What a release must meet.
        hierarchies : Mapping[str, Hierarchy]
            By column, how it can be coarsened, where that was chosen.
        criteria : Sequence[Criterion], optional
            Criteria in the place of the aim's.
        original : Dataset, optional
            The original, where columns were dropped of it.
        unknowable : Sequence[str], default ()
            Columns that nobody outside can know.
        """
        before = [] if original is None else [*original.quasi_identifiers, *original.sensitive]
        return cls(
            data,
            tuple(aim.criteria if criteria is None else criteria),
            {name: hierarchy.with_top() for name, hierarchy in hierarchies.items()},
            aim.harmless_by_column,
            aim.fixed,
            weights_for(aim.purposes, dict(aim.weights)),
            aim.droppable,
            tuple(name for name in before if name not in data.columns),
            aim.k,
            aim.coarsenable,
            tuple(unknowable),
            named_by(aim.purposes),
        )
