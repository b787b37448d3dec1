#!/usr/bin/env bash
# Makes demo/clip.mp4: 16 seconds of which everything is known. It needs ffmpeg
# and a font (DejaVu Sans if it is installed, else the default font), and
# espeak-ng for the speech. Usage: scripts/demo-clip.sh FILE
#
#   seconds   picture                                  sound
#   0-4       white card, black "HARBOUR MORNING"      tone, 440 Hz
#   4-9       moving Mandelbrot set, no words          speech (see below)
#   9-13      yellow card, black "THREE RED BOATS"     beeps, two a second
#   13-16     dark blue                                silence
#
# Hard cuts at 4, 9 and 13 s.
set -euo pipefail
out=${1:?usage: scripts/demo-clip.sh FILE}
words="Welcome to the harbour. Three boats are leaving this morning."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! command -v espeak-ng >/dev/null; then
  echo "Left out: speech in the clip, which needs espeak-ng." >&2
  espeak-ng() { ffmpeg -nostdin -v error -f lavfi -i anullsrc=r=22050:cl=mono:d=1 "$work/speech.wav"; }
fi
espeak-ng -v en-gb -s 150 -w "$work/speech.wav" -- "$words"

# The file is named, so that the clip does not depend on the default font.
font=
for file in /usr/share/fonts/{truetype/,}*/DejaVuSans.ttf {"$HOME",}/Library/Fonts/DejaVuSans.ttf; do
  if [ -e "$file" ]; then font="fontfile='$file':"; break; fi
done

card() { # text, colour, seconds
  printf "color=c=%s:s=640x360:r=25:d=%s,drawtext=%stext='%s':fontcolor=black:fontsize=52:x=(w-tw)/2:y=(h-th)/2,format=yuv420p" "$2" "$3" "$font" "$1"
}
ffmpeg -nostdin -v error -y \
  -f lavfi -i "$(card 'HARBOUR MORNING' white 4)" \
  -f lavfi -i "mandelbrot=s=640x360:r=25,trim=duration=5,format=yuv420p" \
  -f lavfi -i "$(card 'THREE RED BOATS' yellow 4)" \
  -f lavfi -i "color=c=0x102040:s=640x360:r=25:d=3,format=yuv420p" \
  -f lavfi -i "sine=frequency=440:sample_rate=48000:duration=4,volume=-4dB" \
  -i "$work/speech.wav" \
  -f lavfi -i "sine=frequency=880:sample_rate=48000:duration=4,volume=6dB,volume='lt(mod(t,0.5),0.1)':eval=frame" \
  -f lavfi -i "anullsrc=r=48000:cl=mono:d=3" \
  -filter_complex "[5:a]aresample=48000,aformat=channel_layouts=mono,apad,atrim=duration=5[said];\
[4:a][said][6:a][7:a]concat=n=4:v=0:a=1[a];[0:v][1:v][2:v][3:v]concat=n=4:v=1:a=0[v]" \
  -map '[v]' -map '[a]' -c:v libx264 -preset veryfast -crf 20 -g 50 -c:a aac -b:a 128k -t 16 "$out"
