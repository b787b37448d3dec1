package speed

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver that the journal uses
)

// The bare client is what any program in Go has to do: read the rows, fill the prompt, send it by net/http, read the
// reply as JSON, compare it with the key, and write one row of SQLite for each answer. It writes like the journal (WAL,
// synchronous=FULL: each commit is synced, one commit for the answers that came meanwhile), but no call waits for its
// commit. It has no retries, no limits, no budget, no memory of earlier answers and no report.

type clozeRow struct {
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

type chatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type chatRequest struct {
	Model       string        `json:"model"`
	Temperature float64       `json:"temperature"`
	Messages    []chatMessage `json:"messages"`
}

type chatReply struct {
	Choices []struct {
		Message chatMessage `json:"message"`
	} `json:"choices"`
	Usage struct {
		In  int `json:"prompt_tokens"`
		Out int `json:"completion_tokens"`
	} `json:"usage"`
}

type bareAnswer struct {
	uuid  string
	text  string
	in    int
	out   int
	right int
}

type bareClient struct {
	http.Client
	url            string
	system, prompt string
	answers        chan bareAnswer
}

// bare does the job. args are the server's address, the file of rows, the database and the calls in flight. It prints
// the seconds from the first call to the last commit, and how many blanks were right.
func bare(args []string) error {
	url, rows, database := args[0], args[1], args[2]
	inFlight, err := strconv.Atoi(args[3])
	if err != nil {
		return err
	}
	text, err := os.ReadFile(rows)
	if err != nil {
		return err
	}
	const prompts = "../../../bench/omnicloze/prompts/"
	system, err := os.ReadFile(prompts + "system.txt")
	if err != nil {
		return err
	}
	prompt, err := os.ReadFile(prompts + "judge.txt")
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
	c := &bareClient{url: url, system: string(system), prompt: string(prompt), answers: make(chan bareAnswer, inFlight)}
	c.Transport = &http.Transport{MaxIdleConnsPerHost: inFlight, MaxConnsPerHost: inFlight}
	started := time.Now()
	right, err := c.all(db, text, inFlight)
	if err != nil {
		return err
	}
	fmt.Println(time.Since(started).Seconds(), right)
	return nil
}

// all makes all calls, so many at a time, and returns how many blanks were right.
func (c *bareClient) all(db *sql.DB, text []byte, inFlight int) (right int, err error) {
	lines := make(chan []byte)
	var callers, writer sync.WaitGroup
	var mu sync.Mutex
	note := func(e error) {
		mu.Lock()
		defer mu.Unlock()
		err = errors.Join(err, e)
	}
	for range inFlight {
		callers.Go(func() {
			for line := range lines {
				a, err := c.ask(line)
				if err != nil {
					note(err)
					continue
				}
				c.answers <- a
			}
		})
	}
	writer.Go(func() {
		for a := range c.answers {
			batch := []bareAnswer{a}
			for len(c.answers) > 0 {
				batch = append(batch, <-c.answers)
			}
			if err := store(db, batch); err != nil {
				note(err)
			}
			for _, a := range batch {
				right += a.right
			}
		}
	})
	for line := range bytes.Lines(text) {
		lines <- line
	}
	close(lines)
	callers.Wait()
	close(c.answers)
	writer.Wait()
	return right, err
}

// ask makes the call of a row.
func (c *bareClient) ask(line []byte) (bareAnswer, error) {
	var row clozeRow
	if err := json.Unmarshal(line, &row); err != nil {
		return bareAnswer{}, err
	}
	var cloze strings.Builder
	cloze.WriteString(row.Cloze.Passage)
	for i, blank := range row.Cloze.Blanks {
		fmt.Fprintf(&cloze, "\n[BLANK_%d] %s", i+1, strings.Join(blank.Options, "\n"))
	}
	user := strings.NewReplacer("{number}", strconv.Itoa(len(row.Cloze.Blanks)), "{cloze}", cloze.String(), "{prediction}", row.Caption).Replace(c.prompt)
	body, err := json.Marshal(chatRequest{Model: "mock", Messages: []chatMessage{{"system", c.system}, {"user", user}}})
	if err != nil {
		return bareAnswer{}, err
	}
	resp, err := c.Post(c.url+"/chat/completions", "application/json", bytes.NewReader(body))
	if err != nil {
		return bareAnswer{}, err
	}
	defer resp.Body.Close()
	said, err := io.ReadAll(resp.Body)
	if err != nil {
		return bareAnswer{}, err
	}
	var reply chatReply
	if err := json.Unmarshal(said, &reply); err != nil || resp.StatusCode != http.StatusOK || len(reply.Choices) == 0 {
		return bareAnswer{}, fmt.Errorf("%s: %s (%v)", resp.Status, said, err)
	}
	a := bareAnswer{uuid: row.UUID, text: reply.Choices[0].Message.Content, in: reply.Usage.In, out: reply.Usage.Out}
	var letters map[string]string
	if err := json.Unmarshal([]byte(a.text), &letters); err != nil {
		return a, err
	}
	for i, blank := range row.Cloze.Blanks {
		if strings.HasPrefix(letters[strconv.Itoa(i+1)], blank.Key) {
			a.right++
		}
	}
	return a, nil
}

// store makes answers durable in one commit.
func store(db *sql.DB, answers []bareAnswer) error {
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
