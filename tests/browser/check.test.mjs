// Several suites on one page: one verdict, one suite in sight, links that name their suite.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { complaints, launch, open, pages, place, root } from "./browser.mjs";

const path = join(place, "made/check.html");
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

// A click changes the address, and the page turns once it hears of that.
const turn = async (tab, suite) => {
  await tab.getByRole("link", { name: suite, exact: true }).click();
  await tab.locator(`section[data-suite="${suite}"]`).waitFor();
};
const seen = (tab) => tab.locator("section[data-suite]:visible").evaluateAll((all) => all.map((suite) => suite.dataset.suite));

test("the first suite that does not pass is in sight, and a click turns to another", async () => {
  const { tab, noise, close } = await open(browser, path);
  assert.match(await tab.locator("h1").innerText(), /NO-SHIP/);
  assert.equal((await seen(tab)).length, 1);
  await turn(tab, "release");
  assert.deepEqual(await seen(tab), ["release"]);
  assert.match(await tab.locator("section[data-suite=release] .tally").textContent(), /^51 of 51/);
  await turn(tab, "broken");
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
    assert.deepEqual(await complaints(tab, { rules: scheme === "dark" ? ["color-contrast"] : undefined }), []);
    await tab.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.ok((await seen(tab)).length > 5);
    await close();
  }
});

test("with a history every suite has its trend, this run last; a long name hides nothing", async () => {
  const project = join(pages, "project");
  rmSync(project, { recursive: true, force: true });
  const karat = (...words) => {
    const ran = spawnSync(join(root, "target/debug/karat"), [...words, "--quiet"], { cwd: words[0] === "init" ? root : project, encoding: "utf8" });
    assert.ok(ran.status < 2, ran.stderr);
  };
  karat("init", project);
  const report = join(project, "eval/report.html");
  karat("check");
  const first = readFileSync(report, "utf8");
  assert.ok(!first.includes("The last "), "a first run has no trend");
  const trace = join(project, "runs/trace.jsonl");
  const whole = readFileSync(trace, "utf8");
  writeFileSync(trace, whole.split("\n").slice(0, 8).join("\n"));
  karat("check");
  writeFileSync(trace, whole);
  const config = join(project, "karat.toml");
  const name = "a".repeat(300);
  karat("check");
  const { tab, noise, close } = await open(browser, report, { bypassCSP: true });
  assert.match(await tab.locator("header.page").innerText(), /karat\.toml/);
  const trend = tab.getByRole("region", { name: "answers: Trend" });
  assert.match(await trend.innerText(), /The last 3 runs of the history, this one last/);
  assert.match(await trend.getByText("Verdicts, oldest first").textContent(), /SHIP, NO-SHIP, SHIP/);
  assert.ok(await trend.getByRole("img", { name: /^precision over 3 runs: 1\.0000, 0\.\d+, 1\.0000$/ }).isVisible());
  assert.deepEqual(await complaints(tab), []);
  assert.deepEqual(noise, []);
  await close();

  writeFileSync(config, readFileSync(config, "utf8").replace("[suites.answers]", `[suites.${name}]`));
  karat("check", name, "evidence", "--out", "long.html");
  const long = await open(browser, join(project, "long.html"));
  const why = await long.tab.locator("tr[data-tab]").first().locator("td").last().boundingBox();
  assert.ok(why.x + 100 < 1280, `the reason is out of sight: ${JSON.stringify(why)}`);
  assert.equal(await long.tab.locator("tr[data-tab] a").first().getAttribute("title"), name);
  await long.close();
});
