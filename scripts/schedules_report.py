#!/usr/bin/env python3
"""Sums up tables of scripts/test_schedules in one JSON file: what ran of the contract's cases on the emulator.

usage: schedules_report.py RESULT NAME:COMMIT=TABLE ...   NAME says how the program was built: plain, thread_sanitizer ...
COMMIT of what. PROCESSOR=NAME where the tables come from another machine. Exits with 1 if anything failed.
"""

import collections
import json
import os
import pathlib
import platform
import sys


def processor():
    if name := os.environ.get("PROCESSOR"):
        return name
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines() if os.path.exists("/proc/cpuinfo") else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {len(names) or os.cpu_count()} processors"


def units(table):
    for line in pathlib.Path(table).read_text().splitlines():
        method, lanes, seed, part, cases, failures, _ = line.split("\t")
        yield method, int(lanes), seed, int(part.split("/")[1]), int(cases), int(failures)


def summed(commit, table):
    """Cases and failures; by method and width of a warp how many cases, and under how many seeds all of them ran."""
    cases, failures, methods = 0, 0, {}
    parts = collections.Counter()
    for method, lanes, seed, of, ran, failed in units(table):
        cases, failures = cases + ran, failures + failed
        entry = methods.setdefault(method, {}).setdefault(str(lanes), {"cases": 0, "whole_under_seeds": 0})
        entry["cases"] += ran
        parts[method, lanes, seed] += 1
        entry["whole_under_seeds"] += parts[method, lanes, seed] == of
    return {"commit": commit, "cases": cases, "failures": failures, "methods": dict(sorted(methods.items()))}


def main():
    result, *tables = sys.argv[1:]
    runs = []
    for built, table in (pair.split("=", 1) for pair in tables):
        name, commit = built.split(":")
        runs.append({"built": name} | summed(commit, table))
    failures = sum(run["failures"] for run in runs)
    report = {"device": processor(), "commit": runs[-1]["commit"], "cases": sum(run["cases"] for run in runs),
              "failures": failures, "runs": runs}
    pathlib.Path(result).write_text(json.dumps(report, indent=2) + "\n")
    print(f"{report['cases']} cases, {failures} failures; {result}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
