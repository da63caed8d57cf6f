"""What a GPU offers: how much runs on it at once, and how much memory its thread blocks share."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from holecard.gpu import cuda_module, multiprocessors

#: Shared memory that a thread block has on every GPU, in bytes.
_SHARED_MEMORY = 48 * 1024


def blocks_at_once() -> int:
    """Return how many thread blocks run at the same time if each takes all the shared memory there is."""
    return multiprocessors()


def most_shared_memory() -> int:
    """Return the bytes of shared memory that a thread block can have."""
    return int(getattr(cuda_module().get_current_device(), "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN", _SHARED_MEMORY))


def with_shared_memory(kernel: Any, arguments: tuple[Any, ...], size: int) -> Any:
    """Return the kernel compiled for these arguments, allowed to use this many bytes of shared memory per block."""
    compiled = kernel.specialize(*arguments)
    for function in compiled.overloads.values():
        _allow(function._codelibrary.get_cufunc(), size)
    return compiled


def _allow(function: Any, size: int) -> None:
    """Allow more shared memory than 48 KB: numba has no option for this."""
    driver = import_module("numba.cuda.cudadrv.driver")
    attribute = driver.binding.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    driver.driver.cuKernelSetAttribute(attribute, size, function.handle, function.device.id)
