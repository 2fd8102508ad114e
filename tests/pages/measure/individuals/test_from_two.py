"""What is certain from two quasi-identifiers, as the sidebar counts it, stands beside what this page counts."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pandas as pd
import pytest

from anonlib.coarsening.recoding import Intervals
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Recode
from anonlib.verdict.criteria import Aim
from tests.helpers.app import INDIVIDUALS, App, seeded

QUASI, SENSITIVE = "quasi_identifier", "sensitive"
OF_TWO = "certain from 2 quasi-identifiers"


def beside(app: App, column: str) -> str:
    """The sidebar's number of a column, of what is released now."""
    value = dict(line.split(": ", 1) for line in app.sidebar_lines if ": " in line)[f"{column} {OF_TWO}"]
    return value.replace("**", "").split(" → ")[-1].replace(",", "")


def test_the_496_of_the_sidebar_and_the_536_of_the_page_are_called_by_two_names(
    shared_data: Callable[[str], Path],
) -> None:
    """Cervical cancer: two quasi-identifiers tell the biopsy of 496; with smoking, a sensitive column, of 536."""
    frame = pd.read_csv(shared_data("cervical_cancer.csv"), dtype=str, na_values="?", keep_default_na=False)
    frame = frame[["Age", "Num of pregnancies", "Smokes", "Biopsy"]].dropna()
    roles = {"Age": QUASI, "Num of pregnancies": QUASI, "Smokes": SENSITIVE, "Biopsy": SENSITIVE}
    app = seeded(frame.to_csv(index=False).encode(), page=INDIVIDUALS, roles=roles)
    app.choose("selectbox", "The attacker knows", 2)
    assert beside(app, "Biopsy") == "496" and "(536 of 789 records)" in app.text
    assert "Here **Smokes** may be known too. Certain from 2 quasi-identifiers, as in the sidebar: **496**." in app.text
    (row,) = app.table("from up to 2 others").query("Column == 'Biopsy'").to_dict("records")
    assert (row["from up to 2 others"], row[OF_TWO]) == (536, 496)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("recipe", [Recipe(), Recipe.of([Recode("a", Intervals(2))])], ids=["original", "release"])
def test_the_number_of_that_name_is_the_same_beside_the_page_and_counted_by_hand(seed: int, recipe: Recipe) -> None:
    rng = random.Random(seed)
    rows = [tuple(rng.choice(["", "1", "2", "3"]) for _ in "abcst") for _ in range(25)]
    data = "a,b,c,s,t\n" + "\n".join(",".join(row) for row in rows) + "\n"
    roles = dict(zip("abcst", [QUASI] * 3 + [SENSITIVE] * 2, strict=True))
    app = seeded(data.encode(), page=INDIVIDUALS, roles=roles, recipe=recipe, aim=Aim().with_harmless("s", ["1"]))
    table = app.table("Certain").set_index("Column")
    if recipe.enabled:
        band = {"": "", "1": "0-1", "2": "2-3", "3": "2-3"}
        rows = [(band[row[0]], *row[1:]) for row in rows]
    for column, harmless in (("s", ("", "1")), ("t", ("",))):
        j = "abcst".index(column)
        certain = 0
        for row in rows:
            known = [some for size in (0, 1, 2) for some in combinations(range(3), size)]
            peers = [{other[j] for other in rows if all(other[i] == row[i] for i in some)} for some in known]
            certain += row[j] not in harmless and {row[j]} in peers
        assert table.loc[column, OF_TWO] == certain == int(beside(app, column))
    assert pd.isna(table.loc["a", OF_TWO]), "a quasi-identifier"
    focus = app.widget("selectbox", "Sensitive column").value
    assert ("values that harm nobody count as others do" in app.text) == (focus == "s")
