"""The order of a column's values, where it is not the natural one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anonlib.values.cells import natural_order


def order_of(texts: np.ndarray, stated: Sequence[str] | np.ndarray) -> np.ndarray:
    """The places of different texts in their order: those of a stated one as it has them, then others as is natural."""
    place = {text: i for i, text in enumerate(stated)}
    natural = natural_order(texts)
    return natural[np.argsort([place.get(text, len(place)) for text in texts[natural]], kind="stable")]
