package main

import "omniscope/session"

// runKinds are the kinds of runs: workers and the lists of journals read runs back by them.
var runKinds = session.Kinds{session.EvalRuns, session.PredictRuns, session.CaptionRuns, session.AuditRuns, session.ProbeRuns, session.RowRuns, session.ScoreRuns}
