"""Drawings of windows and lattices: as text for terminals, as SVG, with matplotlib.

text.py      cuts by level, in brackets where a condition holds; bars where there are too many
figure.py    where cuts and states are placed, in units of one cut or one state
svg.py       the same as a vector drawing
plots.py     the same with matplotlib; public as `latwin.plot`
"""
