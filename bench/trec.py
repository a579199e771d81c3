"""Five figures of a TREC run, end to end from the files, with the tools that are commonly used for it.

    python bench/trec.py pytrec_eval|ranx|ir_measures QRELS RUN

Prints one JSON object: trec_eval's names of the figures, to four decimals, and the wall time in seconds, imports
included. Needs the packages pytrec_eval-terrier, ranx and ir_measures. `cargo xtask bench retrieval` makes the
files and runs this.
"""

import json
import sys
import time

START = time.perf_counter()
NAMES = ["map", "ndcg_cut_10", "P_10", "recall_100", "recip_rank"]


def with_pytrec_eval(qrels_path, run_path):
    import pytrec_eval

    with open(qrels_path) as file:
        qrels = pytrec_eval.parse_qrel(file)
    with open(run_path) as file:
        run = pytrec_eval.parse_run(file)
    topics = pytrec_eval.RelevanceEvaluator(qrels, NAMES).evaluate(run)
    return [sum(values[name] for values in topics.values()) / len(topics) for name in NAMES]


def with_ranx(qrels_path, run_path):
    from ranx import Qrels, Run, evaluate

    qrels = Qrels.from_file(qrels_path, kind="trec")
    run = Run.from_file(run_path, kind="trec")
    names = ["map", "ndcg@10", "precision@10", "recall@100", "mrr"]
    values = evaluate(qrels, run, names)
    return [values[name] for name in names]


def with_ir_measures(qrels_path, run_path):
    import ir_measures
    from ir_measures import AP, RR, P, R, nDCG

    measures = [AP, nDCG @ 10, P @ 10, R @ 100, RR]
    qrels = ir_measures.read_trec_qrels(qrels_path)
    run = ir_measures.read_trec_run(run_path)
    values = ir_measures.calc_aggregate(measures, qrels, run)
    return [values[measure] for measure in measures]


CONTENDERS = {"pytrec_eval": with_pytrec_eval, "ranx": with_ranx, "ir_measures": with_ir_measures}

if __name__ == "__main__":
    contender, qrels_path, run_path = sys.argv[1:]
    values = CONTENDERS[contender](qrels_path, run_path)
    figures = {name: round(float(value), 4) for name, value in zip(NAMES, values)}
    print(json.dumps({**figures, "seconds": round(time.perf_counter() - START, 3)}))
