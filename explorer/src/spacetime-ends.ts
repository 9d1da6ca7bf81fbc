/** The space-time diagram where no clocks are known: only the ends of the lattice, by index. */

import { fitNames } from "./measure";
import type { Moment } from "./recording";
import type { Scene } from "./scene";
import type { Frame } from "./spacetime-frame";
import type { Layers } from "./spacetime-marks";
import { NAME } from "./spacetime-states";

const MOST_STEP = 72;

/** The most states that a process has from the least to the greatest cut. */
export function widest({ least, greatest }: Moment): number {
  return least && greatest ? Math.max(...least.map((first, k) => greatest[k] - first + 1)) : 1;
}

/** Draws the indices between the least and the greatest cut; the frame has as many columns as the widest process. */
export function drawEnds(layers: Layers, frame: Frame, { recording, moment }: Scene, order: readonly number[]): void {
  const { processes } = recording.spec;
  for (const layer of Object.values(layers)) layer.selectAll("*").remove();
  drawNames(layers, frame, processes, order);
  const { least, greatest } = moment;
  if (!least || !greatest) return;
  const step = Math.min(MOST_STEP, frame.step);
  for (const k of order) {
    const count = greatest[k] - least[k] + 1;
    const y = frame.y(k);
    layers.windows
      .append("rect")
      .attr("rx", 8)
      .attr("x", frame.left)
      .attr("y", y - frame.half)
      .attr("width", step * count)
      .attr("height", 2 * frame.half);
    const stride = Math.max(1, Math.ceil(28 / step));
    for (let at = 0; at < count; at += stride) {
      const group = layers.states.append("g").attr("class", "state unread inside");
      group.style("transform", `translate(${frame.left + at * step}px, ${y}px)`);
      const width = Math.max(step * Math.min(stride, count - at) - 5, 3);
      const rect = group
        .append("rect")
        .attr("x", 2.5)
        .attr("y", -frame.thickness / 2)
        .attr("rx", 5);
      rect.attr("width", width).attr("height", frame.thickness);
      const text = group
        .append("text")
        .attr("x", 2.5 + width / 2)
        .attr("y", -frame.thickness / 2 - 5);
      text.attr("text-anchor", "middle").text(least[k] + at);
    }
  }
}

function drawNames(layers: Layers, frame: Frame, processes: string[], order: readonly number[]): void {
  const names = fitNames(processes, frame.nameRoom, NAME);
  for (const k of order) {
    const group = layers.labels
      .append("g")
      .attr("class", "lane")
      .attr("transform", `translate(0 ${frame.y(k)})`);
    group
      .append("text")
      .attr("x", frame.left - 14)
      .attr("text-anchor", "end")
      .attr("dy", "0.35em")
      .text(names[k]);
    group.append("title").text(processes[k]);
  }
}
