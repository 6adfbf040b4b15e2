"""SGLang's top-k calls: sgl_kernel's fast_topk_* and the top-k v1 and v2 of sglang.kernels.ops.attention.dsv4.

Lengths <= 0 are empty rows and lengths past the width are clamped. NaN is below -inf."""

from __future__ import annotations

import importlib
import sys
from typing import Any

from tamis._select import select
from tamis._selection import Selection
from tamis.compat._arguments import columns_of, required


def fast_topk_v2(score: Any, lengths: Any, topk: int, row_starts: Any = None) -> Any:
    """Positions relative to row_starts, int32 [rows, topk], padded with -1."""
    return select(score, lengths, k=topk, starts=row_starts).indices


def fast_topk_transform_fused(
    score: Any, lengths: Any, page_table_size_1: Any, cu_seqlens_q: Any, topk: int, row_starts: Any = None
) -> Any:
    """page_table_size_1[request, position], int32 [rows, topk]; rows cu_seqlens_q[b] .. cu_seqlens_q[b + 1] are b's."""
    requests = max(required("cu_seqlens_q", cu_seqlens_q).shape[0] - 1, 0)
    table = required("page_table_size_1", page_table_size_1)[:requests]
    return select(
        score, lengths, k=topk, starts=row_starts, page_table=table, page_size=1,
        cu_rows=cu_seqlens_q,
    ).slots  # fmt: skip


def fast_topk_transform_ragged_fused(
    score: Any, lengths: Any, topk_indices_offset: Any, topk: int, row_starts: Any = None
) -> Any:
    """Positions + topk_indices_offset[row], int32 [rows, topk], padded with -1."""
    offsets = required("topk_indices_offset", topk_indices_offset)
    return select(score, lengths, k=topk, starts=row_starts, offsets=offsets).slots


def plan_topk_v2(seq_lens: Any, static_threshold: int = -1, *, out: Any = None) -> Any:
    """The routing plan that the v2 calls take, int32 [batch + 1, 2]: tamis needs none and leaves it unread."""
    rows = required("seq_lens", seq_lens).shape[0]
    return seq_lens.new_zeros((rows + 1, 2)) if out is None else out


def topk_v2_plan_is_written(seq_lens: Any) -> bool:
    """False: `plan_topk_v2` leaves a given plan as it is."""
    return False


def topk_transform_paged(
    scores: Any,
    seq_lens: Any,
    page_tables: Any,
    out_page_indices: Any,
    page_size: int,
    out_raw_indices: Any = None,
) -> None:
    """Writes page_tables[row, p // page_size] * page_size + p % page_size, and positions to out_raw_indices."""
    select(
        scores, seq_lens, k=columns_of("out_page_indices", out_page_indices),
        page_table=required("page_tables", page_tables), page_size=page_size,
        out=Selection(indices=out_raw_indices, slots=out_page_indices),
    )  # fmt: skip


def topk_transform_paged_v2(
    scores: Any,
    seq_lens: Any,
    page_tables: Any,
    out_page_indices: Any,
    page_size: int,
    metadata: Any,
    out_raw_indices: Any = None,
) -> None:
    """As `topk_transform_paged`; without page_tables, positions. `metadata` is not read."""
    if page_tables is not None:
        return topk_transform_paged(scores, seq_lens, page_tables, out_page_indices, page_size, out_raw_indices)
    out = Selection(indices=out_raw_indices, slots=out_page_indices)  # slots without a mapping are positions
    select(scores, seq_lens, k=columns_of("out_page_indices", out_page_indices), out=out)
    return None


def topk_transform_ragged_v2(
    scores: Any, seq_lens: Any, *, out_offsets: Any, out_indices: Any, row_starts: Any = None
) -> None:
    """Writes position + out_offsets[row], padded with -1. Scores are left as they are."""
    k, offsets = columns_of("out_indices", out_indices), required("out_offsets", out_offsets)
    select(scores, seq_lens, k=k, starts=row_starts, offsets=offsets, out=out_indices)


# The names of releases up to 0.5.17.
topk_transform_512 = topk_transform_paged
topk_transform_512_v2 = topk_transform_paged_v2

# Where sglang and sgl_kernel define what is replaced: releases moved the file.
_HOMES = {
    "sgl_kernel.top_k": ("fast_topk_v2", "fast_topk_transform_fused", "fast_topk_transform_ragged_fused"),
    "sglang.kernels.ops.attention.dsv4.topk": (
        "plan_topk_v2", "topk_v2_plan_is_written", "topk_transform_paged", "topk_transform_paged_v2",
        "topk_transform_ragged_v2", "topk_transform_512", "topk_transform_512_v2",
    ),
    "sglang.jit_kernel.deepseek_v4": ("plan_topk_v2", "topk_transform_512", "topk_transform_512_v2"),
}  # fmt: skip


def install() -> list[str]:
    """Puts these functions in the place of sglang's and sgl_kernel's, also where other modules have imported them.

    Returns what was replaced, as 'module.name'; empty when it had been done. Call it before the engine starts.
    Raises ImportError where neither sglang nor sgl_kernel can be imported.
    """
    originals: dict[int, str] = {}
    homes = [module for name in _HOMES if (module := _imported(name)) is not None]
    if not homes:
        raise ImportError("neither sglang nor sgl_kernel is importable; there is nothing to replace")
    for module in homes:
        for name in _HOMES[module.__name__]:
            original = getattr(module, name, None)
            if original is not None and original is not globals()[name]:
                originals[id(original)] = name
    return sorted(place for module in list(sys.modules.values()) for place in _replace(module, originals))


def _imported(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _replace(module: Any, originals: dict[int, str]) -> list[str]:
    root = getattr(module, "__name__", "").partition(".")[0]
    if root not in ("sglang", "sgl_kernel"):
        return []
    held = [key for key, value in vars(module).items() if id(value) in originals]
    for key in held:
        setattr(module, key, globals()[originals[id(vars(module)[key])]])
    return [f"{module.__name__}.{key}" for key in held]
