"""tamis: exact top-k selection for sparse-attention indexers.

For every row of a score matrix tamis selects the k best positions, exactly, and writes them where a sparse-attention
kernel reads them: as positions, as KV-cache slots through a page table, or as ragged offsets.

Arrays are whatever the caller's framework has (NumPy, PyTorch, CuPy, JAX, or any other DLPack producer), and results
are arrays of the same framework, on the same device. Nothing is copied and nothing synchronises; on a GPU the work is
put on the framework's current stream.

    scores = tamis.generate("relu", rows=4, width=8192)
    chosen = tamis.select(scores, k=512, order="by_score")
    tamis.verify(scores, chosen, k=512, order="by_score").exact
"""

from tamis._core import Device, Plan, Threads
from tamis._core import version as __version__
from tamis._devices import device
from tamis._faults import FAULT_KINDS, Fault, new_faults, read_faults
from tamis._merge import merge
from tamis._plan import plan, plan_merge
from tamis._select import select
from tamis._selection import Selection
from tamis._verify import Report, verify
from tamis._workload import generate, patterns
from tamis.errors import BackendError, Error, InvalidArgument, NoDevice, PlanMismatch, WorkspaceTooSmall

__all__ = [
    "FAULT_KINDS",
    "BackendError",
    "Device",
    "Error",
    "Fault",
    "InvalidArgument",
    "NoDevice",
    "Plan",
    "PlanMismatch",
    "Report",
    "Selection",
    "Threads",
    "WorkspaceTooSmall",
    "__version__",
    "device",
    "generate",
    "merge",
    "new_faults",
    "patterns",
    "plan",
    "plan_merge",
    "read_faults",
    "select",
    "verify",
]
