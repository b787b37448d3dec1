package train

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/internal/spelling"
)

// A Form is how a trainer's rows look: a line of JSON each.
type Form struct {
	Name  string
	About string

	// Sound says how a row from a video with its sound has the sound: in the video's file (false), or in a file of its own as
	// well (true).
	SoundApart bool

	// Modalities are what its rows can be about.
	Modalities []omniscope.Modality

	write func(*Example) (any, error)
	read  func([]byte) (*Example, error)
}

// forms are the trainers whose rows are known.
var forms = []*Form{
	{Name: "ms-swift", About: "messages, videos and audios; the sound of a video comes from its file", Modalities: both, write: writeMessages, read: readMessages},
	{Name: "llama-factory", About: "messages, videos and audios, with the sound of a video as a second file; dataset_info.json", SoundApart: true, Modalities: both, write: writeMessages, read: readMessages},
	{Name: "veomni", About: "conversations, videos and audios; the system prompt is fixed in its code", Modalities: both, write: writeConversations, read: readConversations},
	{Name: "automodel", About: "audio and text: sound alone", Modalities: []omniscope.Modality{omniscope.Audio}, write: writePair, read: readPair},
}

var both = []omniscope.Modality{omniscope.Audio, omniscope.AudioVisual}

// FormNames are the names of forms.
func FormNames() (names []string) {
	for _, f := range forms {
		names = append(names, f.Name)
	}
	return names
}

// FormOf is the form with a name.
func FormOf(name string) (*Form, error) {
	if err := spelling.CheckChoice("for", name, FormNames()); err != nil {
		return nil, err
	}
	for _, f := range forms {
		if f.Name == name {
			return f, nil
		}
	}
	panic("a name of FormNames has a form")
}

// Write writes an example as a line, with its end. What the trainer cannot express is an error.
func (f *Form) Write(e *Example) ([]byte, error) {
	row, err := f.write(e)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	var out bytes.Buffer
	err = outfile.Lines(&out, row)
	return out.Bytes(), err
}

// Read reads a line. Columns that the trainer ignores are ignored.
func (f *Form) Read(line []byte) (*Example, error) { return f.read(line) }

// A messageRow is a row of ms-swift and LLaMA-Factory.
type messageRow struct {
	ID       string       `json:"id,omitempty"` // is ignored by both
	Messages []messageSay `json:"messages"`
	Videos   []string     `json:"videos,omitempty"`
	Audios   []string     `json:"audios,omitempty"`
}

type messageSay struct {
	Role    string `json:"role"`
	Content string `json:"content"`
	Loss    *bool  `json:"loss,omitempty"`
}

func writeMessages(e *Example) (any, error) {
	row := messageRow{ID: e.ID, Videos: e.Videos, Audios: e.Audios}
	for _, m := range e.Messages {
		say := messageSay{Role: m.Role, Content: m.Content}
		if m.NoLoss {
			say.Loss = new(bool)
		}
		row.Messages = append(row.Messages, say)
	}
	return row, nil
}

func readMessages(line []byte) (*Example, error) {
	var row messageRow
	if err := json.Unmarshal(line, &row); err != nil {
		return nil, err
	}
	if len(row.Messages) == 0 {
		return nil, errors.New(`it has no "messages"`)
	}
	e := &Example{ID: row.ID, Videos: row.Videos, Audios: row.Audios}
	for _, say := range row.Messages {
		e.Messages = append(e.Messages, Message{Role: say.Role, Content: say.Content, NoLoss: say.Loss != nil && !*say.Loss})
	}
	return e, nil
}

// A conversationRow is a row of VeOmni.
type conversationRow struct {
	ID            string             `json:"id,omitempty"`
	Conversations []conversationTurn `json:"conversations"`
	Videos        []string           `json:"videos,omitempty"`
	Audios        []string           `json:"audios,omitempty"`
}

type conversationTurn struct {
	From  string `json:"from"`
	Value string `json:"value"`
}

// veOmniRoles are the names of roles there. It has none for the system.
var veOmniRoles = map[string]string{User: "human", Assistant: "gpt"}

func writeConversations(e *Example) (any, error) {
	row := conversationRow{ID: e.ID, Videos: e.Videos, Audios: e.Audios}
	for _, m := range e.Messages {
		from, ok := veOmniRoles[m.Role]
		switch {
		case !ok:
			return nil, fmt.Errorf("it has no role %q: its system prompt is fixed", m.Role)
		case m.NoLoss:
			return nil, errors.New("it learns each turn of the model")
		}
		row.Conversations = append(row.Conversations, conversationTurn{from, m.Content})
	}
	return row, nil
}

func readConversations(line []byte) (*Example, error) {
	var row conversationRow
	if err := json.Unmarshal(line, &row); err != nil {
		return nil, err
	}
	if len(row.Conversations) == 0 {
		return nil, errors.New(`it has no "conversations"`)
	}
	e := &Example{ID: row.ID, Videos: row.Videos, Audios: row.Audios}
	for _, turn := range row.Conversations {
		role := turn.From
		for ours, theirs := range veOmniRoles {
			if theirs == turn.From {
				role = ours
			}
		}
		e.Messages = append(e.Messages, Message{Role: role, Content: turn.Value})
	}
	return e, nil
}

// A pairRow is a row of NeMo Automodel.
type pairRow struct {
	ID    string `json:"id,omitempty"`
	Audio string `json:"audio"`
	Text  string `json:"text"`
}

func writePair(e *Example) (any, error) {
	if len(e.Audios) != 1 || len(e.Videos) > 0 || len(e.Messages) != 2 || strings.TrimSpace(strings.ReplaceAll(e.Messages[0].Content, AudioMark, "")) != "" {
		return nil, errors.New("a row is one sound and its text")
	}
	return pairRow{ID: e.ID, Audio: e.Audios[0], Text: e.Messages[1].Content}, nil
}

func readPair(line []byte) (*Example, error) {
	var row pairRow
	if err := json.Unmarshal(line, &row); err != nil {
		return nil, err
	}
	if row.Audio == "" {
		return nil, errors.New(`it has no "audio"`)
	}
	return Caption(row.ID, row.Text, nil, []string{row.Audio}), nil
}

// DatasetInfo is the file with which LLaMA-Factory finds rows of its form: one entry for each file, by name.
func DatasetInfo(files map[string]string) ([]byte, error) {
	type entry struct {
		FileName   string            `json:"file_name"`
		Formatting string            `json:"formatting"`
		Columns    map[string]string `json:"columns"`
		Tags       map[string]string `json:"tags"`
	}
	all := make(map[string]entry)
	for name, file := range files {
		all[name] = entry{file, "sharegpt", map[string]string{"messages": "messages", "videos": "videos", "audios": "audios"},
			map[string]string{"role_tag": "role", "content_tag": "content", "user_tag": User, "assistant_tag": Assistant, "system_tag": System}}
	}
	out, err := json.MarshalIndent(all, "", "  ")
	return append(out, '\n'), err
}
