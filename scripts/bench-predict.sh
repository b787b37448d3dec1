#!/usr/bin/env bash
# Measures omniscope caption --model: clips of 10 s in 720p that this script makes, against
# a server that answers after 200 ms; then a second model on the same clips, and a
# film of an hour. It needs ffmpeg, bin/omniscope and bin/fake: run
# `make bench-predict`. CLIPS sets how many clips (1000; about 3 GB of disk).
set -euo pipefail
cd "$(dirname "$0")/.."
clips=${CLIPS:-1000}
dir=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$dir"' EXIT

. scripts/measured.sh
machine

# Noise over a moving test picture has the size of a real film. Clips differ by a
# comment, so that each has its own digest.
ffmpeg -v error -nostdin -f lavfi -i testsrc2=s=1280x720:r=24:d=10 -f lavfi -i anoisesrc=d=10:a=0.1 \
  -vf noise=alls=12:allf=t -c:v libx264 -preset veryfast -crf 26 -pix_fmt yuv420p -c:a aac "$dir/clip.mp4"
mkdir "$dir/clips"
for i in $(seq "$clips"); do
  ffmpeg -v error -nostdin -i "$dir/clip.mp4" -c copy -metadata comment="$i" "$dir/clips/$i.mp4"
done
echo "$clips clips of $(stat -c %s "$dir/clip.mp4") bytes, 10 s, 1280x720"
mock -latency 200ms

run() { # NAME MODEL PROFILE MODALITY FILES OR FOLDER...
  local name=$1 model=$2 profile=$3 modality=$4
  shift 4
  echo "== $name"
  measured bin/omniscope caption --set blind-share=0 --model "openai/$model,base-url=$url,profile=$profile" \
    --modality "$modality" --concurrency 32 --work-dir "$dir/work" --out "$dir/$name.jsonl" --quiet "$@"
  grep '^ ok' "$dir/said"
}
run first qwen3-omni-a-instruct qwen3-omni audio-visual "$dir/clips"
run second qwen3-omni-b-instruct qwen3-omni audio-visual "$dir/clips"

# One hour: the clip again and again. Its pictures alone, and with sound as MP3: as WAV it is
# 115 MB, which few endpoints take.
for _ in $(seq 360); do echo "file '$dir/clip.mp4'"; done > "$dir/list"
ffmpeg -v error -nostdin -f concat -safe 0 -i "$dir/list" -c copy "$dir/hour.mp4"
run hour-visual qwen3-omni-a-instruct qwen3-omni visual "$dir/hour.mp4"
printf 'name: mp3\nsenses: [audio-visual]\nframes: {policy: qwen3-omni}\nsound: {format: mp3}\n' > "$dir/mp3.yaml"
run hour-mp3 qwen3-omni-a-instruct "$dir/mp3.yaml" audio-visual "$dir/hour.mp4"
