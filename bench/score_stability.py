"""The measures of repeated runs, as one would write them by hand: standard library, the last run of a seed and jitter counts.

python3 bench/score_stability.py GOLD RUNS [--rapidfuzz]     (with the compiled distance of PyPI's rapidfuzz)
"""

import json
import string
import sys
from itertools import combinations
from statistics import median

DROP = str.maketrans("", "", string.punctuation)
REFUSAL = "not in context"


def canonical(text):
    return " ".join(text.lower().translate(DROP).split())


def lev(a, b):
    above = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        row = [i]
        for j, y in enumerate(b, start=1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (x != y)))
        above = row
    return above[-1]


def measures(case, runs, distance):
    n = len(runs)
    wanted = [canonical(p) for p in case["gold_claim_substr"] if len(p.lower()) >= 5]
    gold = set(case["gold_citations"])
    said = [canonical(claim) for claim, _, _ in runs]
    refused = [claim.strip().lower() == REFUSAL for claim, _, _ in runs]
    if case["gold_claim_substr"]:
        acr = sum(any(p and p in claim for p in wanted) for claim in said) / n
    else:
        acr = sum(no or claim != "" for claim, no in zip(said, refused)) / n
    hits, sets = 0, []
    for (_, cited, retrieved), no in zip(runs, refused):
        cited = [] if no else cited  # a refusal cites nothing
        hits += all(one in retrieved for one in cited) and (bool(gold & set(cited)) if gold else not cited)
        sets.append(set(cited))
    union = set.union(*sets)
    css = len(set.intersection(*sets)) / len(union) if union else 1.0
    words = [claim for claim, no in zip(said, refused) if claim and not no]
    away = [0.0 if a == b else distance(a, b) / max(len(a), len(b)) for a, b in combinations(words, 2)]
    ned50 = median(away) if away else 0.0
    rate = sum(refused) / n
    rcr = max(rate, 1 - rate)
    if case["answerable"]:
        holds = acr >= 0.95 and hits / n >= 0.95 and css >= 0.70 and ned50 <= 0.20
    else:
        holds = rcr >= 0.98 and rate >= 0.98
    return holds, rcr, {"acr": acr, "cghc": hits / n, "css": css, "ned50": ned50}


def main(gold_path, runs_path, distance):
    with open(gold_path, "rb") as file:
        gold = [json.loads(line) for line in file]
    runs = {case["qid"]: {} for case in gold}
    with open(runs_path, "rb") as file:
        for line in file:
            run = json.loads(line)
            answer = run["answer_json"]
            runs[run["qid"]][run["seed"], run["jitter"]] = (answer["claim"], answer["citations"], run["retrieved_ids"])
    failed, sums, answerable, rcrs = 0, dict.fromkeys(["acr", "cghc", "css", "ned50"], 0.0), 0, 0.0
    for case in gold:
        holds, rcr, figures = measures(case, list(runs[case["qid"]].values()), distance)
        failed += not holds
        rcrs += rcr
        if case["answerable"]:
            answerable += 1
            for name, value in figures.items():
                sums[name] += value
    means = {name: {"value": total / answerable} for name, total in sums.items()}
    print(json.dumps({"counts": {"fail": failed}, "metrics": {**means, "rcr": {"value": rcrs / len(gold)}}}, indent=2))


if __name__ == "__main__":
    if "--rapidfuzz" in sys.argv:
        from rapidfuzz.distance import Levenshtein

        lev = Levenshtein.distance
    main(sys.argv[1], sys.argv[2], lev)
