package eval

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/mcif"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/runtest"
	"omniscope/internal/tools/neuralgen"
	"omniscope/metric/neural/installed"
	"omniscope/metric/remember"
	"omniscope/run"
	"omniscope/run/local"
	"omniscope/session"
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

// networksOf are the networks of a root as a run has them.
func networksOf(t *testing.T, root string) *networks {
	t.Helper()
	shared := &session.Shared{}
	t.Cleanup(func() {
		if err := shared.Close(); err != nil {
			t.Error(err)
		}
	})
	return &networks{shared: &shared.Networks, options: installed.Options{Root: root, NoCache: true}, once: func() *run.Once { return nil }}
}

func TestUnitsScoredByNetworksAnywhere(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "models")
	fixture.OK(t, neuralgen.WriteRoot(root, neuralgen.Options{Seed: 1}))
	in := bench.Inputs{Predictions: filepath.Join(dir, "out.xml"), Data: filepath.Join(dir, "ref.xml"), Scoring: bench.Strict}
	for path, text := range map[string]string{in.Predictions: isolatedOutputs, in.Data: isolatedReferences} {
		fixture.OK(t, os.WriteFile(path, []byte(text), 0o644))
	}
	open := func(t *testing.T, journal run.Journal, calls *atomic.Int64) (bench.Benchmark, bench.Inputs) {
		n := networksOf(t, root)
		n.once = func() *run.Once { return &run.Once{Journal: countedJournal{journal, calls}} }
		in := in
		in.Networks = n
		return &mcif.Benchmark{Track: "long", Lang: "de", Breakdown: true}, in
	}
	benchtest.Isolated(t, open, func() run.Journal { return runtest.NewMemory() },
		func(workers int) bench.Options { return bench.Options{Engine: &local.Engine{Workers: workers}} })
}

func TestUnavailableNetworks(t *testing.T) {
	n := networksOf(t, t.TempDir())
	if network, err := n.BERTScore("fr"); network != nil || err != nil {
		t.Errorf("a language without a network: %v, %v", network, err)
	}
	_, err := n.COMET()
	if omniscope.KindOf(err) != omniscope.NotFound || n.used {
		t.Errorf("a network that is not installed: %v, used: %v", err, n.used)
	}
	if want := "needs the model comet/wmt22-comet-da: get it with `omniscope data get comet/wmt22-comet-da --models-dir " + n.options.Root + "`"; err.Error() != want {
		t.Errorf("got %v", err)
	}
}
