package fake

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// A VideoBehaviour is how the server treats the orders of one prompt. The zero value makes the video at once.
type VideoBehaviour struct {
	Refuse     []int         // statuses that the first orders are answered with
	RetryAfter string        // header of these and of polls that are answered while waiting
	Code       string        // error code of Refuse; "" = server_error
	Polls      int           // polls that find the job in progress
	BadPolls   []int         // statuses that the first polls are answered with
	Fail       string        // error code of a job that fails in the end
	State      string        // what the job is called in the end; "" = completed, or failed
	Truncate   int           // downloads that break off
	Garbage    int           // downloads that are no video
	Gone       bool          // the file is not there any more
	Lost       int           // orders that are taken, with the connection cut before the reply
	Gateway    int           // status that orders are answered with although they are taken
	Delay      time.Duration // between taking an order and replying
}

// Videos speaks the part of OpenAI's Videos API that session/reconstruct/videos uses. Its fields are set
// before it starts.
type Videos struct {
	*Server
	Behave func(prompt string) VideoBehaviour           // nil = all are made at once
	Video  func(prompt, seconds string) ([]byte, error) // makes a file
	Key    string                                       // that is asked for; "" = no key
	NoKeys bool                                         // it does not know idempotency keys

	mu      sync.Mutex
	jobs    []*VideoJob
	byKey   map[string]*VideoJob
	seen    map[string]int // orders, polls and losses of a prompt so far
	repeats int
}

// A VideoJob is one that the server took.
type VideoJob struct {
	ID, Prompt, Seconds, Model, Size, Key string
	polls, downloads                      int
}

// Start starts the server, which the end of the test closes.
func (v *Videos) Start(t testing.TB) *Videos {
	t.Helper()
	v.byKey, v.seen = make(map[string]*VideoJob), make(map[string]int)
	v.Server = mustListen(t, protocol{
		admit: func(r *Request) { wantBearer(r, v.Key) },
		routes: map[string]route{
			"POST /v1/videos":             {name: "order", answer: v.order},
			"GET /v1/videos/{id}":         {name: "status", answer: v.status},
			"GET /v1/videos/{id}/content": {name: "content", answer: v.content},
		},
	})
	return v
}

// Repeats returns the number of orders for a known job, by their idempotency key.
func (v *Videos) Repeats() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.repeats
}

// Jobs returns the jobs that were taken.
func (v *Videos) Jobs() (all []VideoJob) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, j := range v.jobs {
		all = append(all, *j)
	}
	return all
}

func (v *Videos) behave(prompt string) VideoBehaviour {
	if v.Behave == nil {
		return VideoBehaviour{}
	}
	return v.Behave(prompt)
}

// next returns how often this happened to a prompt before.
func (v *Videos) next(happening, prompt string) int {
	v.seen[happening+prompt]++
	return v.seen[happening+prompt] - 1
}

// videoFailure is an error of the server about videos.
func videoFailure(status int, code, retryAfter string) Reply {
	reply := ErrorReply(status, fmt.Sprintf("the mock says %d", status), "", "", code)
	if retryAfter != "" {
		reply.Header = http.Header{"Retry-After": {retryAfter}}
	}
	return reply
}

func (v *Videos) order(r *Request) Reply {
	fields := make(map[string]string)
	if strings.HasPrefix(r.HTTP.Header.Get("Content-Type"), "application/json") {
		if json.Unmarshal(r.Body, &fields) != nil {
			return videoFailure(http.StatusBadRequest, "bad_json", "")
		}
	} else {
		r.HTTP.Body = io.NopCloser(bytes.NewReader(r.Body))
		for _, name := range []string{"model", "prompt", "seconds", "size"} {
			fields[name] = r.HTTP.FormValue(name)
		}
	}
	if fields["prompt"] == "" || fields["seconds"] == "" {
		return videoFailure(http.StatusBadRequest, "missing_field", "")
	}
	b := v.behave(fields["prompt"])
	reply := v.take(fields, r.HTTP.Header.Get("Idempotency-Key"), b)
	if reply.Status == 0 {
		reply.Delay = b.Delay
	}
	return reply
}

// take takes an order, or refuses it.
func (v *Videos) take(fields map[string]string, key string, b VideoBehaviour) Reply {
	v.mu.Lock()
	defer v.mu.Unlock()
	if known := v.byKey[key]; key != "" && known != nil {
		v.repeats++
		if !v.NoKeys {
			return described(known, "queued", 0, "")
		}
	}
	prompt := fields["prompt"]
	if n := v.next("order ", prompt); n < len(b.Refuse) {
		code := b.Code
		if code == "" {
			code = "server_error"
		}
		return videoFailure(b.Refuse[n], code, b.RetryAfter)
	}
	job := &VideoJob{ID: fmt.Sprintf("video_%04d", len(v.jobs)), Prompt: prompt, Seconds: fields["seconds"], Model: fields["model"], Size: fields["size"], Key: key}
	v.jobs, v.byKey[key] = append(v.jobs, job), job
	lost := v.next("lost ", prompt) < b.Lost
	if b.Gateway != 0 {
		return videoFailure(b.Gateway, "bad_gateway", "")
	}
	if lost {
		return hangUp
	}
	return described(job, "queued", 0, "")
}

func described(j *VideoJob, status string, progress int, code string) Reply {
	body := map[string]any{"id": j.ID, "object": "video", "model": j.Model, "status": status, "progress": progress, "seconds": j.Seconds}
	if code != "" {
		body["error"] = map[string]string{"code": code, "message": "the mock could not make it"}
	}
	return Reply{Body: body}
}

// job is the job that a request names.
func (v *Videos) job(r *Request) *VideoJob {
	for _, j := range v.jobs {
		if j.ID == r.HTTP.PathValue("id") {
			return j
		}
	}
	refuse(videoFailure(http.StatusNotFound, "not_found", ""))
	return nil
}

func (v *Videos) status(r *Request) Reply {
	v.mu.Lock()
	defer v.mu.Unlock()
	j := v.job(r)
	b := v.behave(j.Prompt)
	if n := v.next("poll ", j.Prompt); n < len(b.BadPolls) {
		return videoFailure(b.BadPolls[n], "server_error", b.RetryAfter)
	}
	j.polls++
	switch {
	case j.polls <= b.Polls:
		return described(j, "in_progress", 100*j.polls/(b.Polls+1), "")
	case b.State != "":
		return described(j, b.State, 100, b.Fail)
	case b.Fail != "":
		return described(j, "failed", 100, b.Fail)
	}
	return described(j, "completed", 100, "")
}

func (v *Videos) content(r *Request) Reply {
	v.mu.Lock()
	defer v.mu.Unlock()
	j := v.job(r)
	n := j.downloads
	j.downloads++
	b := v.behave(j.Prompt)
	if b.Gone {
		return videoFailure(http.StatusNotFound, "expired", "")
	}
	file, err := v.Video(j.Prompt, j.Seconds)
	if err != nil {
		return videoFailure(http.StatusInternalServerError, err.Error(), "")
	}
	reply := Reply{Body: file, Header: http.Header{"Content-Type": {"video/mp4"}}}
	switch {
	case n < b.Garbage:
		reply.Body = "this is not a video"
	case n < b.Garbage+b.Truncate/2: // the transfer breaks off
		reply.CutAfter = len(file) / 2
	case n < b.Garbage+b.Truncate: // the file does
		reply.Body = file[:len(file)/2]
	}
	return reply
}
