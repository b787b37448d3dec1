package main

import (
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"omniscope/internal/progress"
	"omniscope/metric/neural/installed"
	"omniscope/metric/neural/models"
)

// addNetworkFlags adds the flags of commands that score by networks.
func addNetworkFlags(f *pflag.FlagSet, o *installed.Options) {
	f.StringVar(&o.Root, "models-dir", "", "root of the model folders (default: $"+models.RootEnv+", else in the user's caches);\nsee omniscope data")
	f.IntVar(&o.Threads, "threads", 0, "goroutines that compute BERTScore and COMET at the same time; 0 = one for each processor")
	f.StringVar(&o.CacheDir, "cache-dir", "", "folder that remembers what BERTScore and COMET computed (default: in the user's caches)")
	f.BoolVar(&o.NoCache, "no-cache", false, "remember nothing of what BERTScore and COMET compute, and use nothing remembered")
}

// A tokenProgress shows how far the encoding of texts is.
type tokenProgress struct {
	w     io.Writer
	quiet bool
	what  string // whose texts they are; "" = the network's
	now   *progress.Display
	under *progress.Display // shows it in its place, where there is one already
}

// tell hears how many tokens of how many a network has encoded.
func (p *tokenProgress) tell(network string, done, total int) {
	if p.what != "" {
		network = p.what
	}
	if p.under != nil {
		p.under.Note(fmt.Sprintf("%s: %d of %d tokens", network, done, total))
		return
	}
	if p.now != nil && p.now.Total() != total {
		p.stop()
	}
	if p.now == nil {
		p.now = startProgress(p.w, p.quiet, total, nil)
		p.now.Note("tokens of " + network)
	}
	p.now.Done(done)
}

func (p *tokenProgress) stop() {
	if p.now != nil {
		p.now.Stop()
		p.now = nil
	}
}
