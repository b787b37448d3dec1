// Package runtest holds the suites that every run.Engine and every run.Journal
// passes, and Memory, a journal for tests.
package runtest
