"""Runs the notebooks of examples/notebooks and writes their outputs into them.

    python tools/notebooks.py            # run all, and write the outputs
    python tools/notebooks.py --check    # run all, write nothing; exit 1 if an output differs

A notebook here is JSON with Markdown and Python cells. The value of a cell's last expression is its
output, as HTML where it has a table. No Jupyter is needed, and none is installed.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import os
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "examples" / "notebooks"


def run_notebook(path: Path) -> dict[str, Any]:
    """Run the code cells of a notebook in one namespace; return the notebook with outputs."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    code = (cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    for number, cell in enumerate(code, start=1):
        cell["execution_count"] = number
        cell["outputs"] = run_cell("".join(cell["source"]), names, number)
    return notebook


def run_cell(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Run one cell; return its printed text and the value of its last expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value: Any = None
    with redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        outputs.append({"name": "stdout", "output_type": "stream", "text": text})
    if value is not None:
        outputs.append(
            {
                "data": shown(value),
                "execution_count": number,
                "metadata": {},
                "output_type": "execute_result",
            }
        )
    return outputs


def shown(value: Any) -> dict[str, list[str]]:
    """Return the representations of a value that a notebook displays."""
    found = {"text/plain": repr(value).splitlines(keepends=True)}
    if hasattr(value, "_repr_html_"):
        found = {"text/html": value._repr_html_().splitlines(keepends=True), **found}
    return found


def written(notebook: dict[str, Any]) -> str:
    """Return a notebook as its file holds it."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    """Run all notebooks; return 1 if one differs and is only checked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check
    differing = []
    for path in sorted(FOLDER.glob("*.ipynb")):
        os.chdir(FOLDER)  # notebooks name the files beside them
        now = written(run_notebook(path))
        if now != path.read_text(encoding="utf-8"):
            differing.append(path.name)
            if not check:
                path.write_text(now, encoding="utf-8")
    for name in differing:
        print(f"{name}: {'differs' if check else 'written'}")
    return int(check and bool(differing))


if __name__ == "__main__":
    sys.exit(main())
