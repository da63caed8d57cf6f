"""The best strategy chart and its exceptions."""
