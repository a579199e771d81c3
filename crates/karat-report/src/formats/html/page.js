
// What the page as a whole does: addresses, suites, light and dark, printing, keys.
/** Puts what is shown into the address, so that it can be sent to somebody. */
const link = (hash) => {
  try {
    history.replaceState(null, "", `${location.pathname}${location.search}${hash ? `#${hash}` : ""}`);
  } catch { /* An address that may not be changed: nothing is lost but the link. */ }
};

/** Of several suites, the one in sight. */
const suites = [...document.querySelectorAll("section[data-suite]")];
const turn = (name) => {
  const chosen = suites.find((suite) => suite.dataset.suite === name) || suites[0];
  if (!chosen) return;
  for (const suite of suites) suite.hidden = suite !== chosen;
  for (const row of document.querySelectorAll("tr[data-tab]")) {
    if (row.dataset.tab === chosen.dataset.suite) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
  tables.forEach((table) => table.draw());
};

const follow = () => {
  const asked = new URLSearchParams(location.hash.slice(1));
  if (suites.length > 0 && asked.has("suite")) {
    turn(asked.get("suite"));
    if (asked.size === 1) suites.find((suite) => !suite.hidden).scrollIntoView();
  }
  const mine = tables.filter((table) => !asked.has("suite") || table.suite === asked.get("suite"));
  if (asked.has("case")) {
    const seen = mine.find((table) => !table.place.closest("[hidden]")) || mine[0] || tables[0];
    if (!mine.some((table) => table.show(asked.get("case"))) && seen) seen.lacks(asked.get("case"));
  }
  else if (asked.has("label") || asked.has("stage")) mine.forEach((table) => table.only(asked.get("label"), asked.get("stage")));
};

const theme = document.querySelector("button.theme");
const dark = () => (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
const name = () => { theme.textContent = dark() ? "Light" : "Dark"; };
theme.hidden = false;
name();
theme.addEventListener("click", () => {
  document.documentElement.dataset.theme = dark() ? "light" : "dark";
  name();
});

drawer.build();
const tables = [...document.querySelectorAll("[data-cases]")].map((place) => new Cases(place));
const inSight = () => tables.find((table) => !table.place.closest("[hidden]")) || tables[0];
addEventListener("hashchange", follow);
addEventListener("beforeprint", () => {
  for (const suite of suites) suite.hidden = false;
  tables.forEach((table) => table.print(true));
});
addEventListener("afterprint", () => {
  tables.forEach((table) => table.print(false));
  if (suites.length > 0) turn(new URLSearchParams(location.hash.slice(1)).get("suite"));
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.target.closest("input, select, dialog") && tables.length > 0) {
    event.preventDefault();
    inSight().search.focus();
  }
});
document.querySelector("a.skip").addEventListener("click", (event) => {
  if (tables.length === 0) return;
  event.preventDefault();
  inSight().place.closest("section").scrollIntoView();
  inSight().table.focus({ preventScroll: true });
});
if (suites.length > 0) turn(null);
follow();
