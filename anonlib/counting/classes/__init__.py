"""Equivalence classes: how many records share each combination of values.

Every analysis begins with a :class:`ClassTable` and none sees raw rows, or with a :class:`PersonTable` where persons
have several rows and it matters what is known of them. Counting happens here alone, so that missing values, ties,
weights and persons are handled in one place.
"""

from anonlib.counting.classes.coding import Missing
from anonlib.counting.classes.digest import content_digest
from anonlib.counting.classes.person_table import PersonTable
from anonlib.counting.classes.subsets import counts_in
from anonlib.counting.classes.table import ClassTable
from anonlib.counting.classes.vector import AnonymityVector, anonymity_vector

__all__ = ["AnonymityVector", "ClassTable", "Missing", "PersonTable", "anonymity_vector", "content_digest", "counts_in"]
