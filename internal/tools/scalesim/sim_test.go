package scalesim

import (
	"container/heap"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// A Fleet describes a simulation: clips that are investigated by workers which share a
// journal. Times are in seconds of the simulated world.
type Fleet struct {
	Clips   int
	Workers int
	Slots   int // clips at a time, of each worker
	Calls   int // of models, for each clip, one after another
	Tools   int // calls of tools, for each clip, before

	ToolSeconds float64 // all tools of a clip together, median
	CallSeconds float64 // an answer, median
	Spread      float64 // of both: sigma of the logarithm
	Endpoint    int     // calls that the endpoint bears at a time, of all workers; 0 = any number

	PreemptEvery float64 // of each worker, mean; 0 = never
	BackAfter    float64 // how long until another takes its place
	Lease        float64
	FailShare    float64 // of calls that fail for good and are asked again by the last command

	Server Server
	Price  float64 // of a call, US dollars
	Seed   uint64
}

// A Server is what the journal costs its database; see docs/design/machines.md.
type Server struct {
	Claim, Append, Request, Lookup time.Duration // of processor time
	RowBytes, RequestBytes         int           // on its disk, with indexes
	CPUs                           int
}

// A Report holds the results.
type Report struct {
	Seconds     float64
	Rows        int
	Bytes       float64
	CallsPerS   float64 // mean
	ClaimsPerS  float64 // most in a minute
	ServerLoad  float64 // share of its processors, mean
	ServerPeak  float64 // in the busiest minute
	OnTheWire   int     // calls at a time, most
	Waited      float64 // share of a call's time that it waits for a place at the endpoint
	Preempted   int
	Doubled     int     // calls that were paid twice
	Lost        float64 // seconds of tools' work done twice
	Money       float64
	DoubleMoney float64
}

// An event is the end of a step of a clip, the death of a worker, or its return.
type event struct {
	at     float64
	kind   kind
	worker int
	life   int // of the worker: what a dead one was doing never ends
	clip   int
}

type kind uint8

const (
	toolsDone kind = iota
	callDone
	died
	back
	claimsOver // of a dead worker: its clips can be taken over
)

type events []event

func (e events) Len() int           { return len(e) }
func (e events) Less(i, j int) bool { return e[i].at < e[j].at }
func (e events) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)        { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// A clip is how far its investigation is in the journal.
type clip struct {
	tools bool
	calls uint8
}

// A waiting call has no place at the endpoint yet.
type waiting struct {
	worker, life, clip int
	since              float64
}

type sim struct {
	Fleet
	Report
	random *rand.Rand
	now    float64
	queue  events
	clips  []clip
	next   int   // the next clip to begin
	left   []int // clips of dead workers, in order
	done   int

	life    []int          // of each worker; odd = alive
	doing   []map[int]bool // clips of each worker; true = a call is on the wire
	orphans map[int][]int  // clips of lives that ended, by worker and life
	wire    int
	line    []waiting
	waited  float64
	minute  int
	claims  int // in this minute
	busy    float64
	busyMin float64
}

// Run simulates the fleet.
func (f Fleet) Run() Report {
	s := &sim{Fleet: f, random: rand.New(rand.NewPCG(f.Seed, 1)), clips: make([]clip, f.Clips), life: make([]int, f.Workers), doing: make([]map[int]bool, f.Workers), orphans: make(map[int][]int)}
	for w := range f.Workers {
		s.alive(w)
	}
	for s.done < f.Clips {
		e := heap.Pop(&s.queue).(event)
		s.tick(e.at)
		s.handle(e)
	}
	s.finish()
	return s.Report
}

// lognormal draws a time with a median.
func (s *sim) lognormal(median float64) float64 {
	return median * math.Exp(s.Spread*s.random.NormFloat64())
}

func (s *sim) push(after float64, k kind, worker, clip int) {
	heap.Push(&s.queue, event{s.now + after, k, worker, s.life[worker], clip})
}

// tick moves the time on and closes minutes.
func (s *sim) tick(at float64) {
	for int(at/60) > s.minute {
		s.ClaimsPerS = max(s.ClaimsPerS, float64(s.claims)/60)
		s.ServerPeak = max(s.ServerPeak, s.busyMin/60/float64(s.Server.CPUs))
		s.claims, s.busyMin = 0, 0
		s.minute++
	}
	s.now = at
}

// serve is work of the server.
func (s *sim) serve(d time.Duration) {
	s.busy += d.Seconds()
	s.busyMin += d.Seconds()
}

// claim asks for a call and claims it.
func (s *sim) claim() {
	s.claims++
	s.serve(s.Server.Lookup + s.Server.Claim)
}

// appended keeps an answer.
func (s *sim) appended() {
	s.Rows++
	s.Bytes += float64(s.Server.RowBytes + s.Server.RequestBytes)
	s.serve(s.Server.Append + s.Server.Request)
}

func (s *sim) alive(w int) {
	s.life[w]++
	s.doing[w] = make(map[int]bool)
	if s.PreemptEvery > 0 {
		s.push(s.random.ExpFloat64()*s.PreemptEvery, died, w, 0)
	}
	for range s.Slots {
		s.begin(w)
	}
}

// begin gives a worker a clip: first the clips that dead workers have left.
func (s *sim) begin(w int) {
	c := 0
	switch {
	case len(s.left) > 0:
		c, s.left = s.left[0], s.left[1:]
	case s.next < s.Clips:
		c = s.next
		s.next++
	default:
		return
	}
	s.doing[w][c] = false
	// Remembered answers are looked up; a dead worker's answers are there.
	for range s.clips[c].calls {
		s.serve(s.Server.Lookup)
	}
	s.step(w, c)
}

// step does what comes next of a clip.
func (s *sim) step(w, c int) {
	k := &s.clips[c]
	switch {
	case !k.tools:
		for range s.Tools {
			s.claim()
		}
		s.push(s.lognormal(s.ToolSeconds), toolsDone, w, c)
	case int(k.calls) < s.Calls:
		s.claim()
		s.line = append(s.line, waiting{w, s.life[w], c, s.now})
		s.send()
	default:
		s.done++
		delete(s.doing[w], c)
		s.begin(w)
	}
}

// send gives free places at the endpoint to the workers that wait longest.
func (s *sim) send() {
	for len(s.line) > 0 && (s.Endpoint == 0 || s.wire < s.Endpoint) {
		call := s.line[0]
		s.line = s.line[1:]
		if s.life[call.worker] != call.life {
			continue // it died waiting
		}
		s.wire++
		s.OnTheWire = max(s.OnTheWire, s.wire)
		s.waited += s.now - call.since
		s.doing[call.worker][call.clip] = true
		s.push(s.lognormal(s.CallSeconds), callDone, call.worker, call.clip)
	}
}

func (s *sim) handle(e event) {
	same := s.life[e.worker] == e.life
	switch e.kind {
	case toolsDone:
		if same {
			for range s.Tools {
				s.appended()
			}
			s.clips[e.clip].tools = true
			s.step(e.worker, e.clip)
		}
	case callDone:
		s.wire-- // the endpoint does not know that the worker died
		if same {
			s.doing[e.worker][e.clip] = false
			s.appended()
			s.Money += s.Price
			s.clips[e.clip].calls++
			s.step(e.worker, e.clip)
		}
		s.send()
	case died:
		if same {
			s.die(e.worker)
		}
	case back:
		s.alive(e.worker)
	case claimsOver:
		s.left = append(s.left, s.orphans[e.clip]...)
		delete(s.orphans, e.clip)
		s.refill()
	}
}

// die ends a worker: the calls on the wire are paid and lost.
func (s *sim) die(w int) {
	s.Preempted++
	clips := slices.Sorted(maps.Keys(s.doing[w]))
	for _, c := range clips {
		switch {
		case s.doing[w][c]: // a call is on the wire
			s.Doubled++
			s.Money += s.Price
			s.DoubleMoney += s.Price
		case !s.clips[c].tools:
			s.Lost += s.ToolSeconds / 2
		}
	}
	s.life[w]++
	s.orphans[s.Preempted] = clips
	s.push(s.Lease, claimsOver, w, s.Preempted)
	s.push(s.BackAfter, back, w, 0)
}

// refill has workers with nothing to do take what was left.
func (s *sim) refill() {
	for w := range s.Workers {
		for s.life[w]%2 == 1 && len(s.doing[w]) < s.Slots && len(s.left) > 0 {
			s.begin(w)
		}
	}
}

func (s *sim) finish() {
	s.tick(s.now + 60)
	s.Seconds = s.now - 60
	calls := float64(s.Clips * s.Calls)
	s.Doubled += int(s.FailShare * calls) // the last command asks them again
	s.Money += s.FailShare * calls * s.Price
	s.CallsPerS = calls / s.Seconds
	s.ServerLoad = s.busy / s.Seconds / float64(s.Server.CPUs)
	s.Waited = s.waited / (s.waited + calls*s.CallSeconds*math.Exp(s.Spread*s.Spread/2))
}
