"""vLLM's top-k calls: vllm._custom_ops.top_k_per_row_* and torch.ops._C.persistent_topk. Each writes positions relative
to the row's start, int32, padded with -1. NaN is below -inf."""

from __future__ import annotations

from typing import Any

from tamis._select import select
from tamis.compat._arguments import required
from tamis.errors import InvalidArgument


def top_k_per_row_decode(
    logits: Any,
    next_n: int,
    seq_lens: Any,
    raw_topk_indices: Any,
    num_rows: int,
    stride0: int,
    stride1: int,
    topk_tokens: int,
) -> None:
    """Row r sees seq_lens[r // next_n] - next_n + r % next_n + 1 scores, or seq_lens[r // next_n, r % next_n] where
    seq_lens [batch, next_n] has an entry for every row."""
    rows = _rows(logits, num_rows, stride0, stride1)
    per_row = required("seq_lens", seq_lens).dim() == 2 and seq_lens.numel() == num_rows
    seen = 1 if per_row else next_n
    lengths = seq_lens.reshape(-1)[: -(-num_rows // max(seen, 1))]
    select(rows, lengths, k=topk_tokens, next_n=seen, out=_out(raw_topk_indices, num_rows, topk_tokens))


def top_k_per_row_prefill(
    logits: Any,
    cu_seqlen_ks: Any,
    cu_seqlen_ke: Any,
    raw_topk_indices: Any,
    num_rows: int,
    stride0: int,
    stride1: int,
    topk_tokens: int,
) -> None:
    """Row r sees columns cu_seqlen_ks[r] .. cu_seqlen_ke[r]; positions are relative to cu_seqlen_ks[r]."""
    rows = _rows(logits, num_rows, stride0, stride1)
    starts, ends = required("cu_seqlen_ks", cu_seqlen_ks)[:num_rows], required("cu_seqlen_ke", cu_seqlen_ke)[:num_rows]
    out = _out(raw_topk_indices, num_rows, topk_tokens)
    select(rows, ends - starts, k=topk_tokens, starts=starts, out=out)


def persistent_topk(logits: Any, lengths: Any, output: Any, workspace: Any, k: int, max_seq_len: int) -> None:
    """Row r sees its first min(lengths[r], max_seq_len) scores. `workspace` is not used."""
    if max_seq_len < 0:
        raise InvalidArgument(f"max_seq_len is {max_seq_len}; it must be 0 or more")
    seen = required("logits", logits)[:, :max_seq_len]
    select(seen, required("lengths", lengths).reshape(-1), k=k, out=required("output", output))


def _rows(logits: Any, num_rows: int, stride0: int, stride1: int) -> Any:
    """num_rows rows of the logits, laid out as the strides say; contiguous along a row, by a copy if need be."""
    rows = required("logits", logits)
    if num_rows < 0 or (rows.stride() == (stride0, stride1) and num_rows > rows.shape[0]):
        raise InvalidArgument(f"num_rows is {num_rows}; it must be 0 .. {rows.shape[0]}, as logits has rows")
    if rows.stride() != (stride0, stride1):
        rows = rows.as_strided((num_rows, rows.shape[1]), (stride0, stride1))
    return rows[:num_rows] if stride1 == 1 else rows[:num_rows].contiguous()


def _out(indices: Any, num_rows: int, k: int) -> Any:
    return required("raw_topk_indices", indices)[:num_rows, :k]
