"""The paper's evaluation (section 6), reproduced and carried further.

grids.py       which cells: experiments as parameters x seeds
measure.py     one cell: simulate an office, deliver, count and time; a pure function, no Spark
runner.py      all cells as one Spark job; finished ones are kept and not run again
tables.py      cells to the tables of the report, one CSV each
published.py   what the paper says
figures.py     the tables as pictures
report.py      everything on one page
"""
