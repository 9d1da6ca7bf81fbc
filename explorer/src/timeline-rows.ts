/** Rows of the timeline: the verdicts of each property, and the size of the lattice. */

import { type Selection, select } from "d3-selection";
import { area, curveStepAfter } from "d3-shape";
import { fitNames } from "./measure";
import type { Recording } from "./recording";
import { isViolated, type Scene } from "./scene";
import { peaks, type Run, runs, type Shade } from "./timeline-data";
import type { Scale } from "./timeline-overview";

type Group = Selection<SVGGElement, unknown, null, undefined>;

export const STRIP = 15;
export const GAP = 6;
export const SIZE = 34;
/** beyond so many cuts the size is drawn on a logarithmic scale */
const MOST_LINEAR = 200;

/** Where the slides that are seen begin, and the room that they have. */
function stretch({ slides: [first, last], x }: Scale): { first: number; last: number; begin: number; room: number } {
  const begin = x(first - 0.5);
  return { first, last, begin, room: x(last + 0.5) - begin };
}

/** Draws a strip for each property: filled where it is true. */
export function drawStrips(
  group: Group,
  recording: Recording,
  scale: Scale,
  choose: (property: number) => void,
): void {
  const { first, last, begin, room } = stretch(scale);
  const { properties } = recording.spec;
  const names = fitNames(
    properties.map(({ name }) => name),
    scale.left - 18,
    "650 12px",
  );
  const strips = group
    .selectAll<SVGGElement, string>("g.strip")
    .data(recording.values.map((values) => values.slice(first - recording.first, last - recording.first + 1)))
    .join((enter) => {
      const made = enter.append("g").attr("class", "strip");
      made.append("rect").attr("class", "back").attr("height", STRIP).attr("rx", 3);
      for (const shade of ["one", "mixed", "unknown"]) made.append("path").attr("class", shade);
      for (const name of ["name", "value"]) {
        made
          .append("text")
          .attr("class", name)
          .attr("y", STRIP / 2)
          .attr("dy", "0.35em");
      }
      return made;
    })
    .classed("never", (_, k) => properties[k].never)
    .attr("transform", (_, k) => `translate(0 ${k * (STRIP + GAP)})`);
  strips.select(".back").attr("x", begin).attr("width", room);
  strips.select(".value").attr("x", scale.left + scale.room + 10);
  strips
    .select(".name")
    .attr("text-anchor", "end")
    .attr("x", scale.left - 14)
    .text((_, k) => names[k])
    .on("click", (event: Event) => {
      const strip = (event.currentTarget as Element).parentNode as SVGGElement;
      choose(strips.nodes().indexOf(strip));
    });
  strips.each((values, k, nodes) => {
    const strip = select(nodes[k]);
    const found = runs(values, Math.max(1, Math.floor(room)));
    const box = ([from, to]: Run): string => {
      const width = Math.max(0.5, (to - from) * room);
      return `M${begin + from * room} 0h${width}v${STRIP}h${-width}z`;
    };
    const path = (shade: Shade): string =>
      found
        .filter((run) => run[2] === shade)
        .map(box)
        .join("");
    strip.select(".one").attr("d", path("1"));
    strip.select(".mixed").attr("d", path("m"));
    strip.select(".unknown").attr("d", path("?"));
  });
}

/** Says beside each strip what the value is at the present slide. */
export function nameValues(group: Group, { recording, moment, property }: Scene): void {
  const words: Record<string, string> = { "1": "true", "0": "false", "?": "too large" };
  const strips = group.selectAll<SVGGElement, unknown>("g.strip");
  strips
    .classed("chosen", (_, k) => k === property)
    .classed("violated", (_, k) => isViolated(recording, k, moment.slide));
  strips.each((_, k, nodes) => {
    select(nodes[k])
      .select(".value")
      .text(words[recording.value(k, moment.slide)] ?? "");
  });
}

/** Draws how many cuts there were. */
export function drawSize(group: Group, recording: Recording, scale: Scale): void {
  const { first, last, begin, room } = stretch(scale);
  const counts = recording.cutCounts.slice(first - recording.first, last - recording.first + 1);
  if (!recording.hasClocks) {
    // A pipeline tells the number where it tells a verdict; in between, it is taken to stay.
    for (let at = 1; at < counts.length; at++) if (counts[at] < 0) counts[at] = counts[at - 1];
  }
  const values = peaks(
    counts.map((count) => Math.max(count, 0)),
    Math.max(1, Math.floor(room)),
  );
  const most = values.reduce((a, b) => Math.max(a, b), 1);
  const isLog = most > MOST_LINEAR;
  const tall = (value: number): number => (isLog ? Math.log1p(value) / Math.log1p(most) : value / most) * SIZE;
  const step = room / Math.max(values.length, 1);
  const shape = area<number>()
    .curve(curveStepAfter)
    .x((_, k) => begin + k * step)
    .y0(SIZE)
    .y1((value) => SIZE - tall(value));
  const known = recording.hasClocks ? counts.map((count) => (count < 0 ? "1" : "0")).join("") : "";
  group
    .selectAll("rect")
    .data(runs(known, Math.max(1, Math.floor(room))).filter(([, , shade]) => shade !== "0"))
    .join("rect")
    .attr("class", "unknown")
    .attr("x", ([from]) => begin + from * room)
    .attr("width", ([from, to]) => (to - from) * room)
    .attr("height", SIZE);
  group
    .selectAll("path")
    .data([[...values, values[values.length - 1]]])
    .join("path")
    .attr("d", shape);
  const [before, after] = [scale.left - 14, scale.left + scale.room + 10];
  const texts = [
    { x: before, y: SIZE / 2 - 2, anchor: "end", text: "lattice size", name: "name" },
    { x: before, y: SIZE / 2 + 12, anchor: "end", text: isLog ? "log scale" : "", name: "small" },
    { x: after, y: 10, anchor: "start", text: `max ${compact(most)}`, name: "small" },
    { x: after, y: SIZE - 6, anchor: "start", text: "", name: "now value" },
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
}

/** Says beside the size what it is at the present slide. */
export function nameSize(group: Group, { recording, moment }: Scene): void {
  const tooMany = recording.hasClocks ? "too large" : "";
  group.select(".now").text(moment.cuts === null ? tooMany : compact(moment.cuts));
}

const compact = (value: number): string =>
  value < 10_000 ? value.toLocaleString("en") : new Intl.NumberFormat("en", { notation: "compact" }).format(value);
