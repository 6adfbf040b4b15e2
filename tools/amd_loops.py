#!/usr/bin/env python3
"""Instructions a score in the streaming loops of AMD's kernels, from the disassembly, held by a golden table.

A streaming loop is an innermost loop of wide_row and wide_split that loads packs of scores past the caches (nt). Its
instructions are counted whole, the rare path that appends a candidate included, and divided by the scores that a lane
loads in one turn: what a score costs at most. Needs no GPU.

  tools/amd_loops.py BUILD                compare the code objects of a build with the table
  tools/amd_loops.py BUILD --update       write the table
  tools/amd_loops.py BUILD --cycles       what llvm-mca expects of a turn of each loop, for reading
"""

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests/golden/expected/amd_loops.tsv"
COLUMNS = ("kernel", "arch", "loop", "scores", "vector", "scalar", "shared", "global")
KERNELS = re.compile(r"wide_(row|split)_(f32|f16|bf16)")
CLASSES = {"vector": "v_", "scalar": "s_", "shared": "ds_", "global": ("global_", "flat_", "buffer_")}


def disassembled(code_object):
    """The lines (address, instruction) of every kernel: name -> list."""
    text = subprocess.run(["llvm-objdump-22", "-d", "--no-show-raw-insn", code_object], check=True, capture_output=True,
                          text=True).stdout
    kernels, lines = {}, []
    for line in text.splitlines():
        if head := re.match(r"[0-9a-f]+ <tamis_(\w+)>:", line):
            kernels[head.group(1)] = lines = []
        elif part := re.match(r"\s+(\S.*?)\s*// ([0-9A-F]+):(.*)", line):
            lines.append((int(part.group(2), 16), part.group(1), part.group(3)))
    return kernels


def target_of(base, note):
    """Where a branch goes: the note says <tamis_name+0x1a4>."""
    found = re.search(r"<tamis_\w+?(?:\+0x([0-9a-f]+))?>", note)
    return base + int(found.group(1) or "0", 16) if found else None


def innermost_loops(lines):
    """Ranges of lines that a branch back closes and that hold no other such range."""
    base, at = lines[0][0], {address: i for i, (address, _, _) in enumerate(lines)}
    ranges = []
    for i, (address, text, note) in enumerate(lines):
        target = target_of(base, note) if re.match(r"s_c?branch", text) else None
        if target is not None and target <= address:
            ranges.append((at[target], i))
    return [r for r in ranges if not any(o != r and r[0] <= o[0] and o[1] <= r[1] for o in ranges)]


def packs_of(body):
    """Packs of 16 bytes that a lane loads past the caches in one turn."""
    return sum(1 for _, text, _ in body if re.match(r"global_load_(dwordx4|b128)\b.*(\bnt\b|slc|th:TH_LOAD_NT)", text))


def streaming_loops(lines):
    for begin, end in innermost_loops(lines):
        body = lines[begin:end + 1]
        if packs_of(body) and any(re.match(r"ds_", text) for _, text, _ in body):
            yield body


def row_of(kernel, arch, number, body):
    scores = packs_of(body) * (4 if kernel.endswith("_f32") else 8)
    counts = {name: sum(text.startswith(prefix) for _, text, _ in body) for name, prefix in CLASSES.items()}
    return [kernel, arch, str(number), str(scores)] + [f"{counts[name] / scores:.2f}" for name in CLASSES]


def code_objects(build):
    found = sorted(pathlib.Path(build).glob("src/backends/hip/tamis.*.hsaco"))
    return found or sys.exit(f"{build} holds no code objects: configure it with -DTAMIS_HIP=ON")


def loops_of(build):
    """(kernel, arch, number, body) of every streaming loop."""
    for path in code_objects(build):
        arch = path.name.split(".")[1]
        for kernel, lines in sorted(disassembled(path).items()):
            if KERNELS.fullmatch(kernel):
                for number, body in enumerate(streaming_loops(lines)):
                    yield kernel, arch, number, body


def cycles(arch, body):
    """llvm-mca's cycles for a turn of the loop, branches left out: it follows none."""
    text = "\n".join(line for _, line, _ in body if not re.match(r"s_c?branch", line))
    done = subprocess.run(["llvm-mca-22", "-mtriple=amdgcn-amd-amdhsa", f"-mcpu={arch}", "-iterations=100"], input=text,
                          capture_output=True, text=True)
    found = re.search(r"Total Cycles:\s+(\d+)", done.stdout)
    return int(found.group(1)) / 100 if found else None


def text_of(rows):
    return "".join("\t".join(line) + "\n" for line in [list(COLUMNS), *rows])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="a build folder with the HIP backend")
    parser.add_argument("--update", action="store_true", help="write the table instead of comparing with it")
    parser.add_argument("--cycles", action="store_true", help="print llvm-mca's estimates instead")
    options = parser.parse_args()
    loops = list(loops_of(options.build))
    if options.cycles:
        for kernel, arch, number, body in loops:
            print(kernel, arch, number, cycles(arch, body), "cycles a turn")
        return
    rows = [row_of(*loop) for loop in loops]
    kernels = {row[0] for row in rows}
    if len(kernels) < 6:
        sys.exit(f"streaming loops were found in {sorted(kernels)} alone: has the disassembly changed?")
    if options.update:
        TABLE.write_text(text_of(rows))
        return
    expected = TABLE.read_text().splitlines()
    actual = text_of(rows).splitlines()
    wrong = [f"- {line}" for line in expected if line not in actual] + [f"+ {line}" for line in actual if line not in expected]
    print("\n".join(wrong) or f"{len(rows)} streaming loops are as the table says")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
