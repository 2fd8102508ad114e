"""Thresholds that regulators and guides use, each with its source. None is chosen silently."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Preset:
    """A pair of k and risk threshold (a probability) as a source has it.

    ``note`` says where the two part: 1/k may lie just above the printed threshold.
    """

    title: str
    k: int
    threshold: float
    source: str
    note: str = ""


PRESETS: tuple[Preset, ...] = (
    Preset(
        "0.33 · k = 3",
        3,
        0.33,
        "Cell size 3, used for disclosure to trusted recipients (El Emam 2013, precedents for cell sizes).",
        "1/3 is 0.333, just above 0.33: by convention k = 3 meets it; read strictly it takes k = 4.",
    ),
    Preset(
        "0.20 · k = 5",
        5,
        0.20,
        "Cell size 5, the most common precedent for controlled release (El Emam 2013).",
    ),
    Preset(
        "0.09 · k = 11",
        11,
        0.09,
        "EMA Policy 0070 and Health Canada PRCI (public release of clinical data); CMS shows no cell of 1 to 10.",
        "1/11 is 0.0909, just above 0.09: by convention k = 11 meets it; read strictly it takes k = 12.",
    ),
    Preset(
        "0.05 · k = 20",
        20,
        0.05,
        "Cell size 20, used for public release of sensitive data (El Emam 2013, precedents for cell sizes).",
    ),
)
DEFAULT = PRESETS[1]
