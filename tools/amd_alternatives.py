#!/usr/bin/env python3
"""What llvm-mca expects of the inner loops of both sides of a choice that AMD's kernels made.

Compiles tools/amd_alternatives.hip and writes the table of docs/amd.md: instructions of a turn, vector registers of the
kernel, and llvm-mca's cycles. Branches are left out, so the rare paths count as taken; memory is llvm-mca's idea of it.

  tools/amd_alternatives.py               compare with the table
  tools/amd_alternatives.py --update      write it
"""

import pathlib
import re
import subprocess
import sys
import tempfile

from amd_loops import CLASSES, ROOT, cycles, disassembled, innermost_loops

COMPILE = ["clang++-22", f"@{ROOT}/src/backends/hip/flags.txt", f"-I{ROOT}/src", f"-I{ROOT}/include"]
DOCUMENT = ROOT / "docs/amd.md"
BEGIN, END = "<!-- alternatives: begin -->", "<!-- alternatives: end -->"
ARCHES = ("gfx942", "gfx1250")
# What is chosen first, and the scores that a lane takes in a turn.
LOOPS = {
    "list_1024": ("listing, 1024 threads, 2 loads ahead", 8),
    "list_512": ("listing, 512 threads, 4 loads ahead", 16),
    "count_shared": ("a digit of a row in shared memory", 4),
    "count_registers": ("a digit of a row in registers", 4),
}


def compiled(arch, folder):
    """The code object for an architecture."""
    out = pathlib.Path(folder) / f"{arch}.hsaco"
    source = ROOT / "tools/amd_alternatives.hip"
    subprocess.run([*COMPILE, f"--offload-arch={arch}", "-c", source, "-o", out], check=True)
    return out


def registers_of(code_object):
    """Vector registers by kernel."""
    notes = subprocess.run(["llvm-readelf-22", "--notes", code_object], check=True, capture_output=True, text=True).stdout
    return dict(re.findall(r"\.name:\s+tamis_(\w+).*?\.vgpr_count:\s+(\d+)", notes, re.S))


def largest_loop(lines):
    """The loop that everything is about: the longest of the innermost ones."""
    begin, end = max(innermost_loops(lines), key=lambda loop: loop[1] - loop[0])
    return lines[begin:end + 1]


def rows():
    with tempfile.TemporaryDirectory() as folder:
        for arch in ARCHES:
            code_object = compiled(arch, folder)
            registers, kernels = registers_of(code_object), disassembled(code_object)
            for kernel, (meaning, scores) in LOOPS.items():
                body = largest_loop(kernels[kernel])
                counts = [sum(text.startswith(CLASSES[kind]) for _, text, _ in body) for kind in ("vector", "scalar", "shared")]
                expected = cycles(arch, body)
                yield [arch, meaning, scores, *counts, registers[kernel], f"{expected:.0f}", f"{expected / scores:.0f}"]


def table():
    head = ["", "loop", "scores a lane", "vector", "scalar", "shared", "registers", "cycles a turn", "cycles a lane's score"]
    lines = [head, ["---"] * len(head), *rows()]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def main():
    text = DOCUMENT.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN) + 1, text.index(END)
    fresh = text[:begin] + table() + text[end:]
    if "--update" in sys.argv[1:]:
        DOCUMENT.write_text(fresh)
    elif fresh != text:
        sys.exit("docs/amd.md has another table than tools/amd_alternatives.py --update writes")


if __name__ == "__main__":
    main()
