"""Equivalence classes: how many records share each combination of values.

Every analysis begins with a :class:`ClassTable` and none sees raw rows, or with a :class:`PersonTable` where persons
have several rows and it matters what is known of them. Counting happens here alone, so that missing values, ties,
weights and persons are handled in one place.
"""

from anonlib.classes.coding import Missing
from anonlib.classes.digest import content_digest
from anonlib.classes.lookup import counts_in
from anonlib.classes.persons.table import PersonTable
from anonlib.classes.table import ClassTable
from anonlib.classes.vector import AnonymityVector, anonymity_vector

__all__ = ["AnonymityVector", "ClassTable", "Missing", "PersonTable", "anonymity_vector", "content_digest", "counts_in"]
