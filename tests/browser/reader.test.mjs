// What a reader is told first, and how far a page goes: remarks beside the verdict, controls that are not losses, points that
// come near, long lists folded.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fixtures, launch, open, page, pages } from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const args = (suite) => fixtures().find(({ name }) => name === suite).args;

test("a page that ships shows its remark beside the verdict, and leads to all of them", async () => {
  const words = args("retrieval");
  const lax = [...words.slice(0, words.indexOf("--gates") + 1), "R@5>=0.1"];
  const { tab, noise, close } = await open(browser, page("reader-remarked", lax));
  const banner = tab.locator(".verdict");
  assert.match(await banner.innerText(), /SHIP[\s\S]*Ships, but[\s\S]*Table: R@5 fell from 1.0000 to 0.0000/);
  await banner.getByRole("link", { name: /remark/ }).click();
  assert.ok(await tab.getByRole("region", { name: "Remarks" }).isVisible());
  assert.deepEqual(noise, []);
  await close();
  const plain = await open(browser, page("reader-ship", args("ship")));
  assert.match(await plain.tab.locator(".verdict").innerText(), /Nothing to do: every gate passes/);
  assert.equal(await plain.tab.getByText("First step").count(), 0);
  await plain.close();
});

test("release: a control that was rightly blocked is not lost", async () => {
  const { tab, close } = await open(browser, page("reader-release", args("release")));
  const rows = await tab.locator(".waterfall > li").evaluateAll((all) => all.map((row) => [row.className, row.querySelector(".number").textContent, row.querySelector("span.held")?.textContent]));
  assert.deepEqual(rows.map(([, n]) => Number(n)), [0, 0, 1, 1, 0, 0, 40]);
  assert.deepEqual(rows[0], ["held", "0", "+ 5 rightly blocked"]);
  assert.deepEqual(rows[3], ["fail", "1", "+ 1 rightly blocked"]);
  assert.match(await tab.locator(".verdict .says").innerText(), /4 gates on all cases, 5 on slices/);
  await close();
});

test("latency: where no point passes, the nearest is the first step; times have units; no name lies on another", async () => {
  const { tab, close } = await open(browser, page("reader-latency", args("latency")));
  assert.equal(await tab.locator(".verdict .step").innerText(), "Nearest: rerank_depth=10, 1 rps; only precision_drop<=0.02 fails.");
  assert.match(await tab.locator(".card").first().innerText(), /838 ms\s*≤ 2000 ms pass/);
  const over = await tab.evaluate(() => {
    const boxes = [...document.querySelectorAll(".plot .label, .plot circle.point")].map((element) => element.getBoundingClientRect());
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const names = [...document.querySelectorAll(".plot .label")];
    return names.filter((name) => boxes.filter((box) => meet(name.getBoundingClientRect(), box)).length > 1).map((name) => name.textContent);
  });
  assert.deepEqual(over, []);
  assert.equal(await tab.locator(".plot .label").count(), 6);
  await close();
});

test("stability: a gate reads as a sentence, and a stage says what it means", async () => {
  const { tab, close } = await open(browser, page("reader-stability", args("stability")));
  assert.match(await tab.locator(".stuck").innerText(), /2 cases fail, wanted ≤ 0/);
  assert.match(await tab.locator(".waterfall").innerText(), /acr\s*the claim lacks gold's phrase/);
  await close();
});

test("agreement: its rows are those of the pairs", async () => {
  const { tab, close } = await open(browser, page("reader-agreement", args("agreement")));
  assert.doesNotMatch(await tab.locator("main").innerText(), /gold line/);
  await tab.locator("[role=grid] tbody tr").first().click();
  assert.match(await tab.locator("dialog[open]").innerText(), /pairs\s+\S*pairs\.jsonl:\d+/);
  await close();
});

test("500 slices are folded, the worst in sight, and so are their gates", async () => {
  const [gold, trace] = [[], []];
  for (let i = 0; i < 500; i += 1) {
    const qid = `Q${i}`;
    gold.push(JSON.stringify({ qid, question: `How long is item ${i} kept?`, answerable: true, gold_claim_substr: ["thirty days"], gold_citations: [`keep#${i}`], team: `team ${i}` }));
    trace.push(JSON.stringify({ qid, q: `How long is item ${i} kept?`, retrieved_ids: [`keep#${i}`], answer_json: { claim: "For thirty days.", citations: [i === 300 ? "keep#x" : `keep#${i}`], constraints_echo: [] }, ok: true }));
  }
  const files = ["gold", "trace"].map((name) => join(pages, `slices-${name}.jsonl`));
  writeFileSync(files[0], gold.join("\n"));
  writeFileSync(files[1], trace.join("\n"));
  const { tab, noise, close } = await open(browser, page("slices", ["answers", "--gold", files[0], "--trace", files[1], "--slice", "team", "--gates", "precision[team=*]>=0.5 precision>=0.5"]));
  assert.ok(await tab.evaluate(() => document.documentElement.scrollHeight) < 6000);
  assert.match(await tab.getByRole("region", { name: "Slices, table", exact: true }).locator("tbody th").first().innerText(), /team 300/);
  assert.match(await tab.getByRole("region", { name: "Gates, table", exact: true }).locator("tbody tr").first().innerText(), /team 300[\s\S]*fail/);
  await tab.locator("summary", { hasText: "480 more slices" }).click();
  assert.equal(await tab.getByRole("region", { name: "More slices, table" }).locator("tbody tr:visible").count(), 480);
  assert.deepEqual(noise, []);
  await close();
});

test("on a phone no row is stretched by what is behind the edge, and an edge shows that there is more", async () => {
  const { tab, close } = await open(browser, page("reader-answers", args("answers")), { width: 360, height: 740 });
  const tall = await tab.locator(".scroll tbody tr:visible").evaluateAll((rows) => rows.filter((row) => row.getBoundingClientRect().height > 130).map((row) => row.innerText));
  assert.deepEqual(tall, []);
  assert.match(await tab.locator(".scroll").first().evaluate((element) => getComputedStyle(element).backgroundImage), /linear-gradient/);
  await close();
});
