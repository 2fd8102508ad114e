"""Levels of a column of latitudes or longitudes."""

from __future__ import annotations

import numpy as np

from anonlib.coarsening.hierarchies import builders
from anonlib.coarsening.recoding import Recoding

_STEPS = (0.01, 0.1, 1.0)  # degrees: about 1.1, 11 and 111 km from south to north
_SAME = 1e-9  # degrees
_MOST = 180.0  # degrees; larger numbers are metres of some projection


def coordinate_levels(numbers: np.ndarray) -> tuple[Recoding, ...]:
    """Degrees to hundredths, tenths and whole degrees, each rounded from the one before.

    Parameters
    ----------
    numbers : float64 array
        Distinct numbers of a column of latitudes or longitudes; NaN for a value that is none.

    Returns
    -------
    tuple of Recoding
        None of a level that no number is finer than. Empty where some number is no degree, and where all are whole.
    """
    known = numbers[~np.isnan(numbers)]
    if not len(known) or np.abs(known).max() > _MOST:
        return ()
    coarser = [step for step in _STEPS if (np.abs(known - np.round(known / step) * step) > _SAME).any()]
    return builders.rounding(coarser, top=False).recodings if coarser else ()
