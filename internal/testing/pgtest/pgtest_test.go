package pgtest_test

import (
	"os"
	"testing"

	"github.com/jackc/pgx/v5"

	"omniscope/internal/testing/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func TestServerKilledAndStartedAgain(t *testing.T) {
	s := pgtest.Own(t)
	address, err := s.Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), "CREATE TABLE kept(n int)"); err != nil {
		t.Fatal(err)
	}
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	if err := conn.Ping(t.Context()); err == nil {
		t.Error("the connection outlived its server")
	}
	again, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close(t.Context())
	if _, err := again.Exec(t.Context(), "SELECT n FROM kept"); err != nil {
		t.Error(err)
	}
}
