// Package layers holds tests alone: that the packages import each other as
// docs/architecture.md says, and that NOTICE is complete.
package layers
