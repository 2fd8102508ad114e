"""Records: what everything above needs of them, in memory or in an engine, and nothing more.

A step of a recipe is written once, against :class:`Records`. In memory they are a frame of categoricals
(:class:`FrameRecords`), in an engine an Ibis expression (:class:`TableRecords`), of which only counts come here.
"""

from anonlib.reading.records.frame import FrameRecords
from anonlib.reading.records.labels import CellLabels, CountedBy, Groups, Labels, ValueCounts
from anonlib.reading.records.records import Records
from anonlib.reading.records.table import TableRecords

__all__ = ["CellLabels", "CountedBy", "FrameRecords", "Groups", "Labels", "Records", "TableRecords", "ValueCounts"]
