"""The notebooks in docs/notebooks: ``python -m tools.notebooks`` runs each and writes what it prints and draws into it.

The cells of code run in their order in one namespace, as in Jupyter, which this does not need. What is written is the
same each time, so that a test can compare it: what is printed, and of a cell that ends in a figure its drawing.
"""

from __future__ import annotations

import ast
import io
import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from anonlib.plots.still import svg

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "notebooks"
Cell = dict[str, Any]


def cells_of(path: Path, kind: str) -> list[Cell]:
    """The cells of a notebook of a kind, "code" or "markdown", in their order."""
    return [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == kind]


def text_of(cell: Cell) -> str:
    """What stands in a cell."""
    return "".join(cell["source"])


def outputs_of(cells: list[Cell], name: str) -> Iterator[list[dict[str, Any]]]:
    """Run cells of code, one after the other, and yield what each gives, as a notebook has it.

    An error of a cell is raised as it is, with the notebook's name and the number of the cell in its traceback.
    """
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(cells, start=1):
        statements = ast.parse(text_of(cell)).body
        last = statements[-1]
        if isinstance(last, ast.Expr):
            statements.pop()
        printed = io.StringIO()
        with redirect_stdout(printed):
            place = f"{name}, cell {number}"
            exec(compile(ast.Module(statements, []), place, "exec"), namespace)
            value = None
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), place, "eval"), namespace)
        outputs: list[dict[str, Any]] = []
        if printed.getvalue():
            outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
        if hasattr(value, "to_plotly_json"):
            outputs.append(
                {"data": {"image/svg+xml": _lines(svg(value))}, "metadata": {}, "output_type": "display_data"}
            )
        yield outputs


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main() -> int:
    """Run every notebook and write its outputs."""
    for path in sorted(FOLDER.glob("*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        for number, (cell, outputs) in enumerate(zip(code, outputs_of(code, path.name), strict=True), start=1):
            cell |= {"execution_count": number, "outputs": outputs}
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(path.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
