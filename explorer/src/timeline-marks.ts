/** Marks on the timeline: its axis with times, what went wrong, and what was searched. */

import { ticks } from "d3-array";
import type { Selection } from "d3-selection";
import type { Recording, State } from "./recording";
import type { Scale } from "./timeline-overview";
import { timeText } from "./times";

type Group = Selection<SVGGElement, unknown, null, undefined>;

export const NOTICES = 10;
const MARKED = ["duplicates", "rejected", "late", "skipped", "too_large"];

/** Whether events have times that can be shown. */
export function hasTimes({ lanes }: Recording): boolean {
  return lanes.some((lane) => lane.length > 0 && timeText(lane[lane.length - 1].time) !== "");
}

/** Draws round numbers of slides, lines through all rows, and below each the time, if `times` is its height. */
export function drawAxis(
  group: Group,
  recording: Recording,
  scale: Scale,
  { height, axis, times }: { height: number; axis: number; times: number },
): void {
  const [first, last] = scale.slides;
  const round = ticks(first, last, Math.max(2, Math.floor(scale.room / 90))).filter(Number.isInteger);
  const groups = group
    .selectAll<SVGGElement, number>("g")
    .data(round)
    .join((enter) => {
      const made = enter.append("g");
      made.append("line");
      made.append("text").attr("class", "slide").attr("text-anchor", "middle");
      made.append("text").attr("class", "time").attr("text-anchor", "middle");
      return made;
    });
  groups.attr("transform", (tick) => `translate(${scale.x(tick)} 0)`);
  groups
    .select("line")
    .attr("y1", 0)
    .attr("y2", height - axis - times);
  groups
    .select("text.slide")
    .attr("y", height - 4 - times)
    .text((tick) => tick.toLocaleString("en"));
  groups
    .select("text.time")
    .attr("y", height - 4)
    .text((tick) => (times ? timeText(recording.delivered(tick)?.time) : ""));
}

/** Draws a mark where a counter of something unusual grew. */
export function drawNotices(group: Group, recording: Recording, scale: Scale): void {
  const [first, last] = scale.slides;
  const seen = new Set<string>();
  const marks = MARKED.flatMap((name) => {
    const values = recording.counters[name] ?? [];
    const grown: { name: string; x: number }[] = [];
    for (let slide = Math.max(first, recording.first + 1); slide <= last; slide++) {
      const at = slide - recording.first;
      const x = Math.round(scale.x(slide));
      if (values[at] <= values[at - 1] || seen.has(`${name}/${x}`)) continue;
      seen.add(`${name}/${x}`);
      grown.push({ name, x });
    }
    return grown;
  });
  const kinds = new Set(marks.map(({ name }) => name));
  group
    .selectAll("path")
    .data(marks)
    .join("path")
    .attr("class", ({ name }) => `notice ${name}`)
    .attr("d", ({ x }) => `M${x} 0v${NOTICES - 2}`);
  group
    .selectAll("text")
    .data(kinds.size === 1 ? [...kinds] : kinds.size ? ["notices"] : [])
    .join("text")
    .attr("class", "name")
    .attr("x", scale.left - 14)
    .attr("y", NOTICES - 2)
    .attr("text-anchor", "end")
    .text((name) => name.replace("_", " "));
}

/** Marks the slides that delivered some states. */
export function drawFound(group: Group, found: State[], scale: Scale, height: number): void {
  const [first, last] = scale.slides;
  const inside = found.filter(({ slide }) => slide >= first && slide <= last);
  const places = [...new Set(inside.map(({ slide }) => Math.round(scale.x(slide))))];
  group
    .selectAll("path")
    .data(places)
    .join("path")
    .attr("d", (x) => `M${x} 0v${height}`);
}
