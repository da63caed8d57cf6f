"""The kinds of runs: fresh shoes, dealt-down shoes, luck-adjusted, GPU."""
