"""From a criterion to the page that shows more of it, set to exactly what the criterion looks at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from anonlib.basics import words
from anonlib.verdict.criteria import Criterion
from anonlib.verdict.criteria.inference import ALL
from ui.kit import page, shared_controls
from ui.session import guard, keep
from ui.session.state import session

INDIVIDUALS_KNOWN, ANY_KNOWN = "individuals-attacker", "any"
SINGLING_SIZE, LEAKAGE_SIZE = "risk-singling-asked", "leakage-asked"
SINGLING_SIZES, LEAKAGE_SIZES = "risk-singling-size", "leakage-size"  # settings, each for the sizes that are offered
_WHERE = {
    "Data": page.DATA, "Risk": page.RISK, "Individuals": page.INDIVIDUALS, "Leakage": page.LEAKAGE,
    "Attack": page.ATTACK, "Frontier": page.FRONTIER, "Regions": page.REGIONS, "Release": page.RELEASE,
    "Verdict": page.VERDICT,
}  # fmt: skip
_GO = "verdict-go"


def button(criterion: Criterion, key: str) -> None:
    """The way to the page that shows more, which opens on what the criterion looks at."""
    st.button(
        criterion.page, key=key, icon=":material/search:", on_click=guard.action(_open), args=(criterion,),
        help=f"Look at it on the {criterion.page} page, set to what this criterion looks at.",
    )  # fmt: skip


def facts_asked(others: int) -> int | None:
    """How many of the other columns somebody knows at most, by what the verdict counts of inference; None without."""
    aim = session().aim
    facts = [
        criterion.certain_from for criterion in (*aim.criteria, *aim.measured) if criterion.certain_from is not None
    ]
    return min(facts[0] or others, others) if facts and others else None


def say_whose(known: int | None, others: int) -> None:
    """Whether the attacker looked at, who knows at most so many of the other columns, is the verdict's."""
    facts = facts_asked(others)
    if facts is not None and known != facts:
        st.caption(f"The verdict looks at somebody who knows at most {words.count(facts, 'facts')}; this is another.")


def size(setting: str, sizes: Sequence[int], usual: int) -> int:
    """The number of known columns that a page begins with: the one a criterion was looked at with, else the usual."""
    wanted = keep.value(setting, usual)
    return wanted if wanted in sizes else usual


def look_everybody_up() -> None:
    """Ask for the page Individuals, which opens on the file made elsewhere."""
    shared_controls.look_elsewhere("individuals")
    keep.put(_GO, "Individuals")


def go() -> None:
    """Leave for the page that was asked for; called where a page begins."""
    where = keep.value(_GO, "")
    if where:
        keep.put(_GO, "")
        st.switch_page(_WHERE[where])


# ---- what the page opens on, by the kind of the criterion ----


def _open(criterion: Criterion) -> None:
    if criterion.kind in OPENS_ON:
        OPENS_ON[criterion.kind](criterion)
    keep.put(_GO, criterion.page)


def _class_size(criterion: Any) -> None:
    shared_controls.set_k(criterion.k)


def _threshold(criterion: Any) -> None:
    session().own_threshold = criterion.limit


def _singling_out(criterion: Any) -> None:
    keep.forget(SINGLING_SIZES)
    keep.put(SINGLING_SIZE, criterion.known)
    st.session_state["risk-tabs"] = "Singling out"


def _sensitive_values(criterion: Any) -> None:
    st.session_state["risk-tabs"] = "Sensitive values"


def _inference(criterion: Any) -> None:
    keep.put(INDIVIDUALS_KNOWN, ANY_KNOWN if criterion.known == ALL else criterion.known)
    keep.put("individuals-measure", "ppp")
    keep.put("individuals-ppp", round(100 * criterion.p))


def _leakage(criterion: Any) -> None:
    keep.forget(LEAKAGE_SIZES)
    keep.put(LEAKAGE_SIZE, criterion.known)
    keep.put("leakage-average", round(100 * criterion.average))
    keep.put("leakage-worst", round(100 * criterion.worst))


OPENS_ON: dict[str, Callable[[Any], None]] = {
    "smallest_class": _class_size,
    "highest_risk": _threshold,
    "combinations": _singling_out,
    "diversity": _sensitive_values,
    "closeness": _sensitive_values,
    "inference": _inference,
    "leakage": _leakage,
}
"""By kind of criterion, what sets its page to what it looks at. The page of another kind opens as it was left."""
