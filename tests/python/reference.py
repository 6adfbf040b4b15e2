"""What a selection must be, by sorting whole rows with NumPy; shares nothing with the library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Maker:
    """A framework and a device: arrays from NumPy's and back."""

    name: str
    array: Callable[[Any], Any]
    numpy: Callable[[Any], Any]

    @property
    def mutable(self):
        return not self.name.startswith("jax")


def window(row, width, lengths, starts, next_n=1, divisor=1):
    """(start, length) of a row as the contract clamps them."""
    start = 0 if starts is None else int(starts[row])
    length = width if lengths is None else int(lengths[row // next_n])
    length = max(0, (length - next_n + row % next_n + 1)) // divisor
    if not 0 <= start <= width:
        return 0, 0
    return start, min(length, width - start)


def best(values, k, nan="lowest"):
    """Positions of the k best of a window, best first, equal scores by position."""
    keys = np.asarray(values, dtype=np.float64).copy()
    keys += 0.0  # -0.0 becomes +0.0
    is_nan = np.isnan(keys)
    rank = np.where(is_nan, 2 if nan == "highest" else 0, 1)
    keys[is_nan] = 0
    return np.lexsort((np.arange(len(keys)), -keys, -rank))[:k]


def indices(scores, k, lengths=None, starts=None, next_n=1, divisor=1, nan="lowest"):
    """[rows, k] positions best first, then -1."""
    rows, width = scores.shape
    result = np.full((rows, k), -1, np.int32)
    for row in range(rows):
        start, length = window(row, width, lengths, starts, next_n, divisor)
        chosen = best(scores[row, start : start + length], k, nan)
        result[row, : len(chosen)] = chosen
    return result


def by_position(positions):
    """The same sets in ascending order, -1 last."""
    return np.sort(np.where(positions < 0, np.iinfo(np.int32).max, positions), axis=1)
