"""FlashInfer's top-k calls. NaN is above +inf, as in torch.topk.

sorted gives best first, equal scores by position; deterministic gives ascending position; both without cost in
exactness. tie_break 0 and 1 take the lower positions of equal scores; 2 takes the higher ones, by selecting from a
reversed copy of the scores. dsa_graph_safe changes nothing: every call can be captured."""

from __future__ import annotations

from typing import Any

from tamis._options import Order
from tamis._select import select
from tamis._selection import Selection
from tamis.errors import InvalidArgument

_SMALLER, _LARGER = (0, 1), 2


def top_k(
    input: Any,
    k: int,
    sorted: bool = False,
    deterministic: bool = False,
    tie_break: int = 0,
    dsa_graph_safe: bool = False,
) -> tuple[Any, Any]:
    """(values, indices): the input's type and int64, both [rows, k]; past the width -inf and -1."""
    order = _order(sorted, deterministic)
    if _prefers_larger(tie_break):
        return _top_k_of_reversed(input, k, order)
    chosen = select(input, k=k, order=order, nan="highest", outputs=("slots", "scores"), slot_dtype="int64")
    return chosen.scores, chosen.slots


def top_k_page_table_transform(
    input: Any,
    src_page_table: Any,
    lengths: Any,
    k: int,
    row_to_batch: Any = None,
    deterministic: bool = False,
    tie_break: int = 0,
    dsa_graph_safe: bool = False,
    row_starts: Any = None,
    page_table_row_starts: Any = None,
    *,
    page_size: int = 1,
    out: Any = None,
    out_raw_indices: Any = None,
) -> Any:
    """src_page_table[b, s + p // page_size] * page_size + p % page_size, int32 [rows, k], padded with -1, where b is
    row_to_batch[row] or row, and s is page_table_row_starts[row], in entries of the table; None: row_starts[row]."""
    if page_size != 1 and row_starts is not None and page_table_row_starts is None:
        raise InvalidArgument("page_table_row_starts is None; it must be given with row_starts and page_size > 1")
    table_starts = row_starts if page_table_row_starts is None else page_table_row_starts
    page_start = table_starts if table_starts is None or page_size == 1 else table_starts * page_size
    if out is None:
        out = input.new_empty((input.shape[0], k), dtype=lengths.dtype)
    if _prefers_larger(tie_break):
        raw = _positions_of_reversed(input, k, lengths, row_starts)
        batch = row_to_batch if row_to_batch is not None else _arange(input.shape[0], lengths)
        out.copy_(_paged(raw, src_page_table, batch, page_start, page_size))
        if out_raw_indices is not None:
            out_raw_indices.copy_(raw)
        return out
    select(
        input, lengths, k=k, starts=row_starts, order=_order(False, deterministic), nan="highest",
        page_table=src_page_table, page_size=page_size, table_of_row=row_to_batch, page_start=page_start,
        out=Selection(indices=out_raw_indices, slots=out),
    )  # fmt: skip
    return out


def top_k_ragged_transform(
    input: Any,
    offsets: Any,
    lengths: Any,
    k: int,
    deterministic: bool = False,
    tie_break: int = 0,
    dsa_graph_safe: bool = False,
    row_starts: Any = None,
) -> Any:
    """Positions relative to row_starts, plus offsets[row], int32 [rows, k], padded with -1."""
    if _prefers_larger(tie_break):
        raw = _positions_of_reversed(input, k, lengths, row_starts)
        return (raw + offsets.unsqueeze(1)).masked_fill(raw < 0, -1)
    order = _order(False, deterministic)
    return select(input, lengths, k=k, starts=row_starts, order=order, nan="highest", offsets=offsets).slots


def _order(by_score: bool, deterministic: bool) -> Order:
    if by_score:
        return "by_score"
    return "by_index" if deterministic else "any"


def _prefers_larger(tie_break: int) -> bool:
    if int(tie_break) not in (*_SMALLER, _LARGER):
        raise InvalidArgument(f"tie_break is {tie_break}; it must be 0, 1 or 2")
    return int(tie_break) == _LARGER


def _arange(size: int, like: Any) -> Any:
    return like.new_ones(size).cumsum(0) - 1


def _top_k_of_reversed(input: Any, k: int, order: Order) -> tuple[Any, Any]:
    chosen = select(input.flip(1), k=k, order=order, nan="highest", outputs=("slots", "scores"), slot_dtype="int64")
    return chosen.scores, (input.shape[1] - 1 - chosen.slots).masked_fill(chosen.slots < 0, -1)


def _positions_of_reversed(input: Any, k: int, lengths: Any, row_starts: Any) -> Any:
    """Positions, the higher ones taken of equal scores: a window's mirror image is [width - end, width - start)."""
    width = input.shape[1]
    starts = lengths * 0 if row_starts is None else row_starts
    inside = ((starts >= 0) & (starts <= width)).to(lengths.dtype)
    seen = lengths.minimum(width - starts).clamp(min=0) * inside
    chosen = select(input.flip(1), seen, k=k, starts=width - starts - seen, order="by_index", nan="highest").indices
    return (seen.unsqueeze(1) - 1 - chosen).masked_fill(chosen < 0, -1)


def _paged(raw: Any, table: Any, batch: Any, page_start: Any, page_size: int) -> Any:
    """Positions mapped through the table by torch; what has no entry or a negative one is -1."""
    at = raw if page_start is None else raw + page_start.unsqueeze(1)
    column = at.div(page_size, rounding_mode="floor").long()
    inside = (raw >= 0) & (column >= 0) & (column < table.shape[1])
    page = table[batch.long().unsqueeze(1), column.clamp(0, table.shape[1] - 1)]
    return (page * page_size + at.remainder(page_size)).masked_fill(~inside | (page < 0), -1)
