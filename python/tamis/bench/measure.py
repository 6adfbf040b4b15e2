"""One cell: time by graph replays on a GPU, by the clock on the CPU; what a call costs the host; exactness by
tamis.verify."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import torch

import tamis
from tamis.bench.peers import PAGE, Peer, Problem

CALLS, REPLAYS = 20, 15
BURST, BURSTS = 50, 15


def problem_of(pattern: str, rows: int, length: int, k: int, device: str) -> Problem:
    """Scores of a pattern with a shuffled page table. At most 64 rows are made, then repeated."""
    made = torch.from_numpy(tamis.generate(pattern, rows=min(rows, 64), width=length))
    scores = made.repeat(-(-rows // len(made)), 1)[:rows].contiguous().to(device)
    pages = -(-length // PAGE)
    table = torch.randperm(rows * pages, generator=torch.Generator().manual_seed(0)).reshape(rows, pages)
    lengths = torch.full((rows,), length, dtype=torch.int32, device=device)
    return Problem(scores, lengths, table.to(torch.int32).to(device), k)


def _on_the_clock(call: Callable[[], Any]) -> float:
    begin = time.perf_counter()
    call()
    return (time.perf_counter() - begin) * 1e6


def _graph_of(call: Callable[[], Any]) -> Any:
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        call()
    stream.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(CALLS):
            call()
    return graph


def _replayed(graph: Any) -> float:
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    graph.replay()
    end.record()
    end.synchronize()
    return float(begin.elapsed_time(end)) * 1e3 / CALLS


def microseconds(call: Callable[[], Any], device: str) -> list[float]:
    """Times of a call, sorted; the first ones are left out."""
    call()
    if device == "cpu":
        return sorted(_on_the_clock(call) for _ in range(5))
    graph = _graph_of(call)
    for _ in range(3):
        graph.replay()
    return sorted(_replayed(graph) for _ in range(REPLAYS))


def host_microseconds(call: Callable[[], Any]) -> float:
    """What a call takes of the host, the GPU's work left behind: bursts too short to fill its queue, the median."""
    bursts = []
    for _ in range(BURSTS):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(BURST):
            call()
        bursts.append((time.perf_counter() - begin) * 1e6 / BURST)
    torch.cuda.synchronize()
    return statistics.median(bursts)


def summary(times: list[float]) -> dict[str, str]:
    """The columns of a result that times fill."""
    low, high = times[len(times) // 10], times[-1 - len(times) // 10]
    return {
        "time_us": f"{statistics.median(times):.3f}",
        "p10_us": f"{low:.3f}",
        "p90_us": f"{high:.3f}",
    }


def judge(problem: Problem, slots: Any, peer: Peer) -> tamis.Report:
    """What verify says of the slots that a selector wrote, held to what it promises."""
    return tamis.verify(
        problem.scores, slots, problem.lengths, k=problem.k, ties=peer.ties, nan=peer.nan,
        page_table=problem.page_table, page_size=PAGE,
    )  # fmt: skip
