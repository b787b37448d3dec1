// Package smalldisk mounts disks that are soon full, for tests.
package smalldisk
