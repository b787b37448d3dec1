// Package reconstruct has videos generated from captions, so that people can rate how much of a clip
// its caption keeps: the more alike the generated video, the better the caption (CapRiCorn-1K,
// reconstruction: 50 videos, three people, similarity and subject consistency from 1 to 5).
//
// A Plan draws clips and makes a Job of each clip and system. A Run orders the jobs of a Generator,
// awaits and checks the videos; what was ordered is in a ledger before anything else happens, so that
// no video is paid for twice. Generators are in the packages below; people rate by people/rating;
// Report sets the ratings beside scores.
package reconstruct

import (
	"context"
	"encoding/json"
	"io"
	"strconv"
	"time"

	"omniscope/internal/sha256hex"
)

// A clip is an original.
type clip struct {
	ID     string
	Path   string        // on this machine
	Shown  string        // as pairs.jsonl names it
	Length time.Duration // of its media
}

// A Job is one video that is made from one system's caption of one clip.
type Job struct {
	Name    string  `json:"name"` // of its file, without ending; says neither clip nor system
	Clip    string  `json:"clip"`
	System  string  `json:"system"`
	Prompt  string  `json:"prompt"`
	Seconds float64 `json:"seconds"` // that are ordered
	Cut     bool    `json:"prompt_cut,omitempty"`
}

// File is the name of the job's video.
func (j *Job) File() string { return j.Name + ".mp4" }

// nameOf is a digest of all that shapes a video. Who has neither the caption nor the key cannot tell
// from it whose caption it was.
func nameOf(generator string, j *Job) string {
	text, err := json.Marshal([]string{generator, j.Clip, j.System, j.Prompt, Seconds(j.Seconds)})
	if err != nil {
		panic(err) // texts always encode
	}
	return sha256hex.Of(text)[:20]
}

// Seconds writes a number of seconds as generators take it: 8, 4.5.
func Seconds(s float64) string { return strconv.FormatFloat(s, 'f', -1, 64) }

// A Queue is a generator that takes orders and makes them in its own time, for money, such as a video
// endpoint. It is safe for concurrent use.
type Queue interface {
	// Order orders a video and returns the id of its job. Orders with the same key are one order,
	// where the server knows such keys. An error for which the order may have been taken is an
	// *orders.UncertainError; after any other it was not taken.
	Order(ctx context.Context, j *Job, key string) (id string, err error)
	// Status asks how far a job is. The error of one that the server does not know (any more) is of
	// kind NotFound.
	Status(ctx context.Context, id string) (Status, error)
	// Download writes the video of a job that is done. The error of one that is gone is of kind NotFound.
	Download(ctx context.Context, id string, to io.Writer) error
}

// A Maker is a generator that makes a video while it is waited for, such as a program on this machine.
type Maker interface {
	Make(ctx context.Context, j *Job, to string) error
}

// A Status is how far a job of a Queue is.
type Status struct {
	State    state
	Progress float64       // percent, 0 to 100
	Why      string        // of one that failed, in the server's words
	Wait     time.Duration // after which the server asks to be asked again; 0 = it does not say
}

// A state is what a server says of a job.
type state string

// The states.
const (
	Waiting      state = "waiting" // queued, or being made
	Ready        state = "ready"   // to be downloaded
	JobFailed    state = "failed"
	JobDenied    state = "denied"    // for want of money, or by another lack of the account that all jobs share
	JobModerated state = "moderated" // the prompt or the video was refused by a filter
	JobExpired   state = "expired"   // it was made, and is gone
)

// An Outcome is what became of a job that has no video.
type Outcome string

// The outcomes. The first four are final: the same command leaves them as they are, and
// --order-again names those to be ordered once more. After the others it tries again by itself.
const (
	Uncertain Outcome = "uncertain" // the order was sent, and its reply never came
	Failed    Outcome = "failed"    // the generator says that the job failed
	Moderated Outcome = "moderated" // its filter refused the prompt or the video
	Expired   Outcome = "expired"   // it is not there any more

	Rejected    Outcome = "rejected"    // the order was not taken
	Late        Outcome = "late"        // it was not done in time
	Unavailable Outcome = "unavailable" // the server could not be asked
	Unusable    Outcome = "unusable"    // what came is no whole video
	NotMade     Outcome = "not made"    // the program made none
)

// Final are the outcomes after which a job is ordered again only where the user says so.
var Final = []Outcome{Uncertain, Failed, Moderated, Expired}

// A failure is a line of failures.jsonl.
type failure struct {
	Clip    string  `json:"clip"`
	System  string  `json:"system"`
	Name    string  `json:"name"`
	Outcome Outcome `json:"outcome"`
	Why     string  `json:"why"`
	Job     string  `json:"job,omitempty"` // its id at the server
}

// A measure is what was measured of a video.
type measure struct {
	Seconds float64 `json:"seconds"` // of its media
	Cuts    int     `json:"cuts"`    // hard cuts
	Sound   bool    `json:"sound"`

	CutRules int `json:"cut_rules,omitempty"` // media.CutRules by which cuts were found; 0 = older ones
}

// A madeVideo is a video that is present and complete.
type madeVideo struct {
	Bytes  int64   `json:"bytes"`
	SHA256 string  `json:"sha256"` // of the file, hex
	Is     measure `json:"is"`
}
