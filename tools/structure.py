"""A look at the structure: ``python -m tools.structure`` prints the sizes of folders and what is large or small.

No test holds these: a module has the size at which it reads in one go. This shows where to look.
"""

from __future__ import annotations

import ast
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("anonlib", "ui", "pages")
LONG = 700
"""Lines above which a module is worth a look."""
SHORT = 60


@dataclass(frozen=True)
class Module:
    """A module and its lines.

    Attributes
    ----------
    path : str
        From the root.
    lines, documentation, imports : int
        All lines; those of docstrings; those of imports.
    imported : frozenset[str]
        The dotted names that it imports.
    """

    path: str
    lines: int
    documentation: int
    imports: int
    imported: frozenset[str]

    @property
    def name(self) -> str:
        """Its dotted name."""
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def modules(root: Path = ROOT) -> list[Module]:
    """Every module of the product, in the order of their paths."""
    paths = [path for room in ROOMS for path in sorted((root / room).rglob("*.py"))]
    return [module_of(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")) for path in paths]


def module_of(path: str, source: str) -> Module:
    """A module by its source."""
    documentation = imports = 0
    imported: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            documentation += _lines(node.body[0])
        elif isinstance(node, ast.Import | ast.ImportFrom):
            imports += _lines(node)
            base = getattr(node, "module", None)
            imported |= {f"{base}.{alias.name}" if base else alias.name for alias in node.names} | {base or ""}
    return Module(path, len(source.splitlines()), documentation, imports, frozenset(imported))


def _lines(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def report(product: list[Module]) -> Iterator[str]:
    """The lines that are printed."""
    by_folder: dict[str, list[Module]] = defaultdict(list)
    for module in product:
        by_folder["/".join(module.path.split("/")[:2])].append(module)
    yield f"{'':32}modules   lines  docstrings  imports  median"
    for folder, members in sorted([*by_folder.items(), *_rooms(product)]):
        sizes = [module.lines for module in members if not module.path.endswith("__init__.py")] or [0]
        lines = sum(module.lines for module in members)
        documentation = sum(module.documentation for module in members)
        imports = sum(module.imports for module in members) / max(1, lines)
        yield (f"{folder:32}{len(members):7}{lines:8,}{documentation:12,}{imports:9.1%}{statistics.median(sizes):8.0f}")
    importers = Counter(name for module in product for name in module.imported)
    once = [module for module in product if importers[module.name] == 1 and module.lines < SHORT]
    yield ""
    yield f"Longer than {LONG} lines: " + ", ".join(f"{m.path} ({m.lines})" for m in product if m.lines > LONG)
    yield f"Shorter than {SHORT} lines, and imported once: " + ", ".join(f"{m.path} ({m.lines})" for m in once)


def _rooms(product: list[Module]) -> list[tuple[str, list[Module]]]:
    return [(room, [module for module in product if module.path.startswith(f"{room}/")]) for room in ROOMS]


if __name__ == "__main__":
    print("\n".join(report(modules())))
