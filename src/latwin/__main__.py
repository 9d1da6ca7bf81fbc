"""`python -m latwin` is `latwin`."""

from latwin.cli import main

main()
