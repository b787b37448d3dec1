package fake

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"net/http"
	"os"
	"strings"
	"testing"

	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
)

// made returns a media file that ffmpeg makes.
func made(t testing.TB, name, args string) []byte {
	t.Helper()
	data, err := os.ReadFile(clips.Made(t, name, args))
	fixture.OK(t, err)
	return data
}

// grey is a picture of one brightness.
func grey(width, height int, level uint8) image.Image {
	p := image.NewGray(image.Rect(0, 0, width, height))
	for i := range p.Pix {
		p.Pix[i] = level
	}
	return p
}

func jpegOf(t testing.TB, width, height int, level uint8) []byte {
	t.Helper()
	var b bytes.Buffer
	fixture.OK(t, jpeg.Encode(&b, grey(width, height, level), nil))
	return b.Bytes()
}

func pngOf(t testing.TB, width, height int) []byte {
	t.Helper()
	var b bytes.Buffer
	fixture.OK(t, png.Encode(&b, grey(width, height, 99)))
	return b.Bytes()
}

func levelOf(p image.Image) int {
	b := p.Bounds()
	return int(color.GrayModel.Convert(p.At((b.Min.X+b.Max.X)/2, (b.Min.Y+b.Max.Y)/2)).(color.Gray).Y)
}

func base64ed(data []byte) string { return base64.StdEncoding.EncodeToString(data) }

func dataURL(mime string, data []byte) string { return "data:" + mime + ";base64," + base64ed(data) }

type object = map[string]any

func textPart(text string) object { return object{"type": "text", "text": text} }

// addressed is a part such as {"type":"image_url","image_url":{"url":...}}.
func addressed(kind, url string) object { return object{"type": kind, kind: object{"url": url}} }

func inputAudio(data, format string) object {
	return object{"type": "input_audio", "input_audio": object{"data": data, "format": format}}
}

func userMessage(parts ...object) object {
	return object{"model": "qwen3-omni", "messages": []object{{"role": "system", "content": "Be brief."}, {"role": "user", "content": parts}}}
}

// postTo sends a request and returns the status and the body.
func postTo(t testing.TB, s *Media, request object) (int, string) {
	t.Helper()
	return postJSON(t, s.URL()+"/chat/completions", string(encode(request)))
}

// accepted sends a request that the server must answer, and returns what it saw.
func accepted(t testing.TB, s *Media, request object) *Seen {
	t.Helper()
	if status, body := postTo(t, s, request); status != http.StatusOK {
		t.Fatalf("status %d: %s", status, body)
	}
	seen := s.Seen()
	return seen[len(seen)-1]
}

// rejected sends a request that the server must reject with a message.
func rejected(t testing.TB, s *Media, status int, says string, request object) {
	t.Helper()
	before := len(s.Seen())
	got, body := postTo(t, s, request)
	if got != status || !strings.Contains(body, says) {
		t.Errorf("status %d, want %d with %q: %s", got, status, says, body)
	}
	if len(s.Seen()) != before {
		t.Error("a rejected request counts as seen")
	}
}
