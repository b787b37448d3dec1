package view

import (
	"mime"
	"net/http"
	"path/filepath"
	"strings"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/results"
	"omniscope/web"
)

// media sends the file of a unit, in parts where the player asks for parts.
func (v *Viewer) media(w http.ResponseWriter, r *http.Request, of *runEntry) error {
	path := ""
	if of.Kind == investigation {
		report, err := v.investigation(of)
		if err != nil {
			return err
		}
		path = v.firstMedia(of, report.Clip.Path)
	} else {
		p, err := v.casePage(r, of)
		if err != nil {
			return err
		}
		path = v.mediaFile(of, p)
	}
	w.Header().Set("Content-Type", mediaType(path))
	if err := web.SendFile(w, r, path); err != nil {
		return omniscope.NotFoundf("the file of this sample is not here")
	}
	return nil
}

// mediaFile is the file of a unit; "" = it is not here.
func (v *Viewer) mediaFile(of *runEntry, p *casePage) string {
	var names []string
	if p.Sent != nil {
		names = append(names, p.Sent.Media)
	}
	return v.firstMedia(of, append(names, p.Case.Media)...)
}

// firstMedia is the first file that is there of those that names may mean: from the
// working folder, from a folder above the run, or from one of the folders of media.
// A name that is not of sound, pictures or film means none.
func (v *Viewer) firstMedia(of *runEntry, names ...string) string {
	for _, name := range names {
		if name == "" || mediaKind(name) == "" {
			continue
		}
		places := results.Places(v.file(of), name)
		if filepath.IsLocal(name) {
			for _, dir := range v.options.Media {
				places = append(places, filepath.Join(dir, name))
			}
		}
		for _, path := range places {
			if ondisk.IsFile(path) {
				return path
			}
		}
	}
	return ""
}

// types are those of files that systems do not know by themselves.
var types = map[string]string{
	".mp4": "video/mp4", ".m4v": "video/mp4", ".mov": "video/mp4", ".webm": "video/webm", ".mkv": "video/x-matroska", ".avi": "video/x-msvideo", ".ts": "video/mp2t",
	".mp3": "audio/mpeg", ".wav": "audio/wav", ".flac": "audio/flac", ".m4a": "audio/mp4", ".ogg": "audio/ogg", ".opus": "audio/ogg", ".aac": "audio/aac",
	".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png", ".gif": "image/gif", ".webp": "image/webp",
}

// mediaType is the type of a file by its name, "" where it is neither film nor sound nor
// picture.
func mediaType(path string) string {
	ending := strings.ToLower(filepath.Ext(path))
	if t, ok := types[ending]; ok {
		return t
	}
	t := mime.TypeByExtension(ending)
	if kind, _, _ := strings.Cut(t, "/"); kind != "video" && kind != "audio" && kind != "image" || strings.HasPrefix(t, "image/svg") {
		return "" // a drawing may hold a script
	}
	return t
}

// mediaKind is video, audio or image; "" = none of them.
func mediaKind(path string) string {
	kind, _, _ := strings.Cut(mediaType(path), "/")
	return kind
}
