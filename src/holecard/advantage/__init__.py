"""What a counter can take: effects of removal, counts, index plays, and the gain from every wager of a sheet."""
