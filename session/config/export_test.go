package config

// Names for the tests.
var Read = read

type System = system
