// Package scalesim holds a simulation of a large fleet on one journal as a benchmark; docs/design/scale.md has its table.
package scalesim
