package journal

import (
	"database/sql"

	"omniscope/run"
)

// A Call is an entry as the journal shows it.
type Call struct {
	run.Entry
	ID  int64  // position in the journal
	Run string // the run that made it; another's where that run had asked before

	Late           bool  // it came when another process had taken the call over, and is not found again
	Checked        bool  // it carries a checksum
	Damaged        error // a *DamagedError where it is not what was written down
	RequestDamaged bool  // the request's text is not what was asked
	RequestLost    bool  // the request's text is not there any more
}

// Check compares a call with its checksums.
func (c *Call) Check(row, request sql.NullInt64) {
	c.Checked = row.Valid
	if row.Valid && row.Int64 != RowChecksum(&c.Entry) {
		c.Damaged = &DamagedError{ID: c.ID, Step: c.Step, Why: "its checksum differs"}
	}
	c.RequestDamaged = request.Valid && c.Request != nil && request.Int64 != RequestChecksum(c.Request)
}
