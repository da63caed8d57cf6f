"""Ways to play rounds: fresh shoes, dealt-down shoes, luck-adjusted, on a GPU."""
