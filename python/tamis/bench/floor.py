"""The floor under a selection: the time to read every score once and write one number for a piece of a row, a kernel of
Triton's at its best grid, or torch.amax where there is no Triton. No selector runs faster, and the floor needs no
datasheet: it is measured in the same run, on the same scores, in the same way."""

from __future__ import annotations

from typing import Any

from tamis.bench.measure import microseconds, summary
from tamis.bench.peers import Problem

BLOCK, MOST_PROGRAMS = 2048, 4096


def _pieces(rows: int, length: int) -> list[int]:
    """Into how many pieces rows may be cut: one, and powers of two up to a block's worth of scores a piece."""
    pieces = [1]
    while 2 * pieces[-1] * BLOCK <= length and 2 * pieces[-1] * rows <= MOST_PROGRAMS:
        pieces.append(2 * pieces[-1])
    return pieces


def _kernel(scores: Any) -> Any:
    """read_once, where the scores are on a GPU and Triton is here, else None."""
    if not scores.is_cuda:
        return None
    try:
        from tamis.bench.read_once import read_once
    except ImportError:
        return None
    return read_once


def floor(problem: Problem, device: str) -> tuple[str, str]:
    """(microseconds, what was measured)."""
    scores, read_once = problem.scores, _kernel(problem.scores)
    if read_once is None:
        return summary(microseconds(lambda: scores.amax(1), device))["time_us"], "torch.amax"
    times = [_microseconds(read_once, scores, pieces, device) for pieces in _pieces(*scores.shape)]
    return min(times, key=float), "read_once"


def _microseconds(read_once: Any, scores: Any, pieces: int, device: str) -> str:
    maxima = scores.new_empty((scores.shape[0], pieces))
    return summary(microseconds(lambda: read_once(scores, maxima, BLOCK), device))["time_us"]
