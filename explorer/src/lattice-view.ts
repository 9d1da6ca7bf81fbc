/** The lattice: cuts by level with their steps, for two processes also on a grid, large ones as a bar per level. */

import { pointer, type Selection, select } from "d3-selection";
import { onResize, plural } from "./dom";
import { keyOf, type Lattice, placeRows } from "./lattice";
import { drawBars, drawGrid, type Group, MARGIN, type Place, type Size } from "./lattice-forms";
import { GAP, LETTER, Look } from "./lattice-look";
import { wrapped } from "./measure";
import { explainNeed, unmet } from "./nocut";
import type { Cut } from "./recording";
import type { Hover, Scene } from "./scene";

/** how messages are written */
const MESSAGE = "13px";

export type Form = "levels" | "grid";

export interface LatticeEvents {
  point(hover: Hover, at: { x: number; y: number } | null): void;
  pin(cut: Cut | null): void;
}

export class LatticeView {
  form: Form = "levels";
  private svg: Selection<SVGSVGElement, unknown, null, undefined>;
  private layers: Record<"under" | "steps" | "witness" | "cuts" | "marks", Group>;
  private size: Size = { width: 0, height: 0 };
  private scene: Scene | null = null;
  private places: Place[] = [];
  private focus: number | null = null;
  private look = new Look();

  /** Lattices of up to `drawn` cuts are drawn cut by cut. */
  constructor(
    root: HTMLElement,
    private drawn: number,
    private events: LatticeEvents,
  ) {
    this.svg = select(root).append("svg").attr("tabindex", 0).attr("role", "img");
    const pattern = this.svg.append("defs").append("pattern").attr("id", "hatch").attr("width", 6).attr("height", 6);
    pattern.attr("patternUnits", "userSpaceOnUse").append("path").attr("d", "M-1 7 7 -1M-1 1 1 -1M5 7 7 5");
    const layer = (name: string): Group => this.svg.append("g").attr("class", name);
    this.layers = {
      under: layer("under"),
      steps: layer("steps"),
      witness: layer("witness"),
      cuts: layer("cuts"),
      marks: layer("marks"),
    };
    this.svg.on("mousedown", (event: MouseEvent) => event.preventDefault());
    this.svg.on("pointermove", (event: PointerEvent) => this.onMove(event));
    this.svg.on("pointerleave", () => this.pointAt(null, null));
    this.svg.on("click", (event: MouseEvent) => {
      const at = this.nearest(pointer(event, this.svg.node()));
      events.pin(at === null ? null : this.scene!.lattice!.cuts[at]);
    });
    this.svg.on("keydown", (event: KeyboardEvent) => this.onKey(event));
    this.svg.on("blur", () => {
      this.focus = null;
      this.pointAt(null, null);
    });
    onResize(root, (width, height) => {
      this.size = { width, height };
      if (this.scene) this.render(this.scene);
    });
  }

  render(scene: Scene): void {
    this.scene = scene;
    this.focus = null;
    this.places = [];
    if (!this.size.width) return;
    this.svg.attr("width", this.size.width).attr("height", this.size.height);
    const { recording, moment, lattice } = scene;
    this.svg.attr("aria-label", `The lattice: ${summary(scene)}`);
    this.svg.attr("data-cuts", moment.cuts ?? "");
    const isGrid = this.form === "grid" && recording.spec.processes.length === 2;
    if (!lattice || lattice.cuts.length === 0) this.drawWithoutCuts(scene);
    else this.drawCuts(scene, lattice, isGrid);
  }

  /** Shows the cut that is pointed at, or the cuts that go through a state. */
  highlight(hover: Hover, pinned: Cut | null): void {
    const lattice = this.scene?.lattice;
    if (!lattice) return;
    const { state } = hover;
    const lit = hover.cut ? keyOf(hover.cut) : "";
    const held = pinned ? keyOf(pinned) : "";
    this.layers.cuts
      .selectAll<SVGGElement, number>("g")
      .classed("lit", (at) => keyOf(lattice.cuts[at]) === lit)
      .classed("pinned", (at) => keyOf(lattice.cuts[at]) === held)
      .classed("through", (at) => state !== null && lattice.cuts[at][state.process] === state.number);
    this.svg.classed("has-state", state !== null);
    this.layers.cuts.selectAll<SVGGElement, number>("g.lit, g.pinned").raise();
  }

  private drawWithoutCuts(scene: Scene): void {
    const { recording, moment } = scene;
    this.clear();
    const levels = recording.levels(moment.slide);
    if (levels && moment.least) {
      drawBars(this.layers.cuts, this.size, levels.counts, levels.labelled[scene.part] ?? null);
      return;
    }
    const lines = messageFor(scene).flatMap((line, k) =>
      wrapped(line, this.size.width - 2 * MARGIN, k ? MESSAGE : `600 ${MESSAGE}`).map((text) => ({ text, k })),
    );
    const text = this.layers.marks.append("text").attr("class", "message").attr("text-anchor", "middle");
    text
      .selectAll("tspan")
      .data(lines)
      .join("tspan")
      .attr("class", ({ k }) => (k ? "" : "headline"))
      .attr("x", this.size.width / 2)
      .text(({ text }) => text)
      .attr("y", (_, k) => this.size.height / 2 + (k - (lines.length - 1) / 2) * 22);
  }

  private clear(): void {
    for (const layer of Object.values(this.layers)) layer.selectAll("*").remove();
  }

  private drawCuts(scene: Scene, lattice: Lattice, isGrid: boolean): void {
    const { recording, moment, flags } = scene;
    const wide = this.size.width - 2 * MARGIN;
    const tall = this.size.height - 2 * MARGIN;
    this.layers.under.selectAll("*").remove();
    this.layers.marks.selectAll("*").remove();
    if (isGrid) this.places = drawGrid(this.layers.under, this.size, scene, lattice);
    else this.places = placeRows(scene.rows, wide, tall, GAP).map(([x, y]): Place => [x + MARGIN, y + MARGIN]);
    const widest = Math.max(...scene.rows.map((row) => row.length));
    const names = lattice.cuts.map((cut) => recording.show(cut));
    const pill = Math.max(...names.map((name) => name.length)) * LETTER + 14;
    const across = Math.min(GAP, wide / widest);
    const down = Math.min(GAP, tall / scene.rows.length);
    const isNamed = !isGrid && this.look.isNamed(recording, this.drawn, wide, tall);
    const radius = isGrid ? 6.5 : Math.max(1.5, Math.min(7, 0.3 * across, 0.3 * down));
    const half = isNamed ? pill / 2 : radius;
    const high = isNamed ? 11 : radius;
    // A step leaves its cut below and arrives above, so that it never crosses another one's name.
    const gap = isNamed ? high : 0;
    this.svg.classed("many", lattice.cuts.length > 120);
    const { places } = this;
    this.layers.steps
      .selectAll("path")
      .data([lattice.steps.map(([a, b]) => stepPath(places[a], places[b], gap)).join("")])
      .join("path")
      .attr("opacity", Math.min(1, Math.max(0.14, 260 / lattice.steps.length)))
      .attr("d", String);
    const least = keyOf(moment.least!);
    const greatest = keyOf(moment.greatest!);
    const onWay = new Set(scene.witnessCuts.map(keyOf));
    const forced = new Set(scene.forced.map(keyOf));
    const groups = this.layers.cuts
      .selectAll<SVGGElement, number>("g")
      .data(
        lattice.cuts.map((_, at) => at),
        (at) => names[at] ?? "",
      )
      .join((enter) => {
        const made = enter.append("g");
        made.append("rect");
        made.append("text").attr("text-anchor", "middle").attr("dy", "0.34em");
        return made;
      })
      .attr("class", (at) => {
        const key = keyOf(lattice.cuts[at]);
        const marks = [flags[at] && "filled", key === least && "least", key === greatest && "greatest"];
        return ["cut", ...marks, onWay.has(key) && "on-witness", forced.has(key) && "forced"]
          .filter(Boolean)
          .join(" ");
      })
      .attr("data-cut", (at) => names[at])
      .style("transform", (at) => `translate(${places[at][0]}px, ${places[at][1]}px)`);
    groups
      .select("rect")
      .attr("x", -half)
      .attr("y", -high)
      .attr("width", 2 * half)
      .attr("height", 2 * high);
    groups.select("rect").attr("rx", high);
    groups.select("text").text((at) => (isNamed ? names[at] : ""));
    this.drawWitness(scene, lattice, gap);
    this.nameEnds(lattice, half, isGrid);
  }

  private drawWitness({ witnessCuts, witness }: Scene, lattice: Lattice, gap: number): void {
    const at = witnessCuts.map((cut) => this.places[lattice.position.get(keyOf(cut))!]);
    const lineThrough = (places: Place[]): string =>
      places
        .slice(1)
        .map((place, k) => stepPath(places[k], place, gap))
        .join("");
    const [begin, end] = witness.stretch ?? [0, 0];
    const paths = [
      { name: "path", d: at.length > 1 ? lineThrough(at) : "" },
      { name: "path stretch", d: end > begin ? lineThrough(at.slice(begin, end)) : "" },
    ];
    const drawn = paths.filter(({ d }) => d.includes("L"));
    this.layers.witness
      .selectAll("path")
      .data(drawn)
      .join("path")
      .attr("class", ({ name }) => name)
      .attr("d", ({ d }) => d);
  }

  private nameEnds(lattice: Lattice, half: number, isGrid: boolean): void {
    const last = lattice.cuts.length - 1;
    const ends =
      last > 0
        ? [
            [0, "earliest"],
            [last, "latest"],
          ]
        : [[0, "the only one"]];
    for (const [at, name] of ends as [number, string][]) {
      const [x, y] = this.places[at];
      const side = isGrid && at > 0 ? -1 : 1;
      const text = this.layers.marks.append("text").attr("class", "end").text(name);
      text
        .attr("x", x + side * (half + 8))
        .attr("y", y)
        .attr("dy", isGrid && last > 0 ? (at ? "-0.9em" : "1.7em") : "0.34em");
      text.attr("text-anchor", side > 0 ? "start" : "end");
    }
  }

  private nearest([x, y]: Place): number | null {
    let best: number | null = null;
    let least = 22 * 22;
    this.places.forEach(([px, py], at) => {
      const distance = (px - x) ** 2 + (py - y) ** 2;
      if (distance < least) [best, least] = [at, distance];
    });
    return best;
  }

  private onMove(event: PointerEvent): void {
    const at = this.nearest(pointer(event, this.svg.node()));
    this.pointAt(at, at === null ? null : { x: event.clientX, y: event.clientY });
  }

  private pointAt(at: number | null, where: { x: number; y: number } | null): void {
    const cut = at === null ? null : (this.scene?.lattice?.cuts[at] ?? null);
    this.events.point({ cut, state: null }, where);
  }

  private onKey(event: KeyboardEvent): void {
    const { lattice, rows } = this.scene ?? {};
    if (!lattice || !rows || !lattice.cuts.length) return;
    const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (event.key === "Enter" && this.focus !== null) this.events.pin(lattice.cuts[this.focus]);
    if (event.key === "Escape") this.events.pin(null);
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    const from = this.focus ?? -1;
    if (from < 0) this.focus = 0;
    else {
      const level = Math.min(Math.max(lattice.level[from] + move[0], 0), rows.length - 1);
      const row = rows[level];
      const x = this.places[from][0];
      if (move[0])
        this.focus = row.reduce((a, b) => (distance(this.places[b], x) < distance(this.places[a], x) ? b : a));
      else this.focus = row[Math.min(Math.max(row.indexOf(from) + move[1], 0), row.length - 1)];
    }
    const box = this.svg.node()!.getBoundingClientRect();
    const [x, y] = this.places[this.focus];
    this.pointAt(this.focus, { x: box.x + x, y: box.y + y });
  }
}

/** A step from one cut's lower edge to the next one's upper edge. */
const stepPath = ([x1, y1]: Place, [x2, y2]: Place, gap: number): string =>
  `M${x1} ${gap ? y1 + gap : y1}L${x2} ${gap ? y2 - gap : y2}`;

/** Why no cuts are drawn. */
function messageFor({ recording, moment }: Scene): string[] {
  if (!recording.hasClocks) return ["Verdicts only", "There are no states to draw global states from."];
  if (moment.least) {
    const count = moment.cuts === null ? "Too many global states to count" : plural(moment.cuts, "global state");
    return [count, "Too many to be drawn; many questions are answered without them."];
  }
  const need = unmet(recording, moment);
  return ["No consistent global state", ...(need ? explainNeed(recording, need) : [])];
}

const distance = ([x]: Place, other: number): number => Math.abs(x - other);

function summary({ recording, moment }: Scene): string {
  if (!moment.least || !moment.greatest) return "no cut";
  const count = moment.cuts === null ? "too many cuts to count" : plural(moment.cuts, "cut");
  return `${count}, from ${recording.show(moment.least)} to ${recording.show(moment.greatest)}. Arrow keys move between cuts.`;
}
