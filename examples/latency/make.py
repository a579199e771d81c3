"""Writes the files of this folder: a sweep over rerank depth at two loads, the live log, and its times as CSV.

Deeper reranking is slower and better, up to a point; under load the deepest is too slow. Times are drawn from a fixed seed.
"""

import json
import random
from pathlib import Path

HERE = Path(__file__).parent
TOPICS = ["retention", "billing", "regions", "access keys", "quotas", "backups", "audit logs", "encryption"]
FACTS = ["30 days", "monthly invoices", "three zones", "90 day rotation", "1000 requests", "nightly copies", "two year history", "AES-256 keys"]
# rerank depth, requests a second, wrong answers of 16, base milliseconds of retrieval, rerank, llm, guard
SWEEP = [
    (0, 1, 5, (60, 0, 610, 25)),
    (10, 1, 3, (60, 90, 640, 25)),
    (20, 1, 1, (60, 170, 660, 25)),
    (20, 5, 1, (95, 420, 830, 30)),
    (80, 1, 1, (60, 640, 690, 25)),
    (80, 5, 0, (95, 1540, 900, 30)),
]


def gold():
    for i in range(20):
        answerable = i < 16
        topic = TOPICS[i % 8]
        question = f"What holds for {topic}?" if i < 8 else f"How are {topic} dealt with in tier {i // 8}?"
        row = {"qid": f"L{i + 1:02}", "question": question, "answerable": answerable}
        row["gold_claim_substr"] = [FACTS[i % 8]] if answerable else []
        row["gold_citations"] = [f"doc{i % 8}#1"] if answerable else []
        yield row


def trace(case, i, wrong, times, knobs, load):
    claim, cited = f"It is {FACTS[i % 8]}.", [f"doc{i % 8}#1"]
    if not case["answerable"]:
        claim, cited = "not in context", []
    elif i < wrong:
        claim, cited = "It is 12 weeks.", [f"doc{i % 8}#2"]
    stages = dict(zip(["retrieval", "rerank", "llm", "guard"], times))
    row = {"qid": case["qid"], "retrieved_ids": [f"doc{i % 8}#1", f"doc{i % 8}#2"]}
    row["answer_json"] = {"claim": claim, "citations": cited}
    return row | {"stage_ms": stages, "knobs": knobs, "load_rps": load}


def log(draw, cases, point, repeats):
    depth, load, wrong, bases = point
    for _ in range(repeats):
        for i, case in enumerate(cases):
            slow = 2.2 if draw.random() < 0.03 else 1  # now and then a request waits
            times = [round(base * slow * (0.85 + 0.4 * draw.random())) for base in bases]
            yield trace(case, i, wrong, times, {"rerank_depth": depth, "k": 20}, load)


def write(name, rows):
    (HERE / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def main():
    draw = random.Random(24)
    cases = list(gold())
    write("gold.jsonl", cases)
    write("sweep.jsonl", [row for point in SWEEP for row in log(draw, cases, point, 5)])
    live = list(log(draw, cases, (10, 1, 2, (60, 90, 600, 25)), 5))
    write("live.jsonl", live)
    header = "ts,qid,e2e_ms,retrieval_ms,rerank_ms,llm_ms,guard_ms,knobs\n"
    out = ""
    for at, row in enumerate(live[:40]):
        if at % 20 == 0:
            out += header  # every run appends its own
        times = row["stage_ms"]
        knobs = json.dumps(row["knobs"]).replace('"', '""')
        cells = [1723430400 + at, row["qid"], sum(times.values()), *times.values()]
        out += ",".join(map(str, cells)) + f',"{knobs}"\n'
    (HERE / "latency.csv").write_text(out, encoding="utf-8")


if __name__ == "__main__":
    main()
