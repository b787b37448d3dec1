package pg

// Names that only the tests outside the package use.

var Shown = shown
