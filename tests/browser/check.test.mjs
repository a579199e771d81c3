// Several suites on one page: one verdict, one suite in sight, links that name their suite.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { complaints, launch, open, place } from "./browser.mjs";

const path = join(place, "made/check.html");
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const seen = (tab) => tab.locator("section[data-suite]:visible").evaluateAll((all) => all.map((suite) => suite.dataset.suite));

test("the first suite that does not pass is in sight, and a click turns to another", async () => {
  const { tab, noise, close } = await open(browser, path);
  assert.match(await tab.locator("h1").innerText(), /NO-SHIP/);
  assert.equal((await seen(tab)).length, 1);
  await tab.getByRole("link", { name: "release", exact: true }).click();
  assert.deepEqual(await seen(tab), ["release"]);
  assert.match(await tab.locator("section[data-suite=release] .tally").textContent(), /^51 of 51/);
  await tab.getByRole("link", { name: "broken", exact: true }).click();
  assert.deepEqual(await seen(tab), ["broken"]);
  assert.match(await tab.locator(".problem:visible").innerText(), /gold.jsonl:3:7/);
  assert.match(await tab.getByRole("region", { name: "Gold lock" }).innerText(), /Q07/);
  assert.deepEqual(noise, []);
  await close();
});

test("an address opens a case of the suite that it names", async () => {
  const { tab, noise, close } = await open(browser, path, { hash: "#suite=release&case=p33" });
  assert.deepEqual(await seen(tab), ["release"]);
  assert.equal(await tab.locator("dialog[open] h2 bdi").textContent(), "p33");
  await tab.keyboard.press("ArrowLeft");
  assert.match(tab.url(), /#suite=release&case=p08$/);
  await tab.keyboard.press("Escape");
  assert.deepEqual(await seen(tab), ["release"]);
  assert.deepEqual(noise, []);
  await close();
});

test("it fits a phone, a screen reader and a printer", async () => {
  for (const scheme of ["light", "dark"]) {
    const { tab, close } = await open(browser, path, { scheme, bypassCSP: true, width: 360, height: 740 });
    assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth), 360);
    assert.deepEqual(await complaints(tab), []);
    await tab.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.ok((await seen(tab)).length > 5);
    await close();
  }
});
