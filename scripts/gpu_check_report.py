"""Sums up the logs of scripts/gpu_check: prints a table and writes DEVICE_contract.json.

usage: gpu_check_report.py LOGS RESULTS COMMIT; exits with 1 if anything failed or a part did not run to its end.
"""

import json
import pathlib
import re
import subprocess
import sys

PARTS = ["contract", "random", "devices", "graphs", "streams", "orders", "large", "merges", "errors"]
TOOLS = ["memcheck", "racecheck", "initcheck", "synccheck"]


def device():
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    name, driver = subprocess.check_output(query, text=True).splitlines()[0].split(", ")
    return name, driver


def tests_of(path):
    """(name, failed, skipped) of every test of a gtest report."""
    for suite in json.loads(path.read_text())["testsuites"]:
        for test in suite["testsuite"]:
            yield f"{suite['name']}.{test['name']}", "failures" in test, test["result"] == "SKIPPED"


def part_of(logs, part):
    """Counts of a part, all its shards together; a shard that left no report counts as a failure."""
    cases, failed, skipped, broken = 0, [], 0, 0
    methods = {}
    for log in logs.glob(f"{part}.*log"):
        report = log.with_suffix(".json")
        if not report.exists():
            broken += 1
            continue
        for name, fails, skips in tests_of(report):
            cases += not skips
            skipped += skips
            if fails:
                failed.append(name)
            machine = re.search(r"\.((?:cuda|hip)\w*)/", name)
            if machine:
                methods[machine[1]] = methods.get(machine[1], 0) + 1
    result = {"cases": cases, "failures": len(failed) + broken, "skipped": skipped, "failed": failed[:20]}
    if broken:
        result["ended_early"] = broken
    if methods:
        result["cases_by_machine"] = dict(sorted(methods.items()))
    if part == "random":
        result["random_shapes"] = 100 * cases
    return result


def words_of(logs):
    """What every word of the vocabulary said on the device, alone and in clusters."""
    lines = re.findall(r"(\d+) of (\d+) cases differ", (logs / "words.log").read_text())
    failed = int((logs / "words.exit").read_text()) != 0
    return {"cases": sum(int(total) for _, total in lines), "failures": max(failed, sum(int(bad) for bad, _ in lines)),
            "skipped": 0, "failed": []}


def examples_of(logs):
    """The programs of examples/gpu, each of which judges what it selected."""
    failed = [path.stem for path in logs.glob("example_*.exit") if int(path.read_text()) != 0]
    return {"cases": len(list(logs.glob("example_*.exit"))), "failures": len(failed), "skipped": 0, "failed": failed}


def tool_of(logs, tool):
    exit_file = logs / f"{tool}.exit"
    if not exit_file.exists():
        return {"ran": False}
    result = part_of(logs, tool)
    code = int(exit_file.read_text())
    text = (logs / f"{tool}.log").read_text(errors="replace")
    summary = [line.strip("= ") for line in text.splitlines() if "SUMMARY" in line]
    result.update(ran=True, exit=code, summary=summary[-1] if summary else "")
    return result


def main():
    logs, results, commit = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    name, driver = device()
    parts = {part: part_of(logs, part) for part in PARTS} | {"words": words_of(logs), "examples": examples_of(logs)}
    tools = {tool: tool_of(logs, tool) for tool in TOOLS}
    bad_tools = sum(1 for t in tools.values() if t["ran"] and (t["exit"] != 0 or t["failures"]))
    report = {
        "device": name,
        "driver": driver,
        "commit": commit,
        "cases": sum(p["cases"] for p in parts.values()),
        "failures": sum(p["failures"] for p in parts.values()) + bad_tools,
        "parts": parts,
        "sanitizer": tools,
    }
    results.mkdir(parents=True, exist_ok=True)
    file = results / f"{name.lower().replace('nvidia ', '').replace(' ', '')}_contract.json"
    file.write_text(json.dumps(report, indent=2) + "\n")

    for part, counts in parts.items():
        print(f"{part:10} {counts['cases']:6} cases {counts['failures']:4} failures {counts['skipped']:4} skipped")
        for failed in counts["failed"][:5]:
            print(f"           {failed}")
    for tool, counts in tools.items():
        print(f"{tool:10} " + (f"{counts['cases']:6} cases, exit {counts['exit']}, {counts['summary']}" if counts["ran"] else "not run"))
    print(f"{report['cases']} cases, {report['failures']} failures on {name}; {file}")
    empty = any(p["cases"] == 0 for p in parts.values())
    return 1 if report["failures"] or empty else 0


if __name__ == "__main__":
    sys.exit(main())
