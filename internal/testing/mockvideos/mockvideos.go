// Package mockvideos is a server of videos for tests. It speaks the part of OpenAI's Videos API that
// session/reconstruct/videos uses, misbehaves on request, and counts orders.
package mockvideos

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Behaviour is how the server treats the orders of one prompt. The zero value makes the video at once.
type Behaviour struct {
	Refuse     []int         // statuses that the first orders are answered with
	RetryAfter string        // header of these and of polls that are answered while waiting
	Code       string        // error code of Refuse; "" = server_error
	Polls      int           // times that the job is said to be in progress
	BadPolls   []int         // statuses that the first polls are answered with
	Fail       string        // error code of a job that fails in the end
	State      string        // what the job is called in the end; "" = completed, or failed
	Truncate   int           // downloads that break off
	Garbage    int           // downloads that are no video
	Gone       bool          // the file is not there any more
	Lost       int           // orders that are taken, and whose connection is cut before the reply
	Gateway    int           // status that orders are answered with although they are taken
	Delay      time.Duration // between taking an order and replying
}

// A Config says what the server does.
type Config struct {
	Behave func(prompt string) Behaviour                // nil = all are made at once
	Video  func(prompt, seconds string) ([]byte, error) // makes a file
	Key    string                                       // that is asked for; "" = none
	NoKeys bool                                         // it does not know idempotency keys
}

// A Job is one that the server took.
type Job struct {
	ID, Prompt, Seconds, Model, Size, Key string
	polls, downloads                      int
}

// A Server is a running one.
type Server struct {
	URL string // with /v1

	config  Config
	http    *httptest.Server
	mu      sync.Mutex
	jobs    []*Job
	byKey   map[string]*Job
	posts   map[string]int // by prompt
	polls   map[string]int
	lost    map[string]int
	asked   int
	repeats int
}

// Start starts a server.
func Start(c Config) *Server {
	s := &Server{config: c, byKey: make(map[string]*Job), posts: make(map[string]int), polls: make(map[string]int), lost: make(map[string]int)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/videos", s.order)
	mux.HandleFunc("GET /v1/videos/{id}", s.status)
	mux.HandleFunc("GET /v1/videos/{id}/content", s.content)
	s.http = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked++
		s.mu.Unlock()
		if c.Key != "" && r.Header.Get("Authorization") != "Bearer "+c.Key {
			refuse(w, http.StatusUnauthorized, "invalid_api_key")
			return
		}
		mux.ServeHTTP(w, r)
	}))
	s.URL = s.http.URL + "/v1"
	return s
}

// Asked is how many requests of any kind there were.
func (s *Server) Asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// Repeats is how many orders came whose job was there already, by their idempotency key.
func (s *Server) Repeats() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.repeats
}

// Close ends the server.
func (s *Server) Close() { s.http.Close() }

// Jobs are those that were taken.
func (s *Server) Jobs() (all []Job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range s.jobs {
		all = append(all, *j)
	}
	return all
}

func (s *Server) behave(prompt string) Behaviour {
	if s.config.Behave == nil {
		return Behaviour{}
	}
	return s.config.Behave(prompt)
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"error":{"code":%q,"message":"the mock says %d"}}`, code, status)
}

func (s *Server) order(w http.ResponseWriter, r *http.Request) {
	fields := make(map[string]string)
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		if err := json.NewDecoder(r.Body).Decode(&fields); err != nil {
			refuse(w, http.StatusBadRequest, "bad_json")
			return
		}
	} else {
		for _, name := range []string{"model", "prompt", "seconds", "size"} {
			fields[name] = r.FormValue(name)
		}
	}
	if fields["prompt"] == "" || fields["seconds"] == "" {
		refuse(w, http.StatusBadRequest, "missing_field")
		return
	}
	b := s.behave(fields["prompt"])
	job, status, cut := s.take(fields, r.Header.Get("Idempotency-Key"), b)
	switch {
	case job == nil:
		if b.RetryAfter != "" {
			w.Header().Set("Retry-After", b.RetryAfter)
		}
		code := b.Code
		if code == "" {
			code = "server_error"
		}
		refuse(w, status, code)
		return
	case status != 0:
		refuse(w, status, "bad_gateway")
		return
	}
	time.Sleep(b.Delay)
	if cut {
		if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
			conn.Close()
		}
		return
	}
	s.write(w, job, "queued", 0, "")
}

// take takes an order, or says with which status it is refused. cut says that its reply is lost.
func (s *Server) take(fields map[string]string, key string, b Behaviour) (job *Job, status int, cut bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	prompt := fields["prompt"]
	if known := s.byKey[key]; key != "" && known != nil {
		s.repeats++
		if !s.config.NoKeys {
			return known, 0, false
		}
	}
	n := s.posts[prompt]
	s.posts[prompt]++
	if n < len(b.Refuse) {
		return nil, b.Refuse[n], false
	}
	job = &Job{ID: fmt.Sprintf("video_%04d", len(s.jobs)), Prompt: prompt, Seconds: fields["seconds"], Model: fields["model"], Size: fields["size"], Key: key}
	s.jobs, s.byKey[key] = append(s.jobs, job), job
	if s.lost[prompt] < b.Lost {
		s.lost[prompt]++
		cut = true
	}
	return job, b.Gateway, cut
}

func (s *Server) write(w http.ResponseWriter, j *Job, status string, progress int, code string) {
	w.Header().Set("Content-Type", "application/json")
	body := map[string]any{"id": j.ID, "object": "video", "model": j.Model, "status": status, "progress": progress, "seconds": j.Seconds}
	if code != "" {
		body["error"] = map[string]string{"code": code, "message": "the mock could not make it"}
	}
	_ = json.NewEncoder(w).Encode(body)
}

func (s *Server) find(id string) *Job {
	for _, j := range s.jobs {
		if j.ID == id {
			return j
		}
	}
	return nil
}

func (s *Server) status(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j := s.find(r.PathValue("id"))
	if j == nil {
		refuse(w, http.StatusNotFound, "not_found")
		return
	}
	b := s.behave(j.Prompt)
	if n := s.polls[j.Prompt]; n < len(b.BadPolls) {
		s.polls[j.Prompt]++
		if b.RetryAfter != "" {
			w.Header().Set("Retry-After", b.RetryAfter)
		}
		refuse(w, b.BadPolls[n], "server_error")
		return
	}
	if j.polls++; j.polls <= b.Polls {
		s.write(w, j, "in_progress", 100*j.polls/(b.Polls+1), "")
		return
	}
	state := "completed"
	if b.Fail != "" {
		state = "failed"
	}
	if b.State != "" {
		state = b.State
	}
	s.write(w, j, state, 100, b.Fail)
}

func (s *Server) content(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	j := s.find(r.PathValue("id"))
	if j == nil {
		s.mu.Unlock()
		refuse(w, http.StatusNotFound, "not_found")
		return
	}
	b := s.behave(j.Prompt)
	n := j.downloads
	j.downloads++
	prompt, seconds := j.Prompt, j.Seconds
	s.mu.Unlock()
	if b.Gone {
		refuse(w, http.StatusNotFound, "expired")
		return
	}
	file, err := s.config.Video(prompt, seconds)
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", "video/mp4")
	switch {
	case n < b.Garbage:
		w.Write([]byte("this is no video"))
	case n < b.Garbage+b.Truncate/2: // the transfer breaks off
		w.Header().Set("Content-Length", strconv.Itoa(len(file)))
		w.Write(file[:len(file)/2])
	case n < b.Garbage+b.Truncate: // the file does
		w.Write(file[:len(file)/2])
	default:
		w.Write(file)
	}
}
