package mcif

import (
	"strings"

	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/pyrand"
)

// shuffleSeed is the published builder's seed of the order of samples, and of the names of files after it.
const shuffleSeed = 42

// Letters are what names of files are drawn of.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// A set is a test set that is to be written.
type set struct {
	o         *Options
	source    *source
	items     []item // in the order of the long track
	random    *pyrand.Rand
	aliases   map[string]string // names in the set of the source's wav files, without endings
	used      map[string]bool
	made      map[string]bool // files that are there already
	files     []file
	documents []document
}

// A file is one of the set that is no XML: copied, joined of several, or a text.
type file struct {
	to   string   // below the set
	from []string // below the source; several are joined
	text string
}

// A document is what is asked in one track and language, and what is right.
type document struct {
	track, language string
	references      mcifxml.References
	mixed, fixed    mcifxml.Definitions
}

func newSet(o *Options, s *source, items []item) *set {
	t := &set{o: o, source: s, items: items, random: pyrand.New(shuffleSeed), aliases: make(map[string]string), used: make(map[string]bool), made: make(map[string]bool)}
	t.random.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	for _, track := range []string{"long", "short"} {
		for _, l := range s.languages.all() {
			t.documents = append(t.documents, document{track: track, language: l.Code})
		}
	}
	t.long()
	t.short()
	return t
}

func (t *set) document(track, language string) *document {
	for i := range t.documents {
		if d := &t.documents[i]; d.track == track && d.language == language {
			return d
		}
	}
	return nil
}

// newAlias draws a name that no file has.
func (t *set) newAlias() string {
	for {
		if alias := t.random.Letters(letters, 10); !t.used[alias] {
			t.used[alias] = true
			return alias
		}
	}
}

// alias is the name of a file of the source in the set, drawn when it is first asked for.
func (t *set) alias(name string) string {
	if t.aliases[name] == "" {
		t.aliases[name] = t.newAlias()
	}
	return t.aliases[name]
}

// add adds a file to the set, once.
func (t *set) add(f file) {
	if !t.made[f.to] {
		t.made[f.to] = true
		t.files = append(t.files, f)
	}
}

// paths are the files of a sample, as it names them.
type paths struct{ audio, video, text string }

// sample adds a sample to a document.
func (d *document) sample(id string, one *item, v *version, m paths) {
	d.references.Samples = append(d.references.Samples, one.reference(id, v, m))
	d.define(id, v, m)
}

func (one *item) reference(id string, v *version, m paths) mcifxml.Reference {
	r := mcifxml.Reference{ID: id, IID: one.id, Task: one.task, Text: v.reference,
		QAType: one.kind, HasQAType: one.kind != "", QAOrigin: one.origin, HasQAOrigin: one.origin != "",
		AudioPath: m.audio, HasAudioPath: true, VideoPath: m.video, HasVideoPath: m.video != "", TextPath: m.text, HasTextPath: m.text != ""}
	if one.task == translate {
		r.Metadata = map[string]string{"transcript": v.transcript}
	}
	return r
}

// define adds what is asked.
func (d *document) define(id string, v *version, m paths) {
	s := mcifxml.Definition{ID: id, AudioPath: m.audio, HasAudioPath: true, VideoPath: m.video, HasVideoPath: m.video != "", TextPath: m.text, HasTextPath: m.text != "", Instruction: v.mixed}
	d.mixed.Samples = append(d.mixed.Samples, s)
	s.Instruction = v.fixed
	d.fixed.Samples = append(d.fixed.Samples, s)
}

// counts are the samples of each document.
func (t *set) counts() map[string]int {
	n := make(map[string]int)
	for i := range t.documents {
		d := &t.documents[i]
		n[d.track+" "+d.language] = len(d.mixed.Samples)
	}
	return n
}

// videoName is the name of the video beside a sound file of the set.
func (t *set) videoName(audio string) string {
	if t.o.AsPublished {
		return strings.ReplaceAll(audio, "wav", "mp4") // also in the random part of the name
	}
	return strings.TrimSuffix(audio, ".wav") + ".mp4"
}
