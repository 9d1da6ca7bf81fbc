"""The output folder of a pipeline: which of its files count, and how they are merged; no Spark is needed to read it.

store.py       files of an output, wherever it is
manifest.py    commits, snapshots and replacements: which files hold which batches
compaction.py  few large files instead of many small ones, and an age at which results go
"""
