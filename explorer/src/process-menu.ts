/** Which processes are drawn, and in which order. */

import { element } from "./dom";
import type { PartOutline, SpecOutline } from "./format";

/** The lanes: an order of all processes, and those that are hidden. Immutable. */
export class Lanes {
  private constructor(
    readonly all: readonly number[],
    private readonly hidden: ReadonlySet<number>,
  ) {}

  static of(processes: number): Lanes {
    return new Lanes([...Array(processes).keys()], new Set());
  }

  /** What is drawn, from top to bottom. */
  get shown(): number[] {
    return this.all.filter((process) => !this.hidden.has(process));
  }

  isShown(process: number): boolean {
    return !this.hidden.has(process);
  }

  /** Shows or hides a process; the last one stays. */
  toggle(process: number): Lanes {
    const hidden = new Set(this.hidden);
    if (!hidden.delete(process)) hidden.add(process);
    return hidden.size < this.all.length ? new Lanes(this.all, hidden) : this;
  }

  /** Moves a process up (-1) or down (1) by a place. */
  move(process: number, by: 1 | -1): Lanes {
    const from = this.all.indexOf(process);
    const to = from + by;
    if (to < 0 || to >= this.all.length) return this;
    const all = [...this.all];
    [all[from], all[to]] = [all[to], all[from]];
    return new Lanes(all, this.hidden);
  }

  /** Hides all that a condition does not read; nothing where it reads none. */
  only(part: PartOutline | undefined): Lanes {
    const unread = this.all.filter((process) => !part?.reads[process]?.length);
    return unread.length < this.all.length ? new Lanes(this.all, new Set(unread)) : this;
  }

  /** Puts the processes of a role together, role by role; those without one come last. */
  byRole(roles: Record<string, number[]>): Lanes {
    const ranks = this.all.map((process) => Object.values(roles).findIndex((members) => members.includes(process)));
    const rankOf = new Map(this.all.map((process, at) => [process, ranks[at] < 0 ? Infinity : ranks[at]]));
    const all = [...this.all].sort((a, b) =>
      rankOf.get(a) === rankOf.get(b) ? a - b : rankOf.get(a)! - rankOf.get(b)!,
    );
    return new Lanes(all, this.hidden);
  }

  /** With the processes that joined since, shown below the others. */
  upTo(processes: number): Lanes {
    const joined = Array.from({ length: processes - this.all.length }, (_, k) => this.all.length + k);
    return new Lanes([...this.all, ...joined], this.hidden);
  }

  every(): Lanes {
    return new Lanes(this.all, new Set());
  }
}

/** A menu of the processes. */
export class ProcessMenu {
  readonly root = element("details", { class: "processes" });
  private summary = element("summary", {});
  private list = element("ul", {});
  private lanes: Lanes;
  /** whether lanes were chosen; else the drawing chooses */
  private isArranged = false;

  constructor(
    private spec: SpecOutline,
    private on: { arrange(order: number[] | null): void; part(): PartOutline | undefined },
  ) {
    this.lanes = Lanes.of(spec.processes.length);
    const pick = (text: string, change: () => Lanes): HTMLElement => {
      const made = element("button", { type: "button" }, text);
      made.addEventListener("click", () => this.set(change()));
      return made;
    };
    const buttons = element(
      "div",
      { class: "picks" },
      pick("those that the property reads", () => this.lanes.only(this.on.part())),
      pick("all", () => this.lanes.every()),
    );
    if (spec.open) {
      const there = element("button", { type: "button" }, "those that are there");
      there.addEventListener("click", () => this.leaveToDrawing());
      buttons.append(there);
    }
    if (spec.open || Object.keys(spec.roles).length)
      buttons.append(pick("by role", () => this.lanes.byRole(this.spec.roles)));
    this.root.append(this.summary, element("div", { class: "menu" }, buttons, this.list));
    addEventListener("pointerdown", (event) => {
      if (!this.root.contains(event.target as Node)) this.root.open = false;
    });
    this.draw();
  }

  /** Has a lane for each process of a spec, which are those known and others that joined. */
  follow(spec: SpecOutline): void {
    if (spec === this.spec) return;
    const isLonger = this.spec.processes.every((name, at) => name === spec.processes[at]);
    this.spec = spec;
    if (!isLonger) {
      // another group, or lanes of processes that left were given up
      this.lanes = Lanes.of(spec.processes.length);
      this.leaveToDrawing();
      return;
    }
    this.lanes = this.lanes.upTo(spec.processes.length);
    this.draw();
    if (this.isArranged) this.on.arrange(this.lanes.shown);
  }

  private leaveToDrawing(): void {
    this.isArranged = false;
    this.lanes = this.lanes.every();
    this.draw();
    this.on.arrange(null);
  }

  private set(lanes: Lanes): void {
    this.isArranged = true;
    this.lanes = lanes;
    this.draw();
    this.on.arrange(lanes.shown);
  }

  private draw(): void {
    this.root.hidden = this.spec.processes.length < 3;
    const { shown, all } = this.lanes;
    this.summary.textContent = shown.length < all.length ? `${shown.length} of ${all.length} processes` : "processes";
    const focused = document.activeElement?.getAttribute("data-key");
    this.list.replaceChildren(...all.map((process) => this.entry(process)));
    if (focused) this.list.querySelector<HTMLElement>(`[data-key="${focused}"]`)?.focus();
  }

  private entry(process: number): HTMLElement {
    const name = this.spec.processes[process];
    const box = element("input", {
      type: "checkbox",
      "aria-label": `Show ${name}`,
      checked: this.lanes.isShown(process),
      "data-key": `${process}`,
    });
    box.addEventListener("change", () => this.set(this.lanes.toggle(process)));
    const move = (by: 1 | -1, sign: string, word: string): HTMLElement => {
      const made = element(
        "button",
        { type: "button", class: "move", "aria-label": `Move ${name} ${word}`, "data-key": `${process}${word}` },
        sign,
      );
      made.addEventListener("click", () => this.set(this.lanes.move(process, by)));
      return made;
    };
    const roles = Object.keys(this.spec.roles).filter((role) => this.spec.roles[role].includes(process));
    const label = element("label", { title: name }, box, element("span", {}, name));
    if (roles.length) label.append(element("small", { class: "soft" }, roles.join(", ")));
    return element("li", {}, label, move(-1, "↑", "up"), move(1, "↓", "down"));
  }
}
