package predict

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"omniscope"
	"omniscope/internal/scratch"
	"omniscope/media"
	"omniscope/media/cache"
	"omniscope/media/wav"
	"omniscope/model"
)

// Sent says what of a sample went to the model.
type Sent struct {
	Modality omniscope.Modality `json:"modality"`
	File     string             `json:"file,omitempty"` // as it was opened
	SHA256   string             `json:"sha256,omitempty"`
	Seconds  float64            `json:"seconds,omitempty"` // of the file; 0 = it does not say
	Without  string             `json:"without,omitempty"` // picture or sound: the modality asks for it, and the file has none
	Frames   *SentFrames        `json:"frames,omitempty"`
	Sound    *SentSound         `json:"sound,omitempty"`
	Video    *SentVideo         `json:"video,omitempty"`
	Bytes    int64              `json:"bytes,omitempty"`      // of all media as they were sent, before base64; 0 = no request was answered
	Letters  int                `json:"text_bytes,omitempty"` // of a text that was given in place of media
	Prompt   string             `json:"prompt,omitempty"`
	System   string             `json:"system,omitempty"`
}

// SentFrames are the pictures that were sent, in their order.
type SentFrames struct {
	Count     int       `json:"count"`
	Width     int       `json:"width"`
	Height    int       `json:"height"`
	Times     []float64 `json:"times"` // seconds from the start of the file
	SampleFPS float64   `json:"sample_fps"`
	Policy    string    `json:"policy"`             // media.Policy.Hash
	Transfer  string    `json:"transfer,omitempty"` // transfer function of an HDR film, with mapped colours: smpte2084 or arib-std-b67
	Bytes     int64     `json:"bytes,omitempty"`    // of all pictures
	SHA256    string    `json:"sha256,omitempty"`   // of all pictures, one after the other
}

// SentSound is the sound that was sent: mono.
type SentSound struct {
	Format  string  `json:"format,omitempty"` // mp3; "" = wav, 16 bits
	Seconds float64 `json:"seconds"`          // of WAV, as it was sent; of MP3, as long as its packets
	Of      float64 `json:"of,omitempty"`     // seconds that there are, where the rest was cut off
	// Parts are the times at which the parts of a longer sound begin, in seconds from
	// the start of the file; nil = it was sent in one piece.
	Parts  []float64 `json:"parts,omitempty"`
	Rate   int       `json:"rate"`
	Bytes  int64     `json:"bytes,omitempty"`
	SHA256 string    `json:"sha256,omitempty"`
}

// measured adds the bytes that were sent with the request that was answered. For a
// remembered answer they come from the journal: another ffmpeg may make other ones.
func (s *Sent) measured(media []model.SentMedia) {
	s.Bytes = 0
	for _, m := range media {
		s.Bytes += m.Bytes
		switch {
		case m.Kind == model.ImagePart && s.Frames != nil:
			s.Frames.Bytes, s.Frames.SHA256 = m.Bytes, m.SHA256
		case m.Kind == model.VideoPart && s.Video != nil:
			s.Video.Bytes = m.Bytes
		case m.Kind == model.AudioPart && s.Sound != nil:
			s.Sound.Bytes, s.Sound.SHA256 = m.Bytes, m.SHA256
			s.Sound.measured()
		}
	}
}

// measured counts the samples that were sent.
func (s *SentSound) measured() {
	if s.Format != "" || s.Rate == 0 {
		return
	}
	headers := int64(max(1, len(s.Parts)) * wav.HeaderBytes)
	s.Seconds = float64((s.Bytes-headers)/2) / float64(s.Rate)
}

// SentVideo is a file that was sent as it is, or as MP4.
type SentVideo struct {
	Bytes int64  `json:"bytes"`
	From  string `json:"from,omitempty"` // the container of a file that was sent as MP4, in ffmpeg's words
	MIME  string `json:"mime"`
	Sound bool   `json:"sound"` // it has a sound track
}

// A showing is what a model is given of one sample.
type showing struct {
	parts    []model.Part
	sent     Sent
	warnings []string

	manner
	unmade atomic.Pointer[error] // why media could not be made when a call needed them
}

// A manner is how a film is shown that turned out, when its media were made, to
// be impossible to show as planned.
type manner struct {
	mute    bool // its sound track holds no sound, and is left out
	decoded bool // frames and times are the decodable ones
}

// anotherWay reports whether a clip can be shown in another way than the one
// that failed, which it changes.
func (s *System) anotherWay(err error, way *manner) bool {
	before := *way
	way.mute = way.mute || s.lacksSound(err)
	way.decoded = way.decoded || errors.Is(err, errMoved)
	return *way != before
}

// errMoved is in the chain of the error of a film with planned frames that cannot
// be decoded.
var errMoved = errors.New("some of its frames cannot be decoded")

// addLoaded adds media that are made when a call needs them.
func (sh *showing) addLoaded(kind model.PartKind, mime, digest string, load func(context.Context) ([]byte, error)) {
	sh.parts = append(sh.parts, model.Part{Kind: kind, MIME: mime, Digest: digest, Load: func(ctx context.Context) ([]byte, error) {
		data, err := load(ctx)
		if err != nil && ctx.Err() == nil {
			sh.unmade.Store(&err)
		}
		return data, err
	}})
}

// textBytes is the bytes of the texts next to the media.
func (sh *showing) textBytes() (bytes int) {
	for _, p := range sh.parts {
		bytes += len(p.Text)
	}
	return bytes
}

// failed is why media could not be made, nil if they could or were not needed.
func (sh *showing) failed() error {
	if err := sh.unmade.Load(); err != nil {
		return *err
	}
	return nil
}

// mediaOf is what a modality asks a model by, in a word.
func mediaOf(m omniscope.Modality) string {
	switch m {
	case omniscope.Audio:
		return "sound"
	case Text:
		return "text"
	}
	return "video"
}

// show prepares what a model is given of a sample. Pictures and sound are made when a call needs them.
func (s *System) show(ctx context.Context, sample *omniscope.Sample, way manner) (*showing, error) {
	sh := &showing{sent: Sent{Modality: s.Modality}, manner: way}
	path, err := s.Path(sample)
	if err != nil {
		return nil, err
	}
	sh.sent.File = s.File(sample)
	if s.Modality == Text {
		return sh, sh.showText(path)
	}
	clip, err := s.Clips.open(ctx, path)
	if err != nil {
		return nil, err
	}
	sh.sent.SHA256, sh.sent.Seconds = clip.Digest, clip.File.End().Seconds()
	sh.warnings = append(sh.warnings, clip.File.Warnings...)
	return sh, s.showFile(ctx, sh, clip)
}

// File is the one of a sample's files that the model is given, as the dataset
// names it; "" = there is none.
func (s *System) File(sample *omniscope.Sample) string {
	switch {
	case s.Modality == Text:
		return sample.Media.Text
	case s.Modality == omniscope.Audio && sample.Media.Audio != "":
		return sample.Media.Audio
	}
	return sample.Media.Video
}

// Path is where the file is that the model is given of a sample. A dataset may not
// lead out of its folder: what lies elsewhere on this machine is not to be sent.
func (s *System) Path(sample *omniscope.Sample) (string, error) {
	name := s.File(sample)
	if name == "" {
		return "", omniscope.NotFoundf("sample %s has no %s", sample.ID, mediaOf(s.Modality))
	}
	if s.Folder == "" {
		return name, nil // named by the user
	}
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) {
		return "", omniscope.Invalidf("sample %s: %q leads out of the folder of the media, %s", sample.ID, name, s.Folder)
	}
	if found, ok := s.Found[name]; ok {
		return found, nil
	}
	return filepath.Join(s.Folder, local), nil
}

// showFile adds the picture and the sound that the modality asks for.
func (s *System) showFile(ctx context.Context, sh *showing, clip *cache.Clip) error {
	picture, sound, err := s.senses(sh, clip.File)
	if err != nil {
		return err
	}
	if picture && s.Profile.Send == AsVideo {
		err = s.showVideo(sh, clip.File)
		sound = sound && s.Profile.Sound.Apart
	} else if picture {
		err = s.showPictures(ctx, sh, clip, sound)
	}
	if err == nil && sound {
		err = sh.showSound(ctx, clip, s.Profile.Sound)
	}
	return err
}

// senses returns whether the model is given the picture and the sound of a file. Of audio-visual clips that lack one of them the model
// is given the other.
func (s *System) senses(sh *showing, f *media.File) (picture, sound bool, err error) {
	both := s.Modality == omniscope.AudioVisual
	picture, sound = s.Modality != omniscope.Audio, s.Modality != omniscope.Visual
	switch {
	case both && f.Video == nil:
		picture, sh.sent.Without = false, "picture"
		sh.warnings = append(sh.warnings, "it has no picture: the model is given the sound alone")
	case both && (f.Audio == nil || sh.mute):
		sound, sh.sent.Without = false, "sound"
		sh.warnings = append(sh.warnings, noSound(f)+": the model is given the picture alone")
	case picture && f.Video == nil:
		err = cannotShow(f, media.ErrNoVideo)
	case sound && f.Audio == nil:
		err = cannotShow(f, media.ErrNoAudio)
	}
	return picture, sound, err
}

// showPictures adds frames; sound: the sound of the clip follows.
func (s *System) showPictures(ctx context.Context, sh *showing, clip *cache.Clip, sound bool) error {
	policy, err := s.Profile.Frames.Policy()
	if err != nil {
		return err
	}
	var next *cache.SoundPolicy
	if sound {
		next = &cache.SoundPolicy{MaxSeconds: s.Profile.Sound.MaxSeconds}
		next.Format, _, _ = s.Profile.Sound.soundFormat()
	}
	return sh.showFrames(ctx, clip, policy, s.Profile.Frames.Times == timesEach, next)
}

// cannotShow is the error of a file of which a model cannot be given what it should.
func cannotShow(f *media.File, why error) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Op: "show " + filepath.Base(f.Path), Err: why}
}

// showText gives a text in place of media: its first line, as MCIF's runner does
// (mcif.io, read_txt_file).
func (sh *showing) showText(path string) error {
	const most = 16 << 20
	text, err := os.ReadFile(path)
	switch {
	case err != nil:
		return &omniscope.Error{Kind: omniscope.NotFound, Err: err}
	case len(text) > most:
		return omniscope.Invalidf("%s has more than %d bytes, which no text of a sample has", path, most)
	}
	line, more, _ := strings.Cut(strings.TrimPrefix(string(text), "\ufeff"), "\n")
	if strings.TrimSpace(more) != "" {
		sh.warnings = append(sh.warnings, filepath.Base(path)+" has several lines; the model is given the first one, as in the published protocol")
	}
	if line = strings.TrimSpace(line); line == "" {
		return omniscope.Invalidf("%s is empty", path)
	}
	sh.sent.Letters = len(line)
	sh.parts = append(sh.parts, model.Part{Kind: model.TextPart, Text: line})
	return nil
}

// showFrames adds the frames of the policy and tells their times: in one line before
// them, or with each before each frame, in the words of the chat template of Qwen3-VL
// (transformers, processing_qwen3_vl.py). sound is the policy of the sound that
// follows; nil = no sound does.
func (sh *showing) showFrames(ctx context.Context, clip *cache.Clip, policy media.Policy, each bool, sound *cache.SoundPolicy) error {
	plan, err := clip.Plan(ctx, policy, omniscope.Span{})
	if err != nil {
		return err
	}
	shown, err := sh.shownFrames(ctx, clip, policy, plan)
	if err != nil {
		return err
	}
	sent := &SentFrames{Count: len(shown), Width: plan.Width, Height: plan.Height, SampleFPS: plan.SampleFPS, Policy: plan.Policy}
	if clip.File.Video.HDR() {
		sent.Transfer = clip.File.Video.Transfer
	}
	times := make([]string, len(shown))
	for i, pts := range shown {
		at := clip.File.TimeOf(pts).Seconds()
		sent.Times = append(sent.Times, at)
		times[i] = fmt.Sprintf("%.2f", at)
	}
	frames := &frameLoader{clip: clip, policy: policy, sound: sound, shown: shown}
	if !each {
		sh.parts = append(sh.parts, model.Part{Kind: model.TextPart, Text: fmt.Sprintf("%d frames of the video, taken at these seconds: %s", len(times), strings.Join(times, ", "))})
	}
	for i, pts := range shown {
		if each {
			sh.parts = append(sh.parts, model.Part{Kind: model.TextPart, Text: "<" + times[i] + " seconds>"})
		}
		digest := fmt.Sprintf("sha256:%s frame %d policy %s %dx%d%s", clip.Digest, pts, plan.Policy, plan.Width, plan.Height, clip.File.PictureRule())
		sh.addLoaded(model.ImagePart, "image/jpeg", digest, func(ctx context.Context) ([]byte, error) { return frames.load(ctx, i) })
	}
	sh.sent.Frames = sent
	return nil
}

// shownFrames are the time stamps of the shown frames: as planned, unless it turned out that they cannot be decoded.
func (sh *showing) shownFrames(ctx context.Context, clip *cache.Clip, policy media.Policy, plan *media.Plan) ([]int64, error) {
	if !sh.decoded {
		return plan.PTS, nil
	}
	sampled, err := clip.Frames(ctx, policy, omniscope.Span{})
	if err != nil {
		return nil, err
	}
	sh.warnings = append(sh.warnings, sampled.Warnings...)
	var shown []int64
	for _, f := range sampled.Frames {
		shown = append(shown, f.PTS)
	}
	return shown, nil
}

// A frameLoader has all frames of a clip extracted when the first of them is
// needed. A call loads its parts one after the other.
type frameLoader struct {
	clip   *cache.Clip
	policy media.Policy
	sound  *cache.SoundPolicy // of the sound that is loaded next; nil = no sound follows
	shown  []int64            // time stamps in the request
	frames []media.Frame
}

func (l *frameLoader) extract(ctx context.Context) (*media.SampledFrames, error) {
	if l.sound != nil {
		return l.clip.FramesBeforeSound(ctx, l.policy, *l.sound)
	}
	return l.clip.Frames(ctx, l.policy, omniscope.Span{})
}

func (l *frameLoader) load(ctx context.Context, i int) ([]byte, error) {
	if l.frames == nil {
		sampled, err := l.extract(ctx)
		if err != nil {
			return nil, err
		}
		if len(sampled.Frames) != len(l.shown) {
			return nil, cannotShow(l.clip.File, fmt.Errorf("%d of its %d frames can be decoded: %s", len(sampled.Frames), len(l.shown), strings.Join(sampled.Warnings, "; ")))
		}
		if !slices.EqualFunc(sampled.Frames, l.shown, func(f media.Frame, pts int64) bool { return f.PTS == pts }) {
			return nil, cannotShow(l.clip.File, fmt.Errorf("%w: %s", errMoved, strings.Join(sampled.Warnings, "; ")))
		}
		l.frames = sampled.Frames
	}
	data, err := l.frames[i].Bytes()
	if i == len(l.shown)-1 {
		l.frames = nil // the request has them now
	}
	return data, err
}

// addConverted adds the film as MP4: its container is not on the list of those
// that models take.
func (sh *showing) addConverted(f *media.File) {
	const mime = "video/mp4"
	sh.sent.Video = &SentVideo{MIME: mime, Sound: f.Audio != nil, From: f.Format}
	digest := "sha256:" + sh.sent.SHA256 + " as MP4" + f.PictureRule() + f.SoundRule(omniscope.Span{})
	sh.addLoaded(model.VideoPart, mime, digest, func(ctx context.Context) ([]byte, error) {
		files, err := scratch.New()
		if err != nil {
			return nil, err
		}
		defer files.Close()
		to := filepath.Join(files.Path, "film.mp4")
		if err := media.CutFullSize(ctx, f, omniscope.Span{}, to); err != nil {
			return nil, err
		}
		return os.ReadFile(to)
	})
}

// showVideo adds the file as it is. Which frames the model sees, and whether it
// hears the sound, is up to the endpoint.
func (s *System) showVideo(sh *showing, f *media.File) error {
	if s.Modality == omniscope.Visual && f.Audio != nil {
		return cannotShow(f, errors.New("the file has a sound track, and the endpoint would be sent it: ask with a profile that has send: frames, or with --modality audio-visual"))
	}
	const most = 256 << 20 // bytes; it is held in memory, and no endpoint takes more
	if f.Bytes > most && s.Link == nil {
		return cannotShow(f, fmt.Errorf("the file has %d MB, and at most %d MB can be sent in a request: have the endpoint get it with --media-as file or http, or ask with a profile that has send: frames", f.Bytes>>20, most>>20))
	}
	mime := f.MIME()
	if mime == "" && s.Link == nil {
		sh.addConverted(f)
		return nil
	}
	sh.sent.Video = &SentVideo{Bytes: f.Bytes, MIME: mime, Sound: f.Audio != nil}
	digest := "sha256:" + sh.sent.SHA256 + " whole"
	if s.Link == nil {
		sh.addLoaded(model.VideoPart, mime, digest, func(context.Context) ([]byte, error) { return os.ReadFile(f.Path) })
		return nil
	}
	whole := model.Linked{Bytes: f.Bytes, SHA256: sh.sent.SHA256}
	sh.parts = append(sh.parts, model.Part{Kind: model.VideoPart, MIME: mime, Digest: digest, Link: func(context.Context) (model.Linked, error) {
		url, err := s.Link(f.Path)
		whole.URL = url
		return whole, err
	}})
	return nil
}
