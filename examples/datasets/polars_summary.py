"""How much chance each bot loses with a decision, and how often it wins, with polars.

First: lastcard dataset classic --bots casual,sharp --rounds 200 --chances --out decisions
"""

import sys

import polars as pl

folder = sys.argv[1] if sys.argv[1:] else "decisions"
rows = pl.scan_parquet(f"{folder}/*.parquet")
print(
    rows.group_by("bot")
    .agg(
        pl.len().alias("decisions"),
        pl.col("chance_lost").mean(),
        pl.col("won").filter(pl.col("is_last")).mean().alias("rounds won"),
        pl.col("action_mask").arr.sum().mean().alias("choices"),
    )
    .sort("bot")
    .collect()
)
