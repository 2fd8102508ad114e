"""The axis of risk in the picture of a frontier: as it is, or logarithmic with a place for 0."""

from __future__ import annotations

from typing import Any

import numpy as np


class RiskAxis:
    """Where each of some risks is drawn. On a logarithmic axis 0 lies at the left end, half a decade from the others.

    Attributes
    ----------
    log : bool
        It is logarithmic.
    has_zero : a risk is 0.
    least, most : the smallest and the largest risk that is not.
    """

    def __init__(self, risks: np.ndarray, log: bool) -> None:
        some = risks[risks > 0]
        self.log = log
        self.has_zero = bool((risks <= 0).any())
        self.most = float(some.max()) if len(some) else 1.0
        self.least = float(some.min()) if len(some) else 1.0
        self._floor = self.least / 3 if self.has_zero else self.least
        self._decades = float(np.log10(self.most / self._floor))

    def x(self, risk: np.ndarray | float) -> np.ndarray:
        """In the units of the axis."""
        return np.maximum(risk, self._floor) if self.log else np.asarray(risk, dtype=float)

    def x_of_annotation(self, risk: float) -> float:
        """Of an annotation Plotly wants the logarithm."""
        return float(np.log10(self.x(risk)) if self.log else risk)

    def share(self, risk: np.ndarray | float) -> np.ndarray:
        """0 at the smallest risk and 1 at the largest, or a little beyond."""
        if not self.log:
            return np.asarray(risk) / self.most
        return np.log10(self.x(risk) / self._floor) / max(self._decades, 1e-9)

    @property
    def _margin(self) -> float:
        """A factor on a logarithmic axis."""
        return float(10 ** (0.03 * self._decades + 0.02))

    @property
    def left(self) -> float:
        return self._floor / self._margin if self.log else -0.02 * self.most

    @property
    def right(self) -> float:
        return self.most * (self._margin if self.log else 1.03)

    def layout(self) -> dict[str, Any]:
        """For ``update_xaxes``."""
        if not self.log:
            return {"range": [self.left, self.right], "tickformat": ".4~p"}
        powers = range(int(np.floor(np.log10(self.least))), 1)
        steps = (1,) if self._decades > 2 else (1, 2, 5)
        ticks = [step * 10.0**power for power in powers for step in steps]
        ticks = [tick for tick in ticks if 0.999 * self.least <= tick <= self.right]
        texts = [
            f"{np.format_float_positional(100 * tick, precision=3, fractional=False, trim='-')}%" for tick in ticks
        ]
        zero = [self._floor] if self.has_zero else []
        return {
            "type": "log",
            "range": [float(np.log10(self.left)), float(np.log10(self.right))],
            "tickvals": zero + ticks,
            "ticktext": ["0%"] * len(zero) + texts,
        }
