package sqlite

// Names that only the tests outside the package use.

type Recovered = recovered
