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
    "next_n past 32 bits": (dict(next_n=2**31), "next_n is 2147483648; it must be an int of 32 bits"),
    "k past 64 bits": (dict(k=2**64), "k is 18446744073709551616; it must be an int of 64 bits"),
    "int16 lengths": (dict(lengths=np.zeros(ROWS, np.int16)), "lengths is int16; it must be int32"),
    "lengths between elements": (
        dict(lengths=np.frombuffer(bytearray(4 * ROWS + 1), I32, ROWS, 1)),
        "lengths is at address .*; it must be aligned",
    ),
    "lengths of four dimensions": (dict(lengths=np.zeros((1, 1, 1, ROWS), I32)), "lengths has 4 dimensions"),
    "an order that is a list": (dict(order=["any"]), "order is .'any'.; it must be one of any, by_index"),
    "slots of int16": (dict(outputs="slots", slot_dtype="int16"), "slot_dtype is 'int16'; it must be one of int32"),
    "a page size without a table": (dict(page_size=64), "page_size is given without page_table"),
    "a stream's address for the CPU": (dict(stream=7), "stream is a GPU's; it must be tamis.Threads or None"),
    "no output": (dict(outputs=()), "at least one output must be given"),
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


def test_an_output_that_is_an_input_is_refused():
    scores, lengths = arrays()["scores"], np.full(ROWS, WIDTH, I32)
    before = scores.copy()
    with pytest.raises(tamis.InvalidArgument, match="indices and scores are the same memory; they must be apart"):
        tamis.select(scores, k=WIDTH, out=scores.view(I32))
    with pytest.raises(tamis.InvalidArgument, match="the output counts and lengths are the same memory"):
        tamis.select(scores, lengths, k=K, out=tamis.Selection(counts=lengths))
    assert (scores == before).all()
    assert (lengths == WIDTH).all()


NO_NUMBERS = {
    "k that is a float": (dict(k=5.0), "k is 5.0; it must be an int"),
    "k that is a list": (dict(k=[5]), r"k is \[5\]; it must be an int"),
    "next_n that is None": (dict(next_n=None), "next_n is None; it must be an int"),
    "a page size that is None": (dict(page_table=np.zeros((ROWS, 4), I32)), "page_size is None; it must be an int"),
    "outputs that are a number": (dict(outputs=5), "outputs is 5; it must be a name or several"),
    "a plan that is a name": (dict(plan="whole_row"), "plan is 'whole_row'; it must be a tamis.Plan"),
    "lengths of text": (dict(lengths=np.array(["a"] * ROWS)), "lengths is of dtype.*; it must be of numbers"),
    "lengths of the other byte order": (
        dict(lengths=np.zeros(ROWS, np.dtype(I32).newbyteorder())),
        "lengths is of dtype.*; it must be of numbers in this machine's byte order",
    ),
}


@pytest.mark.parametrize("name", NO_NUMBERS)
def test_what_is_no_number_is_a_type_error_that_names_it(name):
    scores = arrays()["scores"]
    tamis.select(scores, k=5)  # a plan of k = 5 is remembered now
    change, message = NO_NUMBERS[name]
    call = {"k": K, **change}
    with pytest.raises(TypeError, match=message):
        tamis.select(scores, call.pop("lengths", None), **call)


def test_numbers_of_other_calls_are_refused_by_name():
    with pytest.raises(TypeError, match="rows is 'a'; it must be an int"):
        tamis.plan("a", 5, 5)
    with pytest.raises(TypeError, match="lists is 1.5; it must be an int"):
        tamis.plan_merge(1, 1.5, 1, 1)
    with pytest.raises(TypeError, match="device is 3; it must be a tamis.Device"):
        tamis.plan(1, 5, 5, device=3)
    with pytest.raises(TypeError, match="k is 'a'; it must be an int"):
        tamis.verify(arrays()["scores"], np.zeros((ROWS, K), I32), k="a")
    with pytest.raises(TypeError, match="rows is 2.5; it must be an int"):
        tamis.generate("relu", rows=2.5, width=3)
    with pytest.raises(tamis.InvalidArgument, match="width is -3; it must be 0 or more"):
        tamis.generate("relu", rows=2, width=-3)
    for seed in (-1, 2**64):
        with pytest.raises(tamis.InvalidArgument, match=rf"seed is {seed}; it must be 0 .. 2\^64 - 1"):
            tamis.generate("relu", rows=2, width=3, seed=seed)
    with pytest.raises(tamis.InvalidArgument, match="count is 5000; it must be 1 .. 4096"):
        tamis.Threads(5000)
    with pytest.raises(tamis.InvalidArgument, match="after the colon there must be 32 or 64"):
        tamis.device("emulated:7")


def test_what_a_framework_cannot_show_is_refused_with_its_reason():
    torch = pytest.importorskip("torch")
    with pytest.raises(tamis.InvalidArgument, match="scores cannot be read: "):
        tamis.select(torch.zeros((ROWS, WIDTH)).to_sparse(), k=K)


def test_what_is_no_array_is_a_type_error():
    with pytest.raises(TypeError, match="scores is of type list; it must be an array"):
        tamis.select([[1.0, 2.0]], k=1)
    with pytest.raises(TypeError, match="scores is of type list; it must be an array"):
        tamis.select([[1.0, 2.0]], plan=tamis.plan(1, 2, 1))
    with pytest.raises(TypeError, match="record is of type dict; it must be an array"):
        tamis.read_faults({})
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
