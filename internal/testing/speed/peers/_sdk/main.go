// Command sdk makes the calls of BenchmarkJudge as a program does that uses OpenAI's SDK for Go and SQLite: it reads the rows, fills
// the prompt, sends it by the SDK, compares the reply with the key, and writes one row for each answer, synced to disk before the
// answer counts.
package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	_ "modernc.org/sqlite"
)

type row struct {
	UUID  string `json:"uuid"`
	Cloze struct {
		Passage string `json:"passage"`
		Blanks  []struct {
			Options []string `json:"options"`
			Key     string   `json:"answer_key"`
		} `json:"blanks"`
	} `json:"cloze"`
	Caption string `json:"predicted_caption"`
}

type answer struct {
	uuid, text string
	in, out    int64
	done       chan error
}

type client struct {
	openai.Client
	system, prompt string
	store          func(answer) error
}

// main has the arguments URL ROWS DATABASE CALLS-IN-FLIGHT PROMPTS COMMIT: COMMIT is call, a commit for each answer, or batch, one for
// the answers that came meanwhile. It prints the seconds from the first call to the last commit, and the number of right blanks.
func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sdk:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	url, rows, database, prompts, commit := args[0], args[1], args[2], args[4], args[5]
	inFlight, err := strconv.Atoi(args[3])
	if err != nil {
		return err
	}
	text, err := os.ReadFile(rows)
	if err != nil {
		return err
	}
	system, err := os.ReadFile(prompts + "/system.txt")
	if err != nil {
		return err
	}
	prompt, err := os.ReadFile(prompts + "/judge.txt")
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite", "file:"+database+"?_pragma=journal_mode(wal)&_pragma=synchronous(full)&_txlock=immediate")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("CREATE TABLE answer(uuid TEXT PRIMARY KEY, text TEXT, tokens_in INTEGER, tokens_out INTEGER)"); err != nil {
		return err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = inFlight, inFlight
	c := &client{
		Client: openai.NewClient(option.WithBaseURL(url), option.WithAPIKey("none"), option.WithHTTPClient(&http.Client{Transport: transport})),
		system: string(system), prompt: string(prompt),
	}
	started := time.Now()
	end := func() {}
	if commit == "call" {
		c.store = func(a answer) error {
			_, err := db.Exec("INSERT INTO answer VALUES(?, ?, ?, ?)", a.uuid, a.text, a.in, a.out)
			return err
		}
	} else {
		c.store, end = batches(db, inFlight)
	}
	right, err := c.all(text, inFlight)
	end()
	if err != nil {
		return err
	}
	fmt.Println(time.Since(started).Seconds(), right)
	return nil
}

// batches returns a function that stores an answer in one commit with the answers that come meanwhile, and one that ends it.
func batches(db *sql.DB, inFlight int) (store func(answer) error, end func()) {
	queue := make(chan answer, inFlight)
	var writer sync.WaitGroup
	writer.Go(func() {
		for a := range queue {
			batch := []answer{a}
			for len(queue) > 0 {
				batch = append(batch, <-queue)
			}
			err := insert(db, batch)
			for _, a := range batch {
				a.done <- err
			}
		}
	})
	store = func(a answer) error {
		a.done = make(chan error, 1)
		queue <- a
		return <-a.done
	}
	return store, func() { close(queue); writer.Wait() }
}

func insert(db *sql.DB, answers []answer) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, a := range answers {
		if _, err := tx.Exec("INSERT INTO answer VALUES(?, ?, ?, ?)", a.uuid, a.text, a.in, a.out); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// all makes all calls, so many at a time, and returns the number of right blanks.
func (c *client) all(text []byte, inFlight int) (right int, err error) {
	lines := make(chan []byte)
	var callers sync.WaitGroup
	var mu sync.Mutex
	for range inFlight {
		callers.Go(func() {
			for line := range lines {
				n, e := c.ask(line)
				mu.Lock()
				right, err = right+n, errors.Join(err, e)
				mu.Unlock()
			}
		})
	}
	for line := range bytes.Lines(text) {
		lines <- line
	}
	close(lines)
	callers.Wait()
	return right, err
}

// ask makes the call of a row and returns the number of right blanks.
func (c *client) ask(line []byte) (right int, err error) {
	var r row
	if err := json.Unmarshal(line, &r); err != nil {
		return 0, err
	}
	var cloze strings.Builder
	cloze.WriteString(r.Cloze.Passage)
	for i, blank := range r.Cloze.Blanks {
		fmt.Fprintf(&cloze, "\n[BLANK_%d] %s", i+1, strings.Join(blank.Options, "\n"))
	}
	user := strings.NewReplacer("{number}", strconv.Itoa(len(r.Cloze.Blanks)), "{cloze}", cloze.String(), "{prediction}", r.Caption).Replace(c.prompt)
	reply, err := c.Chat.Completions.New(context.Background(), openai.ChatCompletionNewParams{
		Model: "mock", Temperature: openai.Float(0),
		Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(c.system), openai.UserMessage(user)},
	})
	if err != nil {
		return 0, err
	}
	if len(reply.Choices) == 0 {
		return 0, errors.New("no choices")
	}
	a := answer{uuid: r.UUID, text: reply.Choices[0].Message.Content, in: reply.Usage.PromptTokens, out: reply.Usage.CompletionTokens}
	if err := c.store(a); err != nil {
		return 0, err
	}
	var letters map[string]string
	if err := json.Unmarshal([]byte(a.text), &letters); err != nil {
		return 0, err
	}
	for i, blank := range r.Cloze.Blanks {
		if strings.HasPrefix(letters[strconv.Itoa(i+1)], blank.Key) {
			right++
		}
	}
	return right, nil
}
