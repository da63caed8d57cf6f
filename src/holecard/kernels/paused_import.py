"""Import numba with garbage collection paused: it would take a fifth of the import time and free nothing."""

from __future__ import annotations

import gc

_was_enabled = gc.isenabled()
gc.disable()
try:
    import numba
finally:
    if gc.get_freeze_count() == 0:
        # Count the new objects as old ones at once, or the next collections would look at all of them again.
        gc.freeze()
        gc.unfreeze()
    if _was_enabled:
        gc.enable()

__all__ = ["numba"]
