"""The look at the structure counts what is there."""

from __future__ import annotations

from tools.structure import module_of, report


def test_lines_of_documentation_and_imports_are_counted():
    module = module_of("anonlib/a.py", '"""One.\n\nTwo.\n"""\n\nimport os\nfrom b import (\n    c,\n)\n\nx = os, c\n')
    assert (module.lines, module.documentation, module.imports) == (11, 4, 4)
    assert module.name == "anonlib.a" and {"os", "b.c"} <= module.imported


def test_what_is_long_and_what_is_short_is_named():
    long = module_of("anonlib/long.py", "import anonlib.short\n" + "x = 1\n" * 700)
    short = module_of("anonlib/short.py", "x = 1\n")
    *_, of_long, of_short = report([long, short])
    assert of_long.endswith("anonlib/long.py (701)") and of_short.endswith("anonlib/short.py (1)")
