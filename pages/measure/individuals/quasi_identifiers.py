"""What is certain from two quasi-identifiers, as the sidebar counts it, beside what the Individuals page counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from anonlib.basics import figures, words
from anonlib.dataset import Dataset
from anonlib.verdict.criteria import of_rows
from anonlib.verdict.criteria.certain import Certain
from pages.measure.individuals.question import Question
from ui.kit import page
from ui.session import view


@dataclass(frozen=True)
class FromTwo:
    """What is certain of sensitive columns to who knows two quasi-identifiers.

    Attributes
    ----------
    name : as it is called, with what is taken to be known of rows where persons have several.
    by_column : sensitive columns that leave; none where there are too many sets of columns to count.
    """

    name: str
    by_column: Mapping[str, Certain]


def certain_in(data: Dataset) -> FromTwo:
    """The count of the sidebar, of the original or of the release, whichever the page looks at."""
    now = view.now()
    of_release = now.data is not None and data.key != now.data.key
    by = f", by {of_rows(rows)}" if (rows := now.rows_asked) else ""
    found = now.asked.certain_from(view.MOST_KNOWN) or ()
    return FromTwo(
        f"{figures.CERTAIN_FROM_TWO.name}{by}", {pair[of_release].column: pair[of_release] for pair in found}
    )


def in_words(data: Dataset, question: Question, focus: str) -> str:
    """Why the sidebar counts another number for a sensitive column, and which; "" where it counts the same people."""
    quasi = certain_in(data)
    found = quasi.by_column.get(focus)
    if found is None:
        return ""
    others = [name for name in data.sensitive if name in question.variables and name != focus]
    unknown = [name for name in data.quasi_identifiers if name not in question.variables]
    reasons = []
    if others:
        reasons.append(f"{page.listed(others)} may be known too")
    if unknown:
        reasons.append(f"{page.listed(unknown)} {'is' if len(unknown) == 1 else 'are'} not looked at")
    if any(values for name, values in view.now().aim.harmless if name == focus):
        reasons.append("values that harm nobody count as others do")
    if data.has_several_rows:
        reasons.append("persons count by values")
    if not reasons:
        return ""
    return (
        f"Here {words.listed(reasons)}. {quasi.name[:1].upper()}{quasi.name[1:]}, as in the sidebar: "
        f"**{found.certain:,}**."
    )
