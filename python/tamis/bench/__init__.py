"""python -m tamis.bench: tamis beside the selectors that are importable, on the same scores, judged by verify."""
