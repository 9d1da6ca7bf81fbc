/** The page around the drawings: header, properties, transport, counters, tooltip. */

import { button, display, element, icon, plural } from "./dom";
import { COUNTERS, type Header } from "./format";
import type { Recording, State } from "./recording";
import { finalText, type Hover, latticeText, reasonText, type Scene, verdictText } from "./scene";

/** what a state's colour says of the chosen condition */
const SAYS: Record<string, string | undefined> = {
  "0": "rules the condition out",
  "1": "allows the condition",
  "2": "makes the condition true",
};

const FINAL_TITLE = "whether a later event can overturn the value for the states of this window";

/** The properties as buttons, with the chosen one's text and why it is answered as it is. */
export class PropertyPanel {
  readonly root = element("section", { class: "card properties", "aria-label": "Properties" });
  private chips = element("div", { class: "chips", role: "group", "aria-label": "Choose a property" });
  private detail = element("div", { class: "detail" });

  constructor(
    private header: Header,
    private choose: (property: number, part: number) => void,
  ) {
    this.root.append(this.chips, this.detail);
    const { properties } = header.spec;
    properties.forEach((property, k) => {
      const chip = element("button", { type: "button", class: "chip", "data-property": property.name });
      chip.append(element("span", { class: "lamp" }), property.name);
      if (property.never) chip.append(element("span", { class: "never", title: "must never come true" }, "never"));
      chip.addEventListener("click", () => this.choose(k, 0));
      this.chips.append(chip);
    });
    if (!properties.length) this.chips.append(element("span", { class: "soft" }, "The spec has no properties."));
  }

  render(scene: Scene, part: number): void {
    const { properties } = this.header.spec;
    const { recording, moment, property } = scene;
    [...this.chips.querySelectorAll("button")].forEach((chip, k) => {
      const letter = recording.value(k, moment.slide);
      chip.dataset.value = letter;
      chip.setAttribute("aria-pressed", String(k === property));
      chip.setAttribute("aria-label", `${properties[k].name}: ${verdictText(recording, k, moment.slide)}`);
    });
    const chosen = properties[property];
    if (!chosen) return;
    const text = element("p", {}, element("code", { class: "text" }, chosen.text));
    const final = finalText(recording, property, moment.slide);
    const isFinal = recording.final(property, moment.slide);
    if (final) text.append(element("span", { class: "final", "data-final": isFinal, title: FINAL_TITLE }, final));
    const parts = element("div", { class: "parts" });
    chosen.parts.forEach((known, k) => {
      const letter = recording.partValue(scene.part - part + k, moment.slide);
      const line = element("p", { class: "why" });
      if (chosen.parts.length > 1) {
        const pick = element("button", {
          type: "button",
          class: "part",
          "aria-pressed": k === part ? "true" : "false",
          "data-value": letter,
        });
        pick.append(element("span", { class: "lamp" }), known.text);
        pick.addEventListener("click", () => this.choose(property, k));
        line.append(pick);
      }
      line.append(element("span", { class: "engine" }, known.engine), ` ${known.why}`);
      const reason = reasonText(recording.because(scene.part - part + k, moment.slide));
      if (reason) line.append(element("span", { class: "because" }, reason));
      parts.append(line);
    });
    this.detail.replaceChildren(text, parts);
  }
}

/** First, back, play, forth, last, jumps to changes, and the slide's number. */
export class Transport {
  readonly root = element("div", { class: "transport", role: "group", "aria-label": "Move through the slides" });
  readonly speed = element("select", { "aria-label": "Slides per second", title: "slides per second" });
  private play: HTMLButtonElement;
  private field = element("input", { type: "number", class: "slide", "aria-label": "Slide", min: 1 });
  private total = element("span", { class: "soft total" });

  constructor(on: {
    go(slide: number): void;
    step(by: number): void;
    ends(end: -1 | 1): void;
    change(direction: -1 | 1): void;
    play(): void;
  }) {
    this.play = button("Play", "play", on.play, "space");
    this.play.classList.add("play");
    for (const speed of [2, 5, 10, 30, 60]) {
      this.speed.append(element("option", { value: speed, selected: speed === 5 }, `${speed}/s`));
    }
    this.field.addEventListener("change", () => on.go(Number(this.field.value)));
    this.root.append(
      button("First slide", "first", () => on.ends(-1), "Home"),
      button("Previous change of the property", "changeBack", () => on.change(-1), "["),
      button("Previous slide", "back", () => on.step(-1), "←"),
      this.play,
      button("Next slide", "forth", () => on.step(1), "→"),
      button("Next change of the property", "changeForth", () => on.change(1), "]"),
      button("Last slide", "last", () => on.ends(1), "End"),
      element("label", { class: "number" }, "slide", this.field, this.total),
      this.speed,
    );
  }

  render(recording: Recording, slide: number): void {
    if (document.activeElement !== this.field) this.field.value = String(slide);
    this.field.min = String(recording.first);
    this.field.max = String(recording.last);
    this.total.textContent = `of ${recording.last.toLocaleString("en")}`;
  }

  setPlaying(isPlaying: boolean): void {
    this.play.replaceChildren(icon(isPlaying ? "pause" : "play"));
    this.play.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
  }
}

/** The counters at the slide. */
export class CounterPanel {
  readonly root = element("dl", { class: "counters", "aria-label": "Counters at this slide" });

  render(recording: Recording, slide: number): void {
    const isLast = slide === recording.last;
    const shown = COUNTERS.map((name) => {
      const count = isLast ? (recording.totals[name] ?? 0) : recording.counter(name, slide);
      const entry = element("div", {
        class: count && name !== "delivered" ? "counter some" : "counter",
        "data-counter": name,
      });
      entry.append(element("dt", {}, name.replace("_", " ")), element("dd", {}, count.toLocaleString("en")));
      return entry;
    });
    this.root.replaceChildren(...shown);
  }
}

/** What is pointed at, in words, beside the pointer. */
export class Tooltip {
  readonly root = element("div", { class: "tip", role: "status", hidden: true });

  render(hover: Hover, scene: Scene | null, at: { x: number; y: number } | null): void {
    const content = scene && at ? this.contentOf(hover, scene) : null;
    this.root.hidden = !content;
    if (!content || !at) return;
    this.root.replaceChildren(...content);
    const { width, height } = this.root.getBoundingClientRect();
    const x = at.x + 18 + width > innerWidth ? at.x - width - 18 : at.x + 18;
    const y = Math.min(at.y + 14, innerHeight - height - 8);
    this.root.style.transform = `translate(${Math.max(4, Math.round(x))}px, ${Math.max(4, Math.round(y))}px)`;
  }

  private contentOf(hover: Hover, scene: Scene): Node[] | null {
    if (hover.state) return this.ofState(hover.state, scene);
    return hover.cut ? this.ofCut(hover, scene) : null;
  }

  private ofState(state: State, { recording, moment, lattice, part }: Scene): Node[] {
    const { processes } = recording.spec;
    const title = element("strong", {}, `${processes[state.process]}#${state.index}`);
    const facts = [
      whenDelivered(state, moment.slide),
      state.time === null || state.time === undefined ? "" : display(state.time),
    ].filter(Boolean);
    const says = SAYS[state.colours[part]];
    const nodes: Node[] = [title, element("span", { class: "soft" }, ` ${facts.join(" · ")}`)];
    nodes.push(table(variablesOf(state.variables), "variables"));
    const entries = processes.map((name, k): [string, string] => [name, String(state.clock[k])]);
    const known = entries.filter((_, k) => state.clock[k]);
    nodes.push(table(known, "clock"));
    if (says) nodes.push(element("p", { class: "soft" }, says));
    const through = lattice?.cuts.filter((cut) => cut[state.process] === state.number).length ?? 0;
    if (lattice) {
      const all = lattice.cuts.length.toLocaleString("en");
      nodes.push(element("p", { class: "soft" }, `${plural(through, "cut")} of ${all} go through it`));
    }
    return nodes;
  }

  private ofCut({ cut }: Hover, { recording, lattice, flags, meaning }: Scene): Node[] {
    const { processes } = recording.spec;
    const at = lattice?.position.get(cut!.join(","));
    const isFilled = at !== undefined && flags[at];
    const nodes: Node[] = [element("strong", {}, `cut ${recording.show(cut!)}`)];
    if (isFilled) nodes.push(element("span", { class: "soft" }, ` ${meaning}`));
    const rows = processes.map((name, k): [string, string] => {
      const state = recording.state(k, cut![k]);
      const variables = variablesOf(state?.variables).map((pair) => pair.join(" "));
      return [`${name}#${state?.index}`, variables.join(", ")];
    });
    nodes.push(table(rows.slice(0, 14), "states"));
    return nodes;
  }
}

function whenDelivered({ number, slide }: State, now: number): string {
  if (number === 0) return "initial state";
  if (slide > now) return "not delivered yet";
  return slide ? `delivered at slide ${slide}` : "";
}

function variablesOf(variables: unknown): [string, string][] {
  if (variables === null || typeof variables !== "object") return [];
  return Object.entries(variables)
    .slice(0, 12)
    .map(([name, value]) => {
      const text = display(value);
      return [name, text.length > 60 ? `${text.slice(0, 59)}…` : text];
    });
}

function table(rows: [string, string][], name: string): Node {
  const made = element("dl", { class: name });
  for (const [key, value] of rows) made.append(element("dt", {}, key), element("dd", {}, value));
  return made;
}

/** The lattice's line of facts. */
export function latticeFacts(scene: Scene): string {
  const told = scene.recording.hasClocks || scene.moment.toldAt === scene.moment.slide || !scene.moment.toldAt;
  return latticeText(scene) + (told ? "" : `, as of slide ${scene.moment.toldAt.toLocaleString("en")}`);
}
