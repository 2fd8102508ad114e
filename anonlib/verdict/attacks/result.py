"""What came of an attack."""

from __future__ import annotations

from dataclasses import dataclass

from anonlib.verdict.attacks.rates import Excess, Rate, advantage, excess


@dataclass(frozen=True)
class Attack:
    """One attack, tried many times.

    Attributes
    ----------
    kind : str
        "singling out", "linkage", "linkability", "inference" or "membership".
    how : str
        The way it was tried, in a few words, such as “three columns”.
    knows : str
        Whose knowledge: "recipient" or "anybody".
    columns : tuple[str, ...]
        What was known in the tries; how many of them at a time is in ``known``.
    known : int
        Columns known in each try; 0: all of ``columns``.
    about : str
        The column that was guessed; "".
    rate : Rate
        Tries that succeeded.
    baseline : Rate, optional
        The same by who has not got the file; None where there is no such.
    control : Rate, optional
        The same against people who are not in the file; None without a control.
    note : str, default ""
        What else was counted, in a sentence; "".
    drawn : int, default 0
        Predicates that were drawn for those that are tried, each true of one released record; 0 of other attacks.
    """

    kind: str
    how: str
    knows: str
    columns: tuple[str, ...]
    known: int
    about: str
    rate: Rate
    baseline: Rate | None = None
    control: Rate | None = None
    note: str = ""
    drawn: int = 0

    @property
    def excess(self) -> Excess | None:
        """What of its success is the release's doing; None where it cannot be known.

        Of membership it is the advantage, the difference of both rates (Yeom et al. 2018).
        """
        if self.control is None:
            return None
        return (advantage if self.kind == "membership" else excess)(self.rate, self.control)

    @property
    def gain(self) -> Excess | None:
        """What somebody has by it who has got the file: the excess over the control or over the baseline, the smaller.

        None of linkage, where links that are right are the gain, and where an excess is not known. Who has not got the
        file guesses the commonest value: an attack that does no better gains nothing, whatever people happen to be in
        the control.
        """
        if self.kind in ("membership", "linkage"):
            return self.excess
        others = [rate for rate in (self.control, self.baseline) if rate is not None]
        over = [advantage for rate in others if (advantage := excess(self.rate, rate)) is not None]
        return min(over, key=lambda advantage: advantage.value) if over and len(over) == len(others) else None
