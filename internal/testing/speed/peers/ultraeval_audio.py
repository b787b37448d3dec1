# Has UltraEval-Audio transcribe each sound file of a folder, 32 at a time: ultraeval_audio.py URL FOLDER WORK CHECKOUT.
import json
import os
import runpy
import sys
from pathlib import Path

url, folder, work, checkout = sys.argv[1:]
registry = Path(work, "registry")
for kind in ("dataset", "model"):
    registry.joinpath(kind).mkdir(parents=True)
rows = Path(work, "rows.jsonl")
rows.write_text("".join(json.dumps({"WavPath": str(path), "Text": "a dog"}) + "\n" for path in sorted(Path(folder).iterdir())))
# JSON is YAML.
registry.joinpath("dataset", "files.yaml").write_text(json.dumps({"files": {
    "class": "audio_evals.dataset.dataset.JsonlFile",
    "args": {"default_task": "asr", "f_name": str(rows), "ref_col": "Text"}}}))
registry.joinpath("model", "server.yaml").write_text(json.dumps({"server": {
    "class": "audio_evals.models.openai.AdvancedGPT",
    "args": {"model_name": "mock", "base_url": url, "api_key": "none"}}}))
os.environ["OPENAI_API_KEY"] = "none"
os.chdir(work)
sys.path.insert(0, checkout)
sys.argv = ["audio_evals", "--dataset", "files", "--model", "server", "--task", "asr", "--registry_path", str(registry), "--workers", "32",
            "--save", str(Path(work, "answers.jsonl"))]
runpy.run_module("audio_evals.main", run_name="__main__")
