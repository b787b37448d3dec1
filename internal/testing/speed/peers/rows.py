# Prints how many bytes the captions of a file of JSON Lines have: rows.py FILE.
import sys

import polars

rows = polars.read_ndjson(sys.argv[1])
print(rows["predicted_caption"].str.len_bytes().sum())
