package models

// Names that only the tests outside the package use.

const AllForMCIF = allForMCIF
