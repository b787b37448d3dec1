package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/internal/rows"
	"omniscope/internal/sha256hex"
	"omniscope/train"
)

// A set is the rows of one file.
type set struct {
	file   string
	digest string
	root   string
	rows   []*row
}

// A row is one line of it.
type row struct {
	file     string
	line     int
	example  *train.Example
	measured bool
	tokens   int
	seconds  float64
	digests  []string // of its media
	review   train.Review
}

// checking is the work of a check.
type checking struct {
	Options
	total int

	mu       sync.Mutex
	done     int
	findings []finding
}

// find notes a finding; r is nil where it is about no row.
func (c *checking) find(r *row, check, says string, args ...any) {
	f := finding{File: c.Rows, Check: check, Says: fmt.Sprintf(says, args...)}
	if r != nil {
		f.File, f.Line, f.ID = r.file, r.line, r.example.ID
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.findings = append(c.findings, f)
}

// sorted are the findings by file, line and check.
func (c *checking) sorted(sets []*set) []finding {
	order := make(map[string]int)
	for i, s := range sets {
		order[s.file] = i
	}
	names := make(map[string]int)
	for i, check := range checks {
		names[check.Name] = i
	}
	slices.SortStableFunc(c.findings, func(a, b finding) int {
		for _, by := range []int{order[a.File] - order[b.File], a.Line - b.Line, names[a.Check] - names[b.Check]} {
			if by != 0 {
				return by
			}
		}
		return strings.Compare(a.Says, b.Says)
	})
	return append([]finding{}, c.findings...)
}

// read reads the rows of a file.
func (c *checking) read(ctx context.Context, s *set) (err error) {
	lines, err := rows.Open(ctx, s.file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lines.Close()) }()
	if lines.Len() == 0 {
		return omniscope.Invalidf("%s has no rows", s.file)
	}
	if s.digest, err = sha256hex.File(s.file); err != nil {
		return err
	}
	if s.root = c.Root; s.root == "" {
		s.root = filepath.Dir(filepath.Dir(s.file))
	}
	for i := range lines.Len() {
		text, err := lines.At(i)
		if err != nil {
			return err
		}
		r := &row{file: s.file, line: lines.Number(i), example: &train.Example{}, review: train.ReviewOf(text)}
		why := rows.CheckJSON(text)
		if why == nil {
			var e *train.Example
			if e, why = c.Form.Read(text); why == nil {
				r.example = e
			}
		}
		if why != nil {
			c.find(r, "row", "it is no row of %s: %v", c.Form.Name, why)
			continue
		}
		s.rows = append(s.rows, r)
	}
	return nil
}

// formMarks are texts with a meaning of their own for tokenizers and trainers.
var formMarks = regexp.MustCompile(`<(?:audio|video|image)>|<\|[^|<>]*\|>|<(?:/?tool_call|/?think)>`)

// userToken is the word that tokenizers make one token of where no blank stands before it.
var userToken = regexp.MustCompile(`(?:^|[^\w ])user\b`)

// texts checks what needs no media.
func (c *checking) texts(s *set) {
	ids, pairs := make(map[string]int), make(map[string]int)
	reviews := byID(s.root, "provenance.jsonl", "review")
	for _, r := range s.rows {
		e := r.example
		c.reviewed(r, reviews)
		c.roles(r)
		videos, audios := e.Marks()
		if videos != len(e.Videos) || audios != len(e.Audios) {
			c.find(r, "marks", "%d marks for videos and %d for sound, and %d videos and %d sounds", videos, audios, len(e.Videos), len(e.Audios))
		}
		said := ""
		for _, m := range e.Messages {
			if m.Role == train.Assistant {
				c.caption(r, m.Content)
				said += "\n" + m.Content
			}
		}
		if e.ID != "" && ids[e.ID] > 0 {
			c.find(r, "twice", "the id is that of line %d", ids[e.ID])
		}
		pair := strings.Join(append(append([]string{}, e.Videos...), e.Audios...), "\n") + said
		if pairs[pair] > 0 {
			c.find(r, "twice", "media and captions are those of line %d", pairs[pair])
		}
		ids[e.ID], pairs[pair] = r.line, r.line
		for _, name := range append([]string{e.ID}, append(e.Videos, e.Audios...)...) {
			if why := c.Without[name]; name != "" && why != "" {
				c.find(r, "test", "%s must not be trained on: %s", name, why)
				break
			}
		}
	}
}

// reviewed finds captions that people sent back, or have not reviewed: by the row, by the data set's provenance, or by the export
// of a people's project.
func (c *checking) reviewed(r *row, beside map[string]string) {
	all := []train.Review{r.review, train.Review(beside[r.example.ID])}
	for _, m := range r.example.Messages {
		if m.Role == train.Assistant {
			all = append(all, c.Reviews[strings.TrimSpace(m.Content)])
		}
	}
	switch {
	case slices.Contains(all, train.SentBack):
		c.find(r, "reviewed", "people sent the caption back")
	case slices.Contains(all, train.NotReviewed) && !slices.Contains(all, train.Approved) && !c.Unreviewed:
		c.find(r, "reviewed", "no reviewer of the people's project has reviewed the caption")
	}
}

// byID is a field of the lines of a data set's file, by id; empty without the file.
func byID(root, file, field string) map[string]string {
	values := make(map[string]string)
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		return values
	}
	for line := range strings.Lines(string(text)) {
		values[gjson.Get(line, "id").String()] = gjson.Get(line, field).String()
	}
	return values
}

// roles: a system prompt at most, then the user and the model in turns.
func (c *checking) roles(r *row) {
	messages := r.example.Messages
	if len(messages) > 0 && messages[0].Role == train.System {
		messages = messages[1:]
	}
	turn := []string{train.User, train.Assistant}
	for i, m := range messages {
		if m.Role != turn[i%2] {
			c.find(r, "roles", "turn %d is of %q, not of %s", i+1, m.Role, turn[i%2])
			return
		}
	}
	if len(messages) == 0 || len(messages)%2 != 0 {
		c.find(r, "roles", "the last word is not the model's")
	}
}

func (c *checking) caption(r *row, text string) {
	if strings.TrimSpace(text) == "" {
		c.find(r, "text", "a caption is empty")
	}
	if m := formMarks.FindString(text); m != "" {
		check := "text"
		if m == train.AudioMark || m == train.VideoMark {
			check = "marks"
		}
		c.find(r, check, "a caption has %q", m)
	}
	if c.Form.Name == "veomni" && userToken.MatchString(text) {
		c.find(r, "user", "a caption has the word user without a blank before it")
	}
}

// apart finds sources that training and validation share: files with the same name or bytes, or the same source_id in
// the data set's sources.
func (c *checking) apart(sets []*set) {
	if len(sets) < 2 {
		return
	}
	sources := byID(sets[0].root, "sources.jsonl", "source_id")
	seen := make(map[string]*row)
	for _, r := range sets[0].rows {
		for _, key := range keysOf(r, sources) {
			seen[key] = r
		}
	}
	for _, r := range sets[1].rows {
		for _, key := range keysOf(r, sources) {
			if other := seen[key]; other != nil {
				c.find(r, "parts", "its %s is that of %s:%d, which is for training", key, other.file, other.line)
				break
			}
		}
	}
}

func keysOf(r *row, sources map[string]string) (keys []string) {
	if source := sources[r.example.ID]; source != "" {
		keys = append(keys, "source "+source)
	}
	for _, path := range append(append([]string{}, r.example.Videos...), r.example.Audios...) {
		keys = append(keys, "file "+path)
	}
	for _, digest := range r.digests {
		keys = append(keys, "content "+digest)
	}
	return keys
}

// manifest compares the files with the data set's dataset.json, where they are part of one.
func (c *checking) manifest(sets []*set) {
	var m struct {
		Rows  map[string]int
		Files map[string]string
	}
	text, err := os.ReadFile(filepath.Join(sets[0].root, "dataset.json"))
	if err != nil || json.Unmarshal(text, &m) != nil || m.Files == nil {
		return
	}
	for _, s := range sets {
		name := filepath.Base(filepath.Dir(s.file)) + "/" + filepath.Base(s.file)
		want, ours := m.Files[name]
		if !ours {
			continue
		}
		if want != s.digest {
			c.findIn(s, "counts", "it was changed since the data set was made: dataset.json has another digest of it")
		}
		if n := m.Rows[strings.TrimSuffix(filepath.Base(s.file), ".jsonl")]; n != len(s.rows) {
			c.findIn(s, "counts", "it has %d rows, and dataset.json says %d", len(s.rows), n)
		}
	}
}

func (c *checking) findIn(s *set, check, says string, args ...any) {
	c.findings = append(c.findings, finding{File: s.file, Check: check, Says: fmt.Sprintf(says, args...)})
}

// A Spread says how numbers are spread.
type Spread struct {
	Least  float64 `json:"least"`
	Median float64 `json:"median"`
	Most   float64 `json:"most"`
	Sum    float64 `json:"sum"`
}

// spreadOf is nil for no numbers.
func spreadOf(all []float64) *Spread {
	if len(all) == 0 {
		return nil
	}
	slices.Sort(all)
	s := &Spread{Least: all[0], Most: all[len(all)-1], Median: all[len(all)/2]}
	for _, v := range all {
		s.Sum += v
	}
	s.Sum = math.Round(s.Sum*1000) / 1000
	return s
}
