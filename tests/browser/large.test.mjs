// Many cases: the page opens, holds few elements, and every row can be reached. How long it takes is printed, not judged.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, page, pages } from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const inputs = (n) => {
  const [gold, trace] = [[], []];
  for (let i = 0; i < n; i += 1) {
    const qid = `Q${String(i).padStart(6, "0")}`;
    const right = i % 10 !== 3;
    gold.push(JSON.stringify({ qid, question: `How long is item ${i} kept in the archive?`, answerable: true, gold_claim_substr: ["thirty days"], gold_citations: [`keep#${i}`] }));
    trace.push(JSON.stringify({ qid, q: `How long is item ${i} kept in the archive?`, retrieved_ids: [`keep#${i}`, "keep#x"], answer_json: { claim: `Item ${i} is kept for thirty days.`, citations: [right ? `keep#${i}` : "keep#x"], constraints_echo: [] }, ok: true }));
  }
  const paths = [join(pages, `gold-${n}.jsonl`), join(pages, `trace-${n}.jsonl`)];
  writeFileSync(paths[0], gold.join("\n"));
  writeFileSync(paths[1], trace.join("\n"));
  return ["answers", "--gold", paths[0], "--trace", paths[1]];
};

for (const n of [10_000, 200_000]) {
  test(`${n} cases`, async (t) => {
    const path = page(`large-${n}`, inputs(n));
    const { tab, noise, close } = await open(browser, path);
    const all = n.toLocaleString("en");
    assert.equal(await tab.locator(".tally").textContent(), `${all} of ${all} cases`);
    const took = await tab.evaluate(() => Math.round(performance.getEntriesByType("navigation")[0].loadEventEnd));
    t.diagnostic(`${all} cases: the page was there after ${took} ms`);
    assert.ok(await tab.locator("[role=grid] tbody tr").count() < 200);
    await tab.getByRole("grid").focus();
    await tab.keyboard.press("End");
    assert.equal(await tab.locator("tr[aria-selected=true]").getAttribute("aria-rowindex"), String(n + 1));
    assert.ok(await tab.locator("tr[aria-selected=true]").isVisible());
    // Every frame of a long way down has rows in it.
    const bare = await tab.evaluate(async () => {
      const rows = document.querySelector(".rows");
      let bare = 0;
      for (let at = 0; at < 60; at += 1) {
        rows.scrollTop = at * 777;
        await new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)));
        const box = rows.getBoundingClientRect();
        const under = document.elementFromPoint(box.x + 40, Math.min(box.y + 90, innerHeight - 5));
        if (under && !under.closest("tr") && rows.contains(under)) bare += 1;
      }
      return bare;
    });
    assert.equal(bare, 0);
    await tab.getByRole("searchbox").fill("q000123");
    await tab.waitForFunction(() => document.querySelector(".tally").textContent.startsWith("1 of"));
    assert.deepEqual(noise, []);
    await close();
  });
}
