"""Numbers as an officer reads them: three significant digits, a percentage with the count behind it."""

from __future__ import annotations


def count(number: int, noun: str = "") -> str:
    """``5,000``, or with a plural noun ``1 record``, ``5,000 records``, ``1 class``."""
    if not noun:
        return f"{number:,}"
    single = "person" if noun == "people" else noun[:-2] if noun.endswith("sses") else noun.removesuffix("s")
    return f"{number:,} {single if number == 1 else noun}"


def percent(share: float) -> str:
    """A share in [0, 1] with three significant digits; never 0% or 100% when it is not quite."""
    value = 100 * share
    if 0 < value < 0.001:
        return "<0.001%"
    if 99.95 <= value < 100:
        return ">99.9%"
    text = f"{value:.3g}" if value < 100 else "100"
    return f"{text}%"


def share(part: int, whole: int, noun: str = "") -> str:
    """``12.4% (620 of 5,000 records)``."""
    return f"{percent(part / whole if whole else 0.0)} ({part:,} of {count(whole, noun)})"


def one_in(probability: float) -> str:
    """A probability as odds: ``1 in 5``, ``1 in 3.3``; ``none`` for 0."""
    if probability <= 0:
        return "none"
    people = 1 / probability
    return f"1 in {people:,.0f}" if people >= 100 or abs(people - round(people)) < 1e-9 else f"1 in {people:.3g}"


def size(n_bytes: int) -> str:
    """``3.5 MB``."""
    value, unit = float(n_bytes), "bytes"
    for larger in ("kB", "MB", "GB"):
        if value < 999.5:
            break
        value, unit = value / 1000, larger
    return f"{value:,.0f} {unit}" if unit == "bytes" or value >= 100 else f"{value:.3g} {unit}"


def change(before: str, after: str, arrow: str = "→") -> str:
    """``1 → 5``, or just ``5`` where nothing changed."""
    return after if before == after else f"{before} {arrow} {after}"
