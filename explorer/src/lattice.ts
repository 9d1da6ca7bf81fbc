/** The cuts of a moment, found from the clocks, and where to draw them. Pure functions. */

import { bitsOf } from "./format";
import type { Cut, Moment, Recording } from "./recording";

export interface Lattice {
  /** in lexicographic order, by state numbers */
  cuts: Cut[];
  /** steps from the least cut, per cut */
  level: number[];
  /** single steps: positions of the cuts before and after, and the process that steps */
  steps: [before: number, after: number, process: number][];
  position: Map<string, number>;
}

export const keyOf = (cut: Cut): string => cut.join(",");

/**
 * All cuts from the least to the greatest, level by level.
 *
 * A step of process k from a cut leads to a cut iff the new state of k knows of no state beyond those the others are
 * in: clock(new)[j] <= covers(j, g_j). Every cut is reached so, because Lat-Win is a distributive lattice.
 */
export function enumerate(recording: Recording, moment: Moment): Lattice {
  const { least, greatest } = moment;
  if (!least || !greatest || !recording.hasClocks) return { cuts: [], level: [], steps: [], position: new Map() };
  const found = new Map<string, { cut: number[]; level: number }>([[keyOf(least), { cut: least, level: 0 }]]);
  const steps: [string, string, number][] = [];
  let row = [least];
  for (let level = 1; row.length > 0; level++) {
    const next: number[][] = [];
    for (const cut of row) {
      const covered = cut.map((number, k) => recording.covers(k, number, moment));
      for (let k = 0; k < cut.length; k++) {
        if (cut[k] >= greatest[k]) continue;
        const clock = recording.state(k, cut[k] + 1)!.clock;
        if (clock.some((entry, j) => j !== k && entry > covered[j])) continue;
        const after = cut.slice();
        after[k] += 1;
        const key = keyOf(after);
        steps.push([keyOf(cut), key, k]);
        if (!found.has(key)) {
          found.set(key, { cut: after, level });
          next.push(after);
        }
      }
    }
    row = next;
  }
  const sorted = [...found.values()].sort((a, b) => compare(a.cut, b.cut));
  const position = new Map(sorted.map(({ cut }, at) => [keyOf(cut), at]));
  return {
    cuts: sorted.map(({ cut }) => cut),
    level: sorted.map(({ level }) => level),
    steps: steps.map(([before, after, k]) => [position.get(before)!, position.get(after)!, k]),
    position,
  };
}

function compare(a: Cut, b: Cut): number {
  const k = a.findIndex((number, j) => number !== b[j]);
  return k < 0 ? 0 : a[k] - b[k];
}

/** Which cuts are labelled. */
export function labelled(lattice: Lattice, labels: string | null): boolean[] {
  if (labels === null) return lattice.cuts.map(() => false);
  const bit = bitsOf(labels);
  return lattice.cuts.map((_, at) => bit(at));
}

/** An observation's cuts, from the processes that step. */
export function walk(least: Cut, path: number[]): Cut[] {
  const cuts: Cut[] = [least];
  for (const process of path) cuts.push(cuts[cuts.length - 1].map((number, k) => number + Number(k === process)));
  return cuts;
}

/**
 * The cuts of each level in the order in which they are drawn, with few crossings: each level is sorted by where
 * its neighbours are, downwards and upwards in turn.
 */
export function rowsOf(lattice: Lattice): number[][] {
  const rows: number[][] = [];
  for (const [at, level] of lattice.level.entries()) {
    rows[level] ??= [];
    rows[level].push(at);
  }
  for (const row of rows) row.reverse(); // the first process's step leads to the left
  const above: number[][] = lattice.cuts.map(() => []);
  const below: number[][] = lattice.cuts.map(() => []);
  for (const [before, after] of lattice.steps) {
    above[after].push(before);
    below[before].push(after);
  }
  const place: number[] = [];
  const settle = (row: number[]): void => {
    for (const [k, at] of row.entries()) place[at] = k - (row.length - 1) / 2;
  };
  rows.forEach(settle);
  const sort = (row: number[], neighbours: number[][]): void => {
    const aim = new Map<number, number>();
    for (const at of row) {
      const around = neighbours[at].map((other) => place[other]);
      aim.set(at, mean(around, place[at]));
    }
    row.sort((a, b) => aim.get(a)! - aim.get(b)! || place[a] - place[b]);
    settle(row);
  };
  for (let sweep = 0; sweep < 3; sweep++) {
    for (const row of rows) sort(row, above);
    for (const row of rows.toReversed()) sort(row, below);
  }
  return rows;
}

function mean(values: number[], otherwise: number): number {
  return values.length ? values.reduce((a, b) => a + b, 0) / values.length : otherwise;
}

/** Where to draw each cut in a box: a level a row, the least cut at the top. */
export function placeRows(rows: number[][], width: number, height: number, most = 64): [x: number, y: number][] {
  const widest = Math.max(1, ...rows.map((row) => row.length));
  const across = Math.min(most, width / widest);
  const down = Math.min(most, height / Math.max(1, rows.length));
  const top = (height - down * (rows.length - 1)) / 2;
  const places: [number, number][] = [];
  for (const [level, row] of rows.entries()) {
    for (const [k, at] of row.entries()) {
      places[at] = [width / 2 + (k - (row.length - 1) / 2) * across, top + level * down];
    }
  }
  return places;
}
