"""One module for each command; what they share is beside this package."""
