"""Devices by name."""

from __future__ import annotations

from tamis import _core
from tamis.errors import InvalidArgument

_BACKENDS = {"cuda": 1, "hip": 2}


def device(name: str = "cpu", *, threads: int = 1) -> _core.Device:
    """A device as a value: a set of numbers that a plan is made from. It need not be present.

    name: 'cpu'; a GPU of this machine, 'cuda', 'cuda:1', 'hip:0'; a device known by name, 'h200', 'mi300x', present or
        not; or 'emulated' and 'emulated:64', the GPU kernels on the host with 32 or 64 lanes a warp.
    threads: of the CPU backend, 1 .. 4096.
    Raises NoDevice where a GPU is asked for that is not there, InvalidArgument for a name that nothing has.
    """
    if not isinstance(name, str):
        raise TypeError(f"device is {name!r}; it must be a name")
    kind, _, number = name.partition(":")
    if number and not number.isdecimal():
        raise InvalidArgument(f"device is {name!r}; after the colon there must be a number")
    if kind in _BACKENDS:
        return _core.present_device(_BACKENDS[kind], int(number or 0))
    if kind == "emulated":
        if number not in ("", "32", "64"):
            raise InvalidArgument(f"device is {name!r}; after the colon there must be 32 or 64")
        return _core.emulated_device(int(number or 32))
    if name != "cpu":
        return _core.known_device(name)
    return _core.cpu_device(threads)
