"""The lattice of a window: the fast one, and the paper's as published."""
