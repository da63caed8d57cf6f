"""What an operator watches: metrics, and an alarm where a game pays more or less than it should."""
