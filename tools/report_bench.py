#!/usr/bin/env python3
"""Reports the GPU benchmark against the field: docs/benchmarks_h200.md and the figure docs/h200.svg.

usage: tools/report_bench.py [--check]

Reads bench/results/h200.csv (what was measured) and bench/baselines/h200.csv (the field's best times of each cell). With
--check nothing is written: exit status 1 where a file is not what the measurements give.
"""
import csv
import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench/results/h200.csv"
BASELINES = ROOT / "bench/baselines/h200.csv"
PAGE = ROOT / "docs/benchmarks_h200.md"
FIGURE = ROOT / "docs/h200.svg"
BYTES_PER_US = 4.68e6  # written to memory


def cell_of(line):
    return tuple(int(line[name]) for name in ("rows", "length", "k")) + (line["scores"], line["cache"])


def read(path):
    with path.open() as file:
        return {cell_of(line): line for line in csv.DictReader(file)}


class Cell:
    """A cell's time beside the field's."""

    def __init__(self, cell, result, baseline):
        self.rows, self.length, self.k, self.scores, self.cache = cell
        self.time = float(result["time_us"])
        self.floor = float(result["floor_us"])
        self.kernel = result["method"].removesuffix("_f32")
        self.best = float(baseline["best_us"])
        self.best_exact = float(baseline["best_exact_us"])
        ideal = 1.2 * (self.floor + self.rows * self.k * 4 / BYTES_PER_US) + 2
        self.target = min(0.9 * self.best, ideal)

    def met(self):
        return self.time <= self.target


def geometric_mean(numbers):
    numbers = list(numbers)
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def summary(name, cells):
    means = [geometric_mean(c.time / other(c) for c in cells)
             for other in (lambda c: c.floor, lambda c: c.best, lambda c: c.best_exact)]
    ahead = sum(c.time < c.best for c in cells)
    met = sum(c.met() for c in cells)
    return f"| {name} | {len(cells)} | {met} | {ahead} | " + " | ".join(f"{mean:.2f}" for mean in means) + " |\n"


def summaries(cells):
    text = "| cells | measured | at target | ahead of every peer | x floor | x best peer | x best exact peer |\n"
    text += "|---|---|---|---|---|---|---|\n"
    text += summary("all", cells)
    for scores in sorted({c.scores for c in cells}):
        text += summary(f"{scores}, warm", [c for c in cells if c.scores == scores and c.cache == "warm"])
    text += summary("normal, cold", [c for c in cells if c.cache == "cold"])
    for k in sorted({c.k for c in cells}):
        text += summary(f"k = {k}", [c for c in cells if c.k == k])
    return text


def line_of(c):
    return (f"| {c.rows} x {c.length} | {c.k} | {c.scores}, {c.cache} | {c.time:.2f} | {c.target:.2f} | {c.floor:.2f} | "
            f"{c.best:.2f} | {c.best_exact:.2f} | {c.kernel} |\n")


def table(cells):
    return ("| rows x length | k | scores | us | target | floor | best peer | best exact peer | kernel |\n"
            "|---|---|---|---|---|---|---|---|---|\n" + "".join(map(line_of, cells)))


def page(cells, missing):
    normal = [c for c in cells if c.k == 2048 and c.scores == "normal" and c.cache == "warm"]
    worst = sorted(cells, key=lambda c: c.time / c.target, reverse=True)[:20]
    text = "<!-- Made by tools/report_bench.py from bench/results/h200.csv. -->\n# Results on one H200\n\n"
    text += summaries(cells)
    text += f"\nCells of the baselines that were not measured: {len(missing)}.\n"
    text += "".join(f"* {rows} x {length}, k = {k}, {scores}, {cache}\n" for rows, length, k, scores, cache in missing)
    text += "\n## Normal scores, warm, k = 2048\n\n" + table(normal)
    text += "\n## Furthest from the target\n\n" + table(worst)
    return text


# --- the figure: a cell of normal scores, warm, k = 2048 is a square, by time over the best peer's ---

SIDE, LEFT, TOP = 62, 70, 46


def shade(ratio):
    """Green where we are ahead, red where behind; twice is full."""
    strength = max(-1.0, min(1.0, math.log2(ratio)))
    other = round(235 - 150 * abs(strength))
    return f"rgb({other},200,{other})" if strength < 0 else f"rgb(225,{other},{other})"


def square(c, x, y):
    middle = x + SIDE / 2
    mark = " stroke='black' stroke-width='2'" if c.met() else ""
    return (f"<rect x='{x + 2}' y='{y + 2}' width='{SIDE - 4}' height='{SIDE - 4}' fill='{shade(c.time / c.best)}'{mark}/>\n"
            f"<text x='{middle}' y='{y + 28}' text-anchor='middle'>{c.time:.1f}</text>\n"
            f"<text x='{middle}' y='{y + 46}' text-anchor='middle' font-size='11'>{c.best / c.time:.1f} x</text>\n")


def figure(cells):
    cells = [c for c in cells if c.k == 2048 and c.scores == "normal" and c.cache == "warm"]
    rows, lengths = sorted({c.rows for c in cells}), sorted({c.length for c in cells})
    width, height = LEFT + SIDE * len(lengths) + 10, TOP + SIDE * len(rows) + 30
    text = (f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' font-family='sans-serif' "
            "font-size='13'>\n<rect width='100%' height='100%' fill='white'/>\n"
            "<text x='10' y='18'>Microseconds on an H200, and how many times faster than the best peer of any kind; "
            "framed: at target</text>\n")
    for column, length in enumerate(lengths):
        text += f"<text x='{LEFT + SIDE * (column + 0.5)}' y='{TOP - 6}' text-anchor='middle'>{length}</text>\n"
    for row, number in enumerate(rows):
        text += f"<text x='{LEFT - 8}' y='{TOP + SIDE * (row + 0.5) + 5}' text-anchor='end'>{number}</text>\n"
    for c in cells:
        text += square(c, LEFT + SIDE * lengths.index(c.length), TOP + SIDE * rows.index(c.rows))
    text += f"<text x='10' y='{height - 10}'>rows down, scores a row across; fp32 normal scores, k = 2048, warm</text>\n"
    return text + "</svg>\n"


def main(words):
    results, baselines = read(RESULTS), read(BASELINES)
    cells = [Cell(cell, results[cell], line) for cell, line in baselines.items()
             if cell in results and results[cell]["exact"] == "1"]
    missing = [cell for cell in baselines if cell not in results]
    made = {PAGE: page(cells, missing), FIGURE: figure(cells)}
    if words == ["--check"]:
        return 0 if all(path.read_text() == text for path, text in made.items()) else 1
    if words:
        sys.exit(__doc__)
    for path, text in made.items():
        path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
