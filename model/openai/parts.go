package openai

import (
	"strings"

	"omniscope/model"
)

// A PartStyle says how an endpoint wants media and how it answers: servers that
// speak the same protocol differ in both. Images are image_url and videos are
// video_url in all of them.
type PartStyle string

// The styles.
const (
	// OpenAIParts is what OpenAI and vLLM take: sound as input_audio with bare
	// base64. Sound by address becomes audio_url, which vLLM takes and OpenAI
	// does not.
	OpenAIParts PartStyle = ""

	// AudioURLParts is what SGLang takes, which has no input_audio
	// (python/sglang/srt/entrypoints/openai/protocol.py): sound as audio_url, its
	// bytes as a data URL. vLLM takes it, too.
	AudioURLParts PartStyle = "audio-url"

	// DashScopeParts is what the compatible mode of Alibaba Cloud Model Studio
	// takes: sound as input_audio whose data is an address or a data URL. Its Omni
	// models answer only as a stream, so one is asked for. (Page "Qwen-Omni" of its
	// documentation.)
	DashScopeParts PartStyle = "dashscope"
)

func (s PartStyle) known() bool {
	return s == OpenAIParts || s == AudioURLParts || s == DashScopeParts
}

// streams reports whether the answer to a request has to come as a stream. What
// the user says of that in the extra fields is left alone.
func (s PartStyle) streams(req *model.Request) bool {
	_, said := req.Params.Extra["stream"]
	return s == DashScopeParts && !said && strings.Contains(strings.ToLower(req.Model), "omni")
}
