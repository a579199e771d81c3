// Hostile input in every field is text. The pages of `made/hostile` are real reports in which every text is hostile (crates/karat-report/tests/html.rs).
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fixtures, launch, open, page, place } from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/** Everything in the page that input must never become. */
const found = (tab) => tab.evaluate(() => {
  const wrong = [];
  const all = [...document.querySelectorAll("*")];
  for (const element of all) {
    for (const { name, value } of element.attributes) {
      if (name.startsWith("on")) wrong.push(`handler ${name}`);
      if (["href", "src", "action"].includes(name) && !/^(#|data:image\/svg)/.test(value)) wrong.push(`${name}=${value}`);
      if (/[\0-\x08\x0b\x0c\x0e-\x1f\u202a-\u202e\u2066-\u2069\u200b]/.test(value)) wrong.push(`hidden letters in ${name}`);
    }
    if (["IMG", "IFRAME", "OBJECT", "EMBED", "FORM", "BASE", "VIDEO", "AUDIO"].includes(element.tagName)) wrong.push(element.tagName);
  }
  const scripts = all.filter((element) => element.tagName === "SCRIPT");
  if (scripts.filter((script) => script.type !== "application/json").length !== 1) wrong.push("another script");
  if (all.filter((element) => element.tagName === "STYLE").length !== 1) wrong.push("another style sheet");
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\u202a-\u202e\u2066-\u2069\u200b]/.test(document.documentElement.textContent)) wrong.push("hidden letters");
  if (globalThis.pwned !== undefined) wrong.push("it ran");
  return wrong;
});

const walk = async (path) => {
  const { tab, noise, close } = await open(browser, path);
  assert.deepEqual(await found(tab), []);
  await tab.locator("[role=grid] tbody tr").first().click();
  for (let turns = 0; turns < 15; turns += 1) {
    assert.deepEqual(await found(tab), []);
    await tab.keyboard.press("ArrowRight");
  }
  await tab.keyboard.press("Escape");
  await tab.getByRole("searchbox").fill("</script>");
  await tab.mouse.move(400, 400);
  assert.deepEqual(await found(tab), []);
  assert.deepEqual(noise, []);
  await close();
};

test("hostile rows, from files", async () => {
  const { name, args } = fixtures().find((fixture) => fixture.name === "hostile");
  await walk(page(name, args));
});

const made = join(place, "made/hostile");
for (const name of readdirSync(made).sort()) {
  test(`every text of ${name} hostile`, () => walk(join(made, name)));
}
