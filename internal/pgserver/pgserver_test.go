package pgserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"omniscope"
)

func TestPassing(t *testing.T) {
	code := func(c string) error { return fmt.Errorf("save: %w", &pgconn.PgError{Code: c}) }
	for name, c := range map[string]struct {
		err     error
		passing bool
	}{
		"connection lost":     {code("08006"), true},
		"server shuts down":   {code("57P01"), true},
		"too many clients":    {code("53300"), true},
		"deadlock":            {code("40P01"), true},
		"serialization":       {code("40001"), true},
		"disk full":           {code("53100"), false},
		"statement cancelled": {code("57014"), false},
		"wrong password":      {code("28P01"), false},
		"cut":                 {fmt.Errorf("read: %w", io.ErrUnexpectedEOF), true},
		"closed connection":   {pgconn.ErrConnClosed, true},
		"no time left":        {context.DeadlineExceeded, true},
		"something else":      {errors.New("a fault"), false},
		"no error":            {nil, false},
	} {
		if got := Passing(c.err); got != c.passing {
			t.Errorf("%s: passing is %v", name, got)
		}
	}
}

func TestCheckSettings(t *testing.T) {
	for says, c := range map[string][2]string{"": {"on", "UTF8"}, "fsync=off": {"off", "UTF8"}, "encoding LATIN1": {"on", "LATIN1"}} {
		err := CheckSettings(c[0], c[1])
		if (err == nil) != (says == "") || err != nil && (omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), says)) {
			t.Errorf("%v: %v, want %q", c, err, says)
		}
	}
}

func TestConfigQuotesNoPassword(t *testing.T) {
	if _, err := Config("postgres://user:hunter2@host:port/name"); omniscope.KindOf(err) != omniscope.Usage || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
	config, err := Config("postgres://user@host/name")
	if err != nil || config.ConnConfig.ConnectTimeout == 0 {
		t.Errorf("%v", err)
	}
}
