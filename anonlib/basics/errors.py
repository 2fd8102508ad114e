"""The one way anonlib reports input it cannot use."""


class InputError(ValueError):
    """Input that cannot be used, put into a sentence that an officer can act on.

    The message names the column, row or position and the way out. It never holds the value of a
    cell and never the text of a library's own error (those quote whole rows): raise it ``from None``.
    """
