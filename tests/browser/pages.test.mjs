// The page of every suite: quiet, fit for a phone, fit for a screen reader, and the verdict at first sight.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { complaints, fixtures, launch, open, page } from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

for (const { name, args } of fixtures()) {
  test(`${name}: nothing is logged, nothing is asked for, and the verdict is there without scrolling`, async () => {
    const { tab, noise, close } = await open(browser, page(name, args));
    assert.match(await tab.title(), /^(SHIP|NO-SHIP|INCONCLUSIVE) · karat /);
    for (const part of ["h1", ".verdict .why", ".verdict .step"]) {
      const box = await tab.locator(part).first().boundingBox();
      assert.ok(box && box.y >= 0 && box.y + box.height <= 800, `${part} is out of sight: ${JSON.stringify(box)}`);
    }
    const rows = await tab.locator("[role=grid] tbody tr").count();
    assert.ok(rows > 0, "the table of cases is empty");
    assert.deepEqual(noise, []);
    await close();
  });

  for (const scheme of ["light", "dark"]) {
    test(`${name}: axe-core finds nothing serious, ${scheme}`, async () => {
      const { tab, close } = await open(browser, page(name, args), { scheme, bypassCSP: true });
      // Only colours differ in the dark.
      const rules = scheme === "dark" ? ["color-contrast"] : undefined;
      assert.deepEqual(await complaints(tab, { rules }), []);
      await tab.locator("[role=grid] tbody tr").first().click();
      await tab.locator("dialog[open]").waitFor();
      assert.deepEqual(await complaints(tab, { within: "dialog", rules }), []);
      await close();
    });
  }

  test(`${name}: nothing overflows at 360 pixels`, async () => {
    const { tab, close } = await open(browser, page(name, args), { width: 360, height: 740 });
    const wide = () => tab.evaluate(() => {
      const inside = (element) => element.closest(".scroll, .rows, .unseen, .skip");
      const out = [...document.querySelectorAll("body *")].filter((element) => {
        const box = element.getBoundingClientRect();
        return box.width > 0 && box.right > innerWidth + 1 && !inside(element);
      });
      return [document.documentElement.scrollWidth > innerWidth, ...out.map((element) => `${element.tagName}.${element.getAttribute("class")}`)];
    });
    assert.deepEqual(await wide(), [false]);
    await tab.locator("[role=grid] tbody tr").first().click();
    await tab.locator("dialog[open]").waitFor();
    assert.deepEqual(await wide(), [false]);
    await close();
  });
}
