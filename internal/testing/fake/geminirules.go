package fake

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A GeminiRequest is the body of generateContent. Fields that it does not have are
// refused (go-genai: types.go has their names).
type GeminiRequest struct {
	Model             string           `json:"-"`
	Bytes             int              `json:"-"`
	Contents          []GeminiContent  `json:"contents"`
	SystemInstruction *GeminiContent   `json:"systemInstruction"`
	GenerationConfig  generationConfig `json:"generationConfig"`
	SafetySettings    []struct {
		Category  string `json:"category"`
		Threshold string `json:"threshold"`
	} `json:"safetySettings"`
}

// A GeminiContent is one turn.
type GeminiContent struct {
	Role  string       `json:"role"`
	Parts []GeminiPart `json:"parts"`
}

// A GeminiPart has one of its fields.
type GeminiPart struct {
	Text       *string     `json:"text"`
	InlineData *GeminiBlob `json:"inlineData"`
	FileData   *GeminiFile `json:"fileData"`
}

// A GeminiBlob is media inside the request.
type GeminiBlob struct {
	MIMEType string `json:"mimeType"`
	Data     string `json:"data"`
}

// A GeminiFile is media elsewhere.
type GeminiFile struct {
	MIMEType string `json:"mimeType"`
	FileURI  string `json:"fileUri"`
}

// A generationConfig shapes an answer.
type generationConfig struct {
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
	Extra map[string]json.RawMessage `json:"-"` // fields that Gemini.Accept names
}

// Text is all text of the turns.
func (r *GeminiRequest) Text() string {
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

// invalid refuses a request, in the words of the server.
func invalid(format string, args ...any) {
	refuse(GeminiFailure(400, "INVALID_ARGUMENT", fmt.Sprintf(format, args...)))
}

// checkKey takes the key in its header only. The answer to a wrong one
// is that of babaohuang/GeminiProChat, issue 142, and Wei-Shaw/sub2api, issue 1709.
func (g *Gemini) checkKey(r *Request) {
	if r.HTTP.URL.Query().Has("key") {
		invalid("The test server wants no key in the address.")
	}
	switch got := r.HTTP.Header.Get("X-Goog-Api-Key"); {
	case g.Key == "" || got == g.Key:
	case got == "":
		refuse(GeminiFailure(403, "PERMISSION_DENIED", "Method doesn't allow unregistered callers. Please use API Key or other form of API consumer identity to call this API."))
	default:
		refuse(GeminiFailure(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", ErrorInfo("API_KEY_INVALID")))
	}
}

func (g *Gemini) checkModel(name string) {
	if g.Models != nil && !slices.Contains(g.Models, name) {
		refuse(GeminiFailure(404, "NOT_FOUND", fmt.Sprintf("models/%s is not found for API version v1beta, or is not supported for generateContent.", name)))
	}
}

// check reads a request, and refuses it for the first rule that it breaks.
func (g *Gemini) check(r *Request, name string) *GeminiRequest {
	g.checkModel(name)
	// A request has at most 20 MB (ai.google.dev/gemini-api/docs/files); the message
	// is quoted from google-gemini/deprecated-generative-ai-android, issue 26.
	if len(r.Body) > g.MostBytes {
		invalid("Request payload size exceeds the limit: %d bytes.", g.MostBytes)
	}
	if kind := r.HTTP.Header.Get("Content-Type"); !strings.HasPrefix(kind, "application/json") {
		invalid("The request's Content-Type is %q.", kind)
	}
	req, err := g.read(r.Body)
	if err != nil {
		// Unknown fields are refused, as gera2ld/ai.nvim, issue 13, shows.
		invalid("Invalid JSON payload received. %s", err)
	}
	req.Model, req.Bytes = name, len(r.Body)
	checkConfig(&req.GenerationConfig)
	checkSystem(req)
	g.checkContents(req)
	return req
}

// read reads the body. Fields that the configuration accepts are taken out of
// generationConfig first.
func (g *Gemini) read(body []byte) (*GeminiRequest, error) {
	var top map[string]json.RawMessage
	if err := json.Unmarshal(body, &top); err != nil {
		return nil, err
	}
	extra := make(map[string]json.RawMessage)
	if config, ok := top["generationConfig"]; ok && len(g.Accept) > 0 {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(config, &fields); err != nil {
			return nil, err
		}
		for _, name := range g.Accept {
			if value, ok := fields[name]; ok {
				extra[name] = value
				delete(fields, name)
			}
		}
		top["generationConfig"], _ = json.Marshal(fields)
		body, _ = json.Marshal(top)
	}
	var req GeminiRequest
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	err := d.Decode(&req)
	req.GenerationConfig.Extra = extra
	return &req, err
}

// checkConfig has the ranges of ai.google.dev/api/generate-content,
// GenerationConfig. A schema needs the MIME type of JSON (go-genai: types.go,
// ResponseJsonSchema).
func checkConfig(c *generationConfig) {
	switch {
	case c.Temperature != nil && (*c.Temperature < 0 || *c.Temperature > 2):
		invalid("* GenerateContentRequest.generation_config.temperature: %g is not from 0 to 2.", *c.Temperature)
	case c.TopP != nil && (*c.TopP < 0 || *c.TopP > 1):
		invalid("* GenerateContentRequest.generation_config.top_p: %g is not from 0 to 1.", *c.TopP)
	case c.MaxOutputTokens != nil && *c.MaxOutputTokens <= 0:
		invalid("* GenerateContentRequest.generation_config.max_output_tokens: %d is not above 0.", *c.MaxOutputTokens)
	case len(c.StopSequences) > 5:
		invalid("* GenerateContentRequest.generation_config.stop_sequences: more than 5.")
	case c.ResponseJSONSchema != nil && c.ResponseMIMEType != "application/json":
		invalid("Response schema with mime type %q is unsupported.", c.ResponseMIMEType)
	}
}

// checkSystem takes text only (ai.google.dev/api/generate-content,
// systemInstruction: "Currently, text only").
func checkSystem(r *GeminiRequest) {
	if r.SystemInstruction == nil {
		return
	}
	for _, p := range r.SystemInstruction.Parts {
		if p.Text == nil {
			invalid("System instruction holds more than text.")
		}
	}
}

// checkContents takes turns of users and models with parts. The words are those
// of ikechan8370/chatgpt-plugin, issue 733; songquanpeng/one-api, issue 1385; and
// egoist/chatwise-releases, issue 250.
func (g *Gemini) checkContents(r *GeminiRequest) {
	if len(r.Contents) == 0 {
		invalid("* GenerateContentRequest.contents: contents is not specified")
	}
	for i, c := range r.Contents {
		if c.Role != "user" && c.Role != "model" {
			invalid("Please use a valid role: user, model.")
		}
		if len(c.Parts) == 0 {
			invalid("* GenerateContentRequest.contents[%d].parts: contents.parts must not be empty.", i)
		}
		for _, p := range c.Parts {
			g.checkPart(p)
		}
	}
}

// checkPart takes one kind of content in a part (go-genai: types.go, Part). An
// empty text counts as a missing one (boldsoftware/sketch, issue 68).
func (g *Gemini) checkPart(p GeminiPart) {
	switch {
	case p.Text != nil && *p.Text == "":
		invalid("* GenerateContentRequest.contents.parts.data: required oneof field 'data' must have one initialized field")
	case p.Text != nil && p.InlineData == nil && p.FileData == nil:
	case p.InlineData != nil && p.Text == nil && p.FileData == nil:
		data, err := base64.StdEncoding.DecodeString(p.InlineData.Data)
		if err != nil || len(data) == 0 {
			invalid("Base64 decoding failed for %q", p.InlineData.MIMEType)
		}
		checkMIME(p.InlineData.MIMEType)
	case p.FileData != nil && p.Text == nil && p.InlineData == nil:
		checkMIME(p.FileData.MIMEType)
		g.checkFile(p.FileData)
	default:
		invalid("A part has not exactly one of text, inlineData and fileData.")
	}
}

func checkMIME(mime string) {
	if !slices.Contains(mediaTypes, mime) {
		invalid("Unsupported MIME type: %s", mime)
	}
}
