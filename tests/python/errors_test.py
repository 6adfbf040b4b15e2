"""What cannot be used is refused by a message that names it, and nothing is written."""

import numpy as np
import pytest
import tamis

ROWS, WIDTH, K = 4, 256, 16
I32 = np.int32


def arrays():
    return {
        "scores": tamis.generate("normal", rows=ROWS, width=WIDTH),
        "lengths": np.full(ROWS, WIDTH, I32),
        "starts": np.zeros(ROWS, I32),
        "page_table": np.arange(ROWS * 4, dtype=I32).reshape(ROWS, 4),
    }


WRONG = {
    "int64 lengths": (dict(lengths=np.full(ROWS, 9, np.int64)), "lengths is int64; it must be int32"),
    "short lengths": (dict(lengths=np.full(ROWS - 1, 9, I32)), r"lengths has shape \(3\); it must be of size 4"),
    "lengths with gaps": (dict(lengths=np.zeros(2 * ROWS, I32)[::2]), "lengths has stride 2"),
    "lengths of two dimensions": (dict(lengths=np.zeros((ROWS, 1), I32)), "lengths has shape"),
    "double scores": (dict(scores=np.zeros((ROWS, WIDTH))), "scores is float64; it must be float32"),
    "scores of one dimension": (dict(scores=np.zeros(WIDTH, np.float32)), "scores has shape"),
    "scores across": (dict(scores=np.zeros((WIDTH, ROWS), np.float32).T), "scores has stride 4 along its last"),
    "scores backwards": (dict(scores=np.zeros((ROWS, WIDTH), np.float32)[::-1]), "scores' stride is -256"),
    "no k": (dict(k=None), "k is None"),
    "k of zero": (dict(k=0), "k is 0; it must be 1"),
    "starts that are floats": (dict(starts=np.zeros(ROWS, np.float32)), "starts is float32; it must be int32"),
    "an unknown order": (dict(order="descending"), "order is 'descending'; it must be one of any, by_index"),
    "an unknown output": (dict(outputs="values"), "outputs has 'values'"),
    "a page table of int64": (dict(page_table=np.zeros((ROWS, 4), np.int64), page_size=64), "page_table is int64"),
    "too few tables": (dict(page_table=np.zeros((2, 4), I32), page_size=64), "page_table has 2 rows and neither"),
    "a page of zero": (dict(page_table=np.zeros((ROWS, 4), I32), page_size=0), "page_size is 0; it must be 1"),
    "two mappings": (
        dict(page_table=np.zeros((ROWS, 4), I32), page_size=64, offsets=np.zeros(ROWS, I32)),
        "page_table and offsets are both given",
    ),
    "cu_rows alone": (dict(cu_rows=np.zeros(ROWS + 1, I32)), "cu_rows is given without page_table"),
    "next_n of zero": (dict(next_n=0), "next_n is 0; it must be 1"),
}


@pytest.mark.parametrize("name", WRONG)
def test_is_refused_and_writes_nothing(name):
    change, message = WRONG[name]
    out = np.full((ROWS, K), 77, I32)
    call = {"scores": arrays()["scores"], "k": K, **change}
    if "outputs" not in change:
        call["out"] = out
    with pytest.raises(tamis.InvalidArgument, match=message):
        tamis.select(call.pop("scores"), call.pop("lengths", None), **call)
    assert (out == 77).all()


WRONG_OUT = {
    "of int64": (np.zeros((ROWS, K), np.int64), "indices is int64; it must be int32"),
    "too narrow": (np.zeros((ROWS, K - 1), I32), "indices has shape"),
    "too few rows": (np.zeros((ROWS - 1, K), I32), "indices has shape"),
    "one row many times": (np.broadcast_to(np.zeros(K, I32), (ROWS, K)), "read-only|has stride 0 between rows"),
    "across": (np.zeros((K, ROWS), I32).T, "indices has stride"),
}


@pytest.mark.parametrize("name", WRONG_OUT)
def test_an_output_that_cannot_be_written_is_refused(name):
    out, message = WRONG_OUT[name]
    with pytest.raises(tamis.InvalidArgument, match=message):
        tamis.select(arrays()["scores"], k=K, out=out)


def test_a_read_only_output_is_refused_and_a_read_only_input_is_not():
    scores, out = arrays()["scores"], np.full((ROWS, K), 77, I32)
    scores.flags.writeable = False
    assert tamis.select(scores, k=K).indices.shape == (ROWS, K)
    out.flags.writeable = False
    with pytest.raises(tamis.InvalidArgument, match="indices is read-only; it must be writable"):
        tamis.select(scores, k=K, out=out)
    assert (out == 77).all()


def test_outputs_that_are_one_memory_are_refused():
    out = np.zeros((ROWS, K), I32)
    with pytest.raises(tamis.InvalidArgument, match="indices and slots are the same memory"):
        tamis.select(arrays()["scores"], k=K, out=tamis.Selection(indices=out, slots=out))


def test_a_freed_tensor_is_refused():
    torch = pytest.importorskip("torch", "2.0")
    scores = torch.zeros((ROWS, WIDTH))
    lengths = torch.zeros(ROWS, dtype=torch.int32)
    lengths.untyped_storage().resize_(0)
    with pytest.raises(tamis.InvalidArgument, match="lengths has no memory"):
        tamis.select(scores, lengths, k=K)


def test_what_is_no_array_is_a_type_error():
    with pytest.raises(TypeError, match="scores is of type list; it must be an array"):
        tamis.select([[1.0, 2.0]], k=1)
    with pytest.raises(TypeError, match="lengths is of type tuple"):
        tamis.select(arrays()["scores"], (1, 2, 3, 4), k=1)
    with pytest.raises(TypeError, match="stream is 'fast'"):
        tamis.select(arrays()["scores"], k=1, stream="fast")


def test_a_plan_of_another_shape_type_or_device_is_refused():
    scores = arrays()["scores"]
    for plan, message in (
        (tamis.plan(ROWS + 1, WIDTH, K), "scores has 4 rows; plan is for 5"),
        (tamis.plan(ROWS, WIDTH + 1, K), "scores is 256 wide; plan is for a width of 257"),
        (tamis.plan(ROWS, WIDTH, K, dtype="float16"), "scores is float32; plan is for float16"),
        (tamis.plan(ROWS, WIDTH, K, device="h200"), "scores is on cpu; plan is for cuda:0"),
        (tamis.plan_merge(ROWS, 1, WIDTH, K), "plan was made for merge"),
    ):
        with pytest.raises(tamis.PlanMismatch, match=message):
            tamis.select(scores, plan=plan)
    with pytest.raises(tamis.InvalidArgument, match="k is 5; it must be 16"):
        tamis.select(scores, plan=tamis.plan(ROWS, WIDTH, K), k=5)


def test_a_small_workspace_is_refused():
    scores = tamis.generate("normal", rows=2, width=9000)
    assert tamis.plan(2, 9000, 100).workspace_bytes > 8
    with pytest.raises(tamis.WorkspaceTooSmall, match="workspace is 8 bytes"):
        tamis.select(scores, k=100, workspace=np.zeros(8, np.uint8))


def test_a_gpu_that_is_not_there_has_no_device():
    for name in ("cuda:99", "nothing", "cuda:x"):
        with pytest.raises((tamis.NoDevice, tamis.InvalidArgument)):
            tamis.device(name)


def test_errors_are_of_python_too():
    assert issubclass(tamis.InvalidArgument, ValueError)
    assert issubclass(tamis.NoDevice, RuntimeError)
    assert issubclass(tamis.PlanMismatch, tamis.Error)
