"""What groups of people and slots are called in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.basics.words import listed, of_number

GROUPS, SLOTS = "person groups", "slots"


@dataclass(frozen=True)
class Names:
    """What groups and slots are called in sentences.

    Attributes
    ----------
    groups : Sequence[str], optional
        (G,) a label each; None: their position, counted from 1.
    slots : Sequence[str], optional
        (R,) a label each; None: their position, counted from 1.
    """

    groups: Sequence[str] | None = None
    slots: Sequence[str] | None = None

    def of_groups(self, positions: np.ndarray) -> str:
        """Groups in a sentence, by their positions."""
        return _listed(self.groups, positions, GROUPS)

    def of_slots(self, positions: np.ndarray) -> str:
        """Slots in a sentence, by their positions."""
        return _listed(self.slots, positions, SLOTS)


def _listed(labels: Sequence[str] | None, positions: np.ndarray, noun: str) -> str:
    """``person groups 1, 4 and 7``, or the labels of these without repetition."""
    names = [str(p + 1) for p in positions] if labels is None else list(dict.fromkeys(labels[p] for p in positions))
    text = listed(names)
    return text if labels is not None else f"{of_number(len(names), noun)} {text}"
