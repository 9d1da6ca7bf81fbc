/** What is pointed at, in words, beside the pointer. */

import { display, element, plural } from "./dom";
import type { State } from "./recording";
import type { Hover, Scene } from "./scene";

/** what a state's colour says of the chosen condition */
const SAYS: Record<string, string | undefined> = {
  "0": "rules the condition out",
  "-": "does not rule the condition out; others decide",
  "1": "satisfies its own part of the condition",
  "2": "makes the condition true",
};

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
    const name = processes[state.process];
    const stay = recording.isLeaving(state)
      ? `${name} left here`
      : recording.isJoining(state)
        ? `${name} joined here`
        : "";
    const facts = [
      stay,
      whenDelivered(state, moment.slide),
      state.time === null || state.time === undefined ? "" : display(state.time),
    ].filter(Boolean);
    const says = recording.isThere(state) ? SAYS[state.colours[part]] : "";
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
    const rows = processes.flatMap((name, k): [string, string][] => {
      const state = recording.state(k, cut![k]);
      if (state && !recording.isThere(state)) return [];
      const variables = variablesOf(state?.variables).map((pair) => pair.join(" "));
      return [[`${name}#${state?.index}`, variables.join(", ")]];
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
