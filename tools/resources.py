#!/usr/bin/env python3
"""What every kernel of a build costs on every architecture it is compiled for, held by a golden table.

Reads the kernels from the build: NVIDIA's with cuobjdump, AMD's with llvm-readelf-22. Registers, stack, shared memory and
the blocks that a unit holds are compared with tests/golden/expected/resources.tsv, without tolerance. Whatever the table
says, a kernel fails that spills, has a stack or scratch and is not one of STACKS below, or leaves a unit fewer blocks than
the list of kernels counts on.
Needs no GPU, and no more than a moment.

  tools/resources.py build/release             compare what the build has with the table
  tools/resources.py build/release --update    write the table's lines of the architectures that the build has
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests/golden/expected/resources.tsv"
COLUMNS = ("kernel", "arch", "registers", "scalars", "spilled", "stack", "shared", "blocks")

# The stacks there are, and why: none on the architectures that were measured. One that is gone must leave this list.
STACKS = {("register_row_1x8_f32", arch): "two values a thread are spilled, for two blocks a unit"
          for arch in ("sm_80", "sm_86", "sm_89")}
STACKS |= {("resident_row_16x256_f32", "sm_120a"): "never launched: clusters there have eight blocks at the most"}

THREADS_PER_UNIT = {"sm_86": 1536, "sm_89": 1536, "sm_120a": 1536}  # 2048 elsewhere


def listed():
    """Threads of a block, and blocks that a unit is to hold, by kernel."""
    text = "".join(path.read_text() for path in sorted((ROOT / "src/kernels/instances").glob("*.def")))
    return {name: (int(threads), int(blocks))
            for name, threads, blocks in re.findall(r"TAMIS_INSTANCE\((\w+), (\d+), (\d+)", text)}


def output_of(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def rounded(value, step):
    return (value + step - 1) // step * step


# --- NVIDIA ---


def cuobjdump():
    found = shutil.which("cuobjdump", path=f"{ROOT}/build/cuda-readers/bin:{os.environ['PATH']}:/usr/local/cuda/bin")
    return found or sys.exit("no cuobjdump: scripts/setup cuda installs it")


def nvidia_blocks(arch, registers, threads):
    """65536 registers a unit, given to warps in steps of 256."""
    by_registers = 65536 // rounded(max(registers, 1) * 32, 256) // (threads // 32)
    return min(by_registers, THREADS_PER_UNIT.get(arch, 2048) // threads)


def nvidia_rows(library, kernels):
    arch = None
    for line in output_of(cuobjdump(), "--dump-resource-usage", library).splitlines():
        if found := re.match(r"arch = (\w+)", line):
            arch = found.group(1)
        elif found := re.match(r" Function tamis_(\w+):", line):
            kernel = found.group(1)
        elif found := re.match(r"  REG:(\d+) STACK:(\d+) SHARED:(\d+) LOCAL:(\d+)", line):
            registers, stack, shared, local = map(int, found.groups())
            yield (kernel, arch, registers, 0, local, stack, shared, nvidia_blocks(arch, registers, kernels[kernel][0]))


# --- AMD ---


def amd_blocks(arch, registers, scalars, threads):
    """Four SIMDs a unit. A lane has 512 vector registers in steps of 8; with wavefronts of 32 lanes, 1024 in steps of 16.
    800 scalar registers a SIMD, in steps of 16, are shared by the wavefronts of 64 lanes."""
    if arch == "gfx1250":
        return 4 * min(16, 1024 // rounded(max(registers, 1), 16)) * 32 // threads
    waves = min(8, 512 // rounded(max(registers, 1), 8), 800 // rounded(max(scalars, 1), 16))
    return 4 * waves * 64 // threads


def amd_rows(code_object, kernels):
    arch = re.search(r"gfx\w+", code_object.name).group(0)
    for part in re.split(r"^  - \.", output_of("llvm-readelf-22", "--notes", code_object), flags=re.M)[1:]:
        def number(name):
            return int(re.search(rf"\b{name}: +(\d+)", part).group(1))
        kernel = re.search(r"\.name: +tamis_(\w+)", part).group(1)
        registers, scalars = number("vgpr_count"), number("sgpr_count")
        yield (kernel, arch, registers, scalars, number("vgpr_spill_count") + number("sgpr_spill_count"),
               number("private_segment_fixed_size"), number("group_segment_fixed_size"),
               amd_blocks(arch, registers, scalars, kernels[kernel][0]))


# --- the table ---


def rows_of(build, kernels):
    code_objects = sorted((build / "src/backends/hip").glob("tamis.*.hsaco"))
    rows = [row for code_object in code_objects for row in amd_rows(code_object, kernels)]
    if (build / "src/backends/cuda/CMakeFiles/tamis_cuda_kernels.dir").exists():
        rows += nvidia_rows(build / "libtamis.a", kernels)
    if missing := sorted({code_object.name.split(".")[1] for code_object in code_objects} - {row[1] for row in rows}):
        sys.exit(f"no figures for {', '.join(missing)}: has llvm-readelf's output changed?")
    return sorted(rows) or sys.exit(f"{build} has no kernels: it must be a build with the CUDA or the HIP backend")


def read_table():
    lines = [line.split("\t") for line in TABLE.read_text().splitlines()[1:]] if TABLE.exists() else []
    return {(line[0], line[1]): line for line in lines}


def updated(rows):
    built = {row[1] for row in rows}
    kept = [line for key, line in read_table().items() if key[1] not in built]
    lines = sorted(kept + [list(map(str, row)) for row in rows])
    return "".join("\t".join(line) + "\n" for line in [list(COLUMNS), *lines])


def differences(rows):
    """Of the architectures that the build has."""
    table, built = read_table(), {row[1] for row in rows}
    actual = {(row[0], row[1]): [str(cell) for cell in row] for row in rows}
    expected = {key: line for key, line in table.items() if key[1] in built}
    for key in sorted(actual.keys() | expected.keys()):
        if actual.get(key) != expected.get(key):
            yield f"{' '.join(key)}: the table has {expected.get(key)}, the build {actual.get(key)}"


def misfits(rows, kernels):
    for kernel, arch, *_, spilled, stack, _, blocks in rows:
        known = (kernel, arch) in STACKS
        if known and not stack:
            yield f"{kernel} {arch}: has no stack and is listed among those that have"
        if (spilled or stack) and not known:
            yield f"{kernel} {arch}: spills {spilled}, stack or scratch of {stack} bytes"
        if blocks < kernels[kernel][1]:
            yield f"{kernel} {arch}: a unit holds {blocks} blocks, {kernels[kernel][1]} are counted on"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--update", action="store_true", help="write the table instead of comparing with it")
    options = parser.parse_args()
    kernels = listed()
    rows = rows_of(options.build, kernels)
    problems = list(misfits(rows, kernels))
    if options.update:
        TABLE.write_text(updated(rows))
    else:
        problems += differences(rows)
    print("\n".join(problems) or f"{len(rows)} kernels, an architecture each, are as the table says")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
