"""Writes random gold sets and timed traces for `karat latency`, each set with the oracle's result.

Usage: python3 generate_latency.py --seed S --count N --dir DIR

DIR/00000/ holds a gold file (gold.jsonl or qaset.json), trace.jsonl, sometimes trace2.jsonl and base.jsonl, args.json (the
words after `karat latency`) and expected.json. The same seed writes the same bytes. Nothing that the specification calls
an input error is ever written. A set is thrown away where the last bit of a double would decide, and where it takes more
than the text says to know which point of a baseline counts.
"""

import argparse
import json
import math
import random
import sys
from fractions import Fraction
from pathlib import Path

sys.dont_write_bytecode = True
import generate  # noqa: E402
import latency  # noqa: E402
from generate_agreement import doubtful  # noqa: E402

Raw = generate.Raw
KNOBS = [
    {"k_lex": 50, "k_sem": 50}, {"k_sem": 20, "k_lex": 20, "intersect": True}, {"k_sem": 20, "k_lex": 20, "intersect": False},
    {"rerank": {"model": "small", "depth": 20}, "k": 5}, {"rerank": {"depth": 40, "model": "small"}, "k": 5}, {"k": 5}, {"K": 5}, {"k": 50},
    {"temperature": Raw("0.2")}, {"temperature": Raw("0.20")}, {"temperature": Raw("2e-1")}, {"max_tokens": Raw("1E3")}, {"n": Raw("-0")},
    {"model": "mod\u00e8le/7b \"q4\""}, {"model": "\u65e5\u672c\\8b"}, {"stages": ["bm25", {"b": 1, "a": [2, 3]}, []], "z": {}}, {"k": "5"}, {},
]  # fmt: skip
LOADS = [[None], [None], [1], [1, 5], [1, 5, 20], [None, 5], [0.5, 2.5], [None, 1, 20]]


class Maker(generate.Maker):
    # ---------------------------------------------------------------------------------------------------- times

    def time(self, config):
        """One request's milliseconds."""
        x = config["base"]
        if config["spread"]:
            x *= 1 + config["spread"] * self.r.random()
            if self.chance(0.04):
                x *= self.r.randint(2, 6)
        if config["digits"] == 0:
            return round(x)
        return math.floor(x * 8) / 8 if config["digits"] == 1 else round(x, config["digits"])

    def stages(self, whole):
        """stage_ms with that sum; eighths add up exactly in any order."""
        names = self.r.sample(latency.STAGES, self.r.randint(1, 4))
        left, out = math.floor(whole * 8), {}
        for name in names[1:]:
            part = self.r.randint(0, left)
            out[name] = part / 8 if part % 8 else part // 8
            left -= part
        out[names[0]] = left / 8
        if len(names) < 4 and self.chance(0.1):
            out[next(one for one in latency.STAGES if one not in names)] = None
        return out

    def timed(self, obj, config):
        obj.pop("stage_ms", None)
        if self.chance(config["failing"]):  # a quick failure is no quick answer
            for name in ("answer_json", "answer", "claim", "citations"):
                obj.pop(name, None)
            obj |= {"ok": False, "reason": "http 500"}
        if self.chance(config["untimed"]):
            if self.chance(0.2):
                obj[self.pick(["e2e_ms", "stage_ms"])] = None
            return
        whole = self.time(config)
        x = self.r.random()
        if x < config["staged"]:
            obj["stage_ms"] = self.stages(whole)
            if self.chance(0.1):
                obj["e2e_ms"] = None
        else:
            obj["e2e_ms"] = whole
            if x > 0.8:
                obj["stage_ms"] = self.pick([None, self.stages(self.pick([5, 3000]))])

    # --------------------------------------------------------------------------------------------------- traces

    def configs(self, plan):
        """The points of a set: knobs and load, how fast and how good."""
        spread = self.pick([0, 0.1, 0.5, 2])
        digits = self.pick([0, 1, 3])
        untimed, staged = self.pick([0, 0, 0, 0, 0.01, 0.1, 0.5]), self.pick([0, 0, 0.3, 0.8])
        failing = self.pick([0, 0, 0, 0, 0, 0.02, 0.3])
        count = self.pick([1, 2, 3, 4, 5, 6]) if plan["tidy"] else self.pick([1, 1, 2, 3, 3, 4])
        loads = self.pick(LOADS)
        keys = [(knobs, load) for knobs in self.r.sample(KNOBS, min(count, 4)) for load in loads]
        keys = self.r.sample(keys, min(count, len(keys)))
        bases = [self.pick([0.5, 200, 500, 900, 1200, 1500, 1900, 2000]) * self.pick([1, 1, 1, 1.1]) for _ in keys]
        skills = [self.pick(plan["skills"]) for _ in keys]
        if self.chance(0.7):  # what is slower is better, so that there is something to choose
            bases.sort()
            skills.sort()
        if self.chance(0.02):
            bases[0] = spread = 0
        return [
            {
                "knobs": knobs, "load": load, "base": base, "skill": skill, "spread": spread, "digits": digits,
                "untimed": 1 if self.chance(0.03) else untimed, "staged": staged,
                "failing": 1 if self.chance(0.01) else failing,
            }
            for (knobs, load), base, skill in zip(keys, bases, skills)
        ]

    def rows(self, cases, configs, plan, joins):
        objects = []
        for config in configs:
            own = plan | {"skill": config["skill"]}
            for case in cases:
                if self.chance(plan["absent"]):
                    continue
                for _ in range(self.r.randint(2, 4) if self.chance(plan["repeated"]) else 1):
                    obj = self.trace(case, own, joins)
                    self.timed(obj, config)
                    if config["knobs"] or self.chance(0.5):
                        obj["knobs"] = config["knobs"] or self.pick([None, {}])
                    if config["load"] is not None or self.chance(0.1):
                        obj["load_rps"] = config["load"]
                    objects.append(obj)
        if self.chance(0.7):
            self.r.shuffle(objects)
        return objects

    def plain_case(self, number, answerable):
        ids = ["p1#1"] if answerable else []
        case = {"qid": f"A{number:04}", "question": f"Question {number}?", "answerable": answerable, "ids": ids}
        row = {
            "qid": case["qid"], "question": case["question"], "answerable": answerable,
            "gold_claim_substr": ["rejects null keys"] if answerable else [], "gold_citations": ids,
        }
        return case, row

    def tidy(self, cases, config):
        """Traces of one point over plain cases: as many of each fault as the point's plan says."""
        left = dict(config["faults"])
        objects = []
        for case in self.r.sample(cases, len(cases)):
            claim = "X rejects null keys." if case["answerable"] else "not in context"
            cited = list(case["ids"])
            if not case["answerable"] and left["shipped"]:
                left["shipped"] -= 1
                claim = "not in context."
            elif case["answerable"] and left["refused"]:
                left["refused"] -= 1
                claim, cited = "Not in context", []
            elif case["answerable"] and left["wrong"]:
                left["wrong"] -= 1
                claim, cited = self.pick([("elsewhere", cited), (claim, ["p9#9"]), (claim, [])])
            obj = {"qid": case["qid"], "retrieved_ids": ["p1#1", "p2#1"], "answer_json": {"claim": claim, "citations": cited}}
            self.timed(obj, config)
            obj["knobs"] = config["knobs"]
            if config["load"] is not None:
                obj["load_rps"] = config["load"]
            objects.append(obj)
        return objects

    def faults(self, cases):
        """Numbers of faults that bring the rates to their limits, or one case beyond."""
        answerable = sum(case["answerable"] for case in cases)
        shipped = self.pick([0, 0, (len(cases) - answerable) // 20, (len(cases) - answerable) // 20 + 1])
        refused = self.pick([0, 0, answerable // 10, answerable // 10 + 1])
        given = answerable - refused + shipped
        wrong = self.pick([0, 1, given // 5 - shipped, given // 5 - shipped, given // 5 - shipped + 1])
        return {"shipped": shipped, "refused": refused, "wrong": max(wrong, 0)}

    def ladder(self, cases, configs):
        """A frontier: the slower a point, the fewer its faults."""
        wrong = sorted(self.r.sample(range(len(cases) // 2 + 3), min(len(configs), len(cases) // 2 + 3)), reverse=True)
        base = self.pick([40, 300, 700])
        for config, count in zip(configs, wrong):
            config["base"], config["spread"] = base, self.pick([0, 0.05])
            config["faults"] = {"shipped": 0, "refused": 0, "wrong": count}
            base += self.r.randint(1, 600)

    # -------------------------------------------------------------------------------------------------- a set

    def one_set(self):
        tidy = self.pick([None, None, None, "limits", "ladder"])
        drop = tidy == "limits" and self.chance(0.15)  # one case of fifty is the drop that is allowed
        plan = {
            "tidy": tidy,
            "qid": self.pick(["name", "name", "int", "digits", "mixed", "odd"]),
            "same_question": self.chance(0.05),
            "constrained": self.pick([0, 0, 0.3]),
            "skills": self.pick([[1], [1, 0.95, 0.8], [1, 0.9, 0.7, 0.5, 0.2]]),
            "odd": self.pick([0, 0, 0.05]),
            "by_question": self.pick([0, 0, 0.2]),
            "text_form": self.pick([0, 0, 0.3]),
            "broken": self.pick([0, 0, 0, 0.05]),
            "absent": self.pick([0, 0, 0, 0, 0.02, 0.3]),
            "repeated": self.pick([0, 0, 0.1, 0.5]),
        }
        array = self.chance(0.12) and not tidy
        kind = self.pick(["both"] * 8 + ["answerable", "unanswerable"])
        cases, gold_rows = [], []
        count = self.r.randint(1, self.pick([2, 6, 12]))
        if tidy:
            count = self.pick([20, 40, 40, 50]) if tidy == "limits" else self.r.randint(4, 12)
        if drop:
            kind, count = "answerable", 50
        for number in range(count):
            answerable = self.chance(0.65) if kind == "both" else kind == "answerable"
            if tidy == "limits" and kind == "both":
                answerable = number >= 20
            case, row = self.plain_case(number, answerable) if tidy else self.gold_case(number, array, answerable, plan)
            cases.append(case)
            gold_rows.append(row)
        questions = [case["question"] for case in cases]
        joins = len(set(questions)) == len(questions)
        gold_name = "qaset.json" if array else "gold.jsonl"
        files = {gold_name: self.array(gold_rows) if array else self.lines(gold_rows)}

        configs = self.configs(plan)
        baseline = drop or self.chance(0.3)
        if baseline and self.chance(0.7):
            configs = configs[:1]
        if tidy:
            if tidy == "limits":
                configs = configs[: self.pick([1, 1, 2])]
                for config in configs:
                    config["faults"] = self.faults(cases)
                    if drop:
                        config["faults"] = {"shipped": 0, "refused": 0, "wrong": self.r.randint(1, 10)}
            else:
                self.ladder(cases, configs)
                configs = [config for config in configs if "faults" in config]
            make = lambda some: [obj for config in some for obj in self.tidy(cases, config)]  # noqa: E731
        else:
            make = lambda some: self.rows(cases, some, plan, joins)  # noqa: E731
        objects = [] if self.chance(0.01) else make(configs)
        pairs = [["--gold", gold_name], ["--trace", "trace.jsonl"]]
        cut = self.r.randint(0, len(objects)) if self.chance(0.2) else len(objects)
        files["trace.jsonl"] = self.lines(objects[:cut])
        if cut < len(objects):
            files["trace2.jsonl"] = self.lines(objects[cut:])
            pairs.append(["--trace", "trace2.jsonl"])
        if baseline:
            faster = self.pick([1, 1, 0.8, 0.87, 0.9, 1.2])
            before = [config | {"base": config["base"] * faster} for config in configs]
            for config in before:
                if "faults" in config:
                    wrong = max(config["faults"]["wrong"] + self.pick([-1, -1, -2] if drop else [0, 0, -1, 1]), 0)
                    config["faults"] = config["faults"] | {"wrong": wrong}
            files["base.jsonl"] = self.lines(make(before))
            pairs.append(["--baseline", "base.jsonl"])
        if self.chance(0.7):
            pairs.append(["--select", self.pick(["fastest", "most-accurate", "most-accurate", "knee", "knee"])])
        if self.chance(0.05):
            pairs.append(["--preset", "slo"])
        if self.chance(0.5):  # the order of the traces stays
            at = pairs.pop()
            pairs.insert(0, at) if at[0] != "--trace" else pairs.append(at)
        return files, [word for pair in pairs for word in pair]


# ------------------------------------------------------------------------------------------------------- doubt


def close_heights(points):
    """Two points of a frontier that compete for being its knee within the reach of rounding."""
    frontier = sorted((point for point in points if point["on_frontier"]), key=lambda point: point["p95"])
    if len(frontier) <= 2:
        return False
    heights = latency.heights(frontier)
    best = max(heights)
    rivals = {
        (point["p95"], point["precision"])
        for point, height in zip(frontier, heights)
        if best - height < Fraction(1, 10**9)
    }
    return len(rivals) > 1


def in_doubt(inputs, verdict):
    points, selected = verdict["points"], verdict["selected"]
    strategy = inputs.get("select", "fastest")
    if any(doubtful(point[name], True) for point in points for name in latency.ACCURACY):
        return True
    # A tie of the fourth decimal that no double holds.
    times = [point[name] for point in points for name in ("p50", "p90", "p95", "p99", "tail_amplification")]
    if any(doubtful(time, True) for time in [*times, verdict.get("p95_rise")]):
        return True
    for some in (points, verdict.get("base_points", [])):
        if strategy == "knee" and close_heights(some):
            return True
        # "The fastest" of one or two points: with or without a look at the gates?
        if strategy == "knee" and sum(point["on_frontier"] for point in some) <= 2:
            if latency.select(some, "knee", None) != latency.select(some, "fastest", lambda point: point["passes"]):
                return True
    if "base_points" not in verdict:
        return False
    if None in (selected, verdict["base_selected"]):
        return True
    # The point of the baseline that the same rule selects must also be the one with the same knobs and load.
    new, base = points[selected], verdict["base_points"][verdict["base_selected"]]
    if (new["knobs"], new["load"]) != (base["knobs"], base["load"]) or new["vacuous"] or base["vacuous"]:
        return True
    rise = verdict["p95_rise"]
    if rise is None or doubtful(verdict["precision_drop"]):
        return True

    # Whether the gates on the baseline are among those that a selected point must pass.
    def passes_all(point):
        return point["passes"] and latency.no_regression(latency.against(base, point)) and not base["unanswered"] and not base["untimed"]

    return selected != latency.select(points, strategy, passes_all)


def main():
    parser = argparse.ArgumentParser(description="Random sets for `karat latency` with the oracle's results.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--dir", type=Path, required=True)
    call = parser.parse_args()
    maker = Maker(random.Random(call.seed))
    number = 0
    while number < call.count:
        files, args = maker.one_set()
        inputs = latency.load(args, files.__getitem__)
        verdict = latency.score(inputs)
        if in_doubt(inputs, verdict):
            continue
        folder = call.dir / f"{number:05}"
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            (folder / name).write_bytes(data)
        expected = latency.report(verdict)
        (folder / "args.json").write_text(json.dumps(args, ensure_ascii=False), encoding="utf-8")
        (folder / "expected.json").write_text(json.dumps(expected, ensure_ascii=False, indent=1), encoding="utf-8")
        number += 1


if __name__ == "__main__":
    main()
