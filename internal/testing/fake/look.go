package fake

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"net/http"
	"os"
	"slices"
	"strings"

	"omniscope/internal/sha256hex"
)

// lookAt adds one message to Seen. Each image takes the next of the times
// that the latest text with times states: there may be a text before each image,
// or one list before all.
func (m *Media) lookAt(seen *Seen, c *chat, message message) {
	var stated []Time // and not yet taken
	for _, p := range message.Parts {
		if message.Role == "user" {
			seen.Parts = append(seen.Parts, p.Type)
		}
		switch kindOf(p.Type) {
		case "":
			seen.read(message.Role, p.Text)
			if times := timesIn(p.Text); len(times) > 0 {
				stated = times
			}
		case "image":
			found := m.lookAtImage(p)
			if len(stated) > 0 {
				found.Time, stated = &stated[0], stated[1:]
			}
			seen.Images = append(seen.Images, found)
		case "audio":
			m.lookAtAudio(seen, p)
		case "video":
			m.lookAtVideo(seen, c, p)
		}
	}
}

// need rejects a part without the member that its type names.
func (m *Media) need(member string, is bool) {
	if !is {
		m.reject(rejection{message: "Missing required parameter: '" + member + "'.", code: "missing_required_parameter"})
	}
}

func (m *Media) lookAtImage(p part) *Image {
	m.need("image_url", p.ImageURL != nil)
	got := m.fetch("image", p.ImageURL.URL)
	if most := m.rules.maxImageBytes; most > 0 && len(got.data) > most { // in the words of OpenAI
		m.reject(rejection{message: "You uploaded an unsupported image. Please make sure your image is below 20 MB in size and is of one the following formats: ['png', 'jpeg', 'gif', 'webp'].", code: "image_too_large"})
	}
	return m.decodeImage(got)
}

// decodeImage decodes all of an image. Its bytes must be what its MIME type says:
// OpenAI and vLLM look at the bytes alone, but Anthropic refuses such an image,
// and a wrong name is a fault of the sender in any case.
func (m *Media) decodeImage(got payload) *Image {
	found := http.DetectContentType(got.data)
	picture, _, err := image.Decode(bytes.NewReader(got.data))
	if err != nil { // in the words of OpenAI
		m.reject(rejection{message: "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].", code: "invalid_image_format"})
	}
	if got.mime != "" && got.mime != found {
		m.reject(rejection{message: fmt.Sprintf("The image was sent as %s, and its bytes are %s.", got.mime, found), code: "invalid_image_format"})
	}
	size := picture.Bounds().Size()
	return &Image{MIME: found, Width: size.X, Height: size.Y, Bytes: len(got.data), SHA256: sha256hex.Of(got.data), data: got.data}
}

func (m *Media) lookAtAudio(seen *Seen, p part) {
	got, claimed := m.audioData(p)
	path := m.keep(seen, got.data)
	found := m.listen(path, got.data)
	if !matches(claimed, found.Format) {
		m.reject(rejection{message: fmt.Sprintf("The audio was sent as %q, and its bytes are %q.", claimed, found.Format), code: "invalid_value"})
	}
	seen.Audios = append(seen.Audios, found)
}

// audioData returns the bytes of a sound and the format that the sender names.
func (m *Media) audioData(p part) (got payload, claimed string) {
	if p.Type == "audio_url" {
		m.need("audio_url", p.AudioURL != nil)
		got = m.fetch("audio", p.AudioURL.URL)
		return got, strings.TrimPrefix(got.mime, "audio/")
	}
	m.need("input_audio", p.Sound != nil)
	if m.rules.formats != nil && !slices.Contains(m.rules.formats, p.Sound.Format) {
		m.reject(rejection{message: fmt.Sprintf("Invalid value: '%s'. Supported values are: '%s'.", p.Sound.Format, strings.Join(m.rules.formats, "' and '")), code: "invalid_value", param: "input_audio.format"})
	}
	if m.rules.dialect == DashScope {
		return m.fetch("audio", p.Sound.Data), p.Sound.Format
	}
	return payload{data: m.decodeBase64(p.Sound.Data)}, p.Sound.Format
}

func (m *Media) lookAtVideo(seen *Seen, c *chat, p part) {
	if p.Type == "video" {
		m.lookAtFrames(seen, p)
		return
	}
	m.need("video_url", p.VideoURL != nil)
	// A list of JPEG frames in one data URL, as vllm/multimodal/media/video.py
	// reads it.
	const frames = "data:video/jpeg;base64,"
	if list, ok := strings.CutPrefix(p.VideoURL.URL, frames); ok && m.rules.dialect == VLLM {
		var items []payload
		for text := range strings.SplitSeq(list, ",") {
			items = append(items, payload{"image/jpeg", m.decodeBase64(text)})
		}
		m.addFrames(seen, items, c.MediaIO.Video.FPS)
		return
	}
	got := m.fetch("video", p.VideoURL.URL)
	path := m.keep(seen, got.data)
	found := m.watch(path, got)
	if found.HasSound && m.listens(c) {
		found.Sound = m.listen(path, got.data)
	}
	seen.Videos = append(seen.Videos, found)
}

// listens reports whether the sound of videos is heard. vLLM and SGLang drop it
// without a word unless the request asks for it (QwenLM/Qwen2.5-Omni, issue 330;
// sgl-project/sglang, pull request 16996).
func (m *Media) listens(c *chat) bool {
	switch m.rules.dialect {
	case VLLM:
		return c.Processor.UseAudioInVideo
	case SGLang:
		return c.UseAudioInVideo
	}
	return true
}

// lookAtFrames looks at a video that DashScope gets as a list of images. Its
// field fps is how many of them a second of the clip has, 2 by default.
func (m *Media) lookAtFrames(seen *Seen, p part) {
	if n := len(p.Frames); n < 4 || n > 512 { // in the words of DashScope
		m.rejectf("<400> InternalError.Algo.InvalidParameter: The video modality input does not meet the requirements because: the range of sequence images shoule be (4, 512).")
	}
	var items []payload
	for _, address := range p.Frames {
		items = append(items, m.fetch("image", address))
	}
	fps := p.FPS
	if fps == 0 {
		fps = 2
	}
	m.addFrames(seen, items, fps)
}

// addFrames adds a video that came as images. fps = 0: it is not known.
func (m *Media) addFrames(seen *Seen, items []payload, fps float64) {
	v := &Video{MIME: "image/jpeg", Container: "images", Frames: len(items), FPS: fps}
	all := sha256.New()
	for i, item := range items {
		picture := m.decodeImage(item)
		if i == 0 {
			v.Width, v.Height, v.MIME = picture.Width, picture.Height, picture.MIME
		}
		if picture.Width != v.Width || picture.Height != v.Height {
			m.rejectf("Frame %d of the video is %dx%d, and the first is %dx%d.", i, picture.Width, picture.Height, v.Width, v.Height)
		}
		v.Bytes += picture.Bytes
		all.Write(item.data)
		v.frames = append(v.frames, item.data)
		if fps > 0 {
			v.FrameTimes = append(v.FrameTimes, float64(i)/fps)
			v.Seconds = float64(len(items)) / fps
		}
	}
	v.SHA256, v.order = hex.EncodeToString(all.Sum(nil)), upTo(len(items))
	seen.Videos = append(seen.Videos, v)
}

// keep writes media to a file, which ffmpeg needs to seek in.
func (m *Media) keep(seen *Seen, data []byte) string {
	f, err := os.CreateTemp(m.folder, "media-")
	if err == nil {
		seen.files = append(seen.files, f.Name())
		_, err = f.Write(data)
		f.Close()
	}
	if err != nil {
		m.reject(rejection{status: http.StatusInternalServerError, message: err.Error()})
	}
	return f.Name()
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
