/** The space-time diagram: a lane per process, states as segments, messages, windows, and cuts as frontiers. */

import { pointer, type Selection, select } from "d3-selection";
import { curveMonotoneY, line } from "d3-shape";
import { onResize, plural } from "./dom";
import type { Cut, Recording, State } from "./recording";
import type { Hover, Scene } from "./scene";
import { cutAt, frontier, type Message, messagesInto, Positions, segment, type Visible, visible } from "./spacetime";

const LEFT = 112;
const RIGHT = 18;
const TOP = 30;
const BOTTOM = 10;
const COLUMN = 46;
const MOST_COLUMN = 110;
const LEAST_COLUMN = 9;
const LEAST_LANE = 18;
const MOST_LANE = 116;

type Group = Selection<SVGGElement, unknown, null, undefined>;

export interface SpaceTimeEvents {
  point(hover: Hover, at: { x: number; y: number } | null): void;
}

export class SpaceTimeView {
  private svg: Selection<SVGSVGElement, unknown, null, undefined>;
  private layers: Record<"windows" | "ends" | "messages" | "states" | "labels" | "frontiers" | "over", Group>;
  private width = 0;
  private height = 0;
  private scene: Scene | null = null;
  private view: Visible | null = null;
  private placed: { recording: Recording; at: Positions } | null = null;
  private focus: State | null = null;

  constructor(
    root: HTMLElement,
    private events: SpaceTimeEvents,
  ) {
    this.svg = select(root).append("svg").attr("tabindex", 0).attr("role", "img");
    const definitions = this.svg.append("defs");
    for (const name of ["arrow", "arrow-lit"]) {
      const marker = definitions.append("marker").attr("id", name).attr("viewBox", "0 0 8 8");
      marker.attr("refX", 7).attr("refY", 4).attr("markerWidth", 7).attr("markerHeight", 7);
      marker.attr("orient", "auto").append("path").attr("d", "M0.5 0.8 7.5 4 0.5 7.2z").attr("class", name);
    }
    const layer = (name: string): Group => this.svg.append("g").attr("class", name);
    this.layers = {
      windows: layer("windows"),
      ends: layer("ends"),
      states: layer("states"),
      messages: layer("messages"),
      labels: layer("labels"),
      frontiers: layer("frontiers"),
      over: layer("over"),
    };
    this.svg.on("pointermove", (event: PointerEvent) => this.onMove(event));
    this.svg.on("pointerleave", () => events.point({ cut: null, state: null }, null));
    this.svg.on("mousedown", (event: MouseEvent) => event.preventDefault()); // keep arrow keys on the slides
    this.svg.on("keydown", (event: KeyboardEvent) => this.onKey(event));
    this.svg.on("blur", () => {
      this.focus = null;
      events.point({ cut: null, state: null }, null);
    });
    onResize(root, (width, height) => {
      this.width = width;
      this.height = height;
      if (this.scene) this.render(this.scene);
    });
  }

  render(scene: Scene): void {
    this.scene = scene;
    const { recording, moment } = scene;
    const { processes } = recording.spec;
    if (!this.width) return;
    const height = Math.max(this.height, TOP + BOTTOM + LEAST_LANE * processes.length);
    this.svg.attr("width", this.width).attr("height", height);
    if (!recording.hasClocks) {
      this.renderVerdict(scene);
      return;
    }
    const most = Math.max(40, Math.floor((this.width - LEFT - RIGHT) / LEAST_COLUMN));
    this.view = visible(recording, moment, this.positions(recording), this.room(), most);
    this.svg.attr("aria-label", this.summary(scene));
    this.drawLanes(processes);
    this.drawWindows(scene);
    this.drawStates(scene);
    this.drawMessages(scene);
    this.drawFrontiers(scene);
    const { hidden } = this.view;
    const more = this.layers.labels
      .selectAll("text.hidden")
      .data(hidden ? [hidden] : [])
      .join("text");
    more
      .attr("class", "hidden soft")
      .attr("x", LEFT)
      .attr("y", height - 4);
    more.text(`${plural(hidden, "earlier state")} of the windows not shown`);
  }

  /** Draws what is pointed at: a cut as a frontier, a state with its messages. */
  highlight(hover: Hover, pinned: Cut | null): void {
    const { recording } = this.scene ?? {};
    if (!recording || !this.view) return;
    const cuts = [pinned, hover.cut].filter((cut): cut is Cut => cut !== null);
    const paths = cuts.flatMap((cut) => {
      const crossing = frontier(recording, this.view!, cut);
      return crossing ? [{ cut, d: this.frontierPath(crossing) }] : [];
    });
    this.layers.over
      .selectAll("path")
      .data(paths)
      .join("path")
      .attr("class", ({ cut }) => (cut === hover.cut ? "frontier hovered" : "frontier pinned"))
      .attr("data-cut", ({ cut }) => recording.show(cut))
      .attr("d", ({ d }) => d);
    const chosen = new Set(cuts.flatMap((cut) => cut.map((number, k) => recording.state(k, number))));
    this.layers.states
      .selectAll<SVGGElement, State>("g")
      .classed("lit", (state) => chosen.has(state))
      .classed("focused", (state) => state === hover.state);
    this.layers.messages
      .selectAll<SVGPathElement, Message>("path")
      .classed("lit", ({ from, to }) => hover.state !== null && (from === hover.state || to === hover.state));
  }

  /** Where a state is on the screen, for the tooltip. */
  locate(state: State): { x: number; y: number } {
    const box = this.svg.node()!.getBoundingClientRect();
    return { x: box.x + this.x(this.view!.column.get(state) ?? 0) + 16, y: box.y + this.y(state.process) };
  }

  private room(): number {
    return Math.floor((this.width - LEFT - RIGHT) / COLUMN);
  }

  private x(column: number): number {
    const width = this.width - LEFT - RIGHT;
    return LEFT + column * Math.min(MOST_COLUMN, width / this.view!.columns);
  }

  private lane(): number {
    const height = Number(this.svg.attr("height"));
    return Math.min(MOST_LANE, (height - TOP - BOTTOM) / this.scene!.recording.spec.processes.length);
  }

  private y(process: number): number {
    const height = Number(this.svg.attr("height"));
    const processes = this.scene!.recording.spec.processes.length;
    const slack = Math.max(0, height - TOP - BOTTOM - this.lane() * processes) / 2;
    return TOP + slack + this.lane() * (process + 0.5);
  }

  private thickness(): number {
    return Math.max(6, Math.min(18, this.lane() * 0.32));
  }

  private positions(recording: Recording): Positions {
    if (this.placed?.recording !== recording) this.placed = { recording, at: new Positions(recording) };
    return this.placed.at.follow();
  }

  private summary({ recording, moment }: Scene): string {
    const windows = recording.spec.processes.map((name, k) => {
      const indices = [moment.oldest[k], moment.newest[k]].map((number) => recording.state(k, number)?.index);
      return `${name} ${indices[0]} to ${indices[1]}`;
    });
    return `Space-time diagram. States in the window: ${windows.join(", ")}. Arrow keys move between states.`;
  }

  private drawLanes(processes: string[]): void {
    const right = this.x(this.view?.columns ?? 0);
    this.layers.labels
      .selectAll<SVGGElement, string>("g.lane")
      .data(processes)
      .join((enter) => {
        const made = enter.append("g").attr("class", "lane");
        made
          .append("text")
          .attr("x", LEFT - 18)
          .attr("text-anchor", "end")
          .attr("dy", "0.35em");
        return made;
      })
      .attr("transform", (_, k) => `translate(0 ${this.y(k)})`)
      .select("text")
      .text((name) => (name.length > 15 ? `${name.slice(0, 14)}…` : name));
    this.layers.ends
      .selectAll("path.lane")
      .data(processes)
      .join("path")
      .attr("class", "lane")
      .attr("d", (_, k) => `M${LEFT - 8} ${this.y(k)}H${right}`);
  }

  private drawWindows({ recording, moment }: Scene): void {
    const half = Math.min(this.lane() * 0.42, this.thickness() + 12);
    const data = recording.spec.processes.flatMap((_, k) => {
      const first = recording.state(k, Math.max(moment.oldest[k], this.view!.spans[k][0]));
      const last = recording.state(k, moment.newest[k]);
      if (!first || !last) return [];
      const begin = this.x(segment(recording, this.view!, first)[0]);
      return [{ k, begin, end: this.x(segment(recording, this.view!, last)[1]) }];
    });
    this.layers.windows
      .selectAll<SVGRectElement, { k: number }>("rect")
      .data(data, ({ k }) => k)
      .join("rect")
      .attr("rx", 8)
      .attr("x", ({ begin }) => begin - 7)
      .attr("width", ({ begin, end }) => Math.max(end - begin + 7, 10))
      .attr("y", ({ k }) => this.y(k) - half)
      .attr("height", 2 * half);
  }

  private drawStates({ recording, moment, part }: Scene): void {
    const view = this.view!;
    const thick = this.thickness();
    const states = [...view.column.keys()];
    const spans = new Map(states.map((state) => [state, segment(recording, view, state).map((c) => this.x(c))]));
    const width = (state: State): number => Math.max(spans.get(state)![1] - spans.get(state)![0] - 5, 3);
    const groups = this.layers.states
      .selectAll<SVGGElement, State>("g")
      .data(states, (state) => `${state.process}/${state.number}`)
      .join((enter) => {
        const made = enter.append("g");
        made.append("rect");
        made.append("circle");
        made.append("text").attr("text-anchor", "middle");
        return made;
      })
      .attr("class", (state) => {
        const colour = state.colours[part] ?? ".";
        const kind = { "0": "out", "1": "may", "2": "holds", ".": "unread" }[colour];
        const { newest, oldest } = moment;
        const isFuture = state.number > newest[state.process];
        const place = isFuture ? "coming" : state.number < oldest[state.process] ? "gone" : "inside";
        const isNew = state.process === moment.process && state.number === newest[state.process];
        return `state ${kind} ${place}${isNew ? " delivered" : ""}`;
      })
      .attr("data-state", (state) => `${recording.spec.processes[state.process]}#${state.index}`)
      .style("transform", (state) => `translate(${spans.get(state)![0]}px, ${this.y(state.process)}px)`);
    groups
      .select("rect")
      .attr("x", 2.5)
      .attr("y", -thick / 2)
      .attr("height", thick)
      .attr("rx", Math.min(5, thick / 2))
      .attr("width", width);
    groups
      .select("circle")
      .attr("r", (state) => (state.number === 0 ? 0 : Math.min(4, thick / 3, (this.x(1) - this.x(0)) / 5)))
      .attr("cx", 0);
    groups
      .select("text")
      .attr("x", (state) => 2.5 + width(state) / 2)
      .attr("y", -thick / 2 - 5)
      .text((state) => (width(state) > 16 && this.lane() > 34 ? state.index : ""));
  }

  private drawMessages({ recording, moment }: Scene): void {
    const view = this.view!;
    const messages = [...view.column.keys()]
      .flatMap((state) => messagesInto(recording, state))
      .filter(({ from }) => view.column.has(from));
    const isComing = ({ from, to }: Message): boolean =>
      from.number > moment.newest[from.process] || to.number > moment.newest[to.process];
    this.layers.messages
      .selectAll<SVGPathElement, Message>("path")
      .data(messages, ({ from, to }) => `${from.process}/${from.number}-${to.process}/${to.number}`)
      .join("path")
      .attr("class", (message) => (isComing(message) ? "message coming" : "message"))
      .attr("d", ({ from, to }) => {
        const [x1, y1] = [this.x(view.column.get(from)!), this.y(from.process)];
        const [x2, y2] = [this.x(view.column.get(to)!), this.y(to.process)];
        const length = Math.hypot(x2 - x1, y2 - y1);
        const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
        return `M${x1 + 5 * dx} ${y1 + 5 * dy}L${x2 - 6 * dx} ${y2 - 6 * dy}`;
      });
  }

  private drawFrontiers({ recording, moment, witness }: Scene): void {
    const ends = [
      { kind: "least", cut: moment.least },
      { kind: "greatest", cut: moment.greatest },
      { kind: "witness", cut: witness.cut },
    ];
    const names = new Map<string, string[]>();
    for (const { kind, cut } of ends) if (cut) names.set(cut.join(), [...(names.get(cut.join()) ?? []), kind]);
    const marks = ends.flatMap(({ kind, cut }) => {
      const crossing = cut && frontier(recording, this.view!, cut);
      if (!cut || !crossing) return [];
      const same = names.get(cut.join())!; // the last of equal ones is on top and bears all names
      return [{ kind, cut, crossing, text: same[same.length - 1] === kind ? same.join(", ") : "" }];
    });
    const top = Math.max(this.y(0) - this.lane() / 2 - 4, 12);
    const right: number[] = []; // where each row of names ends
    const rowOf = new Map<string, number>();
    for (const mark of [...marks].sort((a, b) => a.crossing[0] - b.crossing[0])) {
      const [x, half] = [this.x(mark.crossing[0]), mark.text.length * 3.2];
      const fits = right.findIndex((end) => end < x - half);
      const row = Math.max(0, fits);
      const free = right[row] === undefined || right[row] < x - half ? row : right.length;
      right[free] = x + half + 4;
      rowOf.set(mark.kind, free);
    }
    this.layers.frontiers
      .selectAll<SVGGElement, { kind: string }>("g")
      .data(marks, ({ kind }) => kind)
      .join((enter) => {
        const made = enter.append("g");
        made.append("path");
        made.append("text").attr("text-anchor", "middle");
        return made;
      })
      .attr("class", ({ kind }) => `frontier ${kind}`)
      .attr("data-cut", ({ cut }) => recording.show(cut))
      .each((mark, k, nodes) => {
        const group = select(nodes[k]);
        group.select("path").attr("d", this.frontierPath(mark.crossing));
        const y = top - 12 * (rowOf.get(mark.kind) ?? 0);
        group.select("text").attr("x", this.x(mark.crossing[0])).attr("y", y).text(mark.text);
      });
  }

  private frontierPath(crossing: number[]): string {
    const points = crossing.map((column, k): [number, number] => [this.x(column), this.y(k)]);
    const half = this.lane() / 2;
    const all: [number, number][] = [
      [points[0][0], points[0][1] - half],
      ...points,
      [points[points.length - 1][0], points[points.length - 1][1] + half],
    ];
    return line().curve(curveMonotoneY)(all) ?? "";
  }

  /** Without clocks only the ends of the lattice are known: the indices of the least and the greatest cut. */
  private renderVerdict({ recording, moment }: Scene): void {
    const { processes } = recording.spec;
    this.view = null;
    for (const layer of Object.values(this.layers)) layer.selectAll("*").remove();
    this.drawLanesOf(processes);
    const { least, greatest } = moment;
    this.svg.attr("aria-label", "States between the least and the greatest cut, by index");
    if (!least || !greatest) return;
    const most = Math.max(...processes.map((_, k) => greatest[k] - least[k] + 1));
    const step = Math.min(72, (this.width - LEFT - RIGHT) / most);
    const half = Math.min(this.lane() * 0.42, this.thickness() + 12);
    processes.forEach((_, k) => {
      const count = greatest[k] - least[k] + 1;
      const y = this.y(k);
      this.layers.windows
        .append("rect")
        .attr("rx", 8)
        .attr("x", LEFT)
        .attr("y", y - half)
        .attr("width", step * count)
        .attr("height", 2 * half);
      const stride = Math.max(1, Math.ceil(28 / step));
      for (let at = 0; at < count; at += stride) {
        const group = this.layers.states.append("g").attr("class", "state unread inside");
        group.style("transform", `translate(${LEFT + at * step}px, ${y}px)`);
        const width = Math.max(step * Math.min(stride, count - at) - 5, 3);
        const rect = group
          .append("rect")
          .attr("x", 2.5)
          .attr("y", -this.thickness() / 2)
          .attr("rx", 5);
        rect.attr("width", width).attr("height", this.thickness());
        const text = group
          .append("text")
          .attr("x", 2.5 + width / 2)
          .attr("y", -this.thickness() / 2 - 5);
        text.attr("text-anchor", "middle").text(least[k] + at);
      }
    });
  }

  private drawLanesOf(processes: string[]): void {
    for (const [k, name] of processes.entries()) {
      const group = this.layers.labels
        .append("g")
        .attr("class", "lane")
        .attr("transform", `translate(0 ${this.y(k)})`);
      group
        .append("text")
        .attr("x", LEFT - 18)
        .attr("text-anchor", "end")
        .attr("dy", "0.35em")
        .text(name);
    }
  }

  private onMove(event: PointerEvent): void {
    if (!this.scene || !this.view) return;
    const [x, y] = pointer(event, this.svg.node());
    const { recording, lattice } = this.scene;
    const unit = this.x(1) - this.x(0);
    const column = (x - LEFT) / unit;
    if (column < 0 || column > this.view.columns) {
      this.events.point({ cut: null, state: null }, null);
      return;
    }
    const line = cutAt(recording, this.view, column);
    const { least, greatest } = this.scene.moment;
    // Between the ends a vertical line is a cut of the lattice: cuts are closed under the larger and the smaller of two.
    const inside = least && greatest ? line.map((at, k) => Math.min(Math.max(at, least[k]), greatest[k])) : null;
    const cut = inside && lattice?.position.has(inside.join(",")) ? inside : null;
    const process = recording.spec.processes.findIndex((_, k) => Math.abs(y - this.y(k)) < this.thickness());
    const under = process >= 0 ? recording.state(process, line[process]) : undefined;
    const state = under && this.view.column.has(under) ? under : null;
    this.events.point({ cut, state }, state ? { x: event.clientX, y: event.clientY } : null);
  }

  private onKey(event: KeyboardEvent): void {
    const move = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!move || !this.scene || !this.view) return;
    event.preventDefault();
    event.stopPropagation();
    const { recording, moment } = this.scene;
    const processes = recording.spec.processes.length;
    const from = this.focus ?? recording.state(moment.process, moment.newest[moment.process])!;
    const process = (from.process + move[0] + processes) % processes;
    const [first, last] = this.view.spans[process];
    let number = from.number + move[1];
    if (process !== from.process) {
      const column = this.view.column.get(from) ?? 0;
      number = cutAt(recording, this.view, column + 0.5)[process];
    }
    this.focus = recording.state(process, Math.min(Math.max(number, first), last)) ?? from;
    this.events.point({ cut: null, state: this.focus }, this.locate(this.focus));
  }
}
