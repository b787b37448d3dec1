package judge

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/gofrs/flock"

	"omniscope"
	"omniscope/model"
	"omniscope/people"
	"omniscope/people/sqlite"
)

// judges is a project as a model. It answers with what people have answered when it was opened. It is safe for
// concurrent use.
type judges struct {
	dir     string
	name    string
	replies map[string]string // by item
	mu      sync.Mutex
	known   map[string]bool // items that are in the project, or noted
}

var (
	_ model.Model  = (*judges)(nil)
	_ model.Prober = (*judges)(nil)
)

// Open opens the project in a folder as a judge, while it may be served. source names the
// project: it stays the same however much is answered, so that a run goes on where it was. Equal
// questions of two steps may have two answers.
func Open(dir string) (m model.Model, source string, err error) {
	log, err := sqlite.OpenToRead(dir)
	if err != nil {
		return nil, "", err
	}
	w, err := people.Open(context.Background(), log, onlyThis(dir))
	if err != nil {
		return nil, "", errors.Join(err, log.Close())
	}
	j := &judges{dir: dir, name: w.Project().Name, replies: make(map[string]string), known: make(map[string]bool)}
	source, err = j.read(w)
	return j, source, errors.Join(err, w.Close())
}

// onlyThis refuses projects of other kinds.
func onlyThis(dir string) func(string) (*people.Kind, error) {
	return func(name string) (*people.Kind, error) {
		if name != Name {
			return nil, omniscope.Usagef("%s is a project of the kind %s: people judge in one that was made with `omniscope people new judge`", dir, name)
		}
		return Kind, nil
	}
}

// read reads what people have answered, and what is noted.
func (j *judges) read(w *people.Workplace) (source string, err error) {
	ctx := context.Background()
	all, err := replyRecords(ctx, w)
	if err != nil {
		return "", err
	}
	for id, replies := range byItem(all) {
		j.replies[id] = chosen(replies)
	}
	for _, id := range w.Items() {
		j.known[id] = true
	}
	noted, err := readPending(j.pending())
	if err != nil {
		return "", err
	}
	for _, item := range noted {
		j.known[item.ID] = true
	}
	for e, err := range w.Events(ctx, 0) {
		if err != nil {
			return "", err
		}
		sum := sha256.Sum256([]byte(e.ID)) // of the first event, which no other project has
		return fmt.Sprintf("people/%s@%x", j.name, sum[:6]), nil
	}
	return "", errors.New("the project is empty")
}

// Probe implements model.Prober: what people have answered is always there.
func (j *judges) Probe(context.Context) error { return nil }

// Generate implements model.Model. A call that nobody has answered is an error of kind
// Unanswered; it is noted in the project's folder.
func (j *judges) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	call, err := callOf(req)
	if err != nil {
		return nil, err
	}
	item, err := call.item()
	if err != nil {
		return nil, err
	}
	if reply, ok := j.replies[item.ID]; ok {
		return &model.Response{Text: reply, Finish: model.Stop, Model: "people/" + j.name, Tries: 1,
			Usage: model.Usage{TokensIn: (len(item.Payload) + 3) / 4, TokensOut: (len(reply) + 3) / 4}}, nil
	}
	if err := j.note(item); err != nil {
		return nil, fmt.Errorf("note a call for people: %w", err)
	}
	return nil, &omniscope.Error{Kind: omniscope.Unanswered, Op: fmt.Sprintf("people/%s: step %q, attempt %d", j.name, req.Step, req.Attempt), Err: errors.New("nobody has answered yet: serve the project, and run the same command again when people have")}
}

// pendingFile is the file in a project's folder where calls are noted that nobody has answered: a
// line of JSON for each, an item of the project.
const pendingFile = "pending.jsonl"

func (j *judges) pending() string { return filepath.Join(j.dir, pendingFile) }

// note adds an item to the file of pending calls, once.
func (j *judges) note(item *people.Item) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.known[item.ID] {
		return nil
	}
	line, err := json.Marshal(item)
	if err != nil {
		return err
	}
	err = locked(j.dir, func() error {
		// It is opened each time: whoever imports the calls removes the file.
		f, err := os.OpenFile(j.pending(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		_, err = f.Write(append(line, '\n'))
		return errors.Join(err, f.Close())
	})
	if err == nil {
		j.known[item.ID] = true
	}
	return err
}

// locked does something while no other process notes or imports calls.
func locked(dir string, do func() error) error {
	lock := flock.New(filepath.Join(dir, "pending.lock"))
	if err := lock.Lock(); err != nil {
		return err
	}
	return errors.Join(do(), lock.Close())
}

// readPending reads the items of a file of pending calls. A file that is not there has none, and
// a line that was not written to its end is left out: the next run notes its call again.
func readPending(path string) (items []*people.Item, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(text) {
		item := &people.Item{}
		if json.Unmarshal(line, item) != nil || item.ID == "" {
			continue
		}
		if _, err := readCall(item); err == nil {
			items = append(items, item)
		}
	}
	return items, nil
}

// Import adds the calls that runs noted in the project's folder to the project, and returns how
// many were new. Who serves a project calls it now and then.
func Import(ctx context.Context, w *people.Workplace, dir string) (added int, err error) {
	path := filepath.Join(dir, pendingFile)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	err = locked(dir, func() error {
		items, err := readPending(path)
		if err != nil {
			return err
		}
		if added, _, err = w.Add(ctx, &people.Plan{Items: listed(items)}); err != nil {
			return err
		}
		return os.Remove(path) // all are in the log
	})
	return added, err
}
