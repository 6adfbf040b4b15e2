"""python -m tamis.bench measures, judges every pattern, and says what it skips."""

import csv
import subprocess
import sys

import pytest

import tamis

pytest.importorskip("torch")


def test_measures_what_is_there_and_says_what_it_skips(tmp_path):
    command = "--peers torch,flashinfer --rows 2 --lengths 2048 -k 64 --judged 2x1024 --device cpu".split()
    done = subprocess.run(
        [sys.executable, "-m", "tamis.bench", *command, "--csv", tmp_path / "p.csv", "--html", tmp_path / "p.html"],
        capture_output=True, text=True, check=True, timeout=200,
    )  # fmt: skip
    if "skipped flashinfer" not in done.stdout:
        pytest.skip("flashinfer is installed")
    lines = list(csv.DictReader((tmp_path / "p.csv").open()))
    ours = [line for line in lines if line["method"] == "tamis"]
    assert {line["scores"] for line in ours} == set(tamis.patterns())
    assert all(line["exact"] == "1" for line in ours)
    assert float(ours[0]["time_us"]) > 0
    page = (tmp_path / "p.html").read_text()
    assert '"method": "torch"' in page
    assert "http" not in page
