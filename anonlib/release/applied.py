"""What a recipe made of a data set, and what each of its steps did."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.release.steps import Step, Unseen


@dataclass(frozen=True)
class StepEffect:
    """What one step did, in counts.

    Attributes
    ----------
    records_removed, columns_removed : int
        Rows and columns that the step took away.
    cells_changed : int
        Cells of the records left whose value the step replaced.
    values_changed : int
        Distinct values, without a missing one, that the step replaced in some record.
    missing_changed : bool
        Whether it replaced what is missing in some record as well.
    untouched : int
        Distinct values that the step's way of recoding does not apply to, knowingly left as they are.
    unseen : tuple[Unseen, ...], default ()
        Values that it neither covers nor knows, by column; until somebody decides on them, no file
        leaves.
    problem : str
        Why the step could not be applied (it then did nothing), or "".
    persons_cut : int
        Persons of whom it left out rows for being more than so many.
    emptied : tuple[str, ...], default ()
        The columns of which it names values without which it was saved, where it could not be applied.
    """

    records_removed: int = 0
    columns_removed: int = 0
    cells_changed: int = 0
    values_changed: int = 0
    missing_changed: bool = False
    untouched: int = 0
    unseen: tuple[Unseen, ...] = ()
    problem: str = ""
    persons_cut: int = 0
    emptied: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Applied:
    """A recipe's outcome.

    Attributes
    ----------
    original : Dataset
        What it was applied to.
    released : Dataset
        The data set to release, without identifiers and without the records that the missing-value policy leaves out.
    effects : tuple[StepEffect | None, ...]
        What each step did, one item an entry; None where it is switched off.
    left_out : int
        How many records the missing-value policy leaves out.
    of_nobody : int
        How many rows of count 0 are left out: they stand for nobody.
    """

    original: Dataset
    released: Dataset
    effects: tuple[StepEffect | None, ...]
    left_out: int
    of_nobody: int = 0

    @property
    def problems(self) -> tuple[str, ...]:
        """Why steps could not be applied, one sentence a step."""
        return tuple(effect.problem for effect in self.effects if effect is not None and effect.problem)

    @property
    def emptied(self) -> tuple[str, ...]:
        """The columns of steps that could not be applied since they were saved without the values that they named."""
        effects = (effect for effect in self.effects if effect is not None and effect.problem)
        return tuple(dict.fromkeys(name for effect in effects for name in effect.emptied))

    @property
    def unseen(self) -> tuple[Unseen, ...]:
        """Values that a step neither covers nor knows, on which nobody has decided."""
        return tuple(unseen for effect in self.effects if effect is not None for unseen in effect.unseen)

    @property
    def why_not(self) -> str:
        """Why no file may leave, in a sentence; "" when one may."""
        if self.emptied:
            return (
                "A step of the recipe could not be applied: it was saved without the values that it names of "
                f"{words.listed(self.emptied)}. Take a proposal again, or replace the step."
            )
        if self.problems:
            return "A step of the recipe could not be applied: correct it, switch it off or remove it first."
        if self.unseen:
            n = sum(len(unseen.values) for unseen in self.unseen)
            columns = ", ".join(dict.fromkeys(unseen.column for unseen in self.unseen))
            missing = f"The recipe does not cover {words.count(n, 'values')} of {columns}"
            return f"{missing}: decide in its steps what becomes of {'it' if n == 1 else 'them'}."
        return ""


def of_nobody_in_words(rows: int) -> str:
    """How many rows of count 0 are left out, in a sentence; "" where none is."""
    if not rows:
        return ""
    left_out = "stands for nobody and is" if rows == 1 else "stand for nobody and are"
    return f"{words.count(rows, 'rows')} of count 0 {left_out} left out."


def effect_of(step: Step, before: Dataset, after: Dataset) -> StepEffect:
    """What a step did that made ``after`` of ``before``."""
    changed = [_changed(table) for _, table in step.value_tables(before, after)]
    return StepEffect(
        records_removed=before.n_records - after.n_records,
        columns_removed=len(before.columns) - len(after.columns),
        cells_changed=sum(int(table["records"].sum()) for table in changed),
        values_changed=sum(table["value"].nunique() for table in changed),
        missing_changed=any(table["value"].isna().any() for table in changed),
        untouched=step.not_recoded(before),
        unseen=step.unseen(before),
        persons_cut=step.persons_cut(before),
    )


def _changed(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of a value table whose value is replaced by another."""
    value, label = table["value"], table["released as"]
    return table[(value != label) & ~(value.isna() & label.isna())]
