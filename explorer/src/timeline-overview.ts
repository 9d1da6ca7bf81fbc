/** All states of the execution in a row per process, above the verdicts, with the windows marked. */

import type { Selection } from "d3-selection";
import { fitNames } from "./measure";
import type { Recording } from "./recording";
import type { Scene } from "./scene";
import { colourRuns } from "./timeline-data";

type Group = Selection<SVGGElement, unknown, null, undefined>;

/** Where the timeline has its slides. */
export interface Scale {
  left: number;
  room: number;
  slides: [first: number, last: number];
  x(slide: number): number;
}

const MOST_HEIGHT = 84;
const KINDS: Record<string, string> = { "0": "out", "-": "may", "1": "holds", "2": "holds", ".": "unread" };

/** How high a row is. */
export const rowHeight = (processes: number): number => Math.max(2, Math.min(13, MOST_HEIGHT / processes));

/** How high all rows are together. */
export function overviewHeight(recording: Recording): number {
  if (!recording.hasClocks) return 0;
  return rowHeight(recording.spec.processes.length) * recording.spec.processes.length + 6;
}

/** What the newest state of each process says of a condition, a letter for each slide from first to last. */
export function lettersOf(recording: Recording, part: number, first: number, last: number): string[] {
  return recording.lanes.map((lane, k) => {
    const pieces: string[] = [];
    let at = first;
    let state = recording.state(k, recording.moment(first).newest[k]);
    while (at <= last) {
      const next: typeof state = state && lane[state.number + 1 - recording.from[k]];
      const end = next ? Math.min(Math.max(next.slide, at), last + 1) : last + 1;
      pieces.push((state?.colours[part] ?? ".").repeat(end - at));
      at = end;
      state = next;
    }
    return pieces.join("");
  });
}

/** Draws the rows; again only if other slides or another condition are looked at. */
export function drawOverview(group: Group, scene: Scene, scale: Scale): void {
  const { recording, part } = scene;
  const { processes } = recording.spec;
  const height = rowHeight(processes.length);
  const names = fitNames(processes, scale.left - 18, "11px");
  const [first, last] = scale.slides;
  const begin = scale.x(first - 0.5);
  const room = scale.x(last + 0.5) - begin;
  const rows = lettersOf(recording, part, first, last).map((letters) =>
    colourRuns(letters, Math.max(1, Math.floor(room))),
  );
  const lanes = group
    .selectAll<SVGGElement, unknown>("g.row")
    .data(rows)
    .join((enter) => {
      const made = enter.append("g").attr("class", "row");
      made.append("text").attr("class", "name").attr("text-anchor", "end").attr("dy", "0.35em");
      return made;
    })
    .attr("transform", (_, k) => `translate(0 ${k * height})`);
  const all = group.selectAll("text.all").data(height < 10 ? [`${processes.length} lanes`] : []);
  all
    .join("text")
    .attr("class", "name all")
    .attr("text-anchor", "end")
    .attr("x", scale.left - 14)
    .attr("y", (height * processes.length) / 2 + 4)
    .text(String);
  const gap = height < 6 ? 0 : 1;
  lanes
    .select("text")
    .attr("x", scale.left - 14)
    .attr("y", height / 2)
    .text((_, k) => (height >= 10 ? names[k] : ""));
  lanes
    .selectAll<SVGPathElement, [string, string]>("path")
    .data((found) => {
      const paths = new Map<string, string>();
      for (const [from, to, letter] of found) {
        const kind = KINDS[letter] ?? "unread";
        const [x, width] = [begin + from * room, Math.max(0.5, (to - from) * room)];
        paths.set(kind, `${paths.get(kind) ?? ""}M${x} ${gap}h${width}v${height - 2 * gap}h${-width}z`);
      }
      return [...paths];
    })
    .join("path")
    .attr("class", ([kind]) => kind)
    .attr("d", ([, d]) => d);
}

/** Marks the windows: from the delivery of a process's oldest state to now. */
export function markWindows(group: Group, { recording, moment }: Scene, scale: Scale): void {
  const height = rowHeight(recording.spec.processes.length);
  const [low, high] = [scale.left, scale.left + scale.room];
  const boxes = moment.oldest.flatMap((number, k) => {
    const oldest = recording.state(k, number);
    const begin = Math.max(scale.x(Math.max(oldest?.slide ?? 0, recording.first) - 0.5), low);
    const end = Math.min(scale.x(moment.slide + 0.5), high);
    return end > begin ? [{ k, begin, end }] : [];
  });
  group
    .selectAll<SVGRectElement, (typeof boxes)[0]>("rect.window")
    .data(recording.hasClocks ? boxes : [])
    .join("rect")
    .attr("class", height < 8 ? "window thin" : "window")
    .attr("x", ({ begin }) => begin)
    .attr("width", ({ begin, end }) => Math.max(2, end - begin))
    .attr("y", ({ k }) => k * height)
    .attr("height", height);
}
