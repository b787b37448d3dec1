#!/usr/bin/env bash
# Installs the programs that `make bench` compares with, of these versions, into a Python environment outside the
# repository: PEERS, or omniscope-peers in the user's cache. UltraEval-Audio is not in the package index, and torch takes
# 200 MB and more: both are left out.
set -euo pipefail
peers=${PEERS:-${XDG_CACHE_HOME:-$HOME/.cache}/omniscope-peers}
python3 -m venv "$peers"
"$peers/bin/pip" install --quiet inspect-ai==0.3.285 openai==3.57.0 polars==2.1.0 jiwer==4.0.0 sacrebleu==2.6.0
"$peers/bin/pip" freeze | grep -E '^(inspect.ai|openai|polars|jiwer|sacrebleu)=='
