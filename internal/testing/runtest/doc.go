// Package runtest holds the suites that every run.Engine and every run.Journal
// passes, Memory, a journal for tests, and Apart, an engine that hands each job to
// a process of its own.
package runtest
