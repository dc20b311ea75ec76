"""Measurements: what the service costs, beside the barest thing that does the same kind of work. `python -m bench`.

Each bench is a module with `TITLE` and `run(effort) -> Measured`. Nothing here is a promise, and no test asserts a time: other
work on the machine moves every figure. So benches interleave what they compare and give medians, and ratios say more than
figures.
"""
