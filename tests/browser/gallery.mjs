// Makes the screenshots of docs/gallery.md from the shared fixtures.
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fixtures, history, launch, open, page, root } from "./browser.mjs";

const SHOTS = [
  { file: "answers", of: "answers" },
  { file: "answers-dark", of: "answers", scheme: "dark", hash: "#case=Q09" },
  { file: "release", of: "release" },
  { file: "release-case", of: "release", hash: "#case=p08", width: 640, height: 720, scroll: "dialog .about" },
  { file: "retrieval", of: "retrieval", scroll: ".columns" },
  { file: "latency", of: "latency", scroll: "[aria-label='Latency and precision']" },
  { file: "stability", of: "stability", scroll: "[aria-label='Runs by seed and jitter']" },
  { file: "agreement", of: "agreement", scheme: "dark" },
  { file: "cases", of: "release", scroll: ".cases" },
  { file: "trend", of: "trend" },
  { file: "phone", of: "answers", width: 360, height: 740 },
];

const folder = join(root, "docs/img");
mkdirSync(folder, { recursive: true });
const browser = await launch();
const made = new Map(fixtures().map(({ name, args }) => [name, args]));
for (const { file, of, scroll, width = 1120, height = 700, ...more } of SHOTS) {
  const { tab, close } = await open(browser, made.has(of) ? page(of, made.get(of)) : history(of, ["answers", "answers", "ship", "answers", "ship", "ship"]), { width, height, ...more });
  if (scroll) await tab.locator(scroll).first().evaluate((element) => element.scrollIntoView());
  await tab.waitForTimeout(200);
  const path = join(folder, `${file}.png`);
  await tab.screenshot({ path });
  process.stderr.write(`docs/img/${file}.png ${Math.round(statSync(path).size / 1024)} KB\n`);
  await close();
}
await browser.close();
