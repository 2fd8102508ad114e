"""DDI Codebook (Data Documentation Initiative, 2.x): the variables of a survey, as XML."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from anonlib.basics.errors import InputError
from anonlib.columns.dictionaries.dictionary import Dictionary, cleaned, merged
from anonlib.reading.sources import Described

_MEASURES = {"nominal": "nominal", "ordinal": "ordinal", "interval": "scale", "ratio": "scale"}
_ENTITIES = (b"<!ENTITY", b"<!entity")


def of_xml(data: bytes | str) -> Dictionary:
    """The dictionary that an XML document is.

    Parameters
    ----------
    data : bytes | str
        The document; as text where it is known how it is written, as in UTF-16.

    Raises
    ------
    InputError
        When it is damaged, or no DDI Codebook.
    """
    written = data.encode("utf-8", "replace") if isinstance(data, str) else data
    if any(mark in written for mark in _ENTITIES):
        raise InputError(
            "This XML declares entities, which a dictionary does not need. Export it again without.",
            code="file-declares-entities",
        )
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError:
        raise InputError("This XML is damaged or cut off. Export the dictionary again.", code="file-damaged") from None
    except (LookupError, ValueError):
        raise InputError(
            "This XML is written in an unknown encoding. Export the dictionary as UTF-8.", code="encoding-unknown"
        ) from None
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
    variables = list(root.iter("var"))
    if not variables:
        raise InputError(
            "This XML has no variables of a DDI Codebook (<var>). Export the dictionary as DDI Codebook 2.5, or as a "
            "table.",
            code="file-not-of-this-kind",
        )
    return Dictionary("DDI Codebook", merged(_described(variable) for variable in variables))


def _described(variable: ElementTree.Element) -> Described:
    categories = variable.findall("catgry")
    labels, missing = [], []
    for category in categories:
        code, label = _text(category.find("catValu"))[:40], _text(category.find("labl"))
        if code and label:
            labels.append((code, label))
        if code and category.get("missing", "").upper() in ("Y", "YES"):
            missing.append(code)
    title = _text(variable.find("labl")) or _text(variable.find("qstn/qstnLit")) or _text(variable.find("txt"))
    return Described(
        cleaned(variable.get("name") or variable.get("ID") or ""),
        title,
        cleaned(variable.get("measUnit") or "", 40),
        tuple(dict(labels).items()),
        tuple(missing),
        _MEASURES.get(variable.get("nature", ""), ""),
    )


def _text(element: ElementTree.Element | None) -> str:
    return "" if element is None else cleaned("".join(element.itertext()))
