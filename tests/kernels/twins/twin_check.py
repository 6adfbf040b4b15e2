#!/usr/bin/env python3
"""Fails unless a kernel composed of stages costs what its hand-flattened twin costs: registers within two, and no more
machine instructions in its inner loops, those that read most of global memory a turn.

usage: twin_check.py NVCC ARCHITECTURE TWIN.cu    TWIN.cu has the kernels tamis_composed and tamis_flat
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done


def nvdisasm():
    found = shutil.which("nvdisasm", path=f"{ROOT}/build/cuda-readers/bin:{os.environ['PATH']}:/usr/local/cuda/bin")
    return found or sys.exit("no nvdisasm: scripts/setup cuda installs it")


def registers(log, kernel):
    return int(re.search(rf"'tamis_{kernel}'.*?Used (\d+) registers", log, re.S).group(1))


def instructions(disassembly, kernel):
    """The kernel's instructions, and where its labels stand among them."""
    text = re.search(rf"\.text\.tamis_{kernel}:(.*?)(?=\n\s*\.section|\Z)", disassembly, re.S).group(1)
    lines, labels = [], {}
    for line in text.splitlines():
        if label := re.match(r"\s*(\.L_x_\d+):", line):
            labels[label.group(1)] = len(lines)
        elif instruction := re.match(r"\s+/\*[0-9a-f]+\*/\s+(.*?);", line):
            lines.append(instruction.group(1))
    return lines, labels


def innermost_loops(lines, labels):
    """Ranges that a branch back closes and that hold no other such range."""
    ranges = []
    for i, line in enumerate(lines):
        target = re.search(r"BRA.*`\((\.L_x_\d+)\)", line)
        if target and labels.get(target.group(1), i + 1) <= i:
            ranges.append((labels[target.group(1)], i))
    inner = [r for r in ranges if not any(o != r and r[0] <= o[0] and o[1] <= r[1] for o in ranges)]
    return [lines[first:last + 1] for first, last in inner]


def inner_loops(disassembly, kernel):
    """Instructions of each loop that has as many loads of global memory as the one that has most."""
    bodies = innermost_loops(*instructions(disassembly, kernel))
    loads = [sum("LDG" in line for line in body) for body in bodies]
    return [len(body) for body, count in zip(bodies, loads) if count == max(loads) > 0]


def main():
    nvcc, architecture, source = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        cubin = f"{folder}/twin.cubin"
        log = run(nvcc, "-std=c++20", "-O3", f"-arch={architecture}", "--expt-relaxed-constexpr", f"-I{ROOT}/src",
                  f"-I{ROOT}/include", "-cubin", "-Xptxas=-v", source, "-o", cubin).stderr
        disassembly = run(nvdisasm(), "-c", cubin).stdout
    (held, loops), (by_hand, flat_loops) = ((registers(log, kernel), inner_loops(disassembly, kernel))
                                            for kernel in ("composed", "flat"))
    print(f"{architecture}: registers {held}, by hand {by_hand}; instructions of the inner loops {loops}, by hand {flat_loops}")
    same = len(loops) == len(flat_loops) > 0 and all(mine <= other for mine, other in zip(loops, flat_loops))
    sys.exit(0 if abs(held - by_hand) <= 2 and same else 1)


main()
