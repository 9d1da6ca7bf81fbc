"""The paper's evaluation (section 6), reproduced and carried further.

grids.py       which cells: experiments as parameters x seeds
cell.py        one cell: which office, which specification
measure.py     one cell measured: deliver and count; a pure function, no Spark
timing.py      how long the engines take, and how much memory they hold
runner.py      all cells as one Spark job; finished ones are kept and not run again
estimate.py    means with intervals; fitted lines and exponents
tables.py      cells to the tables of the report, one CSV each
published.py   what the paper says
checks.py      the published findings beside the measured ones
panels.py      the paper's curves, each on one pair of axes
figures.py     panels to figures
report.py      everything on one HTML page
page.py        findings and the paper's curves on one printed page
"""
