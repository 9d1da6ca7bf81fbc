/** Other forms of the lattice than cuts by level: a grid for two processes, a bar per level for very many cuts. */

import type { Selection } from "d3-selection";
import { plural } from "./dom";
import { keyOf, type Lattice } from "./lattice";
import type { Cut } from "./recording";
import type { Scene } from "./scene";

/** what is left free around the lattice */
export const MARGIN = 22;

export type Group = Selection<SVGGElement, unknown, null, undefined>;
export type Place = [x: number, y: number];

export interface Size {
  width: number;
  height: number;
}

/** Draws two processes as in the paper's figures: one axis each, inconsistent global states shaded; where each cut is. */
export function drawGrid(under: Group, { width, height }: Size, scene: Scene, lattice: Lattice): Place[] {
  const { recording, moment } = scene;
  const [columns, rows] = [0, 1].map((k) => moment.newest[k] - moment.oldest[k] + 1);
  const cell = Math.min(64, (width - 2 * MARGIN - 40) / columns, (height - 2 * MARGIN - 34) / rows);
  const left = (width - cell * columns) / 2 + 14;
  const bottom = (height + cell * rows) / 2 - 14;
  const center = (cut: Cut): Place => [
    left + (cut[0] - moment.oldest[0] + 0.5) * cell,
    bottom - (cut[1] - moment.oldest[1] + 0.5) * cell,
  ];
  const frame = under
    .append("rect")
    .attr("class", "frame")
    .attr("x", left)
    .attr("y", bottom - cell * rows);
  frame
    .attr("width", cell * columns)
    .attr("height", cell * rows)
    .attr("rx", 6);
  const stride = Math.max(1, Math.ceil(18 / cell));
  for (let i = 0; i < columns; i++) {
    for (let j = 0; j < rows; j++) {
      const cut = [moment.oldest[0] + i, moment.oldest[1] + j];
      if (lattice.position.has(keyOf(cut))) continue;
      const [x, y] = center(cut);
      const box = under
        .append("rect")
        .attr("class", "inconsistent")
        .attr("x", x - cell / 2)
        .attr("y", y - cell / 2);
      box.attr("width", cell).attr("height", cell).attr("data-cut", recording.show(cut));
    }
  }
  for (let i = 0; i < columns; i += stride) {
    axis(under, recording.state(0, moment.oldest[0] + i)?.index, left + (i + 0.5) * cell, bottom + 15);
  }
  for (let j = 0; j < rows; j += stride) {
    axis(under, recording.state(1, moment.oldest[1] + j)?.index, left - 12, bottom - (j + 0.5) * cell + 4);
  }
  const [first, second] = recording.spec.processes;
  axis(under, first, left + (cell * columns) / 2, bottom + 32).attr("class", "axis name");
  axis(under, second, 0, 0)
    .attr("class", "axis name")
    .attr("transform", `translate(${left - 32} ${bottom - (cell * rows) / 2}) rotate(-90)`);
  return lattice.cuts.map(center);
}

/** Draws how many cuts each level has and, if it is known, how many of them are filled. */
export function drawBars(layer: Group, { width, height }: Size, counts: number[], filled: number[] | null): void {
  const tall = height - 2 * MARGIN;
  const step = Math.min(26, tall / counts.length);
  const top = MARGIN + (tall - step * counts.length) / 2;
  const most = Math.max(...counts);
  const room = width - 2 * MARGIN - 150;
  const middle = MARGIN + 28 + room / 2;
  const stride = Math.max(1, Math.ceil(13 / step));
  const bars = layer.selectAll<SVGGElement, number>("g").data(counts).join("g").attr("class", "bar");
  bars.attr("transform", (_, k) => `translate(${middle} ${top + step * (k + 0.5)})`);
  const high = Math.max(1, step - Math.min(5, step * 0.25));
  const bar = (name: string, size: (count: number, k: number) => number): void => {
    const rect = bars
      .append("rect")
      .attr("class", name)
      .attr("y", -high / 2)
      .attr("height", high)
      .attr("rx", Math.min(3, high / 3));
    rect.attr("x", (count, k) => -size(count, k) / 2).attr("width", (count, k) => size(count, k));
  };
  const scale = (count: number): number => (count === 0 ? 0 : Math.max(2, (count / most) * room));
  bar("all", scale);
  if (filled) bar("labelled", (_, k) => scale(filled[k]));
  const last = counts.length - 1;
  const shown = (k: number): boolean => (k % stride === 0 && (k === last || last - k >= stride)) || k === last;
  bars
    .append("text")
    .attr("class", "level")
    .attr("x", -room / 2 - 14)
    .attr("text-anchor", "end")
    .attr("dy", "0.35em")
    .text((_, k) => (shown(k) ? k : ""));
  bars
    .append("text")
    .attr("x", room / 2 + 12)
    .attr("dy", "0.35em")
    .text((count, k) => (shown(k) ? count.toLocaleString("en") : ""));
  const filledText = (k: number): string => (filled ? `, ${filled[k].toLocaleString("en")} filled` : "");
  bars.append("title").text((count, k) => `level ${k}: ${plural(count, "cut")}${filledText(k)}`);
}

function axis(
  under: Group,
  text: string | number | undefined,
  x: number,
  y: number,
): Selection<SVGTextElement, unknown, null, undefined> {
  const made = under.append("text").attr("class", "axis").attr("text-anchor", "middle");
  return made
    .attr("x", x)
    .attr("y", y)
    .text(text ?? "");
}
