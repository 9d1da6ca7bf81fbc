"""The sliding windows and the lattice of their consistent global states; its kernels are compiled."""
