package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/memory"
	"omniscope/people"
	"omniscope/people/judge"
	"omniscope/web"
	"omniscope/web/annotate"
	"omniscope/web/view"
)

// serveOptions are the flags of people serve.
type serveOptions struct {
	peoplePlace
	Listen, Prepared, Runs string
	Media                  []string
	Cert, Key, Proxy       string

	invite bool // the owner gets a new link
}

// usualServeAddress is where people's work is served if that is free.
const usualServeAddress = "127.0.0.1:7461"

func newPeopleServe() *cobra.Command {
	o := &serveOptions{}
	cmd := &cobra.Command{
		Use:   "serve PROJECT",
		Short: "Serve a project to browsers, where people do their work",
		Long: `Serve a project that 'omniscope people new' made: people sign in by links that work once, do their items with a player
that steps by single frames, and its owners and leads see progress, people and results. Clips are looked for in the
folders that --media names and below, and nowhere else; the files that browsers need to show them exactly are made ahead. Only work on
clips that this server showed counts.

Only this machine can reach the pages. To let others in, give --listen another address and either a certificate
(--tls-cert, --tls-key) or, where a proxy in front of it does TLS, the host name that the proxy serves (--behind-proxy).`,
		Example: `  omniscope people serve votes --media clips
  omniscope people serve capricorn --media /data/clips --runs /data/runs
  omniscope people serve votes --media clips --listen 0.0.0.0:443 --tls-cert cert.pem --tls-key key.pem
  omniscope people serve votes --media clips --listen 10.0.0.5:8080 --behind-proxy annotate.example.org`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&o.Listen, "listen", usualServeAddress, "HOST:PORT to serve the pages at; if the port of the default is taken, another one")
	f.StringArrayVar(&o.Media, "media", nil, "folder with the clips; repeatable (default: the project's, if it knows one). Nothing outside of these folders is served")
	f.StringVar(&o.Prepared, "prepared", "", "folder for what is made of clips ahead (default: PROJECT/prepared)")
	f.StringVar(&o.Runs, "runs", "", "folder of runs that owners and leads can look at, as with 'omniscope view'")
	f.StringVar(&o.Cert, "tls-cert", "", "file with the certificate, PEM")
	f.StringVar(&o.Key, "tls-key", "", "file with its key, PEM")
	f.StringVar(&o.Proxy, "behind-proxy", "", "host name that a proxy serves, which does TLS and passes requests on to --listen")
	o.addFlags(cmd)
	return cmd
}

func (o *serveOptions) run(cmd *cobra.Command, project string) (err error) {
	secure, err := o.secure()
	if err != nil {
		return err
	}
	w, err := o.open(cmd.Context(), project)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	folder, err := o.preparedFolder(project)
	if err != nil {
		return err
	}
	if p := w.Project(); len(o.Media) == 0 && p.MediaFolder != "" {
		o.Media = []string{p.MediaFolder}
	}
	media, err := annotate.OpenMedia(annotate.MediaOptions{Roots: o.Media, Folder: folder})
	if err != nil {
		return err
	}
	warnings, err := media.Check(cmd.Context(), w)
	if err != nil {
		return err
	}
	warn(cmd, printables(warnings)...)
	runs, closeRuns, err := o.viewer()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeRuns()) }()
	s, err := o.listen(secure, cmd.Flags().Changed("listen"))
	if err != nil {
		return err
	}
	site := annotate.New(annotate.Options{Workplace: w, Media: media, Runs: runs, TLS: secure != nil || o.Proxy != "", Proxy: o.Proxy != "",
		Tables: agreementTables})
	fmt.Fprintf(cmd.OutOrStdout(), "%s serves %s (%s); Ctrl-C ends it\n", s.URL, printable(w.Project().Title), printable(project))
	if err := o.sayOwners(cmd, w, s.URL); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	memory.KeepHeadroom(ctx, 100) // pages at a time
	go media.PrepareAll(ctx, w, func(text string) { warn(cmd, printable(text)) })
	if w.Kind().Name == judge.Name && o.Journal == "" {
		go importCalls(ctx, cmd.ErrOrStderr(), w, project)
	}
	return s.Serve(cmd.Context(), site.Handler(), view.Style+annotate.Style)
}

// preparedFolder is where clips are made ready.
func (o *serveOptions) preparedFolder(project string) (string, error) {
	folder := cmp.Or(o.Prepared, project+"/prepared")
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return "", omniscope.Usagef("--prepared %s is a file: name a folder", folder)
	}
	return folder, nil
}

// listen listens at --listen. An address that other machines can reach needs TLS, here or in a proxy.
func (o *serveOptions) listen(secure *tls.Config, given bool) (*web.Server, error) {
	s, err := web.Listen(o.Listen, given)
	if err != nil {
		return nil, err
	}
	if s.Open && secure == nil && o.Proxy == "" {
		return nil, errors.Join(s.Close(), omniscope.Usagef("%s can be reached from other machines: give --tls-cert and --tls-key, or --behind-proxy HOST where a proxy does TLS", o.Listen))
	}
	return s, s.Secure(secure, o.Proxy)
}

// importCalls adds the calls that runs note for people as their judges, now and again.
func importCalls(ctx context.Context, errOut io.Writer, w *people.Workplace, folder string) {
	const every = 5 * time.Second
	for ctx.Err() == nil {
		if _, err := judge.Import(ctx, w, folder); err != nil && ctx.Err() == nil {
			fmt.Fprintf(errOut, "warning: calls of runs could not be added: %v\n", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(every):
		}
	}
}

// secure reads the certificate; nil = there is none.
func (o *serveOptions) secure() (*tls.Config, error) {
	if (o.Cert == "") != (o.Key == "") {
		return nil, omniscope.Usagef("--tls-cert and --tls-key go together")
	}
	if o.Cert == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(o.Cert, o.Key)
	if err != nil {
		return nil, omniscope.Usagef("--tls-cert, --tls-key: %v", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

func (o *serveOptions) viewer() (http.Handler, func() error, error) {
	if o.Runs == "" {
		return nil, func() error { return nil }, nil
	}
	v, err := view.New(view.Options{Folder: o.Runs, Media: o.Media, MetricOf: metricOf})
	if err != nil {
		return nil, nil, err
	}
	return v.Handler(), v.Close, nil
}

// sayOwners prints how an owner signs in if no owner has done so yet.
func (o *serveOptions) sayOwners(cmd *cobra.Command, w *people.Workplace, address string) error {
	owners := slices.DeleteFunc(w.People(), func(p people.Person) bool { return p.Role != people.Owner || p.Closed })
	switch {
	case o.invite && len(owners) > 0:
		link, err := w.Invite(cmd.Context(), owners[0].ID, owners[0].Name, people.Owner)
		if err != nil {
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), "sign in as %s, once, at\n  %sjoin/%s\n", owners[0].ID, address, link)
	case !slices.ContainsFunc(owners, func(p people.Person) bool { return p.Invite == nil }):
		fmt.Fprintln(cmd.OutOrStdout(), "no owner has signed in yet: open this address followed by the join/... that `omniscope people new` printed")
	}
	return nil
}
