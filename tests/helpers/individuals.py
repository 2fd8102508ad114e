"""The Individuals page as tests ask it, and what the library says of the same question."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from anonlib.analyses.individuals import Attacker, breach_probability, default_q, privacy_profile
from anonlib.basics import words
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from tests.helpers.app import INDIVIDUALS, INDIVIDUALS_TABS, App, dataset_of, seeded
from ui.kit import criterion_pages

TABS, STORY, SCAN = "individuals-tabs", "One individual", "Make a column coarser"
QI, SENSITIVE = Role.QUASI_IDENTIFIER, Role.SENSITIVE
NAMES = {"ppp": "PPP", "poac": "PoAC", "npp": "NPP"}


@dataclass(frozen=True)
class Asked:
    """What is set on the page; thresholds and probabilities in percent, as on the sliders (NPP in peers)."""

    measure: str = "ppp"
    threshold: int = 0
    q: int = 0
    attacker: int | str = 4
    chance: int = 50
    empty: bool = False
    near: dict[str, float] = field(default_factory=dict)
    downward: bool = False

    @property
    def p(self) -> float:
        if self.downward:
            return 1 - 1e-9  # Definition 4
        return float(self.threshold) if self.measure == "npp" else self.threshold / 100


def ask(app: App, asked: Asked, tab: str | None = None) -> App:
    """Let the page ask this, and open a tab, in one run: every setting at once, which its controls then show."""
    app.session.settings |= {f"individuals-near-of-{name}": distance for name, distance in asked.near.items()}
    app.put(individuals_measure=asked.measure, individuals_attacker=asked.attacker, individuals_empty=asked.empty)
    app.put(individuals_near=list(asked.near), individuals_q=asked.q, individuals_chance=asked.chance)
    app.session.settings[f"individuals-{asked.measure}"] = asked.threshold
    app.session.settings["individuals-downward"] = asked.downward
    if tab is None:
        app.run()
    else:
        app.tab(TABS, tab)
    shown = app.widget("segmented_control", "Measure").value, app.widget("selectbox", "The attacker knows").value
    assert shown == (asked.measure, asked.attacker) and app.widget("slider", "Red up to").value == asked.threshold
    return app


def ask_by_hand(app: App, asked: Asked) -> App:
    """The same by every control of the page; some show only once others are set."""
    app.set("segmented_control", "Measure", asked.measure).set("selectbox", "The attacker knows", asked.attacker)
    app.set("toggle", "An attacker may know nothing", asked.empty)
    app.choose("multiselect", "Numbers that count", list(asked.near))
    app.set("slider", "Red up to", asked.threshold)
    if asked.measure == "poac":
        app.set("slider", "Possible above", asked.q).set("toggle", "Below 100%", asked.downward)
    if asked.attacker == "chance":
        app.set("slider", "Known with", asked.chance)
    for name, distance in asked.near.items():
        app.set("number_input", name, distance)
    return app.run()


@dataclass(frozen=True)
class Expected:
    """Per variable and individual, with everyone repeated as often as they count."""

    variables: tuple[str, ...]
    values: np.ndarray
    certain: np.ndarray
    depth: np.ndarray | None
    sensitive: list[str]

    def of(self, name: str) -> np.ndarray:
        return self.certain[:, self.variables.index(name)]


def expected(data: Dataset, asked: Asked, risk: float = 0.2) -> Expected:
    """What the library says of the same question."""
    names = [name for name in data.columns if name in (*data.quasi_identifiers, *data.sensitive)]
    classes = data.classes(names)
    q = {name: default_q(asked.q / 100, len(v)) for name, v in zip(names, classes.categories, strict=True)}
    attacker = Attacker(asked.measure, q, "any", asked.empty, asked.near)
    depth = None
    if asked.attacker == "chance":
        found = breach_probability(classes, None, asked.chance / 100, attacker, p=asked.p)
        values, certain = 1 - found.values, found.values > risk
    else:
        profile = privacy_profile(classes, replace(attacker, knows=asked.attacker))
        if asked.attacker != "all":
            depth = np.repeat(profile.breach_depth(asked.p), classes.counts, axis=0)
        values, certain = profile.values, profile.values <= asked.p
    each = [np.repeat(part, classes.counts, axis=0) for part in (values, certain)]
    return Expected(tuple(names), each[0], each[1], depth, data.sensitive)


def in_red(asked: Asked, risk: str = "20%") -> str:
    """What red means, as the sentence under the picture must say it."""
    if asked.attacker == "chance":
        return f"the value is inferred with a probability above {risk}"
    if asked.downward:
        return "some other value does not come into question (PoAC below 100%)"
    limit = f"{asked.threshold}" if asked.measure == "npp" or not asked.threshold else f"{asked.threshold}%"
    name = NAMES[asked.measure]
    limit = f"({name} at or below {limit})" if asked.threshold else f"({name} 0)"
    if asked.measure == "poac":
        start = f"at most {asked.threshold}%" if asked.threshold else "none"
        return f"{start} of the other values come into question {limit}"
    if not asked.threshold:
        return f"no peer has another value {limit}"
    unit = f"{asked.threshold} peers" if asked.measure == "npp" else f"{asked.threshold}% of the peers"
    return f"at most {unit} have another value {limit}"


def number(cell: str | float) -> float:
    """What a cell of a table says, where it may be a percentage: ``34.9%`` is 0.349."""
    text = str(cell)
    return float(text.rstrip("%")) / 100 if text.endswith("%") else float(text)


def share_certain(app: App, asked: Asked) -> str:
    """The share for whom the column looked at is certain, by the library."""
    found = expected(dataset_of(app), asked)
    return words.percent(found.of(app.widget("selectbox", "Sensitive column").value).mean())


def first_figure(app: App) -> str:
    return app.metric(f"Certain in {app.widget('selectbox', 'Sensitive column').value}")


def opened(
    frame: pd.DataFrame, roles: dict[str, Role], page: str = INDIVIDUALS, tab: tuple[str, str] | None = None, **fields
) -> App:
    return seeded(frame.to_csv(index=False).encode(), "people.csv", page, roles=roles, tab=tab, **fields)


def any_known() -> dict[str, object]:
    """Settings with which the page looks at somebody who knows any of the other columns, not at the verdict's."""
    return {criterion_pages.INDIVIDUALS_KNOWN: criterion_pages.ANY_KNOWN}


def smokers(tab: tuple[str, str] | None = None) -> App:
    """Of 280 people 265 men lack an answer, for certain; nine women are certain of theirs, six are not."""
    men = [("m", "30", None)] * 265
    women = [("f", str(20 + i), "yes" if i % 2 else "no") for i in range(9)]
    mixed = [("f", "40", "yes" if i % 2 else "no") for i in range(6)]
    frame = pd.DataFrame([*men, *women, *mixed], columns=["sex", "age", "smoker"])
    return opened(frame, {"sex": QI, "age": QI, "smoker": SENSITIVE}, tab=tab)


def wide(known: int, sensitive: int, n: int = 60) -> tuple[pd.DataFrame, dict[str, Role]]:
    """Quasi-identifiers, each of more values than the one before it, then sensitive columns."""
    rng = np.random.default_rng(1)
    columns = {f"q{i}": np.arange(n) % (i + 2) for i in range(known)}
    columns |= {f"s{i}": rng.integers(0, 2, n) for i in range(sensitive)}
    return pd.DataFrame(columns), {name: QI if name[0] == "q" else SENSITIVE for name in columns}


ROWS = [f"{30 + i % 7},{'FM'[i % 2]},{'xyz'[i % 3]},{i // 2},{i % 4}" for i in range(60)]
VISITS = ("age,sex,ill,who,people\n" + "\n".join(ROWS) + "\n").encode()


def every_tab(app: App) -> None:
    for tab in app.each_tab(TABS, INDIVIDUALS_TABS):
        assert not app.errors, (tab, app.errors)
