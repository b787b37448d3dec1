// Package probe is the kind of runs that find out what an endpoint perceives of media: clips with planted marks are shown, and
// the answers compared with the marks. Ask does a run.
package probe
