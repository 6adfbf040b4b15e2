#!/usr/bin/env python3
"""What every kernel costs on every architecture, held by a golden table.

Compiles each instance of src/kernels/instances.def for NVIDIA (nvcc) and AMD (clang) and compares registers, spills,
shared memory and occupancy with tests/golden/expected/resources.tsv, without tolerance. A kernel that spills vector
registers or uses scratch fails whatever the table says. Needs no GPU.

  tools/resources.py                      check everything
  tools/resources.py --arch 90a gfx942    check some architectures, or --method merge some methods
  tools/resources.py --update             write the table
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests/golden/expected/resources.tsv"
COLUMNS = ("kernel", "arch", "registers", "scalars", "spilled", "scratch", "shared", "occupancy")

NVIDIA = {"80": 2048, "86": 1536, "89": 1536, "90a": 2048, "100a": 2048, "103a": 2048, "120a": 1536}  # threads a unit
AMD = ("gfx90a", "gfx942", "gfx950", "gfx1250")
REGISTERS_PER_UNIT = 65536
INCLUDES = [f"-I{ROOT}/src", f"-I{ROOT}/include"]
AMD_FLAGS = f"@{ROOT}/src/backends/hip/flags.txt"  # as the library's own build has them


def instances(method):
    """The threads of a block by kernel, of one method."""
    text = (ROOT / f"src/kernels/instances/{method}.def").read_text()
    return {name: int(count) for name, count in re.findall(r"TAMIS_INSTANCE\((\w+), (\d+)", text)}


def methods(vendor=None):
    """The names of the method files, of one vendor or of both."""
    vendors = [vendor] if vendor else ["nvidia", "amd"]
    text = "".join((ROOT / f"src/kernels/instances/{name}.def").read_text() for name in vendors)
    return re.findall(r'#include "kernels/instances/(\w+)\.def"', text)


def vendor_of(arch):
    return "amd" if arch in AMD else "nvidia"


def write_source(folder, method):
    path = folder / f"{method}.cu"
    path.write_text(
        f'#include "kernels/{method}.hpp"\n#include "simt/kernel.hpp"\n'
        f"#define TAMIS_INSTANCE TAMIS_ENTRY\n#include \"kernels/instances/{method}.def\"\n"
    )
    return path


def run(command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stderr


def number(pattern, text):
    found = re.search(pattern, text)
    return int(found.group(1)) if found else 0


def blocks_per_unit(arch, registers, threads):
    """Blocks that a unit holds, as far as registers and threads limit it. Shared memory is the launch's."""
    of_warp = (registers * 32 + 255) // 256 * 256
    return min(REGISTERS_PER_UNIT // of_warp // (threads // 32), NVIDIA[arch] // threads)


def compile_nvidia(source, arch, threads):
    out = source.with_suffix(f".{arch}.cubin")
    text = run(["nvcc", "-std=c++20", "-O3", *INCLUDES, "--expt-relaxed-constexpr", f"-arch=sm_{arch}", "-cubin", "-Xptxas=-v", source, "-o", out])
    rows = []
    for part in re.split(r"Compiling entry function 'tamis_", text)[1:]:
        kernel = part.split("'")[0]
        registers = number(r"Used (\d+) registers", part)
        rows.append((kernel, f"sm_{arch}", registers, 0,
                     number(r"(\d+) bytes spill stores", part) + number(r"(\d+) bytes spill loads", part),
                     number(r"(\d+) bytes stack frame", part), number(r"(\d+) bytes smem", part),
                     blocks_per_unit(arch, registers, threads[kernel])))
    return rows


def compile_amd(source, arch):
    out = source.with_suffix(f".{arch}.hsaco")
    text = run(["clang++-22", AMD_FLAGS, f"--offload-arch={arch}", *INCLUDES, "-Rpass-analysis=kernel-resource-usage", "-c",
                source, "-o", out])
    rows = []
    for part in re.split(r"Function Name: tamis_", text)[1:]:
        rows.append((re.match(r"\w+", part).group(0), arch, number(r" VGPRs: (\d+)", part),
                     number(r"TotalSGPRs: (\d+)", part),
                     number(r"VGPRs Spill: (\d+)", part) + number(r"SGPRs Spill: (\d+)", part),
                     number(r"ScratchSize \[bytes/lane\]: (\d+)", part), number(r"LDS Size \[bytes/block\]: (\d+)", part),
                     number(r"Occupancy \[waves/SIMD\]: (\d+)", part)))
    return rows


def measure(archs, listed):
    wanted = {arch: [method for method in listed if method in methods(vendor_of(arch))] for arch in archs}
    with tempfile.TemporaryDirectory() as folder:
        sources = {method: write_source(pathlib.Path(folder), method) for method in listed}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = [pool.submit(compile_amd, sources[method], arch) if arch in AMD else
                    pool.submit(compile_nvidia, sources[method], arch, instances(method))
                    for arch in archs for method in wanted[arch]]
            rows = [row for job in jobs for row in job.result()]
    expected = {name for of_arch in wanted.values() for method in of_arch for name in instances(method)}
    if missing := sorted(expected - {row[0] for row in rows}):
        sys.exit(f"no figures for {', '.join(missing)}: has the compilers' output changed?")
    return sorted(rows)


def read_table():
    lines = [line.split("\t") for line in TABLE.read_text().splitlines()[1:]] if TABLE.exists() else []
    return {(line[0], line[1]): line for line in lines}


def updated(rows):
    """The table with these rows, without kernels that are listed no more or not for that architecture."""
    known = {vendor: {name for method in methods(vendor) for name in instances(method)} for vendor in ("nvidia", "amd")}
    table = {key: line for key, line in read_table().items() if key[0] in known["amd" if key[1] in AMD else "nvidia"]}
    table.update({(row[0], row[1]): [str(cell) for cell in row] for row in rows})
    return "".join("\t".join(line) + "\n" for line in [list(COLUMNS), *(table[key] for key in sorted(table))])


def differences(rows):
    table = read_table()
    for row in rows:
        actual = [str(cell) for cell in row]
        if table.get((row[0], row[1])) != actual:
            yield f"{row[0]} {row[1]}: the table has {table.get((row[0], row[1]))}, compiled {actual}"


def spills(rows):
    return [f"{row[0]} {row[1]}: spills {row[4]}, scratch or stack {row[5]} bytes" for row in rows if row[4] or row[5]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", nargs="+", default=[*NVIDIA, *AMD], choices=[*NVIDIA, *AMD], metavar="ARCH")
    parser.add_argument("--method", nargs="+", default=methods(), choices=methods(), metavar="METHOD")
    parser.add_argument("--update", action="store_true", help="write the table instead of comparing with it")
    options = parser.parse_args()
    for compiler in ("nvcc", "clang++-22"):
        if not shutil.which(compiler):
            sys.exit(f"{compiler} is not installed")
    rows = measure(options.arch, options.method)
    problems = spills(rows)
    if options.update:
        TABLE.write_text(updated(rows))
    else:
        problems += differences(rows)
    print("\n".join(problems) or f"{len(rows)} kernels, an architecture each, are as the table says")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
