package eval

import (
	"fmt"
	"os"

	"omniscope/bench"
	"omniscope/internal/ondisk"
)

// withCure adds to an error of the predictions what the user probably meant, if they are a wrong thing.
func withCure(err error, info bench.Info, in bench.Inputs) error {
	if cure := cureOf(info, in); err != nil && cure != "" {
		return fmt.Errorf("%w; %s", err, cure)
	}
	return err
}

func cureOf(info bench.Info, in bench.Inputs) string {
	path := in.Predictions
	if isSame(path, in.Data) {
		return fmt.Sprintf("%s is the file of %s itself: name the file with what a system said; `omniscope run %[2]s` makes one", path, info.Name)
	}
	r, err := ResultsIn(path)
	if err != nil {
		return ""
	}
	for from := range r.Run.Inputs {
		if !isSame(from, in.Data) && ondisk.IsFile(from) {
			return fmt.Sprintf("%s has the results of a run on %s, which has its predictions: name that file", path, from)
		}
	}
	return fmt.Sprintf("%s has the results of a run: name the file with its predictions", path)
}

func isSame(a, b string) bool {
	first, err1 := os.Stat(a)
	second, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(first, second)
}
