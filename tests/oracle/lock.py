"""The hashes of a gold lock, a second time: the standard library's JSON, Decimal and unicodedata, and nothing of karat.

    python3 lock.py gold.jsonl                               prints the hashes of a file
    python3 lock.py --seed 1 --count 100 --dir DIR           writes random gold files, and what their locks must hold

A row in canonical form is what `json.dumps(row, sort_keys=True, ensure_ascii=False, separators=(",", ":"))` writes once
its strings are in NFC, with every number by its value: plain digits, or, where that took more than forty zeros, digits,
`e` and an exponent.
"""
import argparse
import hashlib
import json
import pathlib
import random
import unicodedata
from decimal import Decimal


class Number:
    """A number as it is written."""

    def __init__(self, text):
        self.text = text


def plain(text):
    sign, digits, exponent = Decimal(text).as_tuple()
    digits = "".join(map(str, digits)).lstrip("0")
    while digits.endswith("0"):
        digits, exponent = digits[:-1], exponent + 1
    if not digits:
        return "0"
    point = len(digits) + exponent
    if 0 <= exponent <= 40:
        body = digits + "0" * exponent
    elif exponent < 0 < point:
        body = digits[:point] + "." + digits[point:]
    elif exponent < 0 and -point <= 40:
        body = "0." + "0" * -point + digits
    else:
        body = f"{digits}e{exponent}"
    return ("-" if sign else "") + body


def nfc(text):
    return unicodedata.normalize("NFC", text)


def canonical(value):
    if isinstance(value, Number):
        return plain(value.text)
    if isinstance(value, str):
        return json.dumps(nfc(value), ensure_ascii=False)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, dict):
        fields = sorted((nfc(key), inner) for key, inner in value.items())
        return "{" + ",".join(f"{json.dumps(key, ensure_ascii=False)}:{canonical(inner)}" for key, inner in fields) + "}"
    return json.dumps(value)


def name(row):
    release = "required_source_ids" in row or "required_points" in row
    keys = ["case_id", "id"] if release else ["qid", "q_id", "case_id", "id"]
    named = row[next(key for key in keys if key in row)]
    return plain(named.text) if isinstance(named, Number) else nfc(named)


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def lock(data):
    text = data.decode("utf-8-sig")
    load = lambda text: json.loads(text, parse_int=Number, parse_float=Number)
    rows = load(text) if text.lstrip().startswith("[") else [load(l) for l in text.split("\n") if l.strip()]
    lines = sorted((name(row), canonical(row)) for row in rows)
    whole = "".join(line + "\n" for _, line in lines)
    return {"rows": len(lines), "sha256": digest(whole), "ids": {key: digest(line) for key, line in lines}}


# Generating -----------------------------------------------------------------------------------------------------------

WORDS = ["alpha", "Ω", "é", "e\u0301", "a\u0308\u0323", "가", "\u1112\u1161\u11ab", "ﬁ", "Å", "\u212b", "\n", "\t", "\"", "\\", "/",
         "\x00", "\x7f", "\u202e", "\u2028", "😀", "𝒳", "\ufffd", "z", " ", "𑄮", "क़"]


def text(rng):
    """Gold that is not in NFC cannot be locked."""
    return nfc("".join(rng.choice(WORDS) for _ in range(rng.randrange(6))))


def number(rng):
    shapes = [
        lambda: str(rng.randrange(-5, 1000)),
        lambda: f"{rng.randrange(-999, 1000)}.{rng.randrange(1000):03d}",
        lambda: f"{rng.randrange(1, 100)}e{rng.randrange(-60, 60)}",
        lambda: f"-{rng.randrange(10)}.{rng.randrange(100)}0E+{rng.randrange(45)}",
        lambda: str(rng.randrange(10**30)),
        lambda: rng.choice(["-0", "0.0", "1.0", "1e0", "10e-1", "0e5"]),
    ]
    return Number(rng.choice(shapes)())


def value(rng, depth):
    kind = rng.randrange(8 if depth < 3 else 5)
    if kind < 2:
        return text(rng)
    if kind == 2:
        return number(rng)
    if kind in (3, 4):
        return rng.choice([None, True, False])
    if kind in (5, 6):
        return [value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {nfc(text(rng)) + str(i): value(rng, depth + 1) for i in range(rng.randrange(4))}


def write(rng, value):
    """Some JSON for a value: any escapes, any spacing, any order of keys."""
    gap = lambda: rng.choice(["", "", "", " ", "\t", "  "])
    if isinstance(value, Number):
        return value.text
    if isinstance(value, str):
        if rng.random() < 0.3:
            return json.dumps(value)
        return json.dumps(value, ensure_ascii=False).replace("/", rng.choice(["/", "\\/", "\\u002F"]))
    if isinstance(value, list):
        return "[" + gap() + ",".join(gap() + write(rng, inner) + gap() for inner in value) + "]"
    if isinstance(value, dict):
        fields = list(value.items())
        rng.shuffle(fields)
        return "{" + gap() + ",".join(f"{gap()}{write(rng, key)}{gap()}:{gap()}{write(rng, inner)}{gap()}" for key, inner in fields) + "}"
    return json.dumps(value)


def file(rng):
    key = rng.choice(["qid", "q_id", "case_id", "id", "release"])
    rows, seen = [], set()
    for i in range(rng.randrange(1, 12)):
        named = Number(str(i)) if rng.random() < 0.3 else text(rng) + str(i)
        row = {f"f{j}": value(rng, 0) for j in range(rng.randrange(5))}
        if key == "release":
            row.update({"case_id": named, "qid": "the same", "required_points": []})
        else:
            row[key] = named
        if name(row) not in seen:
            seen.add(name(row))
            rows.append(row)
    rng.shuffle(rows)
    end = rng.choice(["\n", "\r\n", "\n\n"])
    if rng.random() < 0.2:
        return ("[" + ",".join(end + write(rng, row) for row in rows) + end + "]").encode()
    return (rng.choice(["", "\ufeff"]) + end.join(write(rng, row) for row in rows) + rng.choice(["", end])).encode()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("gold", nargs="?")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--count", type=int, default=100)
    options.add_argument("--dir", type=pathlib.Path)
    options = options.parse_args()
    if options.gold:
        print(json.dumps(lock(pathlib.Path(options.gold).read_bytes()), indent=2, ensure_ascii=False))
        return
    rng = random.Random(options.seed)
    for i in range(options.count):
        folder = options.dir / f"{i:05d}"
        folder.mkdir(parents=True)
        data = file(rng)
        (folder / "gold.jsonl").write_bytes(data)
        (folder / "expected.json").write_text(json.dumps(lock(data)))


main()
