"""The figures of a release evaluation, as one would write them by hand: cases first, then the store once, then judge.

python3 bench/score_release.py GOLD CASES STORE [--orjson]
"""

import json
import sys
from collections import Counter
from datetime import datetime
from math import fsum

STAGES = ["first_stage_ids", "rerank_input_ids", "reranked_ids", "selected_context_ids"]
PARTS = ["retriever", "index", "sparse", "dense", "fusion", "reranker"]
MEANS = ["candidate_recall", "context_recall", "context_precision", "faithfulness", "citation_coverage",
         "citation_support", "point_coverage"]


def pairs_kept(pairs):
    """An object as a dict, but `versions` as its pairs: a key may come twice."""
    kept = dict(pairs)
    return kept if len(kept) == len(pairs) else pairs


def moment(value):
    return datetime.fromisoformat(value).timestamp() if isinstance(value, str) else value


def permitted(chunk, principal):
    if not chunk["permitted"] or chunk.get("acl") is None:
        return chunk["permitted"]
    if principal is None:
        return False
    names = {"group:" + group for group in principal.get("groups") or []}
    if principal.get("user") is not None:
        names.add("user:" + principal["user"])
    return not names.isdisjoint(chunk["acl"])


def current(chunk, ts):
    start, end = chunk["valid_from"], chunk["valid_until"]
    if not chunk["current"] or (start is None and end is None):
        return chunk["current"]
    return ts is not None and (start is None or start <= ts) and (end is None or ts < end)


def admissible(row, trace, store):
    if "trace" in row and trace.get("case_id") != row["case_id"]:
        return False
    first, given, reranked, selected = (trace.get(stage) or [] for stage in STAGES)
    versions = trace.get("selected_versions") or []
    if not selected or len(selected) != len(versions):
        return False
    parts = trace.get("versions") or []
    parts = list(parts.items()) if isinstance(parts, dict) else parts
    if len({name for name, _ in parts}) != len(parts):
        return False
    if not {name for name, value in parts if value is not None and str(value).strip()}.issuperset(PARTS):
        return False
    if any(len(set(ids)) != len(ids) for ids in (first, given, reranked, selected)):
        return False
    if not set(given) <= set(first) or set(given) != set(reranked) or not set(selected) <= set(reranked):
        return False
    ts, principal = moment(trace.get("ts")), trace.get("principal")
    for id in set(first).union(given, reranked, selected):
        chunk = store.get(id)
        if chunk is None or not permitted(chunk, principal) or not current(chunk, ts):
            return False
    return all(store[id]["version"] == version for id, version in zip(selected, versions))


def judge(row, case, store):
    """The seven figures of a case, and the first stage that failed."""
    trace = row.get("trace", row)
    first, selected = trace.get("first_stage_ids") or [], trace.get("selected_context_ids") or []
    required, points = set(case["required_source_ids"]), set(case["required_points"])
    claims = row["answer"]["claims"]
    supported = cited = well_cited = 0
    covered = set()
    for claim in claims:
        phrases = case["points"].get(claim["answer_point"])
        if not phrases and "should_release" in row:
            phrases = [phrase.lower() for phrase in claim.get("support_phrases") or []]

        def supports(id):
            return bool(phrases) and id in store and all(phrase in store[id]["text"] for phrase in phrases)

        citation = claim["citation_id"]
        if any(supports(id) for id in selected):
            supported += 1
            covered.add(claim["answer_point"])
        cited += citation is not None
        well_cited += citation in selected and supports(citation)
    share = lambda count: count / len(claims) if claims else 0.0
    figures = [
        len(required.intersection(first)) / len(required),
        len(required.intersection(selected)) / len(required),
        sum(id in required for id in selected) / len(selected) if selected else 0.0,
        share(supported), share(cited), share(well_cited),
        len(points & covered) / len(points),
    ]
    if not admissible(row, trace, store):
        stage = "admissibility"
    elif figures[0] < 1:
        stage = "candidate_retrieval"
    elif figures[1] < 1:
        stage = "context_selection"
    elif not claims:
        stage = "answer_completeness"
    elif supported < len(claims):
        stage = "answer_faithfulness"
    elif well_cited < len(claims):
        stage = "citation_support"
    elif figures[6] < 1:
        stage = "answer_completeness"
    else:
        stage = "pass"
    return figures, stage


def main(gold_path, cases_path, store_path, loads):
    gold = {}
    with open(gold_path, "rb") as file:
        for line in file:
            case = loads(line)
            case["points"] = {point: [phrase.lower() for phrase in phrases] for point, phrases in case["points"].items()}
            gold[case["case_id"]] = case
    rows, named = [], set()
    with open(cases_path, "rb") as file:
        for line in file:
            row = json.loads(line, object_pairs_hook=pairs_kept)
            rows.append(row)
            trace = row.get("trace", row)
            for stage in STAGES:
                named.update(trace.get(stage) or [])
            named.update(claim["citation_id"] for claim in row["answer"]["claims"])
    store = {}
    with open(store_path, "rb") as file:
        for line in file:
            chunk = loads(line)
            if chunk["chunk_id"] in named:
                chunk["text"] = chunk["text"].lower()
                chunk["valid_from"], chunk["valid_until"] = moment(chunk.get("valid_from")), moment(chunk.get("valid_until"))
                store[chunk["chunk_id"]] = chunk
    judged = [judge(row, gold[row["case_id"]], store) for row in rows]
    stages = Counter(stage for _, stage in judged)
    right = sum((stage == "pass") == row.get("should_release", True) for row, (_, stage) in zip(rows, judged))
    out = {"cases": len(rows), "released": stages["pass"], "blocked": len(rows) - stages["pass"],
           "release_correct": round(right / len(rows), 4)}
    for i, name in enumerate(MEANS):
        out[name] = round(fsum(figures[i] for figures, _ in judged) / len(rows), 4)
    out["first_failed_stage"] = dict(stages)
    print(json.dumps(out))


if __name__ == "__main__":
    if "--orjson" in sys.argv:
        from orjson import loads
    else:
        loads = json.loads
    main(sys.argv[1], sys.argv[2], sys.argv[3], loads)
