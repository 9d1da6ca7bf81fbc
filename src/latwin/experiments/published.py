"""What the paper reports (section 6.3), and the ranges within which a reproduction is expected."""

from __future__ import annotations

#: Table 1: window 4, mean delay 0.5 s; by number of processes
SIZES = {2: 9, 3: 25, 4: 78, 5: 221, 6: 768, 7: 2691, 8: 9799, 9: 34408}
TIMES_MS = {2: 0.5, 3: 0.6, 4: 2.0, 5: 7.5, 6: 36.0, 7: 184.0, 8: 1616.0, 9: 14766.0}
THETA = 0.75

#: three processes, delay 0.5 s
PERC_DET_AT_4 = 97.11
SIZE_AT_4 = 27.23
PERC_S_AT_10_BELOW = 1.0
PROB_DET_AT_5 = 99.0

#: three processes, window 4, delay 5 s
PROB_DET_AT_5_S = 85.0
SIZE_AT_5_S = 30.0

#: points of Prob_det lost from 2 to 9 processes
PROB_DET_FALL = 20.0
