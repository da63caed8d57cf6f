"""The audit: everything that is stored is checked against the logs, and the logs against their hash chains."""
