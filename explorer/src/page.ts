/** The page's frame: its header with help and theme, and a card for each drawing. */

import { button, element } from "./dom";
import type { Header } from "./format";
import type { Form } from "./lattice-view";

const KEYS = [
  ["← →", "previous, next slide (with Shift: ten)"],
  ["Home End", "first, last slide"],
  ["[ ]", "previous, next change of the chosen property"],
  ["Space", "play, pause"],
  ["1 … 9", "choose a property"],
  ["Tab", "into the diagrams, where the arrow keys move between states or cuts"],
  ["Enter", "keep a cut drawn; Escape lets it go"],
];

const COLOURS = [
  ["may", "allows the condition"],
  ["out", "rules it out"],
  ["unread", "not read"],
  ["coming", "not delivered yet"],
];

/** What stands in the frame. */
export interface Pieces {
  status: Node;
  groups: HTMLElement;
  properties: Node;
  /** the drawings */
  spaceTime: Node;
  lattice: Node;
  timeline: Node;
  /** in words, beside the lattice */
  facts: Node;
  forms: Node;
  transport: Node;
  counters: Node;
  notes: Node;
  /** what lies over the page, or is heard only */
  others: Node[];
}

/** Puts the pieces into the page. */
export function buildPage(root: HTMLElement, header: Header, pieces: Pieces): void {
  const help = helpDialog();
  const states = legend(header.spec.properties.length > 0);
  const besideLattice = element("div", { class: "row" }, pieces.facts, pieces.forms);
  const besideTimeline = element("div", { class: "row" }, pieces.transport, pieces.counters);
  root.append(
    topOf(header, pieces, help),
    pieces.properties,
    card("spacetime", "Space-time", states, pieces.spaceTime),
    card("lattice", "Lattice", besideLattice, pieces.lattice),
    card("timeline", "Timeline", besideTimeline, pieces.timeline, pieces.notes),
    ...pieces.others,
    help,
  );
}

/** Buttons for the forms of a lattice, of which the first is chosen. */
export function formButtons(forms: readonly Form[], choose: (form: Form) => void): HTMLElement {
  const group = element("div", { class: "forms", role: "group", "aria-label": "How the lattice is drawn" });
  for (const [k, form] of forms.entries()) {
    const pick = element("button", { type: "button", "aria-pressed": String(k === 0), "data-form": form }, form);
    pick.addEventListener("click", () => {
      choose(form);
      for (const other of group.children) other.setAttribute("aria-pressed", String(other === pick));
    });
    group.append(pick);
  }
  return group;
}

/** Changes between light and dark, from whichever is shown. */
export function toggleTheme(): void {
  const { dataset } = document.documentElement;
  const isDark = dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  dataset.theme = isDark ? "light" : "dark";
}

function topOf(header: Header, { status, groups }: Pieces, help: HTMLDialogElement): HTMLElement {
  groups.hidden = header.groups.length < 2 && !header.live;
  return element(
    "header",
    {},
    element("h1", {}, element("span", { class: "brand" }, "latwin"), " explorer"),
    element("span", { class: "source", title: header.source }, header.source),
    status,
    element("span", { class: "space" }),
    groups,
    button("Light or dark", "theme", toggleTheme, "t"),
    button("Keys and help", "help", () => help.showModal(), "?"),
  );
}

function helpDialog(): HTMLDialogElement {
  const help = element("dialog", { class: "help", "aria-label": "Keys" });
  const keys = element("dl", {});
  for (const [key, what] of KEYS) keys.append(element("dt", {}, key), element("dd", {}, what));
  const done = element("button", { type: "button" }, "Close");
  done.addEventListener("click", () => help.close());
  help.append(element("h2", {}, "Keys"), keys, done);
  return help;
}

function card(name: string, title: string, beside: Node, ...content: Node[]): HTMLElement {
  const head = element("div", { class: "head" }, element("h2", {}, title), beside);
  return element("section", { class: `card ${name}`, "aria-label": title }, head, ...content);
}

/** What the colours of states mean; those of a condition only where one is asked. */
function legend(isAsked: boolean): HTMLElement {
  const made = element("ul", { class: "legend", "aria-label": "Colours" });
  for (const [kind, text] of COLOURS) {
    if (isAsked || kind === "coming") made.append(element("li", {}, element("i", { class: kind }), text));
  }
  return made;
}
