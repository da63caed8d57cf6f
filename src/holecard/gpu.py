"""The GPU of this machine: whether there is one, and how many multiprocessors it has."""

from __future__ import annotations

from typing import Any

from holecard.errors import Refusal, install_extra


def check_gpu(instead: str = "--device cpu") -> None:
    """Raise a `Refusal` if there is no usable GPU or no driver; it says what to use `instead`."""
    if not cuda_module().is_available():
        raise Refusal(f"no CUDA GPU found; check `nvidia-smi`, or use {instead}")


def cuda_module() -> Any:
    """Return `numba.cuda`."""
    try:
        from holecard.kernels.gpu.numba_cuda import cuda
    except ImportError:
        raise Refusal(f"running on a GPU needs another package; {install_extra('cuda')}") from None
    return cuda


def multiprocessors() -> int:
    """Return how many multiprocessors the GPU has; its simulator, which has none, works as if it had two."""
    return int(getattr(cuda_module().get_current_device(), "MULTIPROCESSOR_COUNT", 2))
