package caption_test

import (
	"flag"
	"log"
	"os"
	"os/exec"
	"strings"
	"testing"

	"omniscope/internal/testing/pgtest"
)

// TestMain leaves out the example that starts ffmpeg where it cannot: an example
// cannot skip itself.
func TestMain(m *testing.M) {
	flag.Parse()
	if _, err := exec.LookPath("ffmpeg"); err != nil || testing.Short() {
		skip := flag.Lookup("test.skip").Value
		if err := skip.Set(strings.TrimPrefix(skip.String()+"|^ExampleDescribe$", "|")); err != nil {
			log.Fatal(err)
		}
	}
	os.Exit(pgtest.Main(m))
}
