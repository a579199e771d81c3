// The drawer of the suites whose cases are more than one claim and one ranking: what it says is what the inputs hold.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fixtures, launch, open, page, pages, root } from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/** The text of a case's drawer, and its rows of evidence. */
const drawer = async (suite, id) => {
  const { args } = fixtures().find(({ name }) => name === suite);
  const { tab, noise, close } = await open(browser, page(`drawer-${suite}`, args), { hash: `#case=${encodeURIComponent(id)}` });
  const text = await tab.locator("dialog[open]").innerText();
  const evidence = await tab.locator("dialog[open] .staged tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent.trim()).join(" ").trim()));
  assert.deepEqual(noise, []);
  await close();
  return { text, evidence };
};
const holds = (text, ...words) => words.forEach((part) => assert.ok(text.includes(part), `${part} is not in the drawer: ${text}`));

test("stability: phrases and sources are counted over the runs", async () => {
  const stable = (await drawer("stability", "S01")).text;
  holds(stable, "STABLE", "✓ said in 9 of 9 runs: 14 days", "✓ cited in 9 of 9 runs: trash#2");
  assert.doesNotMatch(stable, /not in the claim|not retrieved/);
  const { text } = await drawer("stability", "S06");
  assert.doesNotMatch(text, /not in the claim|not retrieved/);
});

test("release: who asked, every stage's ranks, every claim with its support, where it broke", async () => {
  const { text, evidence } = await drawer("release", "p33");
  holds(text, "user dora, groups customers", "2 of 3 claims supported", "3 claims", "The deposit is released after an inspection",
    "damage-deposit holds \"150 euros\"", "Worn tyres are charged", "nobody named phrases for its point", "production.jsonl:33", "gold.jsonl:5");
  assert.deepEqual(evidence, [
    "lost-bike 1 1 3 –", "damage-report 2 2 2 –", "damage-deposit 3 3 1 1 ✓ required ✓ cited", "refund-method 4 4 4 –",
  ]);
  const held = await drawer("release", "p08");
  assert.ok(held.evidence.includes("damage-report 3 3 1 – ✗ required, not selected ✗ cited, not selected"), held.evidence.join("\n"));
  const good = await drawer("release", "p02");
  assert.ok(good.evidence.some((row) => /^summer-tariff 2 \d+ \d+ 1 ✓ required/.test(row)), good.evidence.join("\n"));
});

test("release: of a case that touched what it may not see, ids alone are told", async () => {
  const { text, evidence } = await drawer("release", "touched fraud rules");
  holds(text, "its words are not shown", "not_permitted");
  assert.ok(evidence.some((row) => row.startsWith("fraud-rules") && row.endsWith("✗ not_permitted")), evidence.join("\n"));
  assert.doesNotMatch(text, /\d claims?\n|holds "|cited/);
  // Not in the drawer, and nowhere else in the file: neither what the model said, nor what any chunk holds.
  const lines = (file) => readFileSync(join(root, `examples/release/${file}.jsonl`), "utf8").trim().split("\n").map((line) => JSON.parse(line));
  const said = lines("controls").filter(({ name }) => /touched/.test(name)).flatMap(({ answer }) => answer.claims.map((claim) => claim.text));
  const shown = new Set(lines("production").flatMap(({ answer }) => answer.claims.map((claim) => claim.text)));
  const secret = [...said.filter((words) => !shown.has(words)), ...lines("evidence").map((chunk) => chunk.text)];
  const file = readFileSync(join(pages, "drawer-release.html"), "utf8");
  assert.ok(secret.length > 10);
  assert.deepEqual(secret.filter((words) => file.includes(JSON.stringify(words).slice(1, -1))), []);
});
