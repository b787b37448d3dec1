// Command neuralgen makes model folders of random weights, and texts to score
// with them:
//
//	go run ./internal/tools/neuralgen/neuralgen -shape comet DIR
//	go run ./internal/tools/neuralgen/neuralgen -shape tiny ROOT
//	go run ./internal/tools/neuralgen/neuralgen -texts 1000 -words 25 -lang de DIR
//
// Shape tiny stands for the tiny models of all that MCIF needs, each in its
// place below ROOT.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"omniscope/internal/tools/neuralgen"
)

func main() {
	if err := run(os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "neuralgen:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	var names []string
	for _, s := range neuralgen.Shapes {
		names = append(names, s.Name)
	}
	f := flag.NewFlagSet("neuralgen", flag.ContinueOnError)
	shape := f.String("shape", "", "make a model folder: tiny, "+strings.Join(names, ", "))
	seed := f.Uint64("seed", 1, "seed of all that is random")
	checkpoint := f.Bool("checkpoint", false, "weights as a file of torch instead of safetensors, to import")
	texts := f.Int("texts", 0, "make so many lines of hyp.txt, ref.txt and src.txt")
	words := f.Int("words", 20, "words of a line, about")
	lang := f.String("lang", "de", "zh for Chinese characters")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() != 1 || (*shape == "") == (*texts == 0) {
		return errors.New("give -shape NAME or -texts N, and one folder; see -help")
	}
	if *texts > 0 {
		return neuralgen.Texts(*texts, max(*words, 1), *lang, *seed).Write(f.Arg(0))
	}
	o := neuralgen.Options{Seed: *seed, Checkpoint: *checkpoint}
	if *shape == "tiny" {
		return neuralgen.WriteRoot(f.Arg(0), o)
	}
	s, err := neuralgen.Find(*shape)
	if err != nil {
		return err
	}
	return neuralgen.Write(f.Arg(0), s, o)
}
