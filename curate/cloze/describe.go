package cloze

import (
	"cmp"
	"context"
	"encoding/json"
	"io/fs"
	"strings"

	"omniscope"
	"omniscope/model"
	"omniscope/model/judge"
)

// Validator is the role of the model that checks captions against each other.
const Validator = "validator"

// LoadDescribePrompt reads the prompt of Describe from folder where that is given and has it, else
// the built-in one.
func LoadDescribePrompt(folder fs.FS, folderName string) (*judge.Prompt, error) {
	return prompts.Load(folder, folderName, describePrompt, "audio", "visual", "audio_visual")
}

// A description is what a model made of the three captions of a clip: a line of descriptions.jsonl.
type description struct {
	UUID             string                `json:"uuid"`
	VideoPath        string                `json:"video_path,omitempty"` // as the captions' files name it
	Stretch          string                `json:"stretch,omitempty"`    // of the file that the clip is, as in film.mp4#t=12.5,40
	Outcome          omniscope.Outcome     `json:"outcome"`
	Caption          string                `json:"caption"` // the sentences as one text
	Sentences        []descriptionSentence `json:"sentences"`
	Conflicts        []conflict            `json:"conflicts"`
	Dropped          []string              `json:"dropped"`           // sentences of the captions of which the model used nothing, as it says
	Unused           []string              `json:"unused"`            // sentences of the captions that it does not mention at all
	Unfounded        []string              `json:"unfounded"`         // its sentences that rest on none, and so are not in Caption
	CaptionSentences []captionSentence     `json:"caption_sentences"` // the sentences of the captions
	Evidence         []evidence            `json:"evidence"`          // what those rest on, as far as an investigation is known
	Prompt           string                `json:"prompt"`            // digest
	Model            string                `json:"model"`             // PROVIDER/NAME
	Asked            int                   `json:"asked"`             // askings that it took
	Why              string                `json:"-"`                 // there is no description; "" = there is one
	stale            bool                  // see clipEntry; false if there is no description, since no sentence rests on evidence
}

// A descriptionSentence is a sentence of a description, and what it rests on.
type descriptionSentence struct {
	Text     string             `json:"text"`
	From     []string           `json:"from"` // ids of CaptionSentences
	Modality omniscope.Modality `json:"modality"`
	Evidence []string           `json:"evidence"`           // ids of Evidence
	Disputed bool               `json:"disputed,omitempty"` // it rests on a sentence that conflicts with another
}

// A conflict is sentences of captions that cannot all be true.
type conflict struct {
	Between []string `json:"between"` // ids of CaptionSentences, two or more
	Why     string   `json:"why"`
}

// A Describer has a model check the captions of clips. It is safe for concurrent use.
type Describer struct {
	Asker  *judge.Judge
	Prompt *judge.Prompt
}

// Step is the key of the question about a clip.
func Step(clip string) string { return clip + "/describe" }

// Messages are the question about a clip.
func (d *Describer) Messages(c *clipEntry) []model.Message {
	return d.Prompt.Messages("audio", c.numbered(omniscope.Audio), "visual", c.numbered(omniscope.Visual), "audio_visual", c.numbered(omniscope.AudioVisual))
}

// Describe has the captions of a clip checked. That there is no description is no error: Outcome and
// Why say it. An error stops the whole run.
func (d *Describer) Describe(ctx context.Context, c *clipEntry) (*description, error) {
	if c.Missing != "" {
		return &description{UUID: c.ID, Outcome: omniscope.Missing, Why: c.Missing}, nil
	}
	got, err := judge.Ask(ctx, d.Asker, judge.Question[*checkedReply]{
		Step: Step(c.ID), Messages: d.Messages(c), Whole: true, Read: c.readReply,
		Schema: func() *model.Schema { return describeSchema },
	})
	if err != nil {
		return nil, err
	}
	out := &description{UUID: c.ID, VideoPath: c.VideoPath, Stretch: c.Stretch, Outcome: got.Outcome, Asked: len(got.Attempts), Prompt: d.Prompt.Digest(), Model: d.Asker.Name}
	if got.Outcome != omniscope.OK {
		out.Why = got.Why()
		return out, nil
	}
	out.fill(c, got.Value)
	return out, nil
}

// fill takes over what the model said, and adds what that rests on.
func (d *description) fill(c *clipEntry, r *checkedReply) {
	disputed := make(map[string]bool)
	for _, x := range r.conflicts {
		for _, id := range x.Between {
			disputed[id] = true
		}
	}
	var texts []string
	for _, s := range r.sentences {
		s.Evidence = []string{}
		for _, id := range s.From {
			s.Disputed = s.Disputed || disputed[id]
			s.Evidence = appendNew(s.Evidence, c.sentence(id).Evidence...)
		}
		d.Sentences, texts = append(d.Sentences, s), append(texts, s.Text)
	}
	d.Caption = strings.Join(texts, " ")
	d.Conflicts, d.Dropped, d.Unfounded, d.Unused = r.conflicts, r.dropped, r.unfounded, c.unused(r)
	d.CaptionSentences, d.Evidence, d.stale = c.Sentences, c.cited(), c.Stale
}

// numbered are the sentences of one caption, as the model reads them.
func (c *clipEntry) numbered(sense omniscope.Modality) string {
	var lines []string
	for _, s := range c.Sentences {
		if s.Sense == sense {
			lines = append(lines, s.ID+": "+strings.Join(strings.Fields(s.Text), " "))
		}
	}
	return cmp.Or(strings.Join(lines, "\n"), "(none)")
}

var describeSchema = &model.Schema{Name: "description", JSON: json.RawMessage(`{"type":"object","properties":{` +
	`"sentences":{"type":"array","items":{"type":"object","properties":{"text":{"type":"string"},"from":{"type":"array","items":{"type":"string"}},` +
	`"modality":{"type":"string","enum":["audio","visual","audio-visual"]}},"required":["text","from","modality"]}},` +
	`"conflicts":{"type":"array","items":{"type":"object","properties":{"between":{"type":"array","items":{"type":"string"}},"why":{"type":"string"}},"required":["between","why"]}},` +
	`"dropped":{"type":"array","items":{"type":"string"}}},"required":["sentences","conflicts","dropped"]}`)}

// A failure is a clip without a description: a line of failures.jsonl.
type failure struct {
	UUID    string            `json:"uuid"`
	Outcome omniscope.Outcome `json:"outcome"`
	Why     string            `json:"why"`
}
