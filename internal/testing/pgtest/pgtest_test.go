package pgtest_test

import (
	"os"
	"testing"

	"github.com/jackc/pgx/v5"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func TestServerKilledAndStartedAgain(t *testing.T) {
	s := pgtest.Own(t)
	address, err := s.Database(t.Context())
	fixture.OK(t, err)
	conn, err := pgx.Connect(t.Context(), address)
	fixture.OK(t, err)
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), "CREATE TABLE kept(n int)"); err != nil {
		t.Fatal(err)
	}
	fixture.OK(t, s.Kill())
	fixture.OK(t, s.Start())
	if err := conn.Ping(t.Context()); err == nil {
		t.Error("the connection outlived its server")
	}
	again, err := pgx.Connect(t.Context(), address)
	fixture.OK(t, err)
	defer again.Close(t.Context())
	if _, err := again.Exec(t.Context(), "SELECT n FROM kept"); err != nil {
		t.Error(err)
	}
}
