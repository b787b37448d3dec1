package mockgemini

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// A Request is the body of generateContent. Fields that it does not have are
// refused (go-genai: types.go has their names).
type Request struct {
	Model             string           `json:"-"`
	Bytes             int              `json:"-"`
	Contents          []Content        `json:"contents"`
	SystemInstruction *Content         `json:"systemInstruction"`
	GenerationConfig  GenerationConfig `json:"generationConfig"`
	SafetySettings    []struct {
		Category  string `json:"category"`
		Threshold string `json:"threshold"`
	} `json:"safetySettings"`
}

// A Content is one turn.
type Content struct {
	Role  string `json:"role"`
	Parts []Part `json:"parts"`
}

// A Part has one of its fields.
type Part struct {
	Text       *string   `json:"text"`
	InlineData *Blob     `json:"inlineData"`
	FileData   *FileData `json:"fileData"`
}

// A Blob is media inside the request.
type Blob struct {
	MIMEType string `json:"mimeType"`
	Data     string `json:"data"`
}

// A FileData is media elsewhere.
type FileData struct {
	MIMEType string `json:"mimeType"`
	FileURI  string `json:"fileUri"`
}

// A GenerationConfig shapes an answer.
type GenerationConfig struct {
	Temperature        *float64        `json:"temperature"`
	TopP               *float64        `json:"topP"`
	TopK               *int            `json:"topK"`
	CandidateCount     *int            `json:"candidateCount"`
	MaxOutputTokens    *int            `json:"maxOutputTokens"`
	Seed               *int32          `json:"seed"`
	StopSequences      []string        `json:"stopSequences"`
	ResponseMIMEType   string          `json:"responseMimeType"`
	ResponseJSONSchema json.RawMessage `json:"responseJsonSchema"`
	MediaResolution    string          `json:"mediaResolution"`
	ThinkingConfig     *struct {
		IncludeThoughts bool   `json:"includeThoughts"`
		ThinkingBudget  *int   `json:"thinkingBudget"`
		ThinkingLevel   string `json:"thinkingLevel"`
	} `json:"thinkingConfig"`
	Extra map[string]json.RawMessage `json:"-"` // those that Config.Accept names
}

// Text is all text of the turns.
func (r *Request) Text() string {
	var b strings.Builder
	for _, c := range r.Contents {
		for _, p := range c.Parts {
			if p.Text != nil {
				b.WriteString(*p.Text)
			}
		}
	}
	return b.String()
}

// The media types that are documented (ai.google.dev/gemini-api/docs:
// image-understanding, audio, video-understanding).
var mediaTypes = []string{
	"image/png", "image/jpeg", "image/webp", "image/heic", "image/heif",
	"audio/wav", "audio/mp3", "audio/aiff", "audio/aac", "audio/ogg", "audio/flac",
	"video/mp4", "video/mpeg", "video/mov", "video/avi", "video/x-flv", "video/mpg", "video/webm", "video/wmv", "video/3gpp",
}

// A problem is an answer to a request that breaks a rule.
type problem = Reply

func invalid(format string, args ...any) *problem {
	p := Failure(400, "INVALID_ARGUMENT", fmt.Sprintf(format, args...))
	return &p
}

func (s *Server) refuse(w http.ResponseWriter, p *problem) {
	text, _ := json.Marshal(p.Body)
	s.mu.Lock()
	s.refused = append(s.refused, string(text))
	s.mu.Unlock()
	send(w, *p)
}

// checkKey wants the key in its header and nowhere else. The answer to a wrong one
// is that of babaohuang/GeminiProChat, issue 142, and Wei-Shaw/sub2api, issue 1709.
func (s *Server) checkKey(r *http.Request) *problem {
	if r.URL.Query().Has("key") {
		return invalid("The test server wants no key in the address.")
	}
	switch got := r.Header.Get("X-Goog-Api-Key"); {
	case s.cfg.Key == "" || got == s.cfg.Key:
		return nil
	case got == "":
		p := Failure(403, "PERMISSION_DENIED", "Method doesn't allow unregistered callers. Please use API Key or other form of API consumer identity to call this API.")
		return &p
	}
	p := Failure(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", ErrorInfo("API_KEY_INVALID"))
	return &p
}

func (s *Server) checkModel(name string) *problem {
	if s.cfg.Models == nil || slices.Contains(s.cfg.Models, name) {
		return nil
	}
	p := Failure(404, "NOT_FOUND", fmt.Sprintf("models/%s is not found for API version v1beta, or is not supported for generateContent.", name))
	return &p
}

// check reads a request and finds the first rule that it breaks.
func (s *Server) check(r *http.Request, name string, body []byte) (*Request, *problem) {
	if p := s.checkModel(name); p != nil {
		return nil, p
	}
	// A request has at most 20 MB (ai.google.dev/gemini-api/docs/files); the words
	// are those of google-gemini/deprecated-generative-ai-android, issue 26.
	if len(body) > s.cfg.MostBytes {
		return nil, invalid("Request payload size exceeds the limit: %d bytes.", s.cfg.MostBytes)
	}
	if kind := r.Header.Get("Content-Type"); !strings.HasPrefix(kind, "application/json") {
		return nil, invalid("The request's Content-Type is %q.", kind)
	}
	req, err := s.read(body)
	if err != nil {
		// Unknown fields are refused, as gera2ld/ai.nvim, issue 13, shows.
		return nil, invalid("Invalid JSON payload received. %s", err)
	}
	req.Model, req.Bytes = name, len(body)
	for _, check := range []func(*Request) *problem{checkConfig, checkSystem, s.checkContents} {
		if p := check(req); p != nil {
			return nil, p
		}
	}
	return req, nil
}

// read reads the body. Fields that the configuration accepts are taken out of
// generationConfig first.
func (s *Server) read(body []byte) (*Request, error) {
	var top map[string]json.RawMessage
	if err := json.Unmarshal(body, &top); err != nil {
		return nil, err
	}
	extra := make(map[string]json.RawMessage)
	if config, ok := top["generationConfig"]; ok && len(s.cfg.Accept) > 0 {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(config, &fields); err != nil {
			return nil, err
		}
		for _, name := range s.cfg.Accept {
			if value, ok := fields[name]; ok {
				extra[name] = value
				delete(fields, name)
			}
		}
		top["generationConfig"], _ = json.Marshal(fields)
		body, _ = json.Marshal(top)
	}
	var req Request
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	err := d.Decode(&req)
	req.GenerationConfig.Extra = extra
	return &req, err
}

// checkConfig has the ranges of ai.google.dev/api/generate-content,
// GenerationConfig. A schema needs the MIME type of JSON (go-genai: types.go,
// ResponseJsonSchema).
func checkConfig(r *Request) *problem {
	c := &r.GenerationConfig
	switch {
	case c.Temperature != nil && (*c.Temperature < 0 || *c.Temperature > 2):
		return invalid("* GenerateContentRequest.generation_config.temperature: %g is not from 0 to 2.", *c.Temperature)
	case c.TopP != nil && (*c.TopP < 0 || *c.TopP > 1):
		return invalid("* GenerateContentRequest.generation_config.top_p: %g is not from 0 to 1.", *c.TopP)
	case c.MaxOutputTokens != nil && *c.MaxOutputTokens <= 0:
		return invalid("* GenerateContentRequest.generation_config.max_output_tokens: %d is not above 0.", *c.MaxOutputTokens)
	case len(c.StopSequences) > 5:
		return invalid("* GenerateContentRequest.generation_config.stop_sequences: more than 5.")
	case c.ResponseJSONSchema != nil && c.ResponseMIMEType != "application/json":
		return invalid("Response schema with mime type %q is unsupported.", c.ResponseMIMEType)
	}
	return nil
}

// checkSystem wants text alone (ai.google.dev/api/generate-content,
// systemInstruction: "Currently, text only").
func checkSystem(r *Request) *problem {
	if r.SystemInstruction == nil {
		return nil
	}
	for _, p := range r.SystemInstruction.Parts {
		if p.Text == nil {
			return invalid("System instruction holds more than text.")
		}
	}
	return nil
}

// checkContents wants turns of users and models with parts. The words are those
// of ikechan8370/chatgpt-plugin, issue 733; songquanpeng/one-api, issue 1385; and
// egoist/chatwise-releases, issue 250.
func (s *Server) checkContents(r *Request) *problem {
	if len(r.Contents) == 0 {
		return invalid("* GenerateContentRequest.contents: contents is not specified")
	}
	for i, c := range r.Contents {
		if c.Role != "user" && c.Role != "model" {
			return invalid("Please use a valid role: user, model.")
		}
		if len(c.Parts) == 0 {
			return invalid("* GenerateContentRequest.contents[%d].parts: contents.parts must not be empty.", i)
		}
		for _, p := range c.Parts {
			if problem := s.checkPart(p); problem != nil {
				return problem
			}
		}
	}
	return nil
}

// checkPart wants one kind of content in a part (go-genai: types.go, Part). Of an
// empty text the server says that there is none (boldsoftware/sketch, issue 68).
func (s *Server) checkPart(p Part) *problem {
	switch {
	case p.Text != nil && *p.Text == "":
		return invalid("* GenerateContentRequest.contents.parts.data: required oneof field 'data' must have one initialized field")
	case p.Text != nil && p.InlineData == nil && p.FileData == nil:
		return nil
	case p.InlineData != nil && p.Text == nil && p.FileData == nil:
		data, err := base64.StdEncoding.DecodeString(p.InlineData.Data)
		if err != nil || len(data) == 0 {
			return invalid("Base64 decoding failed for %q", p.InlineData.MIMEType)
		}
		return checkMIME(p.InlineData.MIMEType)
	case p.FileData != nil && p.Text == nil && p.InlineData == nil:
		if problem := checkMIME(p.FileData.MIMEType); problem != nil {
			return problem
		}
		return s.checkFile(p.FileData)
	}
	return invalid("A part has not exactly one of text, inlineData and fileData.")
}

func checkMIME(mime string) *problem {
	if !slices.Contains(mediaTypes, mime) {
		return invalid("Unsupported MIME type: %s", mime)
	}
	return nil
}
