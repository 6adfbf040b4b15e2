#!/usr/bin/env python3
"""Breaks the code on purpose, one place at a time, and checks that a test fails.

    tools/mutate.py                   every mutation of the CPU's code; the table in docs/testing.md is written anew
    tools/mutate.py --group amd       of AMD's kernels, plans and backend; the table in docs/amd.md
    tools/mutate.py --only NAME ...   some of them; the others keep the result of an earlier run
    tools/mutate.py --list

Works on a copy of the tree in build/mutate. Exits 1 when a mutation survives or no longer applies.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

from mutations_amd import MUTATIONS as AMD

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPY = ROOT / "build" / "mutate"
BEGIN, END = "<!-- mutations: begin -->", "<!-- mutations: end -->"

LONG = "EveryPattern*.cpu/*:OneLongRow*.cpu/*:InputsThatBrokePeers*.cpu/*"

# In the order in which they are asked: what fails first is named in the table.
TESTS = [
    ("tests/contract/tamis_verify_test", []),
    ("tests/contract/tamis_contract_test", []),
    ("tests/contract/tamis_case_test", [f"--gtest_filter=*.cpu/*-{LONG}"]),
    ("tests/contract/tamis_case_test", [f"--gtest_filter={LONG}"]),
]
# The tests that run AMD's kernels, plans and backend, and what they are built from. One architecture will do: counts of
# instructions, which change with any change, are not asked.
AMD_TESTS = r"^(hip\.|contract\.cases\.mi|kernels$)"
AMD_TARGETS = ["tamis_case_test", "tamis_cli", "tamis_code_object_test", "tamis_hip_double", "tamis_hip_host_test",
               "tamis_kernel_test"]
AMD_OPTIONS = ["-DTAMIS_HIP=ON", "-DTAMIS_HIP_ARCHITECTURES=gfx942"]

# What takes a minute at rest; a program that takes this long does not end.
TIMEOUT_S = 1500


@dataclass(frozen=True)
class Mutation:
    name: str
    file: str
    before: str  # occurs exactly once in the file
    after: str


CPU = "src/backends/cpu/"
MUTATIONS = [
    Mutation("of equal scores the later ones are taken", CPU + "keep-inl.hpp",
             "move_passing(candidates, 0, end, threshold.key, 0);\n"
             "  return move_passing(candidates, end, candidates.count, threshold.key + 1, kept);",
             "move_passing(candidates, 0, end, threshold.key + 1, 0);\n"
             "  return move_passing(candidates, end, candidates.count, threshold.key, kept);"),
    Mutation("NaN is the lowest whatever was asked for", CPU + "key.hpp",
             "order == Nan::highest ? infinity + 1 : -infinity - 1", "-infinity - 1"),
    Mutation("-0.0 is below +0.0", CPU + "key.hpp", "bits & sign ? -magnitude : magnitude",
             "bits & sign ? -magnitude - 1 : magnitude"),
    Mutation("the last score of a block is not looked at", CPU + "filter-inl.hpp",
             "std::min(filter_block, stretch.length - begin))",
             "std::min(filter_block, stretch.length - begin - 1))"),
    Mutation("a full candidate buffer loses what comes next", CPU + "refine.cpp",
             "if (next == stretch.length) return", "if (next >= 0) return"),
    Mutation("a sample that misled is believed", CPU + "refine.cpp", "settle(candidates, n) >= guessed",
             "settle(candidates, n) >= any_key"),
    Mutation("a length past the width is not clamped", CPU + "window.cpp", "std::min(length, room)", "length"),
    Mutation("a length past the width is not counted", CPU + "window.cpp",
             "if (length > room) note(faults.length, row);", ""),
    Mutation("a start past the width is not empty", CPU + "window.cpp", "start < 0 || start > shape.width", "start < 0"),
    Mutation("the start of the window is forgotten", CPU + "row.cpp", "row * call.rows.stride + window.start",
             "row * call.rows.stride"),
    Mutation("speculative rows see one score less", CPU + "window.cpp", "row % next_n + 1", "row % next_n"),
    Mutation("the divisor is forgotten", CPU + "window.cpp", "seen / shape.length_rule.divisor", "seen"),
    Mutation("a row as long as k is not written whole", CPU + "row.cpp",
             "  if (window.length <= call.shape.k) return emit_whole(call, row, stretch, candidates, faults);\n"
             "  select_best",
             "  if (window.length < call.shape.k) return emit_whole(call, row, stretch, candidates, faults);\n"
             "  select_best"),
    Mutation("by_score is not sorted", CPU + "row.cpp",
             "if (call.shape.order == Order::by_score) sort_best_first(candidates);", ""),
    Mutation("padding of indices is 0", CPU + "emit.cpp", "std::fill_n(indices + selection.count, k - selection.count, -1)",
             "std::fill_n(indices + selection.count, k - selection.count, 0)"),
    Mutation("padding of f32 scores is the lowest number", CPU + "emit.cpp", "0xff800000u", "0xff7fffffu"),
    Mutation("padding reaches past k", CPU + "emit.cpp",
             "std::fill_n(to + selection.count, k - selection.count, minus_infinity)",
             "std::fill_n(to + selection.count, k - selection.count + 1, minus_infinity)"),
    Mutation("counts hold k", CPU + "emit.cpp", "static_cast<std::int32_t>(selection.count)",
             "static_cast<std::int32_t>(shape.k)"),
    Mutation("the offset within a page is forgotten", CPU + "emit.cpp", "page * size + (token - column * size)",
             "page * size"),
    Mutation("a page-table column past the end is read", CPU + "emit.cpp", "token >= 0 && column < map.columns",
             "token >= 0 && column <= map.columns"),
    Mutation("page_start is forgotten", CPU + "mapping.cpp", "table.page_start != nullptr ? table.page_start[row] : 0", "0"),
    Mutation("a row at a segment's first count belongs to the one before", CPU + "mapping.cpp", "std::upper_bound",
             "std::lower_bound"),
    Mutation("an int32 slot overflows", CPU + "emit.cpp", "if (slot == static_cast<Slot>(slot)) return", "return"),
    Mutation("merge: of equal scores the later list wins", CPU + "merge.cpp", "places.position(place) <= last",
             "places.position(place) >= last"),
    Mutation("verify: ties are not judged", "src/verify/positions.cpp", "row.shape.ties == Ties::any", "true"),
    Mutation("verify: the last position is not counted", "src/verify/positions.cpp",
             "row.scores.count_above(last + 1, row.length, rank)",
             "row.scores.count_above(last + 1, std::max(last + 1, row.length - 1), rank)"),
]


def shell(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **options)


def must(command):
    done = shell(command, cwd=COPY)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-4000:]}")


def make_copy(options):
    """The tracked and the new files of the tree, with a build of their own that later runs reuse."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True)
    for name in listed.stdout.splitlines():
        source, target = ROOT / name, COPY / name
        if not source.exists():
            continue
        if target.exists() and target.read_bytes() == source.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    must(["cmake", "--preset", "release", *options])


def build(targets):
    return shell(["cmake", "--build", "--preset", "release", "--target", *targets], cwd=COPY)


def first_failure_of_programs():
    """The first test of the CPU's that fails, or None."""
    for path, arguments in TESTS:
        command = [str(COPY / "build" / "release" / path), "--gtest_brief=1", *arguments]
        try:
            done = shell([*command, "--gtest_fail_fast"], timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            return f"{pathlib.Path(path).name} (does not end)"
        if done.returncode == 0:
            continue
        failed = re.search(r"\[  FAILED  \] (\S+?)[,\s]", done.stdout)
        return failed.group(1) if failed else crashed_in(command)
    return None


def crashed_in(command):
    """The test during which the program died: the last one that it began."""
    done = shell([argument for argument in command if argument != "--gtest_brief=1"], timeout=TIMEOUT_S)
    begun = re.findall(r"\[ RUN      \] (\S+)", done.stdout)
    return f"{begun[-1]} (crash)" if begun else f"{pathlib.Path(command[0]).name} (crash)"


def first_failure_of_ctest():
    """The first test of AMD's that fails, or None."""
    done = shell(["ctest", "--test-dir", str(COPY / "build/release"), "-R", AMD_TESTS, "-E", "hip.(loops|alternatives)",
                  "-LE", "slow|exhaustive", "--no-tests=error", "--stop-on-failure", "--output-on-failure",
                  "--timeout", str(TIMEOUT_S)])
    if done.returncode == 0:
        return None
    case = re.search(r"\[  FAILED  \] (\S+?)[,\s]", done.stdout)
    test = re.search(r"^\s*\d+ - (\S+) \((.*)\)", done.stdout, re.M)
    return case.group(1) if case else f"{test.group(1)} ({test.group(2).lower()})"


@dataclass(frozen=True)
class Group:
    mutations: list
    document: pathlib.Path
    options: list  # of the build
    targets: list
    first_failure: Callable


GROUPS = {
    "cpu": Group(MUTATIONS, ROOT / "docs/testing.md", [], sorted({pathlib.Path(path).name for path, _ in TESTS}),
                 first_failure_of_programs),
    "amd": Group([Mutation(*each) for each in AMD], ROOT / "docs/amd.md", AMD_OPTIONS, AMD_TARGETS,
                 first_failure_of_ctest),
}


def caught_by(mutation, group):
    """The test that fails when the mutation is applied; None when it survives."""
    path = COPY / mutation.file
    original = path.read_text()
    if original.count(mutation.before) != 1:
        sys.exit(f"{mutation.name}: {mutation.file} holds {original.count(mutation.before)} places to change, not 1")
    path.write_text(original.replace(mutation.before, mutation.after))
    try:
        built = build(group.targets)
        # A mutation that the compiler refuses (an unused name, say) tells nothing of the tests.
        if built.returncode != 0:
            sys.exit(f"{mutation.name}: does not compile\n{built.stdout[-3000:]}")
        return group.first_failure()
    finally:
        path.write_text(original)


def with_earlier(results, group):
    """These results and, of the other mutations, those of earlier runs."""
    store = ROOT / "build" / "mutations.json"
    known = json.loads(store.read_text()) if store.exists() else {}
    known |= {mutation.name: test for mutation, test in results}
    store.write_text(json.dumps(known, indent=1))
    return [(mutation, known[mutation.name]) for mutation in group.mutations if mutation.name in known]


def write_table(results, document):
    lines = ["| what is broken | where | first test that fails |", "|---|---|---|"]
    lines += [f"| {m.name} | `{m.file}` | {f'`{test}`' if test else '**none**'} |" for m, test in results]
    text = document.read_text()
    start, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    document.write_text(text[:start] + "\n" + "\n".join(lines) + "\n" + text[end:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--group", choices=GROUPS, default="cpu", help="what is broken")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="mutations whose name holds one of these")
    parser.add_argument("--list", action="store_true", help="names only")
    arguments = parser.parse_args()
    group = GROUPS[arguments.group]
    chosen = [m for m in group.mutations if not arguments.only or any(part in m.name for part in arguments.only)]
    if arguments.list:
        print("\n".join(m.name for m in chosen))
        return 0

    make_copy(group.options)
    built = build(group.targets)
    if built.returncode != 0 or (broken := group.first_failure()):
        sys.exit("the tests must pass before anything is broken: " + (built.stdout[-3000:] if built.returncode else broken))

    results = []
    for mutation in chosen:
        test = caught_by(mutation, group)
        results.append((mutation, test))
        print(f"{'caught  ' if test else 'SURVIVED'}  {mutation.name}: {test}", flush=True)
        write_table(with_earlier(results, group), group.document)
    return 0 if all(test for _, test in results) else 1


if __name__ == "__main__":
    sys.exit(main())
