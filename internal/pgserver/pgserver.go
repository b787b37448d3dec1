// Package pgserver is what journals and projects in a PostgreSQL database have in common: how an address is read, what
// a server must keep, and which errors pass. Tables, locks and waiting are in the packages that use it.
package pgserver

import (
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"omniscope"
)

// Config reads an address such as postgres://user@host/name.
func Config(address string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		// The text of the error may quote the address, with its password.
		return nil, omniscope.Usagef("the address cannot be read; it looks like postgres://user@host:5432/database, with the password in PGPASSWORD or ~/.pgpass")
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = 10 * time.Second
	}
	return config, nil
}

// CheckSettings refuses a server that loses what it acknowledges, or keeps other texts, by its settings fsync and
// server_encoding.
func CheckSettings(fsync, encoding string) error {
	switch {
	case fsync != "on":
		return omniscope.Usagef("the server runs with fsync=off and forgets in a power cut what it has acknowledged: switch fsync on")
	case encoding != "UTF8":
		return omniscope.Usagef("the database has the encoding %s: make one with ENCODING UTF8", encoding)
	}
	return nil
}

// Passing reports whether the same may succeed later: the server or the way to it is gone, or two transactions
// were in each other's way.
func Passing(err error) bool {
	if IsCode(err, "") {
		return Conflict(err) || IsCode(err, "08", "57P", "53300")
	}
	var netErr net.Error
	var connect *pgconn.ConnectError
	if errors.As(err, &netErr) || errors.As(err, &connect) || pgconn.SafeToRetry(err) {
		return true
	}
	for _, cut := range []error{io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe, net.ErrClosed, syscall.ECONNRESET, syscall.EPIPE, pgconn.ErrConnClosed} {
		if errors.Is(err, cut) {
			return true
		}
	}
	return false
}

// Conflict reports whether two transactions were in each other's way.
func Conflict(err error) bool { return IsCode(err, "40P01", "40001") }

// IsCode reports whether err is the server's, of one of some codes or classes of them.
func IsCode(err error, codes ...string) bool {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) {
		return false
	}
	for _, code := range codes {
		if strings.HasPrefix(refused.Code, code) {
			return true
		}
	}
	return false
}
