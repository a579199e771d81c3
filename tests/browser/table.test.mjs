// The table of cases and the drawer: search, filter, sort, keyboard, links, print.
import assert from "node:assert/strict";
import { after, before, beforeEach, afterEach, test } from "node:test";
import { launch, open, page } from "./browser.mjs";

const ARGS = ["answers", "--gold", "examples/answers/gold.jsonl", "--trace", "examples/answers/regressed.jsonl", "--slice", "workflow"];
let browser, path, tab, noise, close;
before(async () => {
  browser = await launch();
  path = page("table", ARGS);
});
after(() => browser.close());
beforeEach(async () => { ({ tab, noise, close } = await open(browser, path)); });
afterEach(async () => {
  assert.deepEqual(noise, []);
  await close();
});

const ids = () => tab.locator("[role=grid] tbody tr td.id").allTextContents();
const tally = () => tab.locator(".tally").textContent();
const drawn = () => tab.locator("dialog[open] h2 bdi").textContent();
const untilIds = (wanted) => tab.waitForFunction((wanted) => [...document.querySelectorAll("[role=grid] tbody td.id")].map((td) => td.textContent).join() === wanted, wanted);
const untilTally = (text) => tab.waitForFunction((text) => document.querySelector(".tally").textContent === text, text);

test("worst cases come first", async () => {
  assert.deepEqual((await ids()).slice(0, 4), ["Q07", "Q10", "Q09", "Q11"]);
  assert.equal(await tally(), "12 of 12 cases");
});

test("search looks into ids and words, and says when nothing is left", async () => {
  const search = tab.getByRole("searchbox", { name: "Search cases" });
  await search.fill("BUSINESS day");
  await untilIds("Q09");
  assert.equal(await tally(), "1 of 12 cases");
  await search.fill("q11");
  await untilIds("Q11");
  await search.fill("no such words");
  await untilTally("0 of 12 cases");
  assert.ok(await tab.getByText("No case is left").isVisible());
  await tab.keyboard.press("Escape");
  await search.fill("");
  await untilTally("12 of 12 cases");
});

test("labels and stages filter, alone and together", async () => {
  const chip = tab.getByRole("button", { name: /HALLUCINATION 2/ });
  await chip.click();
  assert.deepEqual(await ids(), ["Q07", "Q10"]);
  assert.equal(await chip.getAttribute("aria-pressed"), "true");
  await tab.getByRole("button", { name: /ANS_NO_HIT 1/ }).click();
  assert.equal((await ids()).length, 3);
  await tab.getByRole("combobox", { name: "Stage" }).selectOption({ label: "citation 1" });
  assert.deepEqual(await ids(), ["Q09"]);
  await tab.getByRole("combobox", { name: "Stage" }).selectOption({ label: "any stage" });
  await chip.click();
  assert.deepEqual(await ids(), ["Q09"]);
});

test("a head sorts, and sorts the other way", async () => {
  const head = tab.getByRole("grid").getByRole("columnheader", { name: /^case/ });
  await head.getByRole("button").click();
  const up = await ids();
  assert.deepEqual(up, [...up].sort());
  assert.equal(await head.getAttribute("aria-sort"), "ascending");
  await head.getByRole("button").click();
  assert.deepEqual(await ids(), [...up].reverse());
  assert.equal(await head.getAttribute("aria-sort"), "descending");
});

test("keys walk the table, open the drawer, turn its pages and close it", async () => {
  await tab.keyboard.press("/");
  assert.equal(await tab.evaluate(() => document.activeElement.type), "search");
  await tab.getByRole("grid").focus();
  await tab.keyboard.press("ArrowDown");
  await tab.keyboard.press("ArrowDown");
  assert.equal(await tab.locator("tr[aria-selected=true] td.id").textContent(), "Q09");
  await tab.keyboard.press("Enter");
  assert.equal(await drawn(), "Q09");
  await tab.keyboard.press("ArrowRight");
  assert.equal(await drawn(), "Q11");
  await tab.keyboard.press("ArrowLeft");
  await tab.keyboard.press("ArrowLeft");
  assert.equal(await drawn(), "Q10");
  await tab.keyboard.press("Escape");
  assert.equal(await tab.locator("dialog[open]").count(), 0);
  assert.equal(await tab.evaluate(() => document.activeElement.getAttribute("role")), "grid");
  await tab.keyboard.press("End");
  assert.equal(await tab.locator("tr[aria-selected=true] td.id").textContent(), "Q12");
  const active = await tab.getByRole("grid").getAttribute("aria-activedescendant");
  assert.equal(await tab.locator(`#${active}`).count(), 1);
});

test("the drawer tells the path: question, claim with its phrase marked, ranks, what to do", async () => {
  await tab.locator("tr", { hasText: "Q09" }).last().click();
  const drawer = tab.locator("dialog[open]");
  const text = await drawer.innerText();
  for (const words of ["ANS_NO_HIT", "When is the invoice sent?", "require a citation", "First failed stage", "billing#1", "✓ gold", "cited", "gold.jsonl:9"]) {
    assert.ok(text.includes(words), `${words} is not in the drawer: ${text}`);
  }
  assert.deepEqual(await drawer.locator("mark").allTextContents(), ["first business day"]);
  assert.match(tab.url(), /#case=Q09$/);
  await drawer.getByRole("button", { name: "Close" }).click();
  assert.doesNotMatch(tab.url(), /#/);
});

test("an address opens a case, and a stage of the waterfall filters", async () => {
  const other = await open(browser, path, { hash: "#case=Q11" });
  assert.equal(await other.tab.locator("dialog[open] h2 bdi").textContent(), "Q11");
  await other.close();
  await tab.locator(".waterfall").getByRole("link", { name: "retrieval" }).click();
  await untilTally("1 of 12 cases");
  assert.deepEqual(await ids(), ["Q11"]);
  await tab.locator(".worst").getByRole("link", { name: "Q07" }).click();
  assert.equal(await drawn(), "Q07");
});

test("from the search straight to what it found, by keys alone", async () => {
  await tab.keyboard.press("/");
  await tab.keyboard.type("invoice");
  await tab.keyboard.press("ArrowDown");
  assert.equal(await tab.evaluate(() => document.activeElement.getAttribute("role")), "grid");
  assert.deepEqual(await ids(), ["Q09"]);
  await tab.keyboard.press("/");
  await tab.getByRole("searchbox").fill("q1");
  await tab.keyboard.press("Enter");
  assert.equal(await drawn(), "Q10");
  await tab.keyboard.press("Escape");
  assert.equal(await tab.evaluate(() => document.activeElement.getAttribute("role")), "grid");
});

test("the skip link moves the focus to the table", async () => {
  await tab.keyboard.press("Tab");
  assert.equal(await tab.evaluate(() => document.activeElement.textContent), "Skip to the cases");
  await tab.keyboard.press("Enter");
  assert.equal(await tab.evaluate(() => document.activeElement.getAttribute("role")), "grid");
  assert.ok(await tab.getByRole("grid").evaluate((grid) => grid.getBoundingClientRect().top < innerHeight));
});

test("an address of a case that is not there says so", async () => {
  const other = await open(browser, path, { hash: "#case=NOPE" });
  assert.equal(await other.tab.getByRole("alert").innerText(), "There is no case NOPE in this report.");
  assert.equal(await other.tab.locator("dialog[open]").count(), 0);
  await other.tab.evaluate(() => { location.hash = "#case=Q09"; });
  await other.tab.locator("dialog[open]").waitFor();
  assert.equal(await other.tab.locator("[role=alert]:visible").count(), 0);
  assert.deepEqual(other.noise, []);
  await other.close();
});

test("light and dark can be switched", async () => {
  const paper = () => tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await tab.getByRole("button", { name: "Dark" }).click();
  assert.notEqual(await paper(), light);
  await tab.getByRole("button", { name: "Light" }).click();
  assert.equal(await paper(), light);
});

test("all cases are printed, without controls", async () => {
  await tab.emulateMedia({ media: "print" });
  await tab.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal((await ids()).length, 12);
  assert.equal(await tab.locator(".filters").isVisible(), false);
  await tab.evaluate(() => dispatchEvent(new Event("afterprint")));
});

test("without its script the page still tells the verdict and the worst cases", async () => {
  const { tab, close } = await open(browser, path, { javaScriptEnabled: false });
  const text = await tab.locator("main").innerText();
  for (const words of ["NO-SHIP", "When is the invoice sent?", "precision", "needs the script"]) assert.ok(text.includes(words), words);
  await close();
});
