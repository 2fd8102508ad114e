"""Thresholds that regulators and guides use, each with its source. None is chosen silently."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Preset:
    """A smallest class size as a source has it, with the probability that the source prints for it.

    Attributes
    ----------
    title : str
        What it is called on screen.
    k : int
        The smallest class that is accepted.
    printed : float
        The threshold as printed, a probability; it may be rounded to below 1/k.
    source : str
        Who uses it.
    note : str, default ""
        Where 1/k lies above what is printed: the convention, and what a strict reading takes.
    """

    title: str
    k: int
    printed: float
    source: str
    note: str = ""

    @property
    def threshold(self) -> float:
        """1/k, by convention: a class of k is accepted, and every smaller one is not."""
        return 1 / self.k


PRESETS: tuple[Preset, ...] = (
    Preset(
        "0.33 · k = 3",
        3,
        0.33,
        "Cell size 3, used for disclosure to trusted recipients (El Emam 2013, precedents for cell sizes).",
        "By convention k = 3 meets it: the threshold is 1/3, which is 0.333. Read strictly, 0.33 takes k = 4: set the "
        "threshold apart under More.",
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
        "By convention k = 11 meets it: the threshold is 1/11, which is 0.0909. Read strictly, 0.09 takes k = 12: set "
        "the threshold apart under More.",
    ),
    Preset(
        "0.05 · k = 20",
        20,
        0.05,
        "Cell size 20, used for public release of sensitive data (El Emam 2013, precedents for cell sizes).",
    ),
)
DEFAULT = PRESETS[1]
