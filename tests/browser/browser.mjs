// What the browser tests share: the pages that karat makes, and a Chromium that reports everything a page does.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
/** Where the packages are, and where pages are written: a folder that `cargo xtask browser` makes. */
export const place = join(root, "target/browser");
export const pages = join(place, "pages");
mkdirSync(pages, { recursive: true });
const packages = createRequire(join(place, "package.json"));
const { chromium } = packages("playwright-core");
export const axe = readFileSync(packages.resolve("axe-core/axe.min.js"), "utf8");

/** Runs karat and has it write a page; its path. */
const made = new Map();
export const page = (name, args, options = {}) => {
  const [path, call] = [join(pages, `${name}.html`), JSON.stringify(args)];
  // The same call makes the same page: once is enough.
  if (made.get(path) === call) return path;
  made.set(path, call);
  const ran = spawnSync(join(root, "target/debug/karat"), [...args, "--quiet", "--out", path], { cwd: root, encoding: "utf8", ...options });
  if (ran.error || ran.status === null || ran.status > 1) throw new Error(`karat ${args.join(" ")}: ${ran.stderr || ran.error}`);
  return path;
};

/** The calls that make the shared fixtures: a name, and the words of each. */
export const fixtures = () =>
  readFileSync(join(root, "tests/fixtures/report/commands.txt"), "utf8").split("\n")
    .filter((line) => line && !line.startsWith("#"))
    .map((line) => {
      const [name, , ...args] = line.match(/'[^']*'|\S+/g).map((word) => word.replace(/^'|'$/g, ""));
      return { name, args };
    });

/** Has karat write the page of a history of these fixtures' reports, a day apart. */
export const history = (name, reports, args = []) => {
  const [base, path] = [join(pages, `${name}.db`), join(pages, `${name}.html`)];
  rmSync(base, { force: true });
  const karat = (...words) => execFileSync(join(root, "target/debug/karat"), ["trend", "--history", base, ...words], { cwd: root });
  reports.forEach((report, day) => {
    const at = `2026-11-${String(day + 1).padStart(2, "0")}T08:00:00Z`;
    karat("--add", `tests/fixtures/report/${report}.json`, "--at", at, "--commit", `${day}`.repeat(10), ...args);
  });
  writeFileSync(path, karat("--format", "html"));
  return path;
};

const program = () => process.env.CHROMIUM || execFileSync("sh", ["-c", "command -v chromium || command -v chromium-browser || command -v google-chrome"], { encoding: "utf8" }).trim();

export const launch = () => chromium.launch({ executablePath: program(), args: ["--no-sandbox"] });

/** Opens a page; `noise` is everything it should not do: messages, errors, requests, broken policies. */
export const open = async (browser, path, { hash = "", width = 1280, height = 800, scheme = "light", ...more } = {}) => {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, ...more });
  const tab = await context.newPage();
  const noise = [];
  const address = pathToFileURL(path).href;
  tab.on("console", (message) => noise.push(`console: ${message.text()}`));
  tab.on("pageerror", (error) => noise.push(`error: ${error.message}`));
  tab.on("dialog", (dialog) => { noise.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  tab.on("request", (request) => {
    if (request.url().split("#")[0] !== address && !request.url().startsWith("data:")) noise.push(`request: ${request.url()}`);
  });
  await tab.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
  });
  await tab.goto(address + hash);
  return { tab, noise, close: () => context.close() };
};

/** What axe-core holds against a page, minor things left out. */
export const complaints = async (tab, { within = "html", rules } = {}) => {
  await tab.evaluate(axe);
  const { violations } = await tab.evaluate(([within, rules]) => globalThis.axe.run(within, rules ? { runOnly: rules } : {}), [within, rules]);
  return violations.filter((found) => found.impact !== "minor")
    .flatMap((found) => found.nodes.map((node) => `${found.id}: ${node.target.join(" ")}: ${node.failureSummary.split("\n")[1] ?? ""}`));
};
