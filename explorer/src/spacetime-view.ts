/** The space-time diagram: a lane per process, states as segments, messages, windows, and cuts as frontiers. */

import { pointer, type Selection, select } from "d3-selection";
import { element, onResize, plural } from "./dom";
import type { Cut, Recording, State } from "./recording";
import { type Hover, NOTHING, type Scene } from "./scene";
import { cutAt, frontier, type Message, Positions, visible } from "./spacetime";
import { drawEnds, widest } from "./spacetime-ends";
import { columnsIn, Frame } from "./spacetime-frame";
import { drawPicture, type Group, type Layers, type Picture } from "./spacetime-marks";

export interface SpaceTimeEvents {
  point(hover: Hover, at: { x: number; y: number } | null): void;
}

/** of more lanes than this, those that decide a verdict come first: they would not all be seen at once */
const MOST_IN_ORDER = 10;

export class SpaceTimeView {
  /** says what is not drawn */
  readonly note = element("p", { class: "remark", hidden: true });
  private svg: Selection<SVGSVGElement, unknown, null, undefined>;
  private layers: Layers;
  private width = 0;
  private height = 0;
  private scene: Scene | null = null;
  /** null where no clocks are known */
  private picture: Picture | null = null;
  private placed: { recording: Recording; at: Positions } | null = null;
  private focus: State | null = null;
  /** the processes that are drawn, from top to bottom; null: all that are there, as the spec has them */
  private order: readonly number[] | null = null;

  constructor(
    root: HTMLElement,
    private events: SpaceTimeEvents,
  ) {
    this.svg = select(root).append("svg").attr("tabindex", 0).attr("role", "img");
    const definitions = this.svg.append("defs");
    for (const name of ["arrow", "arrow-lit", "arrow-forcing"]) {
      const marker = definitions.append("marker").attr("id", name).attr("viewBox", "0 0 8 8");
      marker.attr("refX", 7).attr("refY", 4).attr("markerWidth", 7).attr("markerHeight", 7);
      marker.attr("orient", "auto").append("path").attr("d", "M0.5 0.8 7.5 4 0.5 7.2z").attr("class", name);
    }
    const layer = (name: string): Group => this.svg.append("g").attr("class", name);
    this.layers = {
      windows: layer("windows"),
      ends: layer("ends"),
      states: layer("states"),
      runs: layer("runs"),
      messages: layer("messages"),
      labels: layer("labels"),
      frontiers: layer("frontiers"),
      over: layer("over"),
      texts: layer("texts"),
    };
    this.svg.on("pointermove", (event: PointerEvent) => this.onMove(event));
    this.svg.on("pointerleave", () => events.point(NOTHING, null));
    this.svg.on("mousedown", (event: MouseEvent) => event.preventDefault()); // keep arrow keys on the slides
    this.svg.on("keydown", (event: KeyboardEvent) => this.onKey(event));
    this.svg.on("blur", () => {
      this.focus = null;
      events.point(NOTHING, null);
    });
    onResize(root, (width, height) => {
      this.width = width;
      this.height = height;
      if (this.scene) this.render(this.scene);
    });
  }

  render(scene: Scene): void {
    this.scene = scene;
    if (!this.width) return;
    const frame = scene.recording.hasClocks ? this.renderStates(scene) : this.renderEnds(scene);
    this.svg.attr("width", this.width).attr("height", frame.height);
  }

  /** Draws what is pointed at: a cut as a frontier, a state with its messages. */
  highlight(hover: Hover, pinned: Cut | null): void {
    if (!this.picture) return;
    const { scene, view, frame } = this.picture;
    const { recording } = scene;
    const cuts = [pinned, hover.cut].filter((cut): cut is Cut => cut !== null);
    const paths = cuts.flatMap((cut) => {
      const crossing = frontier(recording, view, cut);
      return crossing ? [{ cut, d: frame.frontierPath(crossing) }] : [];
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
  private locate(state: State, { view, frame }: Picture): { x: number; y: number } {
    const box = this.svg.node()!.getBoundingClientRect();
    return { x: box.x + frame.x(view.column.get(state) ?? 0) + 16, y: box.y + frame.y(state.process) };
  }

  private renderStates(scene: Scene): Frame {
    const { recording, moment } = scene;
    const view = visible(recording, moment, this.positions(recording), columnsIn(this.width), this.lanes(scene));
    const frame = new Frame(this.width, this.height, view.order, view.columns);
    const isMore = frame.height > this.height + 1;
    const notes = [
      isMore ? `${view.order.length} lanes: scroll for more.` : "",
      moment.process < 0 ? "No state came, but time went on: states that got too old left the windows." : "",
      view.hidden ? `${plural(view.hidden, "earlier state")} of the windows not shown.` : "",
    ].filter(Boolean);
    this.note.hidden = notes.length === 0;
    this.note.textContent = notes.join(" ");
    this.picture = { scene, view, frame };
    this.svg.attr("aria-label", summary(scene, view.order));
    drawPicture(this.layers, this.picture);
    return frame;
  }

  private renderEnds(scene: Scene): Frame {
    const order = this.lanes(scene);
    this.note.hidden = true;
    const frame = new Frame(this.width, this.height, order, widest(scene.moment));
    this.picture = null;
    this.svg.attr("aria-label", "States between the least and the greatest cut, by index");
    drawEnds(this.layers, frame, scene, order);
    return frame;
  }

  /** Draws these processes only, from top to bottom; null: those that are there. */
  arrange(order: readonly number[] | null): void {
    this.order = order;
    if (this.scene) this.render(this.scene);
  }

  /** Points at a state, as if the pointer did. */
  show(state: State): void {
    if (!this.picture?.view.column.has(state)) return;
    this.focus = state;
    this.events.point({ cut: null, state }, this.locate(state, this.picture));
  }

  private lanes({ recording, moment, deciding: decisive }: Scene): readonly number[] {
    if (this.order) return this.order;
    const joined = [...recording.spec.processes.keys()].filter((k) => recording.hasJoined(k, moment));
    if (joined.length <= MOST_IN_ORDER) return joined;
    const all = joined.filter((k) => !recording.isOver(k, moment));
    const deciding = decisive.filter((k) => all.includes(k));
    return [...deciding, ...all.filter((process) => !deciding.includes(process))];
  }

  private positions(recording: Recording): Positions {
    if (this.placed?.recording !== recording) this.placed = { recording, at: new Positions(recording) };
    return this.placed.at.follow();
  }

  private onMove(event: PointerEvent): void {
    if (!this.picture) return;
    const { scene, view, frame } = this.picture;
    const { recording, lattice, moment } = scene;
    const [x, y] = pointer(event, this.svg.node());
    const column = (x - frame.left) / frame.step;
    if (column < 0 || column > view.columns) {
      this.events.point(NOTHING, null);
      return;
    }
    const line = cutAt(recording, view, column);
    const { least, greatest } = moment;
    // Between the ends a vertical line is a cut of the lattice: cuts are closed under the larger and the smaller of two.
    const inside = least && greatest ? line.map((at, k) => Math.min(Math.max(at, least[k]), greatest[k])) : null;
    const cut = inside && lattice?.position.has(inside.join(",")) ? inside : null;
    const process = view.order.find((k) => Math.abs(y - frame.y(k)) < frame.thickness);
    const under = process === undefined ? undefined : recording.state(process, line[process]);
    const isDrawn = under && view.column.has(under) && (recording.isThere(under) || recording.isLeaving(under));
    const state = isDrawn ? under : null;
    this.events.point({ cut, state }, state ? { x: event.clientX, y: event.clientY } : null);
  }

  private onKey(event: KeyboardEvent): void {
    const move = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!move || !this.picture) return;
    event.preventDefault();
    event.stopPropagation();
    const { scene, view } = this.picture;
    const { recording, moment } = scene;
    const { order } = view;
    const newest = order.includes(moment.process) ? moment.process : order[0];
    const from = this.focus ?? recording.state(newest, moment.newest[newest])!;
    const process = order[(order.indexOf(from.process) + move[0] + order.length) % order.length] ?? order[0];
    const [first, last] = view.spans[process];
    let number = from.number + move[1];
    if (process !== from.process) {
      const column = view.column.get(from) ?? 0;
      number = cutAt(recording, view, column + 0.5)[process];
    }
    this.focus = recording.state(process, Math.min(Math.max(number, first), last)) ?? from;
    this.events.point({ cut: null, state: this.focus }, this.locate(this.focus, this.picture));
  }
}

/** The windows in words, for screen readers. */
function summary({ recording, moment }: Scene, order: readonly number[]): string {
  const windows = order.map((k) => {
    const name = recording.spec.processes[k];
    const indices = [moment.oldest[k], moment.newest[k]].map((number) => recording.state(k, number)?.index);
    return `${name} ${indices[0]} to ${indices[1]}`;
  });
  return `Space-time diagram. States in the window: ${windows.join(", ")}. Arrow keys move between states.`;
}
