package config

// Sample is a commented omniscope.yaml in which nothing is set.
const Sample = `# omniscope.yaml: models, systems and defaults of the commands in this folder and below.
# A flag beats the environment (OMNISCOPE_MAX_COST), which beats this file. It holds no keys: name their variables.

# Models with names of your own, for every flag that names a model: --judge judge, --model qwen,fps=4.
# omniscope docs models lists the providers and all keys.
#models:
#  qwen:
#    model: vllm/Qwen/Qwen3-Omni-30B-A3B-Instruct
#    base-url: http://localhost:8000/v1   # several servers of one model: [http://a:8000/v1, http://b:8000/v1]
#    fps: 2
#    max-frames: 64
#    extra: {chat_template_kwargs: {enable_thinking: false}}
#  judge: {model: openai/gpt-4o-2024-11-20, key-env: JUDGE_KEY, max-tokens: 1024}

# Detectives with their observers, which benchmarks run like a model: omniscope run omni-cloze --model det.
#systems:
#  det: {detective: judge, observers: [qwen], tools: [ocr, asr, scene], max-inquiries: 10}

# Flags of every command that has them.
#defaults:
#  judge: judge
#  max-cost: 20
#  work-dir: omniscope-work

# Flags that help does not list.
#settings:
#  cache-size: 20GB
#  endpoint-wait: 2m
`
