// On paper: letters that can be read without backgrounds, whole tables with their heads, no heading left alone.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fixtures, launch, open, page } from "./browser.mjs";

/** About the width of A4 between its margins. */
const PAPER = { width: 703, height: 1000 };
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const printed = async (suite) => {
  const { args } = fixtures().find(({ name }) => name === suite);
  const { tab, noise, close } = await open(browser, page(`print-${suite}`, args), PAPER);
  await tab.emulateMedia({ media: "print" });
  await tab.evaluate(() => dispatchEvent(new Event("beforeprint")));
  return { tab, noise, close };
};

for (const suite of ["answers", "release", "stability", "agreement", "retrieval", "latency"]) {
  test(`${suite}: dark letters, nothing past the edge, questions there`, async () => {
    const { tab, noise, close } = await printed(suite);
    const pale = await tab.evaluate(() => [...document.querySelectorAll(".heat, .shade")].filter((cell) => {
      const [r, g, b] = getComputedStyle(cell).color.match(/\d+/g).map(Number);
      return 0.299 * r + 0.587 * g + 0.114 * b > 140;
    }).map((cell) => cell.textContent));
    assert.deepEqual(pale, []);
    const out = await tab.evaluate(() => [...document.querySelectorAll(".rows th, .rows td")].filter((cell) => {
      const box = cell.getBoundingClientRect();
      return box.width > 0 && (box.right > innerWidth + 1 || cell.scrollWidth > cell.clientWidth + 1);
    }).map((cell) => cell.textContent));
    assert.deepEqual(out, []);
    if (await tab.locator(".rows th.question").count() > 0) {
      assert.ok((await tab.locator(".rows tbody td.question").first().boundingBox()).width > 150);
    }
    const worst = await tab.locator(".worst > li").count();
    assert.equal(await tab.locator(".worst > li:visible").count(), worst);
    assert.deepEqual(noise, []);
    await close();
  });
}

test("headings stay with what they head, rows stay whole, heads are repeated", async () => {
  const { tab, close } = await printed("release");
  const style = (selector, name) => tab.locator(selector).first().evaluate((element, name) => getComputedStyle(element)[name], name);
  assert.equal(await style("h2", "breakAfter"), "avoid");
  assert.equal(await style(".rows tbody tr", "breakInside"), "avoid");
  // A button's box would keep the head on the first page.
  assert.equal(await style(".rows th button", "display"), "contents");
  assert.equal(await style(".rows thead", "display"), "table-header-group");
  assert.equal(await tab.locator(".filters:visible, button.theme:visible").count(), 0);
  await close();
});
