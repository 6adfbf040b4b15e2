"""merge: the candidates of several shards to one selection."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tamis import _core
from tamis._options import Nan, Order, SlotDtype, Ties, stream_of
from tamis._plan import agreed, plan_for_merge
from tamis._selection import Selection, room_for
from tamis.errors import InvalidArgument


def merge(
    scores: Any,
    positions: Any,
    counts: Any = None,
    *,
    k: int | None = None,
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
    """Merges candidate lists, one a shard of the KV cache, into the selection that one rank would have made.

    scores: float32, float16 or bfloat16 [lists, rows, capacity]: candidates in any order, contiguous along a list.
    positions: int32 of the same shape and strides, global and >= 0, each at most once a row.
    counts: int32 [lists, rows], entries that are candidates; None: all. Outside [0, capacity] they are clamped.
    All else is as in `select`, with `tamis.plan_merge` making plans. Where every shard kept its own best k, the result
    equals select on the whole row bit for bit, ties included.

    Returns the outputs. Raises what `select` raises.
    """
    mapped = page_table is not None or offsets is not None
    threads = stream.count if isinstance(stream, _core.Threads) else 1
    plan = agreed(plan, k) if plan is not None else _plan_of(scores, k, ties, order, nan, threads)
    result, workspace = room_for(plan, scores, outputs, slot_dtype, mapped, out, workspace)
    _core.merge(
        plan, scores, positions, counts, *result,
        page_table, page_size, table_of_row, cu_rows, page_start, offsets, faults,
        workspace, stream_of(stream),
    )  # fmt: skip
    return result


def _plan_of(scores: Any, k: int | None, ties: str, order: str, nan: str, threads: int) -> _core.Plan:
    shape, score_type, kind, ordinal = _core.describe(scores)
    if len(shape) != 3:
        raise InvalidArgument(f"scores has shape {shape}; it must be [lists, rows, capacity]")
    if k is None:
        raise InvalidArgument("k is None; it must be given, or a plan")
    lists, rows, capacity = shape
    return plan_for_merge(rows, lists, capacity, k, score_type, ties, order, nan, (kind, ordinal, threads))
