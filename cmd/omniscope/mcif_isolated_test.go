package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"omniscope/bench"
	"omniscope/bench/benchtest"
	"omniscope/bench/mcif"
	"omniscope/internal/neuralgen"
	"omniscope/metric/neural/installed"
	"omniscope/metric/remember"
	"omniscope/run"
	"omniscope/run/local"
	"omniscope/run/runtest"
)

// countedJournal counts the scores that networks computed: each is written down.
type countedJournal struct {
	run.Journal
	scores *atomic.Int64
}

func (j countedJournal) Append(ctx context.Context, e *run.Entry) error {
	if e.Kind == remember.Kind {
		j.scores.Add(1)
	}
	return j.Journal.Append(ctx, e)
}

const isolatedReferences = `<testset name="MCIF1.0"><task track="long" text_lang="de">
<sample id="0" iid="TRANS_t1" task="TRANS"><audio_path>a.wav</audio_path><reference>Eins und eins.
Zwei.
Drei ist auch eine Zahl.</reference><metadata><transcript>One and one.
Two.
Three is a number, too.</transcript></metadata></sample>
<sample id="1" iid="QA_t1_1" task="QA" qa_type="A" qa_origin="Abstract"><audio_path>a.wav</audio_path><reference>Anna und Maria aus Bonn</reference></sample>
<sample id="3" iid="QA_t1_2" task="QA" qa_type="V" qa_origin="General"><audio_path>a.wav</audio_path><reference>Bonn</reference></sample>
<sample id="4" iid="QA_t1_3" task="QA" qa_type="V" qa_origin="General"><audio_path>a.wav</audio_path><reference>nicht genannt</reference></sample>
<sample id="2" iid="SUM_t1" task="SUM"><audio_path>a.wav</audio_path><reference>Zahlen, eine nach der anderen</reference></sample>
</task></testset>`

const isolatedOutputs = `<testset name="invented" type="output"><task track="long" text_lang="de">
<sample id="0">Einer und eins, zwei. Drei ist eine Zahl</sample>
<sample id="1">Maria</sample><sample id="3">Bonn</sample><sample id="4">nicht genannt worden</sample>
<sample id="2">Zahlen</sample>
</task></testset>`

func TestEachMCIFUnitCanBeScoredByNetworksAnywhere(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "models")
	if err := neuralgen.WriteRoot(root, neuralgen.Options{Seed: 1}); err != nil {
		t.Fatal(err)
	}
	in := bench.Inputs{Predictions: filepath.Join(dir, "out.xml"), Data: filepath.Join(dir, "ref.xml"), Profile: bench.Strict}
	for path, text := range map[string]string{in.Predictions: isolatedOutputs, in.Data: isolatedReferences} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	open := func(t *testing.T, journal run.Journal, calls *atomic.Int64) (bench.Benchmark, bench.Inputs) {
		e, err := openEncoders(installed.Options{Root: root, NoCache: true}, io.Discard, true)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.close() })
		e.once = &run.Once{Journal: countedJournal{journal, calls}}
		b := mcif.Benchmark{Track: "long", Lang: "de", Breakdown: true, Scorers: mcif.Published()}
		if err := e.fill(b.Scorers, b.Lang); err != nil {
			t.Fatal(err)
		}
		return b, in
	}
	benchtest.Isolated(t, open, func() run.Journal { return runtest.NewMemory() },
		func(workers int) bench.Options { return bench.Options{Engine: &local.Engine{Workers: workers}} })
}
