"""What columns are called on screen: in words, where a file or a dictionary has them, with the name beside them."""

from __future__ import annotations

from ui.session import view
from ui.text import printable

_LONGEST = 70  # characters of a title beside its name


def titled(column: str) -> str:
    """A column of the loaded file, such as ``Age, years (AGEP)``, for places that show text as it is."""
    data = view.now().data
    described = None if data is None else data.described.get(column)
    if described is None or described.shown_name == column:
        return printable(column)
    words = printable(described.in_words)
    return f"{words if len(words) <= _LONGEST else words[: _LONGEST - 1] + '…'} ({printable(column)})"


def titles() -> dict[str, str]:
    """By column of the loaded file that is called otherwise than by its name, what it is called."""
    data = view.now().data
    called = {} if data is None else {name: titled(name) for name in data.described if name in data.columns}
    return {name: title for name, title in called.items() if title != printable(name)}
