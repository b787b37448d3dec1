# Makes the calls of BenchmarkJudge by OpenAI's SDK for Python and SQLite: sdk.py URL ROWS DATABASE CALLS-IN-FLIGHT PROMPTS COMMIT. COMMIT is
# call, a synced commit for each answer, or batch, one for the answers that came meanwhile; a call ends when its answer is stored. It prints
# the seconds from the first call to the last commit, and the number of right blanks.
import asyncio
import json
import sqlite3
import sys
import time
from pathlib import Path

import httpx
from openai import AsyncOpenAI

url, rows, database, in_flight, prompts, commit = sys.argv[1:]
in_flight = int(in_flight)
system, prompt = ((Path(prompts) / name).read_text() for name in ("system.txt", "judge.txt"))
db = sqlite3.connect(database, isolation_level=None, check_same_thread=False)
db.execute("PRAGMA journal_mode=wal")
db.execute("PRAGMA synchronous=full")
db.execute("CREATE TABLE answer(uuid TEXT PRIMARY KEY, text TEXT, tokens_in INTEGER, tokens_out INTEGER)")


def store(answers):
    db.execute("BEGIN IMMEDIATE")
    db.executemany("INSERT INTO answer VALUES(?, ?, ?, ?)", answers)
    db.execute("COMMIT")


async def write(queue):
    while (first := await queue.get()) is not None:
        batch = [first]
        while commit == "batch" and not queue.empty():
            batch.append(queue.get_nowait())
        await asyncio.to_thread(store, [answer for answer, _ in batch])
        for _, done in batch:
            done.set_result(None)


async def ask(client, queue, line):
    row = json.loads(line)
    blanks = row["cloze"]["blanks"]
    cloze = row["cloze"]["passage"] + "".join(f"\n[BLANK_{i}] " + "\n".join(b["options"]) for i, b in enumerate(blanks, 1))
    user = prompt.replace("{number}", str(len(blanks))).replace("{cloze}", cloze).replace("{prediction}", row["predicted_caption"])
    reply = await client.chat.completions.create(
        model="mock", temperature=0, messages=[{"role": "system", "content": system}, {"role": "user", "content": user}])
    text = reply.choices[0].message.content
    done = asyncio.get_running_loop().create_future()
    await queue.put(((row["uuid"], text, reply.usage.prompt_tokens, reply.usage.completion_tokens), done))
    await done
    letters = json.loads(text)
    return sum(letters[str(i)].startswith(b["answer_key"]) for i, b in enumerate(blanks, 1))


async def main():
    lines, queue, right = iter(Path(rows).read_text().splitlines()), asyncio.Queue(), 0
    limits = httpx.Limits(max_connections=in_flight, max_keepalive_connections=in_flight)

    async def work():
        nonlocal right
        for line in lines:
            right += await ask(client, queue, line)

    async with AsyncOpenAI(base_url=url, api_key="none", http_client=httpx.AsyncClient(limits=limits, timeout=600)) as client:
        started = time.monotonic()
        writer = asyncio.create_task(write(queue))
        await asyncio.gather(*(work() for _ in range(in_flight)))
        await queue.put(None)
        await writer
        print(time.monotonic() - started, right)


asyncio.run(main())
