"""Writes the sample files that `karat init` lays down: python3 crates/karat/project/make.py

One small service desk, seen by every suite: grounded answers, an index and its shadow, evidence paths, timings, repeated
runs, two raters. Everything passes its gates, so that `karat init && karat check` does.
"""

import json
import pathlib

FOLDER = pathlib.Path(__file__).parent
REFUSAL = "not in context"

# qid, question, workflow, phrase (None: the handbook does not say), gold chunk, what the pipeline answers
DESK = [
    ("D01", "How long are deleted files kept?", "storage", "kept for 30 days", "trash#1", "Deleted files are kept for 30 days."),
    ("D02", "How large may one upload be?", "storage", "up to 4 GiB", "limits#2", "One upload may be up to 4 GiB."),
    ("D03", "Can a folder be restored whole?", "storage", "restored as a whole", "trash#3", "Yes, a folder is restored as a whole."),
    ("D04", "Which data centre holds my files?", "storage", None, None, REFUSAL),
    ("D05", "How do I reset my password?", "accounts", "link in the sign-in page", "accounts#1", "Follow the link in the sign-in page."),
    ("D06", "Who may invite new members?", "accounts", "owners and admins", "accounts#4", "Only owners and admins may invite members."),
    ("D07", "When is an idle account closed?", "accounts", "after 24 months", "accounts#6", "An idle account is closed after 24 months."),
    ("D08", "How old is the company?", "accounts", None, None, REFUSAL),
    ("D09", "When is the invoice sent?", "billing", "first working day", "billing#1", "It is sent on the first working day of the month."),
    ("D10", "Can I pay by bank transfer?", "billing", "by bank transfer", "billing#2", "Yes: yearly plans can be paid by bank transfer."),
    ("D11", "Are unused seats refunded?", "billing", "credited to the next", "billing#5", "Unused seats are credited to the next invoice."),
    ("D12", "Will prices rise next year?", "billing", None, None, REFUSAL),
]
LOCKS = {"D06": ["Only owners and admins may invite."]}


def write(name, rows):
    lines = (json.dumps(row, ensure_ascii=False) for row in rows)
    (FOLDER / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def trace(row, **more):
    qid, question, _, phrase, chunk, claim = row
    retrieved = [chunk, "handbook#9"] if chunk else ["handbook#9", "handbook#12"]
    answer = {"claim": claim, "citations": [chunk] if phrase else []}
    if qid in LOCKS:
        answer["constraints_echo"] = LOCKS[qid]
    return {"qid": qid, "q": question, "retrieved_ids": retrieved, "answer_json": answer, "ok": True, **more}


def answers():
    gold = []
    for qid, question, workflow, phrase, chunk, _ in DESK:
        row = {"qid": qid, "question": question, "answerable": phrase is not None, "workflow": workflow}
        row |= {"gold_claim_substr": [phrase] if phrase else [], "gold_citations": [chunk] if chunk else []}
        if qid in LOCKS:
            row["constraints"] = LOCKS[qid]
        gold.append(row)
    write("eval/gold.jsonl", gold)
    write("runs/trace.jsonl", (trace(row) for row in DESK))
    slow = {"k": 8, "rerank": True}
    fast = {"k": 3, "rerank": False}
    timed = []
    for i, row in enumerate(DESK):
        for knobs, base in ((fast, 310), (slow, 640)):
            stages = {"retrieval": base // 5 + 3 * i, "rerank": base // 4 if knobs["rerank"] else 0, "llm": base + 17 * (i * 7 % 12), "guard": 12}
            timed.append(trace(row, knobs=knobs, stage_ms=stages))
    write("runs/timed.jsonl", timed)
    write("runs/repeated.jsonl", (trace(row, seed=seed, jitter=jitter) for row in DESK for seed in (0, 1) for jitter in ("none", "punct")))


def retrieval():
    blocks, gold, live, shadow = [], [], [], []
    at = 0
    asked = [row for row in DESK if row[3]]
    for i, (_, question, _, _, chunk, _) in enumerate(asked):
        section, length = f"S.{i // 3 + 1}.{i % 3 + 1}", 240 + 40 * (i % 4)
        kind = "table" if i % 4 == 1 else "prose"
        blocks.append({"id": f"{section}.Bk{i:02}", "offsets": [at, at + length], "type": kind, "section_id": section})
        gold.append({"qid": f"R{i + 1:02}", "paraphrases": [question], "relevant": [f"{section}.Bk{i:02}"], "anchor_section": section, "workflow": asked[i][2]})
        at += length + 10
    for i, row in enumerate(gold):
        own, others = blocks[i], [blocks[(i + step) % len(blocks)] for step in (1, 2, 4)]
        for name, log, first in (("live-3", live, i % 5 != 4), ("shadow-4", shadow, True)):
            ranked = [own, *others] if first else [others[0], own, *others[1:]]
            log.append({
                "qid": row["qid"], "query": row["paraphrases"][0], "seed": 0, "index_hash": name,
                "topk": [{"id": b["id"], "score": round(0.9 - 0.1 * n, 2), "type": b["type"]} for n, b in enumerate(ranked)],
                "delta_s": [0.21 if b is own else round(0.44 + 0.02 * n, 2) for n, b in enumerate(ranked)],
                "lambda_state": "convergent",
                "answer_citations": [{"id": own["id"], "offsets": own["offsets"]}],
            })
    write("eval/blocks.jsonl", blocks)
    write("eval/retrieval.jsonl", gold)
    write("runs/live.jsonl", live)
    write("runs/shadow.jsonl", shadow)


VERSIONS = {"retriever": "hybrid-2", "index": "desk-2026-10", "sparse": "bm25-1", "dense": "small-3", "fusion": "rrf-60", "reranker": "cross-1"}


def release():
    chunks = {
        "trash#1": ("trash@7", "Deleted files are kept for 30 days, then removed for good.", True),
        "billing#1": ("billing@3", "The invoice is sent on the first working day of the month.", True),
        "salaries#1": ("people@1", "Salary bands are reviewed every spring.", False),
    }
    write("eval/evidence.jsonl", (
        {"chunk_id": name, "document_id": name.split("#")[0], "parent_id": version, "version": version, "permitted": permitted, "current": True, "text": text}
        for name, (version, text, permitted) in chunks.items()
    ))
    cases = {
        "trash": ("storage", "How long are deleted files kept?", "trash#1", "kept for 30 days"),
        "invoice": ("billing", "When is the invoice sent?", "billing#1", "first working day"),
    }
    write("eval/release.jsonl", (
        {"case_id": name, "workflow": workflow, "question": question, "required_source_ids": [chunk], "required_points": ["point"], "points": {"point": [phrase]}}
        for name, (workflow, question, chunk, phrase) in cases.items()
    ))
    rows = []
    for name, case, seen, said, should in (
        ("monday", "trash", ["trash#1"], "Deleted files are kept for 30 days.", None),
        ("tuesday", "invoice", ["billing#1"], "The invoice comes on the first working day.", None),
        ("a good answer", "trash", ["trash#1"], "They are kept for 30 days.", True),
        ("leaks salaries", "invoice", ["billing#1", "salaries#1"], "The invoice comes on the first working day.", False),
        ("no evidence", "invoice", ["trash#1"], "The invoice comes on the first working day.", False),
    ):
        path = {"case_id": case, "first_stage_ids": seen, "rerank_input_ids": seen, "reranked_ids": seen, "selected_context_ids": seen}
        path |= {"selected_versions": [chunks[chunk][0] for chunk in seen], "versions": VERSIONS}
        path |= {"principal": {"user": "ada", "groups": ["customers"]}, "ts": "2026-10-05T09:00:00Z"}
        claim = {"claim_id": "c1", "text": said, "citation_id": seen[0], "answer_point": "point"}
        row = {"name": name, "case_id": case, "trace": path, "answer": {"answer_id": name, "claims": [claim]}}
        rows.append(row if should is None else row | {"should_release": should})
    write("runs/paths.jsonl", rows)


def agreement():
    said = ["VALID"] * 12 + ["NOT_IN_CONTEXT"] * 4 + ["REJECT"] * 4
    rows = []
    for i, label in enumerate(said):
        other = "REJECT" if i == 11 else label
        rows.append({"qid": f"D{i + 1:02}", "scholar": {"label": label, "reason": "read the chunk"}, "auditor": {"label": other, "reason": "checked the citation"}})
    write("runs/ratings.jsonl", rows)


answers()
retrieval()
release()
agreement()
