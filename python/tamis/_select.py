"""select: the k best positions of every row."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

from tamis import _core
from tamis._options import Nan, Order, SlotDtype, Ties, stream_of
from tamis._plan import agreed, plan_for
from tamis._selection import Selection, room_for
from tamis.errors import InvalidArgument


def _tracing_if_torch() -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and hasattr(torch, "compiler") and bool(torch.compiler.is_compiling())


# Whether torch.compile is tracing the caller. tamis._torch puts torch's own function here once it is imported.
tracing: Callable[[], bool] = _tracing_if_torch


def select(
    scores: Any,
    lengths: Any = None,
    *,
    k: int | None = None,
    starts: Any = None,
    next_n: int = 1,
    divisor: int = 1,
    ties: Ties = "lowest_index",
    order: Order = "any",
    nan: Nan = "lowest",
    page_table: Any = None,
    page_size: int | None = None,
    table_of_row: Any = None,
    cu_rows: Any = None,
    page_start: Any = None,
    offsets: Any = None,
    outputs: str | Iterable[str] | None = None,
    slot_dtype: SlotDtype = "int32",
    out: Any = None,
    faults: Any = None,
    plan: _core.Plan | None = None,
    workspace: Any = None,
    stream: Any = None,
) -> Selection:
    """Selects the k best positions of every row of `scores`, exactly.

    The selected set of a row is the first n = min(k, length) positions by falling score, equal scores by rising
    position: the same on every backend, device and run. All arrays are of one device; all but `scores` are contiguous
    int32, and rows of `scores`, `page_table` and outputs may lie further apart than they are long.

    Input:
        scores: float32, float16 or bfloat16 [rows, width], contiguous along a row; only read.
        lengths: [ceil(rows / next_n)], scores of the row's window; None: width. <= 0 is an empty row; what leaves the
            width is clamped and counted in `faults`.
        starts: [rows], first column of the window; None: 0. Outside [0, width] the row is empty, and counted.
        next_n, divisor: row r sees (lengths[r // next_n] - next_n + r % next_n + 1) // divisor scores.
        k: positions a row, >= 1; may exceed the width. Needed unless `plan` is given.
        ties: 'lowest_index', or 'any' where it does not matter which of several equal scores are taken.
        order: 'any', 'by_index' (ascending position) or 'by_score' (best first).
        nan: 'lowest' (below -inf) or 'highest' (above +inf).
    Mapping of `slots`, at most one:
        page_table: [tables, columns], page numbers, with `page_size` tokens a page. Position p of row r becomes
            page_table[t, q // page_size] * page_size + q % page_size, q = p + page_start[r], where t is
            table_of_row[r] ([rows]), the segment cu_rows[t] <= r < cu_rows[t + 1] ([tables + 1]), or r.
        offsets: [rows]; p becomes p + offsets[r].
    Output:
        outputs: names out of 'indices', 'slots', 'scores', 'counts'; None: 'slots' where there is a mapping, else
            'indices'. slot_dtype: 'int32' or 'int64'.
        out: arrays to write instead of new ones: a Selection, or the one array wanted by default.
        faults: a record of `new_faults`, which the call adds to.
    Execution:
        plan: of `tamis.plan` for this shape and device; next_n, divisor, ties, order and nan are then the plan's.
        workspace: plan.workspace_bytes bytes, [bytes] uint8 or any contiguous vector of that size; None: a new one.
        stream: a stream of the framework, its address, or tamis.Threads for the CPU; None: the framework's current
            stream, on the CPU the calling thread. Nothing synchronises, and CUDA graphs capture the call.

    Returns the outputs. Raises InvalidArgument, PlanMismatch, WorkspaceTooSmall, NoDevice (nothing was written then),
    BackendError, and TypeError for what is no array or no number.
    """
    if tracing():
        from tamis._torch import traced_select

        return traced_select(
            scores, lengths, k, starts, next_n, divisor, ties, order, nan,
            page_table, page_size, table_of_row, cu_rows, page_start, offsets,
            outputs, slot_dtype, out, faults, plan, workspace, stream,
        )  # fmt: skip
    mapped = page_table is not None or offsets is not None
    threads = stream.count if isinstance(stream, _core.Threads) else 1
    plan = agreed(plan, k) if plan is not None else _plan_of(scores, k, next_n, divisor, ties, order, nan, threads)
    result, workspace = room_for(plan, scores, outputs, slot_dtype, mapped, out, workspace)
    _core.select(
        plan, scores, lengths, starts, *result,
        page_table, page_size, table_of_row, cu_rows, page_start, offsets, faults,
        workspace, stream_of(stream),
    )  # fmt: skip
    return result


def _plan_of(
    scores: Any, k: int | None, next_n: int, divisor: int, ties: str, order: str, nan: str, threads: int
) -> _core.Plan:
    shape, score_type, kind, ordinal = _core.describe(scores)
    if len(shape) != 2:
        raise InvalidArgument(f"scores has shape {shape}; it must be [rows, width]")
    if k is None:
        raise InvalidArgument("k is None; it must be given, or a plan")
    return plan_for(shape[0], shape[1], k, score_type, next_n, divisor, ties, order, nan, (kind, ordinal, threads))
