# Asks a model for a caption of each sound file of a folder, 32 calls at a time: inspect_audio.py URL FOLDER LOGS.
import os
import sys
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser, ContentAudio, ContentText
from inspect_ai.solver import generate

url, folder, logs = sys.argv[1:]
os.environ["OPENAI_API_KEY"] = "none"


def sample(path):
    sound = ContentAudio(audio=str(path), format=path.suffix[1:])
    return Sample(id=path.stem, input=[ChatMessageUser(content=[ContentText(text="Describe the sound."), sound])])


files = sorted(Path(folder).iterdir())
task = Task(dataset=[sample(path) for path in files], solver=generate())
[log] = eval(task, model="openai/gpt-4o-audio-preview", model_base_url=url, max_connections=32, max_samples=32, log_dir=logs, display="none",
             model_args={"responses_api": False})
if log.status != "success":
    sys.exit(f"{log.status}: {log.error}")
