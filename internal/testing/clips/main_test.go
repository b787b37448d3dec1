package clips

import (
	"os"
	"testing"
)

// TestMain keeps clips in a folder of these tests.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "kept-clips-")
	if err != nil {
		panic(err)
	}
	os.Setenv(Env, dir)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}
