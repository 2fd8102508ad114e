"""Dictionaries that are programs: what SPSS, Stata and SAS call columns and codes in their set-up files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anonlib.columns.dictionaries.dictionary import Dictionary, Labels, cleaned, merged
from anonlib.reading.sources import MEASURES, Described

# A text is gone through once, by lines (SPSS, Stata) or by statements (SAS), and a string ends with its line: what is
# left open costs no more than its line, wherever it stands.
_STRING = r"\"(?:[^\"\n]|\"\")*\"|'(?:[^'\n]|'')*'"
_STRINGS = re.compile(_STRING)
_TOKEN = re.compile(rf"{_STRING}|[^\s'\"/=(),;]+|[/=(),;]")
_PIECE = re.compile(rf"{_STRING}|[^;'\"]+|[;'\"]")
_STATA = re.compile(r"la(?:b(?:el)?)?[ \t]+(?P<what>var(?:iable)?|de(?:f(?:ine)?)?|val(?:ues)?)[ \t]+(?P<rest>.+)")
_SPSS = re.compile(
    r"(?i)(?P<what>(?:add[ \t]+)?value[ \t]+labels?|var(?:iable)?[ \t]+labels?|missing[ \t]+values?"
    r"|variable[ \t]+level)(?=\s|$)(?P<rest>.*)"
)
_SAS = re.compile(r"(?i)\b(?P<what>value|label|format)\s+(?P<rest>[^\s=].*)", re.DOTALL)
_SAS_CODE = re.compile(rf"{_STRING}|[\w.+-]+")
_SAS_PART = re.compile(rf"{_SAS_CODE.pattern}|[^\s]")
_SAS_LIST = re.compile(r"\$?\w+")
_SAS_NAMED = re.compile(r"(?P<name>\$?\w+)\.\d*")


def of_program(text: str) -> Dictionary | None:
    """The dictionary that a set-up file is; None where it names no columns."""
    text = _without_comments(text)
    for form, read in (("Stata labels", _stata), ("SAS labels and formats", _sas), ("SPSS labels", _spss)):
        described, formats = read(text)
        if described or formats:
            return Dictionary(form, merged(described), formats)
    return None


def _without_comments(text: str) -> str:
    """The text without what stands between ``/*`` and ``*/``, and without lines that begin with ``*``."""
    parts, place = [], 0
    while (begins := text.find("/*", place)) >= 0 and (ends := text.find("*/", begins + 2)) >= 0:
        parts.append(text[place:begins])
        place = ends + 2
    lines = " ".join([*parts, text[place:]]).splitlines()
    return "\n".join("" if line.lstrip().startswith("*") else line for line in lines)


Found = tuple[list[Described], dict[str, Labels]]


def _spss(text: str) -> Found:
    described = []
    for what, tokens in _spss_commands(text):
        for part in _parts(tokens):
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


def _spss_commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each command and its tokens: it ends with a line that ends with a full stop, or where the next one begins."""
    what, tokens = "", list[str]()
    for line in text.splitlines():
        command = _SPSS.match(line.lstrip())
        if command is not None:
            if what:
                yield what, tokens
            what, tokens = " ".join(command["what"].lower().split()), []
        if not what:
            continue
        rest = (line if command is None else command["rest"]).rstrip()
        is_last = _STRINGS.sub("''", rest).endswith(".")
        tokens += _TOKEN.findall(rest[:-1] if is_last else rest)
        if is_last:
            yield what, tokens
            what = ""
    if what:
        yield what, tokens


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
    labels: dict[str, dict[str, str]] = {}
    given: list[tuple[str, str]] = []
    for line in text.replace("///\n", " ").splitlines():
        command = _STATA.match(line.lstrip())
        if command is None:
            continue
        tokens = [token for token in _TOKEN.findall(command["rest"]) if token not in ",/=();"]
        what = command["what"]
        if what.startswith("var") and len(tokens) > 1:
            described.append(Described(tokens[0], cleaned(_unquoted(tokens[1]))))
        elif what.startswith("de") and tokens:
            pairs = zip(tokens[1::2], tokens[2::2], strict=False)
            new = {code: cleaned(_unquoted(label)) for code, label in pairs if label[:1] in "\"'"}
            labels.setdefault(tokens[0], {}).update(new)
        elif what.startswith("val") and len(tokens) > 1:
            given += [(name, tokens[-1]) for name in tokens[:-1]]
    lists = {name: tuple(pairs.items()) for name, pairs in labels.items()}
    described += [Described(name, labels=lists[label]) for name, label in given if label in lists]
    return described, {}


def _sas(text: str) -> Found:
    formats: dict[str, Labels] = {}
    titles: list[Described] = []
    given: list[tuple[str, str]] = []
    for statement in _sas_statements(text):
        command = _SAS.search(statement)
        if command is None:
            continue
        what, rest = command["what"].casefold(), command["rest"]
        if what == "value":
            name, labels = _sas_list(rest)
            if labels:
                formats[name.casefold()] = labels
        elif what == "label":
            titles += _sas_titles(_TOKEN.findall(rest))
        else:
            given += _sas_given(rest.split())
    described = []
    for name, form in given:
        labels = formats.get(form, formats.get(form.rstrip("0123456789"), ()))
        if labels:
            described.append(Described(name, labels=labels))
    return ([*titles, *described], formats) if formats or titles else ([], {})


def _sas_statements(text: str) -> Iterator[str]:
    """What ends with a semicolon that is in no string."""
    pieces: list[str] = []
    for piece in _PIECE.findall(text):
        if piece == ";":
            yield "".join(pieces)
            pieces = []
        else:
            pieces.append(piece)


def _sas_list(text: str) -> tuple[str, Labels]:
    """The name of a list of labels, and for each code its label; codes with commas between them share one."""
    named = _SAS_LIST.match(text)
    if named is None:
        return "", ()
    rest = text[named.end() :].lstrip()
    if rest.startswith("("):
        rest = rest.partition(")")[2]
    pairs: list[tuple[str, str]] = []
    codes: list[str] = []
    before = ""
    for part in _SAS_PART.findall(rest):
        if before == "=" and part[:1] in "\"'" and len(part) > 1:
            pairs += [(_unquoted(code), cleaned(_unquoted(part))) for code in codes]
            codes, part = [], ""
        elif _SAS_CODE.fullmatch(part):
            if before != ",":
                codes = []
            codes.append(part)
        elif part not in ",=" or not codes:
            codes = []
        before = part
    return named[0], tuple(pairs)


def _sas_titles(tokens: list[str]) -> list[Described]:
    """Titles by column where a statement is nothing but these: ``age = 'Age' sex = "Sex"``."""
    equals, texts = tokens[1::3], tokens[2::3]
    if len(tokens) % 3 or {*equals} != {"="} or not all(text[:1] in "\"'" for text in texts):
        return []
    return [Described(name, title) for name, title in _named(tokens) if _SAS_LIST.fullmatch(name)]


def _sas_given(words: list[str]) -> list[tuple[str, str]]:
    """Columns, each with the name of the list of labels that it is given: ``sex q1 sexf.``."""
    given: list[tuple[str, str]] = []
    names: list[str] = []
    for word in words:
        if form := _SAS_NAMED.fullmatch(word):
            given += [(name, form["name"].casefold()) for name in names]
            names = []
        elif _SAS_LIST.fullmatch(word):
            names.append(word)
        else:
            names = []
    return given


def _unquoted(token: str) -> str:
    if len(token) > 1 and token[0] in "\"'" and token[-1] == token[0]:
        return token[1:-1].replace(token[0] * 2, token[0])
    return token
