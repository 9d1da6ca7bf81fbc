/** The timeline: verdicts of every property over the slides, the lattice's size, and marks for what went wrong. */

import { pointer, type Selection, select } from "d3-selection";
import { element, onResize } from "./dom";
import { Range } from "./range";
import type { Recording, State } from "./recording";
import { describe, type Scene } from "./scene";
import { drawAxis, drawFound, drawNotices, hasTimes, NOTICES } from "./timeline-marks";
import { drawOverview, markWindows, overviewHeight, type Scale } from "./timeline-overview";
import { drawSize, drawStrips, GAP, nameSize, nameValues, SIZE, STRIP } from "./timeline-rows";

const AXIS = 18;
const TIMES = 13;

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
    return Math.max(40, this.width - this.left - (this.width < 560 ? 66 : 84));
  }

  private slideAt(x: number): number {
    return this.range.begin + ((x - this.left) / this.room) * this.range.length;
  }

  private x(slide: number): number {
    return this.left + ((slide - this.range.begin) / this.range.length) * this.room;
  }

  private scale(): Scale {
    const { left, room } = this;
    return { left, room, slides: this.range.slides, x: (slide) => this.x(slide) };
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

  private layer(name: string): Selection<SVGGElement, unknown, null, undefined> {
    return this.svg.select<SVGGElement>(`g.${name}`);
  }

  private draw(): void {
    const { recording, scene } = this;
    if (!recording || !scene || !this.width || recording.isEmpty) return;
    const scale = this.scale();
    const times = hasTimes(recording) ? TIMES : 0;
    const stripsAt = overviewHeight(recording) + 4;
    const sizeAt = stripsAt + recording.spec.properties.length * (STRIP + GAP);
    const noticesAt = sizeAt + SIZE + GAP;
    const height = noticesAt + NOTICES + AXIS + 4 + times;
    this.svg.attr("width", this.width).attr("height", height).attr("data-slides", extent(recording));
    this.svg.attr("data-shown", this.range.slides.join(".."));
    drawAxis(this.layer("axis"), recording, scale, { height, axis: AXIS, times });
    const overview = this.layer("overview").attr("transform", "translate(0 2)");
    if (recording.hasClocks) drawOverview(overview, scene, scale);
    else overview.selectAll("*").remove();
    const strips = this.layer("strips").attr("transform", `translate(0 ${stripsAt})`);
    drawStrips(strips, recording, scale, (property) => this.events.choose(property));
    drawSize(this.layer("size").attr("transform", `translate(0 ${sizeAt})`), recording, scale);
    drawNotices(this.layer("notices").attr("transform", `translate(0 ${noticesAt + 4})`), recording, scale);
    this.drawFound();
    this.svg.select(".pad").attr("x", this.left).attr("y", 0).attr("height", height).attr("width", this.room);
    this.cursor.style.height = `${height - AXIS - times}px`;
    this.drawCursor();
  }

  private drawFound(): void {
    if (!this.recording || !this.width) return;
    drawFound(this.layer("found"), this.found, this.scale(), Math.max(8, overviewHeight(this.recording)));
  }

  private drawCursor(): void {
    if (!this.scene || !this.width) return;
    const { moment, recording } = this.scene;
    markWindows(this.layer("overview"), this.scene, this.scale());
    this.cursor.hidden = moment.slide < this.range.begin || moment.slide > this.range.end;
    this.cursor.style.transform = `translateX(${this.x(moment.slide)}px)`;
    this.svg
      .select(".pad")
      .attr("aria-valuemin", recording.first)
      .attr("aria-valuemax", recording.last)
      .attr("aria-valuenow", moment.slide)
      .attr("aria-valuetext", describe(this.scene));
    nameValues(this.layer("strips"), this.scene);
    nameSize(this.layer("size"), this.scene);
  }
}

/** What of a recording is drawn; its length alone stays the same once a live one drops slides. */
const extent = ({ first, last }: Recording): string => `${first}..${last}`;
