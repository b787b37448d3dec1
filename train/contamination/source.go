package contamination

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"omniscope"
)

// A source is where a clip is from: the names of its video, and which stretch of it the clip is. The zero span is all of it.
type source struct {
	keys []string
	span omniscope.Span
}

// sourceColumns may name the video that a clip is of; addressColumns its address.
var (
	sourceColumns  = []string{"source_id", "youtube_id", "ytid", "yt_id"}
	addressColumns = []string{"source_url", "url", "youtube_url", "video_url"}
)

var (
	youTubeID = regexp.MustCompile(`^[A-Za-z0-9_-]{11}$`)
	// clipOfYouTube is how VGGSound and AudioSet name clips: the id and the second at which ten seconds$
	// begin.
	clipOfYouTube = regexp.MustCompile(`^([A-Za-z0-9_-]{11})_([0-9]{1,6})$`)
	onlyDigits    = regexp.MustCompile(`^[0-9]+$`)
)

// Lengths: of clips that are named by their beginning, as in VGGSound and AudioSet; and of the shortest id that names a video
// among all data sets, since a short number is in each of them.
const (
	namedClip = 10 * time.Second
	leastID   = 6
)

// sourceOf finds out where a clip is from: by the columns of its row, else by an id or a file name of the form
// YOUTUBEID_000030. span is the stretch that the list names.
func sourceOf(row []byte, id, path string, span omniscope.Span) source {
	s := source{span: sourceSpan(row, span)}
	for _, column := range sourceColumns {
		s.add(keyOfID(gjson.GetBytes(row, column).String()))
	}
	for _, column := range addressColumns {
		s.add(keyOfAddress(gjson.GetBytes(row, column).String()))
	}
	for _, name := range []string{id, stem(path)} {
		if m := clipOfYouTube.FindStringSubmatch(name); m != nil && len(s.keys) == 0 {
			s.add("youtube:" + m[1])
			if s.span == (omniscope.Span{}) {
				s.span = spanFrom(m[2])
			}
		}
	}
	return s
}

func (s *source) add(key string) {
	if key != "" && !slices.Contains(s.keys, key) {
		s.keys = append(s.keys, key)
	}
}

// keyOfID is the key of an id; "" = it says nothing beyond its own list.
func keyOfID(id string) string {
	switch id = strings.TrimSpace(id); {
	case strings.Contains(id, "://"):
		return keyOfAddress(id)
	case youTubeID.MatchString(id) && !onlyDigits.MatchString(id):
		return "youtube:" + id
	case len(id) < leastID || onlyDigits.MatchString(id) && len(id) < 2*leastID:
		return ""
	}
	return "source:" + id
}

// keyOfAddress is the key of an address on the web, of YouTube's the video; "" = it is none.
func keyOfAddress(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	host := strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(u.Hostname()), "www."), "m.")
	id, parts := "", strings.Split(strings.Trim(u.Path, "/"), "/")
	switch host {
	case "youtu.be":
		id = parts[0]
	case "youtube.com", "youtube-nocookie.com":
		if id = u.Query().Get("v"); id == "" && len(parts) == 2 { // embed/ID, shorts/ID, v/ID, live/ID
			id = parts[1]
		}
	}
	if youTubeID.MatchString(id) {
		return "youtube:" + id
	}
	u.Fragment, u.User = "", nil
	return "url:" + host + u.EscapedPath() + map[bool]string{true: "?" + u.RawQuery}[u.RawQuery != ""]
}

// sourceSpan is which stretch of its source a row says that it is: in the column span, as curate collect writes it, in
// source_start and source_end, else the stretch that the list names.
func sourceSpan(row []byte, named omniscope.Span) omniscope.Span {
	if v := gjson.GetBytes(row, "span").Array(); len(v) == 2 {
		return seconds(v[0].Float(), v[1].Float())
	}
	if start := gjson.GetBytes(row, "source_start"); start.Exists() {
		return seconds(start.Float(), gjson.GetBytes(row, "source_end").Float())
	}
	return named
}

func seconds(start, end float64) omniscope.Span {
	at := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	return omniscope.Span{Start: at(start), End: at(end)}
}

// spanFrom is the stretch of a clip that is named by its beginning. Six digits are seconds, as VGGSound writes them.
func spanFrom(digits string) omniscope.Span {
	start, _ := strconv.Atoi(digits) // digits alone
	from := time.Duration(start) * time.Second
	return omniscope.Span{Start: from, End: from + namedClip}
}

// overlap reports whether two stretches of one video have something in common. A span without an end goes to the end.
func overlap(a, b omniscope.Span) bool {
	return (b.End == 0 || a.Start < b.End) && (a.End == 0 || b.Start < a.End)
}
