"""Reports of simulated results: runs, luck-adjusted runs, sweeps, verifications, bankrolls."""
