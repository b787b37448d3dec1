# For benchmarks, which source it. $dir is a folder for temporary files.

# watch SESSION writes to the file "most" the most memory that the processes of a session had
# together so far, in kB: the program and its ffmpegs, what they share counted once (PSS).
watch() {
  local most=0 now
  while sleep 0.2; do
    now=$(pgrep -s "$1" | sed 's,.*,/proc/&/smaps_rollup,' | xargs -r cat 2>/dev/null | awk '/^Pss:/ { sum += $2 } END { print sum + 0 }' || true)
    [ "${now:-0}" -gt "$most" ] && most=$now && echo "$most" > "$dir/most"
  done
}

# measured COMMAND... runs a command, keeps what it says in the file "said", and tells how long it took, how
# busy the processors were, and how much memory it took. A command that fails ends the benchmark, unless it was killed.
measured() {
  local before after session watcher status=0
  echo 0 > "$dir/most"
  read -r -a before < /proc/stat
  setsid /usr/bin/time -q -o "$dir/time" -f "%e %U %S" "$@" > "$dir/said" 2>&1 &
  session=$!
  watch "$session" &
  watcher=$!
  wait "$session" || status=$?
  kill "$watcher"
  read -r -a after < /proc/stat
  case $status in
    0) ;;
    137) echo "killed"; return ;;
    *) cat "$dir/said"; exit 1 ;;
  esac
  # The processors' time that was not idle, of all processes: how busy the machine was.
  awk -v n="$(nproc)" -v most="$(cat "$dir/most")" -v idle="$((after[4] - before[4] + after[5] - before[5]))" -v hz="$(getconf CLK_TCK)" '{
    printf "%.1f s; the processors were busy for %.0f %%, with the program and its ffmpegs for %.0f %%; peak %.0f MB in all\n",
      $1, 100 - 100 * idle / hz / n / $1, 100 * ($2 + $3) / n / $1, most / 1000 }' "$dir/time"
}

# machine says what a benchmark runs on.
machine() {
  echo "== machine"
  echo "$(nproc) processors, $(awk '/^MemTotal/ { printf "%.0f GB", $2 / 1e6 }' /proc/meminfo); load average $(cut -d ' ' -f 1-3 /proc/loadavg)"
}

# mock OPTION... starts a server of models and sets url to its address.
mock() {
  bin/fake "$@" > "$dir/address" &
  for _ in $(seq 100); do [ -s "$dir/address" ] && break; sleep 0.1; done
  url=$(grep -oE 'http://[^ ]+' "$dir/address" | sed -n 1p)
}
