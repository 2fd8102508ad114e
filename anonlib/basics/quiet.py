"""Libraries that quote cells in what they warn of and log, silenced from the first time one of them reads a file."""

from __future__ import annotations

import logging
import re
import warnings


def silence(library: str, *callers: str) -> None:
    """From now on neither a library's warnings nor its log messages are shown.

    Called before each reading and taken back by nothing: files are read in several threads, which share the filters of
    warnings and the loggers, and what one thread took back another would still need.

    Parameters
    ----------
    library : str
        The name of its package, which is the name of its logger too.
    callers
        Modules that it names as the place of what it warns of: those of ours that call it.
    """
    names = "|".join(re.escape(name) for name in (library, *callers))
    warnings.filterwarnings("ignore", module=rf"({names})(\.|$)")
    logging.getLogger(library).setLevel(logging.CRITICAL + 1)
