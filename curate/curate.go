// Package curate builds a benchmark step by step in a project's folder: a recipe says which commands follow one another,
// and the folder keeps what each of them wrote. Some steps wait for people.
//
//	curate.yaml ──► recipe ──► step ──► step ──► (people) ──► step ──► released benchmark
//
// It runs no step itself: each step is a command of omniscope, and package main runs it. The work of the steps is in the
// packages below this one and in people, production and session.
package curate
