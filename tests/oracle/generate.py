"""Writes random gold/trace pairs for `karat answers`, each with the oracle's result.

Usage: python3 generate.py --seed S --count N --dir DIR

DIR/00000/ holds a gold file (gold.jsonl or qaset.json), trace.jsonl, sometimes trace2.jsonl, args.json (the arguments
after `karat answers`) and expected.json. The same seed writes the same bytes. Nothing that the specification calls an
input error is ever written, and constraint locks only meet claims whose verdict is beyond doubt.
"""

import argparse
import json
import random
import sys
from fractions import Fraction
from pathlib import Path

sys.dont_write_bytecode = True
import answers  # noqa: E402
import vetting

PHRASES = [
    "rejects null keys", "only domain example.com", "p99 \u2264 2000 ms", "gr\u00f6\u00dfer als 5", "RFC 2119",
    "\u0130abc", "\ufb01nal", "\ufb03x it", "\u65e5\u672c", "\u65e5\u672c\u8a9e\u306e\u9375", "\u039f\u0394\u039f\u03a3 \u0391\u0392",
    "\u1f48\u0394\u03a5\u03a3\u03a3\u0395\u038e\u03a3", "\u039b\u038c\u0393\u039f\u03a3", "Stra\u00dfe 12", "STRASSE 12", "\u1e9etra\u00dfe",
    "cafe\u0301 noir", "caf\u00e9 noir", "\u01c5ungla", "\u2167 volumes", "\u212aelvin two", "a\u0307bcd", "na\u00efve-bayes",
    "\U00010400\U00010401\U00010402\U00010403\U00010404", "crab \U0001f980\U0001f980", "\u0130\u0130", "\u0130\u0130a", "\u03a3", "\u0391\u03a3\u03a3\u03a3\u03a3",
    "abcd", "ab", "five5", "key=value", "tab\tinside", "sep\u2028line", "nel\u0085line", 'say "hi" now', "c:\\temp\\x", "a/b/c/d", "nul\u0000byte",
]
# Text that contains no phrase of gold, no rule word, no negation.
OTHER_CLAIMS = [
    "free text with a list of nothing", "no idea", "x", "\u7b54\u3048\u306f\u4e0d\u660e", "\u0130", "- claim", "{\"claim\": \"rejects\"}", "42", "\U0001f980",
]
REFUSALS = [
    "not in context", "Not in context", "NOT IN CONTEXT", "  NOT IN CONTEXT \n", "\u00a0not in context\u2003", "\u001cnot in context\u001f",
    "\tnot in Context\r\n", "\u3000Not In Context\u2028", "\u0085\u2029not in context\u205f", "\u001d\u001e not in context\u000b\u000c", "nOt In CoNtExT\u1680",
]
ALMOST_REFUSALS = [
    "not in context.", "not  in context", "not\u00a0in context", "not\tin context", "Not in context!", "NOT \u0130N CONTEXT", "\u200bnot in context",
    "\ufeffnot in context", "not in context\u180e", "\"not in context\"", "not in contex", "It is not in context", "not in context\u0000",
]
LOCKS = ["X rejects null keys.", "TTL \u2264 5s.", "Only example.com.", "Sort keys by name."]
CONTRADICTIONS = ["X permits null keys", "X allows null keys.", "X ACCEPTS NULL KEYS.", "Indeed, X supports null keys", "X  permits null keys."]
NEGATIONS = ["X does not support null keys", "X never permits null keys.", "X doesn't accept null keys", "X DOES NOT ALLOW null keys."]

IDS = [f"p{page}#{part}" for page in range(5) for part in range(3)]
IDS += ["P1#1", "\u00f8#1", "\u65e5#2", "e\u0301#1", "\u00e9#1", "\U0001f980", 0, 7, 12, -3, 9007199254740993, 18446744073709551616]
SPACED_IDS = ["doc 7", "a, b"]
FOREIGN = [None, True, False, 1.5, ["p1#1"], {"id": "p1#1"}, []]
PADS = [" ", "\t", "\n", "\u00a0", "\u2003", "\u001c", "\u3000 "]
WORKFLOWS = ["hotfix", "feature", "\u30ea\u30ea\u30fc\u30b9", "a b", "Stra\u00dfe", 7]

RATES = [name for name in answers.METRICS if name not in answers.COUNTS]


class Raw(str):
    """A piece of JSON that is written as it stands."""


def text(one):
    return str(one) if isinstance(one, int) else one


class Maker:
    def __init__(self, r):
        self.r = r

    def chance(self, p):
        return self.r.random() < p

    def pick(self, some):
        return some[int(self.r.random() * len(some))]

    # ------------------------------------------------------------------------------------------ writing JSON

    def new_style(self):
        self.escaping = self.pick([0, 0.05, 0.3])
        self.spacing = self.pick([0, 0, 0.1, 0.5])

    def string(self, value):
        if self.r.random() >= self.escaping:
            return json.dumps(value, ensure_ascii=self.r.random() < 0.3)
        short = {'"': '\\"', "\\": "\\\\", "/": "\\/", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
        out = []
        for char in value:
            if char in short and self.chance(0.5):
                out.append(short[char])
            elif char < " " or char in '"\\' or self.chance(0.4):
                units = char.encode("utf-16-be")
                for at in range(0, len(units), 2):
                    digits = units[at : at + 2].hex()
                    out.append("\\u" + (digits.upper() if self.chance(0.5) else digits))
            else:
                out.append(char)
        return '"' + "".join(out) + '"'

    def space(self, newlines):
        if self.r.random() >= self.spacing:
            return ""
        return "".join(self.pick(" \t\n\r" if newlines else " \t") for _ in range(self.r.randint(1, 3)))

    def dump(self, value, newlines=False):
        gap = lambda: self.space(newlines)  # noqa: E731
        if isinstance(value, Raw):
            return str(value)
        if isinstance(value, str):
            return self.string(value)
        if isinstance(value, dict):
            keys = list(value)
            self.r.shuffle(keys)
            inner = ",".join(
                gap() + self.string(key) + gap() + ":" + gap() + self.dump(value[key], newlines) + gap() for key in keys
            )
            return "{" + (inner or gap()) + "}"
        if isinstance(value, list):
            inner = ",".join(gap() + self.dump(item, newlines) + gap() for item in value)
            return "[" + (inner or gap()) + "]"
        return json.dumps(value)

    def lines(self, objects):
        """JSON Lines with blank lines, CRLF, a BOM and a missing final newline here and there."""
        self.new_style()
        end = self.pick(["\n", "\n", "\r\n"])
        mixed = self.chance(0.1)
        parts = []
        for obj in objects:
            while self.chance(0.05):
                parts.append(self.pick(["", " ", "\t  "]) + end)
            parts.append(self.space(False) + self.dump(obj) + self.space(False) + (self.pick(["\n", "\r\n"]) if mixed else end))
        whole = "".join(parts)
        if self.chance(0.3):
            whole = whole.rstrip("\r\n")
        elif self.chance(0.1):
            whole += end + " " + end
        return (b"\xef\xbb\xbf" if self.chance(0.15) else b"") + whole.encode("utf-8")

    def array(self, objects):
        self.new_style()
        whole = self.space(True) + self.dump(objects, newlines=True) + self.pick(["", "\n", "\r\n\r\n"])
        return (b"\xef\xbb\xbf" if self.chance(0.15) else b"") + whole.encode("utf-8")

    # ------------------------------------------------------------------------------------- fields nobody reads

    def junk(self, depth=0):
        which = self.r.randint(0, 9)
        if which == 0:
            return "".join(self.pick(["\\", '"', "{", "}", "[", "]", ",", ":", "\n", "\u2028", "\U0001f980", "a", "\u0000"]) for _ in range(12))
        if which == 1:
            return Raw(self.pick(["123456789012345678901234567890", "-0", "1E+2", "1e-300", "-1.25e3", "0.1e1"]))
        if which == 2:
            return Raw("[" * 40 + "]" * 40)
        if which == 3:
            return "long " * self.r.randint(1, 60)
        if which == 4 and depth < 3:
            return [self.junk(depth + 1) for _ in range(self.r.randint(0, 4))]
        if which == 5 and depth < 3:
            return {"qid": "A0001", "claim": self.junk(depth + 1), "retrieved_ids": ["p1#1"], "citations": self.junk(depth + 1)}
        return self.pick([None, True, 3, 0.25, "x", {}, []])

    def add_junk(self, obj, p):
        while self.chance(p):
            obj[self.pick(["extra", "meta", "embedding", "QID", "Claim", "citation", "r\u00e9sum\u00e9", "x.y", "", 'a"b'])] = self.junk()
        return obj

    # ------------------------------------------------------------------------------------------------- gold

    def padded(self, one):
        """An id or constraint as it may be written: padded, or an integer as text."""
        if isinstance(one, int):
            return one if self.chance(0.7) else str(one)
        if self.chance(0.05):
            return self.pick(PADS) + one + self.pick(PADS)
        return one

    def gold_ids(self, answerable):
        if not answerable and self.chance(0.9):
            return []
        count = self.pick([0, 1, 1, 1, 2, 2, 3, 4])
        return self.r.sample(IDS, count)

    def written_ids(self, ids):
        written = [self.padded(one) for one in ids]
        if ids and self.chance(0.05):
            written.append(self.padded(self.pick(ids)))
        if self.chance(0.03):
            written.insert(0, self.pick(["", " ", "\u00a0"]))
        return written

    def gold_case(self, number, array, answerable, plan):
        style = plan["qid"]
        qid = number if style == "int" or (style == "mixed" and self.chance(0.5)) else f"A{number:04}"
        if style == "odd":
            qid = self.pick(["\u03a3\u00df-", "q/", "\U0001f980", "a b "]) + str(number)
        elif style == "digits":
            qid = str(number)
        question = f"Question {number}?" if self.chance(0.7) else self.pick(["\u4f55\u3067\u3059\u304b ", "Wie gro\u00df? ", 'Say "x"\t', "\u0130 "]) + str(number)
        if plan["same_question"] and self.chance(0.5):
            question = "The same question?"
        ids = self.gold_ids(answerable)
        phrases = self.r.sample(PHRASES, self.pick([0, 1, 1, 1, 2, 3])) if answerable or self.chance(0.1) else []
        case = {"qid": qid, "question": question, "answerable": answerable, "ids": ids, "phrases": phrases, "forbidden": [], "locks": []}
        row = {"qid": qid, "answerable": answerable}
        if array:
            row["q"] = question
            row["gold_ids"] = self.written_ids(ids)
            case["match"] = "any"
            if phrases:
                row["gold_claim"] = self.pick(["", "- ", "The "]) + ", ".join(phrases) + self.pick(["", "."])
                case["phrases"] = [row["gold_claim"]] + phrases
            elif self.chance(0.3):
                row["gold_claim"] = None
        else:
            row["question"] = question
            row["gold_claim_substr"] = list(phrases)
            row["gold_citations"] = self.written_ids(ids)
            case["match"] = self.pick(["any", "any", "all"])
            if case["match"] == "all" or self.chance(0.2):
                row["match"] = case["match"]
            elif self.chance(0.05):
                row["match"] = None
            if self.chance(0.2):
                case["forbidden"] = [one for one in self.r.sample(PHRASES, self.pick([0, 1, 2])) if one not in phrases or self.chance(0.1)]
                row["forbidden_substr"] = case["forbidden"]
            elif self.chance(0.05):
                row["forbidden_substr"] = None
            if self.chance(plan["constrained"]):
                case["locks"] = [self.pick(LOCKS + LOCKS[:1]) for _ in range(self.pick([1, 1, 2, 3]))]
                row["constraints"] = [self.padded(lock) for lock in case["locks"]] + self.pick([[], [], [], [""], [" "]])
            elif self.chance(0.1):
                row["constraints"] = self.pick([None, [], [" "]])
        if self.chance(0.7):
            row["workflow"] = self.pick(WORKFLOWS)
        elif self.chance(0.2):
            row["workflow"] = None
        if self.chance(0.1):
            row["notes"] = self.pick(["co-located", None, "\u0000\u2028"])
        return case, self.add_junk(row, 0.08)

    # ------------------------------------------------------------------------------------------------ traces

    def recased(self, phrase):
        return self.pick([str, str, str.upper, str.lower, str.swapcase, str.title])(phrase)

    def claim(self, case, skill):
        """What the pipeline says; anything at all may come out, mostly according to its skill."""
        x = self.r.random()
        if x < 0.03:
            return self.pick(ALMOST_REFUSALS)
        if x < 0.05:
            return self.pick(["", " ", "\n\u00a0", "\u001c"])
        if self.chance(skill):
            if not case["answerable"]:
                return self.pick(REFUSALS)
            words = case["phrases"] if case["match"] == "all" else [self.pick(case["phrases"])] if case["phrases"] else ["the answer"]
            said = " and ".join(self.recased(one) for one in words)
            if case["forbidden"] and self.chance(0.2):
                said += " and " + self.recased(self.pick(case["forbidden"]))
        else:
            x = self.r.random()
            if x < 0.3:
                return self.pick(REFUSALS)
            if x < 0.4:
                return self.pick(ALMOST_REFUSALS)
            if x < 0.6:
                said = self.recased(self.pick(PHRASES))
            elif x < 0.7 and case["phrases"]:
                said = self.pick(case["phrases"])[:-1]
            elif x < 0.8 and case["forbidden"]:
                said = self.recased(self.pick(case["forbidden"]))
            else:
                said = self.pick(OTHER_CLAIMS)
        if "Only example.com." in case["locks"] and "example" in said.lower():
            said = "only domain example.com"  # never something that could pass for another domain
        elif self.chance(0.8):
            said = self.pick(["{}", "So: {}, as stated.", "x{}y", "{}\n", "\u03a3{}\u03a3", "({})"]).format(said)
        if case["locks"] and self.chance(0.3):
            said = self.pick(["", "So: " + said + ", as stated. "]) + self.pick(CONTRADICTIONS + NEGATIONS)
        return said

    def retrieved(self, case, skill):
        others = [one for one in IDS if one not in case["ids"]]
        slots = self.r.sample(others, self.r.randint(0, 8))
        if self.chance(max(skill, 0.3)):
            found = case["ids"] if self.chance(0.7) else case["ids"][:1]
            for one in found:
                slots.insert(self.r.randint(0, len(slots)) if self.chance(0.5) else 0, one)
        while slots and self.chance(0.1):
            slots.insert(self.r.randint(0, len(slots)), self.pick(slots))
        return slots

    def citations(self, case, slots, skill):
        if self.chance(skill):
            hits = [one for one in case["ids"] if one in slots]
            cited = hits if self.chance(0.6) else hits[:1]
            if not case["ids"]:
                return []
            if slots and self.chance(0.2):
                cited = cited + [self.pick(slots)]
            return list(cited)
        x = self.r.random()
        if x < 0.2:
            return list(slots)
        if x < 0.35:
            return []
        if x < 0.55:
            return [self.pick(slots)] if slots else []
        if x < 0.8:
            return [self.pick(IDS) for _ in range(self.r.randint(1, 3))]
        return list(case["ids"])

    def written_list(self, ids, odd):
        """A list of ids as it may be logged: padded, repeated, with elements that are no ids."""
        written = [self.padded(one) for one in ids]
        while written and self.chance(0.06):
            written.append(self.pick(written))
        if self.chance(odd):
            strange = [one for one in self.r.sample(FOREIGN, self.r.randint(1, 2))]
            if strange[0] is None or isinstance(strange[0], (bool, float)):
                strange += [strange[0]] * self.r.randint(0, 2)
            strange += self.pick([[], [""], [" \t"], ['"p1#1"'], [self.pick(SPACED_IDS)]])
            for one in strange:
                written.insert(self.r.randint(0, len(written)), one)
        elif self.chance(odd):
            written.insert(self.r.randint(0, len(written)), self.pick(["", " ", "\u00a0\n"]))
        return written

    def in_text(self, ids):
        def one(value):
            quote = self.pick(["", "", "", '"', "'", "`", "\u201c", "\u2018"])
            return quote + text(value) + {"\u201c": "\u201d", "\u2018": "\u2019"}.get(quote, quote)

        word = self.pick(["citations", "Citations", "CITATIONS", "mycitations"])
        colon = self.pick([":", " :", ": ", " : ", "\t:\n"])
        inner = self.pick([", ", ",", " ", ",\n", " ,, "]).join(one(value) for value in ids)
        return word + colon + "[" + self.pick(["", " "]) + inner + self.pick(["", " ", ","]) + "]"

    def echo(self, case):
        x = self.r.random()
        said = list(case["locks"])
        self.r.shuffle(said)
        if x < 0.65:
            return [self.padded(one) for one in said] + self.pick([[], [], [], [""], ["\t"]])
        if x < 0.70:
            return said + [self.pick(LOCKS)]
        if x < 0.75:
            return said[1:]
        if x < 0.80:
            return [one.upper() for one in said]
        if x < 0.85:
            return said + [self.pick([None, 7, 1.5, ["x"]])]
        if x < 0.90:
            return self.pick([" ".join(said), {"0": said}, 3, True])
        return None

    def trace(self, case, plan, joins_by_question):
        skill = plan["skill"]
        obj = {}
        # who
        qid = case["qid"]
        if isinstance(qid, int) and self.chance(0.3):
            qid = str(qid)
        elif plan["qid"] == "digits" and self.chance(0.3):
            qid = int(qid)
        x = self.r.random()
        if joins_by_question and x < plan["by_question"]:
            obj[self.pick(["q", "question"])] = case["question"]
            if self.chance(0.3):
                obj[self.pick(["qid", "q_id"])] = self.pick([None, ""])
            if "q" in obj and self.chance(0.1):
                obj["question"] = case["question"]
            elif "question" in obj and self.chance(0.1):
                obj["q"] = None
        else:
            obj[self.pick(["qid", "qid", "qid", "q_id"])] = qid
            if "q_id" in obj and self.chance(0.3):
                obj["qid"] = self.pick([None, ""])
            elif "qid" in obj and self.chance(0.05):
                obj["q_id"] = "someone else"
            if self.chance(0.8):
                obj[self.pick(["q", "question"])] = self.pick([case["question"], case["question"], "another wording"])
            elif self.chance(0.2):
                obj["q"] = None
        # what was retrieved
        slots = self.retrieved(case, skill)
        written = self.written_list(slots, plan["odd"])
        text_form = self.chance(plan["text_form"])
        if self.chance(0.03):
            slots = []
            if self.chance(0.5):
                obj["retrieved_ids"] = None
            if self.chance(0.3):
                obj["chunks"] = self.pick([None, []])
        elif text_form or self.chance(0.05):
            obj["chunks"] = [self.chunk(one) for one in written]
            if self.chance(0.1):
                obj["retrieved_ids"] = None
        else:
            obj["retrieved_ids"] = written
            if self.chance(0.03):
                obj["chunks"] = self.pick([None, [{"id": "p1#1"}], ["p0#0"]])
        # what was said
        claim = self.claim(case, skill)
        cited = self.citations(case, slots, skill)
        listed = self.written_list(cited, plan["odd"])
        if self.chance(plan["odd"]):
            listed = self.pick(["p1#1", "", "citations: [p1#1]", {"0": "p1#1"}, {}, 7, 0.5, True, None])
        if text_form:
            if self.chance(0.5):
                obj["citations"] = listed
                if self.chance(0.15):
                    claim += " " + self.in_text(cited)
            elif claim not in REFUSALS:
                x = self.r.random()
                if x < 0.7:
                    claim = "- " + claim + "\n- " + self.in_text(cited) + self.pick(["", "", ".", " " + self.in_text(["p0#0"])])
                elif x < 0.8:
                    claim += self.pick([" citations: [p1#1", " citation: [p1#1]", " Citations: p1#1", " citations [p1#1]"])
                if self.chance(0.05):
                    obj["citations"] = None
            if self.chance(plan["odd"] / 2):
                claim = self.pick([None, 5, ["x"], {"claim": "x"}])
            if claim is not None or self.chance(0.5):
                obj["answer"] = claim
            if self.chance(0.1):
                obj["answer_json"] = None
        else:
            answer = self.add_junk({}, 0.05)
            if self.chance(plan["odd"] / 2):
                claim = self.pick([None, 5, 0, True, ["rejects null keys"], {"text": "rejects null keys"}])
            if claim is not None or self.chance(0.5):
                answer["claim"] = claim
            if isinstance(listed, list) and not listed and self.chance(0.1):
                if isinstance(claim, str) and self.chance(0.3):
                    answer["claim"] = claim + " citations: [p1#1]"
            else:
                answer["citations"] = listed
            if case["locks"]:
                echo = self.echo(case)
                if echo is not None or self.chance(0.5):
                    answer["constraints_echo"] = echo
            elif self.chance(0.05):
                answer["constraints_echo"] = self.pick([None, [], ["TTL \u2264 5s."], "x"])
            obj["answer_json"] = answer
            if self.chance(plan["odd"] / 3):
                obj["answer_json"] = self.pick([None, {}])
            if self.chance(0.03):
                obj["answer"] = "rejects null keys citations: [p1#1]"
        # the log's own fields
        if self.chance(0.4):
            obj["ok"] = self.pick([True, True, True, False, None])
        if self.chance(plan["broken"]):
            for name in ("answer", "answer_json", "citations"):
                if self.chance(0.7):
                    obj.pop(name, None)
            if "answer" in obj and self.chance(0.5):
                obj["answer"] = self.pick(["", " \n", None])
            obj["ok"] = False
        if self.chance(0.3):
            obj["ts"] = self.pick([1723430400, 0, None])
        if self.chance(0.2):
            obj["reason"] = self.pick(["ok", "timeout", None, ""])
        if self.chance(0.1):
            obj["stage_ms"] = {"retrieval": 12.5, "llm": 300}
        return self.add_junk(obj, 0.08)

    def chunk(self, one):
        if one is None or isinstance(one, dict):
            return None  # an object would be a chunk of its own
        if isinstance(one, (bool, float, list)):
            return {"id": one} if self.chance(0.5) else one
        if isinstance(one, str) and self.chance(0.1):
            return one
        chunk = {"id": one}
        if self.chance(0.2):
            chunk["text"] = self.junk()
        if self.chance(0.1):
            chunk["meta"] = {"id": "p9#9"}
        return chunk

    def stranger(self, cases, joins_by_question):
        """A trace of a case that gold does not know."""
        obj = {"retrieved_ids": ["p1#1"], "answer_json": {"claim": "rejects null keys", "citations": ["p1#1"]}}
        if joins_by_question and self.chance(0.4):
            obj["q"] = self.pick(["never asked", cases[0]["question"] + " ", cases[0]["question"].lower() + "\u00a0"])
        else:
            obj[self.pick(["qid", "q_id"])] = self.pick(["ZZ1", "a0001", 99999])
            if self.chance(0.5):
                obj["q"] = cases[0]["question"]
        return obj

    # ------------------------------------------------------------------------------------------------- gates

    def gates(self, gold, traces, options):
        """A gate list with thresholds at, just beside and far from the values that this set has."""
        k, scu, skip = options.get("k", 5), options.get("scu", "report"), options.get("missing") == "skip"
        cases = answers.read_gold(gold)
        by_id, _ = answers.join(cases, traces)
        rows, _ = answers.make_rows(cases, by_id, scu, skip, options.get("runs", "last"))
        friendly = self.chance(0.5)  # only gates that hold
        texts, seen = [], set()
        for _ in range(self.r.randint(1, 5)):
            name = self.pick(RATES + ["precision", "chr", "under_refusal", "over_refusal"] * 2 + sorted(answers.COUNTS))
            if (name == "missing" and skip) or (name == "scu_integrity" and scu == "off"):
                continue
            own_k = k
            if name in answers.COUNTS:
                value = None
                threshold = self.pick(["0", "0", "1", "2", "3", "10", "1.0"])
            else:
                spelled_k = self.r.randint(1, 12) if self.chance(0.5) else None
                own_k = spelled_k or k
                num, den = answers.measure(name, rows, own_k)
                value = Fraction(num) / den if den else Fraction(answers.EMPTY_VALUE[name])
                threshold = self.pick([
                    f"{float(value):.4f}", f"{float(value):.2f}", f"{float(value):.17f}", f"{round(float(value), 4)}",
                    self.pick(["0", "1", "0.5", "0.25", "0.75", "0.80", "0.05", "0.10", "0.98", "1.0", "0.3333", "0.6667"]),
                    f"{self.r.randint(0, 100) / 100}",
                ])
                if "e" in threshold:
                    threshold = "0.5"
                # Means are not counts: the last bit of a sum decides nothing here.
                if name in ("mrr", "ndcg@k") and abs(value - Fraction(threshold)) < Fraction(1, 10**6):
                    threshold = f"{float(value) + 0.001:.4f}"
            op = self.pick(["=", "=", "=", ">=", ">=", "<=", "<=", ">", "<", "=="])
            count = name in answers.COUNTS
            better = answers.METRICS[name][0]
            accepted = [
                one for one in ("=", ">=", "<=", ">", "<", "==")
                if vetting.decides(one, threshold, better, most=None if count else 1, count=count, switchable=name != "unmatched")
            ]
            if friendly and value is not None:
                accepted = [one for one in accepted if one != "=" and answers.holds(value, one, Fraction(threshold))]
            if friendly and value is None:
                op = ">=" if threshold == "0" else self.pick(["=", "<="])
            if op not in accepted:
                if not accepted:
                    continue
                op = self.pick(accepted)
            canonical = name.replace("@k", f"@{own_k}")
            if (canonical, op, Fraction(threshold)) in seen:
                continue
            seen.add((canonical, op, Fraction(threshold)))
            spelling = name
            if name == "under_refusal" and self.chance(0.4):
                spelling = "under"
            elif name == "over_refusal" and self.chance(0.4):
                spelling = "over"
            elif "@k" in name and spelled_k:
                spelling = name.replace("@k", f"@{spelled_k}")
            before, after = self.pick([("", ""), ("", ""), (" ", " "), ("", " ")])
            texts.append(spelling + before + op + after + threshold)
        if self.chance(0.2) and not skip and not any(one.startswith("missing") for one in texts):
            texts.append("missing>=0")
        if not texts:
            texts.append("precision=0.80")
        return self.pick([",", " ", ", ", " , "]).join(texts)

    # --------------------------------------------------------------------------------------------------- set

    def one_set(self):
        """(files, args) of one set."""
        plan = {
            "qid": self.pick(["name", "name", "int", "digits", "mixed", "odd"]),
            "same_question": self.chance(0.07),
            "constrained": self.pick([0, 0.2, 0.6]),
            "skill": self.pick([1, 0.95, 0.8, 0.5, 0.1]),
            "odd": self.pick([0, 0.05, 0.2]),
            "by_question": self.pick([0, 0.2, 1]),
            "text_form": self.pick([0, 0, 0.3, 1]),
            "broken": self.pick([0, 0, 0, 0.05, 0.3]),
            "absent": self.pick([0, 0, 0, 0.1, 0.4]),
            "repeated": self.pick([0, 0.1, 0.5]),
        }
        if plan["constrained"]:
            plan["text_form"] = self.pick([0, 0, 0, 0.3])  # a text answer carries no echo
        contract = self.pick(["lines"] * 6 + ["array"] * 3 + ["mixed"])
        if contract == "array":
            plan["text_form"] = self.pick([0, 1, 1])
        kind = self.pick(["both"] * 8 + ["answerable", "unanswerable"])
        cases, gold_rows = [], []
        for number in range(self.r.randint(1, self.pick([2, 6, 12, 25]))):
            answerable = self.chance(0.65) if kind == "both" else kind == "answerable"
            array = contract == "array" or (contract == "mixed" and self.chance(0.5))
            case, row = self.gold_case(number, array, answerable, plan)
            cases.append(case)
            gold_rows.append(row)
        # Two rows with one question forbid joining by text.
        questions = [case["question"] for case in cases]
        joins = len(set(questions)) == len(questions)
        as_array = contract == "array" if self.chance(0.93) else contract != "array"
        gold_name = "qaset.json" if as_array else "gold.jsonl"
        files = {gold_name: self.array(gold_rows) if as_array else self.lines(gold_rows)}

        objects = []
        if not self.chance(0.03):
            for case in cases:
                if self.chance(plan["absent"]):
                    continue
                for _ in range(self.r.randint(2, 3) if self.chance(plan["repeated"]) else 1):
                    objects.append(self.trace(case, plan, joins))
            while self.chance(0.25):
                objects.append(self.stranger(cases, joins))
        if self.chance(0.7):
            self.r.shuffle(objects)
        objects = objects[:60]
        trace_names = ["trace.jsonl"]
        if self.chance(0.25):
            cut = self.r.randint(0, len(objects))
            files["trace.jsonl"], files["trace2.jsonl"] = self.lines(objects[:cut]), self.lines(objects[cut:])
            trace_names.append("trace2.jsonl")
        else:
            files["trace.jsonl"] = self.lines(objects)

        pairs = [["--gold", gold_name]] + [["--trace", name] for name in trace_names]
        if self.chance(0.8):
            pairs.append(["--k", str(self.r.randint(1, 12))])
        if self.chance(0.75):
            pairs.append(["--scu", self.pick(["off", "report", "enforce", "enforce"])])
        if self.chance(0.25):
            pairs.append(["--missing", "skip"])
        if self.chance(0.25):
            pairs.append(["--runs", "all"])
        # A field that no row has is an input error, so it is sliced by only where some row has it.
        if self.chance(0.4) and any(row.get("workflow") is not None for row in gold_rows):
            pairs.append(["--slice", "workflow"])
        if self.chance(0.5):
            self.r.shuffle(pairs)
        args = [word for pair in pairs for word in pair]
        x = self.r.random()
        if x < 0.55:
            gold, traces, options = answers.options_from_args(args)
            args += ["--gates", self.gates(files[gold], [files[name] for name in traces], options)]
        elif x < 0.7:
            args += ["--preset", self.pick(["ship", "quality"])]
        return files, args


def rounding_is_doubtful(gold, traces, options):
    """A mean so near to a tie of the fourth decimal that the last bit of its sum would decide."""
    cases = answers.read_gold(gold)
    by_id, _ = answers.join(cases, traces)
    skip = options.get("missing") == "skip"
    rows, _ = answers.make_rows(cases, by_id, options.get("scu", "report"), skip, options.get("runs", "last"))
    for name in ("mrr", "ndcg@k"):
        num, den = answers.measure(name, rows, options.get("k", 5))
        if den and num != int(num):
            rest = (float(num) / den * 10_000) % 1
            if abs(rest - 0.5) < 1e-6:
                return True
    return False


def main():
    parser = argparse.ArgumentParser(description="Random sets for `karat answers` with the oracle's results.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--dir", type=Path, required=True)
    call = parser.parse_args()
    maker = Maker(random.Random(call.seed))
    number = 0
    while number < call.count:
        files, args = maker.one_set()
        gold, traces, options = answers.options_from_args(args)
        inputs = files[gold], [files[name] for name in traces]
        if rounding_is_doubtful(*inputs, options):
            continue
        expected = answers.score(*inputs, options)
        folder = call.dir / f"{number:05}"
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            (folder / name).write_bytes(data)
        (folder / "args.json").write_text(json.dumps(args, ensure_ascii=False), encoding="utf-8")
        (folder / "expected.json").write_text(json.dumps(expected, ensure_ascii=False, indent=1), encoding="utf-8")
        number += 1


if __name__ == "__main__":
    main()
