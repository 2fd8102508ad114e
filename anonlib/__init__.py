"""Anonscope's library: how identifiable is a file of people, and what protects it. No Streamlit in here.

What a notebook needs, in the order of the work; every name is documented where it is defined:

* a file and its columns: :func:`open_source`, :class:`Dataset`, :class:`Role`, :func:`suggest_roles`
* how identifiable it is: :func:`assess`
* what protects it: :class:`Recipe` of the steps :class:`Recode` (by :class:`Intervals`, :class:`Mask`,
  :class:`DateUnit`, :class:`Rounding`, :class:`ValueMap`), :class:`MergeRare`, :class:`DropColumns` and
  :class:`LeaveOut`; :func:`released_csv`
* may it leave, and what is the least change: :class:`Aim` for one of the :data:`RECIPIENTS`; :class:`Project` on a
  :class:`LoadedFile` by :func:`open_project`; :class:`Adviser` on what is :class:`Asked`
* what is filed: :func:`gather`, :func:`html_of`, :func:`pdf_of`, :func:`released_file`

The names are looked up when they are used first: importing ``anonlib`` loads nothing and changes nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anonlib.analyses.risk import assess as assess
    from anonlib.coarsening.recoding import DateUnit as DateUnit
    from anonlib.coarsening.recoding import Intervals as Intervals
    from anonlib.coarsening.recoding import Mask as Mask
    from anonlib.coarsening.recoding import Rounding as Rounding
    from anonlib.coarsening.recoding import ValueMap as ValueMap
    from anonlib.columns.roles import Role as Role
    from anonlib.columns.roles import suggest_roles as suggest_roles
    from anonlib.dataset import Dataset as Dataset
    from anonlib.filing.evidence import gather as gather
    from anonlib.filing.evidence import released_file as released_file
    from anonlib.filing.evidence.report import html_of as html_of
    from anonlib.filing.evidence.report import pdf_of as pdf_of
    from anonlib.filing.project import LoadedFile as LoadedFile
    from anonlib.filing.project import Project as Project
    from anonlib.filing.project import open_project as open_project
    from anonlib.reading.sources import open_source as open_source
    from anonlib.release.export import released_csv as released_csv
    from anonlib.release.recipe import Recipe as Recipe
    from anonlib.release.steps import DropColumns as DropColumns
    from anonlib.release.steps import LeaveOut as LeaveOut
    from anonlib.release.steps import MergeRare as MergeRare
    from anonlib.release.steps import Recode as Recode
    from anonlib.verdict.criteria import RECIPIENTS as RECIPIENTS
    from anonlib.verdict.criteria import Aim as Aim
    from anonlib.verdict.proposals import Adviser as Adviser
    from anonlib.verdict.proposals import Asked as Asked

_NAMES_OF = {
    "anonlib.reading.sources": ("open_source",),
    "anonlib.dataset": ("Dataset",),
    "anonlib.columns.roles": ("Role", "suggest_roles"),
    "anonlib.analyses.risk": ("assess",),
    "anonlib.coarsening.recoding": ("DateUnit", "Intervals", "Mask", "Rounding", "ValueMap"),
    "anonlib.release.recipe": ("Recipe",),
    "anonlib.release.steps": ("DropColumns", "LeaveOut", "MergeRare", "Recode"),
    "anonlib.release.export": ("released_csv",),
    "anonlib.verdict.criteria": ("RECIPIENTS", "Aim"),
    "anonlib.verdict.proposals": ("Adviser", "Asked"),
    "anonlib.filing.project": ("LoadedFile", "Project", "open_project"),
    "anonlib.filing.evidence": ("gather", "released_file"),
    "anonlib.filing.evidence.report": ("html_of", "pdf_of"),
}
_MODULE_OF = {name: module for module, names in _NAMES_OF.items() for name in names}

__all__ = tuple(_MODULE_OF)


def __getattr__(name: str) -> object:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'anonlib' has no attribute {name!r}")
    return getattr(import_module(_MODULE_OF[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE_OF})
