/** The page's frame: its header with help and theme, and a card for each drawing. */

import { button, element } from "./dom";
import type { Header } from "./format";
import { helpDialog } from "./help";
import type { Form } from "./lattice-view";

/** What stands in the frame. */
export interface Pieces {
  /** beside the title */
  status: Node[];
  groups: HTMLElement;
  properties: Node;
  /** the drawings */
  spaceTime: Node[];
  lattice: Node;
  timeline: Node;
  /** in words, beside the lattice */
  facts: Node;
  legend: Node;
  /** which are drawn */
  processes: Node;
  forms: Node;
  transport: Node;
  /** search and zoom */
  tools: Node[];
  counters: Node;
  notes: Node;
  /** what lies over the page, or is heard only */
  others: Node[];
}

/** Puts the pieces into the page. */
export function buildPage(root: HTMLElement, header: Header, pieces: Pieces): void {
  const help = helpDialog();
  const besideLattice = element("div", { class: "row" }, pieces.facts, pieces.forms);
  const besideTimeline = element("div", { class: "row" }, pieces.transport, ...pieces.tools, pieces.counters);
  root.append(
    topOf(header, pieces, help),
    pieces.properties,
    card(
      "spacetime",
      "Space-time",
      element("div", { class: "row" }, pieces.legend, pieces.processes),
      ...pieces.spaceTime,
    ),
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

/** Buttons that are given by how much to zoom in; 0 shows all. */
export function zoomButtons(zoom: (factor: number) => void): HTMLElement {
  return element(
    "div",
    { class: "zoom", role: "group", "aria-label": "Zoom the timeline" },
    button("Zoom out", "less", () => zoom(1 / 2), "-"),
    button("Zoom in", "more", () => zoom(2), "+"),
    button("Show all slides", "all", () => zoom(0), "0"),
  );
}

/** Changes between light and dark, from whichever is shown. */
export function toggleTheme(): void {
  const { dataset } = document.documentElement;
  const isDark = dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  dataset.theme = isDark ? "light" : "dark";
}

function topOf(header: Header, { status, groups }: Pieces, help: HTMLDialogElement): HTMLElement {
  return element(
    "header",
    {},
    element("h1", { title: header.title }, header.title),
    element("span", { class: "source", title: header.source }, header.source === header.title ? "" : header.source),
    ...status,
    element("span", { class: "space" }),
    groups,
    button("Light or dark", "theme", toggleTheme, "t"),
    button("Words and keys", "help", () => help.showModal(), "?"),
  );
}

function card(name: string, title: string, beside: Node, ...content: Node[]): HTMLElement {
  const head = element("div", { class: "head" }, element("h2", {}, title), beside);
  return element("section", { class: `card ${name}`, "aria-label": title }, head, ...content);
}
