"""Dictionaries that are tables: a row a column, or a row a code. REDCap's is one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anonlib.columns.dictionaries.dictionary import Dictionary, Labels, choices, cleaned, merged, unit_of
from anonlib.reading.sources import MEASURES, Described
from anonlib.values.naming import fold

Row = Mapping[str, str]

# What the header of each kind of cell is called, folded and in lower case, the surest first.
_HEADERS: dict[str, tuple[str, ...]] = {
    "name": (
        "variable / field name", "variable name", "column name", "field name", "variablenname", "feldname",
        "spaltenname", "nom de la variable", "nom variable", "nombre de la variable", "nombre variable",
        "nome da variavel", "nome variavel", "nome variabile", "nome della variabile", "naam variabele",
        "variabelenaam", "nazwa zmiennej", "nazwa kolumny", "variabelnamn", "kolumnnamn", "nombre del campo",
        "nome do campo", "nome campo", "nom du champ", "veldnaam", "nazwa pola", "varname", "var_name", "varnaam",
        "column_name", "variable_name", "field_name", "variable", "column", "field", "attribute", "variabele", "kolom",
        "veld", "spalte", "feld", "merkmal", "champ", "colonne", "campo", "columna", "coluna", "variavel", "variabile",
        "colonna", "zmienna", "kolumna", "pole", "variabel", "kolumn", "var", "item", "name", "nom", "nombre", "nome",
        "naam", "nazwa", "namn", "element",
    ),
    "title": (
        "field label", "variable label", "column label", "variable description", "description", "label", "title",
        "question", "question text", "meaning", "definition", "bezeichnung", "beschreibung", "bedeutung",
        "variablenlabel", "libelle", "intitule", "etiqueta", "descripcion", "descricao", "rotulo", "descrizione",
        "etichetta", "omschrijving", "opis", "etykieta", "beskrivning", "etikett", "benamning", "comment",
    ),
    "values": (
        "choices, calculations, or slider labels", "value labels", "permitted values", "allowed values",
        "permissible values", "response options", "choices", "categories", "codes", "enumeration", "levels",
        "code list", "codelist", "coding", "values", "categorical values", "wertelabels", "auspragungen", "codierung",
        "kodierung",
        "modalites", "codage", "valores", "categorias", "codificacion", "codificacao", "valori", "codifica", "waarden",
        "wartosci", "kodowanie", "varden", "kodning", "options",
    ),
    "unit": (
        "unit", "units", "unit of measure", "unit of measurement", "einheit", "unite", "unidad", "unidade", "unita",
        "eenheid", "jednostka", "enhet",
    ),
    "missing": ("missing values", "missing codes", "missing", "na codes", "fehlwerte", "fehlende werte"),
    "measure": ("measurement level", "level of measurement", "measure", "skalenniveau", "messniveau", "meetniveau"),
    "format": ("format", "format name", "value label name", "label name"),
    "identifier": ("identifier?",),
    "type": ("field type",),
    "code": ("code", "value", "category", "wert", "valeur", "valor", "valore", "waarde", "wartosc", "varde", "kod"),
    "label": (
        "value label", "code label", "category label", "code description", "value description", "wertelabel",
        "libelle modalite", "code meaning", "bedeutung", "label", "meaning", "description", "libelle", "etiqueta",
        "descripcion", "descricao", "descrizione", "omschrijving", "bezeichnung", "opis", "beskrivning", "title",
    ),
}  # fmt: skip
_QUALIFIED = ("name", "title", "values")  # kinds whose headings may stand behind another word
_LINE = re.compile(r"\s*(?P<name>[^\s:=\t][^:=\t]{0,63}?)\s*(?::|=|\t|\s[-–—])\s*(?P<title>\S.*)")
_ENOUGH = 0.8  # of the lines must be a name and a text
_YES_NO = {"yesno": (("1", "Yes"), ("0", "No")), "truefalse": (("1", "True"), ("0", "False"))}
_CHOOSING = {"radio", "dropdown", "checkbox", "select"}  # kinds of fields of REDCap with choices


@dataclass(frozen=True)
class _Headers:
    """By kind of cell, the header of its column in the table."""

    of: Mapping[str, str]

    @classmethod
    def of_table(cls, headers: Sequence[str]) -> _Headers:
        plain = {_plain(header): header for header in headers}
        taken: set[str] = set()
        header_of: dict[str, str] = {}
        is_by_code = not plain.keys().isdisjoint(_HEADERS["code"]) and plain.keys().isdisjoint(_HEADERS["values"])
        kinds = [kind for kind in _HEADERS if is_by_code or kind not in ("code", "label")]
        if is_by_code:  # one label beside a code is the code's
            kinds = ["name", "code", "label", *(kind for kind in kinds if kind not in ("name", "code", "label"))]
        for kind in kinds:
            names = [name for name in map(_plain, _HEADERS[kind]) if name in plain and plain[name] not in taken]
            header = plain[names[0]] if names else None
            if header is None and kind in _QUALIFIED:
                header = next(
                    (candidate for candidate in headers if _ends_as(candidate, kind) and candidate not in taken), None
                )
            if header is not None:
                taken.add(header)
                header_of[kind] = header
        return cls(header_of)

    def by_rows(self, rows: Sequence[Row], headers: Sequence[str]) -> _Headers:
        """The same, title and label the other way round where what was taken for the codes' labels is one text for all
        codes of a column, and what was taken for titles, or stands under “value”, is not."""
        values = (
            header for header in headers if _plain(header) in ("value", "text") and header not in self.of.values()
        )
        other = self.of.get("title") or next(values, None)
        if other is None or not {"name", "code", "label"} <= self.of.keys():
            return self
        if self._most_texts_of_a_column(rows, self.of["label"]) > 1 or self._most_texts_of_a_column(rows, other) < 2:
            return self
        return _Headers({**self.of, "title": self.of["label"], "label": other})

    def _most_texts_of_a_column(self, rows: Sequence[Row], header: str) -> int:
        """The most different texts that one column has under a header."""
        texts_of: dict[str, set[str]] = {}
        name = ""
        for row in rows:
            name = self.cell(row, "name") or name
            if text := (row.get(header) or "").strip():
                texts_of.setdefault(name, set()).add(text)
        return max(map(len, texts_of.values()), default=0)

    def cell(self, row: Row, kind: str) -> str:
        return (row.get(self.of[kind]) or "").strip() if kind in self.of else ""


def _plain(header: str) -> str:
    return " ".join(fold(header).casefold().replace("_", " ").split())


def _ends_as(header: str, kind: str) -> bool:
    """Whether a heading is one of several words behind others, such as ``clean_variable_name``."""
    words = " ".join(fold(header).casefold().replace("_", " ").split())
    return any(words.endswith(f" {name}") for name in _HEADERS[kind] if " " in name)


def of_table(headers: Sequence[str], rows: Sequence[Row], form: str) -> Dictionary | None:
    """The dictionary that a table is; None where it has no names of columns with something beside them.

    Parameters
    ----------
    headers : Sequence[str]
        Names of the table's columns.
    rows : Sequence[Row]
        Its rows, by header; "" for an empty cell.
    form : str
        What it is called, where it is no REDCap dictionary.
    """
    known = _Headers.of_table(headers).by_rows(rows, headers)
    if "name" not in known.of or not {"title", "values", "label", "unit"} & set(known.of):
        return None
    described: list[Described] = []
    checkboxes, name = set(), ""
    for row in rows:
        name = known.cell(row, "name") or name  # a list of codes names its column once
        if not name:
            continue
        kind = known.cell(row, "type").casefold()
        described.append(
            Described(
                name,
                cleaned(known.cell(row, "title")),
                unit_of(known.cell(row, "unit")),
                _labels(known, row, kind),
                _codes(known.cell(row, "missing")),
                known.cell(row, "measure").casefold() if known.cell(row, "measure").casefold() in MEASURES else "",
                known.cell(row, "format")[:60],
                known.cell(row, "identifier").casefold() in ("y", "yes"),
            )
        )
        if kind == "checkbox":
            checkboxes.add(name)
    if not described:
        return None
    redcap = known.of["name"].casefold() == "variable / field name"
    together = _with_codes(described) if "code" in known.of else merged(described)
    return Dictionary("REDCap data dictionary" if redcap else form, together, checkboxes=frozenset(checkboxes))


def of_lines(text: str) -> Dictionary | None:
    """The dictionary that lines of a name and a text are, ``AGEP: Age of the person``; None where it is none."""
    lines = [line for line in text.splitlines() if line.strip()]
    matches = [match for line in lines if (match := _LINE.fullmatch(line))]
    if not matches or len(matches) < _ENOUGH * len(lines):
        return None
    return Dictionary("Lines of text", merged(Described(cleaned(m["name"]), cleaned(m["title"])) for m in matches))


def _labels(known: _Headers, row: Row, kind: str) -> Labels:
    if "code" in known.of:
        code, label = known.cell(row, "code"), cleaned(known.cell(row, "label"))
        return ((code, label),) if code and label else ()
    if kind in _YES_NO:
        return _YES_NO[kind]
    if kind and kind not in _CHOOSING:
        return ()  # a calculation, or the ends of a slider
    return choices(known.cell(row, "values"))


def _with_codes(described: Sequence[Described]) -> tuple[Described, ...]:
    """What a table says of each column in rows of a code each, with all of its codes."""
    labels: dict[str, dict[str, str]] = {}
    for column in described:
        for code, label in column.labels:
            labels.setdefault(column.name, {}).setdefault(code, label)
    first = {merged_column.name: merged_column for merged_column in merged(described)}
    return tuple(
        Described(**{**vars(merged_column), "labels": tuple(labels.get(name, {}).items())})
        for name, merged_column in first.items()
    )


def _codes(text: str) -> tuple[str, ...]:
    """Codes of missing values: a list, or codes with labels."""
    if labelled := choices(text):
        return tuple(code for code, _ in labelled)
    parts = [part.strip(" '\"") for part in text.replace(";", ",").replace("|", ",").split(",")]
    return tuple(dict.fromkeys(part for part in parts if part and " " not in part))
