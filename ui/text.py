"""Text of a file on its way to anything that renders Markdown."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

# What begins nothing is left as it is, such as a full stop or a hyphen between letters and digits (CommonMark, 6.2): a
# widget gives screen readers its label as it was written, with all backslashes.
_PUNCTUATION = re.compile(r"((?<![^\W_])[-_]|[-_](?![^\W_])|[!#$&*+:<>@\[\\\]^`{|}~]|^=)")
_NUMBERED = re.compile(r"^(\d+)([.)])(?=\s|$)")  # the beginning of an ordered list
# Where the screen's Markdown would see an address and link it, escapes or not (GitHub Flavored Markdown, 6.9).
_ADDRESS = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?<=@)", re.IGNORECASE)
_JOINER = "\u2060"  # has no width


def plain(text: object, length: int | None = None) -> str:
    """A file name, column name or cell as Markdown that shows just these characters on one line.

    ASCII punctuation with which something can begin is escaped (CommonMark allows it for all of it), so that no image,
    link, formula, icon or HTML comes about; a joiner without width keeps addresses from becoming links;
    control and direction marks are dropped; a long text is cut with an ellipsis.
    """
    shown = printable(text)
    if length is not None and len(shown) > length:
        shown = shown[: length - 1] + "…"
    escaped = _PUNCTUATION.sub(r"\\\1", _ADDRESS.sub(_JOINER, shown))
    return _NUMBERED.sub(r"\1\\\2", escaped)


def printable(text: object) -> str:
    """One line without control, format and direction characters, for places that show text as it is."""
    text = str(text)
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    spaced = "".join(" " if char.isspace() else char for char in text)
    return " ".join("".join(char for char in spaced if unicodedata.category(char) not in ("Cc", "Cf", "Cs")).split())


def stem(name: str) -> str:
    """What files are called that are made of one of this name: without its folder and its ending."""
    return printable(name).rpartition("/")[2].rsplit(".", 1)[0][:60] or "data"


def file_stem(*parts: str) -> str:
    """A file's name without its ending, of parts such as a case's reference, an order and a date."""
    words = (re.sub(r"[^\w.]+", "-", printable(part)).strip("-.") for part in parts)
    return "-".join(word[:60] for word in words if word) or "data"


def named(names: Sequence[str]) -> str:
    """A combination of columns as text, for places that show text as it is."""
    return " + ".join(map(printable, names))
