package detective

import (
	"encoding/json"
	"errors"
	"strings"

	"omniscope"
	"omniscope/model"
)

// A Trajectory is an investigation as the released pipeline keeps it: what was
// said, from the system prompt to the final description. Only the askings that
// could be used are in it; all others are in the journal.
type Trajectory []said

// said is one message of a trajectory.
type said struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// UnmarshalJSON reads content that is a text, or a list of parts with texts, as
// some clients write it.
func (s *said) UnmarshalJSON(data []byte) error {
	var raw struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	s.Role = raw.Role
	if json.Unmarshal(raw.Content, &s.Content) == nil {
		return nil
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(raw.Content, &parts) != nil {
		return errors.New("content is neither a text nor a list of parts")
	}
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.Text
	}
	s.Content = strings.Join(texts, "\n")
	return nil
}

// Description returns the final description, "" if the trajectory does not
// end in one.
func (t Trajectory) Description() string {
	if n := len(t); n > 0 && t[n-1].Role == "assistant" {
		return t[n-1].Content
	}
	return ""
}

// trajectory is the investigation with its caption in the released form, which ends in
// plain text: the last request is put accordingly. Without a caption it ends
// at the current state of the investigation.
func (c *Investigation) trajectory(caption *Caption) Trajectory {
	if caption.Outcome != omniscope.OK {
		return c.conversation()
	}
	return append(c.request(c.Prompts.describe), said{Role: "assistant", Content: caption.Text})
}

func (t Trajectory) messages() []model.Message {
	messages := make([]model.Message, len(t))
	for i, s := range t {
		messages[i] = model.Text(model.MessageRole(s.Role), s.Content)
	}
	return messages
}
