"""A kernel that reads every score of every row once: the maximum of each piece of a row. Imported where Triton is."""

from __future__ import annotations

from typing import Any

import triton
import triton.language as tl


@triton.jit  # type: ignore[untyped-decorator]
def _maxima(scores, maxima, stride, length, pieces, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    row, piece = tl.program_id(0) // pieces, tl.program_id(0) % pieces
    begin = scores + row.to(tl.int64) * stride
    best = tl.full((BLOCK,), float("-inf"), tl.float32)
    for first in range(piece * BLOCK, length, pieces * BLOCK):
        at = first + tl.arange(0, BLOCK)
        best = tl.maximum(best, tl.load(begin + at, mask=at < length, other=float("-inf")))
    tl.store(maxima + tl.program_id(0), tl.max(best, 0))


def read_once(scores: Any, maxima: Any, block: int) -> None:
    """Writes the maximum of each of maxima.shape[1] pieces of every row."""
    rows, pieces = maxima.shape
    _maxima[(rows * pieces,)](scores, maxima, scores.stride(0), scores.shape[1], pieces, BLOCK=block, num_warps=8)
