package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/session"
)

// ringing answers cloze questions, and rings at the n-th.
func ringing(n int) (reply fake.Responder, rung <-chan struct{}) {
	bell, answer := make(chan struct{}), fake.ClozeReply(nil, 0)
	return func(r *fake.Request) fake.Reply {
		if r.N == n {
			close(bell)
		}
		return answer(r)
	}, bell
}

// TestInterrupt ends a run in its middle as Ctrl-C does: the calls on the wire
// are paid for, so their answers are awaited, kept, and not asked for again.
func TestInterrupt(t *testing.T) {
	const samples = 60
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			reply, rung := ringing(20)
			server := serve(t, fake.Config{Reply: reply, Latency: 100 * time.Millisecond})
			tr := newTrial(t, samples, "-j", "8")
			cmd, _, errOut := tr.command(server.URL())
			fixture.OK(t, cmd.Start())
			<-rung
			fixture.OK(t, cmd.Process.Signal(signal))
			if code := exitCodeOf(cmd.Wait()); code != exitInterrupted {
				t.Errorf("exit code %d, want %d: %s", code, exitInterrupted, errOut)
			}
			has(t, errOut.String(), "interrupt again to end at once", "interrupted; run the same command again to go on from here")
			stats := server.Stats()
			if stats.Answered != stats.Requests || stats.Answered < 20 || stats.Answered == samples {
				t.Errorf("of %d calls %d were answered", stats.Requests, stats.Answered)
			}

			v := tr.eval(server.URL())
			if v.code != exitDone || v.results.Outcomes["ok"] != samples {
				t.Errorf("resumed: exit code %d, outcomes %v: %s", v.code, v.results.Outcomes, v.errOut)
			}
			u := v.results.Usage
			if u.Calls != samples || u.Remembered != 0 || u.ThisCommand.Remembered != stats.Answered || u.ThisCommand.Calls != samples-stats.Answered {
				t.Errorf("resumed after %d answers: usage %+v, of this command %+v", stats.Answered, u, *u.ThisCommand)
			}
			if all := server.Stats(); all.MostPerIdentity != 1 || all.Answered != samples {
				t.Errorf("%d answers to %d samples, up to %d to one", all.Answered, samples, all.MostPerIdentity)
			}
		})
	}
}

// TestInterruptTwice does not wait for an endpoint that does not answer.
func TestInterruptTwice(t *testing.T) {
	t.Parallel()
	reply, rung := ringing(1)
	server := serve(t, fake.Config{Reply: reply, Latency: time.Hour})
	tr := newTrial(t, 5)
	cmd, _, _ := tr.command(server.URL())
	cmd.Stderr = nil
	errOut, err := cmd.StderrPipe()
	fixture.OK(t, err)
	fixture.OK(t, cmd.Start())
	<-rung
	fixture.OK(t, cmd.Process.Signal(os.Interrupt))
	for said := bufio.NewScanner(errOut); !strings.Contains(said.Text(), "interrupt again"); { // until it has heard the first
		if !said.Scan() {
			t.Fatal("it ended without a word about the first interrupt")
		}
	}
	fixture.OK(t, cmd.Process.Signal(os.Interrupt))
	err = cmd.Wait()
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() || status.Signal() != syscall.SIGINT {
		t.Errorf("it ended with %v, want it ended by the signal", err)
	}
}

// TestTwoAtOnce starts the same command beside itself. The server answers the first when the second has ended.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	reply, rung := ringing(1)
	ended := make(chan struct{})
	server := serve(t, fake.Config{Reply: func(r *fake.Request) fake.Reply {
		answer := reply(r)
		select {
		case <-ended:
		case <-time.After(time.Minute): // else a second one that asks would never end
		}
		return answer
	}})
	tr := newTrial(t, 5)
	cmd, _, errOut := tr.command(server.URL())
	fixture.OK(t, cmd.Start())
	<-rung
	second := tr.eval(server.URL())
	close(ended)
	if second.code != exitUsage || !strings.Contains(second.errOut, "another process is writing to") {
		t.Errorf("the second: exit code %d: %s", second.code, second.errOut)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the first: %v: %s", err, errOut)
	}
	if n := server.Stats().Requests; n != 5 {
		t.Errorf("%d requests for 5 samples", n)
	}
}

// TestInterrupts tells of what went wrong besides.
func TestInterrupts(t *testing.T) {
	full := errors.New("disk full")
	stopped := fmt.Errorf("call 7: %w", context.Canceled)
	for _, c := range []struct {
		err  error
		want []error
	}{
		{context.Canceled, nil},
		{errors.Join(stopped, nil), nil},
		{errors.Join(errors.Join(context.Canceled, full), stopped), []error{full}},
		{errors.New("run ffmpeg: context canceled"), nil},
	} {
		if got := otherErrors(c.err, context.Canceled); !slices.Equal(got, c.want) {
			t.Errorf("besides the interruption %q tells of %v, want %v", c.err, got, c.want)
		}
	}
}

// TestInterruptedAtTheStart: a command that is interrupted before it has read its inputs ends as any interrupted one.
func TestInterruptedAtTheStart(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	film := q.shortClip("film.mp4")
	data := q.write("data.json", `[{"id": "q1", "audio_id": "film.mp4", "question": "?", "choices": ["a", "b"], "answer": "b"}]`)
	captions := q.write("captions.jsonl", `{"id": "film", "caption": "A bell rings."}`)
	model, work := []string{"--model", "openai/m,base-url=http://127.0.0.1:9"}, []string{"--work-dir", q.path("work"), "--quiet"}
	for _, args := range [][]string{
		slices.Concat([]string{"caption", film, "--out", q.path("c.jsonl")}, model, work),
		slices.Concat([]string{"run", "mmau", "--no-score", "--data", data, "--out", q.path("p.jsonl")}, model, work),
		slices.Concat([]string{"run", "mmau", "--data", data, "--out", q.path("run")}, model, work),
		slices.Concat([]string{"eval", "mmau", "--data", data, "--captions", "none", "--answerer", "openai/m,base-url=http://127.0.0.1:9"}, work),
		slices.Concat([]string{"caption", film}, work),
		slices.Concat([]string{"audit", captions, "--media", filepath.Dir(film)}, work),
		{"doctor", "--work-dir", q.path("work")},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var out, errOut bytes.Buffer
		if code := execute(ctx, args, &out, &errOut); code != exitInterrupted || !strings.Contains(errOut.String(), "omniscope: interrupted") {
			t.Errorf("%s: exit %d, want %d: %s", strings.Join(args[:2], " "), code, exitInterrupted, errOut.String())
		}
	}
}

// TestExitCodeOfInterruptions: an interrupted command ends with its own code; a passed budget and a verdict keep theirs.
func TestExitCodeOfInterruptions(t *testing.T) {
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		err  error
		want int
	}{
		{"interruption", interrupted, context.Canceled, exitInterrupted},
		{"words of the interruption", interrupted, errors.New("run ffmpeg: context canceled"), exitInterrupted},
		{"kind of an error", interrupted, &omniscope.Error{Kind: omniscope.NotFound, Err: errors.New("context canceled")}, exitInterrupted},
		{"program that was ended", interrupted, errors.New("ffprobe: signal: killed"), exitInterrupted},
		{"budget", interrupted, &omniscope.Error{Kind: omniscope.Budget, Err: errors.New("used up")}, exitBudget},
		{"budget and verdict", t.Context(), errors.Join(session.ErrTooManyFailures, &omniscope.Error{Kind: omniscope.Budget, Err: errors.New("passed")}), exitBudget},
		{"budget and failure", t.Context(), errors.Join(omniscope.Invalidf("no clip"), &omniscope.Error{Kind: omniscope.Budget, Err: errors.New("passed")}), exitBudget},
		{"verdict", interrupted, session.ErrTooManyFailures, exitFailures},
		{"failure", t.Context(), errors.New("disk full"), exitFailed},
		{"usage", t.Context(), omniscope.Usagef("no"), exitUsage},
	} {
		if got := exitCode(c.ctx, c.err); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func exitCodeOf(err error) int {
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		return ended.ExitCode()
	}
	return exitDone
}
