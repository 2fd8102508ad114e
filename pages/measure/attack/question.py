"""What the officer asks on the Attack page, and the files loaded there."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from anonlib.dataset import Dataset
from anonlib.verdict.attacks.attacking import Attacker


@dataclass(frozen=True)
class Files:
    """Files that are loaded here; they go with the session and are in no project.

    Attributes
    ----------
    control : people whom the original does not hold.
    another : a file made elsewhere of the original.
    """

    control: Dataset | None = None
    another: Dataset | None = None


@dataclass(frozen=True, eq=False)
class Filled:
    """A form that an intruder filled in, as it was loaded; it goes with the session and is in no project.

    Attributes
    ----------
    form : texts, a row a target; None before one is loaded.
    """

    form: pd.DataFrame | None = None


@dataclass(frozen=True)
class Question:
    """What is asked.

    Attributes
    ----------
    attacker : what is set about the attacks.
    limit : what an attack may gain; above it is red.
    """

    attacker: Attacker
    limit: float
