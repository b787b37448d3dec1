#!/usr/bin/env bash
# Measures omniscope caption on a list: clips of 10 s in 720p that this script makes, a detective and two observers that
# answer after 200 ms, 32 clips at a time; once undisturbed, once killed again and again, which must give the same captions.
# It needs ffmpeg, bin/omniscope and bin/fake: run `make bench-list`. CLIPS (100) and KILLS (5) set how many; a clip takes
# about 3 s of processor time, twice.
set -euo pipefail
cd "$(dirname "$0")/.."
clips=${CLIPS:-100} kills=${KILLS:-5}
dir=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$dir"' EXIT
. scripts/measured.sh
machine

# Noise over a moving picture has the size of a real film. Clips differ by a comment, so that each has its own digest.
ffmpeg -v error -nostdin -f lavfi -i mandelbrot=s=640x360:r=24:end_scale=0.1,trim=0:10,setpts=PTS-STARTPTS,scale=1280:720 -f lavfi -i anoisesrc=d=10:a=0.1 \
  -filter_complex "[0]noise=alls=8:allf=t,drawtext=fontfile=/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf:text='The harbour opens at nine':x=200:y=620:fontsize=40:fontcolor=white:enable='between(t,2,6)'[o]" \
  -map "[o]" -map 1 -c:v libx264 -preset veryfast -crf 26 -pix_fmt yuv420p -c:a aac "$dir/clip.mp4"
mkdir "$dir/clips"
for i in $(seq "$clips"); do
  ffmpeg -v error -nostdin -i "$dir/clip.mp4" -c copy -metadata comment="$i" "$dir/clips/$i.mp4"
  echo "{\"id\": \"$i\", \"url\": \"clips/$i.mp4\"}" >> "$dir/list.jsonl"
done
echo "$clips clips of $(stat -c %s "$dir/clip.mp4") bytes, 10 s, 1280x720"
export OPENAI_API_KEY=none
mock -latency 200ms -reply detective

caption=(bin/omniscope caption --detective openai/mock,base-url=$url --observer openai/one,base-url=$url --observer openai/two,base-url=$url -j 32 --quiet)
list() { # NAME: the list's captions
  measured "${caption[@]}" --list "$dir/list.jsonl" --passes av --work-dir "$dir/work-$1" --out "$dir/$1"
}

echo "== undisturbed"
list undisturbed
grep captions "$dir/said"
took=$(cut -d ' ' -f 1 "$dir/time" | cut -d . -f 1)

echo "== killed $kills times"
for _ in $(seq "$kills"); do
  (sleep "$((1 + RANDOM * took / kills / 32768))" && pkill -KILL -f "work-dir $dir/work-killed" || true) &
  killer=$!
  list killed
  kill "$killer" 2>/dev/null || true
done
list killed
diff -r "$dir/undisturbed/av" "$dir/killed/av" --exclude 'report*' && echo "the captions are the same"
