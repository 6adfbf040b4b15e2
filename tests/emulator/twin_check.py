#!/usr/bin/env python3
"""Fails unless the kernel written in the vocabulary costs what its hand-written twin costs: registers within two, no
more machine instructions. Usage: twin_check.py NVCC twin.cu SOURCE_FOLDER"""

import re
import subprocess
import sys
import tempfile


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True)


def instructions(cubin, kernel):
    """Machine instructions, 16 bytes each, padded to a multiple of eight."""
    sections = run("readelf", "-SW", cubin).stdout
    return int(re.search(rf"\.text\.tamis_{kernel}\s+PROGBITS\s+\w+ \w+ (\w+)", sections).group(1), 16) // 16


def registers(log, kernel):
    return int(re.search(rf"'tamis_{kernel}'.*?Used (\d+) registers", log, re.S).group(1))


def main():
    nvcc, source, include = sys.argv[1:]
    options = ["-std=c++20", "-O3", "-arch=sm_90a", "--expt-relaxed-constexpr", f"-I{include}"]
    with tempfile.TemporaryDirectory() as folder:
        cubin = f"{folder}/twin.cubin"
        log = run(nvcc, *options, "-cubin", "-Xptxas=-v", source, "-o", cubin).stderr
        composed, flat = (instructions(cubin, kernel) for kernel in ("composed", "flat"))
    held, by_hand = (registers(log, kernel) for kernel in ("composed", "flat"))
    print(f"instructions {composed} and {flat} by hand, registers {held} and {by_hand} by hand")
    sys.exit(composed > flat or held > by_hand + 2)


main()
