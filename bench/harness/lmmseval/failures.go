package lmmseval

import (
	"omniscope"
	"omniscope/bench/harness"
)

// failures are the texts that lmms-eval's models return where they have no answer, at commit 75571cfe (after 0.7.3).
var failures = []harness.Failure{
	// models/chat and models/simple: openai.py, async_openai.py, gemini.py, claude.py, reka.py.
	{Text: "[LMMS_EVAL_REQUEST_FAILED", Outcome: omniscope.Failed, Why: "request failed"},
	{Text: "[LMMS_EVAL_BUDGET_EXCEEDED]", Outcome: omniscope.Failed, Why: "token budget used up, not asked"},
	// models/simple/gemini.py, _extract_safety_tag: for every response without text.
	{Text: "[SAFETY_BLOCKED:finish_reason=FinishReason.MAX_TOKENS", At: harness.AtStart, Outcome: omniscope.Truncated, Why: "cut off before its answer"},
	{Text: "[SAFETY_BLOCKED:finish_reason=2", At: harness.AtStart, Outcome: omniscope.Truncated, Why: "cut off before its answer"},
	{Text: "[SAFETY_BLOCKED", At: harness.AtStart, Outcome: omniscope.Refused, Why: harness.WhyFiltered},
	// models/chat/async_openai.py: Python's message if the server sent no content, with "Error: " before it unless a
	// call of a tool came first.
	{Text: `can only concatenate str (not "NoneType") to str`, Outcome: omniscope.Failed, Why: "no content in the server's response"},
	// models/simple/llava_vid.py, oryx.py: the path of the video is between these words and "Video".
	{Text: " can not load, check the source", Outcome: omniscope.Failed, Why: "the video could not be loaded"},
	{Text: " generate failed, check the source", Outcome: omniscope.Failed, Why: "generation failed"},
	// models/simple/llava_onevision_moviechat.py.
	{Text: "Can not infer the answer.", At: harness.Alone, Outcome: omniscope.Failed, Why: "generation failed"},
	// models/simple: generation_api.py, diffusers_wm_base.py, cosmos_wm.py, magi1_wm.py, wan2_1_t2i.py.
	{Text: "[GENERATION_FAILED]", At: harness.AtStart, Outcome: omniscope.Failed, Why: "generation failed"},
	{Text: "[ERROR] ", At: harness.AtStart, Outcome: omniscope.Failed, Why: "generation failed"},
	// evaluator.py, at the end of a conversation that did not come to its answer.
	{Text: `"error": "max_agentic_steps_reached"`, Outcome: omniscope.Failed, Why: "no answer within the steps that it had"},
}
