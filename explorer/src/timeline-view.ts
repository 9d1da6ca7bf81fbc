/** The timeline: verdicts of every property over the slides, the lattice's size, and marks for what went wrong. */

import { ticks } from "d3-array";
import { pointer, type Selection, select } from "d3-selection";
import { area, curveStepAfter } from "d3-shape";
import { element, onResize } from "./dom";
import { Range } from "./range";
import type { Recording, State } from "./recording";
import { describe, type Scene } from "./scene";
import { peaks, type Run, runs, type Shade } from "./timeline-data";
import { drawOverview, markWindows, overviewHeight, type Scale } from "./timeline-overview";
import { timeText } from "./times";
import { shorten } from "./values";

const STRIP = 15;
const GAP = 6;
const SIZE = 34;
const NOTICES = 10;
const AXIS = 18;
const TIMES = 13;
/** a letter of a name, about */
const LETTER = 6.7;
const MARKED = ["duplicates", "rejected", "late", "skipped", "too_large"];

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
  private range = Range.whole(1, 1);
  private found: State[] = [];

  constructor(
    root: HTMLElement,
    private events: TimelineEvents,
  ) {
    this.svg = select(root).append("svg");
    for (const name of ["axis", "overview", "strips", "size", "notices", "found"])
      this.svg.append("g").attr("class", name);
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
    pad.on("wheel", (event: WheelEvent) => this.onWheel(event));
    root.append(this.cursor);
    onResize(root, (width) => {
      this.width = width;
      this.draw();
    });
  }

  render(scene: Scene): void {
    const { first, last } = scene.recording;
    const isOther = this.recording !== scene.recording;
    const range = (isOther ? Range.whole(first, last) : this.range.follow(first, last)).toward(scene.moment.slide);
    const isMoved = range !== this.range || this.scene?.part !== scene.part;
    this.scene = scene;
    this.recording = scene.recording;
    this.range = range;
    if (isOther || isMoved || this.svg.attr("data-slides") !== extent(scene.recording)) this.draw();
    else this.drawCursor();
  }

  /** Shows fewer slides around the present one, or more; 0 shows all. */
  zoom(factor: number): void {
    const { recording, scene } = this;
    if (!recording || !scene) return;
    this.range = factor ? this.range.zoom(factor, scene.moment.slide) : Range.whole(recording.first, recording.last);
    this.draw();
  }

  /** Marks states that were found. */
  mark(found: State[]): void {
    this.found = found;
    this.drawFound();
  }

  private get left(): number {
    return this.width < 560 ? 84 : 132;
  }

  private get room(): number {
    return Math.max(40, this.width - this.left - (this.width < 560 ? 52 : 84));
  }

  private slideAt(x: number): number {
    return this.range.begin + ((x - this.left) / this.room) * this.range.length;
  }

  private x(slide: number): number {
    return this.left + ((slide - this.range.begin) / this.range.length) * this.room;
  }

  private scale(): Scale {
    const { left, room } = this;
    const letters = Math.floor((left - 18) / LETTER);
    return { left, room, letters, slides: this.range.slides, x: (slide) => this.x(slide) };
  }

  /** With Ctrl, or two fingers apart, it zooms; sideways, or with Shift, it pans. */
  private onWheel(event: WheelEvent): void {
    const { recording } = this;
    const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
    if (!recording || (!event.ctrlKey && !event.metaKey && !sideways)) return;
    event.preventDefault();
    const isZoom = event.ctrlKey || event.metaKey;
    const around = this.slideAt(pointer(event, this.svg.node())[0]);
    if (isZoom) this.range = this.range.zoom(Math.exp(-event.deltaY / 300), around);
    else this.range = this.range.pan((sideways / this.room) * this.range.length);
    this.draw();
  }

  private draw(): void {
    const { recording, scene } = this;
    if (!recording || !scene || !this.width || recording.isEmpty) return;
    const properties = recording.spec.properties.length;
    const stripsAt = overviewHeight(recording) + 4;
    const sizeAt = stripsAt + properties * (STRIP + GAP);
    const noticesAt = sizeAt + SIZE + GAP;
    const height = noticesAt + NOTICES + AXIS + 4 + (this.hasTimes() ? TIMES : 0);
    this.svg.attr("width", this.width).attr("height", height).attr("data-slides", extent(recording));
    this.svg.attr("data-shown", this.range.slides.join(".."));
    this.drawAxis(height);
    const overview = this.svg.select<SVGGElement>(".overview").attr("transform", "translate(0 2)");
    if (recording.hasClocks) drawOverview(overview, scene, this.scale());
    else overview.selectAll("*").remove();
    this.svg.select(".strips").attr("transform", `translate(0 ${stripsAt})`);
    this.drawStrips();
    this.drawSize(sizeAt);
    this.drawNotices(noticesAt + 4);
    this.drawFound();
    this.svg
      .select(".pad")
      .attr("x", this.left)
      .attr("y", 0)
      .attr("height", height)
      .attr("width", Math.max(0, this.room));
    this.cursor.style.height = `${height - AXIS - (this.hasTimes() ? TIMES : 0)}px`;
    this.drawCursor();
  }

  private hasTimes(): boolean {
    return this.recording!.lanes.some((lane) => lane.length > 0 && timeText(lane[lane.length - 1].time) !== "");
  }

  private drawAxis(height: number): void {
    const recording = this.recording!;
    const [first, last] = this.range.slides;
    const round = ticks(first, last, Math.max(2, Math.floor(this.width / 110))).filter(Number.isInteger);
    const times = this.hasTimes() ? TIMES : 0;
    const groups = this.svg
      .select(".axis")
      .selectAll<SVGGElement, number>("g")
      .data(round)
      .join((enter) => {
        const made = enter.append("g");
        made.append("line");
        made.append("text").attr("class", "slide").attr("text-anchor", "middle");
        made.append("text").attr("class", "time").attr("text-anchor", "middle");
        return made;
      });
    groups.attr("transform", (tick) => `translate(${this.x(tick)} 0)`);
    groups
      .select("line")
      .attr("y1", 0)
      .attr("y2", height - AXIS - times);
    groups
      .select("text.slide")
      .attr("y", height - 4 - times)
      .text((tick) => tick.toLocaleString("en"));
    groups
      .select("text.time")
      .attr("y", height - 4)
      .text((tick) => (times ? timeText(recording.delivered(tick)?.time) : ""));
  }

  private drawStrips(): void {
    const recording = this.recording!;
    const { events, left } = this;
    const [first, last] = this.range.slides;
    const [begin, room] = [this.x(first - 0.5), this.x(last + 0.5) - this.x(first - 0.5)];
    const letters = this.scale().letters;
    this.svg
      .select(".strips")
      .selectAll<SVGGElement, string>("g.strip")
      .data(recording.values.map((values) => values.slice(first - recording.first, last - recording.first + 1)))
      .join((enter) => {
        const made = enter.append("g").attr("class", "strip");
        made.append("rect").attr("class", "back").attr("height", STRIP).attr("rx", 3);
        for (const shade of ["one", "mixed", "unknown"]) made.append("path").attr("class", shade);
        made
          .append("text")
          .attr("class", "name")
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
      .classed("never", (_, k) => recording.spec.properties[k].never)
      .attr("transform", (_, k) => `translate(0 ${k * (STRIP + GAP)})`)
      .each((values, k, nodes) => {
        const strip = select(nodes[k]);
        const found = runs(values, Math.max(1, Math.floor(room)));
        const box = ([from, to]: Run): string => {
          const width = Math.max(0.5, (to - from) * room);
          return `M${begin + from * room} 0h${width}v${STRIP}h${-width}z`;
        };
        const draw = (shade: Shade): string =>
          found
            .filter((run) => run[2] === shade)
            .map(box)
            .join("");
        strip.select(".back").attr("x", begin).attr("width", room);
        strip.select(".one").attr("d", draw("1"));
        strip.select(".mixed").attr("d", draw("m"));
        strip.select(".unknown").attr("d", draw("?"));
        strip.select(".value").attr("x", left + this.room + 10);
        const { name } = recording.spec.properties[k];
        strip
          .select(".name")
          .attr("x", left - 14)
          .text(shorten(name, letters))
          .on("click", () => events.choose(k));
      });
  }

  private drawSize(top: number): void {
    const recording = this.recording!;
    const { left } = this;
    const [first, last] = this.range.slides;
    const [begin, room] = [this.x(first - 0.5), this.x(last + 0.5) - this.x(first - 0.5)];
    const counts = recording.cutCounts.slice(first - recording.first, last - recording.first + 1);
    const values = peaks(
      counts.map((count) => Math.max(count, 0)),
      Math.max(1, Math.floor(room)),
    );
    const most = Math.max(1, ...values);
    const isLog = most > 200;
    const tall = (value: number): number => (isLog ? Math.log1p(value) / Math.log1p(most) : value / most) * SIZE;
    const step = room / Math.max(values.length, 1);
    const shape = area<number>()
      .curve(curveStepAfter)
      .x((_, k) => begin + k * step)
      .y0(SIZE)
      .y1((value) => SIZE - tall(value));
    const group = this.svg.select(".size").attr("transform", `translate(0 ${top})`);
    const data = [...values, values[values.length - 1]];
    group.selectAll("path").data([data]).join("path").attr("d", shape);
    const texts = [
      { x: left - 14, y: SIZE / 2 - 2, anchor: "end", text: "lattice size", name: "name" },
      { x: left - 14, y: SIZE / 2 + 12, anchor: "end", text: isLog ? "log scale" : "", name: "small" },
      { x: left + this.room + 10, y: 10, anchor: "start", text: `max ${compact(most)}`, name: "small" },
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
      .attr("x", left + this.room + 10)
      .attr("y", SIZE - 6);
  }

  private drawNotices(top: number): void {
    const recording = this.recording!;
    const marks = MARKED.flatMap((name) => {
      const values = recording.counters[name] ?? [];
      return values.flatMap((value, at) =>
        value > (at ? values[at - 1] : 0) && at ? [{ name, slide: at + recording.first }] : [],
      );
    }).filter(({ slide }) => slide >= this.range.begin && slide <= this.range.end);
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
      .attr("x", this.left - 14)
      .attr("y", NOTICES - 2)
      .attr("text-anchor", "end")
      .text(String);
  }

  private drawFound(): void {
    if (!this.recording || !this.width) return;
    const inside = this.found.filter(({ slide }) => slide >= this.range.begin && slide <= this.range.end);
    const places = [...new Set(inside.map(({ slide }) => Math.round(this.x(slide))))];
    this.svg
      .select(".found")
      .selectAll("path")
      .data(places)
      .join("path")
      .attr("d", (x) => `M${x} 0v${Math.max(8, overviewHeight(this.recording!))}`);
  }

  private drawCursor(): void {
    if (!this.scene || !this.width) return;
    const { moment, recording, property } = this.scene;
    markWindows(this.svg.select<SVGGElement>(".overview"), this.scene, this.scale());
    this.cursor.hidden = moment.slide < this.range.begin || moment.slide > this.range.end;
    this.cursor.style.transform = `translateX(${this.x(moment.slide)}px)`;
    this.svg
      .select(".pad")
      .attr("aria-valuemin", recording.first)
      .attr("aria-valuemax", recording.last)
      .attr("aria-valuenow", moment.slide)
      .attr("aria-valuetext", describe(this.scene));
    const { properties } = recording.spec;
    this.svg
      .selectAll("g.strip")
      .classed("chosen", (_, k) => k === property)
      .classed("violated", (_, k) => properties[k].never && recording.value(k, moment.slide) === "1");
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
