/** All groups of a pipeline: which violate something now, in how many each property is true over time. */

import { element, plural } from "./dom";
import type { GroupLine, Header, SystemView } from "./format";
import { shorten } from "./values";

const EVERY_MS = 2000;
const WIDE = 260;
const HIGH = 34;

/** The system in a sentence. */
export function sentenceOf(view: SystemView, properties: Header["spec"]["properties"]): string {
  if (!view.groups) return "No group has reported yet.";
  const all = plural(view.groups, "group");
  if (properties.some(({ never }) => never)) {
    if (!view.violating) return `In none of ${all} is anything violated now.`;
    const isAre = view.violating === 1 ? "violates" : "violate";
    return `${view.violating.toLocaleString("en")} of ${all} ${isAre} something now.`;
  }
  return `${all}. Open one to see what happened in it.`;
}

/** The properties that must never be true, and are in some group. */
export function violatedIn(view: SystemView, properties: Header["spec"]["properties"]): string[] {
  return properties.filter(({ never }, k) => never && (view.true_in[k]?.at(-1) ?? 0) > 0).map(({ name }) => name);
}

/** A line through counts, as high as the largest of them. */
export function sparkPath(counts: number[], most: number): string {
  const step = WIDE / Math.max(1, counts.length - 1);
  const y = (count: number): number => HIGH - 1 - (count / Math.max(1, most)) * (HIGH - 3);
  if (counts.length === 1) return `M0 ${y(counts[0])}H${WIDE}`;
  return counts.map((count, k) => `${k ? "L" : "M"}${(k * step).toFixed(1)} ${y(count).toFixed(1)}`).join("");
}

export class SystemPanel {
  readonly root = element("section", { class: "card system", "aria-label": "All groups" });
  private word = element("p", { class: "word" });
  private sparks = element("ul", { class: "sparks" });
  private caption = element("p", { class: "soft caption" });
  private rows = element("tbody", {});
  private more = element("p", { class: "soft" });
  private field = element("input", { type: "search", "aria-label": "Find a group", placeholder: "find a group" });
  private timer = 0;

  /** `load` asks the server; `open` is given the group to look at, `violated` the properties that are violated now. */
  constructor(
    private header: Header,
    private load: (search: string) => Promise<SystemView>,
    private on: { open(group: string): void; violated(names: string[]): void },
  ) {
    const head = ["group", "violated now", "true now", "slides", "rejects"].map((text) =>
      element("th", { scope: "col" }, text),
    );
    const table = element("table", {}, element("thead", {}, element("tr", {}, ...head)), this.rows);
    const scroll = element("div", { class: "scroll" }, table);
    this.root.append(this.word, this.sparks, this.caption, this.field, scroll, this.more);
    this.field.addEventListener("input", () => void this.refresh());
  }

  /** Shows the groups, and again as they change, until `stop`. */
  start(): void {
    this.stop();
    void this.refresh();
    this.timer = window.setInterval(() => void this.refresh(), EVERY_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async refresh(): Promise<void> {
    const view = await this.load(this.field.value).catch(() => null);
    if (view) this.render(view);
  }

  private render(view: SystemView): void {
    const { properties } = this.header.spec;
    this.root.dataset.tone = view.violating ? "violated" : "false";
    this.root.dataset.groups = String(view.groups);
    this.word.textContent = sentenceOf(view, properties);
    this.sparks.replaceChildren(...properties.map((_, k) => this.spark(view, k)));
    const batches = view.true_in[0]?.length ?? 0;
    this.caption.textContent = batches
      ? `In how many groups each is true, after each of the latest ${plural(batches, "batch", "batches")}`
      : "";
    this.on.violated(violatedIn(view, properties));
    const focused = document.activeElement?.getAttribute("data-group");
    this.rows.replaceChildren(...view.lines.map((line) => this.row(line)));
    if (focused !== null && focused !== undefined) {
      this.rows.querySelector<HTMLElement>(`[data-group="${CSS.escape(focused)}"]`)?.focus();
    }
    const left = view.found - view.lines.length;
    this.more.textContent = left > 0 ? `and ${plural(left, "group")} more; search for their names` : "";
  }

  private spark(view: SystemView, k: number): HTMLElement {
    const { name, never } = this.header.spec.properties[k];
    const counts = view.true_in[k];
    const now = counts[counts.length - 1] ?? 0;
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", `0 0 ${WIDE} ${HIGH}`);
    svg.setAttribute("role", "img");
    svg.setAttribute(
      "aria-label",
      `${name}: true in ${plural(now, "group")} now, at most in ${Math.max(0, ...counts)}`,
    );
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", sparkPath(counts, Math.max(...counts, 1)));
    svg.append(path);
    const label = element("span", {}, element("strong", {}, shorten(name, 28)), ` ${now.toLocaleString("en")}`);
    const tone = never ? (now ? "violated" : "false") : "true";
    return element("li", { "data-tone": tone, title: name }, label, svg);
  }

  private row(line: GroupLine): HTMLElement {
    const { properties } = this.header.spec;
    const named = (wanted: boolean): string =>
      properties
        .filter(({ never }, k) => never === wanted && line.values[k] === "1")
        .map(({ name }) => name)
        .join(", ");
    const pick = element("button", { type: "button", "data-group": line.name }, line.name || "(no name)");
    pick.addEventListener("click", () => this.on.open(line.name));
    const numbers = [line.slide, line.rejects].map((count) =>
      element("td", { class: "count" }, count.toLocaleString("en")),
    );
    const violated = named(true);
    return element(
      "tr",
      { "data-tone": violated ? "violated" : "false" },
      element("th", { scope: "row" }, pick),
      element("td", { class: "violated" }, violated),
      element("td", {}, named(false)),
      ...numbers,
    );
  }
}
