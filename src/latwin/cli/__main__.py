"""`python -m latwin.cli` is `latwin`."""

from latwin.cli import main

main()
