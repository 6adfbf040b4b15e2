"""The selectors that can be measured. Each writes, from scores [rows, length] with full windows and a page table of 64
tokens a page, the slots of the k best positions; what cannot be imported or run is skipped by the caller."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch

import tamis
from tamis._options import Nan, Ties

PAGE = 64


@dataclass
class Problem:
    """One cell's inputs."""

    scores: Any
    lengths: Any
    page_table: Any
    k: int

    @property
    def rows(self) -> int:
        """Rows of the scores."""
        return int(self.scores.shape[0])


# Makes, from a problem, a call to time and the slots that it writes.
Prepared = tuple[Callable[[], Any], Any]


def _slots(problem: Problem) -> Any:
    return torch.full((problem.rows, problem.k), -7, dtype=torch.int32, device=problem.scores.device)


def tamis_select(problem: Problem) -> Prepared:
    """tamis.select with everything given."""
    device = problem.scores.device
    plan = tamis.plan(problem.rows, problem.scores.shape[1], problem.k, device=str(device))
    out, workspace = _slots(problem), torch.empty(plan.workspace_bytes, dtype=torch.uint8, device=device)
    common = dict(page_table=problem.page_table, page_size=PAGE, plan=plan, out=out, workspace=workspace)
    return lambda: tamis.select(problem.scores, problem.lengths, **common), out


def torch_topk(problem: Problem) -> Prepared:
    """torch.topk, unsorted, and the page table by indexing."""
    out = _slots(problem)

    def call() -> None:
        chosen = torch.topk(problem.scores, problem.k, sorted=False).indices
        pages = problem.page_table.gather(1, chosen.div(PAGE, rounding_mode="floor"))
        out.copy_(pages * PAGE + chosen.remainder(PAGE))

    return call, out


def flashinfer_transform(problem: Problem) -> Prepared:
    """flashinfer.topk.top_k_page_table_transform with its defaults."""
    from flashinfer.topk import top_k_page_table_transform

    out = _slots(problem)
    arguments = (problem.scores, problem.page_table, problem.lengths, problem.k)
    return lambda: top_k_page_table_transform(*arguments, page_size=PAGE, out=out), out


def sglang_v2(problem: Problem) -> Prepared:
    """SGLang's JIT top-k v2, planned beforehand as the engine does."""
    from sglang.kernels.ops.attention.dsv4.topk import plan_topk_v2, topk_transform_paged_v2

    out, metadata = _slots(problem), plan_topk_v2(problem.lengths)
    arguments = (problem.scores, problem.lengths, problem.page_table, out, PAGE, metadata)
    return lambda: topk_transform_paged_v2(*arguments), out


class Peer(NamedTuple):
    """A selector, and what it promises: where NaN goes, and whether of equal scores the lower positions are taken."""

    prepare: Callable[[Problem], Prepared]
    nan: Nan = "lowest"
    ties: Ties = "any"


PEERS = {
    "tamis": Peer(tamis_select, ties="lowest_index"),
    "torch": Peer(torch_topk, nan="highest"),
    "flashinfer": Peer(flashinfer_transform, nan="highest"),
    "sglang": Peer(sglang_v2),
}
