// The table of cases. Whatever comes from the data becomes text of the page, never markup.
/** An element with attributes and children; a string becomes text. */
const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
};
const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
const ROW = 34;
const HEAD = 32;
const PRINTED = 1000;

/** What a column says of a case, as text; "" where it says nothing. */
const cell = (column, at) => {
  if (column.text) return column.text[at];
  if (column.count) return column.count[at] === null ? "" : grouped(column.count[at]);
  if (column.number) return column.number[at] === null ? "" : column.number[at].toFixed(4);
  const word = column.word.at[at];
  return word === null ? "" : column.word.words[word];
};
/** What a column sorts a case by: numbers and places of words as they are, text in the order of its letters. */
const key = (column, at) => {
  if (column.text) return column.text[at];
  const value = (column.number || column.count || column.word.at)[at];
  return value === null ? Infinity : value;
};

/** A label's shape and tone; none where labels say nothing about right and wrong. */
const tone = (data, label) => (data.neutral ? ["·", "idle"] : label.good ? ["✓", "pass"] : ["✗", "fail"]);

class Cases {
  constructor(place) {
    this.place = place;
    this.name = place.dataset.cases;
    const data = JSON.parse(document.getElementById(`cases-${this.name}`).textContent);
    this.data = data;
    this.suite = data.suite;
    [this.labels, this.ids, this.stages] = [data.columns[0].word.at, data.columns[1].text, data.columns[2].word.at];
    this.shown = data.columns.filter((column) => !column.hidden);
    this.asked = Object.keys(data.paths).length > 0 && Object.values(data.paths).some((path) => path.question);
    this.filter = { words: "", labels: new Set(), stage: null, wrong: false };
    this.sort = { column: data.first, down: false };
    this.active = 0;
    this.build();
    this.select();
  }

  // Filters, head and rows.
  build() {
    const uses = (words, at) => {
      const counts = words.map(() => 0);
      for (const word of at) counts[word] += 1;
      return words.map((word, i) => ({ ...word, i, count: counts[i] })).filter((word) => word.count > 0);
    };
    const labels = uses(this.data.labels, this.labels);
    this.search = make("input", { type: "search", placeholder: "Search ids, questions, claims", "aria-label": "Search cases" });
    let due = 0;
    const look = () => {
      clearTimeout(due);
      const words = this.search.value.trim().toLowerCase();
      if (words === this.filter.words) return;
      this.filter.words = words;
      this.select();
    };
    this.search.addEventListener("input", () => {
      clearTimeout(due);
      due = setTimeout(look, 80);
    });
    // From the words straight into what they found.
    this.search.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown" && event.key !== "Enter") return;
      event.preventDefault();
      look();
      if (this.order.length === 0) return;
      this.table.focus();
      if (event.key === "Enter") drawer.open(this, this.active);
    });
    this.chips = make("div", { class: "chips", role: "group", "aria-label": "Labels" });
    const chip = (text, pressed, toggle) => {
      const button = make("button", { type: "button", "aria-pressed": "false" }, text);
      button.addEventListener("click", () => {
        toggle();
        this.select();
      });
      button.pressed = pressed;
      this.chips.append(button);
    };
    const wrong = labels.filter((label) => !label.good).reduce((sum, label) => sum + label.count, 0);
    if (labels.length > 2 && wrong > 0 && !this.data.neutral) {
      chip(`✗ all wrong ${grouped(wrong)}`, () => this.filter.wrong, () => { this.filter.wrong = !this.filter.wrong; });
    }
    for (const label of labels) {
      const chosen = this.filter.labels;
      const toggle = () => (chosen.has(label.i) ? chosen.delete(label.i) : chosen.add(label.i));
      chip(`${tone(this.data, label)[0]} ${label.name} ${grouped(label.count)}`, () => chosen.has(label.i), toggle);
    }
    this.stage = make("select", { "aria-label": "Stage" }, make("option", { value: "" }, "any stage"));
    for (const stage of uses(this.data.stages, this.stages)) {
      this.stage.append(make("option", { value: String(stage.i) }, `${stage.name} ${grouped(stage.count)}`));
    }
    this.stage.addEventListener("change", () => {
      this.filter.stage = this.stage.value === "" ? null : Number(this.stage.value);
      this.select();
    });
    this.tally = make("span", { class: "tally", role: "status" });
    const filters = make("div", { class: "filters", role: "search" }, this.search, this.stage, this.tally, this.chips);

    const kind = (column, i) => ["tag", "id", "stage more"][i] || (column.text ? "stage more" : "short more");
    this.columns = this.shown.map((column, i) => ({ ...column, class: kind(column, i), at: i }));
    if (this.asked) this.columns.splice(2, 0, { head: "question", class: "question" });
    const group = make("colgroup");
    const head = make("tr", { role: "row" });
    for (const column of this.columns) {
      group.append(make("col", { class: column.class }));
      const th = make("th", { class: column.class, role: "columnheader", scope: "col" });
      if (column.at === undefined) {
        th.append(make("button", { type: "button", disabled: "" }, column.head));
      } else {
        const button = make("button", { type: "button", title: `Sort by ${column.head}` }, column.head);
        button.addEventListener("click", () => {
          this.sort = { column: column.at, down: this.sort.column === column.at && !this.sort.down };
          this.select();
        });
        th.append(button);
        column.th = th;
      }
      head.append(th);
    }
    this.body = make("tbody", { role: "rowgroup" });
    this.table = make("table", { role: "grid", tabindex: "0", "aria-label": "Cases", "aria-readonly": "true" },
      group, make("thead", { role: "rowgroup" }, head), this.body);
    // Columns that do not fit scroll; the question keeps a width that can be read.
    const rem = { tag: 11.5, id: 9, stage: 10.5, short: 6.4, question: 17 };
    const wide = this.columns.reduce((sum, column) => sum + rem[column.class.split(" ")[0]], 0);
    this.table.style.setProperty("--wide", `${wide}rem`);
    this.above = make("div");
    this.below = make("div");
    this.empty = make("p", { class: "none-left", hidden: "" }, "No case is left: take a filter away.");
    this.rows = make("div", { class: "rows" }, this.above, this.table, this.below, this.empty);
    this.rows.addEventListener("scroll", () => this.draw(), { passive: true });
    this.table.addEventListener("keydown", (event) => this.pressed(event));
    this.table.addEventListener("focus", () => this.go(this.active));
    this.body.addEventListener("click", (event) => {
      const row = event.target.closest("tr");
      if (row) {
        this.go(Number(row.dataset.at));
        drawer.open(this, this.active);
      }
    });
    new ResizeObserver(() => this.draw()).observe(this.rows);
    this.left = make("p", { class: "note", hidden: "" });
    this.unknown = make("p", { class: "unknown", role: "alert", hidden: "" });
    this.place.replaceChildren(this.unknown, filters, this.rows, this.left);
  }

  /** Which cases are left, and in which order. */
  select() {
    const { words, labels, stage, wrong } = this.filter;
    const good = this.data.labels.map((label) => label.good);
    const order = [];
    for (let at = 0; at < this.ids.length; at += 1) {
      const label = this.labels[at];
      if (labels.size > 0 && !labels.has(label)) continue;
      if (wrong && good[label]) continue;
      if (stage !== null && this.stages[at] !== stage) continue;
      if (words && !this.words(at).includes(words)) continue;
      order.push(at);
    }
    const column = this.shown[this.sort.column];
    const sign = this.sort.down ? -1 : 1;
    order.sort((a, b) => {
      const [x, y] = [key(column, a), key(column, b)];
      return x < y ? -sign : x > y ? sign : a - b;
    });
    this.order = order;
    this.active = 0;
    for (const button of this.chips.children) button.setAttribute("aria-pressed", String(button.pressed()));
    for (const { th, at, head } of this.columns) {
      if (!th) continue;
      const sorted = at === this.sort.column;
      th.setAttribute("aria-sort", sorted ? (this.sort.down ? "descending" : "ascending") : "none");
      th.firstChild.textContent = sorted ? `${head} ${this.sort.down ? "▼" : "▲"}` : head;
    }
    this.tally.textContent = `${grouped(order.length)} of ${grouped(this.ids.length)} cases`;
    this.table.setAttribute("aria-rowcount", String(order.length + 1));
    this.empty.hidden = order.length > 0;
    this.rows.scrollTop = 0;
    this.from = -1;
    this.draw();
  }

  /** All that is said of a case, in lower case. */
  words(at) {
    this.cache = this.cache || [];
    if (this.cache[at] === undefined) {
      const path = this.data.paths[at];
      const said = path ? [path.question, ...(path.claim || []), ...path.retrieved, ...path.notes,
        ...(path.about || []).flat(), ...(path.claims || []).flatMap(([id, words]) => [id, words]), ...(path.staged ? path.staged.chunks.map(([id]) => id) : [])] : [];
      this.cache[at] = [...this.shown.map((column) => cell(column, at)), ...said].join(" ").toLowerCase();
    }
    return this.cache[at];
  }

  /** Draws the rows that can be seen, and a few more. */
  draw() {
    const seen = Math.ceil(this.rows.clientHeight / ROW) || 20;
    const most = this.order.length;
    const from = this.printing ? 0 : Math.max(0, Math.min(Math.floor(this.rows.scrollTop / ROW) - 8, most - seen - 16));
    const to = this.printing ? Math.min(most, PRINTED) : Math.min(most, from + seen + 24);
    if (from === this.from && to === this.to && this.drawn === this.active) return;
    [this.from, this.to, this.drawn] = [from, to, this.active];
    const rows = [];
    for (let place = from; place < to; place += 1) rows.push(this.row(place));
    this.body.replaceChildren(...rows);
    this.above.style.height = this.printing ? "0" : `${from * ROW}px`;
    this.below.style.height = this.printing ? "0" : `${(most - to) * ROW}px`;
    if (most > 0) this.table.setAttribute("aria-activedescendant", `row-${this.name}-${this.active}`);
    else this.table.removeAttribute("aria-activedescendant");
  }

  row(place) {
    const at = this.order[place];
    const label = this.data.labels[this.labels[at]];
    const row = make("tr", {
      role: "row", id: `row-${this.name}-${place}`, "data-at": place, "aria-rowindex": place + 2,
      "aria-selected": String(place === this.active),
    });
    for (const column of this.columns) {
      const td = make("td", { role: "gridcell", class: column.class });
      if (column.at === 0) {
        const [mark, name] = tone(this.data, label);
        td.classList.add(name);
        td.append(make("span", { "aria-hidden": "true" }, `${mark} `), label.name);
      } else if (column.at === undefined) {
        const path = this.data.paths[at];
        td.append(make("bdi", {}, path ? path.question : ""));
      } else {
        if (column.at === 2) td.title = this.data.stages[this.stages[at]].meaning || "";
        td.append(make("bdi", {}, cell(column, at)));
      }
      row.append(td);
    }
    return row;
  }

  /** Makes a row the active one, in sight. */
  go(place) {
    this.active = Math.max(0, Math.min(place, this.order.length - 1));
    const top = this.active * ROW;
    if (top < this.rows.scrollTop) this.rows.scrollTop = top;
    const end = HEAD + top + ROW - this.rows.clientHeight;
    if (end > this.rows.scrollTop) this.rows.scrollTop = end;
    this.draw();
  }

  pressed(event) {
    if (event.target !== this.table || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.rows.clientHeight / ROW) - 2);
    const steps = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in steps) this.go(Math.max(0, Math.min(this.active + steps[event.key], this.order.length - 1)));
    else if (event.key === "Enter" && this.order.length > 0) drawer.open(this, this.active);
    else return;
    event.preventDefault();
  }

  /** Opens a case by its id, whatever the filters are. */
  show(id) {
    const at = this.ids.indexOf(id);
    this.unknown.hidden = true;
    if (at < 0) return false;
    if (!this.order.includes(at)) this.clear();
    this.go(this.order.indexOf(at));
    drawer.open(this, this.active);
    return true;
  }

  /** Says that an address asks for a case that is not here. */
  lacks(id) {
    this.unknown.hidden = false;
    this.unknown.replaceChildren("There is no case ", make("bdi", {}, make("b", {}, id)), " in this report.");
    this.place.closest("section").scrollIntoView();
  }

  clear() {
    this.filter.labels.clear();
    Object.assign(this.filter, { words: "", stage: null, wrong: false });
    this.search.value = "";
    this.stage.value = "";
    this.select();
  }

  /** Leaves the cases of a label or a stage. */
  only(label, stage) {
    const find = (words, name) => words.findIndex((word) => word.name === name);
    const [l, s] = [find(this.data.labels, label), find(this.data.stages, stage)];
    if (l < 0 && s < 0) return;
    this.clear();
    if (l >= 0) this.filter.labels.add(l);
    if (s >= 0) [this.filter.stage, this.stage.value] = [s, String(s)];
    this.select();
    this.place.closest("section").scrollIntoView();
  }

  print(on) {
    this.printing = on;
    this.from = -1;
    const more = this.order.length - PRINTED;
    this.left.hidden = !on || more <= 0;
    this.left.textContent = `${grouped(Math.max(0, more))} more cases are not printed.`;
    this.draw();
  }
}
