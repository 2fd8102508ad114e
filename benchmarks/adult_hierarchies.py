"""Hierarchies of eight columns of the Adult data: 2 x 5 x 2 x 3 x 4 x 3 x 3 x 3 = 6,480 states."""

from __future__ import annotations

from collections.abc import Iterable

from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import Intervals, ValueMap

_MARITAL = {
    "Spouse present": ["Married-civ-spouse", "Married-AF-spouse"],
    "Spouse not present": ["Divorced", "Separated", "Never-married", "Widowed", "Married-spouse-absent"],
}
_EDUCATION = {
    "Primary school": ["Preschool", "1st-4th", "5th-6th"],
    "High school": ["7th-8th", "9th", "10th", "11th", "12th", "HS-grad"],
    "Undergraduate": ["Some-college", "Bachelors"],
    "Professional education": ["Assoc-voc", "Assoc-acdm", "Prof-school"],
    "Graduate": ["Masters", "Doctorate"],
}
_SCHOOLING = {
    "Primary education": ["Primary school"],
    "Secondary education": ["High school"],
    "Higher education": ["Undergraduate", "Professional education", "Graduate"],
}
_CONTINENT = {
    "North America": [
        "United-States", "Canada", "Mexico", "Puerto-Rico", "Cuba", "Jamaica", "Haiti", "Dominican-Republic",
        "El-Salvador", "Guatemala", "Honduras", "Nicaragua", "Trinadad&Tobago", "Outlying-US(Guam-USVI-etc)",
    ],
    "South America": ["Columbia", "Ecuador", "Peru"],
    "Europe": [
        "England", "Germany", "Greece", "Italy", "Poland", "Portugal", "Ireland", "France", "Hungary", "Scotland",
        "Yugoslavia", "Holand-Netherlands",
    ],
    "Asia": [
        "Cambodia", "India", "Japan", "China", "Iran", "Philippines", "Vietnam", "Laos", "Taiwan", "Thailand", "Hong",
    ],
    "Africa": ["South"],
}  # fmt: skip
_WORKCLASS = {
    "Non-government": ["Private", "Self-emp-not-inc", "Self-emp-inc"],
    "Government": ["Federal-gov", "Local-gov", "State-gov"],
    "Unemployed": ["Without-pay", "Never-worked"],
}
_OCCUPATION = {
    "Technical": ["Tech-support", "Craft-repair", "Prof-specialty", "Machine-op-inspct"],
    "Nontechnical": ["Sales", "Exec-managerial", "Handlers-cleaners", "Adm-clerical"],
    "Other": [
        "Other-service", "Farming-fishing", "Transport-moving", "Priv-house-serv", "Protective-serv", "Armed-Forces",
    ],
}  # fmt: skip


def _map(groups: dict[str, list[str]]) -> dict[str, str]:
    return {value: label for label, values in groups.items() for value in values}


def _two_levels(groups: dict[str, list[str]]) -> Hierarchy:
    return Hierarchy((ValueMap.of(_map(groups)), EVERYTHING))


def adult_hierarchies(columns: Iterable[str] | None = None) -> dict[str, Hierarchy]:
    """By column name as in the published file."""
    education = _map(_EDUCATION)
    higher = {value: _map(_SCHOOLING)[label] for value, label in education.items()}
    found = {
        "sex": Hierarchy((EVERYTHING,)),
        "age": Hierarchy((Intervals(5), Intervals(10), Intervals(20), EVERYTHING)),
        "race": Hierarchy((EVERYTHING,)),
        "marital_status": _two_levels(_MARITAL),
        "education": Hierarchy((ValueMap.of(education), ValueMap.of(higher), EVERYTHING)),
        "native_country": _two_levels(_CONTINENT),
        "workclass": _two_levels(_WORKCLASS),
        "occupation": _two_levels(_OCCUPATION),
    }
    return found if columns is None else {name: found[name] for name in columns}
