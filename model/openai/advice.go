package openai

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"omniscope"
	"omniscope/model"
	"omniscope/model/exchange"
)

// withAdvice adds to an endpoint's refusal of media what to do about it: the
// endpoint's own words say what it does not take, and often no more.
func withAdvice(err error, req *model.Request) error {
	var own *omniscope.Error
	var status *model.StatusError
	if !errors.As(err, &own) || own.Kind != omniscope.Invalid || !errors.As(err, &status) {
		return err
	}
	advice := adviceFor(status, req)
	if advice == "" {
		return err
	}
	with := *own
	with.Err = fmt.Errorf("%w; %s", own.Err, advice)
	return &with
}

// unknownType finds the type of a part that an endpoint does not take: as OpenAI,
// vLLM, DashScope and SGLang say it.
var unknownType = regexp.MustCompile(`(?:invalid value: |part type: |'input': )'?(image_url|video_url|audio_url|input_audio)\b`)

// A problem is a refusal that is known by the endpoint's words.
type problem struct {
	says   []string // any of them, in lower case
	advice string
	media  bool // it concerns requests with media
}

var problems = []problem{
	{[]string{"allowed-local-media-path"}, "start the server with --allowed-local-media-path and the folder of the media, or send the media themselves", false},
	{[]string{"only support with stream=true", "only support stream mode"}, "reach the model as dashscope/NAME, which asks for a stream", false},
	{[]string{"provided url does not appear to be valid"}, "reach the model as dashscope/NAME, which sends sound as the endpoint wants it", false},
	{[]string{"image(s) may be provided in one prompt", "limit-mm-per-prompt"}, "send fewer frames (max-frames= behind the model), or start the server with a higher --limit-mm-per-prompt", false},
	{[]string{"may be provided in one prompt"}, "start the server with a higher --limit-mm-per-prompt, or send one sound or video a question", true},
	{[]string{"per-request mm_processor_kwargs are disabled", "per-request media_io_kwargs are disabled", "trust-request-mm-kwargs"}, "start the server with --trust-request-mm-kwargs, or leave mm_processor_kwargs and media_io_kwargs out of the extra fields", false},
	{[]string{"install vllm[audio]", "vllm[audio]"}, "install vllm[audio] where the server runs, or ask with --modality visual", false},
	{[]string{"mmproj"}, "start the server with --mmproj and the projector of a model that sees, or take another model", false},
	{[]string{"maximum context length", "max_model_len", "exceeds model's maximum context", "exceed_context_size", "context_length_exceeded", "exceeds the available context size"}, "send less (max-frames=, max-pixels= behind the model, shorter clips, a lower limit of the answer), or start the server with a longer context", true},
	{[]string{"max bytes per data-uri", "file size is too large", "request body too large", "below 20 mb"}, "send less: shorter clips, fewer or smaller frames", false},
	{[]string{"range of sequence images"}, "send at least 4 and at most 512 frames", false},
}

func adviceFor(status *model.StatusError, req *model.Request) string {
	says := strings.ToLower(status.Code + " " + status.Message)
	if found := unknownType.FindStringSubmatch(says); found != nil {
		return adviceForType(found[1])
	}
	// SGLang lists what every part might have been, long before it names the
	// type that it does not know.
	if strings.Contains(says, "validation error") && strings.Contains(says, "chatcompletionmessage") && has(req, model.AudioPart) {
		return adviceForType("input_audio")
	}
	for _, p := range problems {
		if exchange.SaysAny(says, p.says) && (!p.media || has(req, model.ImagePart, model.AudioPart, model.VideoPart)) {
			return p.advice
		}
	}
	if status.Status == http.StatusRequestEntityTooLarge && has(req, model.ImagePart, model.AudioPart, model.VideoPart) {
		return "the request is too large: send shorter clips, fewer or smaller frames"
	}
	return ""
}

func adviceForType(kind string) string {
	switch kind {
	case "video_url":
		return "this endpoint takes no video: send frames of it as images, and its sound as audio"
	case "input_audio":
		return "this endpoint takes no sound in this form: if it is an SGLang server, reach it as sglang/NAME"
	case "audio_url":
		return "this endpoint takes no sound in this form: send the sound itself, not its address, and reach the model as openai/NAME, or as dashscope/NAME if it is there"
	}
	return "this endpoint takes no images: choose a model that sees"
}

func has(req *model.Request, kinds ...model.PartKind) bool {
	return slices.ContainsFunc(req.Messages, func(m model.Message) bool {
		return slices.ContainsFunc(m.Parts, func(p model.Part) bool { return slices.Contains(kinds, p.Kind) })
	})
}
