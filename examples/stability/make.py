"""Writes gold.jsonl and runs.jsonl: eight questions, each asked with three seeds in three wordings.

Six cases hold. S03 is answered right seven times of nine, and refused twice where punctuation was touched. S07 cannot be
answered from the documents and is answered all the same, word for word alike, every time.
"""

import json
from pathlib import Path

HERE = Path(__file__).parent
SEEDS, JITTERS = [0, 1, 2], ["none", "ws", "punct"]
REFUSAL = "not in context"

# qid, question, phrase that a right answer holds (none: unanswerable), its chunk, the answer
CASES = [
    ("S01", "How long are deleted objects kept?", "14 days", "trash#2", "Deleted objects are kept for 14 days."),
    ("S02", "Can a bucket be renamed?", "cannot be renamed", "buckets#1", "A bucket cannot be renamed."),
    ("S03", "Which plan includes audit logs?", "enterprise plan", "plans#4", "The Enterprise plan includes audit logs."),
    ("S04", "Which regions replicate by default?", None, None, REFUSAL),
    ("S05", "How large may one object be?", "5 terabytes", "limits#3", "One object may hold up to 5 terabytes."),
    ("S06", "When is the invoice sent?", "first business day", "billing#1", "On the first business day of the month."),
    ("S07", "Who audited the service last year?", None, None, "An independent firm audited it in March."),
    ("S08", "Is there a discount for non-profits?", None, None, REFUSAL),
]


def claim(qid, answer, seed, jitter):
    if qid == "S03" and jitter == "punct" and seed > 0:
        return REFUSAL
    if jitter == "ws" and answer != REFUSAL:
        return answer.rstrip(".") + " ."
    return answer.upper() if qid == "S02" and seed == 2 else answer


def main():
    gold, runs = [], []
    for qid, question, phrase, chunk, answer in CASES:
        gold.append({
            "qid": qid, "question": question, "answerable": phrase is not None,
            "gold_claim_substr": [phrase] if phrase else [], "gold_citations": [chunk] if chunk else [],
        })
        for seed in SEEDS:
            for jitter in JITTERS:
                said = claim(qid, answer, seed, jitter)
                cited = [] if said == REFUSAL else [chunk or "audit#9"]
                runs.append({
                    "qid": qid, "seed": seed, "jitter": jitter, "retrieved_ids": [chunk or "audit#9", "faq#1"],
                    "answer_json": {"claim": said, "citations": cited},
                })
    runs.sort(key=lambda run: (run["seed"], JITTERS.index(run["jitter"]), run["qid"]))
    for name, rows in [("gold.jsonl", gold), ("runs.jsonl", runs)]:
        lines = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows]
        (HERE / name).write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
