"""The walk over all sets of attributes that may be known, compiled and on all cores.

What is counted, and how it is compared, is in :mod:`anonlib.counting.classes.walk.kernel`; the order of the sets, and
what is kept between them, in :mod:`anonlib.counting.classes.walk.least`. Importing this loads the compiler.
"""

from anonlib.counting.classes.walk.least import Walk

__all__ = ["Walk"]
