#!/usr/bin/env python3
"""torch.topk on the CPU, one thread, on the shapes that tamis_cpu_bench measures: rows of normal scores, k 2048.

Needs torch: `apt-get install python3-torch` (Debian) or `pip install torch`. Prints the JSON fields of a benchmark.
"""
import json
import time

import torch

BUFFER_SCORES = 8 << 20
LENGTHS = (2049, 8192, 16384, 65536, 131072, 262144, 1048576)
ROWS_TIMED = 8  # a row costs milliseconds: some of the buffer's rows are enough, and each call sees another part of it
REPETITIONS = 5


def least_microseconds_a_row(scores: torch.Tensor, k: int) -> float:
    times = []
    for repetition in range(REPETITIONS):
        first = repetition * ROWS_TIMED % max(1, scores.shape[0] - ROWS_TIMED + 1)
        rows = scores[first : first + ROWS_TIMED]
        begin = time.thread_time()
        torch.topk(rows, k, dim=-1, sorted=False)
        times.append((time.thread_time() - begin) * 1e6 / rows.shape[0])
    return min(times)


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(1)
    results = []
    for length in LENGTHS:
        rows = BUFFER_SCORES // length
        scores = torch.randn(rows, length)
        torch.topk(scores[:1], 2048)
        cell = f"torch/normal/{rows}x{length}/k2048/f32/any/page0/threads1"
        results.append({"cell": cell, "us_per_row": round(least_microseconds_a_row(scores, 2048), 3)})
    print(json.dumps({"torch": torch.__version__, "results": results}))


if __name__ == "__main__":
    main()
