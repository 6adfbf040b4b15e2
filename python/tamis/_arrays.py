"""The frameworks that arrays come from: how each one's memory is seen, made, brought to the host, and on which stream
it works now. Where an array's type has DLPack's C functions the extension module uses those and asks here for nothing
but new arrays. No framework is imported that the caller has not imported."""

from __future__ import annotations

import importlib
import sys
from typing import Any, Protocol

# A view of host memory: address, read only, DLPack type code, bits, shape, strides in bytes.
View = tuple[int, bool, int, int, tuple[int, ...], "tuple[int, ...] | None"]

NUMPY_TYPES = {"<i4": (0, 32), "<i8": (0, 64), "|u1": (1, 8), "<f4": (2, 32), "<f2": (2, 16), "<f8": (2, 64)}


class Framework(Protocol):
    """What tamis needs of a framework. `dtype` is 'int32', 'int64', 'uint8' or 'like', the type of the array."""

    def export(self, array: Any) -> Any:
        """A DLPack capsule or a View."""

    def empty(self, like: Any, shape: tuple[int, ...], dtype: str) -> Any:
        """A new array on the device of `like`."""

    def stream(self, ordinal: int) -> int:
        """The address of the current stream of GPU `ordinal`."""

    def host(self, array: Any) -> Any:
        """The array in host memory; waits for a GPU."""


class NumPy:
    def export(self, array: Any) -> View:
        interface = array.__array_interface__
        address, read_only = interface["data"]
        return (address, read_only, *self._type(array, interface["typestr"]), interface["shape"], interface["strides"])

    def _type(self, array: Any, typestr: str) -> tuple[int, int]:
        if array.dtype.name == "bfloat16":
            return 4, 16
        if typestr in NUMPY_TYPES:
            return NUMPY_TYPES[typestr]
        raise TypeError(f"an array of {array.dtype!r} cannot be used; arrays are of int32, int64 and scores of floats")

    def empty(self, like: Any, shape: tuple[int, ...], dtype: str) -> Any:
        return sys.modules["numpy"].empty(shape, like.dtype if dtype == "like" else dtype)

    def stream(self, ordinal: int) -> int:
        return 0

    def host(self, array: Any) -> Any:
        return array


class Torch:
    """Tensors of a torch without DLPack's C functions, before 2.10, are exported here; all are made here."""

    def __init__(self) -> None:
        importlib.import_module("tamis._torch")  # torch.compile then traces select
        torch = sys.modules["torch"]
        self._types = {"int32": torch.int32, "int64": torch.int64, "uint8": torch.uint8}

    def export(self, tensor: Any) -> Any:
        return sys.modules["torch"].utils.dlpack.to_dlpack(tensor.detach())

    def empty(self, like: Any, shape: tuple[int, ...], dtype: str) -> Any:
        if dtype == "like":
            return like.new_empty(shape)
        return like.new_empty(shape, dtype=self._types[dtype])

    def stream(self, ordinal: int) -> int:
        return int(sys.modules["torch"].cuda.current_stream(ordinal).cuda_stream)

    def host(self, tensor: Any) -> Any:
        return tensor.detach().cpu()


class CuPy:
    def export(self, array: Any) -> Any:
        return array.__dlpack__(stream=-1)  # the caller's stream is used, so there is nothing to wait for

    def empty(self, like: Any, shape: tuple[int, ...], dtype: str) -> Any:
        cupy = sys.modules["cupy"]
        with like.device:
            return cupy.empty(shape, like.dtype if dtype == "like" else dtype)

    def stream(self, ordinal: int) -> int:
        return int(sys.modules["cupy"].cuda.get_current_stream().ptr)

    def host(self, array: Any) -> Any:
        return array.get()


class Jax:
    """JAX's arrays do not change once made. Results are written into arrays that nobody has seen yet."""

    def export(self, array: Any) -> Any:
        array.block_until_ready()
        return array.__dlpack__()

    def empty(self, like: Any, shape: tuple[int, ...], dtype: str) -> Any:
        jax = sys.modules["jax"]
        made = jax.numpy.empty(shape, like.dtype if dtype == "like" else dtype)
        return jax.device_put(made, next(iter(like.devices())))

    def stream(self, ordinal: int) -> int:
        return 0

    def host(self, array: Any) -> Any:
        return sys.modules["numpy"].asarray(array)


class Other:
    """Any other DLPack producer; results are NumPy arrays, and on a GPU they must be given."""

    def export(self, array: Any) -> Any:
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


def _look_up(kind: type) -> Framework:
    for base in kind.__mro__:
        root = base.__module__.partition(".")[0]
        if root in _MAKERS:
            return _MAKERS[root]()
    return Other()


def framework_of(array: Any) -> Framework:
    """The framework whose array `array` is."""
    kind = type(array)
    if kind not in _of_type:
        _of_type[kind] = _look_up(kind)
    return _of_type[kind]


def export(array: Any, name: str) -> Any:
    """Called by the extension module: the memory of `array`, the argument called `name`."""
    if not hasattr(array, "__dlpack__"):
        raise TypeError(
            f"{name} is of type {type(array).__name__}; it must be an array (NumPy, PyTorch, CuPy, JAX or another that "
            "has __dlpack__)"
        )
    return framework_of(array).export(array)


def current_stream(array: Any, ordinal: int) -> int:
    """Called by the extension module: the stream that the framework of `array` is on."""
    return framework_of(array).stream(ordinal)
