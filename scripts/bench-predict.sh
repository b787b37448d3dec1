#!/usr/bin/env bash
# Measures omniscope predict: clips of 10 s in 720p that this script makes, against
# a server that answers after 200 ms; then a second model on the same clips, and a
# film of an hour. It needs ffmpeg, bin/omniscope and bin/mockllm: run
# `make bench-predict`. CLIPS sets how many clips (1000; about 3 GB of disk).
set -euo pipefail
cd "$(dirname "$0")/.."
clips=${CLIPS:-1000}
dir=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$dir"' EXIT

echo "== machine"
echo "$(nproc) processors, $(awk '/^MemTotal/ { printf "%.0f GB", $2 / 1e6 }' /proc/meminfo); load average $(cut -d ' ' -f 1-3 /proc/loadavg)"

# Noise over a moving test picture has the size of a real film. Clips differ by a
# comment, so that each has its own digest.
ffmpeg -v error -nostdin -f lavfi -i testsrc2=s=1280x720:r=24:d=10 -f lavfi -i anoisesrc=d=10:a=0.1 \
  -vf noise=alls=12:allf=t -c:v libx264 -preset veryfast -crf 26 -pix_fmt yuv420p -c:a aac "$dir/clip.mp4"
mkdir "$dir/clips"
for i in $(seq "$clips"); do
  ffmpeg -v error -nostdin -i "$dir/clip.mp4" -c copy -metadata comment="$i" "$dir/clips/$i.mp4"
done
echo "$clips clips of $(stat -c %s "$dir/clip.mp4") bytes, 10 s, 1280x720"
bin/mockllm -latency 200ms > "$dir/address" &
server=$!
for _ in $(seq 100); do [ -s "$dir/address" ] && break; sleep 0.1; done
url=$(grep -oE 'http://[^ ]+' "$dir/address" | sed -n 1p)

run() { # NAME MODEL MODALITY FILES...
  local name=$1 model=$2 modality=$3
  shift 3
  echo "== $name"
  printf '%s\0' "$@" > "$dir/files"
  # The peak is that of the program or of one ffmpeg, whichever is larger.
  xargs -0 -a "$dir/files" -n 100000 -s 1900000 /usr/bin/time -f "%e s, %P of a processor, peak %M kB (largest process)" \
    bin/omniscope predict captions --blind-share 0 --model "openai/$model" --model-base-url "$url" --model-profile qwen3-omni \
    --modality "$modality" --max-concurrency 32 --work-dir "$dir/work" --out "$dir/$name.jsonl" --no-progress | sed -n '3,4p'
}
run first qwen3-omni-a-instruct audio-visual "$dir"/clips/*.mp4
run second qwen3-omni-b-instruct audio-visual "$dir"/clips/*.mp4

# One hour: the clip again and again. Its pictures alone: an hour of sound is a WAV
# file of 115 MB, which no endpoint takes.
for _ in $(seq 360); do echo "file '$dir/clip.mp4'"; done > "$dir/list"
ffmpeg -v error -nostdin -f concat -safe 0 -i "$dir/list" -c copy "$dir/hour.mp4"
run hour qwen3-omni-a-instruct visual "$dir/hour.mp4"
