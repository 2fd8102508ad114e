"""What is usually known outside of a patient, by whom, and what published studies found.

`docs/roles.md` has the same record as a table, with the studies in full. Where no study is named, the sentence is what
officers and their advisers usually take for granted, and only the officer can confirm it.
"""

from __future__ import annotations

from dataclasses import dataclass

from anonlib.columns.identifiers import Kind


@dataclass(frozen=True)
class Known:
    """Who usually knows such a fact.

    Attributes
    ----------
    who : str
        A sentence without its full stop.
    study : str, default ""
        What shows it, in short, such as ``Sweeney 2013``; empty where no study is named.
    asked : bool, default True
        Whether the officer is asked, since the fact is as often known as not.
    """

    who: str
    study: str = ""
    asked: bool = True

    @property
    def sentence(self) -> str:
        return f"{self.who} ({self.study})." if self.study else f"{self.who}."


RECORD: dict[str, Known] = {
    "event_date": Known(
        "Family, colleagues and the news often know when something happened to somebody", "Sweeney 2013"
    ),
    "event_time": Known("People who were there know at what time of day somebody came or left"),
    "injury": Known("Newspapers tell of accidents and violence, with name, age and town", "Sweeney 2013"),
    "length_stay": Known(
        "Family, colleagues and insurers usually know how long somebody stayed in hospital", "El Emam 2009"
    ),
    "department": Known(
        "Family, visitors and colleagues often know in which department somebody was treated", "El Emam 2012"
    ),
    "visit_type": Known("Family and neighbours often know whether a visit was planned or an emergency", "El Emam 2012"),
    "facility": Known(
        "Family, colleagues and the news often know which hospital, practice or school somebody goes to", "Sweeney 2013"
    ),
    "insurance": Known("Employers, insurers and family usually know how somebody is insured"),
    "disposition": Known("Family and neighbours see who comes home, who is cared for elsewhere and who has died"),
    "death": Known("Deaths are in obituaries and often in public registers"),
    "use": Known("Family and insurers often know how often somebody was in hospital or saw a doctor", "El Emam 2012"),
    "diagnosis": Known(
        "Family and the news may know one, and several single patients out",
        "Sweeney 2013, Loukides 2010",
        asked=False,
    ),
    "treatment": Known(
        "Family and colleagues often know of an operation, and insurers of every procedure", "El Emam 2012", asked=False
    ),
    "medication": Known("Family, pharmacies and insurers know prescriptions", "El Emam 2009", asked=False),
    "result": Known(
        "People who saw one report of a laboratory recognize it by its numbers", "Cimino 2012", asked=False
    ),
    "lifestyle": Known("Family, friends and colleagues see who smokes, drinks or does sport", asked=False),
    "health": Known("Family and colleagues often see who is ill, limited or away from work", asked=False),
    "beliefs": Known("What somebody says and writes in public tells opinions, beliefs and votes", asked=False),
    "salary": Known("Employers and banks know pay and debts", asked=False),
}
"""By the key of a kind of fact (:data:`anonlib.columns.identifiers.KINDS`)."""


def asked_of(kind: Kind | None) -> str:
    """Who usually knows such a fact of a patient, as one sentence; empty where that is not asked of the kind."""
    known = _known(kind)
    return known.sentence if known is not None and known.asked else ""


def stated_of(kind: Kind | None) -> tuple[str, ...]:
    """The same of a kind that is stated and not asked, against its being sensitive alone: one sentence or none."""
    known = _known(kind)
    return (but(known.sentence),) if known is not None and not known.asked else ()


def but(sentence: str) -> str:
    """A sentence that speaks against the one before it."""
    return f"But {sentence[:1].lower()}{sentence[1:]}"


def _known(kind: Kind | None) -> Known | None:
    return None if kind is None else RECORD.get(kind.key)
