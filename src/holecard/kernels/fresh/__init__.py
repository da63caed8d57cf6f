"""Play rounds from fresh shoes, many in lockstep."""
