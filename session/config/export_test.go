package config

// Names for the tests.
const Name = fileName

var Read = read

type System = system
