"""The tests of what changed: ``python tools/affected.py [BASE]`` prints their files, one a line.

Against a commit (HEAD where none is given), a change of

* a test file is tried by itself, one of ``tests/helpers`` or ``tests/reference`` by the test files that import it;
* a module by the tests of it and of the modules that import it, and by the test files that import it themselves;
* a module of ``anonlib/basics`` by all tests of the library;
* anything else by the tests of documents, of what is installed and of ``make``.

Nothing changed: it says so, with status 3. A name that a package hands on counts as imported from where it is defined.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
CODE = ("anonlib", "ui", "pages", "tools", "app.py")
SHARED = ("tests/helpers/", "tests/reference/", "tests/browser/app.py")
ALL_OF_LIBRARY = "tests/anonlib"
NOTHING = 3  # the status
OF_CODE = ("tests/test_architecture.py", "tests/test_language.py", "tests/test_docstrings.py")
OF_OTHER_FILES = ("tests/test_documents.py", "tests/test_readme.py", "tests/tools/test_make.py")


class Sources:
    """The Python files of a tree: which imports which, and which are tests of which.

    Parameters
    ----------
    texts
        The text of each Python file by its path from the root.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._paths = {_name(path): path for path in texts}

    @cached_property
    def _imported(self) -> dict[str, list[tuple[str, str]]]:
        """By path, the modules and the names of them that a file imports; "" for the module itself."""
        return {path: list(_imports(text)) for path, text in self._texts.items()}

    def _defined_in(self, module: str, name: str, seen: frozenset[str] = frozenset()) -> str | None:
        """The path of the module that a name of a module comes from; None where it is none of the tree."""
        if name and f"{module}.{name}" in self._paths:
            return self._paths[f"{module}.{name}"]
        path = self._paths.get(module)
        if path is None or not name or path in seen or not path.endswith("__init__.py"):
            return path
        for other, handed_on in self._imported[path]:
            if handed_on == name:
                return self._defined_in(other, name, seen | {path}) or path
        return path

    @cached_property
    def _importers(self) -> dict[str, set[str]]:
        """By path, the files that import from it."""
        importers: dict[str, set[str]] = {}
        for path, imported in self._imported.items():
            for module, name in imported:
                if (source := self._defined_in(module, name)) is not None:
                    importers.setdefault(source, set()).add(path)
        return importers

    def tests_of(self, changed: Iterable[str]) -> set[str]:
        """The test files, or folders of them, that try what these changed files do."""
        tests: set[str] = set()
        for path in changed:
            if path.startswith("anonlib/basics/"):
                tests.add(ALL_OF_LIBRARY)
            if path.startswith(SHARED):
                tests |= self._tests_that_import(path)
            elif _is_test(path):
                tests |= {path} & self._texts.keys()
            elif not path.endswith(".py"):
                tests |= {*OF_OTHER_FILES, *self._tests_beside(path)}
            elif path.startswith("tests/"):  # a conftest.py is of all that are beside it
                tests.add(str(PurePosixPath(path).parent))
            else:
                users = {user for user in self._importers.get(path, ()) if user.startswith(CODE)}
                tests |= {*OF_CODE, *self._tests_that_import(path), *self._tests_beside(path)}
                tests |= {test for user in users for test in self._tests_beside(user)}
        return {test for test in tests if not any(test.startswith(f"{folder}/") for folder in tests)}

    def _tests_that_import(self, path: str) -> set[str]:
        direct = self._importers.get(path, set())
        through = {test for user in direct if user.startswith(SHARED) for test in self._importers.get(user, ())}
        return set(filter(_is_test, direct if not path.startswith(SHARED) else direct | through))

    def _tests_beside(self, path: str) -> set[str]:
        """The test file that has the name of a file, or else of the nearest folder that has one."""
        place = PurePosixPath(path).with_suffix("")
        if place.name in ("__init__", "__main__", "page"):
            place = place.parent
        for part in (place, *place.parents[:-1]):
            for test in (f"tests/{part.parent}/test_{part.name}.py", f"tests/{part}/test_{part.name}.py"):
                if (named := str(PurePosixPath(test))) in self._texts:
                    return {named}
        return set()


def _name(path: str) -> str:
    return ".".join(PurePosixPath(path).with_suffix("").parts).removesuffix(".__init__")


def _is_test(path: str) -> bool:
    return path.startswith("tests/") and PurePosixPath(path).name.startswith("test_") and path.endswith(".py")


def _imports(text: str) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, alias.name) for alias in node.names)


def changed_against(base: str) -> list[str]:
    """The files that differ from a commit, those that nobody has added yet among them."""
    return _git("diff", "--name-only", "--no-renames", base) + _git("ls-files", "--others", "--exclude-standard")


def _git(*words: str) -> list[str]:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


def main(base: str = "HEAD") -> int:
    """Print the tests of what differs from a commit; status 3, and a sentence, where nothing does."""
    changed = changed_against(base)
    if not changed:
        print(f"Nothing differs from {base}: there is nothing to test.", file=sys.stderr)
        return NOTHING
    files = [path for folder in (*CODE, "tests") for path in (ROOT / folder).rglob("*.py")] + [ROOT / "app.py"]
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files}
    print(*sorted(Sources(texts).tests_of(changed)), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
