from pathlib import Path
from typing import Any, Dict, List, Optional

import omniscope

lines: List[str] = []
done: omniscope.Completed = omniscope.run(["eval", Path("x")], progress=lines.append, check=False, env={"A": "b"}, input=b"")
code: int = done.code
text: str = done.stdout
run: omniscope.Run = omniscope.load(Path("runs"))
scores: Dict[str, Optional[float]] = run.scores
rows: List[Dict[str, Any]] = list(run.questions)
frame: Any = run.table("blanks", as_="pandas")
every: Dict[str, Any] = omniscope.tables([Path("a"), "b"])
try:
    omniscope.run([])
except (omniscope.BudgetReached, omniscope.Interrupted) as error:
    message: str = error.message
