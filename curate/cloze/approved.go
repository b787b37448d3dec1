package cloze

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/rows"
	"omniscope/internal/sentences"
)

// An Approved is a description that a cloze may be drafted from.
type Approved struct {
	UUID      string
	Video     string
	Sentences []approvedSentence
}

// An approvedSentence is a sentence of a description.
type approvedSentence struct {
	Text     string             `json:"text"`
	Modality omniscope.Modality `json:"modality"` // "" = its file does not say it
	Evidence []string           `json:"evidence"` // ids
	Verdict  string             `json:"verdict"`  // of the person who corrected it; "" = none
}

// A sentBack is a description that people rejected, or that is empty. It is not drafted from.
type sentBack struct {
	UUID string `json:"uuid"`
	Why  string `json:"why"`
}

// Descriptions are what a file of descriptions holds.
type Descriptions struct {
	Approved []Approved
	SentBack []sentBack
	Digest   string
}

// ReadDescriptions reads the descriptions that Describe wrote, or that people corrected. Plain rows with uuid (or id)
// and caption do as well: their sentences are cut by rules, and name no sense. Descriptions that people sent back, or have not
// decided on, are not approved.
func ReadDescriptions(ctx context.Context, path string) (*Descriptions, error) {
	all := &Descriptions{}
	first := make(map[string]string)
	var err error
	all.Digest, err = rows.InOrder(ctx, path, func(f *rows.File, i int, text []byte) error {
		one, why, err := readDescription(text)
		switch {
		case err != nil:
			return err
		case first[one.UUID] != "":
			return fmt.Errorf("uuid %s is there already, on %s", one.UUID, first[one.UUID])
		case why != "":
			all.SentBack = append(all.SentBack, sentBack{UUID: one.UUID, Why: why})
		default:
			all.Approved = append(all.Approved, *one)
		}
		first[one.UUID] = f.LineName(i)
		return nil
	})
	if err == nil && len(first) == 0 {
		err = omniscope.Invalidf("%s has no descriptions", path)
	}
	if err != nil {
		return nil, err
	}
	return all, nil
}

// readDescription reads a line. why says why the description is not approved; "" = it is.
func readDescription(text []byte) (one *Approved, why string, err error) {
	if err := rows.CheckJSON(text); err != nil {
		return nil, "", err
	}
	row := gjson.ParseBytes(text)
	one = &Approved{UUID: cmp.Or(rows.ID(row.Get("uuid")), rows.ID(row.Get("id"))), Video: rows.ID(row.Get("video_path"))}
	if stretch := row.Get("stretch").Str; stretch != "" && one.Video != "" {
		one.Video += "#t=" + stretch
	}
	switch {
	case one.UUID == "":
		return nil, "", fmt.Errorf("the row has no uuid: %w", bench.NoField("uuid", bench.FieldsOf(text)))
	case row.Get("verdict").Str == "send back":
		return one, strings.TrimSpace("people sent the description back: " + row.Get("comment").Str), nil
	case row.Get("reviewed").Type == gjson.False:
		return one, "people have not decided on the description", nil
	}
	if list := row.Get("sentences"); list.IsArray() {
		if err := json.Unmarshal([]byte(list.Raw), &one.Sentences); err != nil {
			return nil, "", fmt.Errorf("sentences: %w", err)
		}
		one.dropStruck()
	}
	if len(one.Sentences) == 0 {
		for _, s := range sentences.Cut(row.Get("caption").Str) {
			one.Sentences = append(one.Sentences, approvedSentence{Text: s.Text})
		}
	}
	if len(one.Sentences) == 0 {
		return one, "the description is empty", nil
	}
	return one, "", nil
}

// dropStruck leaves out the sentences that people struck.
func (a *Approved) dropStruck() {
	a.Sentences = slices.DeleteFunc(a.Sentences, func(s approvedSentence) bool { return strings.TrimSpace(s.Text) == "" })
}

// numbered are the sentences as a model reads them.
func (a *Approved) numbered() string {
	var lines []string
	for i, s := range a.Sentences {
		lines = append(lines, fmt.Sprintf("%d (%s): %s", i+1, cmp.Or(string(s.Modality), "sense not said"), strings.Join(strings.Fields(s.Text), " ")))
	}
	return strings.Join(lines, "\n")
}
