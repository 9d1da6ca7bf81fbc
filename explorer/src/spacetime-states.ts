/** The states of the space-time diagram as bars; their texts lie above all lines, so that none crosses them. */

import type { Selection } from "d3-selection";
import type { State } from "./recording";
import { segment } from "./spacetime";
import type { Layers, Picture } from "./spacetime-marks";
import { shortIn } from "./values";

/** how the names of lanes are written */
export const NAME = "600 12.5px";
/** a letter of a value, about */
const LETTER = 6.1;
const KINDS: Record<string, string> = { "0": "out", "-": "may", "1": "holds", "2": "holds", ".": "unread" };

const keyOf = ({ process, number }: State): string => `${process}/${number}`;

/** What a state is: of what kind, and whether it is in the window, left it, or is still to come. */
function classOf({ scene: { recording, moment, part, isViolated, culprits } }: Picture, state: State): string {
  const { process, number, colours } = state;
  const { newest, oldest } = moment;
  const place = number > newest[process] ? "coming" : number < oldest[process] ? "gone" : "inside";
  const isNew = process === moment.process && number === newest[process];
  const kind = recording.isThere(state) ? KINDS[colours[part] ?? "."] : number ? "left" : "absent";
  // Red is what makes up a violation, and nothing else.
  const isCulprit = isViolated && place === "inside" && kind === "holds" && (culprits?.has(state) ?? true);
  return `${kind} ${place}${isCulprit ? " culprit" : ""}${isNew ? " delivered" : ""}`;
}

/** Where a state's bar begins, and how wide it is. */
function barOf({ scene, view, frame }: Picture, state: State): { x: number; width: number } {
  const [begin, end] = segment(scene.recording, view, state).map((column) => frame.x(column));
  return { x: begin, width: Math.max(end - begin - 5, 3) };
}

function place<Kept extends Element>(
  groups: Selection<Kept, State, SVGGElement, unknown>,
  picture: Picture,
  bars: Map<State, { x: number }>,
): void {
  groups.style("transform", (state) => `translate(${bars.get(state)!.x}px, ${picture.frame.y(state.process)}px)`);
}

/** Draws a bar for each state, and a dot for the event that began it. */
export function drawStates(layers: Layers, picture: Picture): void {
  const { scene, view, frame } = picture;
  const { processes } = scene.recording.spec;
  const thick = frame.thickness;
  const states = [...view.column.keys()];
  const bars = new Map(states.map((state) => [state, barOf(picture, state)]));
  const groups = layers.states
    .selectAll<SVGGElement, State>("g")
    .data(states, keyOf)
    .join((enter) => {
      const made = enter.append("g");
      made.append("rect");
      made.append("circle");
      made.append("path");
      return made;
    })
    .attr("class", (state) => `state ${classOf(picture, state)}`)
    .attr("data-state", (state) => `${processes[state.process]}#${state.index}`);
  place(groups, picture, bars);
  groups
    .select("rect")
    .attr("x", (state) => (scene.recording.isLeaving(state) ? -1 : 2.5))
    .attr("y", -thick / 2)
    .attr("height", thick)
    .attr("rx", (state) => (scene.recording.isLeaving(state) ? 1 : Math.min(5, thick / 2)))
    .attr("width", (state) => (scene.recording.isLeaving(state) ? 2 : bars.get(state)!.width));
  groups
    .select("circle")
    .attr("r", (state) => (state.number === 0 ? 0 : Math.min(4, thick / 3, frame.step / 5)))
    .attr("cx", 0);
  // Where a process left, its lane ends, and a dotted line goes on.
  groups
    .select("path")
    .attr("d", (state) => (scene.recording.isLeaving(state) ? `M6 0H${bars.get(state)!.width}` : null));
}

/** Writes the index above each state, and inside it the variables that the condition reads, as far as they have room. */
export function drawTexts(layers: Layers, picture: Picture): void {
  const { scene, view, frame } = picture;
  const thick = frame.thickness;
  const states = [...view.column.keys()];
  const bars = new Map(states.map((state) => [state, barOf(picture, state)]));
  const middle = (state: State): number => 2.5 + bars.get(state)!.width / 2;
  const groups = layers.texts
    .selectAll<SVGGElement, State>("g")
    .data(states, keyOf)
    .join((enter) => {
      const made = enter.append("g");
      made.append("text").attr("class", "index").attr("text-anchor", "middle");
      made.append("text").attr("class", "value").attr("text-anchor", "middle").attr("dy", "0.35em");
      return made;
    })
    .attr("class", (state) => `label ${classOf(picture, state)}`);
  place(groups, picture, bars);
  groups
    .select("text.index")
    .attr("x", middle)
    .attr("y", -thick / 2 - 5)
    .text((state) =>
      bars.get(state)!.width > 16 && frame.lane > 40 && scene.recording.isThere(state) ? state.index : "",
    );
  groups
    .select("text.value")
    .attr("x", middle)
    .text((state) => {
      const room = Math.floor((bars.get(state)!.width - 10) / LETTER);
      return thick >= 11 ? shortIn(state, scene.outline, room) : "";
    });
}
