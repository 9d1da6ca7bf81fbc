"""The paper's evaluation (section 6), reproduced and carried further.

grids.py       which cells: experiments as parameters x seeds
cell.py        one cell: which office, which specification
measure.py     one cell measured: deliver and count; a pure function, no Spark
slides.py      every slide of a run in one compiled pass
kernels.py     the compiled half of it
timing.py      how long the engines take, and how much memory they hold
runner.py      all settings on Spark, counting before timing; finished ones are kept and not run again
estimate.py    means with intervals; fitted lines and exponents
table.py       a table, and how the cells of some seeds become its entries
tables.py      the paper's tables, one CSV each
own_tables.py  the tables that the paper does not have
published.py   what the paper says
checks.py      the published findings beside the measured ones
panels.py      the paper's curves, each on one pair of axes
own_panels.py  the curves that the paper does not have
figures.py     panels to figures
report.py      everything on one HTML page
page.py        findings and the paper's curves on one printed page
"""
