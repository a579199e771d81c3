// The page of `karat trend`: no script at all, quiet, inert, fit for a phone and a screen reader.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { complaints, history, launch, open } from "./browser.mjs";

const HOSTILE = "</style><script>window.pwned=1</script><img src=x onerror='window.pwned=1'>";
let browser, path;
before(async () => {
  browser = await launch();
  path = history("trend", ["answers", "ship", "answers", "ship"], ["--suite", HOSTILE]);
});
after(() => browser.close());

test("a chart a figure, a row a run, and names stay text", async () => {
  const { tab, noise, close } = await open(browser, path);
  assert.equal(await tab.locator("tr").count(), 1 + 4);
  assert.ok(await tab.getByRole("img", { name: "precision over 4 runs", exact: true }).isVisible());
  assert.ok((await tab.locator("h2").textContent()).startsWith(HOSTILE));
  assert.equal(await tab.locator("script, body img, body style").count(), 0);
  assert.deepEqual(noise, []);
  await close();
});

for (const scheme of ["light", "dark"]) {
  test(`axe-core finds nothing serious, ${scheme}; nothing overflows at 360 pixels`, async () => {
    const { tab, close } = await open(browser, path, { scheme, bypassCSP: true, width: 360, height: 740 });
    assert.deepEqual(await complaints(tab), []);
    assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await close();
  });
}
