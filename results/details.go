package results

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench/predict"
	"omniscope/internal/input"
	"omniscope/internal/ondisk"
	"omniscope/internal/rows"
	"omniscope/internal/sha256hex"
)

// WordsOfOptions is the setting "answers" of details whose answers are in the words of an option, where letters were asked
// for before: a run of either does not continue or replace one of the other.
const WordsOfOptions = "words of options"

// Details are what a run of a model wrote beside its answers: what was sent for each
// sample, and what came of it.
type Details struct {
	Path        string
	Run         string            // name
	Settings    map[string]string // of the run: its Spec, one value each, by names with points between
	Order       []omniscope.SampleID
	Predictions map[omniscope.SampleID]*predict.Prediction
}

const detailsEnding = ".details.jsonl"

// DetailsName returns the file of details next to a file of answers, packed or not.
func DetailsName(answers string) string {
	answers = input.WithoutPacking(answers)
	for _, ending := range []string{".jsonl", ".csv", ".xml"} {
		if base, ok := strings.CutSuffix(answers, ending); ok {
			return base + detailsEnding
		}
	}
	return answers + detailsEnding
}

// IsDetails reports whether a file is called as files of details are.
func IsDetails(path string) bool { return strings.HasSuffix(path, detailsEnding) }

// ReadDetails reads a file of details.
func ReadDetails(ctx context.Context, path string) (*Details, error) {
	lines, err := rows.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer lines.Close()
	d := &Details{Path: path, Predictions: make(map[omniscope.SampleID]*predict.Prediction, lines.Len())}
	var text []byte
	for i := range lines.Len() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if text, err = lines.AppendTo(text[:0], i); err != nil {
			return nil, err
		}
		if i == 0 {
			err = d.head(text)
		} else {
			err = d.add(text)
		}
		if err != nil {
			return nil, lines.Bad(i, text, err)
		}
	}
	if d.Run == "" {
		return nil, omniscope.Invalidf("%s is empty: no run of a model wrote it", path)
	}
	return d, nil
}

// ReadSettings reads the settings of a run of a model from its file of details.
func ReadSettings(ctx context.Context, path string) (map[string]string, error) {
	lines, err := rows.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer lines.Close()
	d := &Details{Path: path}
	if lines.Len() == 0 {
		return nil, omniscope.Invalidf("%s is empty: no run of a model wrote it", path)
	}
	text, err := lines.AppendTo(nil, 0)
	if err == nil {
		err = d.head(text)
	}
	return d.Settings, err
}

func (d *Details) head(text []byte) error {
	var head struct {
		Run  string          `json:"run"`
		Spec json.RawMessage `json:"spec"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return cmp.Or(rows.CheckJSON(text), err)
	}
	if head.Run == "" || len(head.Spec) == 0 {
		return fmt.Errorf("its first line does not describe a run: is it a file of details, as `omniscope run` writes them?")
	}
	d.Run, d.Settings = head.Run, make(map[string]string)
	values := json.NewDecoder(bytes.NewReader(head.Spec))
	values.UseNumber()
	var spec any
	if err := values.Decode(&spec); err != nil {
		return err
	}
	flatten(d.Settings, "", spec)
	return nil
}

// flatten gives each value of a document its name.
func flatten(into map[string]string, name string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			flatten(into, strings.TrimPrefix(name+"."+key, "."), v[key])
		}
	case string:
		into[name] = v
	default:
		text, _ := json.Marshal(v) // it was read as JSON
		into[name] = string(text)
	}
}

func (d *Details) add(text []byte) error {
	p := new(predict.Prediction)
	if err := json.Unmarshal(text, p); err != nil {
		return cmp.Or(rows.CheckJSON(text), err)
	}
	switch _, twice := d.Predictions[p.Sample]; {
	case p.Sample == "":
		return fmt.Errorf(`"sample" is missing`)
	case twice:
		return fmt.Errorf("sample %q is there twice", p.Sample)
	}
	d.Order = append(d.Order, p.Sample)
	d.Predictions[p.Sample] = p
	return nil
}

// Details reads the details of the run of a model whose answers were scored. Without
// any, why says what is amiss: answers made elsewhere, or others since.
func (r *Run) Details(ctx context.Context) (d *Details, why string, err error) {
	path, why, err := r.DetailsFile()
	if err != nil || path == "" {
		return nil, why, err
	}
	d, err = ReadDetails(ctx, path)
	return d, "", err
}

// DetailsFile finds the file of details of the run of a model whose answers were
// scored. Without one, path is "" and why says what is amiss.
func (r *Run) DetailsFile() (path, why string, err error) {
	for _, named := range slices.Sorted(maps.Keys(r.Results.Run.Inputs)) {
		for _, answers := range Places(r.Dir, named) {
			path := DetailsName(answers)
			if !ondisk.Exists(path) {
				continue
			}
			same, err := hasDigest(answers, r.Results.Run.Inputs[named])
			if err != nil {
				return "", "", err
			}
			if !same {
				why = answers + " has changed since it was scored"
				continue
			}
			return path, "", nil
		}
	}
	return "", cmp.Or(why, "no file of details lies beside the answers"), nil
}

// Places are where a file that a run names may lie: named from here, or from a folder
// above that of the run.
func Places(dir, named string) []string {
	if filepath.IsAbs(named) {
		return []string{named}
	}
	places := []string{named}
	whole, err := filepath.Abs(dir)
	if err != nil {
		return places
	}
	for above := whole; above != filepath.Dir(above); above = filepath.Dir(above) {
		places = append(places, filepath.Join(above, named))
	}
	return places
}

func hasDigest(path, want string) (bool, error) {
	digest, err := sha256hex.File(path)
	return err == nil && digest == want, err
}
