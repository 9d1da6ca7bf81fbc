/** What the space-time diagram draws of a slide: lanes, windows, states, messages, and the cuts that have a name. */

import { type Selection, select } from "d3-selection";
import { plural } from "./dom";
import type { State } from "./recording";
import type { Scene } from "./scene";
import { frontier, type Message, messagesInto, segment, type Visible } from "./spacetime";
import { type Frame, LEFT } from "./spacetime-frame";

export type Group = Selection<SVGGElement, unknown, null, undefined>;
export type Layers = Record<"windows" | "ends" | "messages" | "states" | "labels" | "frontiers" | "over", Group>;

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
  drawMessages(layers, picture);
  drawFrontiers(layers, picture);
  const { hidden } = picture.view;
  const more = layers.labels
    .selectAll("text.hidden")
    .data(hidden ? [hidden] : [])
    .join("text");
  more
    .attr("class", "hidden soft")
    .attr("x", LEFT)
    .attr("y", picture.frame.height - 4);
  more.text(`${plural(hidden, "earlier state")} of the windows not shown`);
}

function drawLanes(layers: Layers, { scene, view, frame }: Picture): void {
  const { processes } = scene.recording.spec;
  const right = frame.x(view.columns);
  layers.labels
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
    .attr("transform", (_, k) => `translate(0 ${frame.y(k)})`)
    .select("text")
    .text((name) => (name.length > 15 ? `${name.slice(0, 14)}…` : name));
  layers.ends
    .selectAll("path.lane")
    .data(processes)
    .join("path")
    .attr("class", "lane")
    .attr("d", (_, k) => `M${LEFT - 8} ${frame.y(k)}H${right}`);
}

function drawWindows(layers: Layers, { scene, view, frame }: Picture): void {
  const { recording, moment } = scene;
  const data = recording.spec.processes.flatMap((_, k) => {
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
  const { recording, moment, part } = scene;
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
    .select("text")
    .attr("x", (state) => 2.5 + width(state) / 2)
    .attr("y", -thick / 2 - 5)
    .text((state) => (width(state) > 16 && frame.lane > 34 ? state.index : ""));
}

function drawMessages(layers: Layers, { scene, view, frame }: Picture): void {
  const { recording, moment } = scene;
  const messages = [...view.column.keys()]
    .flatMap((state) => messagesInto(recording, state))
    .filter(({ from }) => view.column.has(from));
  const isComing = ({ from, to }: Message): boolean =>
    from.number > moment.newest[from.process] || to.number > moment.newest[to.process];
  layers.messages
    .selectAll<SVGPathElement, Message>("path")
    .data(messages, ({ from, to }) => `${from.process}/${from.number}-${to.process}/${to.number}`)
    .join("path")
    .attr("class", (message) => (isComing(message) ? "message coming" : "message"))
    .attr("d", ({ from, to }) => {
      const [x1, y1] = [frame.x(view.column.get(from)!), frame.y(from.process)];
      const [x2, y2] = [frame.x(view.column.get(to)!), frame.y(to.process)];
      const length = Math.hypot(x2 - x1, y2 - y1);
      const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
      return `M${x1 + 5 * dx} ${y1 + 5 * dy}L${x2 - 6 * dx} ${y2 - 6 * dy}`;
    });
}

function drawFrontiers(layers: Layers, { scene, view, frame }: Picture): void {
  const { recording, moment, witness } = scene;
  const ends = [
    { kind: "least", cut: moment.least },
    { kind: "greatest", cut: moment.greatest },
    { kind: "witness", cut: witness.cut },
  ];
  const names = new Map<string, string[]>();
  for (const { kind, cut } of ends) if (cut) names.set(cut.join(), [...(names.get(cut.join()) ?? []), kind]);
  const marks = ends.flatMap(({ kind, cut }) => {
    const crossing = cut && frontier(recording, view, cut);
    if (!cut || !crossing) return [];
    const same = names.get(cut.join())!; // the last of equal ones is on top and bears all names
    return [{ kind, cut, crossing, text: same[same.length - 1] === kind ? same.join(", ") : "" }];
  });
  const top = Math.max(frame.y(0) - frame.lane / 2 - 4, 12);
  const right: number[] = []; // where each row of names ends
  const rowOf = new Map<string, number>();
  for (const mark of [...marks].sort((a, b) => a.crossing[0] - b.crossing[0])) {
    const [x, half] = [frame.x(mark.crossing[0]), mark.text.length * 3.2];
    const fits = right.findIndex((end) => end < x - half);
    const row = fits < 0 ? right.length : fits;
    right[row] = x + half + 4;
    rowOf.set(mark.kind, row);
  }
  layers.frontiers
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
      group.select("path").attr("d", frame.frontierPath(mark.crossing));
      const y = top - 12 * (rowOf.get(mark.kind) ?? 0);
      group.select("text").attr("x", frame.x(mark.crossing[0])).attr("y", y).text(mark.text);
    });
}
