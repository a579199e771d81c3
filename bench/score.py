"""The five figures of a grounded-answer evaluation, as one would write them by hand: standard library, last trace counts.

python3 bench/score.py GOLD TRACE [--orjson]
"""

import json
import sys

REFUSAL = "not in context"
K = 5


def main(gold_path, trace_path, loads):
    gold = {}
    with open(gold_path, "rb") as file:
        for line in file:
            if line.strip():
                row = loads(line)
                row["phrases"] = [p.lower() for p in row["gold_claim_substr"] if len(p.lower()) >= 5]
                row["wanted"] = set(row["gold_citations"])
                gold[row["qid"]] = row
    last = {}
    with open(trace_path, "rb") as file:
        for line in file:
            if line.strip():
                trace = loads(line)
                if trace["qid"] in gold:
                    answer = trace["answer_json"]
                    last[trace["qid"]] = (answer["claim"], answer["citations"], trace["retrieved_ids"])
    shipped = right = hits = under = over = recalled = answerable = 0
    for qid, row in gold.items():
        claim, citations, retrieved = last.get(qid, ("", [], []))
        traced = qid in last
        lower = claim.lower()
        refused = lower.strip() == REFUSAL
        wanted = row["wanted"]
        if row["answerable"]:
            answerable += 1
            over += refused
            recalled += traced and wanted.issubset(retrieved[:K])
        if refused:
            continue
        shipped += 1
        if not row["answerable"]:
            under += 1
            continue
        cited = set(citations)
        hit = traced and cited.issubset(retrieved) and (bool(cited & wanted) if wanted else not cited)
        hits += hit
        phrases = row["phrases"]
        right += hit and bool(lower.strip()) and (not row["gold_claim_substr"] or any(p in lower for p in phrases))
    unanswerable = len(gold) - answerable
    print(json.dumps({
        "precision": round(right / shipped if shipped else 1.0, 4),
        "chr": round(hits / shipped if shipped else 1.0, 4),
        "under_refusal": round(under / unanswerable if unanswerable else 0.0, 4),
        "over_refusal": round(over / answerable if answerable else 0.0, 4),
        "recall@k": round(recalled / answerable if answerable else 0.0, 4),
    }))


if __name__ == "__main__":
    if "--orjson" in sys.argv:
        from orjson import loads
    else:
        loads = json.loads
    main(sys.argv[1], sys.argv[2], loads)
