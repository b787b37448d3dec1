package mediaserver

import (
	"encoding/json"
	"fmt"
)

// A chat is the body of a request, as far as the rules depend on it.
type chat struct {
	Model         string    `json:"model"`
	Messages      []message `json:"messages"`
	Stream        bool      `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`

	// UseAudioInVideo is SGLang's field; vLLM has it among mm_processor_kwargs.
	UseAudioInVideo bool `json:"use_audio_in_video"`
	Processor       struct {
		UseAudioInVideo bool `json:"use_audio_in_video"`
	} `json:"mm_processor_kwargs"`
	MediaIO struct {
		Video struct {
			FPS float64 `json:"fps"`
		} `json:"video"`
	} `json:"media_io_kwargs"`
}

type message struct {
	Role    string
	Parts   []part
	IsParts bool // the content was a list, not a string
}

// A part is one element of a message's content. Type decides which of the other
// members counts.
type part struct {
	Type string `json:"type"`
	Text string `json:"text"`

	ImageURL *address `json:"image_url"`
	VideoURL *address `json:"video_url"`
	AudioURL *address `json:"audio_url"`
	Sound    *struct {
		Data   string `json:"data"`
		Format string `json:"format"`
	} `json:"input_audio"`
	Frames []string `json:"video"` // of DashScope
	FPS    float64  `json:"fps"`   // of DashScope, beside video
}

type address struct {
	URL string `json:"url"`
}

// UnmarshalJSON reads a message whose content is a string or a list of parts.
func (m *message) UnmarshalJSON(data []byte) error {
	var raw struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	m.Role = raw.Role
	var text string
	if json.Unmarshal(raw.Content, &text) == nil {
		m.Parts = []part{{Type: "text", Text: text}}
		return nil
	}
	m.IsParts = true
	return json.Unmarshal(raw.Content, &m.Parts)
}

// A rejection is why a request is not answered. Param and code are OpenAI's and
// DashScope's.
type rejection struct {
	status  int // 0 = 400
	message string
	param   string
	code    string
}

func rejectf(format string, args ...any) *rejection {
	return &rejection{message: fmt.Sprintf(format, args...)}
}

func parse(body []byte) (*chat, *rejection) {
	var c chat
	if err := json.Unmarshal(body, &c); err != nil {
		return nil, rejectf("We could not parse the JSON body of your request: %v.", err)
	}
	if len(c.Messages) == 0 {
		return nil, &rejection{message: "'messages' must not be empty.", param: "messages"}
	}
	return &c, nil
}
