"""Which code system a column holds."""

from __future__ import annotations

from anonlib.codes.registry import SYSTEMS
from anonlib.codes.system import CodeSystem
from anonlib.identifiers.names import name_tokens
from anonlib.values import MOSTLY, Values

_A_LOOK = 64  # values, from which systems are told that a column plainly does not hold


def recognised(values: Values, name: str = "") -> CodeSystem | None:
    """The code system whose codes nearly all values of a column are, if its name or its values tell; else None.

    Parameters
    ----------
    values
        Distinct values of the column, such as ``250.83`` and ``V57``.
    name
        The column's name: where several systems fit, one that it points to comes first.
    """
    some = [str(value) for value in values[:: max(1, len(values) // _A_LOOK)]]
    tokens = name_tokens(name) if name else ()
    likely = [system for system in SYSTEMS.values() if some and system.fits(some).mean() >= MOSTLY]
    for system in sorted(likely, key=lambda system: not _points_to(tokens, system)):
        fits = system.fits(values)
        if fits.mean() < MOSTLY:
            continue
        if _points_to(tokens, system):
            return system
        if system.by_content is not None and system.by_content(
            [str(v) for v, f in zip(values, fits, strict=True) if f]
        ):
            return system
    return None


def _points_to(tokens: tuple[str, ...], system: CodeSystem) -> bool:
    """Whether a name has one of the system's phrases among its words."""
    phrases = (name_tokens(phrase) for phrase in system.names)
    return any(
        tokens[i : i + len(phrase)] == phrase for phrase in phrases for i in range(len(tokens) - len(phrase) + 1)
    )
