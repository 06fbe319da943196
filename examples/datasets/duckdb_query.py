"""The actions that winners choose most often, in SQL, with DuckDB.

First: lastcard dataset classic --rounds 200 --out decisions
"""

import json
import sys

import duckdb
from pyarrow import parquet

folder = sys.argv[1] if sys.argv[1:] else "decisions"
described = json.loads(parquet.read_schema(f"{folder}/train.parquet").metadata[b"lastcard dataset"])
hand, end = described["observation"]["hand"]
query = f"""
    SELECT action, count(*) AS times, avg(list_sum(observation[{hand + 1}:{end}])) AS cards_in_hand
    FROM '{folder}/*.parquet' WHERE won AND list_sum(action_mask) > 1
    GROUP BY action ORDER BY times DESC, action LIMIT 10
"""
for action, times, cards in duckdb.sql(query).fetchall():
    print(f"{described['actions'][action]:8} {times:6} times, with {cards:.1f} cards in hand")
