"""Play rounds in lockstep, one per lane."""
