package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"

	"omniscope"
)

// espeakVoices are eSpeak NG's names of voices, by language (ISO 639-1).
var espeakVoices = map[string]string{"en": "en", "de": "de", "it": "it", "zh": "cmn"}

const (
	espeak   = "espeak-ng"
	mostSaid = 32 << 20 // bytes of sound that words may last
)

// A voice speaks words of one language by a program that is installed: flite, which
// some builds of ffmpeg have inside, for English; else eSpeak NG.
type voice struct {
	Program  string
	language string
}

// VoiceOf finds a voice for a language, by its code of ISO 639-1. That none is installed
// is an error of kind NotFound that says what to install.
func VoiceOf(ctx context.Context, language string) (*voice, error) {
	if language == "en" {
		if text, err := answer(ctx, "ffmpeg", "-filters"); err == nil && strings.Contains(text, " flite ") {
			return &voice{"flite", language}, nil
		}
	}
	_, err := exec.LookPath(espeak)
	if _, known := espeakVoices[language]; err != nil || !known {
		return nil, &omniscope.Error{Kind: omniscope.NotFound, Op: "speak", Err: fmt.Errorf("no program here speaks %q: install %s (Debian, Ubuntu: apt-get install espeak-ng; macOS: brew install espeak-ng)", language, espeak)}
	}
	return &voice{espeak, language}, nil
}

// Say returns words as they are spoken: 16-bit samples of one channel at SpeechRate.
// The same program speaks the same words alike.
func (v *voice) Say(ctx context.Context, words string) ([]byte, error) {
	var pcm bytes.Buffer
	p := program{name: "ffmpeg", path: "a voice", readers: []func(io.Reader) error{collect(&pcm, mostSaid)}}
	p.args = []string{"-hide_banner", "-nostdin", "-nostats", "-loglevel", "level+error"}
	if v.Program == espeak {
		var wav bytes.Buffer
		// Words come by standard input, so that none is taken for a flag.
		say := program{name: espeak, path: "a voice", input: strings.NewReader(words), args: []string{"-v", espeakVoices[v.language], "--stdin", "--stdout"},
			readers: []func(io.Reader) error{collect(&wav, mostSaid)}}
		if _, err := say.run(ctx); err != nil {
			return nil, err
		}
		p.input, p.args = &wav, append(p.args, "-f", "wav", "-i", "pipe:0")
	} else {
		for _, r := range words {
			if (r < 'a' || r > 'z') && r != ' ' {
				return nil, &omniscope.Error{Kind: omniscope.Internal, Op: "speak", Err: fmt.Errorf("%q: flite is given plain words only", words)}
			}
		}
		p.args = append(p.args, "-f", "lavfi", "-i", "flite=text='"+words+"':voice=slt")
	}
	p.args = append(p.args, "-ar", strconv.Itoa(SpeechRate), "-ac", "1", "-f", "s16le", "pipe:1")
	if _, err := p.run(ctx); err != nil {
		return nil, err
	}
	if pcm.Len() < 2*SpeechRate/20 {
		return nil, &omniscope.Error{Kind: omniscope.Internal, Op: "speak", Err: errors.New(v.Program + " said nothing")}
	}
	return pcm.Bytes(), nil
}
