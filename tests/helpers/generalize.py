"""What tests of the Generalize page share: what the library finds for the question that the page asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from anonlib.analyses.generalization import Generalization, WholeClasses, better_of, solve
from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import Hierarchy, suggested_hierarchy
from anonlib.counting.privacy_models import KAnonymity, PrivacyModel, columns_of
from anonlib.dataset import Dataset
from pages.protect.generalize import results
from pages.protect.generalize.question import GeneralizeQuestion
from tests.helpers.app import GENERALIZE_TABS, App, dataset_of

TABS = f"generalize-tabs-{len(GENERALIZE_TABS)}"
MENDING = "generalize-tabs-3"  # without a result there is nothing to compare or draw
QUASI, SENSITIVE = "quasi_identifier", "sensitive"
_FOUND: dict[tuple, Generalization] = {}


def expected(app: App, guarantees=None, *, method="better", **how) -> Generalization:
    """What the library finds for the question that the page asks at first, or another: once a process."""
    data = dataset_of(app)
    guarantees = guarantees or KAnonymity(columns=tuple(data.quasi_identifiers), least=app.session.k)
    question = asked(data, guarantees, **how)
    if (data.key, question, method) not in _FOUND:
        problem = question.on(data)
        _FOUND[data.key, question, method] = solve(problem, method) if method != "better" else better_solved(problem)
    return _FOUND[data.key, question, method]


def better_solved(problem: WholeClasses) -> Generalization:
    """The better of whole columns and part by part; the one that finds something where the other does not."""
    found = []
    for method in ("optimal", "parts"):
        with suppress(InputError):
            found.append(solve(problem, method))
    return better_of(*found) if len(found) > 1 else found[0]


def check_figures(app: App, found: Generalization) -> None:
    original = results.unchanged(found.problem)
    k, before = (" / ".join(f"{value:,}" for value in version.k) for version in (found, original))
    assert not app.errors
    assert app.metric("k") == words.change(before, k)
    assert app.metric("Cell loss") == words.percent(found.utility.cell_loss)
    assert app.metric("Classes") == words.change(f"{original.utility.classes:,}", f"{found.utility.classes:,}")
    assert next(m.value for m in app.at.metric if m.label.endswith("left out")) == f"{found.left_out:,}"
    for name, level in (found.levels or {}).items():
        message = next(line for line in app.text.splitlines() if line.replace("\\", "").startswith(f"- **{name}**"))
        assert message.endswith("as it is") if not level else f"(level {level} of " in message


def every_tab(app: App) -> App:
    for tab in app.each_tab(TABS, GENERALIZE_TABS):
        assert not app.errors, (tab, app.errors)
    return app


def released_k(app: App) -> int:
    return int(app.session.recipe.apply(dataset_of(app)).released.classes().counts.min())


def alt_texts(app: App) -> str:
    return "\n".join(element.proto.alt for element in app.at.get("plotly_chart"))


def asked(
    data: Dataset,
    guarantees: PrivacyModel | Sequence[PrivacyModel],
    *,
    hierarchies: dict[str, Hierarchy] | None = None,
    limit: float = 0.05,
    objective="cell_loss",
    others: Sequence[str] | None = None,
    weights: Mapping[str, float] | None = None,
) -> GeneralizeQuestion:
    """The question as the page puts it: all columns that leave make a row, and levels are as suggested."""
    guarantees = tuple(guarantees) if isinstance(guarantees, Sequence) else (guarantees,)
    shield = list(dict.fromkeys(name for guarantee in guarantees for name in guarantee.columns))
    apart = {data.person_id, data.weight}
    counted = [name for name in data.columns if name not in data.identifiers] if others is None else others
    counts = {name: data.held.counts_of(name) for name in data.columns}
    ways = {
        name: suggested_hierarchy(counts[name].values, counts[name].records, name)
        for name in shield
        if name not in apart
    }
    ways |= hierarchies or {}
    named = {*shield, *(name for name in counted if name not in apart), *columns_of(guarantees)}
    rows = tuple(name for name in data.columns if name in named)
    matter = tuple((name, float(weight)) for name, weight in (weights or {}).items())
    return GeneralizeQuestion(guarantees, tuple(ways.items()), rows, objective, limit, matter)
