"""The frameworks that arrays come from: how each one's memory is seen, made, brought to the host, and on which stream
it works now. Where an array's type has DLPack's C functions the extension module uses those and asks here for nothing
but new arrays. No framework is imported that the caller has not imported."""

from __future__ import annotations

import ctypes
import importlib
import sys
from typing import Any, ClassVar, Protocol

from tamis.errors import BackendError, InvalidArgument

# A view of host memory: address, read only, DLPack type code, bits, shape, strides in bytes.
View = tuple[int, bool, int, int, tuple[int, ...], "tuple[int, ...] | None"]

# NumPy's kinds of numbers and DLPack's type codes.
NUMPY_KINDS = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
BFLOAT = 4

# What waits for the default stream, by DLPack's device type: CUDA and ROCm.
WAITS = {2: ("libcuda.so.1", "cuStreamSynchronize"), 10: ("libamdhip64.so", "hipStreamSynchronize")}


class Framework(Protocol):
    """What tamis needs of a framework. `dtype` is 'int32', 'int64', 'uint8' or 'like', the type of the array."""

    mutable: ClassVar[bool]  # whether callers may see an array change

    def export(self, array: Any, name: str) -> Any:
        """A DLPack capsule or a View; `name` is the argument's, for messages."""

    def empty(self, like: Any, shape: tuple[int, ...], dtype: str) -> Any:
        """A new array on the device of `like`."""

    def stream(self, ordinal: int) -> int:
        """The address of the current stream of GPU `ordinal`."""

    def enqueued(self, array: Any) -> None:
        """Called when work on `array` has been put on a GPU's stream."""

    def host(self, array: Any) -> Any:
        """The array in host memory; waits for a GPU."""


class Streams:
    """A framework whose own work follows on the stream that was used, so that nobody waits."""

    mutable: ClassVar[bool] = True

    def enqueued(self, array: Any) -> None:
        pass


class NumPy(Streams):
    def export(self, array: Any, name: str) -> View:
        interface = array.__array_interface__
        address, read_only = interface["data"]
        return (address, read_only, *self._type(array.dtype, name), interface["shape"], interface["strides"])

    def _type(self, dtype: Any, name: str) -> tuple[int, int]:
        if dtype.name == "bfloat16":
            return BFLOAT, 16
        if dtype.kind not in NUMPY_KINDS or not dtype.isnative:
            raise TypeError(f"{name} is of {dtype!r}; it must be of numbers in this machine's byte order")
        return NUMPY_KINDS[dtype.kind], 8 * dtype.itemsize

    def empty(self, like: Any, shape: tuple[int, ...], dtype: str) -> Any:
        return sys.modules["numpy"].empty(shape, like.dtype if dtype == "like" else dtype)

    def stream(self, ordinal: int) -> int:
        return 0

    def host(self, array: Any) -> Any:
        return array


class Torch(Streams):
    """Tensors of a torch without DLPack's C functions, before 2.10, are exported here; all are made here."""

    def __init__(self) -> None:
        importlib.import_module("tamis._torch")  # torch.compile then traces select
        torch = sys.modules["torch"]
        self._types = {"int32": torch.int32, "int64": torch.int64, "uint8": torch.uint8}

    def export(self, tensor: Any, name: str) -> Any:
        try:
            return sys.modules["torch"].utils.dlpack.to_dlpack(tensor.detach())
        except RuntimeError as reason:
            raise InvalidArgument(f"{name} cannot be read: {str(reason).partition(chr(10))[0]}") from None

    def empty(self, like: Any, shape: tuple[int, ...], dtype: str) -> Any:
        if dtype == "like":
            return like.new_empty(shape)
        return like.new_empty(shape, dtype=self._types[dtype])

    def stream(self, ordinal: int) -> int:
        return int(sys.modules["torch"].cuda.current_stream(ordinal).cuda_stream)

    def host(self, tensor: Any) -> Any:
        return tensor.detach().cpu()


class CuPy(Streams):
    def export(self, array: Any, name: str) -> Any:
        return array.__dlpack__(stream=-1)  # the caller's stream is used, so there is nothing to wait for

    def empty(self, like: Any, shape: tuple[int, ...], dtype: str) -> Any:
        cupy = sys.modules["cupy"]
        with like.device:
            return cupy.empty(shape, like.dtype if dtype == "like" else dtype)

    def stream(self, ordinal: int) -> int:
        return int(sys.modules["cupy"].cuda.get_current_stream(ordinal).ptr)

    def host(self, array: Any) -> Any:
        return array.get()


class Jax:
    """JAX's arrays do not change once made: results are written into arrays that nobody has seen yet. It cannot be told
    of a stream either, so its work is over before a call begins, and the call's before it returns."""

    mutable: ClassVar[bool] = False

    def export(self, array: Any, name: str) -> Any:
        array.block_until_ready()
        return array.__dlpack__()

    def empty(self, like: Any, shape: tuple[int, ...], dtype: str) -> Any:
        jax = sys.modules["jax"]
        made = jax.numpy.empty(shape, like.dtype if dtype == "like" else dtype)
        return jax.device_put(made, next(iter(like.devices())))

    def stream(self, ordinal: int) -> int:
        return 0

    def enqueued(self, array: Any) -> None:
        library, function = WAITS[array.__dlpack_device__()[0]]
        status = getattr(ctypes.CDLL(library), function)(None)
        if status != 0:
            raise BackendError(f"{function} failed with {status}")

    def host(self, array: Any) -> Any:
        return sys.modules["numpy"].asarray(array)


class Other(Streams):
    """Any other DLPack producer; results are NumPy arrays, and on a GPU they must be given."""

    def export(self, array: Any, name: str) -> Any:
        on_host = array.__dlpack_device__()[0] == 1
        return array.__dlpack__() if on_host else array.__dlpack__(stream=1)

    def empty(self, like: Any, shape: tuple[int, ...], dtype: str) -> Any:
        if like.__dlpack_device__()[0] != 1 or dtype == "like":
            raise TypeError(f"tamis cannot make a {type(like).__name__}; give out and workspace")
        import numpy

        return numpy.empty(shape, dtype)

    def stream(self, ordinal: int) -> int:
        return 0

    def host(self, array: Any) -> Any:
        return array


_MAKERS: dict[str, type[Framework]] = {"numpy": NumPy, "torch": Torch, "cupy": CuPy, "jax": Jax, "jaxlib": Jax}
_of_type: dict[type, Framework] = {}


def _look_up(kind: type, name: str) -> Framework:
    if not hasattr(kind, "__dlpack__"):
        raise TypeError(
            f"{name} is of type {kind.__name__}; it must be an array (NumPy, PyTorch, CuPy, JAX or another that has "
            "__dlpack__)"
        )
    for base in kind.__mro__:
        root = base.__module__.partition(".")[0]
        if root in _MAKERS:
            return _MAKERS[root]()
    return Other()


def framework_of(array: Any, name: str = "scores") -> Framework:
    """The framework whose array `array` is, the argument called `name`. Raises TypeError where it is none."""
    kind = type(array)
    if kind not in _of_type:
        _of_type[kind] = _look_up(kind, name)
    return _of_type[kind]


def export(array: Any, name: str) -> Any:
    """Called by the extension module: the memory of `array`, the argument called `name`."""
    return framework_of(array, name).export(array, name)


def current_stream(array: Any, ordinal: int) -> int:
    """Called by the extension module: the stream that the framework of `array` is on."""
    return framework_of(array).stream(ordinal)


def enqueued(array: Any) -> None:
    """Called by the extension module: work on `array` is on its way on that stream."""
    framework_of(array).enqueued(array)
