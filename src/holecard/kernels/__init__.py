"""Compiled numeric code only; imports nothing of ours."""
