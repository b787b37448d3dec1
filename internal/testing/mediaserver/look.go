package mediaserver

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

// lookAt adds one message to what was seen. Each image takes the next of the times
// that the latest text with times states: there may be a text before each image,
// or one list before all.
func (s *Server) lookAt(seen *Seen, c *chat, index int, m message) *rejection {
	var stated []Time // and not yet taken
	for _, p := range m.Parts {
		if m.Role == "user" {
			seen.Parts = append(seen.Parts, p.Type)
		}
		switch kindOf(p.Type) {
		case "":
			seen.read(m.Role, p.Text)
			if times := timesIn(p.Text); len(times) > 0 {
				stated = times
			}
		case "image":
			found, rejected := s.lookAtImage(p)
			if rejected != nil {
				return rejected
			}
			if len(stated) > 0 {
				found.Time, stated = &stated[0], stated[1:]
			}
			seen.Images = append(seen.Images, found)
		case "audio":
			if rejected := s.lookAtAudio(seen, p); rejected != nil {
				return rejected
			}
		case "video":
			if rejected := s.lookAtVideo(seen, c, p); rejected != nil {
				return rejected
			}
		}
	}
	return nil
}

func (s *Server) lookAtImage(p part) (*Image, *rejection) {
	if p.ImageURL == nil {
		return nil, &rejection{message: "Missing required parameter: 'image_url'.", code: "missing_required_parameter"}
	}
	got, rejected := s.fetch("image", p.ImageURL.URL)
	if rejected != nil {
		return nil, rejected
	}
	if most := s.rules.maxImageBytes; most > 0 && len(got.data) > most { // in the words of OpenAI
		return nil, &rejection{message: "You uploaded an unsupported image. Please make sure your image is below 20 MB in size and is of one the following formats: ['png', 'jpeg', 'gif', 'webp'].", code: "image_too_large"}
	}
	return decodeImage(got)
}

// decodeImage decodes a whole image. Its bytes must be what its MIME type says:
// OpenAI and vLLM look at the bytes alone, but Anthropic refuses such an image,
// and a wrong name is a fault of the sender in any case.
func decodeImage(got payload) (*Image, *rejection) {
	found := http.DetectContentType(got.data)
	picture, _, err := image.Decode(bytes.NewReader(got.data))
	if err != nil { // in the words of OpenAI
		return nil, &rejection{message: "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].", code: "invalid_image_format"}
	}
	if got.mime != "" && got.mime != found {
		return nil, &rejection{message: fmt.Sprintf("The image was sent as %s, and its bytes are %s.", got.mime, found), code: "invalid_image_format"}
	}
	size := picture.Bounds().Size()
	return &Image{MIME: found, Width: size.X, Height: size.Y, Bytes: len(got.data), SHA256: sha256hex.Of(got.data), data: got.data}, nil
}

func (s *Server) lookAtAudio(seen *Seen, p part) *rejection {
	got, claimed, rejected := s.audioData(p)
	if rejected != nil {
		return rejected
	}
	path, rejected := s.keep(seen, got.data)
	if rejected != nil {
		return rejected
	}
	found, rejected := s.listen(path, got.data)
	if rejected != nil {
		return rejected
	}
	if !matches(claimed, found.Format) {
		return &rejection{message: fmt.Sprintf("The audio was sent as %q, and its bytes are %q.", claimed, found.Format), code: "invalid_value"}
	}
	seen.Audios = append(seen.Audios, found)
	return nil
}

// audioData returns the bytes of a sound and the format that the sender names.
func (s *Server) audioData(p part) (got payload, claimed string, rejected *rejection) {
	if p.Type == "audio_url" {
		if p.AudioURL == nil {
			return got, "", &rejection{message: "Missing required parameter: 'audio_url'.", code: "missing_required_parameter"}
		}
		got, rejected = s.fetch("audio", p.AudioURL.URL)
		return got, strings.TrimPrefix(got.mime, "audio/"), rejected
	}
	if p.Sound == nil {
		return got, "", &rejection{message: "Missing required parameter: 'input_audio'.", code: "missing_required_parameter"}
	}
	if s.rules.formats != nil && !slices.Contains(s.rules.formats, p.Sound.Format) {
		return got, "", &rejection{message: fmt.Sprintf("Invalid value: '%s'. Supported values are: '%s'.", p.Sound.Format, strings.Join(s.rules.formats, "' and '")), code: "invalid_value", param: "input_audio.format"}
	}
	if s.rules.dialect == DashScope {
		got, rejected = s.fetch("audio", p.Sound.Data)
	} else {
		got.data, rejected = decodeBase64(p.Sound.Data)
	}
	return got, p.Sound.Format, rejected
}

func (s *Server) lookAtVideo(seen *Seen, c *chat, p part) *rejection {
	if p.Type == "video" {
		return s.lookAtFrames(seen, p)
	}
	if p.VideoURL == nil {
		return &rejection{message: "Missing required parameter: 'video_url'.", code: "missing_required_parameter"}
	}
	// A list of JPEG frames in one data URL, as vllm/multimodal/media/video.py
	// reads it.
	const frames = "data:video/jpeg;base64,"
	if list, ok := strings.CutPrefix(p.VideoURL.URL, frames); ok && s.rules.dialect == VLLM {
		var items []payload
		for text := range strings.SplitSeq(list, ",") {
			data, rejected := decodeBase64(text)
			if rejected != nil {
				return rejected
			}
			items = append(items, payload{"image/jpeg", data})
		}
		return seen.addFrames(items, c.MediaIO.Video.FPS)
	}
	got, rejected := s.fetch("video", p.VideoURL.URL)
	if rejected != nil {
		return rejected
	}
	path, rejected := s.keep(seen, got.data)
	if rejected != nil {
		return rejected
	}
	found, rejected := s.watch(path, got)
	if rejected != nil {
		return rejected
	}
	if found.HasSound && s.listens(c) {
		if found.Sound, rejected = s.listen(path, got.data); rejected != nil {
			return rejected
		}
	}
	seen.Videos = append(seen.Videos, found)
	return nil
}

// listens reports whether the sound of videos is heard. vLLM and SGLang drop it
// without a word unless the request says otherwise (QwenLM/Qwen2.5-Omni, issue 330;
// sgl-project/sglang, pull request 16996).
func (s *Server) listens(c *chat) bool {
	switch s.rules.dialect {
	case VLLM:
		return c.Processor.UseAudioInVideo
	case SGLang:
		return c.UseAudioInVideo
	}
	return true
}

// lookAtFrames looks at a video that DashScope gets as a list of images. Its
// field fps says how many of them a second of the clip has, 2 by default.
func (s *Server) lookAtFrames(seen *Seen, p part) *rejection {
	if n := len(p.Frames); n < 4 || n > 512 { // in the words of DashScope
		return rejectf("<400> InternalError.Algo.InvalidParameter: The video modality input does not meet the requirements because: the range of sequence images shoule be (4, 512).")
	}
	var items []payload
	for _, address := range p.Frames {
		got, rejected := s.fetch("image", address)
		if rejected != nil {
			return rejected
		}
		items = append(items, got)
	}
	fps := p.FPS
	if fps == 0 {
		fps = 2
	}
	return seen.addFrames(items, fps)
}

// addFrames adds a video that came as images. fps = 0: it is not known.
func (s *Seen) addFrames(items []payload, fps float64) *rejection {
	v := &Video{MIME: "image/jpeg", Container: "images", Frames: len(items), FPS: fps}
	all := sha256.New()
	for i, item := range items {
		picture, rejected := decodeImage(item)
		if rejected != nil {
			return rejected
		}
		if i == 0 {
			v.Width, v.Height, v.MIME = picture.Width, picture.Height, picture.MIME
		}
		if picture.Width != v.Width || picture.Height != v.Height {
			return rejectf("Frame %d of the video is %dx%d, and the first is %dx%d.", i, picture.Width, picture.Height, v.Width, v.Height)
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
	s.Videos = append(s.Videos, v)
	return nil
}

// keep writes media to a file, which ffmpeg needs to seek in.
func (s *Server) keep(seen *Seen, data []byte) (path string, rejected *rejection) {
	f, err := os.CreateTemp(s.folder, "media-")
	if err == nil {
		seen.files = append(seen.files, f.Name())
		_, err = f.Write(data)
		f.Close()
	}
	if err != nil {
		return "", &rejection{status: http.StatusInternalServerError, message: err.Error()}
	}
	return f.Name(), nil
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
