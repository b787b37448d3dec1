#!/usr/bin/env bash
# Installs the programs that `make bench` compares with, of these versions, into a Python environment outside the
# repository: PEERS, or omniscope-peers in the user's cache. UltraEval-Audio is not in the package index: it is cloned from
# ULTRAEVAL, an address or a folder, into an environment of its own, since it needs older libraries. Without it the table has no row
# of it. torch takes 200 MB and more and is left out.
set -euo pipefail
peers=${PEERS:-${XDG_CACHE_HOME:-$HOME/.cache}/omniscope-peers}
python3 -m venv "$peers"
"$peers/bin/pip" install --quiet inspect-ai==0.3.285 openai==3.57.0 polars==2.1.0 jiwer==4.0.0 sacrebleu==2.6.0
"$peers/bin/pip" freeze | grep -E '^(inspect.ai|openai|polars|jiwer|sacrebleu)=='
"${GO:-go}" build -C "$(dirname "$0")/../internal/testing/speed/peers/_sdk" -o "$(realpath "$peers")/bin/sdk" .
echo "openai-go $(awk '/openai-go/ { print $2; exit }' "$(dirname "$0")/../internal/testing/speed/peers/_sdk/go.mod")"

source=${ULTRAEVAL:-https://github.com/OpenBMB/UltraEval-Audio}
if [ ! -d "$peers/ultraeval" ] && ! git clone --quiet --no-checkout "$source" "$peers/ultraeval"; then
  echo "without UltraEval-Audio: it cannot be cloned from $source"
  exit
fi
git -C "$peers/ultraeval" checkout --quiet 9b69da6
python3 -m venv "$peers/ultraeval-env"
"$peers/ultraeval-env/bin/pip" install --quiet openai==3.57.0 librosa==0.11.0 soundfile==0.14.0 datasets==3.6.0 pandas==2.3.3 jiwer==2.6.0 \
  sacrebleu==1.5.1 pycocoevalcap==1.2 azure-core==1.41.0 websockets==12.0 langdetect==1.0.9 openpyxl==3.1.5 editdistance==0.8.1 \
  zhconv==1.4.3 zhon==2.1.1 num2words==0.5.14 more-itertools==11.2.1 pydub==0.25.1 regex==2026.11.19 requests==2.34.2 \
  scikit-learn==1.9.1 jinja2==3.1.6 aiohttp==3.14.5 pyyaml==6.0.4 tqdm==4.70.1 immutabledict==4.3.1 rich==15.0.0
echo "UltraEval-Audio 9b69da6"
