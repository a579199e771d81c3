"""Writes random gold sets, block tables and traces for `karat retrieval`, each with the oracle's result.

Usage: python3 generate_retrieval.py --seed S --count N --dir DIR

DIR/00000/ holds gold.jsonl, sometimes blocks.jsonl, trace.jsonl, sometimes trace2.jsonl and live.jsonl, args.json (the
words after `karat retrieval`) and expected.json. The same seed writes the same bytes. No input error is ever written,
and a set in which the last bit of a double would decide a rounded figure, a limit or a gate is thrown away.
"""

import argparse
import json
import random
import sys
from fractions import Fraction
from pathlib import Path

sys.dont_write_bytecode = True
import retrieval  # noqa: E402
import vetting

SECTIONS = ["S.4", "S.4.1", "S.4.2", "S.4.10", "S.5", "S.5.1.2", "S.4.2.a1", "A.3.1", "A.3", "B.2", "C"]
NUMBERED = ["3.2", "3", "3.10", "4.1.1", "p005"]
OPAQUE = ["docA#s03#p00{n}", "c_{n:05}", "hb24-sec-keys-{n:04}", "S.4.2.p", "Bk{n}", "doc{n}", "\u7bc0-{n}", "docB|r=1|p=00{n}|b=006"]
WORDS = ["prose", "code", "table", "figure", "paragraph", "caption", "formula", "cap", "sidebar"]
SPELLINGS = {
    "convergent": ["\u2192", "->", "convergent", "Convergent", "CONVERGENT"],
    "divergent": ["\u2190", "<-", "divergent", "Divergent", "DIVERGENT"],
    "recursive": ["<>", "recursive", "Recursive", "rEcUrSiVe"],
    "chaotic": ["\u00d7", "x", "chaotic", "Chaotic", "CHAOTIC"],
}
EDGES = [0.40, 0.45, 0.55, 0.60, 0.4501, 0.6001, 0.3999, 0, 1, 0.0, 1.0]
SHIFTS = [0, 0, 0, 25, 30, 31, 2000]


class Maker:
    def __init__(self, r):
        self.r = r

    def chance(self, p):
        return self.r.random() < p

    def pick(self, some):
        return some[int(self.r.random() * len(some))]

    def some(self, pool, most):
        pool = list(pool)
        self.r.shuffle(pool)
        return pool[: self.r.randint(0, most)]

    # ---------------------------------------------------------------------------------------------- the corpus

    def zeros(self, section):
        """The same section spelled with leading zeros: S.4 is S.04."""
        return ".".join("0" + part if part.isdigit() and self.chance(0.4) else part for part in section.split("."))

    def block(self, number, start):
        grammar = self.pick(["typed"] * 6 + ["untyped"] * 2 + ["pipe"] * 2 + ["opaque"])
        section = self.pick(NUMBERED if grammar == "pipe" else self.sections)
        if grammar == "opaque":
            one = self.pick(OPAQUE).format(n=number)
            section = None
        elif grammar == "pipe":
            one = f"docA|r=8c1e9a02|s={section}|p={number % 7:03}|b={number:03}"
        elif grammar == "typed":
            tag = self.pick(["p", "p", "p", "c", "t", "f", "cap"])
            one = f"{self.zeros(section) if self.chance(0.1) else section}.{tag}.{self.pick(['Bk', 'Bk', 'bk'])}{number:03}{self.pick(['', '', 'a', 'b'])}"
        else:
            one = f"{section}.{self.pick(['bk', 'Bk'])}{number:03}{self.pick(['', '', 'a'])}"
        row = {"id": one, "offsets": [start, start + self.r.randint(70, 900)]}
        if self.chance(0.6):
            row["type"] = self.pick(WORDS[:4] if self.chance(0.7) else WORDS)
        if self.chance(self.explicit):
            x = self.r.random()
            if x < 0.5 and section is not None:
                row["section_id"] = self.zeros(section)
            else:
                row["section_id"] = self.pick(SECTIONS + NUMBERED) if x < 0.97 else "intro"
        return row

    def corpus(self):
        pool = SECTIONS[:7] if self.chance(0.5) else SECTIONS
        self.sections = [self.pick(pool) for _ in range(self.r.randint(1, 5))]
        self.explicit = self.pick([0, 0, 0.3, 0.8])
        blocks, start = [], 3000
        for number in range(self.r.randint(5, 30)):
            blocks.append(self.block(number, start))
            start = blocks[-1]["offsets"][1] + self.r.randint(0, 80)
        ids = [row["id"] for row in blocks]
        return [row for place, row in enumerate(blocks) if row["id"] not in ids[:place]]

    # ---------------------------------------------------------------------------------------------------- gold

    def question(self, number):
        ids = list(self.spans)
        first = self.pick(ids)
        place = retrieval.section_of(first, self.table)
        near = [one for one in ids if retrieval.section_of(one, self.table) == place]
        relevant = list(dict.fromkeys([first] + self.some(near, 2) + (self.some(ids, 2) if self.chance(0.3) else [])))
        row = {"qid": self.pick(["Q-{:04}", "Q-{:04}", "q{}", "\u554f{}", "a b {}"]).format(number)}
        wordings = self.wordings if self.wordings is not None else self.r.randint(0, 3)
        if wordings or self.chance(0.3):
            row["paraphrases"] = [f"Question {number}, wording {one}\u2026" for one in range(wordings)]
        bad = [one for one in self.some(ids, 3) if one not in relevant]
        row["relevant"] = relevant
        if self.chance(self.graded):
            row["relevant"] = {one: self.pick([1, 2, 3]) for one in relevant}
            row["relevant"] |= {one: 0 for one in self.some(ids, 2) if one not in relevant}
        if bad or self.chance(0.3):
            row["negatives"] = bad
        if not self.chance(self.unanchored):
            x = self.r.random()
            own = self.table.get(first, {}).get("section_id") or retrieval.parse_id(first)[0]
            if own in (None, "intro") or x < 0.1:
                own = self.pick(SECTIONS + NUMBERED)
            row["anchor_section"] = self.zeros(own) if self.chance(0.2) else own
        if self.gold_offsets == "false":  # the table wins
            row["offsets"] = {one: [0, 9] if self.chance(0.5) else self.spans[one] for one in relevant}
        elif self.gold_offsets == "true":
            row["offsets"] = {one: self.spans[one] for one in relevant if not self.chance(0.03)}
        if self.chance(0.2):
            row["workflow"] = self.pick(["hotfix", "feature"])
        keys = list(row)
        if self.chance(0.2):
            self.r.shuffle(keys)
        return {key: row[key] for key in keys}

    # --------------------------------------------------------------------------------------------------- traces

    def distance(self):
        if self.chance(0.12):
            return self.pick(EDGES)
        top = 0.42 if self.near else 1
        return round(self.r.random() * top, 4 if self.chance(0.03) else self.pick([2, 2, 3]))

    def vector(self):
        if self.chance(0.08):
            return [0] * self.width
        near = 3 if self.near else 0
        return [self.r.randint(-3, 6) + (near if place == 0 else 0) for place in range(self.width)]

    def citation(self, gold, ids, skill):
        relevant = [one for one in gold["relevant"] if not isinstance(gold["relevant"], dict) or gold["relevant"][one]]
        shift = (0, 0)
        if self.chance(skill):
            found = [one for one in relevant if one in ids]
            one = self.pick(found or relevant)
            if self.chance(0.25):
                shift = (self.pick([0, 25, 30]), self.pick([0, 25, 30]))
        else:
            one = self.pick(self.pick([relevant, ids or relevant, list(self.spans), [self.ghost()]]))
            shift = (self.pick(SHIFTS), self.pick(SHIFTS))
        start, end = self.spans.get(one, [100, 900])
        if self.chance(0.2):  # a narrower span is inside as well
            start, end = start + 25, end - 25
        cited = {"id": one, "offsets": [max(0, start - shift[0]), end + shift[1]]}
        if not self.chance(skill) and self.chance(0.15):
            del cited["offsets"]
        return cited

    def ghost(self):
        return self.pick(["S.9.9.p.Bk999", "S.4.2.c.Bk998", "A.3.1.bk997", "zz|r=0|s=3.2|p=000|b=996", "nowhere"])

    def ranking(self, gold, skill):
        size = self.pick([0, self.r.randint(1, 4), 5, self.r.randint(5, 10), self.r.randint(10, 15)])
        if skill > 0.8 and size == 0 and self.chance(0.8):
            size = 5
        ids = list(self.spans) + ["S.9.9.p.Bk999", "nowhere", "zz|r=0|s=3.2|p=000|b=996"]
        self.r.shuffle(ids)
        ids = ids[:size]
        for one in gold["relevant"]:
            if size and self.chance(skill) and one not in ids:
                ids[int(self.r.random() ** 2 * len(ids))] = one
        return ids

    def trace(self, gold, paraphrase, seed, side):
        """One line; `paraphrase` is an index, or None for a further wording."""
        skill = side["skill"]
        ids = self.ranking(gold, skill)
        row = {"qid": gold["qid"]}
        listed = gold.get("paraphrases") or []
        if paraphrase is None:
            x = self.r.random()
            if x < 0.5:
                row["query"] = self.pick(["another wording", "a third wording"])
            elif x < 0.7:
                row["paraphrase"] = len(listed) + self.r.randint(0, 2)
                row["query"] = self.pick(["another wording"] + listed)
        else:
            named = self.pick(side["naming"])
            if named != "query":
                row["paraphrase"] = paraphrase
            if named != "index":
                row["query"] = listed[paraphrase]
            elif self.chance(0.3):
                row["query"] = self.pick(["a wording that is not listed"] + listed)
        if seed or self.chance(0.4):
            row["seed"] = seed
        row["topk"] = []
        for rank, one in enumerate(ids):
            item = {"id": one, "score": round(1 - rank / 20 if self.chance(0.95) else self.r.random(), 4)}
            item["offsets"] = self.spans.get(one, [100, 900])
            if self.chance(side["typed"]):
                item["type"] = self.pick(WORDS) if self.chance(0.2) else self.table.get(one, {}).get("type") or "prose"
            row["topk"].append(item)
        source = self.pick(side["sources"])
        if source in ("logged", "both"):
            row[self.pick(side["greek"])[0]] = [self.distance() for _ in ids]
        elif self.chance(0.1):
            row["\u0394S"] = None
        if source in ("computed", "both"):
            row["query_vec"] = self.vector()
            for item in row["topk"]:
                if not self.chance(0.1):
                    item["vec"] = self.vector()
        if self.chance(side["states"]):
            state = "convergent" if self.chance(max(skill, 0.6)) else self.pick(list(SPELLINGS))
            row[self.pick(side["greek"])[1]] = self.pick(SPELLINGS[state])
        if self.chance(side["answered"]):
            row["answer_citations"] = [self.citation(gold, ids, skill) for _ in range(self.pick([1, 1, 1, 2, 3]))]
        elif self.chance(0.6):
            row["answer_citations"] = self.pick([None, []])
        for name, value in (("anchor", "S.4.2"), ("index_hash", side["hash"]), ("ts", "2025-08-27T12:30:22Z")):
            if self.chance(0.6):
                row[name] = value
        return row

    def side(self, gold, name):
        """All lines of one trace."""
        side = {
            "skill": self.pick([1, 1, 1, 0.95, 0.8, 0.5, 0.1]),
            "naming": self.pick([["index"], ["query"], ["both"], ["index", "query", "both"]]),
            "typed": self.pick([0, 0.5, 1]),
            "sources": self.pick([["logged"]] * 4 + [["none"], ["computed"], ["both"], ["logged", "none"], ["logged", "computed", "none"]]),
            "greek": self.pick([[("\u0394S", "\u03bb_state")], [("delta_s", "lambda_state")], [("\u0394S", "\u03bb_state"), ("delta_s", "lambda_state")]]),
            "states": self.pick([0, 0, 0.5, 1, 1]),
            "answered": self.pick([0, 0.5, 0.5, 0.9, 0.9, 0.9, 1, 1, 1]),
            "hash": f"faiss:{name}",
        }
        missing = self.pick([0, 0, 0, 0.1, 0.5])
        absent = self.pick([0, 0, 0, 0.1, 0.4])
        if self.good:
            side |= {"skill": self.pick([1, 1, 0.97]), "sources": ["logged"], "answered": self.pick([1, 1, 0.9])}
            missing = absent = 0
        repeated = self.pick([0, 0, 0.1, 0.4])
        further = self.pick([0, 0, 0.1, 0.5])
        seeds = self.pick([[0], [0], [0, 1], [1, 2], [0, 1, 7]])
        rows = []
        for one in gold:
            if self.chance(missing):
                continue
            for seed in seeds:
                numbers = list(range(len(one.get("paraphrases") or []))) or [None]
                numbers = [number for number in numbers if not self.chance(absent)]
                if self.chance(further):
                    numbers.append(None)
                for number in numbers:
                    for _ in range(2 if self.chance(repeated) else 1):
                        rows.append(self.trace(one, number, seed, side))
        rows = rows[:40]
        while self.chance(0.2) and len(rows) < 40:
            stranger = {**gold[0], "qid": self.pick(["ZZ", gold[0]["qid"] + "z"])}
            rows.append(self.trace(stranger, None, 0, side))
        if self.chance(0.7):
            self.r.shuffle(rows)
        return rows

    def relative(self, rows):
        """A baseline that differs in a few rankings only."""
        rows = json.loads(json.dumps(rows))
        for row in rows:
            if "index_hash" in row:
                row["index_hash"] = "faiss:v2"
            if row["topk"] and self.chance(0.2):
                at = self.r.randint(0, len(row["topk"]) - 1)
                for name in ("topk", "\u0394S", "delta_s"):
                    if row.get(name):
                        del row[name][at]
        return rows

    def repeat_ids(self, gold, rows):
        """With --lenient: ids twice in one ranking, in lines that count."""
        questions = {row["qid"]: retrieval.Question(row) for row in gold}
        last = {}
        for row in rows:
            if row["qid"] in questions:
                last[row["qid"], retrieval.paraphrase_of(row, questions[row["qid"]]), row.get("seed", 0)] = row
        for row in last.values():
            if row["topk"] and self.chance(0.4):
                ds = next((row[name] for name in ("\u0394S", "delta_s") if row.get(name) is not None), None)
                for item in self.some(row["topk"], 2):
                    at = self.r.randint(row["topk"].index(item) + 1, len(row["topk"]))
                    row["topk"].insert(at, {**item, "score": 0.01, "type": self.pick(WORDS)})
                    if ds is not None:
                        ds.insert(at, self.distance())

    # --------------------------------------------------------------------------------------------------- gates

    def gates(self, inputs):
        """A gate list with thresholds at, just beside and far from the values that this set has."""
        settings = inputs[3]
        cuts = [self.r.randint(1, 12) for _ in range(2)]
        probe = {**settings, "gates": ",".join(f"P@{k}>=0" for k in cuts)}
        new, base = retrieval.raw_figures(*inputs[:3], probe, inputs[4])
        names = retrieval.metric_names(settings) + ["missing"]
        names += [f"{name}@{k}" for k in cuts for name in ("P", "R", "hit", "nDCG", "anchor_hit")]
        names += ["recall_drop@5"] * 3 if base else []
        friendly = self.chance(0.6)  # only gates that hold
        gates = {}
        for _ in range(self.r.randint(1, 5)):
            name = self.pick(names)
            value = new[name]
            if value is None:  # a rate; a gate that no rate could fail is refused
                threshold = self.pick(["0", "0.5", "1"])
            elif isinstance(value, int):
                threshold = self.pick(["0", "1", "2", "3", "0.5", str(value)])
            else:
                number = float(value)
                threshold = self.pick([f"{number:.4f}", f"{number:.2f}", f"{number:.6f}", f"{self.r.randint(0, 100) / 100}",
                                       self.pick(["0", "1", "0.5", "0.25", "0.75", "0.70", "0.95", "0.40", "0.02", "1.0"])])
                if threshold.startswith("-") and float(threshold) == 0:
                    threshold = "0"
            op = self.pick(["=", "=", ">=", ">=", "<=", "<=", ">", "<", "=="])
            stem = name.split("@")[0]
            better = "down" if name in retrieval.LOWER_IS_BETTER or stem + "@k" in retrieval.LOWER_IS_BETTER or stem in retrieval.LOWER_IS_BETTER else "up"
            count = name in ("missing", "negatives_above", "ds_over_limit")
            bounds = {"least": -1} if stem == "recall_drop" else {"most": None} if count or name == "anchor_proximity" else {}
            accepted = [
                one for one in ("=", ">=", "<=", ">", "<", "==")
                if vetting.decides(one, threshold, better, count=count, switchable=name == "missing", **bounds)
            ]
            if friendly:
                accepted = [one for one in accepted if one != "=" and retrieval.holds(value, one, threshold)]
            if not accepted:
                continue
            if op not in accepted:
                op = self.pick(accepted)
            before, after = self.pick([("", ""), ("", ""), (" ", " "), ("", " ")])
            gates[name] = name + before + op + after + threshold
        if not gates:
            gates["R"] = "R@5>=0.01"
        return self.pick([",", " ", ", "]).join(gates.values())

    # ----------------------------------------------------------------------------------------------------- set

    def lines(self, rows):
        ascii_only = self.chance(0.3)
        end = "\r\n" if self.chance(0.05) else "\n"
        text = end.join(json.dumps(row, ensure_ascii=ascii_only) for row in rows)
        return (text + (end if rows and not self.chance(0.05) else "")).encode("utf-8")

    def one_set(self):
        """(files, words) of one set."""
        blocks = self.corpus()
        with_table = self.chance(0.6)
        self.spans = {row["id"]: row["offsets"] for row in blocks}
        self.table = {row["id"]: row for row in blocks} if with_table else {}
        self.gold_offsets = self.pick(["none", "none", "false"] if with_table else ["true"] * 5 + ["none"])
        self.wordings = self.pick([None, 0, 1, 2, 3])
        self.graded = self.pick([0, 0, 0.5, 1])
        self.unanchored = self.pick([0, 0, 0, 0.3, 0.3, 1])
        self.good = self.chance(0.25)  # fit to pass the presets
        self.near = self.good or self.chance(0.5)
        self.width = self.r.randint(1, 4)
        gold = [self.question(number) for number in range(self.r.randint(1, self.pick([2, 5, 8])))]
        files = {"gold.jsonl": self.lines(gold)}
        words = [["--gold", "gold.jsonl"]]
        if with_table:
            wanted = {one for row in gold for one in row["relevant"]}
            thin = self.pick([0, 0, 0.3])
            kept = [row for row in blocks if row["id"] in wanted or not self.chance(thin)]
            files["blocks.jsonl"] = self.lines(kept)
            words.append(["--blocks", "blocks.jsonl"])
        rows = self.side(gold, "v3")
        live = self.relative(rows) if self.chance(0.4) else self.side(gold, "v2")
        if self.chance(0.15):
            self.repeat_ids(gold, rows)
            words.append(["--lenient"])
        cut = self.r.randint(0, len(rows)) if self.chance(0.25) else None
        files["trace.jsonl"] = self.lines(rows[:cut])
        traces = ["--trace", "trace.jsonl"]
        if cut is not None:
            files["trace2.jsonl"] = self.lines(rows[cut:])
            traces += ["--trace", "trace2.jsonl"]
        words.append(traces)
        if self.chance(0.35):
            files["live.jsonl"] = self.lines(live)
            words.append(["--baseline", "live.jsonl"])
        for k in {self.r.randint(1, 12) for _ in range(self.pick([0, 0, 0, 1, 2]))}:
            words.append(["--k", str(k)])
        if self.chance(0.3):
            words.append(["--window", self.pick(["0", "24", "25", "29", "30", "31", "2000"])])
        if self.chance(0.25):
            words.append(["--ds-k", str(self.r.randint(1, 12))])
        if self.chance(0.15):
            words.append(["--trec"])
        if self.chance(0.5):
            self.r.shuffle(words)
        words = [word for group in words for word in group]
        x = self.r.random()
        if x < 0.5:
            words += ["--gates", self.gates(retrieval.inputs_of(files.__getitem__, words))]
        elif x < 0.6:
            words += ["--preset", self.pick(["index", "canary"]) if "live.jsonl" in files else "index"]
        return files, words


def numbers(figures, names):
    yield from (figures[name] for name in names)
    for one in figures["by_type"].values():
        yield from one.values()


def doubtful(inputs):
    """Whether the last bit of a double would decide some figure."""
    settings = inputs[3]
    new, base = retrieval.raw_figures(*inputs)
    names = retrieval.metric_names(settings)
    shown = list(numbers(new, names))
    if base:
        shown += [*numbers(base, names), new["recall_drop@5"]]
        shown += [new[name] - base[name] for name in names if new[name] is not None and base[name] is not None]
    for value in shown:
        # A tie of the fourth decimal: fine where a double holds it exactly, a matter of taste elsewhere.
        if isinstance(value, float) and abs(value * 10_000 % 1 - 0.5) < 1e-6:
            return True
        if isinstance(value, Fraction) and value * 10_000 % 1 == Fraction(1, 2) and value.denominator > 32:
            return True
    for side in filter(None, (new, base)):
        if any(source == "computed" and abs(value - limit) < 1e-9 for value, source in side["cited_ds"] for limit in (0.40, 0.45, 0.60)):
            return True
    logged = {value for value, source in new["cited_ds"] if source != "computed"}
    for name, _, threshold in retrieval.chosen_gates(settings, base is not None):
        value = new[name]
        if isinstance(value, float) and abs(value - float(threshold)) < 1e-9:
            if not (name in ("ds_median", "ds_p90") and value in logged):
                return True
    return False


def main():
    parser = argparse.ArgumentParser(description="Random sets for `karat retrieval` with the oracle's results.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--dir", type=Path, required=True)
    call = parser.parse_args()
    maker = Maker(random.Random(call.seed))
    number = 0
    while number < call.count:
        files, words = maker.one_set()
        inputs = retrieval.inputs_of(files.__getitem__, words)
        if doubtful(inputs):
            continue
        folder = call.dir / f"{number:05}"
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            (folder / name).write_bytes(data)
        expected = retrieval.evaluate(*inputs)
        (folder / "args.json").write_text(json.dumps(words, ensure_ascii=False), encoding="utf-8")
        (folder / "expected.json").write_text(json.dumps(expected, ensure_ascii=False, indent=1), encoding="utf-8")
        number += 1


if __name__ == "__main__":
    main()
