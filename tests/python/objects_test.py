"""Plans and devices are values; patterns have equal bits; verify names what is wrong."""

import json
import subprocess
import sys

import numpy as np
import pytest
import tamis


def test_a_plan_prints_itself_and_equal_arguments_give_equal_plans():
    plan = tamis.plan(64, 131072, 2048, device="h200")
    assert plan == tamis.plan(64, 131072, 2048, device="h200")
    assert plan != tamis.plan(64, 131072, 2047, device="h200")
    assert hash(plan) == hash(tamis.plan(64, 131072, 2048, device=tamis.device("h200")))
    assert plan.method in str(plan)
    assert json.loads(plan.json())["method"] == plan.method
    assert (plan.rows, plan.width, plan.k, plan.dtype) == (64, 131072, 2048, "f32")
    assert (plan.device.backend, plan.device.name) == ("cuda", "h200")


def test_nothing_of_a_plan_can_be_changed_or_made_by_hand():
    with pytest.raises(AttributeError):
        tamis.plan(1, 1, 1).k = 2
    with pytest.raises(TypeError):
        tamis.Plan()


def test_patterns_are_reproducible_and_rows_may_be_made_apart():
    assert "relu" in tamis.patterns()
    whole = tamis.generate("relu", rows=4, width=100, seed=3)
    np.testing.assert_array_equal(whole[2:], tamis.generate("relu", rows=2, width=100, seed=3, first_row=2))
    with pytest.raises(tamis.InvalidArgument, match="pattern is 'no such pattern'; it must be one of normal"):
        tamis.generate("no such pattern", rows=1, width=1)


def test_verify_names_the_first_wrong_entry(make, scores):
    chosen = tamis.select(scores, k=20, order="by_score")
    assert tamis.verify(make.array(scores), tamis.Selection(indices=make.array(chosen.indices)), k=20).exact
    chosen.indices[3, 5] = chosen.indices[3, 4]
    report = tamis.verify(make.array(scores), make.array(chosen.indices), k=20)
    assert (report.exact, report.wrong_rows, report.finding, report.row) == (False, 1, "duplicate", 3)
    assert report.message


def test_importing_tamis_imports_no_framework():
    code = "import sys, tamis; print(*[name for name in ('torch', 'numpy', 'jax', 'cupy') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
