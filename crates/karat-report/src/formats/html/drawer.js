
// One case, from question to verdict.
/** The drawer: one case, from question to verdict. */
const drawer = {
  build() {
    const button = (text, label, act) => {
      const made = make("button", { type: "button", "aria-label": label, title: label }, text);
      made.addEventListener("click", act);
      return made;
    };
    this.title = make("h2", { id: "drawer-title", tabindex: "-1" });
    this.body = make("div", { class: "body" });
    this.before = button("←", "Previous case", () => this.turn(-1));
    this.after = button("→", "Next case", () => this.turn(1));
    const close = button("✕", "Close", () => this.dialog.close());
    const head = make("header", {}, this.title, this.before, this.after, close);
    this.dialog = make("dialog", { "aria-labelledby": "drawer-title" }, head, this.body);
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
    this.dialog.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, j: 1, ArrowLeft: -1, k: -1 }[event.key];
      if (step && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        this.turn(step);
      }
    });
    this.dialog.addEventListener("close", () => {
      link("");
      this.table.table.focus({ preventScroll: true });
    });
    document.body.append(this.dialog);
  },

  open(table, place) {
    this.table = table;
    const at = table.order[place];
    const parts = tables.length > 1 ? [["suite", table.suite]] : [];
    link([...parts, ["case", table.ids[at]]].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&"));
    this.fill(table, at);
    [this.before.disabled, this.after.disabled] = [place === 0, place === table.order.length - 1];
    if (!this.dialog.open) this.dialog.showModal();
    this.dialog.scrollTop = 0;
    this.title.focus();
  },

  turn(step) {
    const place = this.table.active + step;
    if (place < 0 || place >= this.table.order.length) return;
    this.table.go(place);
    this.open(this.table, place);
  },

  fill(table, at) {
    const { data } = table;
    const [label, stage] = [data.labels[table.labels[at]], data.stages[table.stages[at]]];
    const path = data.paths[at];
    const [mark, name] = tone(data, label);
    this.title.replaceChildren(
      make("span", { class: name }, `${mark} ${label.name} `), make("bdi", {}, table.ids[at]));
    const parts = [];
    const part = (title, ...children) => parts.push(make("h3", {}, title), ...children);
    const said = (text) => make("p", { class: "said", dir: "auto" }, text);
    if (label.meaning) parts.push(make("p", {}, label.meaning));
    if (!stage.good) {
      part(label.good && !data.neutral ? "Stopped at, as it should be" : data.neutral ? "Because of" : "First failed stage", make("p", {}, make("b", { class: name }, stage.name), stage.meaning ? `: ${stage.meaning}` : ""));
    }
    if (path && path.next && path.next !== "nothing") part("What to do", make("p", { class: "do" }, path.next));
    if (path && path.steps.length > 0) part("Checks", steps(path.steps, data.meanings));
    if (path && path.question) part("Question", said(path.question));
    if (path && path.about) parts.push(about(path.about));
    if (path && path.claim) part("Claim", claim(path.claim));
    if (path && path.claims) part(path.claims.length === 1 ? "Claim" : `${path.claims.length} claims`, claims(path.claims));
    // Of several runs there is no one claim and no one ranking: gold's phrases and sources are counted over all of them.
    if (path && path.found) {
      const [says, cites] = [path.found.filter(([source]) => !source), path.found.filter(([source]) => source)];
      if (says.length > 0) part("Phrases that gold asks for", counted(says, "said"));
      if (cites.length > 0) part("Sources that gold names", counted(cites, "cited"));
    } else if (path && path.phrases.length > 0) {
      part("Phrases that gold asks for", path.claim ? phrases(path) : make("p", {}, path.phrases.join(" · ")));
    }
    if (path && path.staged) part("Evidence, stage by stage", staged(path.staged));
    else if (path && !path.found && path.retrieved.length + path.cited.length > 0) part("Retrieved, cited, gold", ranks(path));
    else if (path && !path.found && path.gold.length > 0) part("Sources that gold names", make("p", { class: "ids" }, path.gold.join(" · ")));
    if (path && path.notes.length > 0) part("Notes", ...path.notes.map(said));
    if (!path) parts.push(make("p", { class: "note" }, "The words of this case are not in this page; `karat explain` with the suite's inputs tells them."));
    part("Facts", facts(table, at));
    const line = data.columns.find((column) => column.head === "line" && column.hidden);
    const places = [[data.role, line && line.count[at] !== null ? `${data.rows}:${line.count[at]}` : ""], ["trace", path ? path.trace : ""]];
    if (places.some(([, place]) => place)) {
      part("Where it stands", about(places.filter(([, place]) => place)));
    }
    this.body.replaceChildren(...parts);
  },
};

const about = (items) => make("dl", { class: "about" }, ...items.map(
  ([name, text]) => make("div", {}, make("dt", {}, name), make("dd", { dir: "auto" }, text))));

/** A mark that says whether something holds, to those who see it and those who do not. */
const sign = (holds) => make("span", { class: holds === null ? "idle" : holds ? "pass" : "fail", "aria-label": holds === null ? "not judged" : holds ? "holds" : "fails", role: "img" }, holds === null ? "·" : holds ? "✓" : "✗");

const claims = (list) => make("ol", { class: "claims" }, ...list.map(([id, words, checks]) => make("li", {},
  make("p", { dir: "auto" }, make("b", {}, make("bdi", {}, id)), words ? `: “${words}”` : ""),
  make("ul", {}, ...checks.map(([holds, why]) => make("li", {}, sign(holds), make("span", { dir: "auto" }, why)))))));

/** In how many runs each is found; what no run has is worth a look, whatever the verdict. */
const counted = (list, verb) => make("ul", { class: "counted" }, ...list.map(([, text, runs, of]) => make("li", {},
  make("span", { class: runs === of ? "pass" : runs > 0 ? "unsure" : "idle" }, `${runs === of ? "✓" : "·"} ${verb} in ${runs} of ${of} runs: `), make("bdi", {}, text))));

/** A row a chunk, a column a stage: its rank there. */
const staged = ({ stages, chunks, more }) => {
  const head = ["chunk", ...stages, ""].map((name, i) => make(name ? "th" : "td", { scope: name ? "col" : undefined, class: i > 0 && name ? "number" : undefined }, name));
  const tag = ([text, good]) => make("em", { class: good ? undefined : "fail" }, `${good ? "✓" : "✗"} ${text} `);
  const row = ([id, ranks, tags]) => make("tr", { class: tags.length > 0 ? "matters" : undefined }, make("th", { scope: "row" }, make("bdi", {}, id)),
    ...ranks.map((rank) => make("td", { class: "number" }, rank === null ? "–" : String(rank))), make("td", { class: "tags" }, ...tags.map(tag)));
  const table = make("table", { class: "staged" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...chunks.map(row)));
  const note = more > 0 ? make("p", { class: "note" }, `and ${grouped(more)} more chunks, neither required, cited nor at fault`) : undefined;
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Evidence, stage by stage" }, ...[table, note].filter(Boolean));
};

/** What was checked; names such as `ned50` with what they mean. */
const steps = (list, meanings) => {
  const first = list.findIndex(([, pass]) => pass === false);
  const item = ([name, pass, says], i) => make("li", { class: i === first ? "first" : undefined },
    sign(pass), make("b", {}, name), make("span", { dir: "auto" }, says, meanings[name] ? make("small", {}, meanings[name]) : ""));
  return make("ol", { class: "steps" }, ...list.map(item));
};

const claim = (parts) => {
  const shown = parts.map((part, i) => (i % 2 === 1 ? make("mark", {}, part) : part));
  return make("p", { class: "said", dir: "auto" }, ...(parts.join("") === "" ? ["(an empty claim)"] : shown));
};

const phrases = (path) => {
  const text = (path.claim || []).join("").toLowerCase();
  const item = (phrase) => {
    const found = [...phrase].length >= 5 && text.includes(phrase);
    return make("li", {}, make("span", { class: found ? "pass" : "idle" }, found ? "✓ in the claim: " : "· not in the claim: "), make("bdi", {}, phrase));
  };
  return make("ul", {}, ...path.phrases.map(item));
};

const ranks = (path) => {
  const [gold, cited, retrieved] = [path.gold, path.cited, path.retrieved].map((ids) => new Set(ids));
  const item = (rank, id, ...tags) => make("li", {}, make("span", { class: "rank" }, rank), make("bdi", {}, id),
    make("span", {}, ...tags.filter(Boolean).flatMap(([text, tone]) => [make("em", { class: tone }, text), " "])));
  const rows = path.retrieved.map((id, i) => item(`${i + 1}.`, id, gold.has(id) && ["✓ gold"], cited.has(id) && ["cited", "cited"]));
  for (const id of path.cited) {
    if (!retrieved.has(id)) rows.push(item("–", id, gold.has(id) && ["✓ gold"], ["✗ cited, not retrieved", "fail"]));
  }
  for (const id of path.gold) {
    // Where no ranking is told, nothing is known about it.
    const tag = path.retrieved.length > 0 ? ["✗ gold, not retrieved", "fail"] : ["gold"];
    if (!retrieved.has(id) && !cited.has(id)) rows.push(item("–", id, tag));
  }
  return make("ol", { class: "ranks" }, ...rows);
};

const facts = (table, at) => {
  const items = table.data.columns.slice(2).filter((column) => column.head !== "line").map((column) => [column.head, cell(column, at)]);
  return make("dl", { class: "facts" }, ...items.filter(([, text]) => text !== "").map(
    ([head, text]) => make("div", {}, make("dt", {}, head), make("dd", {}, make("bdi", {}, text)))));
};
