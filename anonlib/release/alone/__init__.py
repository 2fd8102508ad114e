"""Who is alone by a few of all columns that leave, whatever their role.

A verdict counts what officers declared as known; somebody with the file has not read the declaration. Here a released
record's labels in a few columns are a condition, and those are counted who fulfil it with their true values.
"""

from anonlib.release.alone.counting import A_SET, FACTS, Allows, AloneCount, alone_by_what_leaves, looked_at, seconds
from anonlib.release.alone.result import Alone

__all__ = ["A_SET", "FACTS", "Allows", "Alone", "AloneCount", "alone_by_what_leaves", "looked_at", "seconds"]
