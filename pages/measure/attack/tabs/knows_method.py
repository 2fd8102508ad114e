"""The fold of the Attack page on somebody who knows how the release was searched for, with a public example."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.plots import attacks as plots
from anonlib.release.export import table_csv
from anonlib.verdict.attacks.clinic import K, clinic
from anonlib.verdict.attacks.knows_method import (
    MethodAttack,
    example_in_words,
    left_out_in_words,
    probabilities,
    rows,
)
from pages.measure.attack import results
from pages.measure.attack.results import ByMethod
from ui.kit import glossary, page
from ui.kit.release_gate import Holds
from ui.session.names import titled
from ui.text import plain

_WHO = (
    "Somebody who knows the known columns of everybody in the file, as an insurer does or a neighbour of a small "
    "clinic, and how the release was searched for: its criteria and hierarchies, and that it is the least change that "
    "meets them. A finer release that the sizes of classes would have allowed was not made, so a sensitive value "
    "refused it: they conclude whose that can be."
)
_SHARES = (0.001, 0.01, 0.1, 0.5)


def show(by_method: ByMethod, data: Dataset) -> None:
    """Who that is, of how many a value is certain, the picture, the largest example, and a public one."""
    st.markdown(_WHO)
    if by_method.attack is None and not by_method.why_not:
        by_method = results.counted_by_method(data)
    if by_method.attack is not None:
        _show_attack(by_method.attack, data)
    elif by_method.why_not:
        st.info(plain(by_method.why_not), icon=":material/info:")
    _show_clinic()


def _show_attack(attack: MethodAttack, data: Dataset) -> None:
    findings, unit = attack.findings, data.unit
    if findings.not_counted:
        st.info(plain(findings.not_counted), icon=":material/info:")
    elif not attack.can_refuse:
        st.info("Nothing that is asked looks at sensitive values, so none can have refused a release.",
                icon=":material/info:")  # fmt: skip
    else:
        _show_numbers(attack, unit)
        _show_picture(attack, unit)
    if left := left_out_in_words(findings.left_for_value, unit):
        st.markdown(
            f":red[:material/person_off:] {plain(left)} Whose label is missing from the release is known to somebody "
            "who knows everybody in the file, and a class that vanishes mostly has one value."
        )
    if example := example_in_words(attack, unit):
        st.markdown(f":material/person_search: **The largest example.** {plain(example)}")
        _show_labels(attack)
    page.download(
        "Figures as CSV", partial(table_csv, attack.to_frame()), "who-knows-the-method.csv", "download-knows-method",
        holds=Holds.FIGURES,
    )  # fmt: skip


def _show_numbers(attack: MethodAttack, unit: str) -> None:
    findings = attack.findings
    of = f"of {words.count(findings.n_records, unit)}"
    figures = [
        ("Certain", f"{findings.forced:,}",
         glossary.linked(f"Of so many, {of}, a value is certain though their class in the release shows several.",
                         "concluded", "certain", "class")),
        ("Not shown to be safe", f"{findings.uncertified:,}",
         glossary.linked("Of so many it is neither shown that a value is certain nor that none is.", "certain")),
        ("Safe", f"{findings.safe:,}",
         glossary.linked("Each can change places with somebody of the same class and another value, and the same "
                         "release comes out.", "class")),
        ("Left out for a value", f"{findings.persons_left_for_value:,}",
         glossary.linked("A step left them out although their class met every size that is asked.",
                         "left out for a value", "class")),
    ]  # fmt: skip
    if findings.greatest is not None:
        figures.append(
            ("Greatest probability", words.percent_at_most(findings.greatest),
             glossary.linked("To which a value can rise for somebody who knows the method, by the coin's chance and "
                             "budget.", "coin"))
        )  # fmt: skip
    page.metrics(*figures)
    st.caption(f"{words.count(findings.n_records, unit)} are in the file. {_of_states(attack)}")


def _of_states(attack: MethodAttack) -> str:
    """What was refused, in sentences."""
    findings = attack.findings
    if findings.greatest is not None:
        return "Nobody is certain by proof: a coin refuses as values do."
    if not findings.states and not findings.not_refused:
        return "The sizes of classes allow no finer release, so none was refused for a value."
    refused = words.count(findings.states, "finer releases") if findings.states else "none of the finer releases"
    says = f"A value refused {refused} that the sizes of classes allow."
    if findings.not_refused:
        not_refused = words.count(findings.not_refused, "others" if findings.states else "of them")
        says += (
            f" Nothing refused {not_refused}: beside these the release is not the least change, and they tell nothing."
        )
    return says


def _show_picture(attack: MethodAttack, unit: str) -> None:
    findings = attack.findings
    if findings.greatest is not None:
        _show_reachable(attack)
        return
    drawn = rows(attack)
    worst = [f"{row.name} {row.certain:,}" for row in drawn[1:] if row.certain]
    by_column = f" By column: {words.listed(worst)}." if worst else ""
    page.figure(
        partial(plots.concluded, drawn, unit),
        f"Of {words.count(findings.n_records, unit)} a value is certain of {findings.forced:,}, of "
        f"{findings.uncertified:,} it is not shown to be safe, of {findings.safe:,} it is safe; "
        f"{findings.persons_left_for_value:,} are left out for a value.{by_column}",
        "knows-method-picture",
    )  # fmt: skip
    page.counts(
        "Bar: all who are in the file; of the others the release shows one value, or one that harms nobody. Red: "
        "certain, or left out for a value. Whatever made the recipe, it is taken for the least change that meets the "
        "verdict's criteria. Minimality attack, Wong et al. 2007; the swap certificate is Anonscope's."
    )


def _show_reachable(attack: MethodAttack) -> None:
    """How far a value can rise where a coin refuses as values do."""
    findings, share = attack.findings, attack.greatest_share
    assert findings.greatest is not None
    coins = words.listed(list(dict.fromkeys(coin.in_words for coin in attack.coins)))
    reached = [
        f"{words.percent(value)} to {words.percent_at_most(greatest)}"
        for value, greatest in zip(_SHARES, probabilities(attack, _SHARES), strict=True)
    ]
    st.markdown(
        f"{plain(coins[:1].upper() + coins[1:])}, so the odds of a value rise at most {attack.odds:,.0f} times: its "
        f"share in a class can rise at most from {words.listed(reached)}. Nobody is certain, and that is what the coin "
        "promises."
    )
    if share is None:
        return
    page.figure(
        partial(plots.reachable, attack.odds, share),
        f"The probability that a value can reach, by its share in a class of the release: here at most "
        f"{words.percent_at_most(findings.greatest)}, of a share of {words.percent(share)}.",
        "knows-method-reachable",
    )  # fmt: skip
    page.counts(
        "Line: share × odds / (share × odds + 1 - share), with odds (1 / q) to the power of the budget; dashed: what "
        "the release shows. The promise is that nobody is certain; the probability is reported as it is."
    )


def _show_labels(attack: MethodAttack) -> None:
    """What is known of those in the example, beside what the release shows."""
    example = attack.findings.example
    if example is None or len(example.labels) < 2:
        return
    released = dict(example.released)
    with st.popover("What is known of them"):
        page.table(
            pd.DataFrame(
                [(titled(name), label, released[name] or "several") for name, label in example.labels],
                columns=["Column", "Known", "In the release"],
            ),
            "The known columns of those in the example, with their labels in the release",
        )  # fmt: skip


# ---- the public example ----


def _show_clinic() -> None:
    """The made-up clinic, in two steps and what follows, with its figures as the library counts them."""
    example = clinic()
    mixed, forced = example.mixed, example.findings.forced
    value, having = mixed.diagnoses[0]
    together = [zip_code for zip_code, _, _ in example.refused]
    with st.container(border=True, gap="small"):
        st.markdown(f"**How it is concluded: a made-up clinic of {words.count(example.findings.n_records, 'people')}**")
        left, right = page.beside(1, 1, gap="small")
        with left:
            st.markdown("**1. What the release shows**")
            page.table(
                pd.DataFrame(
                    [(group.label, group.persons,
                      words.listed([f"{name} {number}" for name, number in group.diagnoses], most=9))
                     for group in example.released],
                    columns=["ZIP", "People", "Diagnoses"],
                ),
                "The release of the made-up clinic: people and diagnoses by what is left of the ZIP code",
            )  # fmt: skip
            st.caption(
                f"{having} of {mixed.persons} in {plain(mixed.label)} have {value}: "
                f"{words.percent(having / mixed.persons)}. Every ZIP code has at least {K} people, and no diagnosis is "
                "certain."
            )
        with right:
            st.markdown("**2. What was refused**")
            page.table(
                pd.DataFrame(
                    [(zip_code, persons, f"yes: {words.listed(values)}" if values else "no")
                     for zip_code, persons, values in example.refused],
                    columns=["ZIP", "People", "Can all have one diagnosis?"],
                ),
                "The ZIP codes that are together, with their people, and whether all can have one diagnosis",
                help={
                    "People": "From a list of who lives where, such as a register.",
                    "Can all have one diagnosis?": f"Whether one is as frequent in {mixed.label} as they are many.",
                },
            )  # fmt: skip
            st.caption(
                f"{words.listed(together)} apart were possible by sizes: both have {K} people or more. They are "
                "together all the same, so apart a diagnosis would have been certain of all in one of them."
            )
        certain = next((zip_code, values[0]) for zip_code, _, values in example.refused if values)
        st.markdown(
            f":red[:material/cancel:] **What follows: all {forced} people of {certain[0]} have {certain[1]}.** No "
            f"diagnosis is frequent enough to have refused the other ZIP code."
        )
        coin, greatest = example.coin, example.with_coin.greatest
        if greatest is not None:
            st.markdown(
                f":green[:material/check_circle:] Where {plain(coin.in_words)}, of "
                f"{example.with_coin.forced or 'nobody'} it is certain: chance can have refused it too. The "
                f"probability can still reach {words.percent_at_most(greatest)}."
            )
        page.counts("Wong et al. 2007, minimality attack; counted here by the library, of people who are made up.")
