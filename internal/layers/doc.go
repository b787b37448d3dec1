// Package layers holds tests alone: that the packages import each other as
// docs/architecture.md says, that NOTICE is complete, and that the sketches of
// design/types.md compile and run.
package layers
