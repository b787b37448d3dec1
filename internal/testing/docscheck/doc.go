// Package docscheck holds tests alone: that what the pages show is what the
// program prints.
package docscheck
