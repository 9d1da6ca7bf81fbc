/** What the space-time diagram draws of a slide: lanes, windows, states, messages; the cuts are in `spacetime-cuts`. */

import type { Selection } from "d3-selection";
import { plural } from "./dom";
import { forcingMessages } from "./forcing";
import type { State } from "./recording";
import type { Scene } from "./scene";
import { type Message, messagesInto, segment, type Visible } from "./spacetime";
import { drawFrontiers } from "./spacetime-cuts";
import type { Frame } from "./spacetime-frame";
import { timeText } from "./times";
import { shortIn, shortNames } from "./values";

export type Group = Selection<SVGGElement, unknown, null, undefined>;
export type Layers = Record<
  "windows" | "ends" | "states" | "runs" | "messages" | "labels" | "frontiers" | "over",
  Group
>;

/** A slide, the states of it that are drawn, and where. */
export interface Picture {
  scene: Scene;
  view: Visible;
  frame: Frame;
}

const LETTER = 6.1;
const KINDS: Record<string, string> = { "0": "out", "-": "may", "1": "holds", "2": "holds", ".": "unread" };

/** Draws a picture, with as few changes to what is drawn already as it needs. */
export function drawPicture(layers: Layers, picture: Picture): void {
  drawLanes(layers, picture);
  drawWindows(layers, picture);
  drawStates(layers, picture);
  drawRuns(layers, picture);
  drawMessages(layers, picture);
  drawTimes(layers, picture);
  drawFrontiers(layers, picture);
  const { hidden } = picture.view;
  const more = layers.labels
    .selectAll("text.hidden")
    .data(hidden ? [hidden] : [])
    .join("text");
  more.attr("class", "hidden soft").attr("x", picture.frame.left).attr("y", 12);
  more.text(`${plural(hidden, "earlier state")} of the windows not shown`);
}

function drawLanes(layers: Layers, { scene, view, frame }: Picture): void {
  const { processes } = scene.recording.spec;
  const names = shortNames(processes, frame.letters);
  const right = frame.x(view.columns);
  const lanes = layers.labels
    .selectAll<SVGGElement, number>("g.lane")
    .data(view.order, (k) => k)
    .join((enter) => {
      const made = enter.append("g").attr("class", "lane");
      made.append("text").attr("text-anchor", "end").attr("dy", "0.35em");
      made.append("title");
      return made;
    });
  lanes.attr("transform", (k) => `translate(0 ${frame.y(k)})`);
  lanes
    .select("text")
    .attr("x", frame.left - 14)
    .text((k) => names[k]);
  lanes.select("title").text((k) => processes[k]);
  layers.ends
    .selectAll("path.lane")
    .data(view.order)
    .join("path")
    .attr("class", "lane")
    .attr("d", (k) => `M${frame.left - 8} ${frame.y(k)}H${right}`);
}

function drawWindows(layers: Layers, { scene, view, frame }: Picture): void {
  const { recording, moment } = scene;
  const data = view.order.flatMap((k) => {
    const first = recording.state(k, Math.max(moment.oldest[k], view.spans[k][0]));
    const last = recording.state(k, moment.newest[k]);
    if (!first || !last) return [];
    const begin = frame.x(segment(recording, view, first)[0]);
    return [{ k, begin, end: frame.x(segment(recording, view, last)[1]) }];
  });
  layers.windows
    .selectAll<SVGRectElement, { k: number }>("rect")
    .data(data, ({ k }) => k)
    .join("rect")
    .attr("rx", 8)
    .attr("x", ({ begin }) => begin - 7)
    .attr("width", ({ begin, end }) => Math.max(end - begin + 7, 10))
    .attr("y", ({ k }) => frame.y(k) - frame.half)
    .attr("height", 2 * frame.half);
}

function drawStates(layers: Layers, { scene, view, frame }: Picture): void {
  const { recording, moment, part, outline } = scene;
  const thick = frame.thickness;
  const states = [...view.column.keys()];
  const spans = new Map(states.map((state) => [state, segment(recording, view, state).map((c) => frame.x(c))]));
  const width = (state: State): number => Math.max(spans.get(state)![1] - spans.get(state)![0] - 5, 3);
  const groups = layers.states
    .selectAll<SVGGElement, State>("g")
    .data(states, (state) => `${state.process}/${state.number}`)
    .join((enter) => {
      const made = enter.append("g");
      made.append("rect");
      made.append("circle");
      made.append("text").attr("class", "index").attr("text-anchor", "middle");
      made.append("text").attr("class", "value").attr("text-anchor", "middle").attr("dy", "0.35em");
      return made;
    })
    .attr("class", (state) => {
      const kind = KINDS[state.colours[part] ?? "."];
      const { newest, oldest } = moment;
      const isFuture = state.number > newest[state.process];
      const place = isFuture ? "coming" : state.number < oldest[state.process] ? "gone" : "inside";
      const isNew = state.process === moment.process && state.number === newest[state.process];
      return `state ${kind} ${place}${isNew ? " delivered" : ""}`;
    })
    .attr("data-state", (state) => `${recording.spec.processes[state.process]}#${state.index}`)
    .style("transform", (state) => `translate(${spans.get(state)![0]}px, ${frame.y(state.process)}px)`);
  groups
    .select("rect")
    .attr("x", 2.5)
    .attr("y", -thick / 2)
    .attr("height", thick)
    .attr("rx", Math.min(5, thick / 2))
    .attr("width", width);
  groups
    .select("circle")
    .attr("r", (state) => (state.number === 0 ? 0 : Math.min(4, thick / 3, frame.step / 5)))
    .attr("cx", 0);
  groups
    .select("text.index")
    .attr("x", (state) => 2.5 + width(state) / 2)
    .attr("y", -thick / 2 - 5)
    .text((state) => (width(state) > 16 && frame.lane > 40 ? state.index : ""));
  groups
    .select("text.value")
    .attr("x", (state) => 4.5 + width(state) / 2)
    .text((state) => {
      const room = Math.floor((width(state) - 10) / LETTER);
      return thick >= 11 ? shortIn(state, outline, room) : "";
    });
}

/** The runs that every observation sees at once, as a line below their states. */
function drawRuns(layers: Layers, { scene, view, frame }: Picture): void {
  const { recording, runs } = scene;
  const drawn = (runs ?? []).flatMap((run) => {
    const ends = [run.first, run.last].map((number) => recording.state(run.process, number));
    const isDrawn = ends.every((state) => state && view.column.has(state));
    if (!isDrawn || !view.order.includes(run.process)) return [];
    const begin = frame.x(segment(recording, view, ends[0]!)[0]) + 2.5;
    const end = frame.x(segment(recording, view, ends[1]!)[1]) - 2.5;
    const y = frame.y(run.process) + frame.thickness / 2 + 5;
    return [`M${begin} ${y - 3}v3H${end}v-3`];
  });
  layers.runs.selectAll("path").data(drawn).join("path").attr("class", "run").attr("d", String);
}

function drawMessages(layers: Layers, { scene, view, frame }: Picture): void {
  const { recording, moment, runs } = scene;
  const messages = [...view.column.keys()]
    .flatMap((state) => messagesInto(recording, state))
    .filter(({ from }) => view.column.has(from));
  const forcing = new Set(runs ? forcingMessages(recording, moment, runs, messages) : []);
  const isComing = ({ from, to }: Message): boolean =>
    from.number > moment.newest[from.process] || to.number > moment.newest[to.process];
  layers.messages
    .selectAll<SVGPathElement, Message>("path")
    .data(messages, ({ from, to }) => `${from.process}/${from.number}-${to.process}/${to.number}`)
    .join("path")
    .attr("class", (message) =>
      forcing.has(message) ? "message forcing" : isComing(message) ? "message coming" : "message",
    )
    .attr("d", ({ from, to }) => {
      const [x1, y1] = [frame.x(view.column.get(from)!), frame.y(from.process)];
      const [x2, y2] = [frame.x(view.column.get(to)!), frame.y(to.process)];
      const length = Math.hypot(x2 - x1, y2 - y1);
      const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
      return `M${x1 + 5 * dx} ${y1 + 5 * dy}L${x2 - 6 * dx} ${y2 - 6 * dy}`;
    });
}

/** The wall clock below the columns, where events have times: as many as have room. */
function drawTimes(layers: Layers, { view, frame }: Picture): void {
  let free = Number.NEGATIVE_INFINITY;
  const shown: { x: number; text: string }[] = [];
  for (const [state, column] of view.column) {
    const text = state.number === 0 ? "" : timeText(state.time);
    const [x, half] = [frame.x(column), text.length * 3.3];
    if (!text || x - half < free || x - half < frame.left - 30) continue;
    shown.push({ x, text });
    free = x + half + 14;
  }
  layers.labels
    .selectAll<SVGTextElement, { x: number; text: string }>("text.time")
    .data(shown)
    .join("text")
    .attr("class", "time")
    .attr("text-anchor", "middle")
    .attr("x", ({ x }) => x)
    .attr("y", frame.height - 8)
    .text(({ text }) => text);
}
