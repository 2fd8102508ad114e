"""What each figure is called and counts, wherever it is shown: on pages, in reports, in evidence, on the command line.

A figure has one name, and a name one definition. What is counted differently, of rows in place of persons, say, is
another figure with another name. Names hold ``{Unit}`` for what is counted, "Records" or "Persons", and ``{k}`` for the
smallest class that is asked for; :meth:`NamedFigure.named` puts them in.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class NamedFigure:
    """A figure as it is called.

    Attributes
    ----------
    name : str
        Its name, with braces for what it is about.
    unit : str
        What it is counted in.
    definition : str
        What is counted, in a sentence.
    source : str, default ""
        Where the definition is from; "" where it says all.
    page : str, default ""
        Where it is on screen.
    word : str, default ""
        What the glossary calls it; "" where its name says all.
    """

    name: str
    unit: str
    definition: str
    source: str = ""
    page: str = ""
    word: str = ""

    def named(self, unit: str = "records", k: int = 0, by_values: bool = False) -> str:
        """The name as it is shown.

        Parameters
        ----------
        unit : str, default "records"
            "records" or "persons".
        k : int, default 0
            The smallest class that is asked for.
        by_values : bool, default False
            Whether persons have several rows, so that its name shows by what each counts; criteria also count by rows.

        Examples
        --------
        >>> BELOW_K.named("persons", 5), K.named(by_values=True)
        ('Persons below k = 5', 'k, the smallest class, values known')
        """
        return self.name.format(Unit=unit.capitalize(), k=k) + (", values known" if by_values else "")

    def meaning(self, unit: str = "records") -> str:
        """Definition, unit and source, for a help text or a list of terms."""
        source = f" ({self.source})" if self.source else ""
        return f"{self.definition.format(unit=unit)} In {self.unit.format(unit=unit)}{source}."


BY_VALUES = (
    "Persons have several rows, each a visit. Here each person counts once, with the values of each column known; what "
    "the criteria take to be known of visits stands beside each criterion."
)
"""What figures with “values known” in their name count."""

SIDEBAR = "the sidebar"
"""Where figures are that stand beside every page."""
MOST_SENSITIVE = 4
"""Most sensitive columns that are named with what is certain of them, those of most people first."""

ROWS = NamedFigure("Rows", "rows", "Lines of the file below its header.", page="Data")
COUNTED = NamedFigure(
    "{Unit}", "{unit}", "All that are counted: persons where a person id or a weight says who they are, else rows.",
    page="Release",
)  # fmt: skip
VALUES = NamedFigure(
    "Values without missing",
    "values",
    "Different values of a column; what is missing is none.",
    page="Risk, quasi-identifiers",
)

K = NamedFigure(
    "k, the smallest class", "{unit}", "The fewest {unit} that share one combination of quasi-identifiers.",
    "Samarati and Sweeney 1998",
    page="Risk",
    word="smallest class",
)  # fmt: skip
BELOW_K = NamedFigure(
    "{Unit} below k = {k}", "{unit}", "All in classes smaller than the k that is asked for.", page="Risk", word="alone"
)
ALONE = NamedFigure("{Unit} alone", "{unit}", "All in a class of one.", page="Risk", word="alone")
HIGHEST_RISK = NamedFigure(
    "Highest risk (prosecutor)", "% (a probability)",
    "The prosecutor’s for the person at highest risk: 1 / the smallest class.",
    "El Emam 2013",
    page="Risk",
    word="highest risk",
)  # fmt: skip
AVERAGE_RISK = NamedFigure(
    "Average risk (marketer)", "% of {unit}",
    "The marketer’s, who matches the file with itself: the share that can be expected to be re-identified, classes / "
    "{unit}.",
    "El Emam 2013",
    page="Risk",
    word="average risk",
)  # fmt: skip
AVERAGE_RISK_IN_POPULATION = NamedFigure(
    "Average risk (marketer, population)", "% of {unit}",
    "The marketer’s, who matches the file with the population table: the share that can be expected to be "
    "re-identified, the mean of 1 / the people who look alike there, or in the file where these are more.",
    "El Emam 2013",
    page="Risk",
    word="average risk",
)  # fmt: skip


def average_risk(in_population: bool) -> NamedFigure:
    """The average risk of a marketer, who has a population table or the file alone.

    Parameters
    ----------
    in_population : bool
        Whether a population table is matched.
    """
    return AVERAGE_RISK_IN_POPULATION if in_population else AVERAGE_RISK


CERTAIN_FROM_TWO = NamedFigure(
    "certain from 2 quasi-identifiers", "{unit}",
    "All for whom a sensitive value is certain to somebody who knows at most two quasi-identifiers: everybody who "
    "shares these has it, it is not missing, and it is not stated to harm nobody. Other columns that leave are not "
    "counted as known: what these reveal besides is on the page Individuals.", "Kroes et al. 2021, PPP of 0",
    page=SIDEBAR,
    word="certain",
)  # fmt: skip
CERTAIN_FROM_ALL = NamedFigure(
    "certain from all quasi-identifiers", "{unit}",
    "The same for who knows all quasi-identifiers: all of a class have one value, it is not missing, and it is not "
    "stated to harm nobody.", "Kroes et al. 2021, PPP of 0",
    page="Risk, sensitive values",
    word="certain",
)  # fmt: skip
DISTINCT_L = NamedFigure(
    "Distinct l", "values",
    "Different values in the class with fewest, missing and harmless ones counted: a class of one such value has an l "
    "of 1, and nothing that harms is certain in it.", "Machanavajjhala et al. 2007",
    page="Risk, sensitive values",
    word="diversity",
)  # fmt: skip
ENTROPY_L = NamedFigure(
    "Entropy l", "values", "exp of the smallest entropy of a class, missing and harmless values counted.",
    "Machanavajjhala et al. 2007",
    page="Risk, sensitive values",
    word="diversity",
)  # fmt: skip
T_EQUAL = NamedFigure(
    "t, equal distance", "a distance, 0 to 1",
    "The largest distance of a class’s values from those of all, all values equally far apart.", "Li et al. 2007",
    page="Risk, sensitive values",
    word="closeness",
)  # fmt: skip

ROWS_KEPT = NamedFigure(
    "Rows kept", "% of rows", "Rows of the release / rows of the original.", page="Release", word="records kept"
)
PERSONS_KEPT = NamedFigure(
    "Persons kept", "% of persons",
    "Persons of whom a row leaves / persons of the original; where rows are weighted, their sums.",
    page="Release",
    word="records kept",
)  # fmt: skip
CELLS_KEPT = NamedFigure(
    "Cells kept", "% of cells",
    "Cells released with the original’s value / cells of the original; one of a column or row that is gone is lost. "
    "Identifiers, person ids and weights are not looked at.",
    page="Release, what it is still good for",
    word="kept",
)  # fmt: skip
ENTROPY_KEPT = NamedFigure(
    "Entropy kept", "% of entropy, the mean over columns",
    "Entropy of a column’s values in the release / in the original, of all columns but identifiers, person ids and "
    "weights: how finely they tell records apart, whether or not the values are the original’s. Where labels of "
    "several levels stand side by side, by the records whose label covers a value.", "Shannon 1948",
    page="Release",
    word="entropy kept",
)  # fmt: skip
DETAIL_LOST = NamedFigure(
    "Detail lost", "% of detail",
    "What labels no longer tell of the original's cells, the mean over the columns in which not nearly all records are "
    "alike (99%); identifiers, person ids and weights are not looked at. A cell that is blank, of a record left out or "
    "of a column dropped or removed loses all.",
    "loss metric LM, Iyengar 2002",
    page="Verdict",
    word="detail lost",
)  # fmt: skip
LOST_IN_SEARCH = NamedFigure(
    "Lost in the search", "% of detail",
    "What a search keeps as small as it can: the detail lost of the known and sensitive columns, and of those that may "
    "be known after all, weighted by what the data are needed for and as asked.",
    "loss metric LM, Iyengar 2002",
    page="Verdict",
    word="lost in the search",
)  # fmt: skip
LARGEST_DISTANCE = NamedFigure(
    "Largest distance", "% of records",
    "Of the column whose labels moved most: the share of records that would need another label for the labels to be "
    "spread as in the original.", "total variation",
    page="Release, what it is still good for",
)  # fmt: skip
ASSOCIATION_KEPT = NamedFigure(
    "Association kept", "% of association", "How strongly columns go together in the release / in the original.",
    "Cramér’s V with Bergsma’s correction; Spearman’s rank correlation",
    page="Release, what it is still good for",
    word="association kept",
)  # fmt: skip
AVERAGE_CLASS_SIZE = NamedFigure(
    "Average class size",
    "{unit}",
    "All that are counted / classes.",
    page="Release, what it is still good for",
    word="people like them",
)

OF_USE = {
    "records_kept": ROWS_KEPT,
    "cells_kept": CELLS_KEPT,
    "information_kept": ENTROPY_KEPT,
    "largest_distance": LARGEST_DISTANCE,
    "association_kept": ASSOCIATION_KEPT,
    "average_class_size": AVERAGE_CLASS_SIZE,
}
"""The figures of what a release is still good for, by their names in saved evidence."""
