#!/usr/bin/env python3
"""Fits the planner's table of short rows: the fastest kernel for so many rows of such a length, from measurements.

usage: tools/fit_plan.py [--check]

Reads bench/results/candidates_h200.csv, which `tamis_bench_gpu CELLS --methods kernels --csv FILE` writes, and writes
src/plan/gpu_short_h200.inc. A candidate's time is the geometric mean of warm and cold. With --check nothing is written: exit status 1 where the table is
not what the measurements give.
"""
import csv
import hashlib
import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "bench/results/candidates_h200.csv"
TABLE = ROOT / "src/plan/gpu_short_h200.inc"
MARGIN = 1.03  # a kernel of another method must be faster by so much: its time differs more with the scores
HELD_ON_CHIP = ("register_row", "resident_row")


def read_times(path):
    """{length: {rows: {kernel: time}}}"""
    by_cache = {}
    with path.open() as file:
        for line in csv.DictReader(file):
            if line["exact"] != "1":
                sys.exit(f"{path}: {line['method']} was wrong at {line['rows']} x {line['length']}")
            key = int(line["length"]), int(line["rows"]), line["method"]
            by_cache.setdefault(key, {})[line["cache"]] = float(line["time_us"])
    times = {}
    for (length, rows, kernel), time in by_cache.items():
        times.setdefault(length, {}).setdefault(rows, {})[kernel] = math.sqrt(time["warm"] * time["cold"])
    return times


def fastest(times):
    """(length, rows, kernel) while a kernel of those that hold rows on chip is as good as any, neighbours merged."""
    entries = []
    for length in sorted(times):
        for rows in sorted(times[length]):
            of = times[length][rows]
            kernel = min((kernel for kernel in of if kernel.startswith(HELD_ON_CHIP)), key=of.get)
            if of[kernel] > MARGIN * min(of.values()):
                break
            if entries and entries[-1][0] == length and entries[-1][2] == kernel:
                entries.pop()
            entries.append((length, rows, kernel))
    return entries


def table_of(entries, digest):
    lines = [f"// Made by tools/fit_plan.py from bench/results/{DATA.name}, sha256 {digest[:16]}.\n"]
    lines += [f'{{{length}, {rows}, "{kernel}"}},\n' for length, rows, kernel in entries]
    return "".join(lines)


def main(words):
    text = table_of(fastest(read_times(DATA)), hashlib.sha256(DATA.read_bytes()).hexdigest())
    if words == ["--check"]:
        return 0 if TABLE.read_text() == text else 1
    if words:
        sys.exit(__doc__)
    TABLE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
