/** Whether cuts are drawn with their names: one answer for a whole recording, so that stepping does not flip it. */

import { enumerate } from "./lattice";
import type { Recording } from "./recording";

/** a letter of a name, about */
export const LETTER = 6.6;
/** the widest gap between two cuts, across and down */
export const GAP = 92;
/** what a name needs beside itself, and a level in height */
const BESIDE = 6;
const LEVEL = 34;
/** lattices that are looked at, the largest ones */
const SAMPLE = 24;
/** beyond so many cuts, names never have room */
const MOST_NAMED = 160;

/** How much room the largest lattices need: cuts beside each other, levels, and letters of a name. */
export interface Extent {
  across: number;
  down: number;
  letters: number;
}

/** The extent of the largest lattices of a recording that are drawn cut by cut; null where names have no room at all. */
export function extentOf(recording: Recording, drawn: number): Extent | null {
  const counts = recording.cutCounts
    .map((count, at) => ({ count, slide: at + recording.first }))
    .filter(({ count }) => count > 0 && count <= drawn)
    .sort((a, b) => b.count - a.count);
  if (counts.length && counts[0].count > MOST_NAMED) return null;
  const extent = { across: 1, down: 1, letters: 1 };
  for (const { slide } of counts.slice(0, SAMPLE)) {
    const lattice = enumerate(recording, recording.moment(slide));
    const rows: number[] = [];
    for (const level of lattice.level) rows[level] = (rows[level] ?? 0) + 1;
    extent.across = Math.max(extent.across, ...rows);
    extent.down = Math.max(extent.down, rows.length);
    for (const cut of lattice.cuts) extent.letters = Math.max(extent.letters, recording.show(cut).length);
  }
  return extent;
}

/** Whether all names of an extent have room in a box. */
export function isRoomy(extent: Extent | null, width: number, height: number): boolean {
  if (!extent) return false;
  const pill = extent.letters * LETTER + 14;
  return width / extent.across >= pill + BESIDE && height / extent.down >= LEVEL;
}

/** Remembers the extent of a recording while it does not grow. */
export class Look {
  private known: { recording: Recording; last: number; extent: Extent | null } | null = null;

  isNamed(recording: Recording, drawn: number, width: number, height: number): boolean {
    const isKnown = this.known?.recording === recording && this.known.last === recording.last;
    if (!isKnown) {
      // Live, names that had no room once are not tried again: the drawing keeps its form.
      const isSmall = this.known?.recording === recording && this.known.extent === null;
      const extent = isSmall ? null : extentOf(recording, drawn);
      this.known = { recording, last: recording.last, extent };
    }
    return isRoomy(this.known!.extent, width, height);
  }
}
