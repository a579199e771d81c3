"""Writes random gold sets and repeated runs for `karat stability`, each set with the oracle's result.

Usage: python3 generate_stability.py --seed S --count N --dir DIR

DIR/00000/ holds gold.jsonl, stability.jsonl, sometimes stability2.jsonl, args.json (the words after `karat stability`) and
expected.json. The same seed writes the same bytes. Nothing that the specification calls an input error is ever written. A
set is thrown away where the last bit of a double would decide, or where an element of a citation list that is no id would.
"""

import argparse
import json
import random
import sys
from fractions import Fraction
from pathlib import Path

sys.dont_write_bytecode = True
import answers  # noqa: E402
import generate  # noqa: E402
import stability  # noqa: E402
from generate_agreement import doubtful  # noqa: E402

PHRASES = [
    "rejects null-keys", "Only domain example.com", "p99 \u2264 2000 ms", "gr\u00f6\u00dfer als 5", "RFC-2119", "a-b-c", "(a) b", "key = value",
    "\u0130abc", "\ufb01nal", "\u65e5\u672c\u8a9e\u306e\u9375", "\u039f\u0394\u039f\u03a3, \u0391\u0392", "\u039b\u038c\u0393\u039f\u03a3", "Stra\u00dfe 12", "cafe\u0301 noir", "caf\u00e9 noir",
    "\U00010400\U00010401\U00010402\U00010403\U00010404", "crab \U0001f980\U0001f980", "\u201cquoted\u201d text", "null  keys", "tab\tinside", "sep\u2028line", "\x1cunit\x1fsep",
    "it's five", "x_y_z", "20%", "ab", "abcd", "\u0130\u0130a",
]
BLANKS = ["-----", "!?!?!", " . , ; ", "     ", "\u00a0\u2003\t\n "]  # five characters and more, and nothing left of them
WORDS = ["always", "never", "again", "X", "the map", "\u65e5\u672c", "stra\u00dfe", "\U0001f980", "42", "of course"]
JITTERS = ["none", "ws", "punct", "syn", "order", "None", "\u00e9"]
SEEDS = [0, 1, 2, 3, 4, 7, 42, 1_234_567, 9_007_199_254_740_993]
WHITE = [" ", "  ", "\t", "\u00a0", "\n", "\u2003", "\x1c", "\u3000 "]


class Maker(generate.Maker):
    # ---------------------------------------------------------------------------------------------------- gold

    def case(self, number, plan):
        answerable = self.chance(plan["answerable"])
        style = plan["qid"]
        qid = number if style == "int" else str(number) if style == "digits" else f"A{number:03}"
        phrases = self.r.sample(PHRASES, self.pick([0, 1, 1, 1, 2, 3])) if answerable or self.chance(0.1) else []
        if self.chance(0.06):
            phrases.insert(self.r.randint(0, len(phrases)), self.pick(BLANKS))
        ids = self.gold_ids(answerable)
        case = {"qid": qid, "answerable": answerable, "phrases": phrases, "ids": ids, "locks": []}
        row = {
            "qid": qid, "question": f"Question {number}?", "answerable": answerable,
            "gold_claim_substr": phrases, "gold_citations": self.written_ids(ids),
        }
        case["match"] = self.pick(["any", "any", "all"])
        if case["match"] == "all" or self.chance(0.2):
            row["match"] = case["match"]
        if self.chance(plan["constrained"]):
            case["locks"] = [self.pick(generate.LOCKS) for _ in range(self.pick([1, 1, 2, 3]))]
            row["constraints"] = [self.padded(lock) for lock in case["locks"]] + self.pick([[], [], [], [""], [" "]])
        elif self.chance(0.1):
            row["constraints"] = self.pick([None, [], [" "]])
        if self.chance(0.05):
            row["forbidden_substr"] = ["rejects"]  # no business of this suite
        return case, self.add_junk(row, 0.05)

    # ---------------------------------------------------------------------------------------------------- runs

    def base_claim(self, case):
        words = case["phrases"] if case["match"] == "all" else case["phrases"][:1]
        said = " and ".join(words) or "the answer"
        return self.pick(["{}", "X {}.", "So: {}, as stated.", "\u03a3{}\u03a3", "({}) in any case whatever it may be"]).format(said)

    def restyled(self, said):
        """The same canonical claim, mostly."""
        for _ in range(self.pick([0, 1, 1, 2])):
            x = self.r.randint(0, 5)
            if x == 0:
                said = self.pick([str.upper, str.lower, str.swapcase, str.title])(said)
            elif x == 1:
                said = self.pick(["- ", "\"", " ", "* "]) + said + self.pick(["!", " .", "\n", "?\"", "\u00a0"])
            elif x == 2:
                said = said.replace(" ", self.pick(WHITE))
            elif x == 3:
                said = said.replace(" ", self.pick([", ", " - ", " -", "; "]), 1)
            elif x == 4:
                at = self.r.randint(0, len(said))
                said = said[:at] + self.pick("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~") + said[at:]
            else:
                said = self.pick(WHITE) + said
        return said

    def drifted(self, said):
        x = self.r.randint(0, 4)
        at = self.r.randint(0, len(said))
        if x == 0:
            return said + " " + self.pick(WORDS)
        if x == 1:
            return said[:at] + self.pick(WORDS) + said[at:]
        if x == 2:
            return said[:at] + said[at + self.r.randint(1, 4) :]
        if x == 3:
            return " ".join(self.r.sample(WORDS, self.r.randint(1, 4)))
        return self.pick(PHRASES)

    def claim(self, case, plan):
        x = self.r.random()
        if x < plan["odd"]:
            return self.pick(["", " ", "...", "!?", "\x1c", "x", *generate.ALMOST_REFUSALS])
        refuse = self.chance(plan["refuse"] if case["answerable"] else plan["refuse_well"])
        if refuse:
            return self.pick(generate.REFUSALS)
        if self.chance(plan["drift"]):
            return self.drifted(case["claim"])
        return self.restyled(case["claim"])

    def answer(self, case, plan):
        """(answer_json, retrieved_ids)"""
        claim = self.claim(case, plan)
        refused = claim in generate.REFUSALS
        slots = list(case["slots"])
        cited = [] if refused and self.chance(0.9) else list(case["cites"])
        if not refused and self.chance(plan["miscite"]):
            cited = self.citations(case, slots, 0.5)
        elif cited and self.chance(plan["extra"]):
            cited.append(self.pick(slots))
        if self.chance(plan["odd"] / 2):
            slots = self.retrieved(case, 0.5)
        self.r.shuffle(cited)
        listed = self.written_list(cited, plan["odd"] / 2)
        if self.chance(plan["odd"] / 2):
            listed = self.pick(["p1#1", {}, 7, True, None, ""])
        if self.chance(plan["odd"] / 4):
            claim = self.pick([None, 5, True, ["x"]])
        answer = self.add_junk({"claim": claim}, 0.02)
        if listed is not None or self.chance(0.5):
            answer["citations"] = listed
        if case["locks"] and (not refused or self.chance(0.3)):
            echo = self.echo(case) if self.chance(plan["odd"]) else [self.padded(one) for one in case["locks"][::-1]]
            if echo is not None:
                answer["constraints_echo"] = echo
        return answer, self.written_list(slots, 0.02)

    def run(self, case, seed, jitter, wording, plan):
        qid = case["qid"]
        if plan["qid"] != "name" and self.chance(0.2):
            qid = str(qid) if isinstance(qid, int) else int(qid)
        obj = {self.pick(["qid"] * 15 + ["q_id"]): qid}
        if seed != 0 or self.chance(0.8):
            obj["seed"] = seed
        elif self.chance(0.3):
            obj["seed"] = None
        if jitter != "none" or self.chance(0.8):
            obj["jitter"] = jitter
        elif self.chance(0.3):
            obj["jitter"] = None
        if wording is not None or self.chance(0.02):
            obj["paraphrase"] = wording
        if plan["knobs"] is not None:
            obj["knobs"] = dict(self.r.sample(list(plan["knobs"].items()), len(plan["knobs"])))
        if self.chance(0.2):
            obj["run_id"] = f"{qid}#seed={seed};j={jitter}"
        if self.chance(plan["broken"]):
            obj["ok"] = False
            if self.chance(0.5):
                obj["answer_json"] = self.pick([None, {}, {"claim": ""}, {"claim": None}, {"claim": " \n"}])
            if self.chance(0.5):
                obj["retrieved_ids"] = self.pick([None, [], ["p1#1"]])
            return obj
        obj["answer_json"], obj["retrieved_ids"] = self.answer(case, plan)
        if self.chance(0.2):
            obj["ok"] = self.pick([True, True, True, None, False])
            said = obj["answer_json"]["claim"]
            if obj["ok"] is False and not (isinstance(said, str) and answers.trim(said)):
                obj["ok"] = True  # a failed call without a claim says nothing else either
        return self.add_junk(obj, 0.02)

    # -------------------------------------------------------------------------------------------------- a set

    def mood(self, calm):
        """How one case behaves; more than half of them nearly always hold."""
        if calm:
            return dict.fromkeys(["odd", "refuse", "drift", "miscite", "extra", "broken"], 0) | {"refuse_well": 1}
        if self.chance(0.6):
            return {
                "odd": self.pick([0, 0, 0.01]), "refuse": self.pick([0, 0, 0.03]), "refuse_well": self.pick([1, 1, 0.98]),
                "drift": self.pick([0, 0, 0.05, 0.2]), "miscite": self.pick([0, 0, 0.04]), "extra": self.pick([0, 0, 0.2]),
                "broken": self.pick([0, 0, 0, 0.01]),
            }
        return {
            "odd": self.pick([0, 0.1, 0.3]), "refuse": self.pick([0, 0.1, 0.5, 1]), "refuse_well": self.pick([0, 0.5, 0.9]),
            "drift": self.pick([0, 0.5, 1]), "miscite": self.pick([0, 0.3, 1]), "extra": self.pick([0, 0.5]),
            "broken": self.pick([0, 0, 0.1, 0.5]),
        }

    def habits(self, case):
        """What a case mostly says, retrieves and cites; its citations are gold's and up to seven more of those retrieved."""
        case["claim"] = self.base_claim(case)
        others = [one for one in generate.IDS if one not in case["ids"]]
        slots = case["ids"] + self.r.sample(others, self.r.randint(2, 10))
        case["slots"] = self.r.sample(slots, len(slots))
        case["cites"] = list(case["ids"])
        if case["ids"] and self.chance(0.4):
            case["cites"] += self.r.sample(case["slots"], min(self.r.randint(1, 7), len(slots)))

    def at_a_limit(self, case, objects):
        """Changes some of a case's runs so that one metric lands on its threshold or one step from it."""
        good = [obj for obj in objects if isinstance(obj.get("answer_json"), dict) and obj["answer_json"].get("claim")]
        if not good:
            return
        which = self.pick(["css", "ned", "count"])
        if which == "css":
            kept, all_of_them = self.pick([(7, 10), (7, 10), (5, 7), (2, 3), (9, 13), (14, 20)])
            others = [one for one in generate.IDS if one not in case["ids"]]
            ids = (case["ids"] + self.r.sample(others, all_of_them))[:all_of_them]
            for at, obj in enumerate(good):
                obj["retrieved_ids"] = self.r.sample(ids, len(ids))
                obj["answer_json"]["citations"] = ids if at == 0 else ids[:kept]
        elif which == "ned":
            said = stability.canonical(case["claim"])
            said += "z" * (-len(said) % 4)
            tail = "q" * (len(said) // 4 + self.pick([0, 0, 1, -1]))
            for at, obj in enumerate(good):
                obj["answer_json"]["claim"] = self.pick(["", " ", "- "]) + said + (tail if at % 2 else "") + self.pick(["", "!"])
        else:
            for obj in self.r.sample(good, max(1, len(good) // self.pick([20, 20, 50]))):
                which = self.pick(["claim", "claim", "citations", "both"])
                if which != "citations":
                    obj["answer_json"]["claim"] = "elsewhere" if case["answerable"] or self.chance(0.5) else "not in context."
                if which != "claim":
                    obj["answer_json"]["citations"] = [*case["cites"], "p9#9"] if self.chance(0.7) else []

    def one_set(self):
        plan = {
            "qid": self.pick(["name", "name", "int", "digits"]),
            "answerable": self.pick([1, 0.7, 0.7, 0]),
            "constrained": self.pick([0, 0, 0.5, 1]),
        }
        absent = self.pick([0, 0, 0, 0.02, 0.3])
        plan["knobs"] = self.pick([None, None, None, {}, {"k": 5, "model": "m"}])
        # Paraphrases: which are asked, whether gold lists its own, and whether the question itself is asked too.
        words, listing, plain = self.pick([[], [], [], [0], [0, 1], [1, 4]]), self.pick([0, 0.7, 1]), self.chance(0.8)
        repeated = self.pick([0, 0, 0.1])
        seeds = self.r.sample(SEEDS[:6] if self.chance(0.8) else SEEDS, self.pick([1, 2, 3, 3, 4, 5]))
        jitters = self.r.sample(JITTERS[:5] if self.chance(0.8) else JITTERS, self.pick([1, 1, 2, 3, 4]))
        count = self.r.randint(1, self.pick([1, 3, 6]))
        limits = self.chance(0.2)
        if self.chance(0.06):  # where 49 of 50 are enough
            seeds, jitters, count, plan["answerable"] = list(range(10)), JITTERS[:5], self.pick([1, 1, 2]), self.pick([0, 0, 1])
            limits = True
        elif limits and self.chance(0.6):  # where 19 of 20 are
            seeds, jitters, count = SEEDS[:5], JITTERS[:4], self.pick([1, 1, 2])
        if limits:
            absent, words = 0, []
        cases, gold_rows, objects = [], [], []
        for number in range(count):
            case, row = self.case(number, plan)
            self.habits(case)
            wordings = list(words)
            if words and self.chance(listing):
                row["paraphrases"] = [f"Wording {at} of {number}?" for at in range(self.pick([0, 1, 2, 3]))]
                wordings = list(range(len(row["paraphrases"])))
            if plain or not words:
                wordings.append(None)
            cases.append(case)
            gold_rows.append(row)
            mood = plan | self.mood(limits)
            own = []
            if not self.chance(absent / 3):
                for seed in seeds:
                    for jitter in jitters:
                        for wording in wordings:
                            if not self.chance(absent):
                                again = range(2 if self.chance(repeated) else 1)
                                own += [self.run(case, seed, jitter, wording, mood) for _ in again]
            if limits and self.chance(0.8):
                self.at_a_limit(case, own)
            objects += own
        if self.chance(0.02):
            objects = []
        if self.chance(0.6):
            self.r.shuffle(objects)
        files = {"gold.jsonl": self.lines(gold_rows)}
        pairs = [["--gold", "gold.jsonl"], ["--trace", "stability.jsonl"]]
        cut = self.r.randint(0, len(objects)) if self.chance(0.2) else len(objects)
        files["stability.jsonl"] = self.lines(objects[:cut])
        if cut < len(objects):
            files["stability2.jsonl"] = self.lines(objects[cut:])
            pairs.append(["--trace", "stability2.jsonl"])
        if self.chance(0.1):
            pairs.insert(self.r.randint(0, len(pairs)), ["--preset", "stable"])
        return files, [word for pair in pairs for word in pair]


def in_doubt(gold, traces, verdict):
    cases = {case["id"]: case for case in answers.read_gold(gold)}
    runs = stability.read_runs(list(cases.values()), traces)
    for qid, figures in verdict["details"].items():
        # A median of two different distances is a sum of doubles; the rest are plain ratios of counts.
        if any(doubtful(figures[name], name != "ned50") for name in stability.PER_CASE):
            return True
        rows = [answers.make_row(cases[qid], trace, "report") for trace in runs[qid].values()]
        if not rows:
            continue
        claims = [stability.canonical(stability.claim_of(trace)) for trace in runs[qid].values()]
        away = sorted(stability.distances(rows, claims))
        middles = set(away[(len(away) - 1) // 2 : len(away) // 2 + 1])
        if len(middles) == 2 and abs(figures["ned50"] - Fraction(1, 5)) < Fraction(1, 10**9):
            return True
        # Whether what is no id counts among the cited is not settled.
        if figures["css"] != stability.jaccard([row["cited"] for row in rows]):
            return True
    return False


def main():
    parser = argparse.ArgumentParser(description="Random sets for `karat stability` with the oracle's results.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--dir", type=Path, required=True)
    call = parser.parse_args()
    maker = Maker(random.Random(call.seed))
    number = 0
    while number < call.count:
        files, args = maker.one_set()
        inputs = stability.load(args, files.__getitem__)
        verdict = stability.score(*inputs)
        if in_doubt(*inputs, verdict):
            continue
        folder = call.dir / f"{number:05}"
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            (folder / name).write_bytes(data)
        (folder / "args.json").write_text(json.dumps(args, ensure_ascii=False), encoding="utf-8")
        expected = json.dumps(stability.shown(verdict), ensure_ascii=False, indent=1)
        (folder / "expected.json").write_text(expected, encoding="utf-8")
        number += 1


if __name__ == "__main__":
    main()
