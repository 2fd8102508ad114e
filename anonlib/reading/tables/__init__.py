"""The tables of a case: opened, and how they hang together.

>>> from anonlib.reading.tables import link, open_tables
>>> patients = "patient_id;born\\n7;1950\\n8;1961\\n9;1984\\n".encode()
>>> visits = "visit_id;patient_id;ward\\n1;7;B\\n2;7;C\\n3;9;B\\n".encode()
>>> linked = link(open_tables([("patients.csv", patients), ("visits.csv", visits)]))
>>> linked.person_table, [(key.table, key.column, key.parent) for key in linked.keys]
('patients', [('visits', 'patient_id', 'patients')])
"""

from anonlib.reading.tables.linking import key_between, link
from anonlib.reading.tables.lists import ListColumn
from anonlib.reading.tables.model import MOST_TABLES, Key, Linked, NamedTable, named_apart
from anonlib.reading.tables.opening import open_offered, open_tables

__all__ = [
    "MOST_TABLES",
    "Key",
    "Linked",
    "ListColumn",
    "NamedTable",
    "key_between",
    "link",
    "named_apart",
    "open_offered",
    "open_tables",
]
