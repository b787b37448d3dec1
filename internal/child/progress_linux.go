package child

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// BytesRead returns how many bytes the processes of a group have read
// so far, from files and pipes. The count is not known on every system.
func BytesRead(pid int) (total int64, known bool) {
	processes, _ := filepath.Glob("/proc/[0-9]*")
	for _, process := range processes {
		if process == fmt.Sprint("/proc/", pid) || groupOf(process) == pid {
			n, ok := readBy(process)
			total, known = total+n, known || ok
		}
	}
	return total, known
}

// groupOf returns the group of a process, 0 if it is not known.
func groupOf(process string) int {
	stat, err := os.ReadFile(process + "/stat")
	if err != nil {
		return 0
	}
	// The name before it, in parentheses, may contain anything.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 3 {
		return 0
	}
	group, _ := strconv.Atoi(string(fields[2]))
	return group
}

func readBy(process string) (n int64, ok bool) {
	counts, err := os.ReadFile(process + "/io")
	if err != nil {
		return 0, false
	}
	first, _, _ := bytes.Cut(counts, []byte("\n"))
	n, err = strconv.ParseInt(string(bytes.TrimPrefix(first, []byte("rchar: "))), 10, 64)
	return n, err == nil
}
