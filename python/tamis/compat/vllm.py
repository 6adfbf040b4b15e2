"""vLLM's top-k calls: vllm._custom_ops.top_k_per_row_* and torch.ops._C.persistent_topk. Each writes positions relative
to the row's start, int32, padded with -1. NaN is below -inf."""

from __future__ import annotations

from typing import Any

from tamis._select import select


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
    out = raw_topk_indices[:num_rows, :topk_tokens]
    per_row = seq_lens.dim() == 2 and seq_lens.numel() == num_rows
    rows = _rows(logits, num_rows, stride0, stride1)
    select(rows, seq_lens.reshape(-1), k=topk_tokens, next_n=1 if per_row else next_n, out=out)


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
    starts, ends = cu_seqlen_ks[:num_rows], cu_seqlen_ke[:num_rows]
    out = raw_topk_indices[:num_rows, :topk_tokens]
    select(_rows(logits, num_rows, stride0, stride1), ends - starts, k=topk_tokens, starts=starts, out=out)


def persistent_topk(logits: Any, lengths: Any, output: Any, workspace: Any, k: int, max_seq_len: int) -> None:
    """Row r sees its first min(lengths[r], max_seq_len) scores. `workspace` is not used."""
    select(logits[:, :max_seq_len], lengths.reshape(-1), k=k, out=output)


def _rows(logits: Any, num_rows: int, stride0: int, stride1: int) -> Any:
    if logits.stride() == (stride0, stride1):
        return logits[:num_rows]
    return logits.as_strided((num_rows, logits.shape[1]), (stride0, stride1))
