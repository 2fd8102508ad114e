"""A list of codes and labels that is written in one cell: ``1, Male | 2, Female``, ``1=Male; 2=Female``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from anonlib.columns.dictionaries.dictionary import Labels, cleaned

_ENOUGH = 0.8  # of the parts must be a code with a label
_LONGEST_CODE = 40
_CODE = r"['\"]?(?P<code>[+-]?[^\s=:|;,'\"]{1,40})['\"]?"
_PAIR = re.compile(rf"\s*{_CODE}\s*(?:=>|==|=|:|,|\t|\s[-–—]\s)\s*['\"]?(?P<label>.+?)['\"]?\s*", re.DOTALL)
_NUMBERED = re.compile(r"\s*(?P<code>[+-]?\d{1,10})(?:\s*[.)]\s*|\s+)(?P<label>\S.*?)\s*", re.DOTALL)
_EQUALS = re.compile(r"['\"]?([^\s=,;'\"]{1,40})['\"]?\s*=\s*(.+?)\s*(?=[,/]?\s*['\"]?[^\s=,;'\"]{1,40}['\"]?\s*=|$)")


def choices(text: str) -> Labels:
    """The codes and labels of such a list; none where it is no list of them.

    Examples
    --------
    >>> choices("1, Male | 2, Female"), choices("M=Male, F=Female"), choices("years since 1990")
    ((('1', 'Male'), ('2', 'Female')), (('M', 'Male'), ('F', 'Female')), ())
    """
    text = text.strip()
    if text.startswith(("{", "[")):
        return of_json(_json(text))
    for separator in ("|", "\n", ";"):
        if separator in text:
            return _of_parts([part for part in text.split(separator) if part.strip()])
    pairs = _EQUALS.findall(_with_single_blanks(text))
    if len(pairs) > 1:
        return _distinct((code, label.strip(" ,;'\"")) for code, label in pairs)
    return _of_parts([text]) if "=" in text else ()


def _of_parts(parts: list[str]) -> Labels:
    for pattern in (_PAIR, _NUMBERED):
        matches = [match for part in parts if (match := pattern.fullmatch(_with_single_blanks(part)))]
        if matches and len(matches) >= _ENOUGH * len(parts):
            return _distinct((match["code"], match["label"]) for match in matches)
    return ()


def _with_single_blanks(text: str) -> str:
    """The text with one blank, or one tab, for several, so that no pattern tries out where they end."""
    return "\t".join(" ".join(part.split()) for part in text.split("\t") if part.strip())


def of_json(value: object) -> Labels:
    """The same of plain values: a mapping, or a list of objects with a code and a label; none of anything else."""
    if isinstance(value, dict):
        return _distinct((code, label) for code, label in value.items() if isinstance(label, (str, int, float)))
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        return ()
    found = []
    for each in value:
        code = next((each[key] for key in ("value", "code", "const", "key", "id") if key in each), None)
        keys = ("label", "title", "name", "display", "description", "text", "meaning")
        label = next((each[key] for key in keys if isinstance(each.get(key), (str, int, float))), None)
        if code is not None and label is not None:
            found.append((code, label))
    return _distinct(found)


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _distinct(pairs: Iterable[tuple[object, object]]) -> Labels:
    """Each code once, with its first label."""
    found: dict[str, str] = {}
    for code, label in pairs:
        code, label = cleaned(code), cleaned(label)
        if code and label and len(code) <= _LONGEST_CODE:
            found.setdefault(code, label)
    return tuple(found.items())
