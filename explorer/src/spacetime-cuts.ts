/** Cuts in the space-time diagram: the ends of the lattice, the witness, and an observation as a moving frontier. */

import { select } from "d3-selection";
import type { Cut } from "./recording";
import { frontier } from "./spacetime";
import type { Layers, Picture } from "./spacetime-marks";

/** lines of an observation that are drawn */
const MOST_LINES = 40;

interface Mark {
  kind: string;
  cut: Cut;
  crossing: number[];
  text: string;
}

/** Draws all of them. */
export function drawFrontiers(layers: Layers, picture: Picture): void {
  drawMovement(layers, picture);
  drawNamed(layers, picture);
}

/** An observation: its cuts one after the other as faint lines, and beside each event when it happens in it. */
function drawMovement(layers: Layers, { scene, view, frame }: Picture): void {
  const { recording, witnessCuts, witness } = scene;
  const cuts = witness.path ? witnessCuts : [];
  const stride = Math.max(1, Math.ceil(cuts.length / MOST_LINES));
  const lines = cuts.flatMap((cut, at) => {
    const crossing = at % stride && at < cuts.length - 1 ? null : frontier(recording, view, cut);
    return crossing ? [{ at, d: frame.frontierPath(crossing) }] : [];
  });
  layers.frontiers
    .selectAll<SVGPathElement, { at: number; d: string }>("path.movement")
    .data(lines)
    .join("path")
    .attr("class", "movement")
    .attr("d", ({ d }) => d)
    .style("animation-delay", ({ at }) => `${(at / Math.max(1, cuts.length)) * 4}s`);
  const steps = cuts.flatMap((cut, at) => {
    const process = at ? cut.findIndex((number, k) => number !== cuts[at - 1][k]) : -1;
    const state = process < 0 ? undefined : recording.state(process, cut[process]);
    const column = state && view.column.get(state);
    return state && column !== undefined ? [{ at, x: frame.x(column), y: frame.y(process) }] : [];
  });
  layers.frontiers
    .selectAll<SVGTextElement, (typeof steps)[0]>("text.step")
    .data(frame.step >= 13 ? steps : [])
    .join("text")
    .attr("class", "step")
    .attr("text-anchor", "middle")
    .attr("x", ({ x }) => x)
    .attr("y", ({ y }) => y + frame.thickness / 2 + 12)
    .text(({ at }) => at);
}

/** The least and the greatest cut and the one that satisfies a condition, with their names above. */
function drawNamed(layers: Layers, { scene, view, frame }: Picture): void {
  const { recording, moment, witness } = scene;
  const ends = [
    { kind: "least", name: "earliest", cut: moment.least },
    { kind: "greatest", name: "latest", cut: moment.greatest },
    { kind: "witness", name: "holds here", cut: witness.cut },
  ];
  const names = new Map<string, string[]>();
  for (const { name, cut } of ends) if (cut) names.set(cut.join(), [...(names.get(cut.join()) ?? []), name]);
  const marks = ends.flatMap(({ kind, name, cut }): Mark[] => {
    const crossing = cut && frontier(recording, view, cut);
    if (!cut || !crossing) return [];
    const same = names.get(cut.join())!; // the last of equal ones is on top and bears all names
    return [{ kind, cut, crossing, text: same[same.length - 1] === name ? same.join(", ") : "" }];
  });
  const first = view.order[0];
  const top = frame.top - 4;
  const right: number[] = []; // where each row of names ends
  const rowOf = new Map<string, number>();
  const end = frame.x(view.columns) + 14;
  const placeOf = (mark: Mark): { x: number; half: number } => {
    const half = mark.text.length * 3.4;
    return { x: Math.max(Math.min(frame.x(mark.crossing[first]), end - half), half + 2), half };
  };
  for (const mark of [...marks].sort((a, b) => a.crossing[first] - b.crossing[first])) {
    const { x, half } = placeOf(mark);
    const fits = right.findIndex((end) => end < x - half);
    const row = fits < 0 ? right.length : fits;
    right[row] = x + half + 4;
    rowOf.set(mark.kind, row);
  }
  layers.frontiers
    .selectAll<SVGGElement, Mark>("g")
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
      group.select("text").attr("x", placeOf(mark).x).attr("y", y).text(mark.text);
    });
}
