"""The rules of the house, read off the source: who may import whom, where classes are counted, what is never shown.

Each rule is a function from a module to the sentences that say how it breaks the rule. The second half of this
file shows every rule a module that breaks it.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("anonlib", "ui", "pages")

# From the bottom up. A module may import from the storeys below its own, and from its own unless that is a wing's:
# the analyses know nothing of one another, and samples are for those who open files.
STOREYS: tuple[tuple[str, ...], ...] = (
    ("anonlib.basics",),
    ("anonlib.values",),
    ("anonlib.reading", "anonlib.reading.samples", "anonlib.reading.public_data"),
    ("anonlib.counting",),
    ("anonlib.columns",),
    ("anonlib.coarsening",),
    ("anonlib.dataset",),
    (
        "anonlib.analyses.risk", "anonlib.analyses.individuals", "anonlib.analyses.leakage",
        "anonlib.analyses.generalization", "anonlib.analyses.regions", "anonlib.analyses.schedules",
        "anonlib.analyses.frontier", "anonlib.analyses.population_uniqueness", "anonlib.analyses.utility",
        "anonlib.analyses.forecast",
    ),
    ("anonlib.plots",),
    ("anonlib.release",),
    ("anonlib.verdict",),
    ("anonlib.filing",),
    ("anonlib.command", "anonlib.project", "anonlib.evidence", "anonlib.two_folders", "anonlib.set_up"),
    ("anonlib.__main__",),
    ("ui.server", "ui.text"),
    ("ui.session",),
    ("ui.files",),
    ("ui.kit",),
    ("ui.start",),
    ("pages",),
    ("app",),
)  # fmt: skip
WINGS = STOREYS[7]
FIRST_OF_UI = next(i for i, storey in enumerate(STOREYS) if "ui.server" in storey)
PRIVATE_NAMES = "ui/server/private.py"
PRIVATE_PARTS = {"config", "delta_generator", "elements", "proto", "runtime", "web"}
SAMPLES = ("anonlib.reading.samples", "anonlib.reading.public_data")

PAGE_MODULES = ("page", "controls", "question", "results", "summary", "picture", "tabs", "downloads")
OTHER_PAGE_MODULES = {
    "measure/individuals/elsewhere": "the page of a file made elsewhere, in which everybody is looked up",
    "measure/individuals/column_results": "what is computed of one sensitive column",
    "protect/frontier/lower_bound": "a search of its own, with its button",
    "protect/frontier/policy": "one policy in words, which controls, summary and tabs say",
    "protect/frontier/releases": "releases beside the policies, which controls and picture show",
    "protect/generalize/hierarchies": "an editor, and the ways to make a hierarchy of each kind of value",
    "verdict/verdict/cheapest_change": "what would meet one criterion more, which controls and tabs offer",
    "verdict/verdict/offers": "the searches that make proposals, which results and tabs follow",
    "verdict/verdict/questions": "the few decisions that stand before a release, which results and controls lead to",
}

SCRIPT_LINES = 60  # of app.py and of a page's script
CALLBACKS = ("on_click", "on_change", "on_select", "on_submit")

COUNTING = {"groupby", "group_by", "value_counts", "crosstab", "pivot_table"}
MAY_COUNT = {
    "anonlib/reading/records/table.py": "how often each value of one column occurs, which a recoding begins with",
    "anonlib/reading/records/joins.py": "rows of a person become one, of which classes are counted above",
}

FETCHES = {
    **dict.fromkeys("Choropleth choropleth Scattergeo scatter_geo line_geo".split(), "fetches outlines"),
    **dict.fromkeys("Scattermapbox Choroplethmapbox Densitymapbox pydeck_chart".split(), "fetches tiles"),
    **dict.fromkeys("MapView _MapView GlobeView TileLayer TerrainLayer".split(), "fetches tiles"),
}
# A chart of pydeck in a view without a map behind it, which anonlib.plots makes.
MAY_SHOW_MAPS = {"ui/kit/page.py": "pydeck_chart"}
MAY_NAME_ADDRESSES = {
    "anonlib/filing/record/vocabulary.py": "names of vocabularies, with which a record is written; none is fetched",
    "anonlib/reading/public_data.py": "downloads public data sets, only when the officer asks for one",
    "anonlib/release/files/workbook.py": "names of the parts of a workbook are written like addresses; none is fetched",
    "anonlib/plots/still/picture.py": "the name by which an SVG says that it is one; nothing is loaded from there",
}
STEPS = "anonlib/release/steps/"
MAY_TELL_STEPS_APART = {
    "anonlib/verdict/proposals/hold_back.py": "takes out the steps that it makes, before it looks again whom they name",
}
CRITERIA = "anonlib/verdict/criteria/"
MAY_USE_TRACEBACK = {"ui/server/quiet.py": "reads the places of a failure out of it and drops the text"}
MAY_READ_A_CLOCK = {
    "anonlib/basics/budget.py": "ends a search early, which its answer tells, and says how long something took",
    "anonlib/basics/disk.py": "waits between two looks at whether another process let go of a file",
    "anonlib/command/progress.py": "writes a line on the terminal over not too often",
}
MAY_USE_EXCEPTIONS = {
    "ui/server/workers/child.py": "says of a fault of ours its type and place",
    "ui/session/guard.py": "tells a fault of ours by its type and place",
    "ui/server/sign_in/provider.py": "logs the type and place of a failed sign-in",
    "anonlib/reading/sources/body.py": "the csv module's fixed wording decides which sentence is chosen",
}
TELL_THE_KIND = {  # what makes a sentence of the kind of an error, and of none of its words
    "refusal",  # anonlib/reading/records/refusals.py
    "exhausted.sentence",  # anonlib/basics/exhausted.py
}
# Where and which, not what: these hold no text of a cell.
SAFE_PARTS_OF_AN_EXCEPTION = {"start", "end", "code", "errno", "status", "lineno"}
MACHINE_PATH = re.compile(r"(?<![\w.~<>{}*-])(/(work|home|root|Users|tmp|opt|mnt|srv|var)/[\w.-]+|[A-Z]:\\\\?\w+)")


@dataclass(frozen=True)
class Module:
    """One source file: its path from the root, its dotted name and what is in it."""

    path: str
    source: str

    @property
    def name(self) -> str:
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.source)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.tree))

    @cached_property
    def imports(self) -> list[tuple[int, str]]:
        """Line and dotted name of everything imported, also inside functions; ``from a import b`` gives ``a.b``."""
        found = []
        for node in self.nodes:
            if isinstance(node, ast.Import):
                found += [(node.lineno, alias.name) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                found += [(node.lineno, f"{self._base(node)}.{alias.name}") for alias in node.names]
        return found

    def _base(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        package = self.name.split(".") if self.path.endswith("__init__.py") else self.name.split(".")[:-1]
        parts = package[: len(package) - node.level + 1]
        return ".".join([*parts, *([node.module] if node.module else [])])

    def at(self, line: int, what: str) -> str:
        return f"{self.path}:{line}: {what}"


@cache
def modules_below(root: Path) -> list[Module]:
    """Every module of the product below ``root``: the rooms and ``app.py``."""
    files = [path for room in ROOMS for path in sorted((root / room).rglob("*.py"))]
    files += [path for path in [root / "app.py"] if path.exists()]
    return [Module(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")) for path in files]


def place_of(name: str) -> tuple[int, str] | None:
    """The storey and the room of a module or of what is imported; None for what is not the product's, or in none."""
    parts = name.split(".")
    names = [".".join(parts[:n]) for n in range(len(parts), 0, -1)]
    return next(((i, room) for room in names for i, storey in enumerate(STOREYS) if room in storey), None)


def imports_only_downward(module: Module) -> Iterator[str]:
    place = place_of(module.name)
    if place is None:
        if not any(f"{room}.".startswith(f"{module.name}.") for storey in STOREYS for room in storey):
            yield module.at(1, f"{module.name} is in no storey: give it one in tests/test_architecture.py")
        return
    storey, own = place
    for line, imported in module.imports:
        other = place_of(imported)
        if other is None or other[1] == own:
            continue
        above, room = other[0] > storey, other[1]
        if above:
            yield module.at(line, f"{own} may not import {room}: imports run downward")
        elif room in SAMPLES and own not in SAMPLES and storey < FIRST_OF_UI:
            yield module.at(line, f"{own} may not import {room}: samples and public data are for ui and pages")
        elif other[0] == storey and own in WINGS:
            yield module.at(line, f"{own} may not import {room}: the analyses do not import one another")


def is_script(module: Module) -> bool:
    """Whether Streamlit runs it: its functions are then of the module ``__main__``."""
    return module.path == "app.py" or (module.path.startswith("pages/") and module.path.endswith("/page.py"))


def pages_stand_apart(module: Module) -> Iterator[str]:
    """A page's folder holds what only it needs; what two pages need is in ``ui``."""
    own = module.path.rpartition("/")[0].replace("/", ".")
    for line, imported in module.imports:
        if imported.startswith("pages.") and not imported.startswith(".".join(own.split(".")[:3]) + "."):
            yield module.at(line, f"{own} may not import {imported}: what several pages need is in ui/")


def scripts_only_load_compute_and_show(module: Module) -> Iterator[str]:
    """A page's script defines one function: others of its name, in other scripts, would be taken for it."""
    if is_script(module) and module.path != "app.py":
        for node in module.nodes:
            if (
                isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda)
                and getattr(node, "name", "") != "show_page"
            ):
                yield module.at(node.lineno, f"{getattr(node, 'name', 'a lambda')}: define it in a module beside it")


def callbacks_go_through_the_guard(module: Module) -> Iterator[str]:
    """So that their errors are sentences, their changes can be undone, and the next click does not break them off."""
    for call in _calls(module):
        for keyword in call.keywords:
            value = keyword.value
            plain = isinstance(value, ast.Constant)  # "rerun", "ignore"
            guarded = isinstance(value, ast.Call) and ast.unparse(value.func) == "guard.action"
            if keyword.arg in CALLBACKS and not (plain or guarded):
                yield module.at(call.lineno, f"{keyword.arg}: wrap it in guard.action")


def streamlit_stays_outside_the_library(module: Module) -> Iterator[str]:
    for line, imported in module.imports:
        if module.path.startswith("anonlib/") and imported.split(".")[0] == "streamlit":
            yield module.at(line, "streamlit under anonlib/")


def private_names_of_streamlit_have_one_place(module: Module) -> Iterator[str]:
    """What Streamlit and Starlette do not document is listed, and checked at the start, in ``ui/server/private.py``."""
    if module.path == PRIVATE_NAMES:
        return
    for line, imported in module.imports:
        if imported.startswith(("streamlit.", "starlette.formparsers")):
            yield module.at(line, f"{imported} is private: import it from {PRIVATE_NAMES}")
    for node in module.nodes:
        if not isinstance(node, ast.Attribute) or ast.unparse(node.value) not in ("st", "streamlit"):
            continue
        if node.attr.startswith("_") or node.attr in PRIVATE_PARTS:
            yield module.at(node.lineno, f"st.{node.attr} is private: use it in {PRIVATE_NAMES}")


def plotly_stays_in_plots(module: Module) -> Iterator[str]:
    for line, imported in module.imports:
        library = imported.split(".")[0]
        if not module.path.startswith("anonlib/plots/") and library in ("plotly", "pydeck"):
            yield module.at(line, f"{library} outside anonlib/plots/")


def classes_are_counted_in_one_place(module: Module) -> Iterator[str]:
    if module.path.startswith("anonlib/counting/classes/") or module.path in MAY_COUNT:
        return
    for call in _calls(module):
        name = _called(call)
        by_row = name == "unique" and any(
            keyword.arg == "axis" and not (isinstance(keyword.value, ast.Constant) and keyword.value.value is None)
            for keyword in call.keywords
        )
        if name in COUNTING or by_row:
            yield module.at(call.lineno, f"{name}(): equivalence classes are counted in anonlib/counting/classes alone")


def cells_are_never_html(module: Module) -> Iterator[str]:
    for call in _calls(module):
        if any(keyword.arg == "unsafe_allow_html" for keyword in call.keywords):
            yield module.at(call.lineno, "unsafe_allow_html: text of a data set could become HTML")


def exceptions_are_never_shown(module: Module) -> Iterator[str]:
    """A library's exception may quote a cell: of it only the position is used. An InputError's text is ours."""
    for line, imported in module.imports:
        if imported.split(".")[0] == "traceback" and module.path not in MAY_USE_TRACEBACK:
            yield module.at(line, "traceback: what it prints may quote a cell")
    for node in module.nodes:
        if isinstance(node, ast.Attribute) and node.attr == "exception" and _root_of(node) == "st":
            yield module.at(node.lineno, "st.exception: what it shows may quote a cell")
        if isinstance(node, ast.ExceptHandler):
            yield from _handler(module, node)


def _handler(module: Module, handler: ast.ExceptHandler) -> Iterator[str]:
    caught = ast.unparse(handler.type) if handler.type else "everything"
    if handler.name and caught.split(".")[-1] != "InputError" and module.path not in MAY_USE_EXCEPTIONS:
        nodes = list(ast.walk(handler))
        uses = {id(node) for node in nodes if isinstance(node, ast.Name) and node.id == handler.name}
        safe = {
            id(node.value)
            for node in nodes
            if isinstance(node, ast.Attribute) and node.attr in SAFE_PARTS_OF_AN_EXCEPTION
        } | {
            id(argument)
            for node in nodes
            if isinstance(node, ast.Call) and ast.unparse(node.func) in TELL_THE_KIND
            for argument in node.args
        }
        if uses - safe:
            yield module.at(handler.lineno, f"except {caught} as {handler.name}: only an InputError's text may be used")
    for node in ast.walk(handler):
        if isinstance(node, ast.Raise) and node.exc is not None:
            cut = isinstance(node.cause, ast.Constant) and node.cause.value is None
            if not cut and not (isinstance(node.exc, ast.Name) and node.exc.id == handler.name):
                yield module.at(node.lineno, "raise in an except block without 'from None' keeps the library's text")


def nothing_is_fetched(module: Module) -> Iterator[str]:
    for node in module.nodes:
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else None
        if isinstance(node, ast.expr) and name in FETCHES and MAY_SHOW_MAPS.get(module.path) != name:
            yield module.at(node.lineno, f"{name} {FETCHES[name]} from another host")
        if isinstance(node, ast.Attribute) and node.attr == "map" and _root_of(node) == "st":
            yield module.at(node.lineno, "st.map fetches tiles from another host")
    for call in _calls(module):  # pydeck's own view and style, where none are named, are a map's
        named = {keyword.arg for keyword in call.keywords}
        if _called(call) in ("Deck", "Map") and not {"views", "map_provider"} <= named:
            yield module.at(call.lineno, "Deck without views and map_provider=None fetches tiles from another host")
    if module.path in MAY_NAME_ADDRESSES:
        return
    documentation = _docstrings(module)
    for node in module.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            for address in re.findall(r"(?:https?:)?//[\w.-]+\.[a-z]{2,}\b", node.value):
                yield module.at(node.lineno, f"{address}: the app loads nothing from other hosts")


@cache
def kinds_of_step() -> frozenset[str]:
    """The names of the classes that are a step, and of those that several of them share."""
    nodes = [node for path in (ROOT / STEPS).glob("*.py") for node in ast.parse(path.read_text("utf-8")).body]
    classes = [(node.name, *map(ast.unparse, node.bases)) for node in nodes if isinstance(node, ast.ClassDef)]
    return frozenset(name for names in classes if "Step" in names[1:] for name in names) - {"Step"}


def steps_say_all_of_themselves(module: Module) -> Iterator[str]:
    """What a step is asked is a member of its class: a kind that a module does not know would be passed over there."""
    if module.path.startswith(STEPS) or module.path in MAY_TELL_STEPS_APART:
        return
    for node in module.nodes:
        asked: list[ast.expr] = []
        if isinstance(node, ast.Call) and _called(node) in ("isinstance", "issubclass"):
            asked = node.args[1:]
        elif isinstance(node, ast.Compare) and isinstance(node.left, ast.Call) and _called(node.left) == "type":
            asked = node.comparators
        elif isinstance(node, ast.MatchClass):
            asked = [node.cls]
        for kind in sorted({_last_of(each) for expression in asked for each in ast.walk(expression)} & kinds_of_step()):
            yield module.at(node.lineno, f"{kind}: ask the step, by a member of its class that each kind defines")


@cache
def kinds_of_criterion() -> dict[str, str]:
    """The names of the classes that are a criterion, with the kind that a saved project has of each."""
    trees = [ast.parse(path.read_text("utf-8")) for path in (ROOT / CRITERIA).glob("*.py")]
    classes = [node for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)]
    criteria = [node for node in classes if "Criterion" in map(ast.unparse, node.bases)]
    return {
        node.name: ast.literal_eval(field.value)
        for node in criteria
        for field in node.body
        if isinstance(field, ast.AnnAssign) and ast.unparse(field.target) == "kind" and field.value is not None
    }


def criteria_say_all_of_themselves(module: Module) -> Iterator[str]:
    """What a criterion is asked is a member of its class: who names one would pass over a kind that is not named."""
    if module.path.startswith(CRITERIA):
        return
    kinds, why = kinds_of_criterion(), "ask the criterion, by a member of its class that each kind has"
    room = CRITERIA.rstrip("/").replace("/", ".")
    for line, imported in module.imports:
        if imported.startswith(f"{room}.") and imported.rpartition(".")[2] in kinds:
            yield module.at(line, f"{imported}: {why}")
    for node in module.nodes:
        compared: list[ast.AST] = []
        if isinstance(node, ast.Attribute) and node.attr in kinds and _last_of(node.value) == "criteria":
            yield module.at(node.lineno, f"{node.attr}: {why}")
        elif isinstance(node, ast.Compare) and _is_kind_of_criterion(node.left):
            compared = list(node.comparators)
        elif isinstance(node, ast.Match) and _is_kind_of_criterion(node.subject):
            compared = [case.pattern for case in node.cases]
        for each in compared:
            for part in ast.walk(each):
                if isinstance(part, ast.Constant) and part.value in kinds.values():
                    yield module.at(part.lineno, f"{part.value}: {why}")


def _is_kind_of_criterion(node: ast.AST) -> bool:
    """Whether it is the kind of something, other than of an attack, some kinds of which are called alike."""
    return isinstance(node, ast.Attribute) and node.attr == "kind" and _last_of(node.value) != "attack"


def _last_of(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def scripts_are_short(module: Module) -> Iterator[str]:
    """Documentation, which is there to be looked up, does not count. Of other modules `tools.structure` shows sizes."""
    documentation = _docstrings(module)
    described = sum(
        node.end_lineno - node.lineno + 1
        for node in module.nodes
        if isinstance(node, ast.Constant) and id(node) in documentation
    )
    lines = len(module.source.splitlines()) - described
    if is_script(module) and lines >= SCRIPT_LINES:
        yield module.at(lines, f"{lines} lines without docstrings; the limit is under {SCRIPT_LINES}")


def no_path_of_one_machine(module: Module) -> Iterator[str]:
    for number, line in enumerate(module.source.splitlines(), start=1):
        for match in MACHINE_PATH.finditer(line):
            yield module.at(number, f"{match.group()}: a path of one machine")


def answers_depend_on_no_clock(module: Module) -> Iterator[str]:
    """The library reads a clock in one place: how far a search goes is a matter of its work."""
    if not module.path.startswith("anonlib/") or module.path in MAY_READ_A_CLOCK:
        return
    for line, imported in module.imports:
        if imported == "time" or imported.startswith("time."):
            yield module.at(line, f"{imported}: what a search finds must not depend on a clock (anonlib.basics.budget)")


Rule = Callable[[Module], Iterator[str]]
RULES: tuple[Rule, ...] = (
    imports_only_downward,
    answers_depend_on_no_clock,
    pages_stand_apart,
    scripts_only_load_compute_and_show,
    callbacks_go_through_the_guard,
    streamlit_stays_outside_the_library,
    private_names_of_streamlit_have_one_place,
    plotly_stays_in_plots,
    classes_are_counted_in_one_place,
    cells_are_never_html,
    exceptions_are_never_shown,
    nothing_is_fetched,
    steps_say_all_of_themselves,
    criteria_say_all_of_themselves,
    scripts_are_short,
    no_path_of_one_machine,
)


def _calls(module: Module) -> Iterator[ast.Call]:
    return (node for node in module.nodes if isinstance(node, ast.Call))


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _root_of(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _docstrings(module: Module) -> set[int]:
    """The string statements: docstrings of modules, classes and functions, and of the names above them."""
    return {id(node.value) for node in module.nodes if isinstance(node, ast.Expr)}


def import_cycle(modules: list[Module]) -> list[str]:
    """The names along one cycle of imports between modules, empty when there is none."""
    names = {module.name for module in modules}
    edges = {
        module.name: {
            target
            for _, imported in module.imports
            for target in [imported if imported in names else imported.rpartition(".")[0]]
            if target in names and target != module.name
        }
        for module in modules
    }
    return _cycle(edges)


def room_cycle(modules: list[Module]) -> list[str]:
    """The same between the rooms of storeys, such as ``anonlib.verdict.criteria``."""
    edges: dict[str, set[str]] = {}
    for module in modules:
        room = ".".join(module.name.split(".")[:3])
        targets = {".".join(imported.split(".")[:3]) for _, imported in module.imports}
        edges.setdefault(room, set()).update(targets - {room})
    return _cycle({room: {target for target in targets if target in edges} for room, targets in edges.items()})


def _cycle(edges: dict[str, set[str]]) -> list[str]:
    done: set[str] = set()

    def visit(name: str, trail: list[str]) -> list[str]:
        if name in trail:
            return [*trail[trail.index(name) :], name]
        if name in done:
            return []
        for target in sorted(edges[name]):
            if cycle := visit(target, [*trail, name]):
                return cycle
        done.add(name)
        return []

    return next((cycle for name in sorted(edges) if (cycle := visit(name, []))), [])


# The product


@cache
def product() -> list[Module]:
    """Every module of the product, read once."""
    return modules_below(ROOT)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_module_keeps_the_rule(rule: Rule) -> None:
    broken = [sentence for module in product() for sentence in rule(module)]
    assert not broken, "\n" + "\n".join(broken)


def test_imports_have_no_cycle() -> None:
    assert not import_cycle(product())
    assert not room_cycle([module for module in product() if module.name.startswith("anonlib.")])


# The rules above read off each import that there is none of Streamlit and none upward.
@pytest.mark.repeats
def test_the_library_is_importable_without_the_app() -> None:
    """``anonlib`` and everything below it, with Streamlit made unavailable."""
    import subprocess
    import sys

    names = [module.name for module in product() if module.path.startswith("anonlib/")]
    names = [name for name in names if not name.endswith("__main__")]
    assert len(names) > 10
    program = f"import sys, importlib; sys.modules['streamlit'] = None; [importlib.import_module(n) for n in {names}]"
    finished = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr


def test_no_file_of_the_project_names_a_path_of_one_machine() -> None:
    """Paths with a drive letter may stand in tests: an upload's name can be one."""
    patterns = ("*.md", "*.toml", "*.txt", "Makefile", ".ci/run", "docs/**/*.md", "tools/**/*.py", "tests/**/*.py")
    files = {path for pattern in patterns for path in ROOT.glob(pattern)} - {Path(__file__).resolve()}
    texts = [Module(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")) for path in sorted(files)]
    broken = [sentence for text in texts for sentence in no_path_of_one_machine(text) if ":\\" not in sentence]
    assert not broken, "\n" + "\n".join(broken)


def test_pages_live_in_folders() -> None:
    """A page directly in ``pages/`` is opened by its address without ``app.py``, and so without navigation."""
    assert not list((ROOT / "pages").glob("*.py"))


def test_pages_have_the_same_file_names() -> None:
    """So that a control is found in ``controls``, a number in ``results``: of other names each is here, and why."""
    names = {path.relative_to(ROOT / "pages").with_suffix("").as_posix() for path in (ROOT / "pages").glob("*/*/*")}
    other = {name for name in names if Path(name).name not in {*PAGE_MODULES, "__pycache__"}}
    assert other == set(OTHER_PAGE_MODULES)


def test_tests_import_no_tests() -> None:
    """What several share is in ``tests/helpers``, ``tests/reference`` or a folder's ``conftest.py``."""
    imports = re.compile(r"^\s*(?:from|import) tests\S*\.(?:test_\w+|(?=.* import .*\btest_)).*", re.MULTILINE)
    broken = [
        f"{path.relative_to(ROOT).as_posix()}: {line.strip()}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for line in imports.findall(path.read_text(encoding="utf-8"))
    ]
    assert not broken, "\n" + "\n".join(broken)


@pytest.mark.parametrize(
    ("exceptions", "rule"),
    [
        (MAY_COUNT, classes_are_counted_in_one_place),
        (MAY_SHOW_MAPS, nothing_is_fetched),
        (MAY_NAME_ADDRESSES, nothing_is_fetched),
        (MAY_TELL_STEPS_APART, steps_say_all_of_themselves),
        (MAY_USE_TRACEBACK, exceptions_are_never_shown),
        (MAY_USE_EXCEPTIONS, exceptions_are_never_shown),
    ],
)
def test_every_exception_to_a_rule_is_still_needed(
    exceptions: dict[str, str], rule: Rule, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it the module breaks the rule. (All others keep it, with the exceptions or without: see above.)"""
    excepted = set(exceptions)
    for path in excepted:
        monkeypatch.delitem(exceptions, path)
    assert {module.path for module in product() if module.path in excepted and any(rule(module))} == excepted


# The rules themselves


BREAKS: list[tuple[Rule, str, str]] = [
    (imports_only_downward, "anonlib/analyses/risk.py", "from anonlib.plots.risk import draw"),
    (imports_only_downward, "anonlib/analyses/risk.py", "import anonlib.release.recipe"),
    (imports_only_downward, "anonlib/analyses/risk.py", "from anonlib.analyses import frontier"),
    (imports_only_downward, "anonlib/analyses/regions/search.py", "from ..leakage import iab"),
    (imports_only_downward, "anonlib/counting/classes/table.py", "def f():\n    from anonlib.analyses import risk"),
    (imports_only_downward, "anonlib/values/cells.py", "from anonlib.reading.sources import open_source"),
    (imports_only_downward, "anonlib/reading/sources/opening.py", "from anonlib.dataset import Dataset"),
    (imports_only_downward, "anonlib/plots/risk.py", "from anonlib.release.recipe import Recipe"),
    (imports_only_downward, "anonlib/release/recipe.py", "from ui.session import state"),
    (imports_only_downward, "anonlib/release/recipe.py", "from anonlib.reading.samples import SAMPLES"),
    (imports_only_downward, "anonlib/reading/samples/__init__.py", "from anonlib.dataset import Dataset"),
    (imports_only_downward, "anonlib/unheard_of.py", ""),
    (imports_only_downward, "ui/session/state.py", "from pages.data import home"),
    (imports_only_downward, "ui/server/gate.py", "from ui.session import state"),
    (imports_only_downward, "ui/session/state.py", "from ui.files import data_file"),
    (imports_only_downward, "ui/files/upload.py", "from ui.kit import page"),
    (imports_only_downward, "ui/forms.py", ""),
    (imports_only_downward, "pages/data/home/page.py", "import app"),
    (pages_stand_apart, "pages/measure/leakage/results.py", "from pages.measure.individuals import question"),
    (pages_stand_apart, "pages/measure/leakage/parts/table.py", "import pages.measure.risk.tabs.records"),
    (scripts_only_load_compute_and_show, "pages/measure/risk/page.py", "def show_page(): ...\ndef table(data): ..."),
    (scripts_only_load_compute_and_show, "pages/measure/risk/page.py", "compute = lambda data: data"),
    (callbacks_go_through_the_guard, "pages/data/home/page.py", "st.button('Open', on_click=load, args=(1,))"),
    (callbacks_go_through_the_guard, "ui/session/keep.py", "place.slider('k', on_change=partial(take, 'k'))"),
    (streamlit_stays_outside_the_library, "anonlib/analyses/risk.py", "import streamlit as st"),
    (streamlit_stays_outside_the_library, "anonlib/plots/risk.py", "def f():\n    from streamlit import cache_data"),
    (private_names_of_streamlit_have_one_place, "ui/session/state.py", "from streamlit.runtime import get_instance"),
    (private_names_of_streamlit_have_one_place, "ui/server/gate.py", "from streamlit import config"),
    (private_names_of_streamlit_have_one_place, "ui/start.py", "def f():\n    import streamlit.web.cli"),
    (private_names_of_streamlit_have_one_place, "ui/kit/page.py", "import streamlit as st\nst.runtime.exists()"),
    (plotly_stays_in_plots, "pages/measure/risk/page.py", "import plotly.graph_objects as go"),
    (plotly_stays_in_plots, "anonlib/analyses/risk.py", "from plotly import express"),
    (classes_are_counted_in_one_place, "anonlib/analyses/risk.py", "sizes = frame.groupby(names).size()"),
    (classes_are_counted_in_one_place, "anonlib/analyses/risk.py", "sizes = table.group_by(names)"),
    (classes_are_counted_in_one_place, "pages/measure/risk/page.py", "sizes = frame['age'].value_counts()"),
    (
        classes_are_counted_in_one_place,
        "ui/session/state.py",
        "rows, counts = np.unique(codes, axis=0, return_counts=True)",
    ),
    (cells_are_never_html, "pages/data/home/page.py", "st.markdown(name, unsafe_allow_html=True)"),
    (
        exceptions_are_never_shown,
        "pages/data/home/page.py",
        "try:\n    f()\nexcept OSError as e:\n    st.error(str(e))",
    ),
    (exceptions_are_never_shown, "ui/session/state.py", "try:\n    f()\nexcept Exception as e:\n    st.exception(e)"),
    (exceptions_are_never_shown, "ui/session/state.py", "import traceback"),
    (answers_depend_on_no_clock, "anonlib/analyses/frontier/archive.py", "from time import perf_counter"),
    (
        exceptions_are_never_shown,
        "anonlib/analyses/risk.py",
        "try:\n    f()\nexcept KeyError:\n    raise InputError('No.')",
    ),
    (nothing_is_fetched, "pages/data/home/page.py", "st.image('https://cdn.example.com/logo.png')"),
    (nothing_is_fetched, "pages/data/home/page.py", "font = '//fonts.example.com/a.css'"),
    (nothing_is_fetched, "anonlib/plots/regions.py", "figure = go.Choropleth()"),
    (nothing_is_fetched, "pages/protect/regions/page.py", "st.map(frame)"),
    (nothing_is_fetched, "pages/protect/regions/page.py", "st.pydeck_chart(deck)"),
    (nothing_is_fetched, "anonlib/plots/regions.py", "deck = pdk.Deck(layers)"),
    (nothing_is_fetched, "anonlib/plots/regions.py", "view = pdk.MapView()"),
    (steps_say_all_of_themselves, "anonlib/release/codebook.py", "moved = isinstance(step, ShiftDates | steps.Recode)"),
    (steps_say_all_of_themselves, "ui/session/decide.py", "if isinstance(step, (DropColumns, Unlink)): ..."),
    (steps_say_all_of_themselves, "anonlib/release/levels.py", "match step:\n    case MergeRare(level=level): ..."),
    (steps_say_all_of_themselves, "anonlib/verdict/attacks/matching.py", "parts = type(step) is GeneralizeLocally"),
    (steps_say_all_of_themselves, "anonlib/verdict/attacks/matching.py", "parts = isinstance(step, OfCells)"),
    (
        criteria_say_all_of_themselves,
        "pages/verdict/verdict/results.py",
        "from anonlib.verdict.criteria import Criterion, Inference",
    ),
    (
        criteria_say_all_of_themselves,
        "anonlib/verdict/proposals/what_if.py",
        "def f():\n    from anonlib.verdict.criteria.sizes import SmallestClass",
    ),
    (
        criteria_say_all_of_themselves,
        "ui/kit/uniqueness.py",
        "from anonlib.verdict import criteria\nis_one = isinstance(each, criteria.UniquenessOfRelease)",
    ),
    (criteria_say_all_of_themselves, "ui/kit/page.py", "is_one = criterion.kind == 'smallest_class'"),
    (criteria_say_all_of_themselves, "ui/kit/page.py", "is_one = each.criterion.kind in ('leakage', 'rare_values')"),
    (
        criteria_say_all_of_themselves,
        "ui/kit/page.py",
        "match criterion.kind:\n    case 'leakage' | 'inference': ...",
    ),
    (scripts_are_short, "app.py", "x = 1\n" * SCRIPT_LINES),
    (scripts_are_short, "pages/measure/risk/page.py", "x = 1\n" * SCRIPT_LINES),
    (no_path_of_one_machine, "anonlib/analyses/risk.py", "open('/home/someone/data.csv')"),
    (no_path_of_one_machine, "anonlib/analyses/risk.py", r"open('C:\\Users\\someone\\data.csv')"),
]
KEEPS: list[tuple[str, str]] = [
    ("anonlib/plots/risk.py", "import plotly.graph_objects as go\nfrom anonlib.analyses.risk import Assessment"),
    (
        "anonlib/analyses/regions/search.py",
        "from ..classes import ClassTable\nfrom . import places\nimport anonlib.values",
    ),
    (
        "anonlib/reading/samples/__init__.py",
        "from anonlib.reading.sources import open_source\nfrom anonlib.basics.errors import InputError",
    ),
    (
        "pages/data/home/page.py",
        "import streamlit\nfrom anonlib.reading.samples import SAMPLES\nfrom ui.kit import page",
    ),
    ("anonlib/analyses/risk.py", "values = np.unique(sizes, return_counts=True)\nsame = np.unique(sizes, axis=None)"),
    ("anonlib/counting/classes/table.py", "sizes = frame.groupby(names).size()"),
    ("pages/data/home/page.py", "try:\n    f()\nexcept InputError as error:\n    st.error(str(error))"),
    ("anonlib/analyses/risk.py", "try:\n    f()\nexcept KeyError:\n    raise InputError('No such column.') from None"),
    ("anonlib/reading/sources/text.py", "try:\n    f()\nexcept UnicodeDecodeError as error:\n    place(error.start)"),
    ("anonlib/analyses/risk.py", "try:\n    f()\nexcept InputError as error:\n    close()\n    raise error"),
    (
        "anonlib/analyses/risk.py",
        '"""See https://doi.org/10.1000/1."""\nURL = r"https?://\\S+"\nshare = "a / b, c // d"',
    ),
    (
        "pages/measure/risk/tabs/records.py",
        "from pages.measure.risk import picture\nfrom pages.measure.risk.parts import table",
    ),
    (
        "ui/session/keep.py",
        "place.slider('k', on_change=guard.action(take))\nst.plotly_chart(chart, on_select='rerun')",
    ),
    ("anonlib/release/steps/places.py", "return isinstance(step, Recode)"),
    ("anonlib/release/from_analyses.py", "steps = [Recode(name, Mask(0))]\nis_one = isinstance(step, Step)"),
    ("anonlib/verdict/criteria/aim.py", "from anonlib.verdict.criteria.sizes import SmallestClass"),
    (
        "pages/verdict/verdict/results.py",
        "from anonlib.verdict.criteria import Aim, Criterion\nFORMS = {'leakage': f}\nform = FORMS[criterion.kind]",
    ),
    ("anonlib/verdict/attacks/in_words.py", "guessed = attack.kind == 'inference'"),
    ("ui/kit/page.py", "labels = list(map(str, names))\ntext = 'and/or/var and 5/tmp/x'"),
]


@pytest.mark.parametrize(("rule", "path", "source"), BREAKS)
def test_the_rule_catches(rule: Rule, path: str, source: str, tmp_path: Path) -> None:
    target = tmp_path / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(textwrap.dedent(source))
    (module,) = modules_below(tmp_path)
    assert list(rule(module))


@pytest.mark.parametrize(("path", "source"), KEEPS)
def test_the_rules_let_pass(path: str, source: str) -> None:
    module = Module(path, source)
    assert [sentence for rule in RULES for sentence in rule(module)] == []


def test_a_cycle_is_found() -> None:
    around = [Module("anonlib/a.py", "import anonlib.b"), Module("anonlib/b.py", "def f():\n    from anonlib import a")]
    assert import_cycle(around) == ["anonlib.a", "anonlib.b", "anonlib.a"]
    assert import_cycle(around[:1]) == []
    rooms = [
        Module("anonlib/x/a/one.py", "import anonlib.x.b.one"),
        Module("anonlib/x/b/one.py", ""),
        Module("anonlib/x/b/two.py", "from anonlib.x.a.two import f"),
        Module("anonlib/x/a/two.py", ""),
    ]
    assert import_cycle(rooms) == [] and room_cycle(rooms) == ["anonlib.x.a", "anonlib.x.b", "anonlib.x.a"]
    assert room_cycle(rooms[:2]) == []
