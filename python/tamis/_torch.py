"""select as an operator of torch, so that torch.compile traces through it: torch.ops.tamis.select.

Outputs are made by the traced code and written by the operator, which says so in its schema; nothing else of the call
can be seen from outside, so the operator's fake implementation does nothing. Imported once the caller has torch."""

from __future__ import annotations

from typing import Any

import torch

from tamis import _select
from tamis._selection import Selection, outputs_of
from tamis.errors import InvalidArgument

_SCHEMA = (
    "select(Tensor scores, Tensor? lengths, Tensor? starts, "
    "Tensor(a!)? indices, Tensor(b!)? slots, Tensor(c!)? out_scores, Tensor(d!)? counts, Tensor(e!)? faults, "
    "Tensor? page_table, Tensor? table_of_row, Tensor? cu_rows, Tensor? page_start, Tensor? offsets, "
    "SymInt k, int? page_size, int next_n, int divisor, str ties, str order, str nan) -> ()"
)


def _run(
    scores: Any, lengths: Any, starts: Any, indices: Any, slots: Any, out_scores: Any, counts: Any, faults: Any,
    page_table: Any, table_of_row: Any, cu_rows: Any, page_start: Any, offsets: Any,
    k: int, page_size: int | None, next_n: int, divisor: int, ties: Any, order: Any, nan: Any,
) -> None:  # fmt: skip
    _select.select(
        scores, lengths, k=k, starts=starts, next_n=next_n, divisor=divisor, ties=ties, order=order, nan=nan,
        page_table=page_table, page_size=page_size, table_of_row=table_of_row, cu_rows=cu_rows, page_start=page_start,
        offsets=offsets, out=Selection(indices, slots, out_scores, counts), faults=faults,
    )  # fmt: skip


def _fake(*_: Any) -> None:
    """Nothing: shapes, types and devices of the outputs are those that were passed."""


def _define() -> Any:
    library = torch.library.Library("tamis", "DEF")
    library.define(_SCHEMA)
    for key in ("CPU", "CUDA"):
        library.impl("select", _run, key)
    library.impl("select", _fake, "Meta")
    return library


_library = _define()


def traced_select(
    scores: Any, lengths: Any, k: int | None, starts: Any, next_n: int, divisor: int, ties: str, order: str, nan: str,
    page_table: Any, page_size: int | None, table_of_row: Any, cu_rows: Any, page_start: Any, offsets: Any,
    outputs: Any, slot_dtype: str, out: Any, faults: Any, plan: Any, workspace: Any, stream: Any,
) -> Selection:  # fmt: skip
    """`select` while torch.compile traces: the work goes on the stream that is current when the graph runs."""
    if plan is not None or workspace is not None or stream is not None:
        raise InvalidArgument("plan, workspace and stream cannot be given under torch.compile; give k")
    if k is None:
        raise InvalidArgument("k is None; it must be given")
    mapped = page_table is not None or offsets is not None
    result = outputs_of(out, outputs, scores, scores.shape[0], k, slot_dtype, mapped)
    torch.ops.tamis.select(
        scores, lengths, starts, *result, faults, page_table, table_of_row, cu_rows, page_start, offsets,
        k, page_size, next_n, divisor, ties, order, nan,
    )  # fmt: skip
    return result


if hasattr(torch, "compiler") and hasattr(torch.compiler, "is_compiling"):
    _select.tracing = torch.compiler.is_compiling
