"""Dictionaries that are JSON or XML documents, each read by the format that it is in.

First comes JSON: Frictionless, CSV on the Web, Croissant, JSON Schema, HL7 FHIR, and plain dictionaries. Then comes
XML: DDI Codebook (Data Documentation Initiative, 2.x), with the variables of a survey.
"""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from anonlib.basics.errors import InputError
from anonlib.columns.dictionaries.dictionary import Dictionary, Labels, cleaned, merged, of_json, unit_of
from anonlib.columns.dictionaries.tables import of_table
from anonlib.reading.sources import Described

_NO_COLUMNS = (
    "This JSON describes no columns: it has no fields with names. Export the dictionary as Frictionless Table Schema, "
    "REDCap, FHIR StructureDefinition or Croissant, or as a table."
)
_DEEPEST = 6
Document = Mapping[str, Any]


def of_document(data: bytes) -> Dictionary:
    """The dictionary that a JSON document is.

    Raises
    ------
    InputError
        When it is damaged, or describes no columns.
    """
    try:
        document = json.loads(data)
    except RecursionError:
        raise InputError(
            "This JSON is nested too deeply. Export the dictionary again.", code="file-nested-too-deeply"
        ) from None
    except UnicodeDecodeError:
        raise InputError(
            "This JSON is not written in UTF-8. Export the dictionary again.", code="encoding-wrong"
        ) from None
    except ValueError:
        raise InputError("This JSON is damaged or cut off. Export the dictionary again.", code="file-damaged") from None
    for form, read in _FORMS:
        described = merged(column for column in read(document) if column.name)
        if described:
            return Dictionary(form, described)
    dictionary = _of_records(document)
    if dictionary is None:
        raise InputError(_NO_COLUMNS, code="dictionary-without-columns")
    return dictionary


def _objects(value: Any, depth: int = 0) -> Iterator[Document]:
    """All objects in a document, outer ones first."""
    if depth > _DEEPEST:
        return
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from _objects(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from _objects(inner, depth + 1)


def _listed(value: Any) -> list[Document]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str:
    """A text, the first of several, or the English one of several languages."""
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, dict):
        value = next((value[key] for key in ("en", "@value", "value") if key in value), next(iter(value.values()), ""))
    return cleaned(value) if isinstance(value, (str, int, float)) else ""


def _first(value: Document, *keys: str) -> str:
    return next((text for key in keys if (text := _text(value.get(key)))), "")


# ---- Frictionless, CSV on the Web, Croissant, JSON Schema -----------------------------------------------------------


def _frictionless(document: Any) -> Iterable[Described]:
    for schema in _objects(document):
        fields = _listed(schema.get("fields"))
        if not fields or "name" not in fields[0]:
            continue
        missing = _missing(schema.get("missingValues"))
        for field in fields:
            categories = field.get("categories")
            if isinstance(categories, dict):
                categories = categories.get("values", categories)
            yield Described(
                _text(field.get("name")), _first(field, "title", "description", "label"),
                unit_of(_first(field, "unit")),
                of_json(categories) or of_json(field.get("labels")),
                _missing(field.get("missingValues")) or missing,
                "ordinal" if field.get("categoriesOrdered") else "",
            )  # fmt: skip


def _missing(value: Any) -> tuple[str, ...]:
    """Codes of missing values: those of a list, each by itself or with a label, or a single one."""
    listed = value if isinstance(value, list) else [value]
    codes = [entry.get("value") if isinstance(entry, dict) else entry for entry in listed]
    return tuple(str(code) for code in codes if _is_code(code))


def _is_code(code: Any) -> bool:
    return isinstance(code, (str, int, float)) and not isinstance(code, bool) and bool(str(code).strip())


def _csvw(document: Any) -> Iterable[Described]:
    for schema in _objects(document):
        for column in _listed(schema.get("columns")):
            name = _first(column, "name", "titles")
            yield Described(name, _first(column, "dc:description", "description", "dc:title", "titles"))


def _croissant(document: Any) -> Iterable[Described]:
    if not isinstance(document, dict):
        return
    for records in _listed(document.get("recordSet", document.get("cr:recordSet"))):
        for field in _listed(records.get("field", records.get("cr:field"))):
            name = _first(field, "name", "sc:name") or _text(field.get("@id")).rpartition("/")[2]
            source = field.get("source")
            extract = source.get("extract") if isinstance(source, dict) else None
            column = _text(extract.get("column")) if isinstance(extract, dict) else ""
            yield Described(column or name.rpartition("/")[2], _first(field, "description", "sc:description"))


def _json_schema(document: Any) -> Iterable[Described]:
    for schema in _objects(document):
        properties = schema.get("properties")
        if not isinstance(properties, dict):
            continue
        for name, about in properties.items():
            if isinstance(about, dict):
                title = _first(about, "title", "description")
                yield Described(cleaned(name), title, unit_of(_first(about, "unit")), of_json(about.get("oneOf")))


# ---- HL7 FHIR -------------------------------------------------------------------------------------------------------


def _fhir(document: Any) -> Iterable[Described]:
    value_sets = dict(_value_sets(document))
    for resource in _objects(document):
        if resource.get("resourceType") != "StructureDefinition":
            continue
        for view in ("snapshot", "differential"):
            elements = resource.get(view)
            for element in _listed(elements.get("element")) if isinstance(elements, dict) else []:
                path = _text(element.get("path"))
                if "." not in path:
                    continue
                binding = element.get("binding")
                named = _text(binding.get("valueSet")) if isinstance(binding, dict) else ""
                labels = value_sets.get(named.partition("|")[0], ())
                yield Described(path, _first(element, "short", "definition"), labels=labels)


def _value_sets(document: Any) -> Iterator[tuple[str, Labels]]:
    """By address or id, the codes of the value sets and code systems in a document, with what they display."""
    for resource in _objects(document):
        if resource.get("resourceType") not in ("ValueSet", "CodeSystem"):
            continue
        concepts = [concept for part in _objects(resource) for concept in _listed(part.get("concept"))]
        expansion = resource.get("expansion")
        concepts += _listed(expansion.get("contains")) if isinstance(expansion, dict) else []
        labels = tuple((cleaned(concept.get("code", "")), _first(concept, "display", "code")) for concept in concepts)
        for address in (_text(resource.get("url")), f"#{_text(resource.get('id'))}", _text(resource.get("valueSet"))):
            if address.strip("#"):
                yield address, labels


# ---- plain ----------------------------------------------------------------------------------------------------------


def _plain(document: Any) -> Iterable[Described]:
    """A mapping of names of columns to a description, or to an object with one."""
    columns = document if isinstance(document, dict) else {}
    for key in ("columns", "variables", "dictionary"):
        if isinstance(columns.get(key), dict):
            columns = columns[key]
    if not all(isinstance(about, (str, dict)) for about in columns.values()):
        return
    for name, about in columns.items():
        if isinstance(about, str):
            yield Described(cleaned(name), cleaned(about))
            continue
        labels = next((choices for key in _LABELS if (choices := of_json(about.get(key)))), ())
        missing = _missing(about.get("missing", about.get("missing_values")))
        known = Described(
            cleaned(name), _first(about, "title", "label", "description", "meaning"),
            unit_of(_first(about, "unit", "units")), labels, missing,
        )  # fmt: skip
        yield known if known != Described(known.name) else replace(known, name="")


_LABELS = ("labels", "values", "codes", "categories", "value_labels", "levels", "choices")
_FORMS: tuple[tuple[str, Callable[[Any], Iterable[Described]]], ...] = (
    ("FHIR StructureDefinition", _fhir),
    ("Croissant", _croissant),
    ("Frictionless Table Schema", _frictionless),
    ("CSV on the Web", _csvw),
    ("JSON Schema", _json_schema),
    ("JSON dictionary", _plain),
)


def _of_records(document: Any) -> Dictionary | None:
    """A list of objects, one a column: a table that is written as JSON, as REDCap exports it."""
    rows = _listed(document)
    for inner in _objects(document) if not rows else ():
        rows = max((_listed(value) for value in inner.values()), key=len, default=[])
        if rows:
            break
    if not rows:
        return None
    headers = list(dict.fromkeys(key for row in rows for key in row))
    plain = [
        {key: json.dumps(value) if isinstance(value, (dict, list)) else "" if value is None else str(value)
         for key, value in row.items()} for row in rows
    ]  # fmt: skip
    names = {"field_label": "field label", "select_choices_or_calculations": "choices", "field_type": "field type",
             "identifier": "identifier?"} if "field_name" in headers else {}  # fmt: skip
    renamed = [{names.get(key, key): value for key, value in row.items()} for row in plain]
    return of_table([names.get(key, key) for key in headers], renamed, "JSON dictionary")


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
        code, label = _text_of_element(category.find("catValu"))[:40], _text_of_element(category.find("labl"))
        if code and label:
            labels.append((code, label))
        if code and category.get("missing", "").upper() in ("Y", "YES"):
            missing.append(code)
    title = (
        _text_of_element(variable.find("labl"))
        or _text_of_element(variable.find("qstn/qstnLit"))
        or _text_of_element(variable.find("txt"))
    )
    return Described(
        cleaned(variable.get("name") or variable.get("ID") or ""),
        title,
        cleaned(variable.get("measUnit") or "", 40),
        tuple(dict(labels).items()),
        tuple(missing),
        _MEASURES.get(variable.get("nature", ""), ""),
    )


def _text_of_element(element: ElementTree.Element | None) -> str:
    return "" if element is None else cleaned("".join(element.itertext()))
