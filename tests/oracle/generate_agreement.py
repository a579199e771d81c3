"""Writes random labelled items for `karat agreement`, each set with the oracle's result.

Usage: python3 generate_agreement.py --seed S --count N --dir DIR

DIR/00000/ holds pairs.jsonl or one file a rater, args.json (the words after `karat agreement`) and expected.json. The
same seed writes the same bytes. Nothing that the specification calls an input error is ever written; a set in which the
last bit of a double would decide a rounded figure is thrown away.
"""

import argparse
import json
import random
import sys
from fractions import Fraction
from pathlib import Path

sys.dont_write_bytecode = True
import agreement  # noqa: E402
import generate  # noqa: E402

NAMES = ["human", "judge", "gpt-judge", "judge_2", "bob", "Alice", "r5"]
# None of these rejects: an unknown name, and what is not exactly true.
IDLE_FLAGS = [("tone", True), ("provenance_violation", False), ("constraints_mismatch", None), ("tone", None)]


def kappa_at_its_limit():
    """Tables of two labels with kappa exactly 3/4 and agreement of at least 9/10: (both, first, second, neither)."""
    tables = []
    for first in range(6):
        for second in range(6):
            for both in range(1, 60):
                for neither in range(1, 20):
                    n = both + first + second + neither
                    if first + second and 10 * (first + second) <= n:
                        share = (both + first) * (both + second) + (neither + first) * (neither + second)
                        if 4 * ((both + neither) * n - share) == 3 * (n * n - share):
                            tables.append((both, first, second, neither))
    return tables


AT_THE_LIMIT = kappa_at_its_limit()


class Maker(generate.Maker):
    # --------------------------------------------------------------------------------------------------- labels

    def labels(self, raters):
        """A list of items, each with a label of every rater."""
        x = self.r.random()
        if x < 0.03:
            return []
        if x < 0.1 and raters == 2:
            one, other = self.r.sample(agreement.LABELS[:3], 2)
            cells = [(one, one), (one, other), (other, one), (other, other)]
            items = [list(cell) for cell, count in zip(cells, self.pick(AT_THE_LIMIT)) for _ in range(count)]
            self.r.shuffle(items)
            return items
        n = self.pick([1, 2, 3, 10, 20, 50, 50, 100, self.r.randint(4, 60), self.r.randint(4, 60)])
        prevalent = self.pick([["VALID"], agreement.LABELS[:2], agreement.LABELS[:3], agreement.LABELS[:3], ["REJECT", "NOT_IN_CONTEXT"]])
        steady = self.pick([1, 0.97, 0.95, 0.9, 0.8, 0.3])
        abstain = self.pick([0, 0, 0.01, 0.02, 0.1])
        items = []
        for _ in range(n):
            truth = self.pick(prevalent)
            item = [truth if self.chance(steady) else self.pick(agreement.LABELS[:3]) for _ in range(raters)]
            if self.chance(abstain):
                item = ["ABSTAIN" if self.chance(0.6) else label for label in item]
            items.append(item)
        if n in (50, 100) and self.chance(0.4):  # a rate at its limit, or one beside it
            count = n // 50 + self.pick([0, 0, 1])
            for item in self.r.sample(items, count):
                item[:] = ["ABSTAIN"] * raters
        return items

    def spelled(self, label):
        if label == "REJECT" and self.chance(self.invalid):
            label = "INVALID"
        if self.chance(self.loose):
            label = self.pick([str.lower, str.title, str.swapcase])(label)
        if self.chance(self.loose / 2):
            label = self.pick(generate.PADS[:5]) + label + self.pick(["", " ", "\u3000"])
        return label

    def opinion(self, label):
        obj = {"label": self.spelled(label)}
        if self.chance(0.5):
            obj["reason"] = self.pick(["", "ok", "cites p1#1, which was not retrieved", None, "gr\u00fcndlich \U0001f980", "VALID"])
        return self.add_junk(obj, 0.03)

    # ---------------------------------------------------------------------------------------------------- pairs

    def evidence(self, row):
        """Citations and retrieved ids, most of them in scope."""
        slots = self.r.sample(generate.IDS, self.r.randint(0, 6))
        cited = self.r.sample(slots, self.r.randint(0, len(slots)))
        x = self.r.random()
        if x < 0.15:
            cited.append(self.pick(generate.IDS))
        elif x < 0.2:
            cited.append(self.pick(["", " ", "\u00a0"]))
        elif x < 0.25:
            cited.insert(0, generate.Raw(json.dumps(self.pick(generate.FOREIGN))))
        answer = self.add_junk({"claim": self.pick(["X rejects null keys", "", "not in context", None, 5])}, 0.03)
        x = self.r.random()
        if x < 0.08:
            answer["citations"] = self.pick(["p1#1", "", {}, 7, 0.5, True, False])
        elif x < 0.12:
            answer["citations"] = None
        elif x < 0.97:
            answer["citations"] = [one if isinstance(one, generate.Raw) else self.padded(one) for one in cited]
        x = self.r.random()
        if x < 0.9:
            row["answer_json"] = answer
        elif x < 0.95:
            row["answer_json"] = self.pick([None, {}, "X rejects null keys", [], 7, False])
        x = self.r.random()
        if x < 0.9:
            row["retrieved_ids"] = self.written_list(slots, 0.05)
        elif x < 0.95:
            row["retrieved_ids"] = self.pick([None, []])

    def flags(self, row):
        flags = {name: self.chance(0.5) for name in agreement.FLAGS if self.chance(0.6)} if self.chance(0.3) else {}
        if self.chance(0.3):
            name, value = self.pick(IDLE_FLAGS)
            flags.setdefault(name, value)
        row["flags"] = flags if self.chance(0.95) else None

    def pair(self, qid, item, plan):
        row = {"qid": qid, "scholar": self.opinion(item[0]), "auditor": self.opinion(item[1])}
        if self.chance(plan["evidence"]):
            self.evidence(row)
        if self.chance(plan["flags"]):
            self.flags(row)
        return self.add_junk(row, 0.03)

    # -------------------------------------------------------------------------------------------------- a set

    def qids(self, count):
        style = self.pick(["name", "name", "int", "digits", "mixed", "odd"])
        prefix = self.pick(["\u03a3\u00df-", "q/", "\U0001f980", "a b "])
        names = []
        for number in range(count):
            if style == "name":
                names.append(f"A{number:04}")
            elif style == "odd":
                names.append(prefix + str(number))
            else:
                names.append(number if style == "int" or (style == "mixed" and self.chance(0.5)) else str(number))
        return names

    def other_spelling(self, qid):
        """A whole number and its text are one id."""
        if isinstance(qid, int) and self.chance(0.2):
            return str(qid)
        if isinstance(qid, str) and qid.isdecimal() and self.chance(0.2):
            return int(qid)
        return qid

    def one_set(self):
        raters = self.pick([2, 2, 2, 2, 2, 2, 2, 3, 3, 4, 5])
        self.loose = self.pick([0, 0, 0.1, 0.5])
        self.invalid = self.pick([0, 0.3, 1])
        items = self.labels(raters)
        qids = self.qids(len(items))
        if raters == 2 and self.chance(0.65):
            plan = {"evidence": self.pick([0, 0, 0.5, 1]), "flags": self.pick([0, 0, 0.3, 1])}
            rows = [self.pair(qid, item, plan) for qid, item in zip(qids, items)]
            return {"pairs.jsonl": self.lines(rows)}, self.words([["--pairs", "pairs.jsonl"]])

        names = ["scholar", "auditor"] if raters == 2 and self.chance(0.3) else self.r.sample(NAMES, raters)
        lack = self.pick([0, 0, 0, 0.02, 0.2])
        apart = self.chance(0.03)  # no item that all have
        files, pairs = {}, []
        for at, name in enumerate(names):
            rows = []
            for number, (qid, item) in enumerate(zip(qids, items)):
                if self.chance(lack) or (apart and number % raters == at):
                    continue
                rows.append({"qid": self.other_spelling(qid), **self.opinion(item[at])})
            if self.chance(0.5):
                self.r.shuffle(rows)
            files[f"{name}.jsonl"] = self.lines(rows)
            pairs.append(["--rater", f"{name}={name}.jsonl"])
        if self.chance(0.5):
            pairs.insert(self.r.randint(0, len(pairs)), ["--truth", self.pick(names)])
        return files, self.words(pairs)

    def words(self, pairs):
        if self.chance(0.1):
            pairs.insert(self.r.randint(0, len(pairs)), ["--preset", "consistency"])
        return [word for pair in pairs for word in pair]


def doubtful(value, simple=False):
    """Whether a figure lies on, or very near to, a tie of the fourth decimal. A plain ratio of counts that a double holds
    exactly is beyond doubt."""
    if not isinstance(value, Fraction):
        return False
    if simple and value.denominator & (value.denominator - 1) == 0:
        return False
    return abs(value * 10_000 % 1 - Fraction(1, 2)) < Fraction(1, 10**7)


def in_doubt(verdict):
    figures = [verdict] + list(verdict.get("truth", {}).values())
    return any(doubtful(value, name not in ("kappa", "ac1")) for one in figures for name, value in one.items())


def main():
    parser = argparse.ArgumentParser(description="Random sets for `karat agreement` with the oracle's results.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--dir", type=Path, required=True)
    call = parser.parse_args()
    maker = Maker(random.Random(call.seed))
    number = 0
    while number < call.count:
        files, args = maker.one_set()
        verdict = agreement.score(*agreement.load(args, files.__getitem__))
        if in_doubt(verdict):
            continue
        folder = call.dir / f"{number:05}"
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            (folder / name).write_bytes(data)
        expected = agreement.report(verdict)
        (folder / "args.json").write_text(json.dumps(args, ensure_ascii=False), encoding="utf-8")
        (folder / "expected.json").write_text(json.dumps(expected, ensure_ascii=False, indent=1), encoding="utf-8")
        number += 1


if __name__ == "__main__":
    main()
