"""FlashInfer's top-k calls. NaN is above +inf, as in torch.topk.

sorted gives best first, equal scores by position; deterministic gives ascending position; both without cost in
exactness. tie_break 0 and 1 take the lower positions of equal scores; 2 takes the higher ones, by selecting from a
mirrored copy of the scores. dsa_graph_safe changes nothing: every call can be captured."""

from __future__ import annotations

from typing import Any

from tamis._merge import merge
from tamis._options import Order
from tamis._select import select
from tamis._selection import Selection
from tamis.compat._arguments import required
from tamis.errors import InvalidArgument

_LARGER = 2


def top_k(
    input: Any,
    k: int,
    sorted: bool = False,
    deterministic: bool = False,
    tie_break: int = 0,
    dsa_graph_safe: bool = False,
) -> tuple[Any, Any]:
    """(values, indices): the input's type and int64, both [rows, k]; past the width -inf and -1."""
    outputs = ("slots", "scores")
    order = _order(sorted, deterministic)
    chosen = _chosen(input, None, k, None, tie_break, order=order, outputs=outputs, slot_dtype="int64")
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
        required("lengths", lengths)
        out = required("input", input).new_empty((input.shape[0], k), dtype=lengths.dtype)
    _chosen(
        input, required("lengths", lengths), k, row_starts, tie_break, order=_order(False, deterministic),
        page_table=required("src_page_table", src_page_table), page_size=page_size, table_of_row=row_to_batch,
        page_start=page_start, out=Selection(indices=out_raw_indices, slots=out),
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
    order = _order(False, deterministic)
    offsets, lengths = required("offsets", offsets), required("lengths", lengths)
    return _chosen(input, lengths, k, row_starts, tie_break, order=order, offsets=offsets).slots


def _order(by_score: bool, deterministic: bool) -> Order:
    if by_score:
        return "by_score"
    return "by_index" if deterministic else "any"


def _chosen(input: Any, lengths: Any, k: int, row_starts: Any, tie_break: int, **outputs: Any) -> Selection:
    if tie_break not in (0, 1, _LARGER):
        raise InvalidArgument(f"tie_break is {tie_break!r}; it must be 0, 1 or 2")
    if tie_break == _LARGER:
        return merge(*_mirrored(input, lengths, k, row_starts), k=k, nan="highest", **outputs)
    return select(input, lengths, k=k, starts=row_starts, nan="highest", **outputs)


def _mirrored(input: Any, lengths: Any, k: int, row_starts: Any) -> tuple[Any, Any, Any]:
    """The k best as one candidate list a row, the higher positions taken of equal scores: what select takes from the
    rows' mirror image, where a window is [width - end, width - start). Merging that list alone decides nothing more."""
    width = required("input", input).shape[-1]
    rows = input.new_zeros(input.shape[:1]).int()
    starts = rows if row_starts is None else row_starts
    inside = ((starts >= 0) & (starts <= width)).int()
    seen = (rows + width if lengths is None else lengths).minimum(width - starts).clamp(min=0) * inside
    everything = ("indices", "scores", "counts")
    chosen = select(input.flip(-1), seen, k=k, starts=width - starts - seen, nan="highest", outputs=everything)
    positions = seen.unsqueeze(1) - 1 - chosen.indices
    return chosen.scores.unsqueeze(0), positions.unsqueeze(0), chosen.counts.unsqueeze(0)
