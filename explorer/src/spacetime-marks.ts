/** What the space-time diagram draws of a slide: lanes, windows, runs, messages, and by other modules states and cuts. */

import type { Selection } from "d3-selection";
import { forcingMessages } from "./forcing";
import { fitNames } from "./measure";
import type { Scene } from "./scene";
import { type Message, messagesInto, segment, type Visible } from "./spacetime";
import { drawFrontiers } from "./spacetime-cuts";
import type { Frame } from "./spacetime-frame";
import { drawStates, drawTexts, NAME } from "./spacetime-states";
import { timeText } from "./times";

export type Group = Selection<SVGGElement, unknown, null, undefined>;
export type Layers = Record<
  "windows" | "ends" | "states" | "runs" | "messages" | "labels" | "frontiers" | "texts" | "over",
  Group
>;

/** A slide, the states of it that are drawn, and where. */
export interface Picture {
  scene: Scene;
  view: Visible;
  frame: Frame;
}

/** Draws a picture, with as few changes to what is drawn already as it needs. */
export function drawPicture(layers: Layers, picture: Picture): void {
  drawLanes(layers, picture);
  drawWindows(layers, picture);
  drawStates(layers, picture);
  drawRuns(layers, picture);
  drawMessages(layers, picture);
  drawTimes(layers, picture);
  drawFrontiers(layers, picture);
  drawTexts(layers, picture);
}

function drawLanes(layers: Layers, { scene, view, frame }: Picture): void {
  const { processes } = scene.recording.spec;
  const names = fitNames(processes, frame.nameRoom, NAME);
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
