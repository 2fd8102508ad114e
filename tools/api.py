"""The pages of docs/api: ``python -m tools.api`` makes them from the docstrings of what packages offer, offline.

A page is of a package that names what it offers (``__all__``). Begin with docs/api/index.html.
"""

from __future__ import annotations

import importlib
import shutil
import sys
from pathlib import Path

from pdoc import render
from pdoc.doc import Module

import anonlib

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "api"
LIBRARY = Path(anonlib.__file__).parent


def packages() -> list[str]:
    """The names of packages that offer something, the library itself first."""
    names = (".".join(["anonlib", *path.parent.relative_to(LIBRARY).parts]) for path in LIBRARY.rglob("__init__.py"))
    return sorted(name for name in names if getattr(importlib.import_module(name), "__all__", ()))


def write(folder: Path, names: list[str]) -> None:
    """Write the pages of these packages into a folder, and an index; what was there before goes."""
    for name in anonlib.__all__:  # which are looked up when they are used first, and pdoc does not use them
        setattr(anonlib, name, getattr(anonlib, name))
    modules = {name: Module(importlib.import_module(name)) for name in names}
    pages = {f"{name.replace('.', '/')}.html": render.html_module(module, modules) for name, module in modules.items()}
    shutil.rmtree(folder, ignore_errors=True)
    pages |= {"index.html": render.html_index(modules), "search.js": render.search_index(modules)}
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def main() -> int:
    """Write the pages of all packages."""
    render.configure(docformat="numpy", show_source=False)
    names = packages()
    write(FOLDER, names)
    print(f"{len(names)} packages are described from {FOLDER.relative_to(ROOT)}/index.html on.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
