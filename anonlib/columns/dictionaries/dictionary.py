"""What a dictionary says, of whichever columns a file has, and how it lists codes with their labels.

After the dictionary comes a list of codes and labels that is written in one cell: ``1, Male | 2, Female``, ``1=Male;
2=Female``.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from anonlib.basics.errors import InputError
from anonlib.basics.words import count, quoted
from anonlib.reading.sources import LONGEST_TITLE, Described, by_name

_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_LONGEST_UNIT = 40  # characters
_NO_UNIT = {"na", "n/a", "nan", "null", "none", "no unit", "unitless", "not applicable", "-", "--", "–", ".", "?"}
_CHECKED = (("0", "Unchecked"), ("1", "Checked"))
_OF_A_CHECKBOX = re.compile(r"(.+)___(.+)")

Labels = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Dictionary:
    """What a document says of columns.

    Attributes
    ----------
    form : str
        What it is written in, such as ``REDCap data dictionary``.
    described : tuple[Described, ...]
        What it says, by column.
    formats : Mapping[str, Labels], optional
        Lists of labels by their name, for files that name them (SAS).
    checkboxes : frozenset[str], default frozenset()
        The columns of which a file has one a choice, ``name___code``, 0 or 1 (REDCap).
    """

    form: str
    described: tuple[Described, ...]
    formats: Mapping[str, Labels] = field(default_factory=lambda: MappingProxyType({}))
    checkboxes: frozenset[str] = frozenset()

    def on(self, columns: Iterable[str], of_file: Mapping[str, Described] | None = None) -> tuple[Described, ...]:
        """What it says of the columns of a file, in their order; nothing of the others.

        Parameters
        ----------
        columns : Iterable[str]
            Their names.
        of_file : Mapping[str, Described], optional
            What the file says itself, by column, which may name lists of labels that are here.
        """
        columns = list(columns)
        known = by_name(self.described, columns)
        of_columns = []
        for name in columns:
            described = known.get(name) or self._of_checkbox(name)
            labels = self._of_format((described or (of_file or {}).get(name) or Described(name)).format)
            if labels and not (described and described.labels):
                described = replace(described or Described(name), labels=labels)
            if described is not None:
                of_columns.append(described)
        return tuple(of_columns)

    def _of_format(self, named: str) -> Labels:
        """The labels of a format as SAS writes it: ``SEXF``, ``sexf.``, ``SEXF8.``; none of an unknown one."""
        written = named.casefold().rstrip(".")
        return self.formats.get(written) or self.formats.get(written.rstrip("0123456789"), ())

    def _of_checkbox(self, column: str) -> Described | None:
        """What a column of one choice is, of a question that allows several."""
        parts = _OF_A_CHECKBOX.fullmatch(column)
        if parts is None or parts[1] not in self.checkboxes:
            return None
        question = next((described for described in self.described if described.name == parts[1]), Described(parts[1]))
        choice = next((label for code, label in question.labels if code.casefold() == parts[2].casefold()), parts[2])
        return Described(column, cleaned(f"{question.title or question.name}: {choice}"), labels=_CHECKED)

    def is_of_other_columns(self) -> InputError:
        """The error that it describes no column of a file."""
        names = quoted([described.name for described in self.described[:3]])
        of = f": it describes {names}" if names else ""
        return InputError(
            f"This {self.form} is of other columns{of}. Choose the dictionary of the loaded file.",
            code="dictionary-of-other-columns",
        )

    def says(self, columns: Iterable[str]) -> str:
        """How many of the columns of a file it describes, in a sentence."""
        columns = list(columns)
        known = self.on(columns)
        labelled = sum(bool(described.labels) for described in known)
        labels = f", with labels of codes for {labelled}" if labelled else ""
        return f"{self.form}: it describes {len(known)} of {count(len(columns), 'columns')}{labels}."


def cleaned(text: object, longest: int = LONGEST_TITLE) -> str:
    """A text of a dictionary as one line, without tags."""
    plain = html.unescape(_TAG.sub(" ", str(text))) if "<" in str(text) or "&" in str(text) else str(text)
    return " ".join(plain.split())[:longest].strip()


def unit_of(text: object) -> str:
    """A unit of a dictionary; "" where it says that there is none."""
    unit = cleaned(text, _LONGEST_UNIT)
    return "" if unit.casefold() in _NO_UNIT else unit


def merged(described: Iterable[Described]) -> tuple[Described, ...]:
    """What several places say of each column, as one: what the first says stays, the rest is added."""
    of_name: dict[str, Described] = {}
    for column in described:
        of_name[column.name] = of_name[column.name].over(column) if column.name in of_name else column
    return tuple(of_name.values())


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
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        return ()
    pairs = []
    for choice in value:
        code = next((choice[key] for key in ("value", "code", "const", "key", "id") if key in choice), None)
        keys = ("label", "title", "name", "display", "description", "text", "meaning")
        label = next((choice[key] for key in keys if isinstance(choice.get(key), (str, int, float))), None)
        if code is not None and label is not None:
            pairs.append((code, label))
    return _distinct(pairs)


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _distinct(pairs: Iterable[tuple[object, object]]) -> Labels:
    """Each code once, with its first label."""
    labels: dict[str, str] = {}
    for code, label in pairs:
        code, label = cleaned(code), cleaned(label)
        if code and label and len(code) <= _LONGEST_CODE:
            labels.setdefault(code, label)
    return tuple(labels.items())
