"""A frontier: the policies that no other one found is better than in both risk and loss."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from anonlib.analyses.frontier.domains import Value
from anonlib.analyses.frontier.evaluation import Plane
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.reading.records.names import unused_name

_FORMAT, _VERSION = "anonscope-frontier", 1
_SAVED = (("method", str), ("evaluations", int), ("seconds", int | float), ("finished", bool), ("exact", bool))
_SAVED_SINCE = (("work", int | float), ("ended_early", bool))  # earlier files lack them


@dataclass(frozen=True, eq=False)
class Frontier:
    """The non-dominated policies among those that a search looked at (Xia et al. 2013, Definitions 3.9 and 3.10).

    Attributes
    ----------
    plane : Plane
        The policies' space and the two measures.
    policies : np.ndarray
        bool, policies x bits, in the order of risk. Different policies at one point are all kept.
    risk, loss : np.ndarray
        float64 in [0, 1], a policy each; risk ascends and loss descends.
    method : str, default ""
        The search it comes from.
    visited : np.ndarray, optional
        float64, points x 2, risk and loss of some of the policies that were looked at, for the picture.
    history : tuple[tuple[int, float, float], ...], default ()
        Policies looked at, seconds and area: of top and bottom, with which the search began, of what it had after each
        hundred of the first policies, and of the frontiers that it reported before, and of this one.
    evaluations : int, default 0
        Policies looked at, top and bottom among them. A sublattice that is passed over counts two.
    seconds : float, default 0.0
        The search took so far.
    finished : bool, default False
        The search came to its end by itself, used up its budget, or was ended by a clock (``ended_early``).
    exact : bool, default False
        Every policy of the space was looked at, so that this is the frontier and no approximation.
    work : float, default 0.0
        The search did so far (:data:`anonlib.basics.budget.A_SECOND`), the same on every machine.
    ended_early : bool, default False
        A clock, or somebody, ended the search before what it was to look at: another machine may find another frontier.
    """

    plane: Plane
    policies: np.ndarray
    risk: np.ndarray
    loss: np.ndarray
    method: str = ""
    visited: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))
    history: tuple[tuple[int, float, float], ...] = ()
    evaluations: int = 0
    seconds: float = 0.0
    finished: bool = False
    exact: bool = False
    work: float = 0.0
    ended_early: bool = False

    def __len__(self) -> int:
        return len(self.risk)

    @cached_property
    def n_points(self) -> int:
        """Different points: policies that tie are one."""
        return len({*zip(self.risk.tolist(), self.loss.tolist(), strict=True)})

    def area(self) -> float:
        """The area under the stair in the unit square, 1 left of the first point: 1 - hypervolume. Less is better."""
        return stair_area(self.risk, self.loss)

    def dominating(self, policy: np.ndarray) -> np.ndarray:
        """The policies that strictly dominate one: no worse in risk and loss, better in one.

        Parameters
        ----------
        policy : np.ndarray
            bool, ``n_bits`` long.

        Returns
        -------
        int64 array
            Their positions.
        """
        risk, loss = self.plane.finish(*self.plane.sums(self.plane.space.checked(policy)))
        return self.dominating_point(float(risk), float(loss))

    def dominating_point(self, risk: float, loss: float) -> np.ndarray:
        """The policies that strictly dominate a point of the plane.

        Parameters
        ----------
        risk, loss : float
            The point, each in [0, 1].

        Returns
        -------
        int64 array
            Their positions.
        """
        no_worse = (self.risk <= risk) & (self.loss <= loss)
        return np.flatnonzero(no_worse & ((self.risk < risk) | (self.loss < loss)))

    def nearest(self, *, risk: float | None = None, loss: float | None = None) -> int:
        """The policy nearest to a point, or to a risk or a loss alone.

        Parameters
        ----------
        risk, loss : float, optional
            The point; one of them may be left out.

        Returns
        -------
        int
            Its position; the first of those that tie.
        """
        if risk is None and loss is None:
            raise InputError("Give a risk, a loss or both to look for the nearest policy.", code="choice-missing")
        away = np.zeros(len(self))
        for wanted, values in ((risk, self.risk), (loss, self.loss)):
            if wanted is not None:
                checks.number(wanted, "The risk or the loss")
                away = away + (values - wanted) ** 2
        return int(np.argmin(away))

    def least_loss(self, risk: float) -> int | None:
        """The policy that loses least at no more than a risk.

        Parameters
        ----------
        risk : float
            The highest risk accepted.

        Returns
        -------
        int or None
            Its position; None if there is none.
        """
        below = np.flatnonzero(self.risk <= risk)
        return int(below[-1]) if len(below) else None

    def least_risk(self, loss: float) -> int | None:
        """The policy that risks least at no more than a loss.

        Parameters
        ----------
        loss : float
            The largest loss accepted.

        Returns
        -------
        int or None
            Its position; None if there is none.
        """
        below = np.flatnonzero(self.loss <= loss)
        return int(below[0]) if len(below) else None

    def to_frame(self) -> pd.DataFrame:
        """One row a policy: ``risk``, ``loss``, and an attribute each its intervals as ``[17-20][21]``.

        An attribute named ``risk`` or ``loss`` is the column ``risk (values)``, or what is like it and not yet taken.
        """
        space = self.plane.space
        columns: dict[str, np.ndarray] = {"risk": self.risk, "loss": self.loss}
        described = [space.describe(policy) for policy in self.policies]
        for name in space.attributes:
            column = unused_name(f"{name} (values)", space.attributes) if name in ("risk", "loss") else name
            columns[column] = np.array([words[name] for words in described] + [None], dtype=object)[:-1]
        return pd.DataFrame(columns)

    def to_json(self) -> str:
        """Everything but what was only visited; :meth:`from_json` reads it again."""
        plane, space = self.plane, self.plane.space
        text = json.dumps(
            {
                "format": _FORMAT,
                "version": _VERSION,
                "risk": plane.risk_key,
                "loss": plane.loss_key,
                "k": plane.k,
                "method": self.method,
                "evaluations": self.evaluations,
                "seconds": round(self.seconds, 3),
                "finished": self.finished,
                "exact": self.exact,
                "work": round(self.work),
                "ended_early": self.ended_early,
                "area": self.area(),
                "attributes": [{"name": d.attribute, "values": list(d.values)} for d in space.domains],
                "policies": [
                    {"risk": risk, "loss": loss, "boundaries": _as_text(self, policy)}
                    for policy, risk, loss in zip(self.policies, self.risk.tolist(), self.loss.tolist(), strict=True)
                ],
            },
            ensure_ascii=False,
            indent=1,
        )
        # Half a character, which some files hold, can be written in no other way.
        return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)

    @classmethod
    def from_json(cls, text: str | bytes, plane: Plane) -> Frontier:
        """A frontier that was saved for the same policies and measures.

        Parameters
        ----------
        text : str | bytes
            What was saved.
        plane : Plane
            The policies and their measures. If it counts other records, risk and loss are counted again.

        Returns
        -------
        Frontier

        Raises
        ------
        InputError
            For other text, other attributes, values or measures.
        """
        document = _document(text)
        space, saved = plane.space, document["policies"]
        attributes: list[tuple[str, list[Value]]] = [(d.attribute, list(d.values)) for d in space.domains]
        if [(entry["name"], entry["values"]) for entry in document["attributes"]] != attributes:
            raise InputError(
                "This frontier was saved for other attributes, values or orders. Choose the same ones.",
                code="saved-for-others",
            )
        if (document["risk"], document["loss"]) != (plane.risk_key, plane.loss_key):
            raise InputError(
                "This frontier was saved for other measures of risk or loss. Choose the same ones.",
                code="saved-for-others",
            )
        widths = [domain.n_bits for domain in space.domains]
        boundaries = [tuple(entry["boundaries"].get(d.attribute, "?") for d in space.domains) for entry in saved]
        if not boundaries or any(
            list(map(len, texts)) != widths or set("".join(texts)) - {"0", "1"} for texts in boundaries
        ):
            raise InputError(
                "This frontier is damaged: a policy does not have a bit for each boundary. Save it again.",
                code="file-damaged",
            )
        rows = dict.fromkeys("".join(texts) for texts in boundaries)  # a policy that is there twice is one
        policies = np.array([[bit == "1" for bit in row] for row in rows], dtype=bool).reshape(len(rows), space.n_bits)
        sums = np.array([plane.sums(policy) for policy in policies]).reshape(-1, 2)
        risk, loss = plane.finish(sums[:, 0], sums[:, 1])
        kept, order = non_dominated(risk, loss)
        picked = order[kept[order]]
        fields = {name: document[name] for name, _ in _SAVED}
        fields["work"] = document.get("work", 0)
        # Earlier files do not say what ended a search: a clock where it did not finish, or was of interval programs.
        clock = not fields["finished"] or (fields["method"] == "interval_programs" and not fields["exact"])
        fields["ended_early"] = document.get("ended_early", clock)
        # Of other records it is a frontier of what was saved, not of all policies.
        same = {*zip(risk.tolist(), loss.tolist(), strict=True)} == {(entry["risk"], entry["loss"]) for entry in saved}
        fields["exact"] = document["exact"] and same and plane.k == document["k"]
        return cls(plane, policies[picked], risk[picked], loss[picked], **fields)

    def only(self, positions: np.ndarray) -> Frontier:
        """Some of the policies.

        Parameters
        ----------
        positions : np.ndarray
            Which.

        Returns
        -------
        Frontier
        """
        return replace(self, policies=self.policies[positions], risk=self.risk[positions], loss=self.loss[positions])


def _as_text(frontier: Frontier, policy: np.ndarray) -> dict[str, str]:
    space = frontier.plane.space
    return {
        domain.attribute: "".join("1" if bit else "0" for bit in space.bits_of(policy, j))
        for j, domain in enumerate(space.domains)
    }


def _document(text: str | bytes) -> dict[str, Any]:
    try:
        document = json.loads(text)
        if document["format"] == _FORMAT and document["version"] == _VERSION:
            _ = [(entry["name"], entry["values"]) for entry in document["attributes"]]
            read = all(isinstance(document[name], kind) for name, kind in _SAVED)
            read = read and all(isinstance(document[name], kind) for name, kind in _SAVED_SINCE if name in document)
            for entry in document["policies"]:
                read = read and all(type(entry[name]) in (int, float) for name in ("risk", "loss"))
                read = read and all(isinstance(bits, str) for bits in entry["boundaries"].values())
            if read and {"risk", "loss", "k"} <= document.keys():
                return document
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        pass
    raise InputError(
        "This is not a frontier saved here. Choose a file saved with “Policies (JSON)”.", code="file-not-of-this-kind"
    )


@dataclass(frozen=True)
class PolicySummary:
    """One policy in figures.

    Attributes
    ----------
    risk, loss : float
        In [0, 1], by the plane's measures.
    k : int
        Records of the smallest group.
    groups : int
        Groups with records.
    least_people : int
        People of the population in the group that has fewest.
    intervals : dict[str, int]
        Attribute -> number of its intervals.
    """

    risk: float
    loss: float
    k: int
    groups: int
    least_people: int
    intervals: dict[str, int]


def summary(plane: Plane, policy: np.ndarray) -> PolicySummary:
    """A policy in figures.

    Parameters
    ----------
    plane : Plane
        The policies and their measures.
    policy : np.ndarray
        bool, ``n_bits`` long.

    Returns
    -------
    PolicySummary

    Raises
    ------
    InputError
        For a policy of another space.
    """
    space = plane.space
    bits = space.checked(policy)
    risk, loss = plane.finish(*plane.sums(bits))
    records, people, _ = plane.groups(bits)
    intervals = {d.attribute: int(space.bits_of(bits, j).sum()) + 1 for j, d in enumerate(space.domains)}
    return PolicySummary(float(risk), float(loss), int(records.min()), len(records), int(people.min()), intervals)


def stair_area(risk: np.ndarray, loss: np.ndarray) -> float:
    """The area under the stair of points in the order of risk, 1 left of the first point."""
    return float(np.dot(np.diff([0.0, *risk, 1.0]), [1.0, *loss]))


def non_dominated(risk: np.ndarray, loss: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """bool, per point whether no other strictly dominates it; and the order of the points by risk, then loss."""
    order = np.lexsort((loss, risk))
    r, u = risk[order], loss[order]
    first = np.ones(len(r), dtype=bool)
    first[1:] = r[1:] > r[:-1]
    group = np.cumsum(first) - 1
    least = u[first]  # of each risk
    before = np.concatenate([[np.inf], np.minimum.accumulate(least)[:-1]]) if len(least) else least
    kept = np.zeros(len(r), dtype=bool)
    kept[order] = (u == least[group]) & (least < before)[group]
    return kept, order
