"""Why the officer must decide: what people around a patient usually know, and what nothing in the file can tell."""

from __future__ import annotations

from anonlib.identifiers import Kind

NOTHING_TELLS = "Neither the name nor the values tell what this is: could somebody outside know it?"
ONLY_YOU = "Only you can say whether somebody outside could know it."
AREAS = "If these are codes of areas, family, neighbours and address lists tell where somebody lives."
DATES = "Family, colleagues and the news often know when something happened to somebody."
ONE_MORE = "Somebody outside often knows this as well, though other such columns come before it."

_USUALLY_KNOWN = {
    "event_date": DATES,
    "event_time": "Whoever was there knows at what time of day somebody came or left.",
    "length_stay": "Family, colleagues and insurers usually know how long somebody stayed in hospital.",
    "department": "Family, visitors and colleagues often know in which department somebody was treated.",
    "visit_type": "Family and neighbours often know whether a visit was planned or an emergency.",
    "facility": "Family, colleagues and neighbours often know which hospital, practice or school somebody goes to.",
    "insurance": "Employers, insurers and family usually know how somebody is insured.",
    "disposition": "Family and neighbours see who comes home, who is cared for elsewhere and who has died.",
}


def known_around(kind: Kind | None) -> str:
    """Who usually knows such a fact of a patient, as one sentence; empty where that is not asked of the kind."""
    return "" if kind is None else _USUALLY_KNOWN.get(kind.key, "")


def copies(column: str) -> str:
    """Of a column that tells another one of every record."""
    return f"Whoever knows “{column}” knows this too."
