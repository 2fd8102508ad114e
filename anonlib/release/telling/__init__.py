"""Released columns that k does not count, and by which what a recipe recodes or drops is known all the same."""

from anonlib.release.telling.columns import tellers, telling_columns
from anonlib.release.telling.found import Tellers, Telling
from anonlib.release.telling.hidden import KNOWN

__all__ = ["KNOWN", "Tellers", "Telling", "tellers", "telling_columns"]
