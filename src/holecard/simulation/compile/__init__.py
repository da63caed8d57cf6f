"""Rules and charts as lookup tables for the kernels."""
