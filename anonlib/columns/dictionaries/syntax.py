"""Dictionaries that are programs: what SPSS, Stata and SAS call columns and codes in their set-up files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anonlib.columns.dictionaries.dictionary import Dictionary, Labels, cleaned, merged
from anonlib.reading.sources import MEASURES, Described

_STRING = r"\"(?:[^\"]|\"\")*\"|'(?:[^']|'')*'"
_TOKEN = re.compile(rf"{_STRING}|[^\s'\"/=(),;]+|[/=(),;]")
_COMMENT = re.compile(r"/\*.*?\*/|^\s*\*[^\n]*$", re.DOTALL | re.MULTILINE)
_STATA = re.compile(
    rf"^\s*(?:la(?:b(?:el)?)?)\s+(?P<what>var(?:iable)?|de(?:f(?:ine)?)?|val(?:ues)?)\s+(?P<rest>(?:{_STRING}|[^\n'\"])+)",
    re.MULTILINE,
)
_SPSS = re.compile(
    r"(?im)^\s*(?P<what>(?:add\s+)?value\s+labels?|var(?:iable)?\s+labels?|missing\s+values?|variable\s+level)\s+"
    rf"(?P<rest>(?:{_STRING}|[^'\"])+?)(?:\.\s*$|\Z)",
)
_SAS_VALUE = re.compile(rf"(?i)\bvalue\s+(?P<name>\$?\w+)\s*(?:\([^)]*\))?\s+(?P<rest>(?:{_STRING}|[^;'\"])+);")
_SAS_LABEL = re.compile(rf"(?i)\blabel\s+(?P<rest>(?:\w+\s*=\s*(?:{_STRING})\s*)+);")
_SAS_FORMAT = re.compile(r"(?i)\bformat\s+(?P<rest>(?:\w+\s+)+\$?\w+\.[^;]*);")
_SAS_CODE = rf"(?:{_STRING}|[\w.+-]+)"
_SAS_PAIR = re.compile(rf"(?P<codes>{_SAS_CODE}(?:\s*,\s*{_SAS_CODE})*)\s*=\s*(?P<label>{_STRING})")
_SAS_GIVEN = re.compile(r"(?P<names>(?:\w+\s+)+)(?P<format>\$?\w+)\d*\.\d*")


def of_program(text: str) -> Dictionary | None:
    """The dictionary that a set-up file is; None where it names no columns."""
    text = _COMMENT.sub(" ", text)
    for form, read in (("Stata labels", _stata), ("SAS labels and formats", _sas), ("SPSS labels", _spss)):
        described, formats = read(text)
        if described or formats:
            return Dictionary(form, merged(described), formats)
    return None


Found = tuple[list[Described], dict[str, Labels]]


def _spss(text: str) -> Found:
    described = []
    for command in _SPSS.finditer(text):
        what = " ".join(command["what"].lower().split())
        for part in _parts(_TOKEN.findall(command["rest"])):
            names = list(_until_value(part))
            rest = part[len(names) :]
            if what.startswith("var") and "label" in what:
                described += [Described(name, title) for name, title in _named(part)]
            elif "value" in what and "missing" not in what:
                labels = tuple(_named(rest))
                described += [Described(name, labels=labels) for name in names if labels]
            elif what.startswith("missing"):
                codes = tuple(_unquoted(token) for token in rest if token not in "(),")
                ranges = any(code.lower() in ("thru", "lo", "hi", "lowest", "highest") for code in codes)
                described += [Described(name, missing=codes) for name in names if codes and not ranges]
            else:
                measure = next((token.lower() for token in rest if token.lower() in MEASURES), "")
                described += [Described(name, measure=measure) for name in names if measure]
    return described, {}


def _parts(tokens: list[str]) -> Iterator[list[str]]:
    """The parts of a command between slashes."""
    part: list[str] = []
    for token in [*tokens, "/"]:
        if token == "/":
            if part:
                yield part
            part = []
        else:
            part.append(token)


def _until_value(part: list[str]) -> Iterator[str]:
    """The names of columns that a part begins with."""
    for token in part:
        if not re.match(r"[A-Za-z@#$_]", token):
            return
        yield token


def _named(tokens: list[str]) -> Iterator[tuple[str, str]]:
    """A name or code and the text after it, by pairs."""
    tokens = [token for token in tokens if token not in ("(", ")", "=", ",", ";")]
    for name, text in zip(tokens[::2], tokens[1::2], strict=False):
        if text[:1] in "\"'":
            yield _unquoted(name), cleaned(_unquoted(text))


def _stata(text: str) -> Found:
    described: list[Described] = []
    labels: dict[str, Labels] = {}
    given: list[tuple[str, str]] = []
    for command in _STATA.finditer(text.replace("///\n", " ")):
        tokens = [token for token in _TOKEN.findall(command["rest"]) if token not in ",/=();"]
        what = command["what"]
        if what.startswith("var") and len(tokens) > 1:
            described.append(Described(tokens[0], cleaned(_unquoted(tokens[1]))))
        elif what.startswith("de") and tokens:
            pairs = zip(tokens[1::2], tokens[2::2], strict=False)
            new = {code: cleaned(_unquoted(label)) for code, label in pairs if label[:1] in "\"'"}
            labels[tokens[0]] = tuple({**dict(labels.get(tokens[0], ())), **new}.items())
        elif what.startswith("val") and len(tokens) > 1:
            given += [(name, tokens[-1]) for name in tokens[:-1]]
    described += [Described(name, labels=labels[label]) for name, label in given if label in labels]
    return described, {}


def _sas(text: str) -> Found:
    formats: dict[str, Labels] = {}
    for value in _SAS_VALUE.finditer(text):
        pairs = [
            (_unquoted(code), cleaned(_unquoted(pair["label"])))
            for pair in _SAS_PAIR.finditer(value["rest"])
            for code in re.findall(_SAS_CODE, pair["codes"])
        ]
        if pairs:
            formats[value["name"].casefold()] = tuple(pairs)
    described = [
        Described(name, title)
        for command in _SAS_LABEL.finditer(text)
        for name, title in _named(_TOKEN.findall(command["rest"]))
    ]
    for command in _SAS_FORMAT.finditer(text):
        for each in _SAS_GIVEN.finditer(command["rest"]):
            form = each["format"].casefold()
            labels = formats.get(form, formats.get(form.rstrip("0123456789"), ()))
            described += [Described(name, labels=labels) for name in each["names"].split() if labels]
    return (described, formats) if formats or _SAS_LABEL.search(text) else ([], {})


def _unquoted(token: str) -> str:
    if len(token) > 1 and token[0] in "\"'" and token[-1] == token[0]:
        return token[1:-1].replace(token[0] * 2, token[0])
    return token
