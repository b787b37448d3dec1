"""Runs the Python on a page, block by block, in one namespace, and compares what print says with the comments behind.

Usage: snippets.py PAGE. The working folder has the files that the page names. A block that asks for pandas or pyarrow where
there is none must say what to install.
"""

import contextlib
import importlib.util
import io
import re
import sys

page = open(sys.argv[1], encoding="utf-8").read()
blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
names: dict = {"__name__": "page"}
bad = 0
for block in blocks:
    needs = [package for form, package in {"pandas": "pandas", "arrow": "pyarrow"}.items() if f'as_="{form}"' in block]
    missing = [package for package in needs if importlib.util.find_spec(package) is None]
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            exec(compile(block, sys.argv[1], "exec"), names)
    except ImportError as why:
        if not missing or f"pip install {missing[0]}" not in str(why):
            raise
        print("without", missing[0])
        continue
    if missing:
        sys.exit(f"{missing[0]} is not installed, and nothing was said:\n{block}")
    want = "".join(line + "\n" for line in re.findall(r"^ *print\(.*\)  # (.*)$", block, re.MULTILINE))
    if printed.getvalue() != want:
        print(f"{block}\nprints\n{printed.getvalue()}and the page says\n{want}", file=sys.stderr)
        bad += 1
print(len(blocks), "blocks")
sys.exit(bad)
