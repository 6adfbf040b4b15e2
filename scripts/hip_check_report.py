"""Sums up the logs of scripts/hip_check: prints a table and writes DEVICE_hip.json.

usage: hip_check_report.py LOGS RESULTS COMMIT; exits with 1 if anything failed or a part did not run to its end.
"""

import json
import pathlib
import sys

from gpu_check_report import part_of

PARTS = ["contract", "merges", "graphs"]


def device(logs):
    """The first HIP device that the command tells of."""
    backends = json.loads((logs / "info.txt").read_text())["backends"]
    hip = next(backend for backend in backends if backend["backend"] == "hip")
    if not hip["available"]:
        sys.exit(f"gpu_check: {hip['reason']}")
    return hip["devices"][0]


def bench(logs):
    text = (logs / "bench.txt").read_text()
    return json.loads(text)["cells"] if text else []


def main():
    logs, results, commit = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    where = device(logs)
    parts = {part: part_of(logs, part) for part in PARTS}
    cells = bench(logs)
    report = {
        "device": where["name"],
        "arch": where["arch"],
        "units": where["units"],
        "commit": commit,
        "cases": sum(part["cases"] for part in parts.values()),
        "failures": sum(part["failures"] for part in parts.values()),
        "parts": parts,
        "bench": cells,
    }
    file = results / f"{where['name']}_hip.json"
    file.write_text(json.dumps(report, indent=2) + "\n")
    for name, part in parts.items():
        print(f"{name:10} {part['cases']:6} cases {part['failures']:4} failures {part['skipped']:4} skipped")
        for failed in part["failed"][:5]:
            print(f"           {failed}")
    print(f"bench      {len(cells):6} cells")
    print(f"{report['cases']} cases, {report['failures']} failures on {where['name']}; {file}")
    return 1 if report["failures"] or not cells or not all(part["cases"] for part in parts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
