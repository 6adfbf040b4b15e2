"""The score patterns that tests and benchmarks draw from."""

from __future__ import annotations

import operator
from typing import Any

from tamis import _core
from tamis.errors import InvalidArgument


def patterns() -> dict[str, str]:
    """Every pattern by name, with a line on what its scores look like and whom they hurt."""
    return _core.patterns()


def generate(
    pattern: str,
    rows: int | None = None,
    width: int | None = None,
    *,
    seed: int = 0,
    dtype: str = "float32",
    first_row: int = 0,
    out: Any = None,
) -> Any:
    """Scores of `pattern` [rows, width] as a NumPy array: equal arguments give equal bits on every machine.

    dtype: 'float32' or 'float16'. out: host memory to fill instead, of any framework; bfloat16 too.
    Row r depends on (pattern, seed, first_row + r, width) alone, so rows may be made apart.
    Raises InvalidArgument, for an unknown pattern with the list of the known ones.
    """
    if not isinstance(pattern, str):
        raise TypeError(f"pattern is {pattern!r}; it must be a name")
    if out is None:
        out = _new(rows, width, dtype)
    elif rows is not None or width is not None:
        raise InvalidArgument("rows or width is given beside out; out has both")
    _core.generate(pattern, seed, out, first_row)
    return out


def _new(rows: int | None, width: int | None, dtype: str) -> Any:
    if rows is None or width is None:
        raise InvalidArgument("rows or width is None; both must be given, or out")
    if dtype not in ("float32", "float16"):
        raise InvalidArgument(f"dtype is {dtype!r}; it must be float32 or float16 (give out for others)")
    import numpy

    return numpy.empty((_size("rows", rows), _size("width", width)), dtype)


def _size(name: str, value: Any) -> int:
    if not hasattr(value, "__index__"):
        raise TypeError(f"{name} is {value!r}; it must be an int")
    if value < 0:
        raise InvalidArgument(f"{name} is {value}; it must be 0 or more")
    return operator.index(value)
