"""What a project that an earlier version saved becomes when it is opened, and the notice of that."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.filing.project.bounds import damaged
from anonlib.release.steps import counted_otherwise
from anonlib.verdict.criteria import BY_KEY, CRITERION_KINDS, NOBODY_LEARNED, Aim, Recipient
from anonlib.verdict.criteria.aim import lacks_method

FORMAT, FORMAT_VERSION = "anonscope-project", 3
_BY_MIGRATIONS = ("upgraded", "stricter")
"""What no saved project has: migrations say it."""
_KEPT = {"kind": "records_kept", "least": 0.95, "source": "A usual bound on what is left out; Anonscope's."}
_NONE = {"kind": "no_identifiers", "source": ""}
_TELLING = {"kind": "telling_columns", "most": 0, "source": ""}
_LKC = "The attacker of LKC-privacy (Mohammed et al. 2009) and of Kroes et al. (2021); the limits are Anonscope's."
_OPEN = (
    "What is taken as known is part of the assessment (El Emam 2013; ISO/IEC 27559:2022, 7.3.2); the 3% are "
    "Anonscope's."
)


def _smallest(k: int, source: str) -> dict[str, Any]:
    return {"kind": "smallest_class", "k": k, "source": source}


def _inference(known: int, most: float, knows: str, source: str) -> dict[str, Any]:
    return {
        "kind": "inference", "known": known, "p": 0.0, "most": most, "knows": knows, "column": "", "source": source,
    }  # fmt: skip


def _not_counted(k: int) -> dict[str, Any]:
    return {"kind": "columns_not_counted", "k": k, "source": _OPEN}


_FIRST: Mapping[str, list[dict[str, Any]]] = {
    "public": [
        _NONE,
        _smallest(
            11,
            "EMA Policy 0070 and Health Canada PRCI take 0.09 for public release, by convention a smallest class of "
            "11; read strictly it takes 12.",
        ),
        _inference(
            0, 0.0, "quasi_identifiers",
            "Inference is a risk of its own (Article 29 Working Party, WP216); the limits are Anonscope's.",
        ),
        _not_counted(11),
        _TELLING,
        _KEPT,
    ],
    "contract": [
        _NONE,
        _smallest(5, "Cell size 5, the most common precedent for controlled release (El Emam 2013)."),
        _inference(2, 0.01, "other_sensitive", _LKC),
        _not_counted(5),
        _TELLING,
        _KEPT,
    ],
    "within": [
        _NONE,
        {
            "kind": "average_risk", "limit": 0.2,
            "source": "The average risk is for controlled release (ISO/IEC 27559:2022, 7.3.2); 0.2 by El Emam (2013).",
        },
        {
            "kind": "combinations", "known": 2, "least": 2, "most": 0.01,
            "source": "Unicity (de Montjoye et al. 2013); the limits are Anonscope's.",
        },
        _inference(1, 0.01, "other_sensitive", _LKC),
        _KEPT | {"least": 0.98},
    ],
    "safe_harbor": [_NONE, {"kind": "safe_harbor", "source": "45 CFR 164.514(b)(2)(i)."}],
    "cms": [
        _NONE, _smallest(11, "CMS cell suppression policy: no cell of 1 to 10."), _not_counted(11), _TELLING, _KEPT,
    ],
    "own": [_NONE, _smallest(5, ""), {"kind": "rare_values", "least": 5, "column": "", "source": ""}],
}  # fmt: skip
"""By recipient the criteria that a project of version 1 of the format began with."""
_OF_A_TABLE = (
    "file", "roles", "missing", "population", "population_columns", "areas", "unknowable", "recipe", "variants",
    "hierarchies", "orders", "earlier_releases",
)  # fmt: skip
"""What version 3 of the format holds of each table."""
_STRICTER: Mapping[str, str] = {
    "No identifiers": "every cell of every column is searched",
    "Safe Harbor": "ages with units, births, parts of dates and cells that cannot be read count",
}
"""By title the criteria that ask more than of projects whose aim names no year, and what that is."""


def from_first(document: dict[str, Any]) -> dict[str, Any]:
    """A project of version 1 of the format, which did not say what is known of the rows of a person.

    Criteria that are those that its recipient began with become today's; others stay, each with what the recipient
    takes to be known of rows, and what is asked today besides is named.
    """
    aim = document.get("aim")
    if not isinstance(aim, Mapping) or not isinstance(aim.get("criteria"), list):
        return document  # damaged, which is reported where it is read
    key = aim.get("recipient")
    recipient = BY_KEY.get(key) if isinstance(key, str) else None
    if recipient is None:
        return document
    of_today = Aim.for_recipient(recipient.key).limiting_what_is_learned(True)
    today = [criterion.to_dict() for criterion in of_today.criteria if not criterion.of_method]
    if aim["criteria"] == _FIRST.get(recipient.key):
        notices = _renewed(recipient)
        aim = {**aim, "criteria": [_plain(criterion) for criterion in today]}
    else:
        notices = _kept(recipient, _kinds_of(aim["criteria"]))
    return {**document, "aim": aim, "upgraded": [*notices, *_counting_otherwise(document)]}


def from_second(document: dict[str, Any]) -> dict[str, Any]:
    """A project of version 2 of the format, which held what concerns its table beside what concerns the case."""
    table = {name: document[name] for name in _OF_A_TABLE if name in document}
    of_the_case = {name: value for name, value in document.items() if name not in _OF_A_TABLE}
    return {**of_the_case, "tables": [table]}


MIGRATIONS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: from_first, 2: from_second}
"""By the version of the format, what makes a document of it one of the next version."""


def of_this_version(document: dict[str, Any]) -> dict[str, Any]:
    """The document as one of this version of the format.

    Raises
    ------
    InputError
        When it is no project, of a newer version, or of one that cannot be read any more.
    """
    if document.get("format") != FORMAT:
        raise InputError(
            "This JSON is no project. Choose a file saved with “Save project”.", code="file-not-of-this-kind"
        )
    version = document.get("version")
    if isinstance(version, bool) or not isinstance(version, int):
        raise damaged("the version of its format must be a whole number")
    if version > FORMAT_VERSION:
        raise InputError(
            "This project was saved by a newer version of Anonscope. Open it with that version.", code="version-unknown"
        )
    document = {name: value for name, value in document.items() if name not in _BY_MIGRATIONS}
    while version < FORMAT_VERSION:
        if version not in MIGRATIONS:
            raise InputError(
                "This project was saved by a version whose files cannot be read. Decide it again.",
                code="version-unknown",
            )
        document, version = MIGRATIONS[version](document), version + 1
    return with_what_the_method_tells(with_stricter_criteria(with_what_is_learned(with_earlier_steps(document))))


def with_stricter_criteria(document: dict[str, Any]) -> dict[str, Any]:
    """A project of today's format, which names its criteria that asked less when it was saved.

    Since cells that are not understood count, an aim has the year of its case.
    """
    aim = document.get("aim")
    if not isinstance(aim, Mapping) or "year" in aim:
        return document
    return {**document, "stricter": list(_STRICTER)}


def with_what_is_learned(document: dict[str, Any]) -> dict[str, Any]:
    """A project of today's format, which says that its recipient begins without a limit on what is learned today.

    Since what is learned can be measured without a limit, an aim has what is measured so.
    """
    aim = document.get("aim")
    if not isinstance(aim, Mapping) or "measured" in aim or not isinstance(aim.get("criteria"), list):
        return document
    recipient = BY_KEY.get(aim["recipient"]) if isinstance(aim.get("recipient"), str) else None
    kinds = _kinds_of(aim["criteria"])
    limited = [name for name, kind in CRITERION_KINDS.items() if kind.disclosure == "attribute" and name in kinds]
    if recipient is None or not recipient.measured or not limited:
        return document
    sentence = (
        f"“{recipient.name}” begins today without a limit on what can be learned of somebody, and measures it. The "
        f"criteria are kept as they were decided: for today's, switch “{NOBODY_LEARNED}” off on the Verdict page."
    )
    return {**document, "upgraded": [*document.get("upgraded", []), sentence]}


def with_what_the_method_tells(document: dict[str, Any]) -> dict[str, Any]:
    """A project of today's format, which says that its recipient begins today with what the method tells.

    Since that can be asked, an aim that asks all else that its recipient begins with says that it is without it.
    """
    aim = document.get("aim")
    if not isinstance(aim, Mapping) or "without_method" in aim or not isinstance(aim.get("criteria"), list):
        return document
    recipient = BY_KEY.get(aim["recipient"]) if isinstance(aim.get("recipient"), str) else None
    kinds = _kinds_of(aim["criteria"])
    if recipient is None or not lacks_method(recipient, kinds):
        return document
    (title,) = [criterion.title for criterion in recipient.criteria if criterion.of_method]
    sentence = (
        f"“{recipient.name}” begins today with “{title}” too, which was not asked when this project was decided: add "
        "it on the Verdict page if wanted."
    )
    return {**document, "upgraded": [*document.get("upgraded", []), sentence]}


def no_longer_met(stricter: Collection[str], against: Iterable[str]) -> str:
    """Which criteria of a saved project it may have met then and does not today, in sentences; "" where none.

    Parameters
    ----------
    stricter : Collection[str]
        Titles of criteria that asked less when it was saved (:attr:`Project.stricter`).
    against : Iterable[str]
        Titles of those that are not met today, or cannot be checked, and are not accepted.

    Returns
    -------
    str
    """
    titles = [title for title in against if title in stricter]
    if not titles:
        return ""
    return " ".join(
        f"“{title}” asks more than when this project was saved, and may have been met then: now {_STRICTER[title]}."
        for title in titles
    )


def with_earlier_steps(document: dict[str, Any]) -> dict[str, Any]:
    """A project of today's format, which says what steps of an earlier version's kinds do otherwise today."""
    tables = document.get("tables")
    if not isinstance(tables, list):
        return document  # damaged, which is reported where it is read
    steps = [step for table in tables if isinstance(table, Mapping) for step in _steps_on_persons(table)]
    sentences = counted_otherwise(steps)
    return {**document, "upgraded": [*document.get("upgraded", []), *sentences]} if sentences else document


def _steps_on_persons(table: Mapping[str, Any]) -> list[Any]:
    """The steps of the recipe, as plain values, where a column says which rows are of one person; else none."""
    roles, steps = table.get("roles"), table.get("recipe")
    counts_persons = isinstance(roles, Mapping) and "person_id" in roles.values()
    return steps if counts_persons and isinstance(steps, list) else []


def _counting_otherwise(document: Mapping[str, Any]) -> list[str]:
    """What steps did otherwise in version 1 of the format than today."""
    kinds = [
        guarantee.get("kind")
        for step in _steps_on_persons(document)
        if isinstance(step, Mapping) and step.get("kind") == "leave_out_exposed"
        for guarantee in step.get("guarantees", [])
        if isinstance(guarantee, Mapping)
    ]
    if "uncertain" not in kinds:
        return []
    return [
        "A step leaves out persons of whom a value is certain. Where persons have several rows, more are left out than "
        "then: a value is certain that is among those of all who share what is known."
    ]


def _kinds_of(criteria: Iterable[Any]) -> set[Any]:
    kinds = (criterion.get("kind") for criterion in criteria if isinstance(criterion, Mapping))
    return {kind for kind in kinds if isinstance(kind, str)}


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    """As JSON has them."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def _renewed(recipient: Recipient) -> list[str]:
    if all(not criterion.knows_rows() for criterion in recipient.criteria):
        return []
    return [
        f"The criteria are today's for “{recipient.name}”: where persons have several rows, what somebody knows of "
        "these counts now."
    ]


def _kept(recipient: Recipient, kinds: set[Any]) -> list[str]:
    lacking = [criterion.title for criterion in recipient.criteria if criterion.kind not in kinds]
    if not lacking or recipient.key == "own":
        return []
    it, be = ("it", "is") if len(lacking) == 1 else ("them", "are")
    return [
        f"The criteria are kept as they were decided. Today “{recipient.name}” also begins with "
        f"{words.quoted(lacking)}, which {be} not among them: add {it} on the Verdict page if wanted."
    ]
