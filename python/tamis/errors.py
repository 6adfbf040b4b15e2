"""What tamis raises. Each carries the library's message: which argument, what it was and what it must be.

On all but `BackendError` nothing was launched and nothing was written. An object that is no array, or a number that
is none, is a `TypeError`.
"""


class Error(Exception):
    """Anything that a call of tamis reports."""


class InvalidArgument(Error, ValueError):
    """An argument that cannot be used."""


class WorkspaceTooSmall(Error, ValueError):
    """A workspace of fewer bytes than the plan asks for."""


class PlanMismatch(Error, ValueError):
    """A plan made for another shape, type, device or kind of work."""


class NoDevice(Error, RuntimeError):
    """A backend or a device that is not on this machine or not in this build."""


class BackendError(Error, RuntimeError):
    """The runtime below (CUDA, HIP, the operating system) failed; outputs may hold anything."""


# By tamis::Code, for the extension module.
BY_CODE: dict[int, type[Exception]] = {
    1: InvalidArgument,
    2: WorkspaceTooSmall,
    3: PlanMismatch,
    4: NoDevice,
    5: BackendError,
    6: MemoryError,
}
