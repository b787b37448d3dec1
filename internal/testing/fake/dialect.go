package fake

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// A Dialect is the kind of server that sets the rules.
type Dialect string

// The dialects.
const (
	OpenAI    Dialect = "openai"
	VLLM      Dialect = "vllm"
	SGLang    Dialect = "sglang"
	DashScope Dialect = "dashscope" // its compatible mode
)

// rules are what a dialect accepts.
type rules struct {
	dialect       Dialect
	types         []string // of parts
	formats       []string // of input_audio; nil = any that ffprobe knows
	maxImages     int      // in one request; 0 = any number
	maxOthers     int      // of sounds, and of videos
	maxBytes      int64    // of the body
	maxData       int      // characters of one data URL
	maxImageBytes int      // of one image
	mixed         bool     // a message may have media of several kinds

	// unknownType rejects a part of a type that the server does not know.
	unknownType func(c *chat, message, index int, kind string) rejection
}

// dialects holds the rules and where each comes from. A message in the words of
// the real server is named so; others are this package's own.
var dialects = map[Dialect]rules{
	// OpenAI: "Images and vision" of its documentation (at most 20 MB of an image,
	// 500 images and 50 MB of image bytes in a request; PNG, JPEG, WEBP, GIF) and "Audio and
	// speech" (input_audio as bare base64, wav or mp3). The words of the error for
	// an unknown type are quoted in many reports, such as the changelog of
	// langchain-openai. The limit of 50 MB is applied to the entire body, which is
	// nearly all images. The status for an oversize body could not be proven.
	OpenAI: {
		types:   []string{"text", "image_url", "input_audio", "refusal", "file"},
		formats: []string{"wav", "mp3"}, maxImages: 500, maxBytes: 50 << 20, maxImageBytes: 20 << 20, mixed: true,
		unknownType: func(_ *chat, message, index int, kind string) rejection {
			return rejection{code: "invalid_value", param: fmt.Sprintf("messages[%d].content[%d].type", message, index),
				message: fmt.Sprintf("Invalid value: '%s'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', 'audio', and 'file'.", kind)}
		},
	},

	// vLLM: vllm/entrypoints/chat_utils.py (types of parts; input_audio becomes a
	// data URL, so its data must be bare base64; the sound of a video is read only
	// if mm_processor_kwargs has use_audio_in_video),
	// vllm/multimodal/media/connector.py (data, file and http URLs),
	// vllm/config/multimodal.py (--limit-mm-per-prompt: 999 of each kind since V1,
	// 1 before). Recent versions refuse to fetch from private addresses unless
	// VLLM_MEDIA_EGRESS_BLOCK_PRIVATE=0; this server acts as with 0, since all
	// tests are on one machine.
	VLLM: {
		types:     []string{"text", "input_text", "output_text", "refusal", "thinking", "image_url", "video_url", "audio_url", "input_audio"},
		maxImages: 999, maxOthers: 999, mixed: true,
		unknownType: func(_ *chat, _, _ int, kind string) rejection {
			return rejection{message: fmt.Sprintf("Unsupported chat content part type: '%s'. Supported types: audio_embeds, audio_url, image_embeds, image_pil, image_url, input_audio, prompt_embeds, refusal, text, video_url.", kind)}
		},
	},

	// SGLang: python/sglang/srt/entrypoints/openai/protocol.py
	// (ChatCompletionMessageContentPart has text, image_url, video_url and
	// audio_url, and no input_audio; use_audio_in_video is a field of the request,
	// false by default). Its error for an unknown type is a list of errors of
	// pydantic (zai-org/GLM-V, issue 234); this server sends only the first one,
	// without the data. Which file:// URLs SGLang allows could not be proven:
	// FileRoot decides.
	SGLang: {
		types: []string{"text", "image_url", "video_url", "audio_url"}, mixed: true,
		unknownType: func(c *chat, message, _ int, _ string) rejection {
			var types []string
			for _, p := range c.Messages[message].Parts {
				types = append(types, "{'type': '"+p.Type+"'}")
			}
			return rejection{message: fmt.Sprintf("19 validation errors:\n  {'type': 'string_type', 'loc': ('body', 'messages', %d, 'ChatCompletionMessageGenericParam', 'content', 'str'), 'msg': 'Input should be a valid string', 'input': [%s]}", message, strings.Join(types, ", "))}
		},
	},

	// DashScope: "Qwen-Omni" and "Error messages" of the Model Studio
	// documentation (answers of Omni models only as a stream; text and one other
	// kind of media in a message; input_audio.data is an address or a data URL;
	// video as a list of 4 to 512 images; 10 MB for a data URL). The words for
	// streaming are in AstrBot issue 829, for an unknown type in
	// modelstudioai/cli issue 54, for bare base64 in Operit pull request 601. What
	// its error for two kinds of media could not be proven, nor whether the newest
	// models still refuse them: see Media.MixedMedia.
	DashScope: {
		types:   []string{"text", "image_url", "video_url", "video", "input_audio"},
		maxData: 10485760,
		unknownType: func(_ *chat, _, _ int, kind string) rejection {
			return rejection{message: fmt.Sprintf("Invalid value: %s. Supported values are: 'text','image_url','video_url' and 'video'.", kind)}
		},
	},
}

// with returns the rules as the options of a server change them.
func (r rules) with(m *Media) rules {
	r.dialect, r.mixed = m.Dialect, r.mixed || m.MixedMedia
	if m.MaxImages > 0 {
		r.maxImages = m.MaxImages
	}
	if m.MaxBytes > 0 {
		r.maxBytes = m.MaxBytes
	}
	return r
}

// check applies the rules that need no look at the media.
func (m *Media) check(c *chat) {
	r := m.rules
	if r.dialect == DashScope && strings.Contains(c.Model, "omni") && !c.Stream {
		m.rejectf("%s only support with stream=true", c.Model)
	}
	count := make(map[string]int)
	for i, message := range c.Messages {
		kinds := make(map[string]bool)
		for j, p := range message.Parts {
			if !slices.Contains(r.types, p.Type) {
				m.reject(r.unknownType(c, i, j, p.Type))
			}
			kind := kindOf(p.Type)
			if kind == "" {
				continue
			}
			count[kind]++
			kinds[kind] = true
			if message.Role != "user" && r.dialect == OpenAI { // in the words of OpenAI
				m.reject(rejection{message: "Image URLs are only allowed for messages with role 'user', but this message with role '" + message.Role + "' contains an image URL.", code: "invalid_value", param: fmt.Sprintf("messages[%d]", i)})
			}
		}
		if len(kinds) > 1 && !r.mixed {
			m.rejectf("A message may have text and media of one kind, but message %d has media of %d kinds.", i, len(kinds))
		}
	}
	m.checkCounts(count)
}

// checkCounts applies the limits on how many media a request may have.
func (m *Media) checkCounts(count map[string]int) {
	for _, kind := range []string{"image", "audio", "video"} {
		most := m.rules.maxOthers
		if kind == "image" {
			most = m.rules.maxImages
		}
		switch {
		case most == 0 || count[kind] <= most:
		case m.rules.dialect == VLLM: // in the words of vllm/multimodal/processing
			m.rejectf("At most %d %s(s) may be provided in one prompt. Set `--limit-mm-per-prompt` to increase this limit.", most, kind)
		default:
			m.reject(rejection{message: fmt.Sprintf("Too many %ss in request: %d, and at most %d are allowed.", kind, count[kind], most), code: "invalid_value", param: "messages"})
		}
	}
}

// kindOf returns the kind of media that a type of part carries, "" for text.
func kindOf(partType string) string {
	switch partType {
	case "image_url":
		return "image"
	case "audio_url", "input_audio":
		return "audio"
	case "video_url", "video":
		return "video"
	}
	return ""
}

// A rejection is why a request is not answered. Param and code are OpenAI's and
// DashScope's.
type rejection struct {
	status  int // 0 = 400
	message string
	param   string
	code    string
}

func (m *Media) rejectf(format string, args ...any) {
	m.reject(rejection{message: fmt.Sprintf(format, args...)})
}

// reject refuses a request with an error in the form of the dialect, as bodies quoted
// in reports have it: OpenAI and DashScope have an object with a code that is a word,
// vLLM one with a number, SGLang has its members at the top. The type that SGLang gives
// an unknown part could not be proven.
func (m *Media) reject(e rejection) {
	if e.status == 0 {
		e.status = http.StatusBadRequest
	}
	numbered := map[string]any{"message": e.message, "type": "BadRequestError", "param": orNull(e.param), "code": e.status}
	switch m.rules.dialect {
	case VLLM:
		refuse(Reply{Status: e.status, Body: map[string]any{"error": numbered}})
	case SGLang:
		numbered["object"] = "error"
		refuse(Reply{Status: e.status, Body: numbered})
	case DashScope:
		refuse(Reply{Status: e.status, Body: map[string]any{"request_id": "fake",
			"error": map[string]any{"message": e.message, "type": "invalid_request_error", "param": orNull(e.param), "code": orNull(e.code)}}})
	}
	refuse(ErrorReply(e.status, e.message, "invalid_request_error", e.param, e.code))
}
