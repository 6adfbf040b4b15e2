"""The command: measures every cell of every peer, says what it skips, writes a CSV and a page."""

from __future__ import annotations

import argparse
import csv
import importlib.metadata
import itertools
import pathlib
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch

import tamis
from tamis.bench.floor import floor
from tamis.bench.measure import host_microseconds, judge, microseconds, problem_of, summary
from tamis.bench.peers import PEERS, Problem
from tamis.bench.report import page

COLUMNS = (
    *("rows", "length", "k", "scores", "cache", "output", "ties", "order", "time_us", "p10_us", "p90_us", "floor_us"),
    *("method", "exact", "commit", "wrong_rows", "version", "host_us", "floor_by"),
)
SHOWN = ("method", "rows", "length", "time_us", "floor_us", "host_us", "exact")


def numbers(text: str) -> list[int]:
    """A list of numbers from the command line."""
    return [int(part) for part in text.split(",")]


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tamis.bench", description=__doc__)
    parser.add_argument("--peers", default="torch", help=f"out of {','.join(PEERS)}; tamis is always measured")
    parser.add_argument("--rows", type=numbers, default=[1, 16, 64, 256])
    parser.add_argument("--lengths", type=numbers, default=[8192, 32768, 131072])
    parser.add_argument("-k", type=int, default=2048)
    parser.add_argument("--pattern", default="normal", help="scores that are timed")
    parser.add_argument("--judged", default="4x16384,16x65536", help="ROWSxLENGTH where every pattern is judged")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--csv", type=pathlib.Path, default=pathlib.Path("peers.csv"))
    parser.add_argument("--html", type=pathlib.Path, default=pathlib.Path("peers.html"))
    parser.add_argument("--commit", default="unknown", help="what tamis was built from, for the CSV")
    return parser.parse_args()


def version_of(name: str) -> str:
    """The installed version of a peer's package."""
    package = {"flashinfer": "flashinfer-python"}.get(name, name)
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return tamis.__version__ if name == "tamis" else "unknown"


def usable(names: list[str], device: str) -> list[str]:
    """The peers that run here; the others are named with the reason."""
    found = []
    probe = problem_of("normal", 2, 4096, 512, device)
    for name in dict.fromkeys(["tamis", *names]):
        try:
            PEERS[name].prepare(probe)[0]()
            found.append(name)
        except Exception as reason:  # a peer may fail in any way of its own
            print(f"skipped {name}: {type(reason).__name__}: {str(reason)[-300:]}", flush=True)
    return found


def times_of(call: Callable[[], Any], device: str) -> dict[str, str]:
    """The columns that hold times."""
    host = {"host_us": f"{host_microseconds(call):.3f}"} if device.startswith("cuda") else {}
    return summary(microseconds(call, device)) | host


def cell(name: str, problem: Problem, pattern: str, chosen: argparse.Namespace, timed: bool) -> dict[str, Any]:
    """One line of the results."""
    call, slots = PEERS[name].prepare(problem)
    times = times_of(call, chosen.device) if timed else {}
    slots.fill_(-7)
    call()
    report = judge(problem, slots, PEERS[name])
    return {
        "rows": problem.rows, "length": problem.scores.shape[1], "k": problem.k, "scores": pattern, "cache": "warm",
        "output": "slots_page64", "ties": PEERS[name].ties, "order": "any", **times, "method": name, "exact": int(report.exact),
        "commit": chosen.commit, "wrong_rows": report.wrong_rows, "version": version_of(name),
    }  # fmt: skip


def measured(names: list[str], chosen: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """A line for every cell and peer, timed."""
    for rows in chosen.rows:
        for length in chosen.lengths:
            problem = problem_of(chosen.pattern, rows, length, chosen.k, chosen.device)
            floor_us, floor_by = floor(problem, chosen.device)
            for name in names:
                line = cell(name, problem, chosen.pattern, chosen, timed=True)
                yield {**line, "floor_us": floor_us, "floor_by": floor_by}


def judged(names: list[str], chosen: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """A line for every pattern, shape and peer, without times."""
    for shape in chosen.judged.split(","):
        rows, length = numbers(shape.replace("x", ","))
        for pattern in tamis.patterns():
            problem = problem_of(pattern, rows, length, chosen.k, chosen.device)
            yield from (cell(name, problem, pattern, chosen, timed=False) for name in names)


def written(lines: Iterable[dict[str, Any]], path: pathlib.Path) -> list[dict[str, Any]]:
    """The lines, each of them in the file as soon as it is known."""
    known = []
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="")
        writer.writeheader()
        for line in lines:
            writer.writerow(line)
            file.flush()
            known.append(line)
            if "time_us" in line:
                print(*(line.get(key, "") for key in SHOWN), flush=True)
    return known


def main() -> None:
    """Runs the command."""
    chosen = options()
    unknown = [name for name in chosen.peers.split(",") if name not in PEERS]
    if unknown:
        sys.exit(f"--peers has {unknown[0]!r}; each must be one of {', '.join(PEERS)}")
    names = usable(chosen.peers.split(","), chosen.device)
    lines = written(itertools.chain(measured(names, chosen), judged(names, chosen)), chosen.csv)
    where = torch.cuda.get_device_name() if chosen.device.startswith("cuda") else "the CPU"
    where += f", torch {torch.__version__}"
    versions = ", ".join(f"{name} {version_of(name)}" for name in names)
    chosen.html.write_text(page(lines, f"k {chosen.k}, float32, pages of 64, on {where}; {versions}; {chosen.commit}"))
    print(f"{len(lines)} lines in {chosen.csv} and {chosen.html}")


if __name__ == "__main__":
    main()
