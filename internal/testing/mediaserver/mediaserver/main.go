// Command mediaserver runs the server of package mediaserver as a process of its
// own, to try commands against. It prints the base URL on the first line of its
// output, answers each request with what it saw, and serves until it gets SIGTERM
// or SIGINT.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"omniscope/internal/testing/mediaserver"
)

func main() {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, os.Interrupt)
	if err := serve(os.Args[1:], os.Stdout, stop); err != nil {
		fmt.Fprintln(os.Stderr, "mediaserver:", err)
		os.Exit(1)
	}
}

// serve runs a server until stop has something.
func serve(args []string, out io.Writer, stop <-chan os.Signal) error {
	flags := flag.NewFlagSet("mediaserver", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:0", "`host:port` to listen on")
	dialect := flags.String("dialect", "openai", "whose rules to keep: openai, vllm, sglang or dashscope")
	images := flags.Int("max-images", 0, "most images in a request; 0 is the dialect's own limit")
	root := flags.String("files", "", "`folder` whose files may be named by file:// URLs; empty refuses all")
	mixed := flags.Bool("mixed", false, "dashscope: a message may have media of several kinds")
	key := flags.String("key", "", "the API key to ask for; empty takes any")
	defects := flags.String("defects", "", "what to perceive wrongly, with commas between: "+names(mediaserver.AllDefects))
	if err := flags.Parse(args); err != nil {
		return err
	}
	o := mediaserver.Options{Addr: *addr, Dialect: mediaserver.Dialect(*dialect), MaxImages: *images, FileRoot: *root, MixedMedia: *mixed, APIKey: *key}
	for name := range strings.SplitSeq(*defects, ",") {
		if name != "" {
			o.Defects = append(o.Defects, mediaserver.Defect(strings.TrimSpace(name)))
		}
	}
	server, err := mediaserver.New(o)
	if err != nil {
		return err
	}
	defer server.Close()
	fmt.Fprintln(out, server.URL())
	<-stop
	return nil
}

func names(defects []mediaserver.Defect) string {
	var all []string
	for _, d := range defects {
		all = append(all, string(d))
	}
	return strings.Join(all, ", ")
}
