#!/usr/bin/env python3
"""Fits the planner's table of short rows: the fastest kernel for so many rows of such a length, from measurements.

usage: tools/fit_plan.py [--check]

Reads bench/results/candidates_h200.csv and writes src/plan/gpu_short_h200.inc. A candidate's time is the geometric mean
of warm and cold, launched as the library launches. With --check nothing is written: exit status 1 where the table is
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
LEAST_WIDTH = 2304  # what the smallest kernel holds: the shortest length measured stands for all below
HELD_ON_CHIP = ("register_row", "resident_row")


def read_times(path):
    """{length: {rows: {kernel: time}}}"""
    times = {}
    with path.open() as file:
        for line in csv.DictReader(file):
            time = math.sqrt(float(line["warm_dependent_us"]) * float(line["cold_dependent_us"]))
            times.setdefault(int(line["length"]), {}).setdefault(int(line["rows"]), {})[line["kernel"]] = time
    return times


def fastest(times):
    """(length, rows, kernel) while a kernel of those that hold rows on chip is the fastest, neighbours merged."""
    entries = []
    for length in sorted(times):
        for rows in sorted(times[length]):
            kernel = min(times[length][rows], key=times[length][rows].get)
            if not kernel.startswith(HELD_ON_CHIP):
                break
            if entries and entries[-1][0] == length and entries[-1][2] == kernel:
                entries.pop()
            entries.append((length, rows, kernel))
    return entries


def table_of(entries, digest):
    lines = [f"// Made by tools/fit_plan.py from bench/results/{DATA.name}, sha256 {digest[:16]}.\n"]
    lines += [f'{{{max(length, LEAST_WIDTH)}, {rows}, "{kernel}"}},\n' for length, rows, kernel in entries]
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
