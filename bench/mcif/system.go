package mcif

import (
	"cmp"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"omniscope"
)

// An outputPath is a system's outputs for one track, language and set of
// prompts, in one file or in shards.
type outputPath struct {
	System   string
	Modality string // of the input: text, audio, video, or mllm for video with its sound
	Track    string
	Lang     string
	Prompts  string   // fixed, or random for mixed ones, as the published files say
	Paths    []string // several when it is in shards
}

// Filter is the modality that a sample must have to be asked of the system.
func (f outputPath) Filter() string {
	if f.Modality == "mllm" {
		return "video"
	}
	return f.Modality
}

// findOutputs finds the output files under a folder by their names, which are
// MODALITY_TRACK_LANG_fixed|random[_MODEL]_output.xml[.gz] in the published
// baselines, with _FROM_TO before _output for shards. A file that does not name
// its model is of the model that its folder is called by. rest are the XML files
// with other names.
func findOutputs(dir string) (outputs []outputPath, rest []string, err error) {
	byName := make(map[string]*outputPath)
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() || !isXML(path) {
			return nil
		}
		f, ok := parseName(path)
		if !ok {
			rest = append(rest, path)
			return nil
		}
		key := strings.Join([]string{filepath.Dir(path), f.System, f.Modality, f.Track, f.Lang, f.Prompts}, "\x00")
		if known := byName[key]; known != nil {
			known.Paths = append(known.Paths, path)
		} else {
			f.Paths = []string{path}
			byName[key] = &f
		}
		return nil
	})
	if err != nil {
		return nil, nil, &omniscope.Error{Kind: omniscope.NotFound, Op: "look for outputs", Err: err}
	}
	for _, f := range byName {
		slices.SortFunc(f.Paths, func(a, b string) int { return cmp.Or(cmp.Compare(shardStart(a), shardStart(b)), cmp.Compare(a, b)) })
		outputs = append(outputs, *f)
	}
	slices.SortFunc(outputs, compareOutputs)
	return outputs, rest, nil
}

func compareOutputs(a, b outputPath) int {
	return cmp.Or(cmp.Compare(a.System, b.System), cmp.Compare(a.Modality, b.Modality), -cmp.Compare(a.Track, b.Track),
		cmp.Compare(slices.Index(languages, a.Lang), slices.Index(languages, b.Lang)), cmp.Compare(a.Prompts, b.Prompts),
		cmp.Compare(a.Paths[0], b.Paths[0]))
}

func isXML(path string) bool { return strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ".xml") }

// parts are what a file's name says, between the underscores.
func parts(path string) []string {
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".gz"), ".xml")
	name, ok := strings.CutSuffix(name, "_output")
	if !ok {
		return nil
	}
	return strings.Split(name, "_")
}

func parseName(path string) (outputPath, bool) {
	p := parts(path)
	if len(p) < 4 {
		return outputPath{}, false
	}
	f := outputPath{Modality: p[0], Track: p[1], Lang: p[2], Prompts: p[3]}
	known := slices.Contains([]string{"text", "audio", "video", "mllm"}, f.Modality) && slices.Contains(tracks, f.Track) &&
		slices.Contains(languages, f.Lang) && slices.Contains([]string{"fixed", "random"}, f.Prompts)
	model := p[4:]
	if n := len(model); n >= 2 && isNumber(model[n-2]) && (isNumber(model[n-1]) || model[n-1] == "") {
		model = model[:n-2]
	}
	if f.System = strings.Join(model, "_"); f.System == "" {
		if f.System = filepath.Base(filepath.Dir(path)); f.System == "." || f.System == string(filepath.Separator) {
			f.System = "unnamed"
		}
	}
	return f, known
}

// inputOf reads from a file's name what the system was given; "" where it does
// not say.
func inputOf(path string) string {
	if f, ok := parseName(path); ok {
		return f.Modality
	}
	return ""
}

func isNumber(s string) bool {
	_, err := strconv.ParseUint(s, 10, 32)
	return err == nil
}

// shardStart is the first sample of a shard; 0 for a whole file.
func shardStart(path string) int {
	s, _ := shardOf(path)
	return s.from
}

// referenceNames are the names under which a folder may hold the references of
// a track and language: as the builder writes them, and as the hub has them.
func referenceNames(version, track, lang string) []string {
	names := []string{
		fmt.Sprintf("MCIF%s.IF.%s.%s.ref.xml", version, track, lang),
		fmt.Sprintf("MCIF%s.%s.%s.ref.xml", version, track, lang),
		fmt.Sprintf("MCIF.%s.%s.ref.xml", track, lang),
		fmt.Sprintf("MCIF.IF.%s.%s.ref.xml", track, lang),
	}
	for _, n := range names[:4:4] {
		names = append(names, n+".gz")
	}
	return names
}

// hubRepo is the data set's name on the hub.
const hubRepo = "FBK-MT/MCIF"

// hubFile is the file of references on the hub, in the revision that is called
// like the version. The name lost its version with 1.1.
func hubFile(version, track, lang string) string {
	if version == "1.0" {
		return fmt.Sprintf("MCIF1.0.%s.%s.ref.xml.gz", track, lang)
	}
	return fmt.Sprintf("MCIF.%s.%s.ref.xml.gz", track, lang)
}
