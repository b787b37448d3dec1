package main

import (
	"omniscope/session"
	"omniscope/session/caption"
	"omniscope/session/eval"
	"omniscope/session/predict"
	"omniscope/session/probe"
	"omniscope/session/rows"
)

// runKinds are the kinds of runs: workers and the lists of journals read runs back by them.
var runKinds = session.Kinds{eval.Kind, predict.Kind, caption.Kind, probe.Kind, rows.Kind, rows.ScoreKind}
