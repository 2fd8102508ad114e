"""The one way anonlib reports input it cannot use."""

from __future__ import annotations

import copyreg
from typing import Any


class InputError(ValueError):
    """Input that cannot be used, put into a sentence that an officer can act on.

    The message names the column, row or position and the way out. It never holds the value of a
    cell and never the text of a library's own error (those quote whole rows): raise it ``from None``.

    Parameters
    ----------
    message : str
        The sentence.
    code : str
        The cause, the same in every version: words in small letters with hyphens between. Programs and tests go by it.
    column : str, optional
        The column that is at fault, where it is one.
    """

    def __init__(self, message: str, *, code: str, column: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.column = column

    def __reduce__(self) -> tuple[Any, ...]:
        """As what a process hands to another: with its code and column."""
        return copyreg.__newobj__, (type(self), *self.args), vars(self)  # type: ignore[attr-defined]  # not in the stubs
