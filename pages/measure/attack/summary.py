"""The Attack page's first sentence and figures."""

from __future__ import annotations

import streamlit as st

from anonlib.basics import words
from anonlib.release.alone import Alone
from anonlib.verdict.attacks.attacking import Attacks
from anonlib.verdict.attacks.in_words import first_sentence, gain, rounded
from pages.measure.attack.question import Question
from ui.kit import alone, page
from ui.session import view
from ui.text import plain


def show_sentence(found: Attacks | None) -> None:
    """How many attempts of 100 succeed; before they are made, who is alone by what leaves."""
    if found is not None and (sentence := first_sentence(found.attacks, found.attacker.n_columns)):
        st.markdown(f"#### {plain(sentence)}")
    counted = (found.alone if found is not None else None) or view.now().alone
    data = view.now().data
    if counted is not None and data is not None:
        st.markdown(alone.in_words(counted, data.unit, alone.is_limited()))
    elif found is None and data is not None:
        alone.show(data)


def show_metrics(found: Attacks, question: Question) -> None:
    """The figures that matter: one for each kind of attack."""
    page.metrics(*(_metric(kind, label, meaning, found) for kind, label, meaning in _KINDS), _alone(found.alone, found))


_KINDS = (
    ("singling out", "Singling out, gain", "The most that predicates gain by the file."),
    ("linkage", "Linked rightly", "People in the release whom a register of what is known links rightly."),
    ("linkability", "Linkability, gain", "Records of two parties joined rightly through the release: the gain."),
    ("inference", "Inference, gain", "The most that guesses of a sensitive column gain by the file."),
    ("membership", "Membership, gain", "How much more often members are taken for members than others are."),
)  # fmt: skip


def _metric(kind: str, label: str, meaning: str, found: Attacks) -> tuple[str, str, str]:
    gains = [(value, each) for each in found.of_kind(kind) if (value := gain(each)) is not None]
    if not gains:
        return label, "—", f"{meaning} Nothing could be tried, or the control always succeeds as well."
    value, each = max(gains, key=lambda pair: pair[0])
    about = f" Here of {plain(each.about, 40)}." if each.about else ""
    return label, rounded(value), f"{meaning}{about}"


def _alone(counted: Alone | None, found: Attacks) -> tuple[str, str, str]:
    if counted is None:
        return "Alone", "—", "Not counted of a file made elsewhere."
    return (
        f"Alone by {counted.known} columns",
        words.percent(counted.share_alone),
        f"{counted.alone:,} of {words.count(counted.n_records, found.unit)}, counted and not tried.",
    )
