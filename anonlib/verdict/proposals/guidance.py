"""How what must survive guides a search: the columns that it is about weigh more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from anonlib.analyses.utility.purposes import Purpose, named_by

NAMED = 3.0
"""What a column weighs that is named in what must survive, where others weigh 1: the most that a weight can be."""


def weights_for(purposes: Sequence[Purpose], weights: Mapping[str, float]) -> dict[str, float]:
    """The weights of columns for a search.

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
