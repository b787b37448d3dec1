package models

// Folder is for the tests.
type Folder = modelFolder
