/** The timeline: verdicts of every property over the slides, the lattice's size, and marks for what went wrong. */

import { ticks } from "d3-array";
import { pointer, type Selection, select } from "d3-selection";
import { area, curveStepAfter } from "d3-shape";
import { element, onResize } from "./dom";
import type { Recording } from "./recording";
import { describe, type Scene } from "./scene";

const LEFT = 132;
const RIGHT = 84;
const STRIP = 15;
const GAP = 6;
const SIZE = 40;
const NOTICES = 10;
const AXIS = 18;
const MARKED = ["duplicates", "rejected", "late", "skipped", "too_large"];

/** What a stretch of slides that share a pixel was: all true, all false, both, or partly too large. */
export type Shade = "1" | "0" | "m" | "?";

/** Slides of one shade; begin and end as shares of all slides. */
export type Run = [begin: number, end: number, shade: Shade];

/** The runs of equal shades if the slides are drawn in `bins` pixels. */
export function runs(letters: string, bins: number): Run[] {
  const found: Run[] = [];
  const count = Math.min(bins, letters.length);
  for (let bin = 0; bin < count; bin++) {
    const begin = Math.floor((bin * letters.length) / count);
    const end = Math.floor(((bin + 1) * letters.length) / count);
    const inside = letters.slice(begin, end);
    const isTrue = inside.includes("1");
    const isFalse = inside.includes("0");
    const shade: Shade = inside.includes("?") ? "?" : isTrue && isFalse ? "m" : isTrue ? "1" : "0";
    const last = found[found.length - 1];
    if (last && last[2] === shade) last[1] = (bin + 1) / count;
    else found.push([bin / count, (bin + 1) / count, shade]);
  }
  return found;
}

/** The largest value of each of `bins` stretches. */
export function peaks(values: number[], bins: number): number[] {
  const count = Math.min(bins, values.length);
  return Array.from({ length: count }, (_, bin) => {
    const begin = Math.floor((bin * values.length) / count);
    const end = Math.max(begin + 1, Math.floor(((bin + 1) * values.length) / count));
    return values.slice(begin, end).reduce((a, b) => Math.max(a, b), 0);
  });
}

export interface TimelineEvents {
  go(slide: number): void;
  choose(property: number): void;
}

export class TimelineView {
  private svg: Selection<SVGSVGElement, unknown, null, undefined>;
  /** beside the drawing, not in it, so that a step does not paint all slides again */
  private cursor = element("div", { class: "cursor", "aria-hidden": "true" });
  private width = 0;
  private recording: Recording | null = null;
  private scene: Scene | null = null;

  constructor(
    root: HTMLElement,
    private events: TimelineEvents,
  ) {
    this.svg = select(root).append("svg");
    for (const name of ["axis", "strips", "size", "notices"]) this.svg.append("g").attr("class", name);
    const pad = this.svg.append("rect").attr("class", "pad").attr("tabindex", 0).attr("role", "slider");
    pad.attr("aria-label", "Slide").attr("fill", "transparent");
    const go = (event: PointerEvent): void => {
      if (this.recording) events.go(this.recording.clamp(this.slideAt(pointer(event, this.svg.node())[0])));
    };
    pad.on("pointerdown", (event: PointerEvent) => {
      (event.target as Element).setPointerCapture(event.pointerId);
      go(event);
    });
    pad.on("pointermove", (event: PointerEvent) => event.buttons && go(event));
    root.append(this.cursor);
    onResize(root, (width) => {
      this.width = width;
      this.draw();
    });
  }

  render(scene: Scene): void {
    const isOther = this.recording !== scene.recording || this.svg.attr("data-slides") !== extent(scene.recording);
    this.scene = scene;
    this.recording = scene.recording;
    if (isOther) this.draw();
    else this.drawCursor();
  }

  private slideAt(x: number): number {
    const { first, length } = this.recording!;
    return first - 0.5 + ((x - LEFT) / (this.width - LEFT - RIGHT)) * length;
  }

  private x(slide: number): number {
    const { first, length } = this.recording!;
    return LEFT + ((slide - first + 0.5) / Math.max(length, 1)) * (this.width - LEFT - RIGHT);
  }

  private draw(): void {
    const { recording } = this;
    if (!recording || !this.width || recording.isEmpty) return;
    const properties = recording.spec.properties.length;
    const noticesAt = properties * (STRIP + GAP) + SIZE + 2 * GAP;
    const height = noticesAt + NOTICES + AXIS + 6;
    this.svg.attr("width", this.width).attr("height", height).attr("data-slides", extent(recording));
    this.drawAxis(height);
    this.drawStrips();
    this.drawSize(properties * (STRIP + GAP) + GAP);
    this.drawNotices(noticesAt + 4);
    this.svg
      .select(".pad")
      .attr("x", LEFT)
      .attr("y", 0)
      .attr("height", height)
      .attr("width", Math.max(0, this.width - LEFT - RIGHT));
    this.cursor.style.height = `${height - AXIS}px`;
    this.drawCursor();
  }

  private drawAxis(height: number): void {
    const { first, last } = this.recording!;
    const round = ticks(first, last, Math.max(2, Math.floor(this.width / 110))).filter(Number.isInteger);
    const groups = this.svg
      .select(".axis")
      .selectAll<SVGGElement, number>("g")
      .data(round)
      .join((enter) => {
        const made = enter.append("g");
        made.append("line");
        made.append("text").attr("text-anchor", "middle");
        return made;
      });
    groups.attr("transform", (tick) => `translate(${this.x(tick)} 0)`);
    groups
      .select("line")
      .attr("y1", 0)
      .attr("y2", height - AXIS);
    groups
      .select("text")
      .attr("y", height - 4)
      .text((tick) => tick.toLocaleString("en"));
  }

  private drawStrips(): void {
    const recording = this.recording!;
    const room = this.width - LEFT - RIGHT;
    const { events } = this;
    this.svg
      .select(".strips")
      .selectAll<SVGGElement, string>("g.strip")
      .data(recording.values)
      .join((enter) => {
        const made = enter.append("g").attr("class", "strip");
        made.append("rect").attr("class", "back").attr("x", LEFT).attr("height", STRIP).attr("rx", 3);
        for (const shade of ["one", "mixed", "unknown"]) made.append("path").attr("class", shade);
        made
          .append("text")
          .attr("class", "name")
          .attr("x", LEFT - 14)
          .attr("text-anchor", "end")
          .attr("y", STRIP / 2)
          .attr("dy", "0.35em");
        made
          .append("text")
          .attr("class", "value")
          .attr("y", STRIP / 2)
          .attr("dy", "0.35em");
        return made;
      })
      .attr("transform", (_, k) => `translate(0 ${k * (STRIP + GAP) + 4})`)
      .each((letters, k, nodes) => {
        const strip = select(nodes[k]);
        const found = runs(letters, Math.floor(room));
        const box = ([begin, end]: Run): string => {
          const width = Math.max(0.5, (end - begin) * room);
          return `M${LEFT + begin * room} 0h${width}v${STRIP}h${-width}z`;
        };
        const draw = (shade: Shade): string =>
          found
            .filter((run) => run[2] === shade)
            .map(box)
            .join("");
        strip.select(".back").attr("width", room);
        strip.select(".one").attr("d", draw("1"));
        strip.select(".mixed").attr("d", draw("m"));
        strip.select(".unknown").attr("d", draw("?"));
        strip.select(".value").attr("x", this.width - RIGHT + 12);
        const { name } = recording.spec.properties[k];
        strip
          .select(".name")
          .text(name.length > 17 ? `${name.slice(0, 16)}…` : name)
          .on("click", () => events.choose(k));
      });
  }

  private drawSize(top: number): void {
    const recording = this.recording!;
    const room = this.width - LEFT - RIGHT;
    const known = recording.cutCounts.map((count) => Math.max(count, 0));
    const values = peaks(known, Math.floor(room));
    const most = Math.max(1, ...values);
    const isLog = most > 200;
    const tall = (value: number): number => (isLog ? Math.log1p(value) / Math.log1p(most) : value / most) * SIZE;
    const step = room / Math.max(values.length, 1);
    const shape = area<number>()
      .curve(curveStepAfter)
      .x((_, k) => LEFT + k * step)
      .y0(SIZE)
      .y1((value) => SIZE - tall(value));
    const group = this.svg.select(".size").attr("transform", `translate(0 ${top})`);
    const data = [...values, values[values.length - 1]];
    group.selectAll("path").data([data]).join("path").attr("d", shape);
    const texts = [
      { x: LEFT - 14, y: SIZE / 2 - 2, anchor: "end", text: "cuts", name: "name" },
      { x: LEFT - 14, y: SIZE / 2 + 12, anchor: "end", text: isLog ? "log scale" : "", name: "small" },
      { x: this.width - RIGHT + 12, y: 10, anchor: "start", text: `max ${compact(most)}`, name: "small" },
    ];
    group
      .selectAll("text")
      .data(texts)
      .join("text")
      .attr("x", ({ x }) => x)
      .attr("y", ({ y }) => y)
      .attr("text-anchor", ({ anchor }) => anchor)
      .attr("class", ({ name }) => name)
      .text(({ text }) => text);
    const value = group.selectAll("text.now").data([0]);
    value
      .join("text")
      .attr("class", "now value")
      .attr("x", this.width - RIGHT + 12)
      .attr("y", SIZE - 6);
  }

  private drawNotices(top: number): void {
    const recording = this.recording!;
    const marks = MARKED.flatMap((name) => {
      const values = recording.counters[name] ?? [];
      return values.flatMap((value, at) =>
        value > (at ? values[at - 1] : 0) && at ? [{ name, slide: at + recording.first }] : [],
      );
    });
    const group = this.svg.select(".notices").attr("transform", `translate(0 ${top})`);
    const seen = new Set<string>();
    const few = marks.filter(({ name, slide }) => {
      const key = `${name}/${Math.round(this.x(slide))}`;
      return !seen.has(key) && seen.add(key);
    });
    group
      .selectAll("path")
      .data(few)
      .join("path")
      .attr("class", ({ name }) => `notice ${name}`)
      .attr("d", ({ slide }) => `M${this.x(slide)} 0v${NOTICES - 2}`);
    group
      .selectAll("text")
      .data(few.length ? ["notices"] : [])
      .join("text")
      .attr("class", "name")
      .attr("x", LEFT - 14)
      .attr("y", NOTICES - 2)
      .attr("text-anchor", "end")
      .text(String);
  }

  private drawCursor(): void {
    if (!this.scene || !this.width) return;
    const { moment, recording, property } = this.scene;
    this.cursor.style.transform = `translateX(${this.x(moment.slide)}px)`;
    this.svg
      .select(".pad")
      .attr("aria-valuemin", recording.first)
      .attr("aria-valuemax", recording.last)
      .attr("aria-valuenow", moment.slide)
      .attr("aria-valuetext", describe(this.scene));
    this.svg.selectAll("g.strip").classed("chosen", (_, k) => k === property);
    this.svg
      .selectAll<SVGTextElement, string>("g.strip .value")
      .data(recording.values)
      .text((_, k) => ({ "1": "true", "0": "false", "?": "too large" })[recording.value(k, moment.slide)] ?? "");
    this.svg.select(".size .now").text(moment.cuts === null ? "" : compact(moment.cuts));
  }
}

/** What of a recording is drawn; its length alone stays the same once a live one drops slides. */
const extent = ({ first, last }: Recording): string => `${first}..${last}`;

const compact = (value: number): string =>
  value < 10_000 ? value.toLocaleString("en") : new Intl.NumberFormat("en", { notation: "compact" }).format(value);
